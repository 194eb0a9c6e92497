import type { Static } from 'typebox';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { countDifferences } from '../../evaluation/testsets/snapshot-queries.ts';
import type { SnapshotOfRun } from '../../evaluation/testsets/snapshot-schema.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { CompareJob } from './compare.ts';
import type { RunHead } from './queries.ts';

type Differences = NonNullable<CompareJob['testcases'][string]>;

/** The snapshot of a run. */
export const snapshotOf = ({ snapshot }: Pick<RunHead, 'snapshot'>): Static<typeof SnapshotOfRun> =>
  JSON.parse(snapshot ?? 'null');

/** The testcases of a run in words: `snapshot 3` or `split test of snapshot 3`. */
const nameOf = (n: number, split: string | null) =>
  `${split === null ? '' : `split ${split} of `}snapshot ${n}`;

const differ = async (
  db: Database,
  scope: Scope,
  before: RunHead,
  after: RunHead,
): Promise<Differences | null> => {
  const [from, to] = [snapshotOf(before), snapshotOf(after)];
  if (!from || !to || before.testsetId === null || before.testsetId !== after.testsetId) return null;
  const [then, now] = [
    { n: from.number, split: before.split },
    { n: to.number, split: after.split },
  ];
  const isOneSet = from.hash === to.hash && before.split === after.split;
  const found = isOneSet
    ? []
    : await db.read(scope, (sql) => countDifferences(sql, scope, before.testsetId!, then, now));
  const { numAdded, numChanged, numRemoved } = found[0] ?? { numAdded: 0, numChanged: 0, numRemoved: 0 };
  const same = numAdded + numChanged + numRemoved === 0;
  const [first, second] = [nameOf(then.n, then.split), nameOf(now.n, now.split)];
  const counts = `${countInWords(numAdded, 'testcase')} added, ${numChanged} changed, ${numRemoved} removed`;
  const sentence = same
    ? `Both runs are about the same testcases: ${second}.`
    : `The testcases differ: ${first} and ${second} (${counts}). Only testcases that both runs have unchanged are compared.`;
  return { same, numAdded, numChanged, numRemoved, sentence };
};

/** Reads what differs between the testcases of the runs of each pair, by their ids. */
export const readDifferences = async (
  db: Database,
  scope: Scope,
  heads: readonly RunHead[],
  pairsOf: CompareJob['pairsOf'],
): Promise<CompareJob['testcases']> => {
  const firsts = pairsOf === 'first' ? heads.slice(0, 1) : heads;
  const found: CompareJob['testcases'] = {};
  for (const [i, before] of firsts.entries())
    for (const after of heads.slice(i + 1))
      found[`${before.id} ${after.id}`] = await differ(db, scope, before, after);
  return found;
};
