import type { Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';

/** Number of blocks of a run: so many transactions add records to it at once. */
const numBlocks = 8;
/** Numbers that a block is given. Those that are left of it when the run ends are given to no record. */
const blockSize = 256;

/**
 * Takes the next `count` numbers of the run and returns the last of them. Holds the run's row until the commit: creates in one run take
 * turns, so those that arrive together are written together.
 */
export const takeRecordNumbers = (tx: Sql, scope: Owner, runId: bigint, count: number) => tx<
  { last: number }[]
>`
  update run set last_record_n = last_record_n + ${count}
  where organization_id = ${scope.organizationId} and id = ${runId}
  returning last_record_n as last`;

/** Gives a run its blocks, if it has none. They are empty. */
const insertBlocks = (tx: Sql, { organizationId }: Owner, runId: bigint) => tx`
  insert into number_block (organization_id, run_id, block)
  select organization_id, id, generate_series(1, ${numBlocks}::integer)
  from run where organization_id = ${organizationId} and id = ${runId}
  on conflict do nothing`;

/**
 * Takes `count` numbers from the first block that no other transaction holds, and holds it until the commit. A block with fewer numbers
 * loses them and is given others. Returns no row if all are held, or if the run has none. The run is locked first, as its deletion does.
 */
const takeFromBlock = (tx: Sql, { organizationId }: Owner, runId: bigint, count: number) => {
  const size = Math.max(blockSize, count);
  return tx<{ last: number }[]>`
  with held as materialized (
    select id from run where organization_id = ${organizationId} and id = ${runId} for key share),
  free as materialized (
    select block, last_n, end_n from number_block join held on held.id = run_id
    where number_block.organization_id = ${organizationId}
    order by block limit 1 for update of number_block skip locked),
  given as (
    update run set last_record_n = last_record_n + ${size}
    from free
    where run.organization_id = ${organizationId} and run.id = ${runId} and free.last_n + ${count} > free.end_n
    returning last_record_n as end_n)
  update number_block
  set last_n = coalesce(given.end_n - ${size}, free.last_n) + ${count},
    end_n = coalesce(given.end_n, free.end_n)
  from free left join given on true
  where number_block.organization_id = ${organizationId} and number_block.run_id = ${runId} and number_block.block = free.block
  returning number_block.last_n as last`;
};

/**
 * Takes `count` consecutive numbers of a run to which many requests add records at once, such as the traces of a day, and returns the last
 * of them; undefined if the run was deleted. Requests do not wait for each other, so the numbers are not in the order of the commits.
 */
export const takeNumbersAtOnce = async (
  tx: Sql,
  scope: Owner,
  runId: bigint,
  count: number,
): Promise<number | undefined> => {
  const [fromBlock] = await takeFromBlock(tx, scope, runId, count);
  if (fromBlock) return fromBlock.last;
  const [[taken]] = await Promise.all([
    takeRecordNumbers(tx, scope, runId, count).execute(),
    insertBlocks(tx, scope, runId).execute(),
  ]);
  return taken?.last;
};
