import { lockMember } from '../../accounts/members/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type Issue, invalid, invalidAll, notFound } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { isUuid, type RecordKey, recordIdOf, recordKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, freeForm, members, type RawJson } from '../../platform/json/json.ts';
import { maskScore } from '../masking/mask-data.ts';
import type { ProjectMasker } from '../masking/masking.ts';
import { storedCriteria } from '../metrics/criteria.ts';
import { scaleOf } from '../metrics/scale.ts';
import { findRunId } from '../runs/queries.ts';
import type { Stated } from './made-by.ts';
import {
  findConfigsOfRun,
  findExpected,
  findOverfull,
  findScore,
  lockRecords,
  queueScore,
  type ScoringConfig,
  type StoredReason,
  type StoredScore,
  upsertReasonRows,
  upsertScoreRows,
} from './queries.ts';
import type { ScoresUpsert } from './schema.ts';
import { scoreByCriteria } from './score-criteria.ts';
import { fitOf } from './validate-score.ts';

/** A score that comes with a new record. */
export type BroughtScore = Omit<GivenScore, 'key'>;

type GivenScore = {
  key: RecordKey;
  configId: string;
  score: Record<string, unknown>;
  raw: RawJson;
  /** Who made it, if the sender says so. */
  madeBy?: Stated | undefined;
};

/** Why a record has no score. */
type GivenReason = { key: RecordKey; configId: string; reason: string };

const isScore = (given: GivenScore | GivenReason): given is GivenScore => 'score' in given;

const toStored = (config: ScoringConfig, { key, configId, score, raw, madeBy }: GivenScore): StoredScore => ({
  n: key.n,
  configId,
  score: raw,
  madeBy,
  ...fitOf(scaleOf(config), score),
});

type Configs = ReadonlyMap<string, ScoringConfig>;

/** Returns the configurations of scores by their ids, without those of another project. */
export const findConfigsOfScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: Pick<GivenScore, 'configId'>[],
): Promise<Configs> => {
  if (given.length === 0) return new Map();
  const configIds = [...new Set(given.map(({ configId }) => configId))];
  // Sent at once, so that it is in one batch with the statements beside it.
  const configs = await findConfigsOfRun(tx, scope, runId, configIds).execute();
  return new Map(configs.map((config) => [config.id, config]));
};

/** Throws 400 for a configuration that scores spans: the score of a record follows from theirs. */
export const requireRecordMetric = ({ spans }: Pick<ScoringConfig, 'spans'>): void => {
  if (spans !== null)
    throw invalid(
      '/metricConfigId',
      `names a metric that scores spans (${spans}): store a score of a span of the record, with PUT /records/{recordId}/scores/{metricConfigId}/spans/{spanId}`,
    );
};

const requireConfigs = (given: Pick<GivenScore, 'configId'>[], configs: Configs): void => {
  const unknown = given.find(({ configId }) => !configs.has(configId));
  if (unknown) throw notFound('metric configuration', unknown.configId);
  for (const config of configs.values()) requireRecordMetric(config);
};

/** Locks the records and returns the configurations. Throws 404 for a record of another run, or a configuration of another project. */
const requireParents = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: Pick<GivenScore, 'key' | 'configId'>[],
): Promise<Configs> => {
  const numbers = [...new Set(given.map(({ key }) => key.n))];
  const [records, configs] = await Promise.all([
    lockRecords(tx, scope, runId, numbers).execute(),
    findConfigsOfScores(tx, scope, runId, given),
  ]);
  const found = new Set(records.map(({ n }) => n));
  const lost = given.find(({ key }) => key.runId !== runId || !found.has(key.n));
  if (lost) throw notFound('record', recordIdOf(lost.key));
  requireConfigs(given, configs);
  return configs;
};

/** Maximum number of bytes of a record's scores: one answer has all of them, and forty scores of 15 MB would not fit. */
const maxScoresBytes = 100_000_000;
/** Only larger scores are checked against it: a record has room for a hundred smaller ones. */
const largeScore = 1_000_000;

/** The expected outputs of these scores' records, as text by number; only those of metrics whose criteria are in them. */
const expectedOf = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: GivenScore[],
  configs: Configs,
): Promise<ReadonlyMap<number, RawJson>> => {
  const needed = given.filter(
    ({ configId }) => storedCriteria(configs.get(configId)!.criteria)?.fromExpected,
  );
  if (needed.length === 0) return new Map();
  const rows = await findExpected(tx, scope, runId, [...new Set(needed.map(({ key }) => key.n))]);
  return new Map(rows.map(({ n, expected }) => [n, expected]));
};

/**
 * Makes the scores of metrics with criteria of their verdicts; those that lack one become reasons. Other scores stay as they are.
 * Throws 400 for verdicts that do not fit.
 */
const weighScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: GivenScore[],
  configs: Configs,
): Promise<{ scores: GivenScore[]; partial: StoredReason[] }> => {
  const expected = await expectedOf(tx, scope, runId, given, configs);
  const scores: GivenScore[] = [];
  const partial: StoredReason[] = [];
  for (const each of given) {
    const { key, configId } = each;
    const criteria = storedCriteria(configs.get(configId)!.criteria);
    const made = criteria && scoreByCriteria(criteria, expected.get(key.n) ?? '{}', each);
    if (!made) scores.push(each);
    else if ('raw' in made) scores.push({ ...each, ...made });
    else
      partial.push({
        n: key.n,
        configId,
        reason: made.reason,
        evidence: JSON.stringify({ criteria: made.verdicts }),
      });
  }
  return { scores, partial };
};

/** Stores scores whose parents have been required. */
const storeScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: GivenScore[],
  configs: Configs,
): Promise<{ scores: GivenScore[]; stored: StoredScore[] }> => {
  if (given.length === 0) return { scores: [], stored: [] };
  const { scores, partial } = await weighScores(tx, scope, runId, given, configs);
  const stored = scores.map((score) => toStored(configs.get(score.configId)!, score));
  if (stored.length > 0) await upsertScoreRows(tx, scope, runId, stored);
  if (partial.length > 0) await upsertReasonRows(tx, scope, runId, partial);
  const numbers = scores.filter(({ raw }) => raw.length > largeScore).map(({ key }) => key.n);
  if (numbers.length > 0) {
    const [overfull] = await findOverfull(tx, scope, runId, numbers, maxScoresBytes);
    if (overfull)
      throw invalid(
        '/score',
        `makes the scores of record ${runId}-${overfull.n} larger than 100 MB in total`,
      );
  }
  return { scores, stored };
};

/** Stores a score as a review by the member of `author`. */
export type NoteReview = (
  tx: Sql,
  author: Scope,
  key: RecordKey & { configId: string },
  given: { score: Record<string, unknown>; raw: RawJson; madeBy?: Stated | undefined },
) => Promise<void>;

/** Returns the scope of the member who gave a score. Throws 400 unless it is a member and the metric is a human one. */
const authorOf = async (
  tx: Sql,
  scope: Scope,
  { evalType }: ScoringConfig,
  userId: string,
): Promise<Scope> => {
  if (evalType !== 'human')
    throw invalid('/userId', 'must be left out: only scores of human metrics have an author');
  if (!isUuid(userId) || (await lockMember(tx, scope, userId)).length === 0)
    throw invalid('/userId', 'must be the id of a member of your organization');
  return { ...scope, memberId: userId.toLowerCase() };
};

/**
 * Stores one score as it was sent, with its validation errors. A score with a `userId` is that member's and counts as their
 * review. Without a score it queues one for a person. Throws 400 when the metric is not a human one, or the author is not a member.
 */
export const upsertScore = async (
  tx: Sql,
  scope: Scope,
  key: RecordKey,
  configId: string,
  given:
    | { score: Record<string, unknown>; raw: RawJson; userId: string | undefined; madeBy: Stated | undefined }
    | undefined,
  noteReview: NoteReview,
): Promise<string> => {
  const { runId, n } = key;
  const configs = await requireParents(tx, scope, runId, [{ key, configId }]);
  const config = configs.get(configId)!;
  if (given) {
    const author = given.userId === undefined ? undefined : await authorOf(tx, scope, config, given.userId);
    const { scores } = await storeScores(tx, author ?? scope, runId, [{ key, configId, ...given }], configs);
    if (author && scores[0]) await noteReview(tx, author, { ...key, configId }, scores[0]);
  } else {
    if (config.evalType !== 'human')
      throw invalid('/score', 'is required: only records of human metrics can be queued');
    if (config.isDeleted) throw invalid('/score', 'is required: the metric was deleted');
    await queueScore(tx, scope, runId, n, configId);
  }
  return bodyOf(await findScore(tx, scope, runId, n, configId), 'score', configId);
};

/** Reads the items of a bulk request. Throws 400 for one without a score or a reason, and for two of the same record and configuration. */
export const readItems = (body: ScoresUpsert, rawBody: RawJson): (GivenScore | GivenReason)[] => {
  const texts = elements(members(rawBody).get('items')!);
  const seen = new Set<string>();
  const issues: Issue[] = [];
  const items = body.items.map(({ recordId, metricConfigId, score, reason, madeBy }, i) => {
    const key = recordKey(recordId);
    const configId = uuidId('metric configuration', metricConfigId);
    const name = `${recordId} ${configId}`;
    if (seen.has(name))
      issues.push({ path: `/items/${i}`, message: 'must not repeat a record and configuration' });
    seen.add(name);
    if ((score === undefined) === (reason === undefined))
      issues.push({ path: `/items/${i}`, message: 'must have either a score or a reason why there is none' });
    if (score === undefined) return { key, configId, reason: reason ?? '' };
    return { key, configId, score, madeBy, raw: freeForm(texts[i]!, ['score'], `/items/${i}`).score! };
  });
  if (issues.length > 0) throw invalidAll(issues);
  return items;
};

/** Reads the scores of one record of a bulk create. */
export const readBroughtScores = (
  scores: { metricConfigId: string; score: Record<string, unknown>; madeBy?: Stated }[] = [],
  text: RawJson,
  path: string,
): BroughtScore[] => {
  if (scores.length === 0) return [];
  const texts = elements(members(text).get('scores')!);
  return scores.map(({ metricConfigId, score, madeBy }, i) => ({
    configId: uuidId('metric configuration', metricConfigId),
    score,
    madeBy,
    raw: freeForm(texts[i]!, ['score'], `${path}/scores/${i}`).score!,
  }));
};

/**
 * Stores the scores that came with new records. Of two scores for one record and configuration the last one counts. Throws 404
 * for a configuration that is not among `configs`.
 */
export const storeBroughtScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  brought: GivenScore[],
  configs: Configs,
) => {
  if (brought.length === 0) return;
  requireConfigs(brought, configs);
  const last = new Map(brought.map((score) => [`${score.key.n} ${score.configId}`, score]));
  await storeScores(tx, scope, runId, [...last.values()], configs);
};

/** Masks what a bulk request says about a record: its score, or the reason why there is none. */
export const maskItem = (
  masker: ProjectMasker | undefined,
  item: GivenScore | GivenReason,
): GivenScore | GivenReason => {
  if (isScore(item)) return maskScore(masker, item);
  return masker ? { ...item, reason: masker.text(item.reason) } : item;
};

/** Stores many scores of one run, and the reasons of records without a score, all or none. */
export const upsertScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  items: (GivenScore | GivenReason)[],
): Promise<string> => {
  requireOne(await findRunId(tx, scope, runId), 'run', String(runId));
  const configs = await requireParents(tx, scope, runId, items);
  const { stored } = await storeScores(tx, scope, runId, items.filter(isScore), configs);
  const reasons = items.flatMap((item) =>
    isScore(item) ? [] : [{ n: item.key.n, configId: item.configId, reason: item.reason, evidence: null }],
  );
  if (reasons.length > 0) await upsertReasonRows(tx, scope, runId, reasons);
  const errors = new Map(
    stored.map(({ n, configId, validationErrors }) => [`${n} ${configId}`, validationErrors]),
  );
  const texts = items.map(({ key: { n }, configId }) => {
    const validationErrors = errors.get(`${n} ${configId}`) ?? null;
    return (
      `{"recordId":"${runId}-${n}","metricConfigId":"${configId}"` +
      `${validationErrors === null ? '' : `,"validationErrors":${validationErrors}`}}`
    );
  });
  return `{"items":[${texts.join(',')}]}`;
};
