import { type ChangeReader, followChanges, type Unread } from '../../evaluation/changes/follow.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { serviceScope } from '../../platform/http/scope.ts';
import { describeRun, type RunEvent } from './describe-run.ts';
import { insertEvent, withdrawEvent } from './queries.ts';

type ChangedRun = { organizationId: bigint; projectId: bigint; runId: bigint; at: string };

/** The unread changes of runs in projects with alerts. Reads change_project. */
const concerns: ChangeReader['concerns'] = (sql, unread) => sql`
  select watched.organization_id, watched.project_id, change.run_id, change.noted_at
  from (
    select organization_id, project_id, min(active_since) as since from alert
    where active_since is not null group by organization_id, project_id) watched
  join change on change.project_id = watched.project_id and change.run_id is not null and change.noted_at >= watched.since
    and ${unread(sql)}`;

const listChangedRuns = (sql: Sql, unread: Unread) => sql<ChangedRun[]>`
  select organization_id as "organizationId", project_id as "projectId", run_id as "runId", max(noted_at)::text as at
  from (${concerns(sql, unread)}) changed
  group by organization_id, project_id, run_id
  order by run_id`;

/** Delay of the first attempt: a run that was completed more recently may still get records. */
export const settleMs = 10_000;

const describeRuns = async (db: Database, runs: ChangedRun[]): Promise<(ChangedRun & RunEvent)[]> => {
  const events: (ChangedRun & RunEvent)[] = [];
  for (const run of runs)
    for (const event of await describeRun(db, serviceScope(run.organizationId), run.runId))
      events.push({ ...run, ...event });
  return events;
};

/**
 * Notes events of the runs that changed since the last call, as deliveries of the alerts of their projects. Returns whether there was
 * anything to look at.
 */
export const noteEvents = (db: Database, delayMs = settleMs): Promise<boolean> =>
  followChanges(db, {
    name: 'alerts',
    holds: false,
    concerns,
    read: async (unread) => {
      const events = await describeRuns(db, await db.read(system, (sql) => listChangedRuns(sql, unread)));
      return async (tx) => {
        for (const { projectId, organizationId, about, at, ...event } of events) {
          if (event.message) {
            const made = { event: event.event, about, message: event.message, at };
            await insertEvent(tx, { organizationId }, projectId, made, delayMs);
          } else await withdrawEvent(tx, { organizationId }, projectId, about);
        }
      };
    },
  });
