import type {
  Execution,
  JudgeCalibration,
  Operations,
  Run,
  RunComparison,
  RunSummary,
} from '../generated.ts';
import { planEqualLooks } from '../planned-looks.ts';
import type { Baseline } from './baselines.ts';
import type { Policy, RiseMeasure } from './policy.ts';
import { RulesError } from './rules-error.ts';

export type SummarizedMetric = RunSummary['metrics'][number];
export type ComparedMetric = RunComparison['pairs'][number]['metrics'][number];
type Usage = NonNullable<RunComparison['pairs'][number]['usage']>;
export type Rise = Usage[RiseMeasure];
export type SliceLosses = NonNullable<ComparedMetric['slices']>;
export type Measure = 'pass' | 'score';

/** One slice of a run: the records with a tag, or with a value of a field. */
export type Slice = { field: string; value: string };

/** The answers of the service about a run. Each question is asked once. */
export type Source = {
  runId: string;
  run: () => Promise<Run>;
  summary: (level: number, by?: string) => Promise<RunSummary>;
  comparison: (baselineId: string, measure: Measure, level: number, slice?: Slice) => Promise<RunComparison>;
  slices: (baselineId: string, measure: Measure, level: number) => Promise<RunComparison>;
  rise: (baselineId: string, measure: RiseMeasure, level: number) => Promise<Rise>;
  calibration: (metricId: string, peopleMetricId: string, level: number) => Promise<JudgeCalibration>;
  /** Why the bias battery of a judge does not count, with the next step and its cost; null if it does. */
  battery: (metricId: string, metricConfigId: string) => Promise<string | null>;
  executions: () => Promise<Execution[]>;
  /** Whether the looks are planned and the last one is still to come. */
  grows: () => Promise<boolean>;
};

type Once = <Answer>(question: string, ask: () => Promise<Answer>) => Promise<Answer>;

/** Returns a function that asks each question once. */
const askOnce = (): Once => {
  const answers = new Map<string, Promise<unknown>>();
  return <Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = answers.get(question) ?? ask();
    answers.set(question, answer);
    return answer as Promise<Answer>;
  };
};

/** Why the battery of a judge does not count, with what another one asks for and costs; null if it does. */
const batteryOf = async (client: Operations, metricId: string, metricConfigId: string) => {
  const { payload } = await client.getJudgePassport(metricId, { metricConfigId });
  if (payload.batteryReason === null) return null;
  const { sentence } = await client.estimateTrial(metricId, { kind: 'battery', metricConfigId });
  return `${payload.batteryReason}. It asks for ${sentence}`;
};

/** Returns the test of each comparison of a run, and whether a planned look is still to come. */
const planOf = (
  client: Operations,
  { runId, run, once }: Pick<Source, 'runId' | 'run'> & { once: Once },
  { test, looks }: Pick<Policy, 'test' | 'looks'>,
  baselines: readonly Baseline[],
) => {
  const looksAt = (baselineId: string) =>
    typeof looks === 'number'
      ? once(`looks ${baselineId}`, () => planEqualLooks(client, [baselineId, runId], looks))
      : Promise.resolve(looks);
  /** A slice has one look, at the end. Before the runs share a metric there is nothing to look at. */
  const testAt = async (baselineId: string, slice: Slice | undefined) => {
    if (test !== 'planned') return { test };
    const sizes = slice ? undefined : await looksAt(baselineId);
    return sizes ? { test, looks: sizes } : {};
  };
  const grows = async (): Promise<boolean> => {
    if (test !== 'planned') return false;
    const { status, numRecords, numExpectedRecords } = await run();
    if (status !== 'completed') return true;
    if (numExpectedRecords !== null) return false;
    const plans = await Promise.all(baselines.map(({ id }) => id && looksAt(id)));
    return plans.some((sizes) => Array.isArray(sizes) && numRecords < sizes.at(-1)!);
  };
  return { testAt, grows };
};

/** Opens the source of a run. */
export const openSource = (
  client: Operations,
  runId: string,
  { test, looks, weights }: Pick<Policy, 'test' | 'looks' | 'weights'>,
  baselines: readonly Baseline[],
): Source => {
  const poolOf = (baselineId: string) => {
    const pooled = baselines.find(({ id }) => id === baselineId)?.pooled;
    return pooled ? { pooled } : {};
  };
  const once = askOnce();
  const run = () => once('run', () => client.getRun(runId));
  const { testAt, grows } = planOf(client, { runId, run, once }, { test, looks }, baselines);
  return {
    runId,
    run,
    grows,
    summary: (level, by) =>
      once(`summary ${level} ${by}`, () =>
        client.summarizeRun(runId, { level, ...weights, ...(by && { by }) }),
      ),
    comparison: (baselineId, measure, level, slice) =>
      once(`comparison ${baselineId} ${measure} ${level} ${slice?.field} ${slice?.value}`, async () =>
        client.compareRuns({
          runs: [baselineId, runId],
          measure,
          level,
          ...(await testAt(baselineId, slice)),
          ...weights,
          ...(slice ? { by: slice.field, value: slice.value } : poolOf(baselineId)),
        }),
      ),
    slices: (baselineId, measure, level) =>
      once(`slices ${baselineId} ${measure} ${level}`, () =>
        client.compareRuns({
          runs: [baselineId, runId],
          measure,
          level,
          slices: true,
          ...poolOf(baselineId),
        }),
      ),
    rise: async (baselineId, measure, level) => {
      const { pairs } = await once(`usage ${baselineId} ${level}`, () =>
        client.compareRuns({ runs: [baselineId, runId], level, usage: true }),
      );
      return pairs[0]!.usage![measure];
    },
    battery: (metricId, metricConfigId) =>
      once(`battery ${metricConfigId}`, () => batteryOf(client, metricId, metricConfigId)),
    calibration: (metricId, against, level) =>
      once(`calibration ${metricId} ${level}`, () =>
        client.calibrateMetric(metricId, {
          runId,
          level,
          against,
        }),
      ),
    executions: () =>
      once('executions', async () => {
        const all: Execution[] = [];
        for await (const execution of client.listExecutions(runId, { state: 'done' })) all.push(execution);
        return all;
      }),
  };
};

/** Finds a metric of the run by name or id. If it has several configurations, returns the one that the run was started with. */
export const findMetric = ({ runId, metrics }: RunSummary, named: string): SummarizedMetric => {
  const found = metrics.filter(({ metricId, metricName }) => metricId === named || metricName === named);
  const ids = new Set(found.map(({ metricId }) => metricId));
  if (ids.size > 1)
    throw new RulesError(
      `Several metrics of run ${runId} have the name '${named}'.`,
      `Use the id of one of them instead: ${[...ids].join(', ')}`,
    );
  const metric = found.find(({ pinned }) => pinned) ?? found[0];
  if (metric) return metric;
  const there = metrics.map(({ metricName }) => metricName).join(', ') || 'none';
  throw new RulesError(`Run ${runId} has no metric '${named}'.`, `It has: ${there}`);
};
