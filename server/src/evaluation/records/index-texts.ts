import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { anyFields, fieldsOf, type RecordFields } from './record-fields.ts';

/** Number of texts that one transaction indexes: 40 ms on a server, 100 ms on the embedded database, which runs nothing else in that time. */
const batchSize = 200;
/** How long to wait after a batch when more texts wait, as a multiple of its time: writers of records come first. */
const restFactor = 3;
/** After so many full batches in a row there is no rest: a search reads the texts that wait one by one. */
const restlessAfter = 10;

/** A record of more bytes is not looked through: a search tests it itself. */
const largestRecord = 1_000_000;
/** Bytes of records that the service reads at once. */
const mostBytes = 8_000_000;

type Indexed = {
  organizationId: bigint;
  projectId: bigint;
  runId: bigint;
  n: number;
  inputs: string | null;
  expected: string;
  outputs: string;
};

/** Locks the next texts, and returns their records without the contents of large ones. Reads record_text_waiting. */
const takeWaiting = (tx: Sql, most: number, projectId: bigint | undefined) => tx<Indexed[]>`
  with next as materialized (
    select run_id, n from record_text
    where not indexed ${projectId === undefined ? tx`` : tx`and project_id = ${projectId}`}
    limit ${most} for update skip locked),
  sized as (
    select r.*, octet_length(inputs::text) + octet_length(expected::text) + octet_length(outputs::text) as size
    from next join record r on r.run_id = next.run_id and r.n = next.n),
  added as (
    select *, sum(least(size, ${largestRecord})) over (order by run_id, n) as bytes from sized)
  select organization_id as "organizationId", project_id as "projectId", run_id as "runId", n,
    case when size <= ${largestRecord} then inputs::text end as inputs, expected::text, outputs::text
  from added where bytes <= ${mostBytes}`;

/** Returns the hash that names a set of fields; 0 if they are not known. */
const shapeOf = ({ paths }: RecordFields): bigint =>
  paths === undefined ? 0n : createHash('sha256').update(JSON.stringify(paths)).digest().readBigInt64BE();

/**
 * Puts up to `most` texts into the trigram index, the numbers of their records into record_number, their fields into record_shape,
 * and returns the number of texts. Other processes take other texts.
 */
export const indexTexts = async (tx: Sql, most: number, projectId?: bigint): Promise<number> => {
  const records = (await takeWaiting(tx, most, projectId)).map(({ inputs, ...record }) => {
    const fields = inputs === null ? anyFields : fieldsOf({ ...record, inputs });
    return { ...record, fields, shape: shapeOf(fields) };
  });
  if (records.length === 0) return 0;
  const numbers = records.flatMap(({ fields, ...record }) =>
    fields.numbers.map((number) => ({ ...record, ...number })),
  );
  const shapes = new Map(records.map((record) => [`${record.projectId} ${record.shape}`, record]));
  await tx`
    with item as materialized (
      select * from ${rowsOf(tx, records, { run_id: 'bigint', n: 'integer', shape: 'bigint' })}),
    texts as (
      update record_text set shape = item.shape
      from item where record_text.run_id = item.run_id and record_text.n = item.n),
    -- In a fixed order, so that two processes do not wait for each other.
    shapes as (
      insert into record_shape (organization_id, project_id, shape, fields)
      select organization_id, project_id, shape, array(select json_array_elements_text(fields::json))
      from ${rowsOf(
        tx,
        [...shapes.values()].flatMap(({ fields: { paths }, ...record }) =>
          paths === undefined ? [] : [{ ...record, fields: JSON.stringify(paths) }],
        ),
        { organization_id: 'bigint', project_id: 'bigint', shape: 'bigint', fields: 'json text' },
      )}
      order by project_id, shape
      -- Updates nothing, and locks the shape against its deletion with the last other record.
      on conflict (project_id, shape) do update set fields = excluded.fields where false),
    outdated as (
      delete from record_number using item where record_number.run_id = item.run_id and record_number.n = item.n)
    insert into record_number (organization_id, project_id, run_id, n, field, value)
    select organization_id, project_id, run_id, n, field, value
    from ${rowsOf(tx, numbers, {
      organization_id: 'bigint',
      project_id: 'bigint',
      run_id: 'bigint',
      n: 'integer',
      field: 'text',
      value: 'double precision',
    })}`;
  return records.length;
};

/**
 * Finds a project whose index lacks texts, after the project `last`: projects take turns. It reads, because in an idle service a
 * transaction for each look would be half of the load.
 */
const findWaiting = async (db: Database, last: bigint): Promise<bigint | undefined> => {
  const [found] = await db.read(
    system,
    (sql) => sql<{ projectId: bigint }[]>`
      select project_id as "projectId" from project_settings settings
      where search_index and exists (select from record_text t where t.project_id = settings.project_id and not t.indexed)
      order by project_id <= ${last}, project_id limit 1`,
  );
  return found?.projectId;
};

/**
 * Indexes the texts of new records in the background, batch by batch, in the projects that are searched. A search reads those that still
 * wait one by one.
 */
export const startIndexing = (
  { db, log }: { db: Database; log: FastifyBaseLogger },
  everyMs = 5_000,
): { stop: () => Promise<void> } => {
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();
  let isStopping = false;
  let last = 0n;
  let fullBatches = 0;
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      round = indexBatch();
    }, ms);
  };
  /** Returns how long to wait for the next batch. */
  const indexNext = async (): Promise<number> => {
    const begun = performance.now();
    const projectId = await findWaiting(db, last);
    if (projectId === undefined) return everyMs;
    last = projectId;
    const indexed = await db.transaction(system, (tx) => indexTexts(tx, batchSize, projectId));
    fullBatches = indexed === batchSize ? fullBatches + 1 : 0;
    if (indexed === 0) return everyMs;
    return fullBatches > restlessAfter ? 0 : restFactor * (performance.now() - begun);
  };
  const indexBatch = async () => {
    const restMs = await indexNext().catch((error) => {
      log.warn({ err: error }, 'texts of records were not indexed; the next round retries');
      return everyMs;
    });
    if (!isStopping) wait(restMs);
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
