import type { Scope } from '../auth.ts';
import type { Sql } from '../db/database.ts';
import { forbidden, type Issue, invalidAll, notFound } from '../errors.ts';
import { newUuid, type RecordKey, recordKey, uuidId } from '../ids.ts';
import { elements, freeForm, members, type RawJson } from '../json.ts';
import { requireImportOf } from '../projects/queries.ts';
import { addJudgeSpending } from '../scoring/queries.ts';
import { readTime } from '../validation.ts';
import type { ScoringConfig } from './queries.ts';
import {
  insertHistory,
  insertImportedScores,
  insertReviews,
  lockMembers,
  type ReplacedRow,
  type ReviewRow,
  type ScoreKey,
  type ScoreRow,
  type VerdictRow,
} from './transfer-queries.ts';
import type { ImportedScore, ScoresImport } from './transfer-schema.ts';
import { requireParents } from './upsert-scores.ts';
import { fitOf } from './validate-score.ts';

/** A score of a body, with the texts of what is free-form in it. */
export type GivenImport = {
  key: RecordKey;
  configId: string;
  item: ImportedScore;
  raw: RawJson;
  path: string;
};

/** The scores of a body. Throws 400 when two name the same record and configuration, or one has a score without being scored. */
export const readImportedScores = (body: ScoresImport, rawBody: RawJson): GivenImport[] => {
  const texts = elements(members(rawBody).get('items')!);
  const seen = new Set<string>();
  const issues: Issue[] = [];
  const items = body.items.map((item, i): GivenImport => {
    const path = `/items/${i}`;
    const key = recordKey(item.recordId);
    const configId = uuidId('metric configuration', item.metricConfigId);
    const name = `${item.recordId} ${configId}`;
    if (seen.has(name)) issues.push({ path, message: 'must not name a record and configuration again' });
    seen.add(name);
    const verdicts = [
      { at: path, ...item },
      ...item.history.map((h, j) => ({ at: `${path}/history/${j}`, ...h })),
    ];
    for (const { at, state, score } of verdicts)
      if ((state === 'scored') !== (score !== null))
        issues.push({
          path: `${at}/score`,
          message: 'must be there when the state is scored, and else be null',
        });
    if (new Set(item.reviews.map(({ userId }) => userId.toLowerCase())).size < item.reviews.length)
      issues.push({ path: `${path}/reviews`, message: 'must not name a user again' });
    return { key, configId, item, raw: texts[i]!, path };
  });
  if (issues.length > 0) throw invalidAll(issues);
  return items;
};

/**
 * Throws notFound for people who are no members. To speak for others is for admins: whoever may fill a project can't put
 * verdicts into a colleague's mouth.
 */
const requireMembers = async (tx: Sql, scope: Scope, items: ImportedScore[]): Promise<void> => {
  const named = items.flatMap(({ scoredByUserId, history, reviews }) => [
    scoredByUserId,
    ...history.map((replaced) => replaced.scoredByUserId),
    ...reviews.map(({ userId }) => userId),
  ]);
  const ids = new Set(named.flatMap((id) => (id === null ? [] : [uuidId('user', id)])));
  if (ids.size === 0) return;
  const found = new Set((await lockMembers(tx, scope, [...ids])).map(({ id }) => id));
  for (const id of ids) if (!found.has(id)) throw notFound('user', id);
  ids.delete(scope.memberId);
  if (ids.size > 0 && scope.role !== 'admin')
    throw forbidden('Only an admin may import what others have scored under their names.');
};

type Verdict = Pick<ImportedScore, 'state' | 'score' | 'reason' | 'scoredByUserId' | 'scoredAt'>;

const verdictRow = (
  { key, configId, path }: GivenImport,
  { outputType }: ScoringConfig,
  verdict: Verdict,
  raw: RawJson,
  below = '',
): VerdictRow => {
  const texts = freeForm(raw, ['score', 'evidence'], path + below);
  return {
    n: key.n,
    configId,
    state: verdict.state,
    score: verdict.score === null ? null : texts.score!,
    ...(verdict.score === null ? { value: null, validationErrors: null } : fitOf(outputType, verdict.score)),
    reason: verdict.reason,
    scoredBy: verdict.scoredByUserId,
    evidence: texts.evidence === 'null' ? null : texts.evidence!,
    scoredAt: readTime(`${path}${below}/scoredAt`, verdict.scoredAt),
  };
};

const scoreRow = (given: GivenImport, config: ScoringConfig): ScoreRow => {
  const { lastError, attempts, costUsd, inputTokens, outputTokens, reviews } = given.item;
  return {
    ...verdictRow(given, config, given.item, given.raw),
    ...{ lastError, attempts, costUsd, inputTokens, outputTokens },
    reviewers: reviews.length > 0 ? reviews.map(({ userId }) => userId) : null,
  };
};

const replacedRows = (given: GivenImport, config: ScoringConfig): ReplacedRow[] => {
  const texts = elements(members(given.raw).get('history')!);
  return given.item.history.map((replaced, i) => ({
    ...verdictRow(given, config, replaced, texts[i]!, `/history/${i}`),
    replacedAt: readTime(`${given.path}/history/${i}/replacedAt`, replaced.replacedAt),
  }));
};

/** Throws 400 for a review that does not fit its metric, which no reviewer could have given. */
const reviewRows = ({ key, configId, item, raw, path }: GivenImport, config: ScoringConfig): ReviewRow[] => {
  const texts = elements(members(raw).get('reviews')!);
  return item.reviews.map(({ userId, score, blind, submittedAt }, i) => {
    const at = `${path}/reviews/${i}`;
    const { value } = fitOf(config.outputType, score);
    if (value === null) throw invalidAll([{ path: `${at}/score`, message: 'must fit its metric' }]);
    const text = freeForm(texts[i]!, ['score'], at).score!;
    return {
      ...{ id: newUuid(), n: key.n, configId, memberId: userId, score: text, value, blind },
      submittedAt: readTime(`${at}/submittedAt`, submittedAt),
    };
  });
};

const nameOf = ({ n, configId }: ScoreKey) => `${n} ${configId}`;

/**
 * Stores scores of a run as they were elsewhere, with what they replaced and what single reviewers said, while its project is
 * being imported. Scores that are there stay, with all that hangs on them. Returns the answer. Throws notFound for a run,
 * record, configuration or user that is not there, conflict for a project that is imported.
 */
export const importScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: GivenImport[],
): Promise<string> => {
  await requireImportOf(tx, scope, runId);
  const configs = await requireParents(tx, scope, runId, given);
  await requireMembers(
    tx,
    scope,
    given.map(({ item }) => item),
  );
  const configOf = ({ configId }: GivenImport) => configs.get(configId)!;
  const rows = given.map((one) => scoreRow(one, configOf(one)));
  const history = given.flatMap((one) => replacedRows(one, configOf(one)));
  const reviews = given.flatMap((one) => reviewRows(one, configOf(one)));

  const stored = await insertImportedScores(tx, scope, runId, rows);
  const isNew = new Set(stored.map(nameOf));
  const ofNew = <Row extends ScoreKey>(all: Row[]) => all.filter((row) => isNew.has(nameOf(row)));
  await insertHistory(tx, scope, runId, ofNew(history));
  await insertReviews(tx, scope, runId, ofNew(reviews));
  const costUsd = stored.reduce((sum, score) => sum + (score.costUsd ?? 0), 0);
  // A budget is for the run wherever its judges were asked.
  if (costUsd > 0) await addJudgeSpending(tx, runId, costUsd, 0);
  return JSON.stringify({ imported: stored.length });
};
