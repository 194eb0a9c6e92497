import type { Database, Sql } from '../../platform/db/database.ts';
import { system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { describeRun, type RunEvent } from './describe-run.ts';
import { insertEvent, withdrawEvent } from './queries.ts';

type ChangedRun = { organizationId: bigint; projectId: bigint; runId: bigint; at: string };
type Position = { before: string | null; now: string; changed: boolean };

const reader = 'alerts';

/**
 * Returns where the chore stands, and whether runs changed since then in a project with alerts. A snapshot of the future comes
 * from another server, of which this database is a copy. Reads change_project.
 */
const findPosition = (sql: Sql) => sql<Position[]>`
  with position as (
    select (
      select snapshot::pg_snapshot from change_reader
      where name = ${reader} and pg_snapshot_xmax(snapshot::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())) as before)
  select position.before::text as before, pg_current_snapshot()::text as now,
    exists (${changedIn(sql, sql`position.before`)}) as changed
  from position`;

const changedIn = (sql: Sql, snapshot: ReturnType<typeof sql>) => sql`
  select watched.organization_id, watched.project_id, change.run_id, change.noted_at
  from (
    select organization_id, project_id, min(active_since) as since from alert
    where active_since is not null group by organization_id, project_id) watched
  join change on change.project_id = watched.project_id and change.run_id is not null and change.noted_at >= watched.since
    and (${snapshot} is null or change.xact >= pg_snapshot_xmin(${snapshot})
      and not pg_visible_in_snapshot(change.xact, ${snapshot}))`;

const listChangedRuns = (sql: Sql, before: string | null) => sql<ChangedRun[]>`
  select organization_id as "organizationId", project_id as "projectId", run_id as "runId", max(noted_at)::text as at
  from (${changedIn(sql, sql`${before}::text::pg_snapshot`)}) changed
  group by organization_id, project_id, run_id
  order by run_id`;

/** Moves the position. Its count is 0 if another process has moved it since it was read. */
const movePosition = (tx: Sql, before: string | null, now: string) => tx`
  insert into change_reader (name, snapshot) values (${reader}, ${now})
  on conflict (name) do update set snapshot = excluded.snapshot
  where ${before}::text is null or change_reader.snapshot = ${before}`;

/** The service itself, reading in an organization. */
export const serviceScope = (organizationId: bigint): Scope => ({
  ...{ organizationId, memberId: '00000000-0000-0000-0000-000000000000', role: 'admin', access: 'read' },
  ...{ keyId: null, signInId: null },
});

/** Delay of the first attempt: a run that is complete for less may get more records. */
export const settleMs = 10_000;

/**
 * Notes events of the runs that changed since the last call, as deliveries of the alerts of their projects. What is noted and how
 * far the changes are read commit together, so that a process that dies loses and doubles nothing. Returns whether there was
 * anything to look at.
 */
export const noteEvents = async (db: Database, delayMs = settleMs): Promise<boolean> => {
  const [position] = await db.read(system, findPosition);
  if (!position?.changed) return false;
  const runs = await db.read(system, (sql) => listChangedRuns(sql, position.before));
  const events: (ChangedRun & RunEvent)[] = [];
  for (const run of runs) {
    const scope = serviceScope(run.organizationId);
    for (const event of await describeRun(db, scope, run.runId)) events.push({ ...run, ...event });
  }
  await db.transaction(system, async (tx) => {
    const { count } = await movePosition(tx, position.before, position.now);
    if (count === 0) return;
    for (const { projectId, organizationId, about, at, ...event } of events) {
      if (event.message) {
        const made = { event: event.event, about, message: event.message, at };
        await insertEvent(tx, { organizationId }, projectId, made, delayMs);
      } else await withdrawEvent(tx, { organizationId }, projectId, about);
    }
  });
  return true;
};
