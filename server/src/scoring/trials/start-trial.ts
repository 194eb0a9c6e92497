import { requireSoundPrompt } from '../../evaluation/metrics/check-logic.ts';
import { insertMetricConfig, lockMetric, type MetricConfig } from '../../evaluation/metrics/queries.ts';
import { copyRecords, type EditedCopy, rewriteCopies } from '../../evaluation/records/copy.ts';
import {
  insertPendingScores,
  insertRun,
  insertRunMetrics,
  updateRun,
} from '../../evaluation/runs/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict, invalid, notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { newUuid, numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { lockPinnedMetric, type PinnedMetric, pinnedRecords } from './pinned-queries.ts';
import {
  findScoredRuns,
  insertCandidate,
  insertQuotes,
  insertTrial,
  insertTrialRuns,
  listTrialLabels,
  lockQuoted,
  type NewCandidate,
  type NewTrial,
  type Quote,
  type Starter,
  storedRecords,
} from './queries.ts';
import { readPinnedTrial, within } from './read-trials.ts';
import type { SuccessionCreate } from './schema.ts';

/** Testcases of stored runs on which each candidate is tried. */
const testcasesTried = 100;

/** Locks the metric with its pinned set. Throws 404 when nothing is pinned. */
export const lockPinned = async (tx: Sql, starter: Starter, metricId: bigint): Promise<PinnedMetric> =>
  requireOne(await lockPinnedMetric(tx, starter, metricId), 'pinned set', String(metricId));

/** A candidate whose run is to be made. `label` names it among the others of its trial. */
export type Candidate = Omit<NewCandidate, 'trialId' | 'metricId' | 'runId' | 'position'> & {
  label: string;
  /** The edited copies that it judges; without them, it judges all records as they are. */
  edited?: readonly EditedCopy[];
  /** The places of the records that it judges; without them, all. */
  places?: readonly number[];
};

/**
 * Starts a trial: each candidate decides copies of the pinned records, and of those of stored runs, which are scored like any other
 * record. Returns it as JSON text.
 */
export const startTrial = async (
  tx: Sql,
  starter: Starter,
  metricId: bigint,
  { projectId, pinnedConfigId, name }: PinnedMetric,
  trial: Omit<NewTrial, 'runId' | 'configId'>,
  candidates: readonly Candidate[],
  runIds: bigint[] = [],
  /** Called for the run of each candidate before its scores are queued. */
  { beforeScores }: { beforeScores?: (runId: bigint, i: number) => Promise<void> } = {},
): Promise<string> => {
  const { id: trialId, n } = await insertTrial(tx, starter, metricId, {
    ...trial,
    runId: null,
    configId: pinnedConfigId,
  });
  await insertTrialRuns(tx, starter, trialId, runIds);
  const labels = runIds.length > 0 ? await listTrialLabels(tx, starter, metricId, trial.seed) : [];
  const lastPlace = labels.at(-1)?.place ?? 0;
  for (const [i, { label, edited, places: given, ...candidate }] of candidates.entries()) {
    const run = { kind: 'trial' as const, testsetId: null, systemVersionId: null, numExpectedRecords: null };
    const [started] = await insertRun(tx, starter, projectId, run);
    const runId = started!.id;
    const { configId } = candidate;
    await insertRunMetrics(tx, starter, runId, [{ metricId, configId }]);
    const places = given ?? edited?.map(({ n }) => n);
    await copyRecords(tx, starter, runId, pinnedRecords(tx, starter, metricId, trial, places));
    if (edited) await rewriteCopies(tx, starter, runId, edited);
    if (runIds.length > 0) {
      const stored = storedRecords(tx, starter, { runIds, lastPlace, testcases: testcasesTried });
      await copyRecords(tx, starter, runId, stored);
    }
    const notes = `Trial ${n} of the metric “${name}”, ${label}: copies of its pinned records, decided again. It says nothing about a system.`;
    await updateRun(tx, starter, runId, { notes });
    // Before the scores: a worker that takes one must know that an earlier verdict does not count.
    await insertCandidate(tx, starter, { ...candidate, trialId, metricId, runId, position: i + 1 });
    await beforeScores?.(runId, i);
    await insertPendingScores(tx, starter, runId, [configId]);
  }
  return JSON.stringify(await readPinnedTrial(within(tx), starter, { metricId, n }));
};

/** A configuration that could replace the judge, and its origin. */
export type Proposed = {
  how: NewCandidate['how'];
  config: MetricConfig;
  /** What its guidelines quote from records. */
  quotes?: readonly Quote[];
};

/** Locks the metric with its pinned set and returns its configuration. Throws 404 when nothing is pinned, and 400 for a metric without a judge. */
export const lockJudge = async (tx: Sql, scope: Scope, metricId: bigint) => {
  const pinned = await lockPinned(tx, scope, metricId);
  const { configId, ...incumbent } = requireOne(
    await lockMetric(tx, scope, metricId),
    'metric',
    String(metricId),
  );
  if (incumbent.evalType !== 'ai') throw invalid('', 'must name a metric that a model scores');
  if (incumbent.spans !== null)
    throw invalid('', 'must name a metric that scores records: this one scores spans');
  return { pinned, configId, incumbent };
};

/** The same for a trial that compares with the pinned verdicts: throws 409 if another configuration gave them. */
export const lockIncumbent = async (tx: Sql, scope: Scope, metricId: bigint) => {
  const { pinned, configId, incumbent } = await lockJudge(tx, scope, metricId);
  if (pinned.pinnedConfigId !== configId)
    throw conflict(
      'The current configuration did not give the pinned verdicts. Choose “Watch for drift on these labels” on the page of the judge again.',
      { pinnedConfigId: pinned.pinnedConfigId, currentConfigId: configId },
    );
  return { pinned, incumbent };
};

/** Notes what a configuration quotes. Throws 409 if a quoted record was deleted since: nothing would erase the quote. */
const noteQuotes = async (
  tx: Sql,
  scope: Scope,
  configId: string,
  quotes: readonly Quote[],
): Promise<void> => {
  const records = new Set(quotes.map(({ runId, n }) => `${runId}-${n}`));
  if ((await lockQuoted(tx, scope, quotes)).length < records.size)
    throw conflict('A record with a label was deleted. Start the alignment again.', {});
  await insertQuotes(tx, scope, configId, quotes);
};

/** Inserts the configurations of candidates, which are not those of the metric yet. */
export const insertProposed = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  proposed: readonly Proposed[],
): Promise<Candidate[]> => {
  const candidates: Candidate[] = [];
  for (const { how, config, quotes = [] } of proposed) {
    const configId = newUuid();
    await insertMetricConfig(tx, scope, metricId, configId, config);
    if (quotes.length > 0) await noteQuotes(tx, scope, configId, quotes);
    candidates.push({ how, configId, dueModels: [], label: `candidate ${config.evalModelName}` });
  }
  return candidates;
};

/** The configurations that a body describes. Fields that it leaves out keep the metric's values. Throws 400 for one that cannot be. */
export const proposedOf = (incumbent: MetricConfig, candidates: SuccessionCreate['candidates']): Proposed[] =>
  candidates.map(({ judgeRepeats = incumbent.judgeRepeats, ...fields }, i) => {
    if (incumbent.outputType === 'boolean' && judgeRepeats % 2 === 0)
      throw invalid(`/candidates/${i}/judgeRepeats`, 'must be odd for a boolean metric');
    if (fields.promptTemplate !== undefined)
      requireSoundPrompt(incumbent.outputType, fields.promptTemplate, `/candidates/${i}/promptTemplate`);
    return { how: 'model', config: { ...incumbent, ...fields, judgeRepeats } };
  });

/** Starts a trial of the candidates that a body describes. Fields that it leaves out keep the metric's values. */
export const startSuccession = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { candidates, margin = 0.05, runIds: given = [] }: SuccessionCreate,
): Promise<string> => {
  const { pinned, incumbent } = await lockIncumbent(tx, scope, metricId);
  const runIds = given.map((id) => numericId('run', id));
  const scored = await findScoredRuns(tx, scope, metricId, pinned.configId, runIds);
  for (const id of runIds)
    if (!scored.some((run) => run.id === id)) throw notFound('run that the judge has scored', String(id));
  const made = await insertProposed(tx, scope, metricId, proposedOf(incumbent, candidates));
  return startTrial(tx, scope, metricId, pinned, { kind: 'succession', margin, seed: null }, made, runIds);
};
