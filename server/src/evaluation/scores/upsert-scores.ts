import type { Sql } from '../../platform/db/database.ts';
import { type Issue, invalid, invalidAll, notFound } from '../../platform/errors.ts';
import { bodyOf, one } from '../../platform/http/http.ts';
import { type RecordKey, recordKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, freeForm, members, type RawJson } from '../../platform/json/json.ts';
import { findRunId } from '../runs/queries.ts';
import {
  findConfigsOfRun,
  findOverfull,
  findScore,
  lockRecords,
  queueScore,
  type ScoringConfig,
  type StoredScore,
  upsertScoreRows,
} from './queries.ts';
import type { ScoresUpsert } from './schema.ts';
import { fitOf } from './validate-score.ts';

/** A score that comes with a record that is yet to be made. */
export type BroughtScore = Omit<GivenScore, 'key'>;

type GivenScore = { key: RecordKey; configId: string; score: Record<string, unknown>; raw: RawJson };

const judgeFit = ({ outputType }: ScoringConfig, { key, configId, score, raw }: GivenScore): StoredScore => ({
  n: key.n,
  configId,
  score: raw,
  ...fitOf(outputType, score),
});

/** Throws notFound for a record that is not in the run, or a configuration of another project. */
export const requireParents = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: Pick<GivenScore, 'key' | 'configId'>[],
) => {
  const numbers = [...new Set(given.map(({ key }) => key.n))];
  const configIds = [...new Set(given.map(({ configId }) => configId))];
  const found = new Set((await lockRecords(tx, scope, runId, numbers)).map((row) => row.n));
  const configs = new Map(
    (await findConfigsOfRun(tx, scope, runId, configIds)).map((config) => [config.id, config]),
  );
  for (const { key, configId } of given) {
    if (key.runId !== runId || !found.has(key.n)) throw notFound('record', `${key.runId}-${key.n}`);
    if (!configs.has(configId)) throw notFound('metric configuration', configId);
  }
  return configs;
};

/** An answer has all scores of a record: forty of 15 MB could be written, but never read again. */
const maxScoresBytes = 100_000_000;
/** Smaller ones are not looked at: a record of a hundred metrics has room for them. */
const largeScore = 1_000_000;

const storeScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  given: GivenScore[],
): Promise<StoredScore[]> => {
  const configs = await requireParents(tx, scope, runId, given);
  const stored = given.map((score) => judgeFit(configs.get(score.configId)!, score));
  await upsertScoreRows(tx, scope, runId, stored);
  const numbers = given.filter(({ raw }) => raw.length > largeScore).map(({ key }) => key.n);
  if (numbers.length > 0) {
    const [overfull] = await findOverfull(tx, scope, runId, numbers, maxScoresBytes);
    if (overfull)
      throw invalid(
        '/score',
        `makes the scores of record ${runId}-${overfull.n} larger than 100 MB in total`,
      );
  }
  return stored;
};

/**
 * Stores one score as it is, with what does not fit its metric. Without a score, queues it for a human: 400 when the metric
 * is not scored by people.
 */
export const upsertScore = async (
  tx: Sql,
  scope: Scope,
  key: RecordKey,
  configId: string,
  given: { score: Record<string, unknown>; raw: RawJson } | undefined,
): Promise<string> => {
  const { runId, n } = key;
  if (given) {
    await storeScores(tx, scope, runId, [{ key, configId, ...given }]);
  } else {
    const configs = await requireParents(tx, scope, runId, [{ key, configId }]);
    const { evalType, isDeleted } = configs.get(configId)!;
    if (evalType !== 'human')
      throw invalid('/score', 'is required: only records of human metrics can be queued');
    if (isDeleted) throw invalid('/score', 'is required: the metric was deleted');
    await queueScore(tx, scope, runId, n, configId);
  }
  return bodyOf(await findScore(tx, scope, runId, n, configId), 'score', configId);
};

/** The items of a bulk call, each with its score's text. Throws 400 when two name the same record and configuration. */
export const readItems = (body: ScoresUpsert, rawBody: RawJson): GivenScore[] => {
  const texts = elements(members(rawBody).get('items')!);
  const seen = new Set<string>();
  const issues: Issue[] = [];
  const items = body.items.map((item, i): GivenScore => {
    const key = recordKey(item.recordId);
    const configId = uuidId('metric configuration', item.metricConfigId);
    const name = `${item.recordId} ${configId}`;
    if (seen.has(name))
      issues.push({ path: `/items/${i}`, message: 'must not repeat a record and configuration' });
    seen.add(name);
    return { key, configId, score: item.score, raw: freeForm(texts[i]!, ['score'], `/items/${i}`).score! };
  });
  if (issues.length > 0) throw invalidAll(issues);
  return items;
};

/** The scores in one item of a bulk create of records, each with its text. */
export const readBroughtScores = (
  scores: { metricConfigId: string; score: Record<string, unknown> }[] = [],
  text: RawJson,
  path: string,
): BroughtScore[] => {
  if (scores.length === 0) return [];
  const texts = elements(members(text).get('scores')!);
  return scores.map(({ metricConfigId, score }, i) => ({
    configId: uuidId('metric configuration', metricConfigId),
    score,
    raw: freeForm(texts[i]!, ['score'], `${path}/scores/${i}`).score!,
  }));
};

/** Stores the scores that new records have brought. Of two for one record and configuration the last one stays. */
export const storeBroughtScores = async (tx: Sql, scope: Scope, runId: bigint, brought: GivenScore[]) => {
  if (brought.length === 0) return;
  const last = new Map(brought.map((score) => [`${score.key.n} ${score.configId}`, score]));
  await storeScores(tx, scope, runId, [...last.values()]);
};

/** Stores many scores of one run, all or none. */
export const upsertScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  items: GivenScore[],
): Promise<string> => {
  one(await findRunId(tx, scope, runId), 'run', String(runId));
  const stored = await storeScores(tx, scope, runId, items);
  const texts = stored.map(
    ({ n, configId, validationErrors }) =>
      `{"recordId":"${runId}-${n}","metricConfigId":"${configId}"` +
      `${validationErrors === null ? '' : `,"validationErrors":${validationErrors}`}}`,
  );
  return `{"items":[${texts.join(',')}]}`;
};
