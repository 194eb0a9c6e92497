import { findRecords } from '../../evaluation/records/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { recordKey } from '../../platform/http/ids.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';

type Side = { recordIds: string[] } | null;

/** The first record of each side; undefined if a run does not have the testcase. */
const firstIds = ({ body }: PageRow): [before: string | undefined, after: string | undefined] => {
  const { before, after } = JSON.parse(body) as { before: Side; after: Side };
  return [before?.recordIds[0], after?.recordIds[0]];
};

/** Adds the first record of both sides to each testcase, as their texts. */
export const withRecords = async (db: Database, scope: Scope, changes: PageRow[]): Promise<PageRow[]> => {
  const keys = changes.flatMap(firstIds).flatMap((id) => (id === undefined ? [] : [recordKey(id)]));
  const found = await db.read(scope, (sql) => findRecords(sql, scope, keys));
  const records = new Map(found.map(({ id, body }) => [id, body]));
  return changes.map((change) => {
    const [before, after] = firstIds(change).map((id) => records.get(id ?? '') ?? 'null');
    const body = `${change.body.slice(0, -1)},"records":{"before":${before},"after":${after}}}`;
    return { ...change, body };
  });
};
