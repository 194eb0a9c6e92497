import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { GitCompareArrows, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { paths, type RunsSearch } from '../../paths.ts';
import { runsQuery, summaryQuery } from '../../resources/runs/queries.ts';
import { RunsTable } from '../../resources/runs/runs-table.tsx';
import { Facets } from '../../resources/search/facets.tsx';
import { useFilterPanel } from '../../resources/search/filter-panel.tsx';
import { GroupedRows } from '../../resources/search/grouped.tsx';
import { formatFilter, problemsOf, toggledFilter } from '../../resources/search/search.ts';
import { useMay } from '../../resources/session/me.ts';
import type { ListedRun } from '../../types.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Page } from '../../ui/page.tsx';
import { Scrolled } from '../../ui/side-panel.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { toggled } from '../../ui/toggled.ts';
import { kindOf, nameOfValue, RunsToolbar, runGroupings, runGroupsQuery, sortings } from './runs-toolbar.tsx';

const route = getRouteApi('/app/projects/$projectId/runs');

/** The most runs that the API compares at once. */
const mostCompared = 8;

/** The most runs that are read to be sorted: the service lists them by time. */
const mostSorted = 500;

/** The runs in the order of `sort`: a name of `sortings`, or the id of a metric, whose best rate comes first. */
const useSorted = (runs: readonly ListedRun[], sort: string): readonly ListedRun[] => {
  const isByMetric = sort !== '' && !(sort in sortings);
  const summaries = useQueries({
    queries: runs.map((run) => ({ ...summaryQuery(run), enabled: isByMetric })),
  });
  if (sort === '') return runs;
  if (sort === 'name')
    return runs.toSorted((a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }));
  if (sort === 'status') return runs.toSorted((a, b) => a.status.localeCompare(b.status));
  const rates = new Map(
    runs.map(({ id }, i) => {
      const metric = summaries[i]?.data?.metrics.find(({ metricId }) => metricId === sort);
      return [id, metric?.passRate.estimate ?? -1];
    }),
  );
  return runs.toSorted((a, b) => rates.get(b.id)! - rates.get(a.id)!);
};

/** The runs of the search, in its order. To sort them, all are read, up to `mostSorted`. */
const useRuns = (projectId: string, { q = '', kind = '', sort = '' }: RunsSearch) => {
  const asked = kindOf(kind);
  const chosen = useInfiniteQuery(runsQuery(projectId, { ...(q && { q }), ...(asked && { kind: asked }) }));
  const hasNone = !kind && !q && chosen.isSuccess && chosen.data.pages[0]?.data.length === 0;
  const all = useInfiniteQuery({ ...runsQuery(projectId), enabled: hasNone });
  const list = hasNone ? all : chosen;
  const read = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const runs = useSorted(read, sort);
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const mustReadOn = sort !== '' && hasNextPage && !isFetching && read.length < mostSorted;
  useEffect(() => {
    if (mustReadOn) void fetchNextPage();
  }, [mustReadOn, fetchNextPage]);
  return { list, runs, isCut: sort !== '' && read.length >= mostSorted && hasNextPage };
};

export const RunsPage = () => {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const found = useRuns(projectId, search);
  const { list, runs } = found;
  const panel = useFilterPanel('runs');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const set = (change: RunsSearch) => {
    const next = Object.entries({ ...search, ...change }).filter(([, text]) => text);
    void navigate({ ...paths.runs(projectId, Object.fromEntries(next)), replace: true });
  };
  const { q = '', kind = '', group, rate } = search;
  const [problems, isFiltered] = [problemsOf(list.error), Boolean(q || kind || group)];
  const hasTools = list.isPending || runs.length > 0 || isFiltered || problems.length > 0;
  return (
    <Page
      title={<Term of="run">Runs</Term>}
      toolbar={hasTools && <RunsToolbar {...{ projectId, search, set, panel, problems }} />}
      actions={
        (runs.length > 0 || isFiltered) && (
          <>
            <CompareChosen projectId={projectId} chosen={chosen} />
            <NewRunLinks projectId={projectId} />
          </>
        )
      }
      fill
    >
      <div className="flex min-h-0 flex-1">
        {panel.isOpen && hasTools && (
          <Facets
            of="runs"
            q={q}
            onSearch={(next) => set({ q: next })}
            fields={runGroupings}
            hasOthers={false}
            nameOf={nameOfValue}
            groupsOf={(by, within, newest) =>
              runGroupsQuery(projectId, { q: within, kind }, { by, most: 12, ...(newest && { newest }) })
            }
            storage={`dokima.facets.runs.${projectId}`}
            onClose={panel.toggle}
          />
        )}
        {group ? (
          <GroupedRows
            projectId={projectId}
            of="Runs"
            q={q}
            nameOf={nameOfValue}
            grouped={{ group, rate }}
            query={(asked) => runGroupsQuery(projectId, { q, kind }, asked)}
            onSearch={(next) => set({ group: '', rate: '', q: next })}
          />
        ) : (
          <Scrolled className="relative px-4 pb-12">
            {problems.length === 0 && (
              <RunList
                {...{ projectId, found, chosen, isFiltered }}
                onChoose={(id) => setChosen(toggled(chosen, id))}
                onTag={(text) => set({ q: toggledFilter(q, 'tag', formatFilter('tag', text), true) })}
              />
            )}
          </Scrolled>
        )}
      </div>
    </Page>
  );
};

type RunListProps = {
  projectId: string;
  found: ReturnType<typeof useRuns>;
  chosen: ReadonlySet<string>;
  isFiltered: boolean;
  onChoose: (id: string) => void;
  onTag: (text: string) => void;
};

const RunList = ({ projectId, found: { list, runs, isCut }, isFiltered, ...table }: RunListProps) => (
  <>
    {list.error && <ErrorNote error={list.error} />}
    {list.isPending && <Skeleton lines={8} />}
    {list.isSuccess && runs.length === 0 && isFiltered && (
      <p className="text-soft">No run fits. Change the search or the filters.</p>
    )}
    {list.isSuccess && runs.length === 0 && !isFiltered && (
      <Empty title="No runs yet" action={<NewRunLinks projectId={projectId} />}>
        A run is one evaluation: your system’s records, scored by metrics. Start one here or with{' '}
        <code className="font-mono text-sm">POST /projects/{projectId}/runs</code>.
      </Empty>
    )}
    {runs.length > 0 && <RunsTable projectId={projectId} runs={runs} {...table} />}
    {isCut && <p className="mt-2 text-sm text-soft">Only the newest {runs.length} runs are sorted.</p>}
    {list.hasNextPage && (
      <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Older runs
      </Button>
    )}
  </>
);

type CompareChosenProps = { projectId: string; chosen: ReadonlySet<string> };

/** Opens the comparison of the chosen runs, also by a key, or says why they cannot be compared. */
const CompareChosen = ({ projectId, chosen }: CompareChosenProps) => {
  const navigate = useNavigate();
  // The oldest is the baseline.
  const compared = [...chosen].sort((a, b) => Number(a) - Number(b));
  const canCompare = compared.length >= 2 && compared.length <= mostCompared;
  // The button comes before the table: by keyboard it is far from the boxes that bring it.
  useKeys(
    'Runs',
    { c: ['Compare the chosen runs', () => void navigate(paths.compare(projectId, compared))] },
    canCompare,
  );
  if (compared.length === 1) return <span className="text-soft">Choose another run to compare with</span>;
  if (compared.length > mostCompared)
    return <span className="text-soft">At most {mostCompared} runs can be compared</span>;
  if (!canCompare) return null;
  return (
    <Link {...paths.compare(projectId, compared)} aria-keyshortcuts="c" className={buttonClass()}>
      <GitCompareArrows size={14} aria-hidden /> Compare {compared.length} runs
      <span aria-hidden>
        <Kbd>c</Kbd>
      </span>
    </Link>
  );
};

const NewRunLinks = ({ projectId }: { projectId: string }) => {
  const may = useMay();
  if (!may.write) return null;
  return (
    <>
      <Link {...paths.newSimulation(projectId)} className={buttonClass()}>
        New simulation
      </Link>
      <Link {...paths.newRun(projectId)} className={buttonClass('primary')}>
        <Plus size={14} aria-hidden /> New run
      </Link>
    </>
  );
};
