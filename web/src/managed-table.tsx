import {
  type MutationMeta,
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { type LucideIcon, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { QuietLink } from './links.tsx';
import { Badge } from './ui/badge.tsx';
import { Button, IconButton } from './ui/button.tsx';
import { Chip } from './ui/chips.tsx';
import { Confirm } from './ui/dialog.tsx';
import { Input } from './ui/field.tsx';
import { Page, Section } from './ui/page.tsx';
import { Empty, Loaded } from './ui/states.tsx';
import { Cell, Row as Line, Table } from './ui/table.tsx';
import { Term } from './ui/term.tsx';
import type { TermName } from './ui/terms.ts';
import { sayError } from './ui/toast.tsx';

// Pages that manage a resource are alike:
// 1. One operation lists the rows. Without any, the page says what they are for and offers to create one.
// 2. One form creates a row and changes it.
// 3. A row may have a page. It has actions: some act at once, such as a pause, and some open a dialog about the row.
// 4. Deleting asks first and says what else is deleted, or can be undone. After each write, the list is read again.
// 5. A dialog finds its row by the id, so it shows the row as it is now. A member who may not write gets no buttons.

type Managed = { id: string; name: string | null; description?: string | null; paused?: boolean };

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

/** Who created the rows: the column `Owner`, and the choice of one's own rows. Both are left out while all rows are one's own. */
export type Owners = {
  /** Whether some rows are other people's. */
  shared: boolean;
  /** The name of the owner; undefined if the service created the row. */
  nameOf: (row: { id: string }) => string | undefined;
  mine: (row: { id: string }) => boolean;
};

type FrameProps = { id?: string; title: ReactNode; actions: ReactNode; children: ReactNode };

const frames: Record<'page' | 'section' | 'part', (props: FrameProps) => ReactNode> = {
  page: Page,
  section: Section,
  part: ({ children }) => children,
};

type Removal<Row> = { verb?: string } & (
  | { send: (id: string) => Promise<unknown>; warning: ReactNode }
  /** Deletes without a question, since it can be undone. */
  | { later: (row: Row) => void }
);

type ManagedTableProps<Data, Row extends Managed> = {
  as?: keyof typeof frames;
  /** Makes a section the target of links. */
  id?: string;
  title: string;
  /** What explains the title. */
  term?: TermName;
  /** What a row is called in buttons and questions: `alert`. */
  noun: string;
  list: UseQueryOptions<Data, Error, Row[], QueryKey> & { queryKey: QueryKey };
  /** Whether the member may create, change and delete rows, or which rows they may change. */
  may: boolean | ((row: Row) => boolean);
  /** Whether the page was asked for a new row, by a link; `onAnswered` when the dialog closes. */
  asked?: { open: boolean; onAnswered: () => void };
  /** What the rows are for, shown where there are none. */
  empty?: ReactNode;
  columns: readonly TableColumn<Row>[];
  owners?: Owners;
  /** Widths in pixels, the actions last: tables one below the other stay in line. */
  widths?: readonly (number | undefined)[];
  /** The page of a row, which a click on the row opens. */
  page?: (row: Row) => LinkProps;
  form?: (form: RowForm<Row>) => ReactNode;
  /** What creates rows beside the form, or in its place. */
  create?: ReactNode;
  /** The form only creates. */
  fixed?: boolean;
  createLabel?: string;
  pause?: (id: string, body: { paused: boolean }) => Promise<unknown>;
  /** Its own actions, by their names. */
  actions?: (row: Row) => Record<string, RowAction>;
  remove?: Removal<Row>;
  /** Links beside the title, where there are rows. */
  links?: ReactNode;
  /** Before the table. */
  above?: ReactNode;
  /** After the table. */
  children?: ReactNode;
};

/** The form of a new row, or the one that changes `row`. */
const formOf = <Data, Row extends Managed>(
  { form, list, noun, createLabel = `New ${noun}` }: ManagedTableProps<Data, Row>,
  onClose: () => void,
  row?: Row,
) =>
  form?.({
    row,
    dialog: {
      open: true,
      onClose,
      title: row ? `Change ${row.name}` : createLabel,
      action: row ? 'Save' : `Create ${noun}`,
    },
    saving: { meta: { refreshes: [list.queryKey] }, onSuccess: onClose },
  });

const removalOf = <Data, Row extends Managed>(
  { noun, list }: ManagedTableProps<Data, Row>,
  row: Row,
  remove: Removal<Row>,
): RowAction => {
  const { verb = 'Delete' } = remove;
  const button = { icon: Trash2, label: `${verb} ${row.name}` };
  if ('later' in remove) return { ...button, send: async () => remove.later(row) };
  const dialog = (onClose: () => void) => (
    <Confirm
      onClose={onClose}
      title={`${verb} ${row.name}?`}
      action={`${verb} ${noun}`}
      send={() => remove.send(row.id)}
      meta={{ refreshes: [list.queryKey] }}
    >
      {remove.warning}
    </Confirm>
  );
  return { ...button, dialog };
};

/** All actions of a row, in their order. */
const actionsOf = <Data, Row extends Managed>(
  props: ManagedTableProps<Data, Row>,
  row: Row,
): Record<string, RowAction> => {
  const { actions, pause, form, fixed = false, remove } = props;
  const { id, name, paused = false } = row;
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
        change: { icon: Pencil, label: `Change ${name}`, dialog: (close) => formOf(props, close, row) },
      }),
    ...(remove && { remove: removalOf(props, row, remove) }),
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
      const { icon, label, reads, disabled } = action;
      if (!may && !reads) return null;
      const isSent = 'send' in action;
      return (
        <IconButton
          key={name}
          {...{ icon, label }}
          disabled={disabled || (isSent && act.isPending)}
          onClick={() => (isSent ? act.mutate(action.send) : onOpen(name))}
        />
      );
    })}
  </span>
);

type NameCellProps = {
  of: Pick<Managed, 'name' | 'paused'>;
  /** Its page. */
  to?: LinkProps;
  /** Further content, below the table. */
  children?: ReactNode;
};

/** The name of a row, and whether it is paused. */
export const NameCell = ({ of: { name, paused }, to, children }: NameCellProps) => {
  const text = <bdi>{name || 'Without a name'}</bdi>;
  return (
    <div className="max-w-80 font-medium">
      <span className="flex items-center gap-2">
        {to ? (
          <QuietLink {...to} className="truncate" title={name ?? undefined}>
            {text}
          </QuietLink>
        ) : (
          <span className="truncate" title={name ?? undefined}>
            {text}
          </span>
        )}
        {paused && <Badge tone="warn">Paused</Badge>}
      </span>
      {children && <div className="text-sm font-normal break-words text-soft">{children}</div>}
    </div>
  );
};

const ownerColumn = <Row extends Managed>({ nameOf, mine }: Owners): TableColumn<Row> => ({
  head: 'Owner',
  className: 'max-w-40 truncate',
  cell: (row) => {
    const name = nameOf(row);
    if (name === undefined) return <span className="text-soft">The service</span>;
    return <bdi title={name}>{mine(row) ? 'You' : name}</bdi>;
  },
});

/** Rows of a page up to which they are cards: a table of one line leaves the page empty. */
const mostCards = 4;

type RowsProps<Data, Row extends Managed> = {
  of: ManagedTableProps<Data, Row>;
  rows: readonly Row[];
  /** Whether the whole list is short. Default: these rows are few. */
  isFew?: boolean;
  onOpen: (name: string, row: Row) => void;
};

const Rows = <Data, Row extends Managed>(props: RowsProps<Data, Row>) => {
  const { of, rows, isFew = rows.length <= mostCards, onOpen } = props;
  const { as = 'page', title, owners, widths, page, may, list } = of;
  const columns = owners?.shared ? [...of.columns, ownerColumn<Row>(owners)] : of.columns;
  const navigate = useNavigate();
  const act = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    meta: { refreshes: [list.queryKey] },
    onError: sayError,
  });
  const heads = columns.map(({ head }) => head);
  const actions = rows.map((row) => actionsOf(of, row));
  const hasActions = actions.some((ofRow) => Object.keys(ofRow).length > 0);
  return (
    <Table
      label={title}
      head={hasActions ? [...heads, ''] : heads}
      cards={as === 'page' && isFew ? 'always' : 'onPhone'}
      {...(widths && { widths })}
    >
      {rows.map((row, i) => (
        <Line key={row.id} onOpen={page && (() => void navigate(page(row)))}>
          {columns.map(({ head, cell, className = '' }) => (
            <Cell key={head} data-head={head} className="pt-2 align-top">
              <div className={className}>{cell(row)}</div>
            </Cell>
          ))}
          {hasActions && (
            <Cell
              className="pt-2 text-right align-top whitespace-nowrap"
              onClick={(event) => event.stopPropagation()}
            >
              <RowActions
                actions={actions[i]!}
                may={typeof may === 'function' ? may(row) : may}
                act={act}
                onOpen={(name) => onOpen(name, row)}
              />
            </Cell>
          )}
        </Line>
      ))}
    </Table>
  );
};

/** Rows from which a page of them is searched: fewer are seen at a glance. */
const leastSearched = 8;

type SearchedProps<Data, Row extends Managed> = Omit<RowsProps<Data, Row>, 'rows'> & { all: readonly Row[] };

/** The rows whose name or description has each of the words that one types, in any case; if one chooses so, only one's own. */
const SearchedRows = <Data, Row extends Managed>({ of, all, onOpen }: SearchedProps<Data, Row>) => {
  const [text, setText] = useState('');
  const [isMine, setMine] = useState(false);
  if (of.as !== undefined && of.as !== 'page') return <Rows of={of} rows={all} onOpen={onOpen} />;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { shared = false, mine } = of.owners ?? {};
  const onlyMine = shared && isMine;
  const rows = all.filter((row) => {
    const own = `${row.name ?? ''} ${row.description ?? ''}`.toLowerCase();
    return words.every((word) => own.includes(word)) && (!onlyMine || mine?.(row));
  });
  const isSearched = all.length >= leastSearched || text !== '';
  return (
    <>
      {(isSearched || shared) && (
        <div className="mb-2 flex flex-wrap items-center gap-2">
          {isSearched && (
            <div className="w-80 max-w-full">
              <Input
                label={`Find a ${of.noun}`}
                hideLabel
                type="search"
                placeholder={`Find a ${of.noun}`}
                value={text}
                onChange={setText}
              />
            </div>
          )}
          {shared && (
            <Chip pressed={isMine} onClick={() => setMine(!isMine)}>
              Mine
            </Chip>
          )}
        </div>
      )}
      {rows.length > 0 ? (
        <Rows of={of} rows={rows} isFew={all.length <= mostCards} onOpen={onOpen} />
      ) : (
        <p role="status" className="text-soft">
          {onlyMine && text === ''
            ? `You have created no ${of.noun} here.`
            : `No ${of.noun}${onlyMine ? ' of yours' : ''} has these words in its name or description.`}
        </p>
      )}
    </>
  );
};

/** A resource that members create, change and delete: its page, or a part of one. */
export const ManagedTable = <Data, Row extends Managed>(props: ManagedTableProps<Data, Row>) => {
  const { as = 'page', title, term, noun, form, createLabel = `New ${noun}` } = props;
  const rows = useQuery(props.list);
  const [open, setOpen] = useState<{ name: string; row?: Row }>();
  const isAsked = props.asked?.open === true && props.may === true;
  const close = () => {
    setOpen(undefined);
    if (isAsked) props.asked?.onAnswered();
  };
  const isPage = as === 'page';
  const create = props.may === true && (form || props.create) && (
    <>
      {form && (
        <Button
          look={isPage && !props.create ? 'primary' : 'plain'}
          onClick={() => setOpen({ name: 'create' })}
        >
          <Plus size={14} aria-hidden /> {createLabel}
        </Button>
      )}
      {props.create}
    </>
  );
  const none = isPage ? (
    <Empty title={`No ${noun}s yet`} action={create}>
      {props.empty}
    </Empty>
  ) : (
    <p className="text-soft">{props.empty}</p>
  );
  const buttons = (create || props.links) && (
    <>
      {props.links}
      {create}
    </>
  );
  // A row that has left the list stays in its dialog, with what was typed into it.
  const chosen = rows.data?.find(({ id }) => id === open?.row?.id) ?? open?.row;
  const action = open && chosen && actionsOf(props, chosen)[open.name];
  const Frame = frames[as];
  return (
    <Frame
      {...(props.id && { id: props.id })}
      title={term ? <Term of={term}>{title}</Term> : title}
      actions={(!isPage || (rows.data ?? []).length > 0) && buttons}
    >
      {props.above}
      <Loaded query={rows} lines={4} empty={none}>
        {(all) => <SearchedRows of={props} all={all} onOpen={(name, row) => setOpen({ name, row })} />}
      </Loaded>
      {props.children}
      {(open?.name === 'create' || isAsked) && formOf(props, close)}
      {action && 'dialog' in action && action.dialog(close)}
    </Frame>
  );
};
