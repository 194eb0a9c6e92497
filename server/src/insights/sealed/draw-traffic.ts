import { draw } from '../../evaluation/samples/draw.ts';
import { insertTestcases, takeTestcaseNumbers } from '../../evaluation/testsets/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { members, pick, type RawJson } from '../../platform/json/json.ts';
import { testcaseOfRecord } from '../../traces/store/testcase-of-record.ts';
import type { SealSource } from './queries.ts';
import { findInputFields, listTrafficKeys } from './vault-queries.ts';

export type Traffic = { size: number; days?: number };

/** What a seal is made of: its testcases' numbers in the testset, and the function that brings them into the vault. */
export type Sealing = {
  numbers: number[];
  numSeen: number;
  source: SealSource;
  bring: (vault: Scope, vaultTestsetId: bigint) => Promise<unknown>;
};

/**
 * Draws records of the traffic, each with the same probability, and makes testcases of their inputs. They take numbers of the testset, so
 * that they have a place there when they open. Throws 400 if there are too few records.
 */
export const drawTraffic = async (
  tx: Sql,
  scope: Scope,
  { projectId, testsetId, seed }: { projectId: bigint; testsetId: bigint; seed: number },
  { size, days = 30 }: Traffic,
): Promise<Sealing> => {
  const keys = await listTrafficKeys(tx, scope, projectId, days);
  if (keys.length < size)
    throw invalid('/traffic/size', `must be at most the ${keys.length} records of the last ${days} days`);
  const drawn = keys
    .map((key) => ({ key, at: draw(seed, `sealed ${key.runId}-${key.n}`) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, size);
  const { fields } = requireOne(await findInputFields(tx, scope, testsetId), 'testset', String(testsetId));
  const documents: RawJson[] = [];
  for (const { key } of drawn)
    documents.push(pick(await testcaseOfRecord(tx, scope, key, testsetId), fields));
  const empty = documents.filter((document) => members(document).size === 0).length;
  if (empty > 0)
    throw invalid(
      '/traffic',
      `must have the inputs of the testset (${fields.join(', ')}): ${empty} of ${size} drawn records have none of them`,
    );
  const [taken] = await takeTestcaseNumbers(tx, scope, testsetId, size);
  const firstN = taken!.last - size + 1;
  return {
    numbers: documents.map((_, i) => firstN + i),
    numSeen: 0,
    source: { traffic: { size, days, seed, numRecords: keys.length }, probability: size / keys.length },
    bring: (vault, vaultTestsetId) =>
      insertTestcases(
        tx,
        vault,
        vaultTestsetId,
        { firstN, edition: 1 },
        documents,
        documents.map(() => []),
      ),
  };
};
