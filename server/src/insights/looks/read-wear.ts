import type { Static } from 'typebox';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { levelLeft, levelOfLook } from '../../engine/statistics/ledger.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { countLooks } from './queries.ts';
import type { WearQuery } from './schema.ts';

/** Reads how often a testset was looked at, as JSON text. */
export const readWear = async (
  db: Database,
  scope: Scope,
  testsetId: bigint,
  {
    per = 'year',
    alpha = 0.05,
    split = null,
  }: Omit<Static<typeof WearQuery>, 'split'> & { split?: string | null },
): Promise<string> => {
  const [counted] = await db.read(scope, (sql) => countLooks(sql, scope, { testsetId, split, per }));
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
  });
};
