import { useMutation, useQuery } from '@tanstack/react-query';
import { Bookmark, Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiData, keyOf } from '../../api.ts';
import type { SavedView, UpdateViewBody } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx';
import { sayError } from '../../ui/toast.tsx';
import { useMay, useMe, useNames } from '../session/me.ts';
import { deleteLater, usePendingDeletions } from './pending-deletions.ts';

/** What is shown now, as a view saves it. */
export type Shown = { search: string; display: Record<string, unknown> };

const isShown = (view: SavedView, { search, display }: Shown): boolean =>
  view.search === search && JSON.stringify(view.display) === JSON.stringify(display);

/** What a saved view is of; the display settings of a dashboard name its charts. */
type Kind = 'records' | 'dashboard';
const kindOf = ({ display }: SavedView): Kind => ('charts' in display ? 'dashboard' : 'records');
const words = {
  records: {
    none: 'A view is a search with a name.',
    saves: 'Saves the search, the columns and the row height.',
  },
  dashboard: {
    none: 'A view is a choice of charts with a name.',
    saves: 'Saves the charts, the range and the filters.',
  },
};

type ViewsMenuProps = { projectId: string; kind?: Kind; shown: Shown; onShow: (view: SavedView) => void };

/** The saved views of a project: shows one, saves what is shown, or manages them. */
export const ViewsMenu = ({ projectId, kind = 'records', shown, onShow }: ViewsMenuProps) => {
  const may = useMay();
  const { data = [] } = useQuery({ ...apiData('listViews', projectId), staleTime: 60_000 });
  const deleted = usePendingDeletions();
  const views = data.filter((view) => !deleted.has(view.id) && kindOf(view) === kind);
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
        {views.length === 0 && <MenuLabel>{words[kind].none}</MenuLabel>}
        {mine.length > 0 && <MenuLabel>Mine</MenuLabel>}
        {items(mine)}
        {shared.length > 0 && <MenuLabel>Shared</MenuLabel>}
        {items(shared)}
        {may.write && (
          <>
            <MenuLine />
            <MenuItem onSelect={() => setOpen('save')}>Save this view…</MenuItem>
            <MenuItem disabled={views.length === 0} onSelect={() => setOpen('manage')}>
              Manage views…
            </MenuItem>
          </>
        )}
      </Menu>
      {open === 'save' && <SaveView projectId={projectId} kind={kind} shown={shown} onClose={close} />}
      {open === 'manage' && (
        <ManageViews projectId={projectId} kind={kind} shown={shown} views={views} onClose={close} />
      )}
    </>
  );
};

type SaveViewProps = { projectId: string; kind: Kind; shown: Shown; onClose: () => void };

const SaveView = ({ projectId, kind, shown, onClose }: SaveViewProps) => {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () => api.createView(projectId, { name: name.trim(), shared, ...shown }),
    meta: { refreshes: [keyOf('listViews', projectId)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Save this view"
      description={words[kind].saves}
      write={save}
      action="Save"
      disabled={name.trim() === ''}
    >
      <Input label="Name" required autoFocus maxLength={256} value={name} onChange={setName} />
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
        Share with everyone in the project
      </label>
    </FormDialog>
  );
};

type ManageViewsProps = SaveViewProps & { views: readonly SavedView[] };

/** Renames, shares, replaces and deletes views. Only the author of a view or an admin can. */
const ManageViews = ({ projectId, kind, shown, views, onClose }: ManageViewsProps) => {
  const me = useMe().user.id;
  const nameOf = useNames();
  const { administer } = useMay();
  const meta = { refreshes: [keyOf('listViews', projectId)] };
  const { mutate: change } = useMutation({
    mutationFn: ({ view, changes }: { view: SavedView; changes: UpdateViewBody }) =>
      api.updateView(view.id, changes),
    meta,
    onError: sayError,
  });
  const { mutateAsync: deleteView } = useMutation({
    mutationFn: (id: string) => api.deleteView(id),
    meta,
    onError: sayError,
  });
  const remove = (view: SavedView) =>
    deleteLater(view.id, `Deleted ${view.name}.`, () => deleteView(view.id));
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
                    if (name && name !== view.name) change({ view, changes: { name } });
                  }}
                />
                <p className="truncate px-2 text-sm text-soft" title={view.search}>
                  {view.search || (kind === 'records' && 'All records')}
                  {view.userId !== me && ` · ${nameOf(view.userId)}`}
                </p>
              </div>
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  disabled={!isMine}
                  checked={view.shared}
                  onChange={({ target }) => change({ view, changes: { shared: target.checked } })}
                />
                Shared
              </label>
              <Button
                disabled={!isMine || isShown(view, shown)}
                aria-label={`Replace ${view.name} with the current view`}
                onClick={() => change({ view, changes: shown })}
              >
                Replace
              </Button>
              <IconButton
                icon={Trash2}
                label={`Delete ${view.name}`}
                disabled={!isMine}
                onClick={() => remove(view)}
              />
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
};
