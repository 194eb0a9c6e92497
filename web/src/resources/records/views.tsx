import { useMutation, useQuery } from '@tanstack/react-query';
import { Bookmark, Check, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, apiData, keyOf } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { ManagedTable, NameCell, type RowForm } from '../../managed-table.tsx';
import type { SavedView } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
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

/** What a saved view is of: the display settings of a dashboard name its charts, those of traces say `of`. */
type Kind = 'records' | 'traces' | 'dashboard';
const kindOf = ({ display }: SavedView): Kind => {
  if ('charts' in display) return 'dashboard';
  return display.of === 'traces' ? 'traces' : 'records';
};
const words = {
  records: {
    none: 'A view is a search with a name.',
    saves: 'Saves the search, the columns and the row height.',
  },
  traces: {
    none: 'A view is a search with a name.',
    saves: 'Saves the search and the columns.',
  },
  dashboard: {
    none: 'A view is a choice of charts with a name.',
    saves: 'Saves the charts, the range and the filters.',
  },
};

const viewsQuery = (projectId: string) => ({ ...apiData('listViews', projectId), staleTime: 60_000 });

type ViewsMenuProps = { projectId: string; kind?: Kind; shown: Shown; onShow: (view: SavedView) => void };

/** The saved views of a project: shows one, saves what is shown, or manages them. */
export const ViewsMenu = ({ projectId, kind = 'records', shown, onShow }: ViewsMenuProps) => {
  const may = useMay();
  const { data = [] } = useQuery(viewsQuery(projectId));
  const deleted = usePendingDeletions();
  const isHere = (view: SavedView) => !deleted.has(view.id) && kindOf(view) === kind;
  const views = data.filter(isHere);
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
      {open === 'save' && (
        <ViewDialog
          {...{ projectId, kind, shown }}
          row={undefined}
          dialog={{ open: true, onClose: close, title: 'Save this view', action: 'Save' }}
          saving={{ meta: { refreshes: [keyOf('listViews', projectId)] }, onSuccess: close }}
        />
      )}
      {open === 'manage' && <ManageViews {...{ projectId, kind, shown, isHere }} onClose={close} />}
    </>
  );
};

type ViewProps = { projectId: string; kind: Kind; shown: Shown };

/** Saves what is shown as a view, or changes the name of a view and who sees it. */
const ViewDialog = ({
  projectId,
  kind,
  shown,
  row: view,
  dialog,
  saving,
}: ViewProps & RowForm<SavedView>) => {
  const { values, fieldsOf, outdated } = useFields({ name: view?.name ?? '', shared: view?.shared ?? false });
  const save = useMutation({
    mutationFn: () => {
      const body = { ...values, name: values.name.trim() };
      return view
        ? api.updateView(view.id, body, { ifMatch: etagOf(view) })
        : api.createView(projectId, { ...body, ...shown });
    },
    ...saving,
  });
  const field = fieldsOf(save.error);
  return (
    <FormDialog
      {...dialog}
      description={!view && words[kind].saves}
      write={save}
      outdated={outdated}
      disabled={values.name.trim() === ''}
    >
      <Input label="Name" required autoFocus maxLength={256} {...field('name')} />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={values.shared}
          onChange={({ target }) => field('shared').onChange(target.checked)}
        />
        Share with everyone in the project
      </label>
    </FormDialog>
  );
};

type ManageViewsProps = ViewProps & { isHere: (view: SavedView) => boolean; onClose: () => void };

/** Renames, shares, replaces and deletes views. Only the author of a view or an admin can. */
const ManageViews = ({ isHere, onClose, ...of }: ManageViewsProps) => {
  const { projectId, kind, shown } = of;
  const me = useMe().user.id;
  const nameOf = useNames();
  const { administer } = useMay();
  const { mutateAsync: deleteView } = useMutation({
    mutationFn: (id: string) => api.deleteView(id),
    meta: { refreshes: [keyOf('listViews', projectId)] },
    onError: sayError,
  });
  return (
    <Dialog open onClose={onClose} wide title="Views">
      <ManagedTable
        as="part"
        title="Views"
        noun="view"
        list={{ ...viewsQuery(projectId), select: ({ data }) => data.filter(isHere) }}
        may={({ userId }) => userId === me || administer}
        empty={words[kind].none}
        columns={[
          {
            head: 'Name',
            cell: (view) => (
              <NameCell of={view}>{view.search || (kind !== 'dashboard' && `All ${kind}`)}</NameCell>
            ),
          },
          { head: 'Author', cell: ({ userId }) => (userId === me ? 'you' : nameOf(userId)) },
          { head: 'Seen by', cell: ({ shared }) => (shared ? 'everyone in the project' : 'the author') },
        ]}
        form={(form) => <ViewDialog {...of} {...form} />}
        actions={(view) => ({
          replace: {
            icon: RefreshCw,
            label: `Replace ${view.name} with the current view`,
            disabled: isShown(view, shown),
            send: () => api.updateView(view.id, shown, { ifMatch: etagOf(view) }),
          },
        })}
        remove={{
          later: (view) => deleteLater(view.id, `Deleted ${view.name}.`, () => deleteView(view.id)),
        }}
      />
    </Dialog>
  );
};
