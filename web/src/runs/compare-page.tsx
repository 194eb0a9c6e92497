import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { countOf } from '../ui/bits.tsx';
import { Select } from '../ui/field.tsx';
import { percentOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { Changes } from './changes.tsx';
import { type Measure, PairTable } from './comparison.tsx';
import { comparisonQuery, runsQuery } from './queries.ts';
import { RunsTable } from './runs-table.tsx';

const route = getRouteApi('/app/projects/$projectId/compare');

/** Chooses two runs where the address does not name them. */
const ChooseRuns = ({ projectId, known }: { projectId: string; known: string | undefined }) => {
  const { data } = useInfiniteQuery(runsQuery(projectId));
  const navigate = useNavigate();
  const [first, setFirst] = useState(known);
  const runs = data?.pages.flatMap((page) => page.data);
  if (!runs) return <Skeleton lines={6} />;
  if (runs.length < 2)
    return (
      <Empty title="Nothing to compare yet">
        Two runs over the same testset are needed: their shared testcases are compared one by one.
      </Empty>
    );
  const choose = (runId: string) => {
    if (first === undefined) setFirst(runId);
    else if (first === runId) setFirst(undefined);
    else
      void navigate(
        paths.compare(
          projectId,
          [first, runId].sort((a, b) => Number(a) - Number(b)),
        ),
      );
  };
  return (
    <>
      <p className="mb-3 text-soft">
        {first === undefined ? 'Choose two runs.' : `Choose the run to compare run ${first} with.`}
      </p>
      <RunsTable
        projectId={projectId}
        runs={runs}
        chosen={new Set(first === undefined ? [] : [first])}
        onChoose={choose}
      />
    </>
  );
};

/** Whether runs really differ, on the testcases that they share. */
const Comparison = ({
  projectId,
  runIds,
  metricId,
}: {
  projectId: string;
  runIds: string[];
  metricId: string | undefined;
}) => {
  const [measure, setMeasure] = useState<Measure>('pass');
  const { data, error } = useQuery(comparisonQuery(runIds, measure));
  const navigate = useNavigate();
  const [pairShown, showPair] = useState(0);
  if (error) return <ErrorNote error={error} />;
  const shown = data?.pairs[pairShown] ?? data?.pairs[0];
  const metric = shown?.metrics.find((each) => each.metricId === metricId) ?? shown?.metrics[0];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <div className="w-48">
          <Select
            label="Compared is"
            value={measure}
            onChange={({ target }) => setMeasure(target.value as Measure)}
            options={[
              { value: 'pass', label: 'whether it passes' },
              { value: 'score', label: 'the score itself' },
            ]}
          />
        </div>
        {data && (
          <p className="max-w-2xl text-sm text-soft">
            On the testcases that both runs have. Verdicts hold with {percentOf(data.level)} % confidence
            after Holm’s adjustment over {countOf(data.tests, 'test')}.
          </p>
        )}
      </div>
      {!data && <Skeleton lines={8} />}
      {data?.pairs.map((pair, i) => (
        <PairTable
          key={`${pair.before} ${pair.after}`}
          pair={pair}
          projectId={projectId}
          measure={measure}
          level={data.level}
          metricId={pair === shown ? metric?.metricId : undefined}
          onMetric={(id) => {
            showPair(i);
            void navigate({ ...paths.compare(projectId, runIds, id), replace: true });
          }}
        />
      ))}
      {shown && metric && (
        <Changes
          projectId={projectId}
          before={shown.before}
          after={shown.after}
          metric={metric}
          measure={measure}
        />
      )}
    </>
  );
};

export const ComparePage = () => {
  const { projectId } = route.useParams();
  const { runs = '', metric } = route.useSearch();
  const runIds = runs.split(',').filter(Boolean);
  return (
    <Page
      crumbs={
        <Link {...paths.runs(projectId)} className="hover:underline">
          Runs
        </Link>
      }
      title="Compare"
    >
      {runIds.length < 2 ? (
        <ChooseRuns projectId={projectId} known={runIds[0]} />
      ) : (
        <Comparison key={runs} projectId={projectId} runIds={runIds} metricId={metric} />
      )}
    </Page>
  );
};
