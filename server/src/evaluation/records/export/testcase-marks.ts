import type { Sql } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { presentEdition } from '../../testsets/snapshot-queries.ts';

/** A testcase of a record, and the run whose snapshot says which split and tags it had. */
export type MarkedTestcase = { runId: bigint; testsetId: bigint; n: number };
export type FoundMarks = { place: number; split: string | null; tags: string[] };

/**
 * Returns the split and tags of testcases, as the snapshot of the run has them, else as they are now. `place` is the number of the
 * testcase in the list, from 1. Testcases without either are left out. Reads testcase_pkey and the key of testcase_past.
 */
export const findMarks = (sql: Sql, scope: Scope, wanted: readonly MarkedTestcase[]) => sql<FoundMarks[]>`
  select wanted.place::int as place, marks.split, marks.tags
  from ${rowsOf(
    sql,
    wanted,
    { run_id: 'bigint', testset_id: 'bigint', n: 'integer' },
    { as: 'wanted', place: 'place' },
  )}
  join run on run.id = wanted.run_id and run.organization_id = ${scope.organizationId}
  left join testset_snapshot snapshot on snapshot.testset_id = wanted.testset_id and snapshot.testset_id = run.testset_id
    and snapshot.n = run.snapshot_n and snapshot.organization_id = ${scope.organizationId}
  cross join lateral (
    select split, tags from testcase
    where testset_id = wanted.testset_id and n = wanted.n and organization_id = ${scope.organizationId}
      and edition <= coalesce(snapshot.edition, ${presentEdition}::integer)
    union all
    select split, tags from testcase_past
    where testset_id = wanted.testset_id and n = wanted.n and organization_id = ${scope.organizationId}
      and edition <= snapshot.edition and until_edition > snapshot.edition) marks
  where marks.split is not null or marks.tags <> '{}'`;
