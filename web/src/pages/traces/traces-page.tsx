import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { traceSearchKeys } from '../../../../client/src/search-keys.ts';
import { apiPages } from '../../api.ts';
import { serviceUrl } from '../../base.ts';
import { paths, type TracesSearch } from '../../paths.ts';
import { useSelection } from '../../resources/records/use-selection.ts';
import { ViewsMenu } from '../../resources/records/views.tsx';
import { Facets } from '../../resources/search/facets.tsx';
import { FilterButton, useFilterPanel } from '../../resources/search/filter-panel.tsx';
import { type Grouped, GroupedRows, GroupRowsBy } from '../../resources/search/grouped.tsx';
import { problemsOf, sortingOf, withSorting } from '../../resources/search/search.ts';
import { SearchBar } from '../../resources/search/search-bar.tsx';
import { sortedColumns } from '../../resources/search/sorted-columns.ts';
import { metricsOf, traceColumns } from '../../resources/traces/trace-columns.tsx';
import type { Trace } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { type ColumnChoice, useColumnChoice } from '../../ui/column-choice.ts';
import { ColumnMenu } from '../../ui/column-menu.tsx';
import { Grid } from '../../ui/grid.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ListError, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { traceIdOf, tracesQuery } from './queries.ts';
import { RowsToggle } from './rows-toggle.tsx';
import { SpanList } from './span-list.tsx';
import { TraceSelection } from './trace-selection.tsx';
import { useRowFocus } from './use-row-focus.ts';
import { traceGroupsQuery, useTraceGroupings, useTraceGroupsOf } from './use-trace-groups.ts';

const route = getRouteApi('/app/projects/$projectId/traces');

export const TracesPage = () => {
  const { projectId } = route.useParams();
  const { q: _, at: __, group: ___, rate: ____, ...spanSearch } = route.useSearch();
  // Filters of spans in the address are a list of spans.
  const isSpans = Object.keys(spanSearch).length > 0;
  return isSpans ? (
    <SpanList key={projectId} projectId={projectId} />
  ) : (
    <Traces key={projectId} projectId={projectId} />
  );
};

const none: Trace[] = [];
/** An action reads the record of each selected trace. */
const mostTraces = 200;

/** The traces that are read, as rows to select. */
const selectable = (traces: Trace[]) =>
  Object.assign([...traces], { read: async (from: number, to: number) => traces.slice(from, to + 1) });

/** The columns of the traces read so far: the same objects while no metric comes new. */
const useTraceColumns = (traces: readonly Trace[]) => {
  const metrics = metricsOf(traces);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the metrics themselves are new with each page
  return useMemo(() => traceColumns(metrics), [metrics.join()]);
};
const sorts = ['started', 'latency', 'cost', 'tokens'];
const fields = ['inputs.input', 'outputs.output'];

/** The traces of the search, how they are shown, and which of them are focused and selected. */
const useTracesView = (projectId: string) => {
  const { at, q = '', group, rate } = route.useSearch();
  const navigate = useNavigate();
  const list = useInfiniteQuery(apiPages('listTraces', projectId, tracesQuery(q)));
  const traces = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? none, [list.data]);
  const problems = problemsOf(list.error);
  const go = useCallback(
    (next: TracesSearch, replace: boolean) => void navigate({ ...paths.traces(projectId, next), replace }),
    [navigate, projectId],
  );
  const search = useCallback(
    (next: string) =>
      go({ ...(next && { q: next }), ...(group && { group }), ...(group && rate && { rate }) }, false),
    [go, group, rate],
  );
  const panel = useFilterPanel('traces');
  const groupsOf = useTraceGroupsOf(projectId);
  const groupings = useTraceGroupings(projectId, panel.isWanted || group !== undefined);
  const open = async (id: string) => {
    // Back leads to the list with the focus on the trace.
    await navigate({
      ...paths.traces(projectId, { ...(q && { q }), ...(group && { group }), at: id }),
      replace: true,
    });
    await navigate(paths.trace(projectId, id, { q }));
  };
  const columns = useColumnChoice(`dokima.trace-columns.${projectId}`, useTraceColumns(traces));
  const shown = useMemo(
    () => sortedColumns(columns.shown, sortingOf(q), (next) => search(withSorting(q, next))),
    [columns.shown, q, search],
  );
  const rows = useMemo(() => selectable(traces), [traces]);
  const selection = useSelection(rows, traceIdOf, mostTraces);
  const { focused, setFocused } = useRowFocus('Traces', {
    what: 'trace',
    rows: traces,
    rowId: traceIdOf,
    at,
    opening: 'Open the trace',
    onOpen: open,
    onSelect: (id, range) => selection.toggle(id, range),
  });
  return {
    q,
    group,
    panel,
    groupings,
    groupsOf,
    rate,
    list,
    traces,
    problems,
    go,
    search,
    open,
    columns,
    shown,
    selection,
    focused,
    setFocused,
  };
};

const Traces = ({ projectId }: { projectId: string }) => {
  const view = useTracesView(projectId);
  const { q, list, problems, search, selection } = view;
  return (
    <Page
      title={<Term of="trace">Traces</Term>}
      toolbar={<Toolbar projectId={projectId} view={view} />}
      actions={
        selection.selected.size > 0 && (
          <TraceSelection
            projectId={projectId}
            traces={[...selection.selected.values()]}
            onClear={selection.clear}
          />
        )
      }
      fill
    >
      {list.error && problems.length === 0 && (
        <ListError error={list.error} onRetry={() => void list.refetch()} />
      )}
      <div className="flex min-h-0 flex-1">
        {view.panel.isOpen && (
          <Facets
            of="traces"
            q={q}
            onSearch={search}
            fields={view.groupings}
            groupsOf={view.groupsOf}
            storage={`dokima.facets.traces.${projectId}`}
            onClose={view.panel.toggle}
          />
        )}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {view.group ? (
            <GroupedRows
              projectId={projectId}
              of="Traces"
              q={q}
              grouped={{ group: view.group, rate: view.rate }}
              query={(asked) => traceGroupsQuery(projectId, q, asked)}
              onSearch={(next) => view.go({ q: next }, false)}
            />
          ) : (
            <TraceGrid projectId={projectId} view={view} />
          )}
        </div>
      </div>
    </Page>
  );
};

type TraceGridProps = { projectId: string; view: ReturnType<typeof useTracesView> };

/** The traces of the search. */
const TraceGrid = ({ projectId, view }: TraceGridProps) => {
  const { q, list, traces, search, columns, selection } = view;
  return (
    <>
      {list.isLoading && <Skeleton lines={12} className="border-t px-4 pt-3" />}
      {list.isSuccess && traces.length === 0 && (
        <NoTraces projectId={projectId} isSearch={q !== ''} onClear={() => search('')} />
      )}
      {traces.length > 0 && (
        <div className="flex min-h-0 flex-1">
          <Grid
            key={q}
            label="Traces"
            columns={view.shown}
            rows={traces}
            rowId={traceIdOf}
            rowHeight={32}
            focused={view.focused}
            selected={selection.selected}
            onSelect={selection.toggle}
            onSelectAll={selection.toggleAll}
            selectAllLabel={`Select all, at most ${mostTraces}`}
            onResize={columns.resize}
            onMove={columns.move}
            onFocus={view.setFocused}
            onOpen={view.open}
            pages={list}
          />
        </div>
      )}
    </>
  );
};

/** The parts that are chosen, for the address. */
const given = ({ group, rate }: Grouped): TracesSearch => ({
  ...(group && { group }),
  ...(group && rate && { rate }),
});

type ToolbarProps = { projectId: string; view: ReturnType<typeof useTracesView> };

/** The search, the saved views, and the choice of columns. */
const Toolbar = ({
  projectId,
  view: { q, group, rate, panel, groupings, problems, go, search, columns },
}: ToolbarProps) => (
  <>
    <FilterButton panel={panel} />
    <RowsToggle every={false} onChange={() => go({ every: 'yes' }, false)} />
    <TraceSearch projectId={projectId} q={q} problems={problems} onSearch={search} />
    <ViewsMenu
      projectId={projectId}
      kind="traces"
      shown={{ search: q, display: { of: 'traces', columns: columns.choice, ...given({ group, rate }) } }}
      onShow={({ search: saved, display }) => {
        if (display.columns) columns.change(display.columns as ColumnChoice);
        const { group: by, rate: of } = display as Grouped;
        go({ ...(saved && { q: saved }), ...given({ group: by, rate: of }) }, false);
      }}
    />
    <GroupRowsBy
      projectId={projectId}
      groupings={groupings}
      grouped={{ group, rate }}
      onWant={panel.want}
      onChange={(next) => go({ ...(q && { q }), ...given(next) }, false)}
    />
    <ColumnMenu columns={columns.all} choice={columns.choice} onChange={columns.change} />
  </>
);

type NoTracesProps = { projectId: string; isSearch: boolean; onClear: () => void };

const NoTraces = ({ projectId, isSearch, onClear }: NoTracesProps) =>
  isSearch ? (
    <Empty title="No matching traces" action={<Button onClick={onClear}>Clear the search</Button>}>
      No trace of this project matches the search. Names of services and models must match exactly; write ~
      before a part of one.
    </Empty>
  ) : (
    <Empty title="No traces yet">
      Send OpenTelemetry traces to <code className="font-mono text-sm">{serviceUrl}/otel/v1/traces</code> with
      a key that can write, and the resource attribute{' '}
      <code className="font-mono text-sm">dokima.project_id={projectId}</code>. Each trace becomes a record
      with its conversation and its spans. Spans that name no project may go to the organization’s oldest one.
    </Empty>
  );

type TraceSearchProps = {
  projectId: string;
  q: string;
  problems: readonly string[];
  onSearch: (q: string) => void;
};

const TraceSearch = ({ projectId, q, problems, onSearch }: TraceSearchProps) => (
  <SearchBar
    q={q}
    onSearch={onSearch}
    projectId={projectId}
    of="traces"
    placeholder="Search text, or latency:>2s cost:>0.01 error:yes user:… score.Accuracy:fail"
    known={{ keys: traceSearchKeys, fields, sorts }}
    problems={problems}
  />
);
