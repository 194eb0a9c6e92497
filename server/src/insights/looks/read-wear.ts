import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { levelLeft, levelOfLook } from '../../engine/statistics/ledger.ts';
import { countFresh } from '../../evaluation/testsets/fresh-queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { countOfRun } from './fresh-queries.ts';
import { countLooks } from './queries.ts';
import { readFresh } from './read-fresh.ts';
import type { WearQuery } from './schema.ts';

type Asked = Omit<WearQuery, 'split'> & { split?: string | null };

/** Reads how often a testset was looked at, and whether fresh testcases pass as often as old ones, as JSON text. */
export const readWear = async (
  db: Database,
  scope: Scope,
  testsetId: bigint,
  { per = 'year', alpha = 0.05, split = null, runId, level = defaultLevel }: Asked,
): Promise<string> => {
  const run = runId === undefined ? null : numericId('run', runId);
  const [counted] = await db.read(scope, (sql) => countLooks(sql, scope, { testsetId, split, per }));
  const [pool] = await db.read(scope, (sql) => countFresh(sql, scope, testsetId));
  const [ofRun] = run === null ? [] : await db.read(scope, (sql) => countOfRun(sql, scope, testsetId, run));
  const metrics = pool!.numTaken === 0 ? [] : await readFresh(db, scope, { testsetId, split, alpha, level });
  const { numLooks, numVersions } = counted!;
  const of = split === null ? 'this testset' : `the split ${split}`;
  const sentence = `${countInWords(numLooks, 'look')} at ${countInWords(numVersions, 'version')} on ${of} this ${per}.`;
  return JSON.stringify({
    testsetId: String(testsetId),
    split,
    per,
    ...counted,
    alpha,
    next: levelOfLook(alpha, numLooks + 1),
    left: levelLeft(alpha, numLooks),
    sentence,
    ...pool,
    numOfRun: ofRun?.n ?? null,
    metrics,
  });
};
