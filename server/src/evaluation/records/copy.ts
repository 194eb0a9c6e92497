import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Owner } from '../../platform/http/scope.ts';

/**
 * Copies records into a run, each with its search text and its origin. `chosen` selects the `run_id` and `n` of each original and the
 * number of its copy, `place`. Scores are queued by `insertPendingScores`.
 */
export const copyRecords = (tx: Sql, scope: Owner, runId: bigint, chosen: Fragment) => tx`
  with chosen as (${chosen}),
  copied as (
    insert into record (organization_id, project_id, run_id, n, testset_id, testcase_n, testcase_revision, inputs, expected,
      outputs, origin_run_id, origin_n)
    select r.organization_id, r.project_id, ${runId}, chosen.place, r.testset_id, r.testcase_n, r.testcase_revision, r.inputs,
      r.expected, r.outputs, r.run_id, r.n
    from chosen
    join record r on r.run_id = chosen.run_id and r.n = chosen.n and r.organization_id = ${scope.organizationId}
    order by chosen.place
    returning n),
  texts as (
    insert into record_text (organization_id, project_id, run_id, n, content)
    select t.organization_id, t.project_id, ${runId}, copied.n, t.content
    from copied
    join chosen on chosen.place = copied.n
    join record_text t on t.run_id = chosen.run_id and t.n = chosen.n and t.organization_id = ${scope.organizationId})
  update run set last_record_n = greatest(last_record_n, (select max(n) from copied))
  where id = ${runId} and organization_id = ${scope.organizationId}`;

/** A copy with other texts than its original, as JSON text. */
export type EditedCopy = { n: number; inputs: string; expected: string; outputs: string };

/** Replaces the texts of copies that a trial made. Their search texts stay those of the originals, as no search finds copies. */
export const rewriteCopies = (tx: Sql, scope: Owner, runId: bigint, copies: readonly EditedCopy[]) => tx`
  update record set inputs = item.inputs::json, expected = item.expected::json, outputs = item.outputs::json
  from ${rowsOf(tx, copies, { n: 'integer', inputs: 'text', expected: 'text', outputs: 'text' }, { as: 'item' })}
  where record.run_id = ${runId} and record.n = item.n and record.origin_run_id is not null
    and record.organization_id = ${scope.organizationId}`;
