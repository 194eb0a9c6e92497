import { type ProviderConfig, resolveModel } from '../../engine/models/provider.ts';
import { requireProject } from '../../evaluation/projects/queries.ts';
import { requirePlace } from '../../evaluation/projects/require-place.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { bytesPerToken, tokensPerVerdict } from '../../scoring/budgets/estimate-run.ts';
import { requirePriced } from '../../scoring/budgets/require-priced.ts';
import type { Judge } from '../../scoring/judges/judge.ts';
import { systemMessage } from '../../scoring/judges/judge-prompt.ts';
import type { ProvidersOf } from '../../scoring/providers/providers-of.ts';
import { findRunHeads } from '../analysis/queries.ts';
import { comparison } from './ask-judge.ts';
import { deleteOtherVerdicts, queuePairs, setJudge } from './judge-queries.ts';
import {
  countStudies,
  findStudy,
  insertPairs,
  insertRuns,
  insertStudy,
  lockStudy,
  maxStudies,
  measureShared,
} from './queries.ts';
import { maxPairs, type PreferenceJudge, type PreferenceStudyCreate } from './schema.ts';

export type StudyDeps = { db: Database; judge: Judge; providersOf: ProvidersOf };

const defaultTestcases = 100;

/** Reads the runs of a study. Throws 400 if one is named twice, 404 for one of another project. */
const requireStudyRuns = async (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  ids: string[],
): Promise<bigint[]> => {
  if (new Set(ids).size < ids.length) throw invalid('/runIds', 'must name each run once');
  const runIds = ids.map((id) => numericId('run', id));
  const found = await findRunHeads(sql, scope, runIds);
  for (const [i, id] of runIds.entries())
    if (!found.some((run) => run.id === id && run.projectId === projectId)) throw notFound('run', ids[i]!);
  return runIds;
};

const pairsOf = (runs: number, testcases: number): number => (testcases * runs * (runs - 1)) / 2;

const measure = async (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { runIds: ids, numTestcases = defaultTestcases }: PreferenceStudyCreate,
) => {
  const runIds = await requireStudyRuns(sql, scope, projectId, ids);
  const [measured] = await measureShared(sql, scope, runIds);
  const testcases = Math.min(numTestcases, measured!.shared);
  return { runIds, testcases, pairs: pairsOf(runIds.length, testcases), measured: measured! };
};

/** Throws 400 for a model that no provider has, and for a budget that can't be enforced. */
export const requireJudge = async (
  { judge, providersOf }: StudyDeps,
  scope: Scope,
  { modelName, budgetUsd }: PreferenceJudge,
  at: string,
): Promise<void> => {
  const model = resolveModel(modelName, await providersOf(scope.organizationId));
  if ('error' in model) throw invalid(`${at}/modelName`, model.error);
  if (budgetUsd !== undefined)
    await requirePriced({ judge, providersOf }, scope, [modelName], `${at}/budgetUsd`);
};

const costOf = (
  judge: Judge,
  providers: ProviderConfig[],
  modelName: string | undefined,
  tokens: { inputTokens: number; outputTokens: number },
): number | null => {
  if (modelName === undefined) return 0;
  const model = resolveModel(modelName, providers);
  return 'error' in model ? null : judge.costOf(model, tokens);
};

/** Returns the number of pairs of a study and the cost of its model, as JSON. Writes nothing. */
export const estimateStudy = async (
  { db, judge, providersOf }: StudyDeps,
  scope: Scope,
  projectId: bigint,
  body: PreferenceStudyCreate,
): Promise<string> => {
  const { testcases, pairs, measured } = await db.transaction(scope, async (tx) => {
    await requireProject(tx, scope, projectId);
    return measure(tx, scope, projectId, body);
  });
  const { promptTemplate } = comparison(body.criterion, '', '');
  const fixed = systemMessage('int').length + promptTemplate.length + Buffer.byteLength(body.criterion);
  const bytes = fixed + (measured.askedBytes ?? 0) + 2 * (measured.outputBytes ?? 0);
  const numRequests = body.judge ? 2 * pairs : 0;
  const tokens = {
    inputTokens: Math.ceil((bytes / bytesPerToken) * numRequests),
    outputTokens: tokensPerVerdict * numRequests,
  };
  const costUsd = costOf(judge, await providersOf(scope.organizationId), body.judge?.modelName, tokens);
  return JSON.stringify({
    numTestcases: testcases,
    numShared: measured.shared,
    numPairs: pairs,
    numRequests,
    ...tokens,
    costUsd,
  });
};

/** Draws the pairs of a study. Throws 400 if the runs share no testcase, or make too many pairs. */
export const startStudy = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  body: PreferenceStudyCreate,
  seed: number,
): Promise<string> => {
  const { name = '', criterion, numTestcases = defaultTestcases } = body;
  await requireProject(tx, scope, projectId);
  await requirePlace(tx, scope, projectId, {
    resources: 'preference studies',
    limit: maxStudies,
    count: countStudies,
  });
  const { runIds, pairs } = await measure(tx, scope, projectId, body);
  if (pairs === 0)
    throw invalid('/runIds', 'must name runs that answered the same testcases, in the same revision');
  if (pairs > maxPairs)
    throw invalid('/numTestcases', `makes ${pairs} pairs: at most ${maxPairs} can be compared`);
  const id = newUuid();
  await insertStudy(tx, scope, { id, projectId, name, criterion, seed });
  await insertRuns(tx, scope, id, runIds);
  await insertPairs(tx, scope, id, { runIds, seed, numTestcases });
  if (body.judge) {
    await setJudge(tx, scope, id, body.judge);
    await queuePairs(tx, scope, id);
  }
  return bodyOf(await findStudy(tx, scope, id), 'preference study', id);
};

/** Asks a model about each pair without its verdict, within its budget. A different model than before starts over. */
export const startJudge = async (
  tx: Sql,
  scope: Scope,
  id: string,
  judge: PreferenceJudge,
): Promise<string> => {
  requireOne(await lockStudy(tx, scope, id), 'preference study', id);
  await deleteOtherVerdicts(tx, scope, id, judge.modelName);
  await setJudge(tx, scope, id, judge);
  await queuePairs(tx, scope, id);
  return bodyOf(await findStudy(tx, scope, id), 'preference study', id);
};
