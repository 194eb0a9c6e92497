import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Outcome } from './facts-schema.ts';

const verdictJson = (sql: Sql) => sql`
  json_build_object('gate', verdict.gate, 'outcome', verdict.outcome, 'baselineRunId', verdict.baseline_run_id::text,
    'against', verdict.against, 'reason', verdict.reason, 'decidedAt', iso_time(verdict.decided_at))`;

/** The facts of `run`, for json_build_object. Reads run_mark_pkey and run_verdict_pkey. */
export const factPairs = (sql: Sql, scope: Scope) => sql`
  'origin', run.origin, 'marks', (
    select coalesce(json_agg(marked.mark order by marked.created_at, marked.mark), '[]') from run_mark marked
    where marked.run_id = run.id and marked.organization_id = ${scope.organizationId}),
  'verdicts', (
    select coalesce(json_agg(${verdictJson(sql)} order by verdict.decided_at desc, verdict.gate), '[]') from run_verdict verdict
    where verdict.run_id = run.id and verdict.organization_id = ${scope.organizationId})`;

/** Conditions on `run`. Reads run_origin, run_mark_project and run_verdict_project. */
export const factConditions = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { origin, mark, gate, outcome }: { origin?: string; mark?: string; gate?: string; outcome?: Outcome },
) => sql`
  ${origin === undefined ? sql`` : sql`and run.origin = ${origin}`}
  ${
    mark === undefined
      ? sql``
      : sql`and run.id in (
          select run_id from run_mark
          where project_id = ${projectId} and mark = ${mark} and organization_id = ${scope.organizationId})`
  }
  ${
    gate === undefined && outcome === undefined
      ? sql``
      : sql`and run.id in (
          select run_id from run_verdict
          where project_id = ${projectId} and organization_id = ${scope.organizationId}
            ${gate === undefined ? sql`` : sql`and gate = ${gate}`}
            ${outcome === undefined ? sql`` : sql`and outcome = ${outcome}`})`
  }`;

/** Gives the run these marks beside those that it has. */
export const addMarks = (tx: Sql, scope: Scope, runId: bigint, marks: string[]) => tx`
  insert into run_mark (run_id, mark, organization_id, project_id)
  select run.id, given.mark, run.organization_id, run.project_id
  from run cross join unnest(${marks}::text[]) as given (mark)
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}
  on conflict do nothing`;

/** Gives the run these marks and no others. */
export const replaceMarks = async (tx: Sql, scope: Scope, runId: bigint, marks: string[]): Promise<void> => {
  await tx`
    delete from run_mark
    where run_id = ${runId} and organization_id = ${scope.organizationId} and mark <> all(${marks}::text[])`;
  await addMarks(tx, scope, runId, marks);
};

/** Finds a run of the same project. */
export const findSibling = (tx: Sql, scope: Scope, runId: bigint, siblingId: bigint) => tx<{ id: bigint }[]>`
  select sibling.id from run
  join run sibling on sibling.project_id = run.project_id and sibling.organization_id = ${scope.organizationId}
  where run.id = ${runId} and run.organization_id = ${scope.organizationId} and sibling.id = ${siblingId}`;

export type NewVerdict = {
  gate: string;
  outcome: Outcome;
  baselineRunId: bigint | null;
  against: string | null;
  reason: string | null;
};

/** Stores the verdict of a gate on a run, and replaces its earlier one. No row if there is no such run. */
export const upsertVerdict = (tx: Sql, scope: Scope, runId: bigint, verdict: NewVerdict) => tx<
  { body: string }[]
>`
  insert into run_verdict as verdict (run_id, gate, organization_id, project_id, outcome, baseline_run_id, against, reason)
  select run.id, ${verdict.gate}, run.organization_id, run.project_id, ${verdict.outcome}, ${verdict.baselineRunId},
    ${verdict.against}, ${verdict.reason}
  from run where run.id = ${runId} and run.organization_id = ${scope.organizationId}
  on conflict (run_id, gate) do update set outcome = excluded.outcome, baseline_run_id = excluded.baseline_run_id,
    against = excluded.against, reason = excluded.reason, decided_at = excluded.decided_at
  returning ${verdictJson(tx)}::text as body`;
