import { requireImportOf } from '../../evaluation/projects/queries.ts';
import type { ScoringConfig } from '../../evaluation/scores/queries.ts';
import { requireParents } from '../../evaluation/scores/upsert-scores.ts';
import { fitOf } from '../../evaluation/scores/validate-score.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type Issue, invalidAll } from '../../platform/errors.ts';
import { newUuid, type RecordKey, recordKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, freeForm, members, type RawJson } from '../../platform/json/json.ts';
import { readExactTime } from '../../platform/validation.ts';
import { addJudgeSpending } from '../../scoring/queue/queries.ts';
import { requireMembers } from '../references.ts';
import {
  insertHistory,
  insertImportedScores,
  insertReviews,
  type ReplacedRow,
  type ReviewRow,
  type ScoreKey,
  type ScoreRow,
  type VerdictRow,
} from './transfer-queries.ts';
import type { ImportedScore, ScoresImport } from './transfer-schema.ts';

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
    const standing = item.reviews.filter(({ stands }) => stands);
    if (new Set(standing.map(({ userId }) => userId.toLowerCase())).size < standing.length)
      issues.push({ path: `${path}/reviews`, message: 'must not name a user again whose review stands' });
    return { key, configId, item, raw: texts[i]!, path };
  });
  if (issues.length > 0) throw invalidAll(issues);
  return items;
};

/** Throws notFound for people who are no members, forbidden for others than the caller unless that is an admin. */
const requirePeople = (tx: Sql, scope: Scope, items: ImportedScore[]): Promise<void> => {
  const named = items.flatMap(({ scoredByUserId, history, reviews }) => [
    scoredByUserId,
    ...history.map((replaced) => replaced.scoredByUserId),
    ...reviews.map(({ userId }) => userId),
  ]);
  return requireMembers(
    tx,
    scope,
    named.filter((id) => id !== null),
  );
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
    scoredAt: readExactTime(`${path}${below}/scoredAt`, verdict.scoredAt),
  };
};

const scoreRow = (given: GivenImport, config: ScoringConfig): ScoreRow => {
  const { lastError, attempts, costUsd, inputTokens, outputTokens, reviews } = given.item;
  const standing = reviews.filter(({ stands }) => stands);
  return {
    ...verdictRow(given, config, given.item, given.raw),
    lastError,
    attempts,
    costUsd,
    inputTokens,
    outputTokens,
    reviewers: standing.length > 0 ? standing.map(({ userId }) => userId) : null,
  };
};

const replacedRows = (given: GivenImport, configs: Map<string, ScoringConfig>): ReplacedRow[] => {
  const texts = elements(members(given.raw).get('history')!);
  return given.item.history.map((replaced, i) => {
    const configId = replaced.metricConfigId.toLowerCase();
    const below = `/history/${i}`;
    return {
      ...verdictRow({ ...given, configId }, configs.get(configId)!, replaced, texts[i]!, below),
      replacedAt: readExactTime(`${given.path}${below}/replacedAt`, replaced.replacedAt),
    };
  });
};

/** Throws 400 for a review that does not fit its metric, which no reviewer could have given. */
const reviewRows = ({ key, configId, item, raw, path }: GivenImport, config: ScoringConfig): ReviewRow[] => {
  const texts = elements(members(raw).get('reviews')!);
  return item.reviews.map(({ userId, score, blind, stands, undoneAt, submittedAt }, i) => {
    const at = `${path}/reviews/${i}`;
    const { value } = fitOf(config.outputType, score);
    if (value === null) throw invalidAll([{ path: `${at}/score`, message: 'must fit its metric' }]);
    const text = freeForm(texts[i]!, ['score'], at).score!;
    return {
      id: newUuid(),
      n: key.n,
      configId,
      memberId: userId,
      score: text,
      value,
      blind,
      stands,
      undoneAt: undoneAt === null ? null : readExactTime(`${at}/undoneAt`, undoneAt),
      submittedAt: readExactTime(`${at}/submittedAt`, submittedAt),
    };
  });
};

/** A score's record with every configuration that gave it a verdict. */
const withReplaced = ({ key, configId, item }: GivenImport): Pick<GivenImport, 'key' | 'configId'>[] => [
  { key, configId },
  ...item.history.map((replaced) => ({ key, configId: replaced.metricConfigId.toLowerCase() })),
];

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
  const configs = await requireParents(tx, scope, runId, given.flatMap(withReplaced));
  await requirePeople(
    tx,
    scope,
    given.map(({ item }) => item),
  );
  const configOf = ({ configId }: GivenImport) => configs.get(configId)!;
  const rows = given.map((one) => scoreRow(one, configOf(one)));
  const hanging = given.map((one) => ({
    name: nameOf({ n: one.key.n, configId: one.configId }),
    history: replacedRows(one, configs),
    reviews: reviewRows(one, configOf(one)),
  }));

  const stored = await insertImportedScores(tx, scope, runId, rows);
  const isNew = new Set(stored.map(nameOf));
  const ofNew = hanging.filter(({ name }) => isNew.has(name));
  await insertHistory(
    tx,
    scope,
    runId,
    ofNew.flatMap(({ history }) => history),
  );
  await insertReviews(
    tx,
    scope,
    runId,
    ofNew.flatMap(({ reviews }) => reviews),
  );
  const costUsd = stored.reduce((sum, score) => sum + (score.costUsd ?? 0), 0);
  // A budget is for the run wherever its judges were asked.
  if (costUsd > 0) await addJudgeSpending(tx, runId, costUsd, 0);
  return JSON.stringify({ imported: stored.length });
};
