import { type ChangeReader, followChanges, type Unread } from '../../evaluation/changes/follow.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { insertEvent } from './queries.ts';

/** A score, in a delivery: the record's number and the configuration. It is read when it is sent. */
export type ScoreRef = [n: number, configId: string];

type ChangedScores = {
  organizationId: bigint;
  projectId: bigint;
  runId: bigint;
  runName: string;
  at: string;
  scores: ScoreRef[];
};

/** Scores in one delivery, which is one request of the receiver. */
const batchSize = 500;

/** The unread changes of records in projects whose scores are sent. Reads change_project. */
const concerns: ChangeReader['concerns'] = (sql, unread) => sql`
  select watched.organization_id, change.project_id, change.run_id, change.n, change.xact, change.noted_at
  from (
    select organization_id, project_id, min(active_since) as since from alert
    where active_since is not null and kind = 'otlp' group by organization_id, project_id) watched
  join change on change.project_id = watched.project_id and change.run_id is not null and change.noted_at >= watched.since
    and ${unread(sql)}`;

/**
 * Lists the scores that transactions with unread changes wrote, by run: a score is written in the transaction that notes its change.
 * Reads score_pkey of each changed record; of a run, if too many of its records changed to name them.
 */
const listChangedScores = (sql: Sql, unread: Unread) => sql<ChangedScores[]>`
  with changed as materialized (
    select organization_id, project_id, run_id, n, array_agg(distinct xact)::xid[] as xacts, max(noted_at) as at
    from (${concerns(sql, unread)}) unread
    group by organization_id, project_id, run_id, n)
  select changed.organization_id as "organizationId", changed.project_id as "projectId", changed.run_id as "runId",
    coalesce(nullif(run.name, ''), 'run ' || run.id) as "runName", max(changed.at)::text as at,
    json_agg(distinct jsonb_build_array(s.n, s.metric_config_id)) as scores
  from changed
  join run on run.id = changed.run_id and run.organization_id = changed.organization_id
  cross join lateral (
    select n, metric_config_id from score
    where score.run_id = changed.run_id and (changed.n is null or score.n = changed.n)
      and score.organization_id = changed.organization_id and score.state <> 'pending' and score.xmin = any(changed.xacts)) s
  group by changed.organization_id, changed.project_id, changed.run_id, run.name, run.id
  order by changed.run_id`;

const deliveriesOf = ({ runId, runName, scores, at }: ChangedScores) => {
  const batches = Array.from({ length: Math.ceil(scores.length / batchSize) }, (_, i) =>
    scores.slice(i * batchSize, (i + 1) * batchSize),
  );
  return batches.map((batch) => ({
    event: 'record.scored',
    about: `scores of run ${runId} ${newUuid()}`,
    message: {
      title: `${batch.length} ${batch.length === 1 ? 'score' : 'scores'} of ${runName}`,
      lines: [],
      path: `/runs/${runId}`,
      facts: { runId: String(runId), scores: batch },
    },
    at,
  }));
};

/** Notes the scores that were made since the last call, as deliveries of the alerts that send them. Returns whether there were any. */
export const noteScores = (db: Database): Promise<boolean> =>
  followChanges(db, {
    name: 'scores',
    holds: true,
    concerns,
    read: async (unread) => {
      const changed = await db.read(system, (sql) => listChangedScores(sql, unread));
      return async (tx) => {
        for (const run of changed)
          for (const event of deliveriesOf(run)) await insertEvent(tx, run, run.projectId, event, 0);
      };
    },
  });
