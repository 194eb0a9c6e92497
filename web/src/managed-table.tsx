import {
  type MutationMeta,
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { type LucideIcon, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Badge } from './ui/badge.tsx';
import { Button, IconButton } from './ui/button.tsx';
import { Confirm } from './ui/dialog.tsx';
import { Page, Section } from './ui/page.tsx';
import { Empty, Loaded } from './ui/states.tsx';
import { Cell, Row as Line, Table } from './ui/table.tsx';
import { sayError } from './ui/toast.tsx';

// Pages that manage a resource are alike:
// 1. One operation lists the rows. Without any, the page says what they are for and offers to create one.
// 2. One form creates a row and changes it.
// 3. A row has actions: some act at once, such as a pause, and some open a dialog about the row.
// 4. Deleting asks first and says what else is deleted, or can be undone. After each write, the list is read again.
// 5. A dialog finds its row by the id, so it shows the row as it is now. A member who may not write gets no buttons.

type Managed = { id: string; name: string; paused?: boolean };

export type TableColumn<Row> = { head: string; cell: (row: Row) => ReactNode; className?: string };

export type RowAction = {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  /** For members who may only read, too. */
  reads?: boolean;
} & ({ send: () => Promise<unknown> } | { dialog: (onClose: () => void) => ReactNode });

/** What the form of a resource gets. */
export type RowForm<Row> = {
  /** The row to change; undefined for a new one. */
  row: Row | undefined;
  /** For its FormDialog. */
  dialog: { open: true; onClose: () => void; title: string; action: string };
  /** For its mutation. */
  saving: { meta: MutationMeta; onSuccess: () => void };
};

const frames = { page: Page, section: Section, part: ({ children }: { children: ReactNode }) => children };

type Removal<Row> = { verb?: string } & (
  | { send: (id: string) => Promise<unknown>; warning: ReactNode }
  /** Deletes without a question, since it can be undone. */
  | { later: (row: Row) => void }
);

type ManagedTableProps<Data, Row extends Managed> = {
  as?: keyof typeof frames;
  title: string;
  /** What a row is called in buttons and questions: `alert`. */
  noun: string;
  list: UseQueryOptions<Data, Error, Row[], QueryKey> & { queryKey: QueryKey };
  /** Whether the member may create, change and delete rows, or which rows they may change. */
  may: boolean | ((row: Row) => boolean);
  /** What the rows are for, shown where there are none. */
  empty?: ReactNode;
  columns: readonly TableColumn<Row>[];
  form?: (form: RowForm<Row>) => ReactNode;
  /** The form only creates. */
  fixed?: boolean;
  createLabel?: string;
  pause?: (id: string, body: { paused: boolean }) => Promise<unknown>;
  /** Its own actions, by their names. */
  actions?: (row: Row) => Record<string, RowAction>;
  remove?: Removal<Row>;
  /** Before the table. */
  above?: ReactNode;
  /** After the table. */
  children?: ReactNode;
};

const savingOf = (list: { queryKey: QueryKey }, close: () => void) => ({
  meta: { refreshes: [list.queryKey] },
  onSuccess: close,
});

const removalOf = <Data, Row extends Managed>(
  { noun, list }: ManagedTableProps<Data, Row>,
  row: Row,
  remove: Removal<Row>,
) => {
  if ('later' in remove) return { send: async () => remove.later(row) };
  const { verb = 'Delete', send, warning } = remove;
  return {
    dialog: (onClose: () => void) => (
      <Confirm
        onClose={onClose}
        title={`${verb} ${row.name}?`}
        action={`${verb} ${noun}`}
        send={() => send(row.id)}
        meta={savingOf(list, onClose).meta}
      >
        {warning}
      </Confirm>
    ),
  };
};

/** All actions of a row, in their order. */
const actionsOf = <Data, Row extends Managed>(
  props: ManagedTableProps<Data, Row>,
  row: Row,
): Record<string, RowAction> => {
  const { actions, pause, form, fixed = false, remove, list } = props;
  const { id, name, paused = false } = row;
  const verb = remove?.verb ?? 'Delete';
  return {
    ...actions?.(row),
    ...(pause && {
      pause: {
        icon: paused ? Play : Pause,
        label: `${paused ? 'Resume' : 'Pause'} ${name}`,
        send: () => pause(id, { paused: !paused }),
      },
    }),
    ...(form &&
      !fixed && {
        change: {
          icon: Pencil,
          label: `Change ${name}`,
          dialog: (onClose) => {
            const dialog = { open: true, onClose, title: `Change ${name}`, action: 'Save' } as const;
            return form({ row, dialog, saving: savingOf(list, onClose) });
          },
        },
      }),
    ...(remove && { remove: { icon: Trash2, label: `${verb} ${name}`, ...removalOf(props, row, remove) } }),
  };
};

type ActionsProps = {
  actions: Record<string, RowAction>;
  may: boolean;
  onOpen: (name: string) => void;
  act: { isPending: boolean; mutate: (send: () => Promise<unknown>) => void };
};

const RowActions = ({ actions, may, onOpen, act }: ActionsProps) => (
  // Its buttons are taller than a line of text, beside which they stand.
  <span className="-my-1 inline-flex">
    {Object.entries(actions).map(([name, action]) => {
      if (!may && !action.reads) return null;
      const { icon, label, disabled } = action;
      return 'send' in action ? (
        <IconButton
          key={name}
          icon={icon}
          label={label}
          disabled={disabled || act.isPending}
          onClick={() => act.mutate(action.send)}
        />
      ) : (
        <IconButton key={name} icon={icon} label={label} disabled={disabled} onClick={() => onOpen(name)} />
      );
    })}
  </span>
);

/** The name of a row, whether it is paused, and what else is to be said of it below. */
export const NameCell = ({
  of: { name, paused },
  link,
  children,
}: {
  of: Pick<Managed, 'name' | 'paused'>;
  /** The name as a link. */
  link?: ReactNode;
  children?: ReactNode;
}) => (
  <div className="max-w-72 font-medium">
    <span className="flex items-center gap-2">
      {link ?? (
        <span className="truncate" title={name}>
          {name}
        </span>
      )}
      {paused && <Badge tone="warn">Paused</Badge>}
    </span>
    {children && <span className="block text-sm font-normal break-words text-soft">{children}</span>}
  </div>
);

/** A table of a resource that members create, change and delete. */
export const ManagedTable = <Data, Row extends Managed>(props: ManagedTableProps<Data, Row>) => {
  const { as = 'page', title, noun, list, may, columns, form, createLabel = `New ${noun}` } = props;
  const rows = useQuery(list);
  const [open, setOpen] = useState<{ name: string; id?: string }>();
  const close = () => setOpen(undefined);
  const saving = savingOf(list, close);
  const act = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    meta: saving.meta,
    onError: sayError,
  });
  const createButton = may === true && form && (
    <Button look={as === 'page' ? 'primary' : 'plain'} onClick={() => setOpen({ name: 'create' })}>
      <Plus size={14} aria-hidden /> {createLabel}
    </Button>
  );
  const none =
    as === 'page' ? (
      <Empty title={`No ${noun}s yet`} action={createButton}>
        {props.empty}
      </Empty>
    ) : (
      <p className="text-soft">{props.empty}</p>
    );
  const chosen = rows.data?.find(({ id }) => id === open?.id);
  const action = open && chosen && actionsOf(props, chosen)[open.name];
  const Frame = frames[as];
  return (
    <Frame title={title} actions={(as !== 'page' || rows.data?.length !== 0) && createButton}>
      {props.above}
      <Loaded query={rows} lines={4} empty={none}>
        {(all) => (
          <Table label={title} head={[...columns.map(({ head }) => head), '']}>
            {all.map((row) => (
              <Line key={row.id}>
                {columns.map(({ head, cell, className = '' }) => (
                  <Cell key={head} className={`align-top ${className}`}>
                    {cell(row)}
                  </Cell>
                ))}
                <Cell className="text-right align-top whitespace-nowrap">
                  <RowActions
                    actions={actionsOf(props, row)}
                    may={typeof may === 'function' ? may(row) : may}
                    act={act}
                    onOpen={(name) => setOpen({ name, id: row.id })}
                  />
                </Cell>
              </Line>
            ))}
          </Table>
        )}
      </Loaded>
      {props.children}
      {open?.name === 'create' &&
        form?.({
          ...{ row: undefined, saving },
          dialog: { open: true, onClose: close, title: createLabel, action: `Create ${noun}` },
        })}
      {action && 'dialog' in action && action.dialog(close)}
    </Frame>
  );
};
