import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { WeightChoice, WeightNote, weightsOf } from '../../resources/runs/weights.tsx';
import { useWear, WearLine } from '../../resources/testsets/wear-line.tsx';
import type { RunComparison } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Select } from '../../ui/field.tsx';
import { countOf, percentOf } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { Changes } from './changes.tsx';
import { comparisonCsv } from './compared-csv.ts';
import type { Move } from './compared-labels.tsx';
import type { Measure } from './compared-words.ts';
import { PairTable, scalesOf } from './comparison.tsx';
import { Leaderboard } from './leaderboard.tsx';
import { Matrix } from './matrix.tsx';
import type { Pair } from './pair.ts';
import { LooksChoice, PlannedLooks, readLooks, usualLooks } from './planned-looks.tsx';
import { PooledChoice, PooledNote, readPooled } from './pooled-choice.tsx';
import { SliceChoice, SliceRates } from './slice-choice.tsx';

/** `fixed` holds for one look at finished runs, `sequential` for any number of looks while they grow, `planned` for a few. */
type Test = 'fixed' | 'sequential' | 'planned';

/** Returns the place of the pair, and the metric of it, in which most testcases changed. */
const mostChanged = (pairs: readonly Pair[]): { place: number; metricId: string | undefined } => {
  const all = pairs.flatMap(({ metrics }, place) =>
    metrics.map(({ metricId, wins, losses }) => ({ place, metricId, changed: wins + losses })),
  );
  const most = Math.max(...all.map(({ changed }) => changed));
  return all.find(({ changed }) => changed === most) ?? { place: 0, metricId: undefined };
};

/** The pair and the metric that are shown: the chosen ones, or those in which most testcases changed. */
const shownOf = (pairs: readonly Pair[], pairChosen: number | undefined, metricId: string | undefined) => {
  const most = mostChanged(pairs);
  const shown = pairs[pairChosen ?? most.place] ?? pairs[0];
  const wanted = metricId ?? most.metricId;
  const metric = shown?.metrics.find((each) => each.metricId === wanted) ?? shown?.metrics[0];
  return { shown, metric };
};

type TestChoiceProps = {
  measure: Measure;
  onMeasure: (measure: Measure) => void;
  test: Test;
  onTest: (test: Test) => void;
  /** Whether looks can be planned: two whole runs are compared. */
  hasLooks: boolean;
};

const TestChoice = ({ measure, onMeasure, test, onTest, hasLooks }: TestChoiceProps) => (
  <>
    <div className="w-40">
      <Select
        label="Compare by"
        value={measure}
        onChange={onMeasure}
        options={[
          { value: 'pass', label: 'Pass rate' },
          { value: 'score', label: 'Score' },
        ]}
      />
    </div>
    <div className="w-40">
      <Select
        label="Comparison type"
        value={test}
        onChange={onTest}
        options={[
          { value: 'fixed', label: 'Final' },
          { value: 'sequential', label: 'Runs in progress (always-valid test)' },
          ...(hasLooks ? [{ value: 'planned' as const, label: 'Planned looks' }] : []),
        ]}
      />
    </div>
  </>
);

type MetricOfPairsProps = {
  pairs: readonly Pair[];
  metricId: string;
  onChoose: (metricId: string) => void;
};

const MetricOfPairs = ({ pairs, metricId, onChoose }: MetricOfPairsProps) => {
  const names = new Map(
    pairs.flatMap(({ metrics }) => metrics.map((each) => [each.metricId, each.metricName] as const)),
  );
  return (
    <div className="w-56">
      <Select
        label="Metric"
        value={metricId}
        onChange={onChoose}
        options={[...names].map(([id, name]) => ({ value: id, label: name }))}
      />
    </div>
  );
};

type ComparisonProps = {
  projectId: string;
  runIds: string[];
  metricId: string | undefined;
  by: string | undefined;
  value: string | undefined;
  weights: string | undefined;
  /** The planned looks, as in `125,250,500`. */
  looks: string | undefined;
  /** Further runs of the baseline, as in `11,10`. */
  pooled: string | undefined;
};

/** The comparison as it is asked for, and the pair and the metric of it that are shown. */
const useComparison = ({
  projectId,
  runIds,
  metricId,
  by,
  value,
  weights,
  looks,
  pooled,
}: ComparisonProps) => {
  const [measure, setMeasure] = useState<Measure>('pass');
  const [unplanned, setTest] = useState<Test>('fixed');
  const sizes = readLooks(looks);
  const test = sizes ? 'planned' : unplanned;
  const slice = by !== undefined && value !== undefined ? { by, value } : undefined;
  // Latency and cost of three and more runs are in their leaderboard; a slice, weights and planned looks have none.
  const usage = runIds.length === 2 && !slice && !weights && !sizes;
  const repetitions = readPooled(pooled);
  const part = {
    ...slice,
    ...weightsOf(weights),
    ...(sizes && { looks: sizes }),
    ...(usage && { usage }),
    ...(repetitions.length > 0 && { pooled: repetitions }),
  };
  const { data, error } = useQuery(apiQuery('compareRuns', { runs: runIds, measure, test, ...part }));
  const navigate = useNavigate();
  const [pairChosen, choosePair] = useState<number>();
  const open = (id: string | undefined, part: Parameters<typeof paths.compare>[3]) =>
    void navigate({ ...paths.compare(projectId, runIds, id, { weights, pooled, ...part }), replace: true });
  const { shown, metric } = shownOf(data?.pairs ?? [], pairChosen, metricId);
  const [moved, setMove] = useState<{ move: Move | undefined; of: string }>();
  const pairOf = (id: string | undefined) => `${shown?.before} ${shown?.after} ${id}`;
  const chooseMove = (id: string, move: Move | undefined) => {
    if (id !== metric?.metricId) open(id, { by, value, looks });
    setMove({ move, of: pairOf(id) });
  };
  /** Looks are planned in the address, so that a link keeps them. */
  const chooseTest = (chosen: Test) => {
    if (chosen !== 'planned') setTest(chosen);
    const planned = chosen === 'planned' ? usualLooks(shown?.metrics ?? []) : undefined;
    if (planned !== looks) open(metricId, { by, value, looks: planned });
  };
  return {
    data,
    error,
    measure,
    setMeasure,
    test,
    chooseTest,
    weights,
    looks,
    slice,
    shown,
    metric,
    metricId,
    choosePair,
    move: moved?.of === pairOf(metric?.metricId) ? moved.move : undefined,
    chooseMove,
    open,
  };
};

/** Whether the runs really differ, on the testcases that they share. */
export const Comparison = (props: ComparisonProps) => {
  const { projectId, runIds, metricId, by, value, weights, looks, pooled } = props;
  const comparison = useComparison(props);
  const { error, test, open } = comparison;
  const { data: run, isError } = useQuery(apiQuery('getRunDetails', runIds[0]!));
  const wear = useWear(run);
  // The line would push the results down.
  const isWaiting = wear === undefined && !isError;
  return (
    <>
      {/* The choices stay beside an error: one of them may be what has to change. */}
      <ComparisonToolbar comparison={comparison} isMany={runIds.length > 2} by={by} value={value}>
        {test === 'fixed' && (
          <WeightChoice
            run={run}
            weights={weights}
            onChange={(next) => open(metricId, { by, value, weights: next })}
          />
        )}
        {by === undefined && (
          <PooledChoice
            projectId={projectId}
            baseline={run}
            runIds={runIds}
            pooled={readPooled(pooled)}
            onChange={(next) => open(metricId, { looks, pooled: next.join(',') })}
          />
        )}
      </ComparisonToolbar>
      <WearLine projectId={projectId} wear={wear} />
      {error && <ErrorNote error={error} />}
      {!error && isWaiting && <Skeleton lines={8} />}
      {!error && !isWaiting && <ComparedResults {...props} comparison={comparison} />}
    </>
  );
};

type ComparedResultsProps = ComparisonProps & { comparison: ReturnType<typeof useComparison> };

/** The verdicts of the comparison, and the testcases that changed. */
const ComparedResults = ({ comparison, ...props }: ComparedResultsProps) => {
  const { projectId, runIds, metricId, by, value, weights, looks } = props;
  const { data, measure, slice, shown, metric, open, move, chooseMove } = comparison;
  return (
    <>
      {data && <Confidence level={data.level} tests={data.tests} isSlice={slice !== undefined} />}
      <WeightNote of={data?.weightedBy} />
      <PooledNote baseline={runIds[0]!} pooled={data?.pooled} />
      {!data && <Skeleton lines={8} />}
      {runIds.length > 2 && data && shown && metric && (
        <>
          <Leaderboard
            projectId={projectId}
            runIds={runIds}
            data={data}
            metric={metric}
            measure={measure}
            slice={slice}
            weights={weights}
          />
          <Matrix
            data={data}
            metric={metric}
            measure={measure}
            shown={shown}
            onPair={comparison.choosePair}
          />
        </>
      )}
      {data?.looks && shown && <PlannedLooks metrics={shown.metrics} measure={measure} />}
      {data && shown && (
        <PairTable
          runs={data.runs}
          pair={shown}
          projectId={projectId}
          measure={measure}
          level={data.level}
          tests={data.tests}
          metricId={metric?.metricId}
          onMetric={(id) => open(id, { by, value, looks })}
          move={move}
          onMove={chooseMove}
          scaleOf={scalesOf(data.pairs, measure)}
        />
      )}
      {data && by && metric && (
        <SliceRates
          runIds={runIds}
          by={by}
          weights={weights}
          metric={metric}
          chosen={value}
          onChoose={(chosen) => open(metricId, { by, value: chosen })}
        />
      )}
      {shown && metric && (
        <Changes
          key={`${shown.before} ${shown.after} ${metric.metricId}`}
          projectId={projectId}
          before={shown.before}
          after={shown.after}
          metric={metric}
          measure={measure}
          move={move}
          onMove={(next) => chooseMove(metric.metricId, next)}
        />
      )}
    </>
  );
};

type ComparisonToolbarProps = {
  comparison: ReturnType<typeof useComparison>;
  isMany: boolean;
  by: string | undefined;
  value: string | undefined;
  children: ReactNode;
};

/** Chooses the measure, the test and, as its children, the weights; then the metric and the slice. */
const ComparisonToolbar = ({ comparison, isMany, by, value, children }: ComparisonToolbarProps) => {
  const { data, measure, setMeasure, test, chooseTest, looks, shown, metric, open, metricId } = comparison;
  return (
    <div className="mb-4 flex flex-wrap items-end gap-4">
      <TestChoice
        measure={measure}
        onMeasure={setMeasure}
        test={test}
        onTest={chooseTest}
        hasLooks={
          !isMany &&
          by === undefined &&
          comparison.weights === undefined &&
          (shown !== undefined || looks !== undefined)
        }
      />
      {/* Before what comes with the data, so that it does not move. */}
      {children}
      {looks && shown && (
        <LooksChoice
          looks={looks}
          metrics={shown.metrics}
          onChange={(plan) => open(metricId, { looks: plan })}
        />
      )}
      {data && (
        <ComparedPart
          data={data}
          metricId={isMany ? metric?.metricId : undefined}
          by={by}
          value={value}
          onMetric={(id) => open(id, { by, value })}
          // A slice has the scores of one run only.
          onSlice={(part) => open(metricId, { ...part, pooled: undefined })}
        />
      )}
    </div>
  );
};

type ComparedPartProps = {
  data: RunComparison;
  /** Undefined: the pair is the only one, and its table shows each metric. */
  metricId: string | undefined;
  by: string | undefined;
  value: string | undefined;
  onMetric: (metricId: string) => void;
  onSlice: (slice: { by?: string | undefined; value?: string | undefined }) => void;
};

/** Chooses the metric and the slice that are compared, and exports all of them. */
const ComparedPart = ({ data, metricId, by, value, onMetric, onSlice }: ComparedPartProps) => (
  <>
    {metricId !== undefined && <MetricOfPairs pairs={data.pairs} metricId={metricId} onChoose={onMetric} />}
    <SliceChoice run={data.runs.at(-1)!} by={by} value={value} onChange={onSlice} />
    <ExportComparison data={data} />
  </>
);

const ExportComparison = ({ data }: { data: RunComparison }) => (
  <Button
    onClick={() =>
      download(
        `compare-${data.runs.map(({ runId }) => runId).join('-')}.csv`,
        [comparisonCsv(data)],
        'text/csv;charset=utf-8',
      )
    }
  >
    Export CSV
  </Button>
);

type ConfidenceProps = { level: number; tests: number; isSlice: boolean };

/** What the verdicts compare, and how sure they are. */
const Confidence = ({ level, tests, isSlice }: ConfidenceProps) => (
  <p className="mb-4 max-w-3xl text-sm text-soft">
    Only testcases that both runs have are compared{isSlice && ', here those of the slice'}.{' '}
    {tests > 1 ? (
      <>
        Verdicts are adjusted for {countOf(tests, 'test')} (<Term of="Holm" />, {percentOf(level)} %).
      </>
    ) : (
      `Verdicts have ${percentOf(level)} % confidence.`
    )}
  </p>
);
