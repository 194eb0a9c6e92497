import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { cutToPage, type PageRow } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { isKept } from '../deletions/queries.ts';
import type { PinnedMetric } from '../metrics/queries.ts';
import { snapshotOfRun } from '../testsets/snapshot-queries.ts';
import { factConditions, factPairs } from './facts-queries.ts';
import { queueScores } from './queue-scores.ts';
import type { RunKind, RunListQuery, RunUpdate } from './schema.ts';

/** Title of a run, for a statement that joins its version, system and testset. */
const titleOf = (sql: Sql) => sql`
  coalesce(nullif(run.name, ''), concat_ws(' · ',
    'Run ' || run.id, nullif(concat_ws(', ', nullif(system.name, ''), nullif(version.name, '')), ''), nullif(testset.name, '')))`;

/** Fields of ListedRun that Run lacks, for json_build_object. */
const detailPairs = (sql: Sql, scope: Scope) => sql`,
    'projectId', run.project_id::text, 'name', nullif(run.name, ''), 'title', ${titleOf(sql)}, 'tags', run.tags,
    ${factPairs(sql, scope)}, 'notesStart', left(run.notes, 200), 'kind', run.kind, 'createdAt', iso_time(run.created_at),
    'snapshot', ${snapshotOfRun(sql, scope)}, 'split', run.split, 'simulation', (
      select json_build_object('userVersionId', simulation.user_version_id, 'maxTurns', simulation.max_turns,
        'replayOf', simulation.replayed_run_id::text)
      from run_simulation simulation
      where simulation.run_id = run.id and simulation.organization_id = ${scope.organizationId})`;

/** The status of a run from its counts. */
const statusText = (sql: Sql) => sql`case
  when counted.records = 0 and coalesce(run.num_expected_records, 0) = 0 then 'pending'
  when counted.records = 0 and execution.lost < run.num_expected_records then 'awaiting_execution'
  when counted.records + execution.lost < run.num_expected_records then 'running_execution'
  when counted.pending > 0 and counted.scored > 0 then 'running_scoring'
  when counted.pending > 0 then 'awaiting_scoring'
  when counted.awaits_people > 0 then 'awaiting_human_scoring'
  else 'completed'
  end`;

/** Joins the counts of `run` as `counted` and `execution`, summed up from run_tally. */
const countsOf = (sql: Sql, scope: Owner) => sql`
  cross join lateral (
    select coalesce(sum(tally.n) filter (where tally.state is null), 0)::int as records,
      coalesce(sum(tally.n) filter (where tally.state = 'scored'), 0)::int as scored,
      coalesce(sum(tally.n) filter (where tally.state = 'pending' and config.eval_type = 'human'), 0)::int as awaits_people,
      coalesce(sum(tally.n) filter (where tally.state = 'pending' and config.eval_type <> 'human'), 0)::int as pending
    from run_tally tally
    left join metric_config config
      on config.id = tally.metric_config_id and config.organization_id = ${scope.organizationId}
    where tally.run_id = run.id and tally.organization_id = ${scope.organizationId}) counted
  cross join lateral (
    select count(*)::int as lost from execution
    where execution.run_id = run.id and execution.organization_id = ${scope.organizationId}
      and execution.state in ('failed', 'cancelled')) execution`;

/** The status of `run` as a value. */
export const statusOf = (sql: Sql, scope: Owner) => sql`
  select ${statusText(sql)} as value from (select 1) one ${countsOf(sql, scope)}`;

/**
 * Runs as JSON, their counts summed up from run_tally, which triggers keep in step with records and scores. A failed or cancelled execution
 * makes no record, so the run does not wait for it. An invalid score exists, so it counts in numScores. `runs` selects the columns of run;
 * `more` are further pairs.
 */
const runsJson = (sql: Sql, scope: Scope, runs: Fragment, isDetailed: boolean, more = sql``) => sql`
  select json_build_object(
    'id', run.id::text, 'testsetId', run.testset_id::text, 'systemId', version.system_id,
    'systemVersionId', run.system_version_id, 'metricIds', metrics.ids, 'metricVersionIds', metrics.config_ids,
    'numRecords', counted.records, 'numExpectedRecords', run.num_expected_records, 'numScores', counted.scored,
    'status', ${statusText(sql)}${isDetailed ? detailPairs(sql, scope) : sql``}${more})::text as body,
    run.id::text as key
  from (${runs}) run
  left join system_version version
    on version.id = run.system_version_id and version.organization_id = ${scope.organizationId}
  left join system on system.id = version.system_id and system.organization_id = ${scope.organizationId}
  left join testset on testset.id = run.testset_id and testset.organization_id = ${scope.organizationId}
  cross join lateral (
    select coalesce(json_agg(metric_id::text order by position), '[]') as ids,
      coalesce(json_agg(metric_config_id order by position), '[]') as config_ids
    from run_metric
    where run_metric.run_id = run.id and run_metric.organization_id = ${scope.organizationId}) metrics
  ${countsOf(sql, scope)}`;

/** The text of `run` that a search looks in. */
export const haystackOf = (sql: Sql, { organizationId }: Owner) => sql`
  select ${titleOf(sql)} || ' Run ' || run.id || ' ' || run.notes || ' ' || array_to_string(run.tags, ' ')
    || ' ' || coalesce(run.origin, '') || ' ' || coalesce((
      select string_agg(marked.mark, ' ') from run_mark marked
      where marked.run_id = run.id and marked.organization_id = ${organizationId}), '')
  from (select 1) one
  left join system_version version
    on version.id = run.system_version_id and version.organization_id = ${organizationId}
  left join system on system.id = version.system_id and system.organization_id = ${organizationId}
  left join testset on testset.id = run.testset_id and testset.organization_id = ${organizationId}`;

/** SQL conditions for the filters of a list of runs. */
const filtersOf = (sql: Sql, scope: Scope, projectId: bigint, query: RunListQuery, asked: RunFilters) => {
  const { tag, systemId, kind, scored } = query;
  return sql`
    ${factConditions(sql, scope, projectId, query)}
    ${tag === undefined ? sql`` : sql`and ${tag} = any(run.tags)`}
    ${asked.testsetId === undefined ? sql`` : sql`and run.testset_id = ${asked.testsetId}`}
    ${
      systemId === undefined
        ? sql``
        : sql`and run.system_version_id in (
            select id from system_version
            where system_id = ${systemId} and organization_id = ${scope.organizationId})`
    }
    ${
      asked.metricId === undefined
        ? sql``
        : sql`and exists (
            select from run_metric
            where run_metric.run_id = run.id and run_metric.metric_id = ${asked.metricId}
              and run_metric.organization_id = ${scope.organizationId})`
    }
    ${kind === undefined ? sql`` : sql`and run.kind = ${kind}`}
    ${
      scored === true
        ? sql`and exists (
            select from run_tally
            where run_tally.run_id = run.id and run_tally.state = 'scored'
              and run_tally.organization_id = ${scope.organizationId})`
        : sql``
    }
    ${asked.search(sql, scope)}`;
};

/** The filters of a list, parsed. */
export type RunFilters = {
  testsetId: bigint | undefined;
  metricId: bigint | undefined;
  /** Further conditions on `run`, each with its `and`. */
  search: (sql: Sql, owner: Owner) => Fragment;
};

const listing =
  (isDetailed: boolean) =>
  (
    sql: Sql,
    scope: Scope,
    projectId: bigint,
    before: string,
    count: number,
    query: RunListQuery,
    asked: RunFilters,
  ) => {
    const { status } = query;
    const runs = sql`
      select * from run
      where run.organization_id = ${scope.organizationId} and run.project_id = ${projectId} and run.id < ${before}
        and ${isKept(sql, scope, 'run')}
        ${filtersOf(sql, scope, projectId, query, asked)}
      order by run.id desc
      ${status === undefined ? sql`limit ${count}` : sql``}`;
    const listed = runsJson(sql, scope, runs, isDetailed);
    if (status === undefined)
      return cutToPage(sql, sql`select *, -key::bigint as place from (${listed}) listed`);
    // The status follows from the counts, so the filter comes after them.
    return cutToPage(
      sql,
      sql`
      select *, -key::bigint as place from (${listed}) listed
      where body::json ->> 'status' = ${status}
      order by key::bigint desc
      limit ${count}`,
    );
  };

/** One page of the runs of a project, newest first. Reads run_project; a filter reads on until the page is full. */
export const listRuns = listing(false);
/** The same with the details of each run. */
export const listRunDetails = listing(true);

/** The newest runs and one more, with whether they are of these and fit, for countValues. */
export const foundRuns = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  newest: number,
  query: RunListQuery,
  asked: RunFilters,
) => sql`
  select run.*, null as place, (run.nth <= ${newest} ${filtersOf(sql, scope, projectId, query, asked)}) as fits from (
    select *, row_number() over (order by id desc) as nth from run
    where run.organization_id = ${scope.organizationId} and run.project_id = ${projectId} and ${isKept(sql, scope, 'run')}
    order by run.id desc limit ${newest + 1}) run`;

const finding = (isDetailed: boolean) => (sql: Sql, scope: Scope, runId: bigint, more?: Fragment) =>
  sql<PageRow[]>`
  ${runsJson(
    sql,
    scope,
    sql`select * from run where run.organization_id = ${scope.organizationId} and run.id = ${runId}`,
    isDetailed,
    more,
  )}`;

export const findRun = finding(false);
/** A run as in the list of details, with further pairs of json_build_object. */
export const findListedRun = finding(true);

/** Whether there is such a run to read. */
export const findRunId = (sql: Sql, scope: Scope, runId: bigint) => sql<{ id: bigint }[]>`
  select id from run where organization_id = ${scope.organizationId} and id = ${runId}`;

export const countTestcases = (tx: Sql, scope: Scope, projectId: bigint, testsetId: bigint) => tx<
  { n: number }[]
>`
  select (
    select count(*)::int from testcase
    where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = testset.id) as n
  from testset
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and id = ${testsetId}`;

export const findProjectVersion = (tx: Sql, scope: Scope, projectId: bigint, versionId: string) => tx<
  { id: string; config: RawJson }[]
>`
  select version.id, version.config::text as config
  from system_version version join system on system.id = version.system_id
  where version.organization_id = ${scope.organizationId} and system.organization_id = ${scope.organizationId}
    and system.project_id = ${projectId} and version.id = ${versionId}`;

export const insertRun = (
  tx: Sql,
  scope: Owner,
  projectId: bigint,
  run: {
    kind?: RunKind;
    testsetId: bigint | null;
    snapshotN?: number | undefined;
    split?: string | undefined;
    systemVersionId: string | null;
    numExpectedRecords: number | null;
    name?: string | null | undefined;
    tags?: string[] | undefined;
    origin?: string | undefined;
  },
) => tx<{ id: bigint }[]>`
  insert into run (organization_id, project_id, kind, testset_id, snapshot_n, split, system_version_id, num_expected_records,
    name, tags, origin)
  values (${scope.organizationId}, ${projectId}, ${run.kind ?? 'evaluation'}, ${run.testsetId}, ${run.snapshotN ?? null},
    ${run.split ?? null}, ${run.systemVersionId}, ${run.numExpectedRecords}, ${run.name?.trim() ?? ''}, ${run.tags ?? []}::text[],
    ${run.origin ?? null})
  returning id`;

/** Changes the name, the tags or the notes of a run. Its count is 0 when there is no such run. */
export const updateRun = (
  tx: Sql,
  scope: Owner,
  runId: bigint,
  { name, tags, notes }: Pick<RunUpdate, 'name' | 'tags' | 'notes'>,
) => tx`
  update run set
    name = ${name === undefined ? tx`name` : tx`${name?.trim() ?? ''}`},
    tags = ${tags === undefined ? tx`tags` : tx`${tags}::text[]`},
    notes = ${notes === undefined ? tx`notes` : tx`${notes}`}
  where organization_id = ${scope.organizationId} and id = ${runId}`;

/** The metrics as a relation `pinned`, with their positions. */
const pinned = (tx: Sql, metrics: PinnedMetric[]) =>
  rowsOf(tx, metrics, { metric_id: 'bigint', config_id: 'uuid' }, { as: 'pinned', place: 'position' });

export const insertRunMetrics = (tx: Sql, scope: Owner, runId: bigint, metrics: PinnedMetric[]) => tx`
  insert into run_metric (organization_id, run_id, position, metric_id, metric_config_id)
  select ${scope.organizationId}, ${runId}, pinned.position, pinned.metric_id, pinned.config_id
  from ${pinned(tx, metrics)}`;

/**
 * The run's project, and its largest record number. Prevents the deletion of the run, and new records in it, until the commit.
 */
export const lockRun = async (tx: Sql, scope: Scope, runId: bigint) => {
  // Before the run, as transactions that add records do.
  const blocks = tx`
    select from number_block where organization_id = ${scope.organizationId} and run_id = ${runId}
    order by block for update`.execute();
  const [found] = await Promise.all([
    tx<{ id: bigint; projectId: bigint; lastRecordN: number }[]>`
    select id, project_id as "projectId", last_record_n as "lastRecordN" from run
    where organization_id = ${scope.organizationId} and id = ${runId}
    for no key update`,
    blocks,
  ]);
  return found;
};

/** The same, but records may be added to the run while the lock is held. */
export const keepRun = (tx: Sql, scope: Scope, runId: bigint) => tx<{ id: bigint; lastRecordN: number }[]>`
  select id, last_record_n as "lastRecordN" from run
  where organization_id = ${scope.organizationId} and id = ${runId}
  for key share`;

/** Takes the lock for changing many scores of a run at once, which prevents deadlocks. Taken after the run's own lock. */
export const lockScoresOfRun = (tx: Sql, runId: bigint) => tx`
  select pg_advisory_xact_lock(hashtextextended(${`scores of run ${runId}`}::text, 0))`;

/** Takes the lock for adding metrics to a run, so that each gets a different position. Taken after the run's own lock. */
export const lockRunMetrics = (tx: Sql, runId: bigint) => tx`
  select pg_advisory_xact_lock(hashtextextended(${`metrics of run ${runId}`}::text, 0))`;

/**
 * Appends metrics to those of the run; a metric that the run already has stays unchanged. Returns the new ones. `sampled`: they score
 * some records only.
 */
export const appendRunMetrics = (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  metrics: PinnedMetric[],
  { sampled = false } = {},
) => tx<{ configId: string }[]>`
  insert into run_metric (organization_id, run_id, position, metric_id, metric_config_id, sampled)
  select ${scope.organizationId}, ${runId}, pinned.position + (
      select coalesce(max(position), 0) from run_metric
      where run_id = ${runId} and organization_id = ${scope.organizationId}), pinned.metric_id, pinned.config_id, ${sampled}
  from ${pinned(tx, metrics)}
  on conflict (run_id, metric_id) do nothing
  returning metric_config_id as "configId"`;

/** A pending score of these configurations for each record of the run. Scores that a client has already given stay. */
export const insertPendingScores = (tx: Sql, scope: Owner, runId: bigint, configIds: string[]) => tx`
  ${queueScores(
    tx,
    tx`
    select r.organization_id, r.run_id, r.n, config.id as config_id, config.lane
    from record r cross join metric_config config
    where r.run_id = ${runId} and r.organization_id = ${scope.organizationId}
      and config.id = any(${configIds}::uuid[]) and config.organization_id = ${scope.organizationId}
    order by r.n, config.id`,
  )}
  on conflict (run_id, n, metric_config_id) do nothing`;

/** Compacts each count into one row, for runs with more than `most` rows. */
export const compactRunTallies = (tx: Sql, most: number) => tx`select compact_run_tallies(${most}::integer)`;

/** Compacts the counts of up to `most` minutes with new rows, and returns the number of minutes. */
export const compactRecordTallies = async (tx: Sql, most: number): Promise<number> => {
  const [done] = await tx<{ n: number }[]>`select compact_record_tallies(${most}::integer) as n`;
  return done!.n;
};
