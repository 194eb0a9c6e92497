import type { Sql, Statement } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { countMembers, findEdition, presentEdition } from './snapshot-queries.ts';

/** The testcases of a testset that a run is about. */
type Wanted = { snapshot?: number | undefined; split?: string | undefined };

/** Throws if a snapshot or a split is asked for without a testset. */
export const requireNoTestcases = ({ snapshot, split }: Wanted): void => {
  if (snapshot !== undefined) throw invalid('/snapshot', 'must be given with testsetId');
  if (split !== undefined) throw invalid('/split', 'must be given with testsetId');
};

/** Runs one statement, in a transaction or without one. */
type Read = <T extends object>(statement: (sql: Sql) => Statement<T>) => Promise<T[]>;

/** Counts the testcases of a snapshot, or of now, and of a split, or of all. Throws if the snapshot or the split does not exist. */
export const countWanted = async (
  read: Read,
  scope: Scope,
  testsetId: bigint,
  { snapshot, split }: Wanted,
): Promise<{ n: number; edition: number }> => {
  const { edition } =
    snapshot === undefined
      ? { edition: presentEdition }
      : requireOne(
          await read((sql) => findEdition(sql, scope, { testsetId, n: snapshot })),
          'snapshot',
          String(snapshot),
        );
  const [counted] = await read((sql) => countMembers(sql, scope, testsetId, { edition, split }));
  if (split !== undefined && counted!.n === 0)
    throw invalid(
      '/split',
      `must be a split of the testset: no testcase has the split ${JSON.stringify(split)}`,
    );
  return { n: counted!.n, edition };
};
