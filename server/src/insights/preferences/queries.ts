import { drawSql } from '../../evaluation/samples/draw.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { StudyVote } from '../analysis/rank-study.ts';

/** Maximum number of studies of a project. */
export const maxStudies = 200;

const studyJson = (sql: Sql, { organizationId }: Scope) => sql`
  json_build_object('id', study.id, 'projectId', study.project_id::text, 'name', study.name, 'criterion', study.criterion,
    'runIds', (select coalesce(json_agg(run_id::text order by position), '[]') from preference_run
      where study_id = study.id and organization_id = ${organizationId}),
    'numTestcases', pairs.units, 'numPairs', pairs.n,
    'judge', case when study.judge_model is not null then json_build_object('modelName', study.judge_model,
      'budgetUsd', study.budget_usd, 'spentUsd', study.spent_usd, 'scored', pairs.scored, 'pending', pairs.pending,
      'unscored', pairs.unscored, 'failed', pairs.failed,
      'stopped', study.stopped_at is not null and pairs.pending > 0,
      'lastError', pairs.last_error) end,
    'people', json_build_object('numPairs', votes.pairs, 'numComparisons', votes.n, 'numOwn', votes.own),
    'createdByUserId', study.created_by, 'createdAt', iso_time(study.created_at))`;

const fromStudies = (sql: Sql, { organizationId, memberId }: Scope, studies: Fragment) => sql`
  from ${studies} study
  cross join lateral (
    select count(*)::int as n, count(distinct unit)::int as units,
      count(*) filter (where state = 'scored')::int as scored, count(*) filter (where state = 'pending')::int as pending,
      count(*) filter (where state = 'unscored')::int as unscored, count(*) filter (where state = 'failed')::int as failed,
      mode() within group (order by last_error) as last_error
    from preference_pair where study_id = study.id and organization_id = ${organizationId}) pairs
  cross join lateral (
    select count(*)::int as n, count(distinct n)::int as pairs, count(*) filter (where member_id = ${memberId})::int as own
    from preference_vote where study_id = study.id and organization_id = ${organizationId} and member_id is not null) votes`;

/** Lists the studies of a project, newest first. Reads preference_study_project. */
export const listStudies = (sql: Sql, scope: Scope, projectId: bigint, before: string, count: number) => sql<
  PageRow[]
>`
  select ${studyJson(sql, scope)}::text as body, study.id::text as key ${fromStudies(
    sql,
    scope,
    sql`(
    select * from preference_study
    where organization_id = ${scope.organizationId} and project_id = ${projectId} and id < ${before}::uuid
    order by id desc limit ${count})`,
  )}
  order by study.id desc`;

export const findStudy = (sql: Sql, scope: Scope, id: string) => sql<{ body: string }[]>`
  select ${studyJson(sql, scope)}::text as body ${fromStudies(sql, scope, sql`preference_study`)}
  where study.organization_id = ${scope.organizationId} and study.id = ${id}`;

export const lockStudy = (tx: Sql, scope: Owner, id: string) => tx<{ projectId: bigint }[]>`
  select project_id as "projectId" from preference_study where organization_id = ${scope.organizationId} and id = ${id} for update`;

export const countStudies = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ n: number }[]>`
  select count(*)::int as n from preference_study where organization_id = ${scope.organizationId} and project_id = ${projectId}`;

export type NewStudy = { id: string; projectId: bigint; name: string; criterion: string; seed: number };

export const insertStudy = (
  tx: Sql,
  { organizationId, memberId }: Scope,
  { id, projectId, name, criterion, seed }: NewStudy,
) => tx`
  insert into preference_study (id, organization_id, project_id, name, criterion, seed, created_by)
  values (${id}, ${organizationId}, ${projectId}, ${name}, ${criterion}, ${seed}, ${memberId})`;

export const deleteStudy = (tx: Sql, scope: Scope, id: string) => tx`
  delete from preference_study where organization_id = ${scope.organizationId} and id = ${id}`;

export const insertRuns = (tx: Sql, { organizationId }: Scope, id: string, runIds: bigint[]) => tx`
  insert into preference_run (study_id, position, organization_id, run_id)
  select ${id}, position, ${organizationId}, run_id
  from unnest(${runIds.map(String)}::bigint[]) with ordinality as given (run_id, position)`;

/**
 * The testcases that all runs answered in one revision, in an order that the seed draws, each with its first record in each run. Reads
 * record_pkey of these runs.
 */
const sharedTestcases = (
  sql: Sql,
  { organizationId }: Scope,
  runIds: bigint[],
  seed: number,
): Fragment => sql`
  first as (
    select distinct on (record.testset_id, record.testcase_n, given.position) record.testset_id, record.testcase_n,
      coalesce(record.testcase_revision, -1) as revision, given.position, record.n,
      record.inputs_hash, octet_length(record.inputs::text) + octet_length(record.expected::text) as asked_bytes,
      octet_length(record.outputs::text) as output_bytes
    from unnest(${runIds.map(String)}::bigint[]) with ordinality as given (run_id, position)
    join record on record.run_id = given.run_id and record.organization_id = ${organizationId}
    where record.testcase_n is not null
    order by record.testset_id, record.testcase_n, given.position, record.n),
  shared as (
    select testset_id, testcase_n, array_agg(n order by position) as ns, min(inputs_hash) as inputs_hash, avg(asked_bytes) as asked_bytes,
      avg(output_bytes) as output_bytes,
      row_number() over (order by ${drawSql(sql, seed, sql`testset_id || '-' || testcase_n`)}, testset_id, testcase_n) as place
    from first group by testset_id, testcase_n
    having count(*) = ${runIds.length} and count(distinct revision) = 1)`;

export type Measured = { shared: number; askedBytes: number | null; outputBytes: number | null };

/** Returns the number of testcases that the runs share, and the mean length of their texts. */
export const measureShared = (sql: Sql, scope: Scope, runIds: bigint[]) => sql<Measured[]>`
  with ${sharedTestcases(sql, scope, runIds, 0)}
  select count(*)::int as shared, avg(asked_bytes)::float8 as "askedBytes", avg(output_bytes)::float8 as "outputBytes" from shared`;

/** Draws testcases and makes a pair for every two runs, in an order that the seed draws. Testcases of one group, else with the same inputs, are one unit. */
export const insertPairs = (
  tx: Sql,
  scope: Scope,
  id: string,
  { runIds, seed, numTestcases }: { runIds: bigint[]; seed: number; numTestcases: number },
) => tx`
  with ${sharedTestcases(tx, scope, runIds, seed)},
  drawn as (
    select ns, place, dense_rank() over (order by coalesce(
      'group ' || shared.testset_id || ' ' || field_text(testcase.json_data, testset.grouping_field),
      'inputs ' || shared.inputs_hash, 'testcase ' || shared.testset_id || '-' || shared.testcase_n)) as unit
    from shared
    left join testset on testset.id = shared.testset_id and testset.organization_id = ${scope.organizationId}
    left join testcase on testcase.testset_id = shared.testset_id and testcase.n = shared.testcase_n
      and testcase.organization_id = ${scope.organizationId}
    where place <= ${numTestcases})
  insert into preference_pair (study_id, n, organization_id, unit, run_a, n_a, run_b, n_b)
  select ${id}, row_number() over (order by ${drawSql(tx, seed, tx`'pair ' || place || ' ' || a || ' ' || b`)}, place, a, b),
    ${scope.organizationId}, unit, a, ns[a], b, ns[b]
  from drawn, generate_series(1, ${runIds.length}::int) a, generate_series(1, ${runIds.length}::int) b
  where a < b`;

/** Whether a member sees the output of run_a on the left. */
const isLeft = (sql: Sql, { memberId }: Scope): Fragment =>
  sql`${drawSql(sql, sql`study.seed`, sql`'side ' || pair.n || ' ' || ${memberId}::text`)} < 0.5`;

/**
 * Finds a pair that the member has not compared: `only` this one, or a random pair among those with the fewest votes. Pairs of
 * deleted records are left out.
 */
const findOpen = (sql: Sql, scope: Scope, id: string, only: number | null) => sql<{ body: string }[]>`
  select json_build_object('pair', (
      select json_build_object('number', pair.n, 'inputs', a.inputs, 'expected', a.expected,
        'left', case when ${isLeft(sql, scope)} then a.outputs else b.outputs end,
        'right', case when ${isLeft(sql, scope)} then b.outputs else a.outputs end)
      from preference_pair pair
      join preference_run run_a on run_a.study_id = pair.study_id and run_a.position = pair.run_a
        and run_a.organization_id = ${scope.organizationId}
      join preference_run run_b on run_b.study_id = pair.study_id and run_b.position = pair.run_b
        and run_b.organization_id = ${scope.organizationId}
      join record a on a.run_id = run_a.run_id and a.n = pair.n_a and a.organization_id = ${scope.organizationId}
      join record b on b.run_id = run_b.run_id and b.n = pair.n_b and b.organization_id = ${scope.organizationId}
      left join lateral (
        select count(*) as n, bool_or(member_id = ${scope.memberId}) as own from preference_vote vote
        where vote.study_id = pair.study_id and vote.n = pair.n and vote.member_id is not null
          and vote.organization_id = ${scope.organizationId}) votes on true
      where pair.study_id = study.id and pair.organization_id = ${scope.organizationId} and not coalesce(votes.own, false)
        and (${only}::int is null or pair.n = ${only})
      order by votes.n, ${drawSql(sql, sql`study.seed`, sql`'next ' || pair.n || ' ' || ${scope.memberId}::text`)}
      limit 1),
    'numOwn', (select count(*) from preference_vote
      where study_id = study.id and member_id = ${scope.memberId} and organization_id = ${scope.organizationId}),
    'numPairs', (select count(*) from preference_pair where study_id = study.id and organization_id = ${scope.organizationId})
    )::text as body
  from preference_study study
  where study.organization_id = ${scope.organizationId} and study.id = ${id}`;

export const findNext = (sql: Sql, scope: Scope, id: string) => findOpen(sql, scope, id, null);

/** Finds one pair as it was shown to its member. */
export const findAgain = (sql: Sql, scope: Scope, id: string, n: number) => findOpen(sql, scope, id, n);

/** Deletes the last vote of a member. Returns no row if there is none. */
export const deleteLastVote = (tx: Sql, scope: Scope, id: string) => tx<{ n: number }[]>`
  delete from preference_vote
  where study_id = ${id} and organization_id = ${scope.organizationId} and member_id = ${scope.memberId} and n = (
    select n from preference_vote
    where study_id = ${id} and organization_id = ${scope.organizationId} and member_id = ${scope.memberId}
    order by created_at desc, n desc limit 1)
  returning n`;

/** Writes the vote of a member and replaces an earlier one. Returns no row without such a pair. */
export const upsertVote = (
  tx: Sql,
  scope: Scope,
  id: string,
  { pairNumber, choice, comment }: { pairNumber: number; choice: string; comment: string },
) => tx<{ n: number }[]>`
  insert into preference_vote (study_id, n, organization_id, member_id, left_run, preferred, comment)
  select pair.study_id, pair.n, ${scope.organizationId}, ${scope.memberId}, sides.l,
    case ${choice}::text when 'left' then sides.l when 'right' then sides.r end, ${comment}
  from preference_pair pair
  join preference_study study on study.id = pair.study_id and study.organization_id = ${scope.organizationId}
  cross join lateral (
    select case when ${isLeft(tx, scope)} then run_a else run_b end as l,
      case when ${isLeft(tx, scope)} then run_b else run_a end as r) sides
  where pair.study_id = ${id} and pair.n = ${pairNumber} and pair.organization_id = ${scope.organizationId}
  on conflict (study_id, n, member_id)
    do update set left_run = excluded.left_run, preferred = excluded.preferred, comment = excluded.comment, created_at = now()
  returning n`;

export const listVotes = (sql: Sql, scope: Scope, id: string) => sql<StudyVote[]>`
  select pair.n, pair.unit, pair.run_a as a, pair.run_b as b, vote.member_id is null as "byJudge", vote.left_run as left,
    vote.preferred, array[rating_shown, rating_swapped]::int[] as ratings
  from preference_vote vote
  join preference_pair pair on pair.study_id = vote.study_id and pair.n = vote.n and pair.organization_id = ${scope.organizationId}
  where vote.study_id = ${id} and vote.organization_id = ${scope.organizationId}
  order by pair.n, vote.created_at`;

export const listStudyRuns = (sql: Sql, scope: Owner, id: string) => sql<
  { position: number; runId: string }[]
>`
  select position, run_id::text as "runId" from preference_run
  where study_id = ${id} and organization_id = ${scope.organizationId} order by position`;

/** Whether two people, or people and the model, prefer different outputs of a pair; a tie differs from a preference. */
const isDisputed = (sql: Sql, scope: Scope): Fragment => sql`(
    select count(distinct coalesce(vote.preferred, -1)) > 1 from preference_vote vote
    where vote.study_id = pair.study_id and vote.n = pair.n and vote.organization_id = ${scope.organizationId})`;

/** Lists the pairs in the order of their numbers: all, or those on which someone disagrees. */
export const listComparisons = (
  sql: Sql,
  scope: Scope,
  id: string,
  after: string,
  count: number,
  { only }: { only?: 'disagreements' },
) => sql<{ body: string; key: string }[]>`
  select json_build_object('number', pair.n, 'firstRunId', run_a.run_id::text, 'secondRunId', run_b.run_id::text, 'firstRecordId', run_a.run_id || '-' || pair.n_a,
    'secondRecordId', run_b.run_id || '-' || pair.n_b, 'state', pair.state, 'lastError', pair.last_error, 'costUsd', pair.cost_usd,
    'votes', (
      select coalesce(json_agg(json_build_object('userId', vote.member_id,
        'leftRunId', (case vote.left_run when pair.run_a then run_a.run_id else run_b.run_id end)::text,
        'preferredRunId', (case vote.preferred when pair.run_a then run_a.run_id when pair.run_b then run_b.run_id end)::text,
        'ratings', case when vote.member_id is null then json_build_array(rating_shown, rating_swapped) end, 'comment', vote.comment, 'createdAt', iso_time(vote.created_at))
        order by vote.created_at, vote.member_id), '[]')
      from preference_vote vote
      where vote.study_id = pair.study_id and vote.n = pair.n and vote.organization_id = ${scope.organizationId}))::text as body,
    pair.n::text as key
  from preference_pair pair
  join preference_run run_a on run_a.study_id = pair.study_id and run_a.position = pair.run_a
    and run_a.organization_id = ${scope.organizationId}
  join preference_run run_b on run_b.study_id = pair.study_id and run_b.position = pair.run_b
    and run_b.organization_id = ${scope.organizationId}
  where pair.study_id = ${id} and pair.organization_id = ${scope.organizationId} and pair.n > ${after}::int
    and (${only === undefined} or ${isDisputed(sql, scope)})
  order by pair.n
  limit ${count}`;
