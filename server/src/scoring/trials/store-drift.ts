import { type ChangeReader, followChanges } from '../../evaluation/changes/follow.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { storeVerdict, type TrialKey } from './queries.ts';
import { readPinnedTrials } from './read-trials.ts';

/** The drift trials and batteries whose runs have unread changes. */
const concerns: ChangeReader['concerns'] = (sql, unread) => sql`
  select trial.organization_id, trial.id, trial.metric_id, trial.n
  from change
  join trial_candidate candidate on candidate.run_id = change.run_id
  join trial on trial.id = candidate.trial_id
  where trial.kind in ('drift', 'battery') and trial.outcome is null and trial.verdict is null and ${unread(sql)}`;

type Changed = Owner & TrialKey & { id: string };

const updateDrift = (tx: Sql, { organizationId, id }: Changed, drift: string) => tx`
  update trial_candidate set drift = ${drift}::text::json
  where trial_id = ${id} and organization_id = ${organizationId}
    and drift::text is distinct from ${drift}`;

/** Notes the run of a trial as changed, so that the next call reads the trial again. */
const noteAgain = (tx: Sql, { organizationId, id }: Changed) => tx`
  insert into change (organization_id, project_id, run_id)
  select run.organization_id, run.project_id, run.id
  from trial_candidate candidate join run on run.id = candidate.run_id and run.organization_id = ${organizationId}
  where candidate.trial_id = ${id} and candidate.organization_id = ${organizationId}`;

/** Returns the write of a trial's result; undefined while verdicts are pending, and for a trial that was deleted since. */
const findResult = async (db: Database, trial: Changed) => {
  const [found] = await readPinnedTrials(db.read, trial, trial.metricId, [trial.id]);
  const battery = found?.battery && JSON.stringify(found.battery);
  if (battery) return async (tx: Sql) => storeVerdict(tx, trial, trial.id, battery);
  const drift = found?.candidates[0]?.drift && JSON.stringify(found.candidates[0].drift);
  return drift ? async (tx: Sql) => updateDrift(tx, trial, drift) : undefined;
};

/**
 * Stores the results of drift trials and batteries whose verdicts arrived since the last call. Alerts read it, and it outlives the trial's run. A trial
 * that cannot be read does not stop the others, which belong to other organizations: the next call reads it again, and its error is thrown
 * at the end.
 */
export const storeDrifts = async (db: Database): Promise<void> => {
  const failures: unknown[] = [];
  await followChanges(db, {
    name: 'trials',
    holds: true,
    concerns,
    read: async (unread) => {
      const changed = await db.read(
        system,
        (sql) => sql<Changed[]>`
          select distinct organization_id as "organizationId", id, metric_id as "metricId", n from (${concerns(sql, unread)}) trial`,
      );
      const writes: ((tx: Sql) => Promise<unknown>)[] = [];
      for (const trial of changed)
        try {
          const write = await findResult(db, trial);
          if (write) writes.push(write);
        } catch (error) {
          failures.push(error);
          writes.push(async (tx) => noteAgain(tx, trial));
        }
      return async (tx) => {
        for (const write of writes) await write(tx);
      };
    },
  });
  if (failures.length > 0) throw failures[0];
};
