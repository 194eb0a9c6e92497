import { lockRun, lockScoresOfRun } from '../../evaluation/runs/queries.ts';
import { cancelScores } from '../../evaluation/scores/requeue.ts';
import type { Sql } from '../../platform/db/database.ts';
import { one } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelExecutions } from '../executions/queries.ts';
import { cancelProposals } from '../trials/rescoring/queries.ts';

/** Cancels the pending executions, scores and proposals of a run. Outcomes of work under way are dropped. Returns the counts as JSON. */
export const cancelRun = async (tx: Sql, scope: Scope, runId: bigint): Promise<string> => {
  // An execution that ends now would add a record with pending scores: the lock makes it wait, and then it finds itself cancelled.
  one(await lockRun(tx, scope, runId), 'run', String(runId));
  await lockScoresOfRun(tx, runId);
  const executions = await cancelExecutions(tx, scope, runId);
  const scores = await cancelScores(tx, scope, { runId });
  const proposals = await cancelProposals(tx, scope, runId);
  return JSON.stringify({
    executions: executions.count,
    scores,
    proposals: proposals.count,
  });
};
