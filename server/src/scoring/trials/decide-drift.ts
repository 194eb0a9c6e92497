import { type ChangeReader, followChanges } from '../../evaluation/changes/follow.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import type { TrialKey } from './queries.ts';
import { readTrial } from './read-trials.ts';

/** The drift trials whose runs have unread changes. */
const concerns: ChangeReader['concerns'] = (sql, unread) => sql`
  select trial.organization_id, trial.metric_id, trial.n
  from change
  join trial_candidate candidate on candidate.run_id = change.run_id
  join trial on trial.metric_id = candidate.metric_id and trial.n = candidate.trial_n
  where trial.kind = 'drift' and trial.outcome is null and ${unread(sql)}`;

type Decided = Owner & TrialKey & { drift: string };

const updateDrift = (tx: Sql, { organizationId, metricId, n, drift }: Decided) => tx`
  update trial_candidate set drift = ${drift}::text::json
  where metric_id = ${metricId} and trial_n = ${n} and organization_id = ${organizationId}
    and drift::text is distinct from ${drift}`;

/**
 * Stores what drift trials found whose verdicts arrived since the last call. Alerts read it, and it outlives the trial's run. Returns
 * whether there was anything to look at.
 */
export const decideDrifts = (db: Database): Promise<boolean> =>
  followChanges(db, {
    name: 'trials',
    holds: true,
    concerns,
    read: async (unread) => {
      const changed = await db.read(
        system,
        (sql) => sql<(Owner & TrialKey)[]>`
          select distinct organization_id as "organizationId", metric_id as "metricId", n from (${concerns(sql, unread)}) trial`,
      );
      const decided: Decided[] = [];
      for (const trial of changed) {
        const { candidates } = await readTrial(db.read, trial, trial);
        const drift = candidates[0]?.drift;
        if (drift) decided.push({ ...trial, drift: JSON.stringify(drift) });
      }
      return async (tx) => {
        for (const trial of decided) await updateDrift(tx, trial);
      };
    },
  });
