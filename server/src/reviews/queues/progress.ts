import type { Fragment, Sql } from '../../platform/db/database.ts';
import { firstUuid, type PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { reviewJson } from './queries.ts';
import type { QueueFilter } from './queue-filter.ts';

const inRun = (sql: Sql, table: 's' | 'review' | 'claim', runId: bigint | null) =>
  runId === null ? sql`` : sql`and ${sql(table)}.run_id = ${runId}`;

/**
 * Parts of a statement that has `queue`: where its queues wait, counted and not read. A project may have 100,000 pending scores, and reading them
 * took half a second. `in_run` has the pending scores of a queue in a run, from `run_tally`, which triggers keep exact. It finds the runs by one
 * look into score_pending for each. `singled` has the records that anyone has begun or that are assigned, and `noted` their pending
 * scores: all others wait for everyone. Reads score_started.
 */
const whatWaits = (sql: Sql, scope: Scope, runId: bigint | null) => {
  const firstRun = (id: Fragment, after: Fragment) => sql`
    select s.run_id from score s
    where s.metric_config_id = ${id} and s.state = 'pending' and s.organization_id = ${scope.organizationId} ${after} ${inRun(sql, 's', runId)}
    order by s.run_id limit 1`;
  return sql`
  waits as (
    select queue.id, found.run_id from queue cross join lateral (${firstRun(sql`queue.id`, sql``)}) found
    union all
    select waits.id, found.run_id
    from waits cross join lateral (${firstRun(sql`waits.id`, sql`and s.run_id > waits.run_id`)}) found),
  in_run as materialized (
    select id, run_id, (
      select coalesce(sum(tally.n), 0) from run_tally tally
      where tally.run_id = waits.run_id and tally.metric_config_id = waits.id and tally.state = 'pending'
        and tally.organization_id = ${scope.organizationId}) as pending
    from waits),
  singled as (
    select s.run_id, s.n
    from in_run join score s on s.metric_config_id = in_run.id and s.run_id = in_run.run_id
    where s.state = 'pending' and s.reviewed_by is not null and s.organization_id = ${scope.organizationId}
    union
    select run_id, n from record_assignment
    where organization_id = ${scope.organizationId} and run_id in (select run_id from in_run)),
  noted as materialized (
    select s.run_id, s.n, s.metric_config_id, s.reviewed_by, queue.reviewers
    from singled join score s on s.run_id = singled.run_id and s.n = singled.n join queue on queue.id = s.metric_config_id
    where s.state = 'pending' and s.organization_id = ${scope.organizationId}),
  -- Records that wait by several metrics are counted once. If one metric waits for all records of the run, they need no reading.
  records_waiting as (
    select coalesce(sum(case when queues = 1 or most = records then most else (
      select count(*) from (
        select from score s
        where s.metric_config_id = any(ids) and s.run_id = by_run.run_id and s.state = 'pending' and s.organization_id = ${scope.organizationId}
        group by s.n) record) end), 0)::bigint as records
    from (
      select in_run.run_id, count(*) as queues, max(pending) as most, array_agg(id) as ids, (
        select sum(tally.n) from run_tally tally
        where tally.run_id = in_run.run_id and tally.metric_config_id is null and tally.organization_id = ${scope.organizationId}) as records
      from in_run group by in_run.run_id) by_run)`;
};

/**
 * Parts of a statement that has `noted`: which of its scores wait for the member, and how many records are assigned to each
 * person. As the queue gives them out: reviews that are reserved for the people to whom a record is assigned are not for others.
 */
const whatIsAssigned = (sql: Sql, scope: Scope) => sql`
  assigned as (
    select run_id, n, array_agg(assignee_id) as people
    from record_assignment
    where organization_id = ${scope.organizationId} and run_id in (select run_id from in_run)
    group by run_id, n),
  noted_for_you as (
    select noted.run_id, noted.n, metric_config_id, ${scope.memberId}::uuid = any(people) as mine
    from noted left join assigned using (run_id, n)
    where (reviewed_by is null or ${scope.memberId}::uuid <> all(reviewed_by))
      and (people is null or ${scope.memberId}::uuid = any(people)
        or reviewers - coalesce(cardinality(reviewed_by), 0) > (
          select count(*) from unnest(people) as person where not coalesce(person = any(reviewed_by), false)))),
  assigned_by_member as (
    select person as member_id, count(*) as assigned
    from (
      select distinct run_id, n, person
      from noted join assigned using (run_id, n) cross join unnest(people) as person
      where not coalesce(person = any(reviewed_by), false)) assignment
    group by person)`;

/** How many waiting records each member has skipped. */
const claimedByMember = (sql: Sql, scope: Scope, runId: bigint | null) => sql`
  claimed_by_member as (
    select claim.member_id, count(distinct (claim.run_id, claim.n)) filter (where claim.skipped_at is not null and (
        select s.state from score s
        where s.run_id = claim.run_id and s.n = claim.n and s.metric_config_id = claim.metric_config_id
          and s.organization_id = ${scope.organizationId}) = 'pending') as skipped
    from queue
    join review_claim claim on claim.metric_config_id = queue.id and claim.organization_id = ${scope.organizationId}
      ${inRun(sql, 'claim', runId)}
    group by claim.member_id)`;

/** The counts of each queue. */
const byQueue = (sql: Sql) => sql`
  noted_by_queue as (
    select metric_config_id as id, count(*) as noted, count(reviewed_by) as started from noted group by 1),
  noted_for_you_by_queue as (select metric_config_id as id, count(*) as noted_for_you from noted_for_you group by 1),
  reviewed_by_queue as (
    select metric_config_id as id, count(*) as reviewed
    from (select distinct metric_config_id, run_id, n from reviewed) score group by 1),
  by_queue as (
    select queue.*, coalesce(pending, 0)::bigint as pending, coalesce(started, 0) as started, coalesce(reviewed, 0) as reviewed,
      coalesce(pending - coalesce(noted, 0) + coalesce(noted_for_you, 0), 0)::bigint as for_you
    from queue
    left join (select id, sum(pending) as pending from in_run group by id) in_queue using (id)
    left join noted_by_queue using (id) left join noted_for_you_by_queue using (id) left join reviewed_by_queue using (id))`;

/** The counts of each member. */
const byMember = (sql: Sql, scope: Scope, runId: bigint | null) => sql`
  -- Records that a member has reviewed by all metrics that still wait.
  started_by_member as (
    select member_id, count(*) as started
    from (
      select run_id, n, member_id, count(*) as scores
      from noted cross join unnest(reviewed_by) as member_id
      group by run_id, n, member_id) given
    join (select run_id, n, count(*) as scores from noted group by run_id, n) waiting using (run_id, n, scores)
    group by member_id),
  reviewed_by_member as (
    select member_id, count(*) as reviewed from (select distinct member_id, run_id, n from reviewed) record group by 1),
  ${claimedByMember(sql, scope, runId)},
  by_member as (
    select member.id, member.name, coalesce(skipped, 0) as skipped, coalesce(reviewed, 0) as reviewed, coalesce(assigned, 0) as assigned,
      (select records from records_waiting) - coalesce(started, 0) as remaining
    from member
    left join claimed_by_member claimed on claimed.member_id = member.id
    left join reviewed_by_member reviewed on reviewed.member_id = member.id
    left join started_by_member started on started.member_id = member.id
    left join assigned_by_member assigned on assigned.member_id = member.id
    where member.organization_id = ${scope.organizationId}
      and (member.id = ${scope.memberId} or claimed.member_id is not null or reviewed.member_id is not null
        or assigned.member_id is not null))`;

/** Returns how many scores are reviewed and how many are left, by queue and by member, as JSON text. Reads review_score_metric. */
export const findProgress = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { metricId, runId }: QueueFilter,
) => sql<{ body: string }[]>`
  with recursive queue as (
    select config.id, metric.id as metric_id, metric.name, metric.reviewers
    from metric join metric_config config on config.metric_id = metric.id
    where metric.organization_id = ${scope.organizationId} and config.organization_id = ${scope.organizationId}
      and metric.project_id = ${projectId} and metric.deleted_at is null and config.eval_type = 'human'
      and config.span_search is null and (${metricId}::bigint is null or metric.id = ${metricId})),
  ${whatWaits(sql, scope, runId)},
  ${whatIsAssigned(sql, scope)},
  reviewed as materialized (
    select review.run_id, review.n, review.metric_config_id, review.member_id
    from queue join review_score review on review.metric_config_id = queue.id
    where review.stands and review.organization_id = ${scope.organizationId} ${inRun(sql, 'review', runId)}),
  ${byQueue(sql)},
  ${byMember(sql, scope, runId)}
  select json_build_object(
    'queues', (
      select coalesce(json_agg(json_build_object('metricId', metric_id::text, 'metricName', name, 'metricConfigId', id,
        'numReviewers', reviewers, 'numPending', pending, 'numStarted', started, 'numReviewed', reviewed - started, 'numForYou', for_you)
        order by id), '[]')
      from by_queue),
    'members', (
      select json_agg(json_build_object('userId', id, 'name', name, 'numReviewed', reviewed, 'numSkipped', skipped,
        'numRemaining', remaining, 'numAssigned', assigned) order by id)
      from by_member),
    'forYou', json_build_object(
      'numRecords', (select records from records_waiting) - (select count(*) from (select distinct run_id, n from noted) record)
        + (select count(*) from (select distinct run_id, n from noted_for_you) record),
      'numAssigned', (select count(*) from (select distinct run_id, n from noted_for_you where mine) record)))::text as body
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/** The cursor before a metric's first disagreement. */
export const firstDisagreement = `${firstUuid} 0 0`;

/**
 * Returns one page of a metric's records on which reviewers differ, by configuration, oldest record first. Leaves out records
 * with a pending score that the member has not reviewed yet. Reads review_score_metric.
 */
export const listDisagreements = (
  sql: Sql,
  scope: Scope,
  metricId: bigint,
  runId: bigint | null,
  after: string,
  count: number,
) => {
  const [configId = '', run = '', n = ''] = after.split(' ');
  return sql<PageRow[]>`
    select left(json_build_object('recordId', differing.run_id || '-' || differing.n,
        'metricConfigId', differing.metric_config_id, 'spread', differing.spread)::text, -1)
      || ',"reviews":[' || (
        select string_agg(${reviewJson(sql)}, ',' order by review.submitted_at, review.id)
        from review_score review
        where review.run_id = differing.run_id and review.n = differing.n
          and review.metric_config_id = differing.metric_config_id and review.organization_id = ${scope.organizationId}
          and review.stands) || ']}' as body,
      differing.metric_config_id || ' ' || differing.run_id || ' ' || differing.n as key
    from (
      select review.metric_config_id, review.run_id, review.n, max(review.value) - min(review.value) as spread
      from metric_config config join review_score review on review.metric_config_id = config.id
      where config.metric_id = ${metricId} and config.organization_id = ${scope.organizationId}
        and review.organization_id = ${scope.organizationId} and review.stands ${inRun(sql, 'review', runId)}
        and (review.metric_config_id, review.run_id, review.n) > (${configId}::uuid, ${run}::bigint, ${n}::integer)
      group by review.metric_config_id, review.run_id, review.n
      having max(review.value) > min(review.value)) differing
    join score s on s.run_id = differing.run_id and s.n = differing.n and s.metric_config_id = differing.metric_config_id
    where s.organization_id = ${scope.organizationId}
      and (s.state <> 'pending' or ${scope.memberId}::uuid = any(s.reviewed_by))
    order by differing.metric_config_id, differing.run_id, differing.n
    limit ${count}`;
};
