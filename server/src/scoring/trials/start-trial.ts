import { insertMetricConfig, lockMetric, type MetricConfig } from '../../evaluation/metrics/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict, invalid, notFound } from '../../platform/errors.ts';
import { one } from '../../platform/http/http.ts';
import { newUuid, numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { lockPinnedMetric } from './pinned-queries.ts';
import {
  findReference,
  findScoredRuns,
  type How,
  insertTrial,
  listTrialLabels,
  type NewTrial,
  storedRecords,
} from './queries.ts';
import { readTrials, within } from './read-trials.ts';
import type { TrialCreate } from './schema.ts';
import { checkConfig } from './start-check.ts';

/** Testcases of stored runs on which each candidate is tried. */
const testcasesTried = 100;

export type Candidate = { how: How; config: MetricConfig };
export type Incumbent = MetricConfig & { configId: string };

/**
 * Locks the metric with its pinned set and returns its configuration. Throws 404 when nothing is pinned, 400 for a metric without a judge,
 * and 409 when the pinned verdicts are of another configuration.
 */
export const lockIncumbent = async (tx: Sql, scope: Scope, metricId: bigint) => {
  const pinned = one(await lockPinnedMetric(tx, scope, metricId), 'pinned set', String(metricId));
  const incumbent = one(await lockMetric(tx, scope, metricId), 'metric', String(metricId));
  if (incumbent.evalType !== 'ai') throw invalid('', 'must name a metric that a model scores');
  const [reference] = await findReference(tx, scope, metricId);
  if (reference?.configId !== incumbent.configId)
    throw conflict(
      'The pinned verdicts are of another configuration than the current one. Pin the labelled records again.',
      { pinnedConfigId: reference?.configId, currentConfigId: incumbent.configId },
    );
  return { pinned, incumbent, seed: reference.seed };
};

/** Starts a trial: each candidate decides the pinned records, and those of stored runs. Returns it as JSON text. */
export const startTrial = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { pinned, incumbent }: Awaited<ReturnType<typeof lockIncumbent>>,
  trial: Omit<NewTrial, 'configId'>,
  candidates: readonly Candidate[],
): Promise<string> => {
  const { configId } = incumbent;
  const { runIds, seed } = trial;
  const scored = await findScoredRuns(tx, scope, metricId, configId, runIds);
  for (const id of runIds)
    if (!scored.some((run) => run.id === id)) throw notFound('run that the judge has scored', String(id));
  const labels = await listTrialLabels(tx, scope, metricId, seed);
  const lastPlace = labels.at(-1)!.place;
  const [made] = await insertTrial(tx, scope, metricId, { ...trial, configId });
  const n = made!.n;
  for (const { how, config } of candidates) {
    const candidateId = newUuid();
    await insertMetricConfig(tx, scope, metricId, candidateId, config);
    await checkConfig(tx, scope, metricId, pinned, {
      configId: candidateId,
      models: [],
      trial: { n, how },
      seed,
      title: `Trial ${n} of the metric “${pinned.name}”, candidate ${config.evalModelName}`,
      ...(runIds.length > 0 && {
        further: storedRecords(tx, scope, { runIds, lastPlace, testcases: testcasesTried }),
      }),
    });
  }
  const [read] = await readTrials(within(tx), scope, metricId, { n, limit: 1 });
  return JSON.stringify(read);
};

/** Starts a trial of the candidates that a body describes: what it leaves out stays as it is. */
export const startSuccession = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { candidates, margin = 0.05, runIds = [] }: TrialCreate,
): Promise<string> => {
  const locked = await lockIncumbent(tx, scope, metricId);
  const { configId: _, ...current } = locked.incumbent;
  const trial = {
    kind: 'succession' as const,
    margin,
    seed: null,
    runIds: runIds.map((id) => numericId('run', id)),
  };
  return startTrial(
    tx,
    scope,
    metricId,
    locked,
    trial,
    candidates.map(({ judgeRepeats = current.judgeRepeats, ...fields }, i) => {
      if (current.outputType === 'boolean' && judgeRepeats % 2 === 0)
        throw invalid(`/candidates/${i}/judgeRepeats`, 'must be odd for a boolean metric');
      return { how: 'model', config: { ...current, ...fields, judgeRepeats } };
    }),
  );
};
