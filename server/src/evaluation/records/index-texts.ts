import type { FastifyBaseLogger } from 'fastify';
import { type Database, type Sql, system } from '../../platform/db/database.ts';

/** Number of texts that one transaction indexes: 30 ms on a server, 100 ms on the embedded database, which runs nothing else in that time. */
const batchSize = 200;
/** How long to wait after a batch when more texts wait, as a multiple of its time: writers of records come first. */
const restFactor = 3;

/**
 * Puts up to `most` texts into the trigram index, the numbers of their records into record_number, their fields into record_shape,
 * and returns the number of texts. Other processes take other texts.
 */
export const indexTexts = async (tx: Sql, most: number): Promise<number> => {
  const [found] = await tx<{ count: number }[]>`
    with next as (
      select run_id, n from record_text where not indexed limit ${most} for update skip locked),
    content as materialized (
      select r.*, field_paths(r.inputs, r.expected, r.outputs) as fields
      from next join record r on r.run_id = next.run_id and r.n = next.n),
    shaped as materialized (
      select *, coalesce(hashtextextended(fields::text, 0), 0) as shape from content),
    texts as (
      update record_text set shape = shaped.shape
      from shaped where record_text.run_id = shaped.run_id and record_text.n = shaped.n),
    -- In a fixed order, so that two processes do not wait for each other.
    shapes as (
      insert into record_shape (organization_id, project_id, shape, fields)
      select distinct on (project_id, shape) organization_id, project_id, shape, fields from shaped
      where shape <> 0 order by project_id, shape
      -- Updates nothing, and locks the shape against its deletion with the last other record.
      on conflict (project_id, shape) do update set fields = excluded.fields where false),
    outdated as (
      delete from record_number using next where record_number.run_id = next.run_id and record_number.n = next.n),
    numbers as (
      insert into record_number (organization_id, project_id, run_id, n, field, value)
      select shaped.organization_id, shaped.project_id, shaped.run_id, shaped.n, entry.field, entry.value
      from shaped
      cross join lateral number_fields(shaped.inputs, shaped.expected, shaped.outputs) entry)
    select count(*)::integer as count from next`;
  return found!.count;
};

/** In an idle service, a transaction for each look would be half of the load. Reads record_text_waiting. */
const isWaiting = async (db: Database): Promise<boolean> => {
  const found = await db.read(
    system,
    (sql) => sql<object[]>`select from record_text where not indexed limit 1`,
  );
  return found.length > 0;
};

/** Indexes the texts of new records in the background, batch by batch. A search reads those that still wait one by one. */
export const startIndexing = (
  { db, log }: { db: Database; log: FastifyBaseLogger },
  everyMs = 5_000,
  idleMs = 2 * everyMs,
): { stop: () => Promise<void> } => {
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();
  let isStopping = false;
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      round = indexBatch();
    }, ms);
  };
  const indexBatch = async () => {
    const begun = performance.now();
    const indexed = await isWaiting(db)
      .then((waiting) => (waiting ? db.transaction(system, (tx) => indexTexts(tx, batchSize)) : 0))
      .catch((error) => {
        log.warn({ err: error }, 'texts of records were not indexed; the next round retries');
        return 0;
      });
    const restMs = indexed === batchSize ? restFactor * (performance.now() - begun) : everyMs;
    if (!isStopping) wait(indexed > 0 ? restMs : idleMs);
  };
  wait(everyMs);
  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await round;
    },
  };
};
