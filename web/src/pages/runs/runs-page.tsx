import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { GitCompareArrows, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { paths, type RunsSearch } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { runsQuery, summaryQuery } from '../../resources/runs/queries.ts';
import { RunsTable } from '../../resources/runs/runs-table.tsx';
import { statusNames } from '../../resources/runs/status.tsx';
import { useMay } from '../../resources/session/me.ts';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { ListedRun } from '../../types.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';

const route = getRouteApi('/app/projects/$projectId/runs');

/** The most runs that the API compares at once. */
const mostCompared = 8;

/** Columns to sort by, beside the metrics. */
const sortings = { '': 'Newest first', name: 'Name', status: 'Status' } as const;

/** The kinds to choose. The traces of a day are not an evaluation: without a choice they are shown only if there are no evaluations. */
const kinds = {
  '': 'Evaluations',
  traces: 'Traces of a day',
  trial: 'Trials of judges',
  any: 'Any kind',
} as const;

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
const useRuns = (projectId: string, search: RunsSearch) => {
  const { sort = '', kind, ...filters } = search;
  const isUnfiltered = !kind && Object.values(filters).every((text) => !text);
  const chosen = useInfiniteQuery(
    runsQuery(projectId, kind === 'any' ? filters : { ...filters, kind: kind || 'evaluation' }),
  );
  const hasNone = isUnfiltered && chosen.isSuccess && chosen.data.pages[0]?.data.length === 0;
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
  const { list, runs, isCut } = useRuns(projectId, search);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const set = (change: RunsSearch) => {
    const next = Object.entries({ ...search, ...change }).filter(([, text]) => text);
    void navigate({ ...paths.runs(projectId, Object.fromEntries(next)), replace: true });
  };
  const { q, tag, testset, status, kind } = search;
  const isFiltered = Boolean(q || tag || testset || status || kind);
  return (
    <Page
      title="Runs"
      toolbar={
        (list.isPending || runs.length > 0 || isFiltered) && (
          <RunsToolbar projectId={projectId} search={search} set={set} />
        )
      }
      actions={
        (runs.length > 0 || isFiltered) && (
          <>
            <CompareChosen projectId={projectId} chosen={chosen} />
            <NewRunLinks projectId={projectId} />
          </>
        )
      }
    >
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
      {runs.length > 0 && (
        <RunsTable
          projectId={projectId}
          runs={runs}
          chosen={chosen}
          onChoose={(id) => setChosen(toggled(chosen, id))}
          onTag={(text) => set({ tag: text })}
        />
      )}
      {isCut && <p className="mt-2 text-sm text-soft">Only the newest {runs.length} runs are sorted.</p>}
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Older runs
        </Button>
      )}
    </Page>
  );
};

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

type ToolbarProps = {
  projectId: string;
  search: RunsSearch;
  set: (change: RunsSearch) => void;
};

/** The search, the filters and the order of the runs. */
const RunsToolbar = ({ projectId, search, set }: ToolbarProps) => {
  const { q = '', tag, testset = '', status = '', kind = '', sort = '' } = search;
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  return (
    <>
      <div className="w-56">
        <Input
          label="Search runs"
          hideLabel
          type="search"
          placeholder="Name, notes, tag"
          value={q}
          onChange={(text) => set({ q: text })}
        />
      </div>
      <div className="w-44">
        <Select
          label="Testset"
          hideLabel
          value={testset}
          onChange={(id) => set({ testset: id })}
          options={[
            { value: '', label: 'Any testset' },
            ...testsets.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      <div className="w-40">
        <Select
          label="Status"
          hideLabel
          value={status}
          onChange={(value) => set({ status: value })}
          options={[{ value: '', label: 'Any status' }, ...optionsOf(statusNames)]}
        />
      </div>
      <div className="w-40">
        <Select
          label="Kind"
          hideLabel
          value={kind}
          onChange={(value) => set({ kind: value })}
          options={optionsOf(kinds)}
        />
      </div>
      <div className="w-44">
        <Select
          label="Sort by"
          hideLabel
          value={sort}
          onChange={(value) => set({ sort: value })}
          options={[
            ...optionsOf(sortings),
            ...metrics.map(({ id, name }) => ({ value: id, label: `Best ${name}` })),
          ]}
        />
      </div>
      {tag && (
        <Button onClick={() => set({ tag: '' })} aria-label={`Remove the filter by tag ${tag}`}>
          Tag: <bdi>{tag}</bdi> ×
        </Button>
      )}
    </>
  );
};
