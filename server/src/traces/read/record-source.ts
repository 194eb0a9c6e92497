import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { type Ask, spansOfTest, testOfLink } from '../store/test-spans.ts';
import { findLinkOfRecord, type SpansOf, spansOfRecord } from './read-queries.ts';

/** What a tree or a conversation is read from: the spans, and the link that the root spans of a record have. */
export type Source = { spans: SpansOf; link: string | null };

const spansNamed =
  ({ traceId, spanIds }: { traceId: bigint; spanIds: string[] }): SpansOf =>
  (sql): Fragment =>
    sql`span.trace_id = ${traceId} and span.span_id in (select span_id from ${rowsOf(
      sql,
      spanIds.map((spanId) => ({ spanId })),
      { span_id: 'bytea' },
    )})`;

/**
 * Returns where the spans of a record are: those of its traces, or those below its test, which share a trace with the other tests of the
 * suite. Undefined when there is no such record.
 */
export const findSource = async (
  ask: Ask,
  owner: Owner,
  key: RecordKey,
): Promise<(Source & { projectId: bigint }) | undefined> => {
  const [found] = await ask((sql) => findLinkOfRecord(sql, owner, key));
  if (!found) return undefined;
  const { projectId, link } = found;
  const test = testOfLink(link);
  const below = test && (await spansOfTest(ask, owner, projectId, test));
  // The link is that of the test's record. Its spans have none, or that of another record.
  return below
    ? { spans: spansNamed(below), link: null, projectId }
    : { spans: spansOfRecord(key), link, projectId };
};

/** Reads by statements of their own. */
export const askDatabase =
  (db: Database, owner: Owner): Ask =>
  (statement) =>
    db.read(owner, statement);

/** Reads in a transaction. */
export const askIn =
  (tx: Sql): Ask =>
  async (statement) =>
    statement(tx);
