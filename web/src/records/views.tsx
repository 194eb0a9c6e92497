import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Check, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { useMay, useMe, useNames } from '../session/who.ts';
import type { SavedView } from '../types.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { exactText } from '../ui/exact-json.ts';
import { Input } from '../ui/field.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { sayError } from '../ui/toast.tsx';
import { deleteLater, usePendingDeletions } from './pending-deletions.ts';

/** What is shown now, and would be saved. */
export type Shown = { search: string; display: Record<string, unknown> };

const viewsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [`/projects/${projectId}/views`],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: SavedView[] }>(`/projects/${projectId}/views`, {}, signal)).data,
    staleTime: 60_000,
  });

const isShown = (view: SavedView, { search, display }: Shown): boolean =>
  view.search === search && exactText(view.display) === exactText(display);

type ViewsMenuProps = { projectId: string; shown: Shown; onShow: (view: SavedView) => void };

/** The saved views of a project: to show one, to save what is shown, to tidy up. */
export const ViewsMenu = ({ projectId, shown, onShow }: ViewsMenuProps) => {
  const may = useMay();
  const { data = [] } = useQuery(viewsQuery(projectId));
  const deleted = usePendingDeletions();
  const views = data.filter(({ id }) => !deleted.has(id));
  const [open, setOpen] = useState<'save' | 'manage'>();
  const current = views.find((view) => isShown(view, shown));
  const close = () => setOpen(undefined);
  const items = (of: readonly SavedView[]) =>
    of.map((view) => (
      <MenuItem key={view.id} onSelect={() => onShow(view)}>
        <span className="flex w-4 justify-center">
          {view === current && <Check size={14} aria-label="shown" />}
        </span>
        <span className="max-w-64 truncate">{view.name}</span>
      </MenuItem>
    ));
  const [shared, mine] = [views.filter((view) => view.shared), views.filter((view) => !view.shared)];
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button className="max-w-48">
            <Bookmark size={14} aria-hidden className="shrink-0" />
            <span className="truncate">{current?.name ?? 'Views'}</span>
          </Button>
        }
      >
        {views.length === 0 && <MenuLabel>A view is a search that has a name.</MenuLabel>}
        {mine.length > 0 && <MenuLabel>Mine</MenuLabel>}
        {items(mine)}
        {shared.length > 0 && <MenuLabel>Shared</MenuLabel>}
        {items(shared)}
        {may.write && (
          <>
            <MenuLine />
            <MenuItem onSelect={() => setOpen('save')}>Save this view…</MenuItem>
            <MenuItem disabled={views.length === 0} onSelect={() => setOpen('manage')}>
              Change views…
            </MenuItem>
          </>
        )}
      </Menu>
      {open === 'save' && <SaveView projectId={projectId} shown={shown} onClose={close} />}
      {open === 'manage' && <ManageViews projectId={projectId} shown={shown} views={views} onClose={close} />}
    </>
  );
};

type SaveViewProps = { projectId: string; shown: Shown; onClose: () => void };

const SaveView = ({ projectId, shown, onClose }: SaveViewProps) => {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () => api.post(`/projects/${projectId}/views`, { name: name.trim(), shared, ...shown }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: viewsQuery(projectId).queryKey });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) save.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save this view"
      description="The search, the columns and the height of rows."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Name"
          required
          autoFocus
          maxLength={256}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
          Everybody sees it
        </label>
        {save.error && <ErrorNote error={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

type ManageViewsProps = SaveViewProps & { views: readonly SavedView[] };

/** Renames, shares, replaces and deletes. Only who made a view, or an admin, may. */
const ManageViews = ({ projectId, shown, views, onClose }: ManageViewsProps) => {
  const queries = useQueryClient();
  const me = useMe().user.id;
  const nameOf = useNames();
  const { administer } = useMay();
  const { queryKey } = viewsQuery(projectId);
  const refresh = () => queries.invalidateQueries({ queryKey });
  const change = async (view: SavedView, changes: Partial<SavedView>) => {
    await api.patch(`/views/${view.id}`, changes).catch(sayError);
    await refresh();
  };
  /** Gone from the page at once, and from the service when nobody wants it back. */
  const remove = (view: SavedView) =>
    deleteLater(view.id, `Deleted ${view.name}.`, () =>
      api.delete(`/views/${view.id}`).catch(sayError).finally(refresh),
    );
  return (
    <Dialog open onClose={onClose} wide title="Views">
      <ul>
        {views.map((view) => {
          const isMine = view.userId === me || administer;
          return (
            <li key={view.id} className="flex items-center gap-2 border-t py-1.5 first:border-t-0">
              <div className="min-w-0 flex-1">
                <Input
                  label={`Name of ${view.name}`}
                  hideLabel
                  disabled={!isMine}
                  maxLength={256}
                  defaultValue={view.name}
                  onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
                  onBlur={({ target }) => {
                    const name = target.value.trim();
                    if (name && name !== view.name) void change(view, { name });
                  }}
                />
                <p className="truncate px-2 text-sm text-soft" title={view.search}>
                  {view.search || 'All records'}
                  {view.userId !== me && ` · ${nameOf(view.userId)}`}
                </p>
              </div>
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  disabled={!isMine}
                  checked={view.shared}
                  onChange={({ target }) => void change(view, { shared: target.checked })}
                />
                Shared
              </label>
              <Button
                disabled={!isMine || isShown(view, shown)}
                aria-label={`Replace ${view.name} by what is shown`}
                onClick={() => void change(view, shown)}
              >
                Replace
              </Button>
              <IconButton label={`Delete ${view.name}`} disabled={!isMine} onClick={() => remove(view)}>
                <Trash2 size={14} />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
};
