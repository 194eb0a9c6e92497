// Longer than 400 lines: one page, with the state that its table, filters and groups share.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type CSSProperties, useCallback, useMemo, useRef, useState } from 'react';
import { recordSearchKeys } from '../../../../client/src/search-keys.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { SelectionBar } from '../../resources/records/selection-bar.tsx';
import { mostSelected, useSelection } from '../../resources/records/use-selection.ts';
import { ViewsMenu } from '../../resources/records/views.tsx';
import { Facets } from '../../resources/search/facets.tsx';
import { FilterButton, useFilterPanel } from '../../resources/search/filter-panel.tsx';
import { type Grouped, GroupedRows, GroupRowsBy } from '../../resources/search/grouped.tsx';
import { problemsOf, sortingOf, withSorting } from '../../resources/search/search.ts';
import { SearchBar } from '../../resources/search/search-bar.tsx';
import { sortedColumns } from '../../resources/search/sorted-columns.ts';
import type { RecordDetail, SavedView } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import type { ColumnChoice } from '../../ui/column-choice.ts';
import { ColumnMenu } from '../../ui/column-menu.tsx';
import { errorText } from '../../ui/error-text.ts';
import { countOf } from '../../ui/format.ts';
import { Grid } from '../../ui/grid.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ListError, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { isFieldPath } from './columns.tsx';
import { recordsQuery } from './queries.ts';
import { useRecordPages } from './record-pages.ts';
import { RecordPanel } from './record-panel.tsx';
import { RowHeight, useDensity } from './row-height.tsx';
import { type AskedScore, ScorePopover } from './score-cell.tsx';
import { useColumns } from './use-columns.ts';
import { groupsQuery, useGroupings, useGroupsOf } from './use-groups.ts';
import { useLiveRecords } from './use-live-records.ts';
import { useRecordFocus } from './use-record-focus.ts';
import { VolumeBar } from './volume-bar.tsx';

const route = getRouteApi('/app/projects/$projectId/records');

export const RecordsPage = () => {
  const { projectId } = route.useParams();
  return <Records key={projectId} projectId={projectId} />;
};

type Following = {
  projectId: string;
  query: ReturnType<typeof recordsQuery>;
  list: ReturnType<typeof useRecordPages>;
  selection: ReturnType<typeof useSelection<RecordDetail>>;
  focus: ReturnType<typeof useRecordFocus>;
  onScroll: () => void;
};

/** Shows new records as they arrive, while the user is at the top and has chosen none. */
const useFollowing = ({ projectId, query, list, selection, focus, onScroll }: Following) => {
  const firstRow = useRef(0);
  const onRange = useCallback(
    (from: number, to: number) => {
      firstRow.current = from;
      onScroll();
      list.onRange(from, to);
    },
    [list.onRange, onScroll],
  );
  const isFollowing = () =>
    firstRow.current === 0 && focus.focused === undefined && selection.selected.size === 0;
  const live = useLiveRecords({ projectId, query, until: list.until, isFollowing });
  return { live, onRange };
};

/** The records of a search, how they are shown, and which of them are focused and selected. */
const useRecordsView = (projectId: string, q: string) => {
  const query = useMemo(() => recordsQuery(q), [q]);
  const list = useRecordPages(projectId, query);
  const problems = problemsOf(list.first.error);
  const density = useDensity();
  const [asked, setAsked] = useState<AskedScore>();
  const columns = useColumns({ projectId, pages: list.pages, lines: density.lines, onAsk: setAsked });
  const selection = useSelection(list.rows, recordId);
  const focus = useRecordFocus({ rows: list.rows, onSelect: selection.toggle });
  const hideAsked = useCallback(() => setAsked(undefined), []);
  const { live, onRange } = useFollowing({ projectId, query, list, selection, focus, onScroll: hideAsked });
  return { query, list, problems, density, columns, selection, focus, live, onRange, asked, setAsked };
};

const Records = ({ projectId }: { projectId: string }) => {
  const { q = '', group, rate } = route.useSearch();
  const navigate = useNavigate();
  const view = useRecordsView(projectId, q);
  const { query, list, problems, density, columns, selection } = view;
  const { first } = list;
  const go = (next: { q: string } & Grouped) =>
    void navigate(
      paths.records(projectId, Object.fromEntries(Object.entries(next).filter(([, text]) => text))),
    );
  const onSearch = (next: string) => go({ q: next, group, rate });
  const facets = useFacets(projectId, group !== undefined);
  const isEmpty = first.isSuccess && first.data.data.length === 0;
  return (
    <Page
      title={<Term of="record">Records</Term>}
      toolbar={
        <Toolbar
          projectId={projectId}
          q={q}
          onSearch={onSearch}
          problems={problems}
          density={density}
          columns={columns}
          facets={facets}
          grouped={{ group, rate }}
          onShow={(next) => go(next)}
        />
      }
      actions={
        selection.selected.size > 0 && (
          <SelectionBar
            projectId={projectId}
            records={[...selection.selected.values()]}
            onClear={selection.clear}
          />
        )
      }
      fill
    >
      {list.error && problems.length === 0 && (
        <ListError error={list.error} onRetry={() => void first.refetch()} />
      )}
      {!(isEmpty && q === '') && !group && (
        <VolumeBar projectId={projectId} q={q} query={query} enabled={first.isSuccess} onSearch={onSearch} />
      )}
      <div className="flex min-h-0 flex-1">
        <RecordFacets {...{ projectId, q, facets, onSearch }} />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {group ? (
            <GroupedRows
              projectId={projectId}
              of="Records"
              q={q}
              query={(asked) => groupsQuery(projectId, q, asked)}
              grouped={{ group, rate }}
              onSearch={(next) => go({ q: next })}
            />
          ) : (
            <RecordList projectId={projectId} q={q} view={view} onSearch={onSearch} />
          )}
        </div>
      </div>
      <AskedPopover view={view} />
    </Page>
  );
};

/** What a score is based on, above the list. */
const AskedPopover = ({ view: { asked, setAsked, focus } }: { view: RecordsView }) => (
  <ScorePopover
    asked={asked}
    onClose={() => setAsked(undefined)}
    onOpenRecord={(id) => {
      setAsked(undefined);
      focus.setFocused(id);
      focus.open(id);
    }}
  />
);

type RecordFacetsProps = {
  projectId: string;
  q: string;
  facets: ReturnType<typeof useFacets>;
  onSearch: (q: string) => void;
};

/** The values of fields beside the records, when they are wanted. */
const RecordFacets = ({ projectId, q, facets, onSearch }: RecordFacetsProps) =>
  facets.isOpen && (
    <Facets
      of="records"
      q={q}
      onSearch={onSearch}
      fields={facets.groupings}
      groupsOf={facets.groupsOf}
      storage={`dokima.facets.${projectId}`}
      onClose={facets.toggle}
    />
  );

type RecordsView = ReturnType<typeof useRecordsView>;
type RecordListProps = { projectId: string; q: string; view: RecordsView; onSearch: (q: string) => void };

/** The records of the search, and their number. */
const RecordList = ({ projectId, q, view, onSearch }: RecordListProps) => {
  const { list, density, columns, selection, focus, live, onRange } = view;
  const { first } = list;
  const isEmpty = first.isSuccess && first.data.data.length === 0;
  return (
    <>
      {first.isPending && !first.error && <Skeleton lines={12} className="border-t px-4 pt-3" />}
      {isEmpty && <NoRecords projectId={projectId} isSearch={q !== ''} onClear={() => onSearch('')} />}
      {first.isSuccess && !isEmpty && (
        <>
          <RecordsTable
            {...{ projectId, q, list, density, columns, selection, focus, live, onRange, onSearch }}
          />
          <RecordCount list={list} />
        </>
      )}
    </>
  );
};

type ToolbarProps = {
  projectId: string;
  q: string;
  onSearch: (q: string) => void;
  problems: ReturnType<typeof problemsOf>;
  density: ReturnType<typeof useDensity>;
  columns: ReturnType<typeof useColumns>;
  facets: ReturnType<typeof useFacets>;
  grouped: Grouped;
  onShow: (search: { q: string } & Grouped) => void;
};

/** Whether the values of fields are shown beside the records, and what can be chosen there. */
const useFacets = (projectId: string, isGrouped: boolean) => {
  const panel = useFilterPanel('records');
  const groupings = useGroupings(projectId, panel.isWanted || isGrouped);
  const groupsOf = useGroupsOf(projectId);
  return { ...panel, groupings, groupsOf };
};

const sorts = ['created', 'latency', 'cost', 'tokens'];

/** The search, the saved views, and how rows and columns are shown. */
const Toolbar = ({
  projectId,
  q,
  onSearch,
  problems,
  density,
  columns,
  facets,
  grouped,
  onShow,
}: ToolbarProps) => {
  const show = ({ search, display }: SavedView) => {
    const {
      density: height,
      columns: choice,
      group,
      rate,
    } = display as { density?: string; columns?: ColumnChoice } & Grouped;
    if (height) density.change(height);
    if (choice) columns.change(choice);
    onShow({ q: search, group, rate });
  };
  const { group, rate } = grouped;
  return (
    <>
      <FilterButton panel={facets} />
      <SearchBar
        q={q}
        onSearch={onSearch}
        projectId={projectId}
        of="records"
        placeholder="Search text, or score.Accuracy:<0.5 latency:>2s tag:prod -error outputs.answer:~part"
        known={{ keys: recordSearchKeys, fields: columns.fields, sorts }}
        problems={problems}
      />
      <ViewsMenu
        projectId={projectId}
        shown={{
          search: q,
          display: {
            density: density.id,
            columns: columns.choice,
            ...(group && { group }),
            ...(rate && { rate }),
          },
        }}
        onShow={show}
      />
      <GroupRowsBy
        projectId={projectId}
        groupings={facets.groupings}
        grouped={grouped}
        onWant={facets.want}
        onChange={(next) => onShow({ q, ...next })}
      />
      <RowHeight density={density} />
      <ColumnMenu
        columns={columns.all}
        choice={columns.choice}
        onChange={columns.change}
        paths={{ known: columns.fields, isPath: isFieldPath }}
      />
    </>
  );
};

type RecordsTableProps = {
  projectId: string;
  q: string;
  list: ReturnType<typeof useRecordPages>;
  density: ReturnType<typeof useDensity>;
  columns: ReturnType<typeof useColumns>;
  selection: ReturnType<typeof useSelection<RecordDetail>>;
  focus: ReturnType<typeof useRecordFocus>;
  live: ReturnType<typeof useLiveRecords>;
  onRange: (from: number, to: number) => void;
  onSearch: (q: string) => void;
};

/** The records as rows, with the open one beside them. */
const RecordsTable = (props: RecordsTableProps) => {
  const { projectId, q, list, density, columns, selection, focus, live, onRange, onSearch } = props;
  const { rows, until } = list;
  const { focused, setFocused, openId, open, step } = focus;
  const search = useRef(onSearch);
  search.current = onSearch;
  const shown = useMemo(
    () => sortedColumns(columns.shown, sortingOf(q), (next) => search.current(withSorting(q, next))),
    [columns.shown, q],
  );
  return (
    <div className="relative flex min-h-0 flex-1" style={{ '--lines': density.lines } as CSSProperties}>
      {live.newer > 0 && (
        <Button
          look="primary"
          className="absolute top-10 left-1/2 z-20 -translate-x-1/2 shadow-lg"
          onClick={() => {
            setFocused(undefined);
            void live.showNewer();
          }}
        >
          Show {countOf(live.newer, 'new record')}
        </Button>
      )}
      <Grid
        // Another search, or one that includes new records, starts at its first record.
        key={`${q} ${until}`}
        label="Records"
        columns={shown}
        rows={rows}
        rowId={recordId}
        rowHeight={density.height}
        focused={focused}
        selected={selection.selected}
        onFocus={setFocused}
        onOpen={open}
        onSelect={selection.toggle}
        onSelectAll={selection.toggleAll}
        selectAllLabel={`Select all, at most ${mostSelected.toLocaleString('en')}`}
        onResize={columns.resize}
        onMove={columns.move}
        onRange={onRange}
      />
      {openId && (
        <RecordPanel
          recordId={openId}
          projectId={projectId}
          q={q}
          known={rows.at(rows.findIndex(({ id }) => id === openId))}
          onStep={step}
          onClose={() => open(undefined)}
        />
      )}
    </div>
  );
};

const recordId = ({ id }: RecordDetail) => id;

const countText = ({ total, isEstimate, histogram }: ReturnType<typeof useRecordPages>): string => {
  if (total !== undefined) return `n ${isEstimate ? '≈' : '='} ${total.toLocaleString('en')}`;
  return histogram.error ? `Not counted: ${errorText(histogram.error)}` : 'Counting…';
};

type NoRecordsProps = { projectId: string; isSearch: boolean; onClear: () => void };

const NoRecords = ({ projectId, isSearch, onClear }: NoRecordsProps) =>
  isSearch ? (
    <Empty title="No matching records" action={<Button onClick={onClear}>Clear the search</Button>}>
      No record of this project matches the search.
    </Empty>
  ) : (
    <Empty
      title="No records yet"
      action={<TextLink {...paths.home(projectId)}>How to send the first one</TextLink>}
    >
      A record is one case of your system: the inputs, the outputs and the expected result. Send records to a
      run through the API.
    </Empty>
  );

const RecordCount = ({ list }: { list: ReturnType<typeof useRecordPages> }) => (
  <p aria-live="polite" className="h-7 shrink-0 border-t px-4 py-1 text-sm text-soft">
    {countText(list)}
  </p>
);
