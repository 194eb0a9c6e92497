import { findMetric } from '../../evaluation/metrics/queries.ts';
import { findRunId, lockRun, lockScoresOfRun } from '../../evaluation/runs/queries.ts';
import { findScore } from '../../evaluation/scores/queries.ts';
import { cancelScores, retryScores, type Which } from '../../evaluation/scores/requeue.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { numericId, recordKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelExecutions, retryExecutions } from '../executions/queries.ts';
import { cancelProposals, retryProposals } from '../trials/rescoring/queries.ts';
import { lockOpenRescoring } from '../trials/rescoring/rescore.ts';
import type { WorkAsked } from './work-schema.ts';

type Kind = NonNullable<WorkAsked['of']>;
/** The work of a run that a request names, with its ids parsed. */
export type Work = { of: Kind | undefined; scores: Which; trialNumber: number | undefined };

/** The kinds of work to which each field belongs. */
const kindsOf: Partial<Record<keyof WorkAsked, Kind[]>> = {
  metricId: ['scores', 'proposals'],
  recordId: ['scores'],
  metricConfigId: ['scores'],
  states: ['scores'],
  trialNumber: ['proposals'],
};

/** Reads the work of a run that a body names. Throws 400 for a field of another kind of work, and 404 for ill-formed ids. */
export const readWork = (asked: WorkAsked): Work => {
  const { of, metricId, recordId, metricConfigId, trialNumber, states } = asked;
  for (const [field, kinds] of Object.entries(kindsOf))
    if (asked[field as keyof WorkAsked] !== undefined && !(of && kinds.includes(of)))
      throw invalid(`/${field}`, `needs \`of\` to be ${kinds.join(' or ')}`);
  if (trialNumber !== undefined && metricId === undefined)
    throw invalid('/metricId', 'must be given with trialNumber');
  if (recordId !== undefined && metricConfigId === undefined)
    throw invalid('/metricConfigId', 'must be given with recordId');
  if (metricConfigId !== undefined && recordId === undefined)
    throw invalid('/recordId', 'must be given with metricConfigId');
  return {
    of,
    trialNumber,
    scores: {
      states,
      metricId: metricId === undefined ? undefined : numericId('metric', metricId),
      one:
        recordId === undefined
          ? undefined
          : { ...recordKey(recordId), configId: uuidId('score', metricConfigId!) },
    },
  };
};

/** Throws 404 if the run, or what the work names, does not exist. */
const requireWork = async (tx: Sql, scope: Scope, runId: bigint, { of, scores }: Work): Promise<void> => {
  if (of === undefined) {
    // An execution that ends now would add a record with pending scores: the lock makes it wait, and then it is cancelled.
    requireOne(await lockRun(tx, scope, runId), 'run', String(runId));
    await lockScoresOfRun(tx, runId);
  } else {
    requireOne(await findRunId(tx, scope, runId), 'run', String(runId));
  }
  const { metricId, one: single } = scores;
  if (metricId !== undefined) requireOne(await findMetric(tx, scope, metricId), 'metric', String(metricId));
  if (!single) return;
  const name = `${single.runId}-${single.n} ${single.configId}`;
  if (single.runId !== runId) throw notFound('score', name);
  requireOne(await findScore(tx, scope, runId, single.n, single.configId), 'score', name);
};

type Change = {
  executions: (tx: Sql, scope: Scope, runId: bigint) => PromiseLike<{ count: number }>;
  scores: (tx: Sql, scope: Scope, runId: bigint, which: Which) => Promise<number>;
  proposals: (tx: Sql, scope: Scope, runId: bigint, metricId?: bigint) => PromiseLike<{ count: number }>;
};

/** Changes work of a run in one transaction. Returns the counts as JSON text. */
const change =
  ({ executions, scores, proposals }: Change) =>
  async (tx: Sql, scope: Scope, runId: bigint, work: Work): Promise<string> => {
    await requireWork(tx, scope, runId, work);
    const { of, trialNumber } = work;
    const { metricId } = work.scores;
    const is = (kind: Kind) => of === undefined || of === kind;
    const changed = { numExecutions: 0, numScores: 0, numProposals: 0 };
    if (is('executions')) changed.numExecutions = (await executions(tx, scope, runId)).count;
    if (is('scores')) changed.numScores = await scores(tx, scope, runId, work.scores);
    if (is('proposals')) {
      if (metricId !== undefined && trialNumber !== undefined)
        await lockOpenRescoring(tx, scope, runId, { metricId, n: trialNumber });
      changed.numProposals = (await proposals(tx, scope, runId, metricId)).count;
    }
    return JSON.stringify(changed);
  };

/** Cancels pending work of a run. Outcomes of work under way are dropped. */
export const cancelWork = change({
  executions: cancelExecutions,
  scores: cancelScores,
  proposals: cancelProposals,
});

/** Queues work of a run again that failed, was cancelled or could not be done. */
export const retryWork = change({
  executions: retryExecutions,
  scores: retryScores,
  proposals: retryProposals,
});
