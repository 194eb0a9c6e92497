import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { traceSearchKeys } from '../../../../client/src/search-keys.ts';
import { apiPages } from '../../api.ts';
import { serviceUrl } from '../../base.ts';
import { paths, type TracesSearch } from '../../paths.ts';
import { problemsOf, sortingOf, withSorting } from '../../resources/search/search.ts';
import { SearchBar } from '../../resources/search/search-bar.tsx';
import { sortedColumns } from '../../resources/search/sorted-columns.ts';
import { traceColumns } from '../../resources/traces/trace-columns.tsx';
import type { Trace } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Grid } from '../../ui/grid.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ListError, Skeleton } from '../../ui/states.tsx';
import { traceIdOf, tracesQuery } from './queries.ts';
import { RowsToggle } from './rows-toggle.tsx';
import { SpanList } from './span-list.tsx';
import { useRowFocus } from './use-row-focus.ts';

const route = getRouteApi('/app/projects/$projectId/traces');

export const TracesPage = () => {
  const { projectId } = route.useParams();
  const { q: _, at: __, ...spanSearch } = route.useSearch();
  // Filters of spans in the address are a list of spans.
  const isSpans = Object.keys(spanSearch).length > 0;
  return isSpans ? (
    <SpanList key={projectId} projectId={projectId} />
  ) : (
    <Traces key={projectId} projectId={projectId} />
  );
};

const none: Trace[] = [];
const nothing: ReadonlySet<string> = new Set();
const sorts = ['started', 'latency', 'cost', 'tokens'];
const fields = ['inputs.input', 'outputs.output'];

const Traces = ({ projectId }: { projectId: string }) => {
  const { at, q = '' } = route.useSearch();
  const navigate = useNavigate();
  const list = useInfiniteQuery(apiPages('listTraces', projectId, tracesQuery(q)));
  const traces = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? none, [list.data]);
  const problems = problemsOf(list.error);
  const go = useCallback(
    (next: TracesSearch, replace: boolean) => void navigate({ ...paths.traces(projectId, next), replace }),
    [navigate, projectId],
  );
  const search = useCallback((next: string) => go(next ? { q: next } : {}, false), [go]);
  const open = async (id: string) => {
    // Back leads to the list with the focus on the trace.
    await navigate({ ...paths.traces(projectId, { ...(q && { q }), at: id }), replace: true });
    await navigate(paths.trace(projectId, id, { q }));
  };
  const { focused, setFocused } = useRowFocus('Traces', {
    what: 'trace',
    rows: traces,
    rowId: traceIdOf,
    at,
    opening: 'Open the trace',
    onOpen: open,
  });
  const columns = useMemo(
    () => sortedColumns(traceColumns(traces), sortingOf(q), (next) => search(withSorting(q, next))),
    [traces, q, search],
  );
  return (
    <Page
      title="Traces"
      toolbar={
        <>
          <RowsToggle every={false} onChange={() => go({ every: 'yes' }, false)} />
          <TraceSearch projectId={projectId} q={q} problems={problems} onSearch={search} />
        </>
      }
      fill
    >
      {list.error && problems.length === 0 && (
        <ListError error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isLoading && <Skeleton lines={12} className="border-t px-4 pt-3" />}
      {list.isSuccess && traces.length === 0 && (
        <NoTraces projectId={projectId} isSearch={q !== ''} onClear={() => search('')} />
      )}
      {traces.length > 0 && (
        <div className="flex min-h-0 flex-1">
          <Grid
            key={q}
            label="Traces"
            columns={columns}
            rows={traces}
            rowId={traceIdOf}
            rowHeight={32}
            focused={focused}
            selected={nothing}
            onFocus={setFocused}
            onOpen={open}
            pages={list}
          />
        </div>
      )}
    </Page>
  );
};

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
      with its conversation and its spans.
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
