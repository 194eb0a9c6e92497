import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ReviewKey } from './queries.ts';

/** A configuration of a human metric, and the number of reviewers that each of its scores needs. */
export type Queue = { configId: string; reviewers: number };

/** Finds the queues of a project, of one metric or of all. Older configurations of a metric count: they may have pending scores. */
export const findQueues = (sql: Sql, scope: Scope, projectId: bigint, metricId: bigint | null) => sql<
  Queue[]
>`
  select config.id as "configId", metric.reviewers
  from metric join metric_config config on config.metric_id = metric.id
  where metric.organization_id = ${scope.organizationId} and config.organization_id = ${scope.organizationId}
    and metric.project_id = ${projectId} and metric.deleted_at is null and config.eval_type = 'human'
    and (${metricId}::bigint is null or metric.id = ${metricId})`;

/** The queues as a table named `queue`. */
const queueTable = (sql: Sql, queues: Queue[]) =>
  rowsOf(sql, queues, { config_id: 'uuid', reviewers: 'integer' }, { as: 'queue' });

/** Whether the record of score `s` is assigned to this member. */
const isMine = (sql: Sql, scope: Scope) => sql`
  exists (
    select from record_assignment mine
    where mine.run_id = s.run_id and mine.n = s.n and mine.assignee_id = ${scope.memberId}
      and mine.organization_id = ${scope.organizationId})`;

/**
 * Number of reviews of score `s` that are reserved for others: those of people to whom the record is assigned, who have neither given theirs nor
 * claimed it. Nothing is reserved from a member to whom it is assigned too.
 */
const reserved = (sql: Sql, scope: Scope) => sql`
  (select count(*) from record_assignment theirs
    where theirs.run_id = s.run_id and theirs.n = s.n and theirs.assignee_id <> ${scope.memberId}
      and theirs.organization_id = ${scope.organizationId}
      and not coalesce(theirs.assignee_id = any(s.reviewed_by), false) and not ${isMine(sql, scope)}
      and not exists (
        select from review_claim held
        where held.run_id = s.run_id and held.n = s.n and held.metric_config_id = s.metric_config_id
          and held.member_id = theirs.assignee_id and held.organization_id = ${scope.organizationId}
          and held.expires_at > now()))`;

/**
 * Whether score `s` still needs a review that this member can give, in addition to those of the members who have claimed it or to whom it is
 * assigned. Claims are counted in a subquery that PostgreSQL can't turn into a join: under row-level security it expects far too few rows, and
 * a join took 24 s to pass 10,000 reviewed records.
 */
const isOpen = (sql: Sql, scope: Scope) => sql`
  s.state = 'pending' and s.organization_id = ${scope.organizationId}
  and (s.reviewed_by is null or ${scope.memberId}::uuid <> all(s.reviewed_by))
  and (
    select count(*) from review_claim other
    where other.run_id = s.run_id and other.n = s.n and other.metric_config_id = s.metric_config_id
      and other.organization_id = ${scope.organizationId} and other.member_id <> ${scope.memberId}
      and other.expires_at > now())
    + ${reserved(sql, scope)}
  < queue.reviewers - coalesce(cardinality(s.reviewed_by), 0)`;

const inRun = (sql: Sql, runId: bigint | null) => (runId === null ? sql`` : sql`and s.run_id = ${runId}`);

const keyColumns = (sql: Sql) => sql`s.run_id as "runId", s.n, s.metric_config_id as "configId"`;

/** Finds one score for the member and locks it with its record; with `skipLocked` one that no other transaction has locked. */
export type Find = (
  tx: Sql,
  scope: Scope,
  queues: Queue[],
  runId: bigint | null,
  skipLocked: boolean,
) => Promise<readonly ReviewKey[]>;

/**
 * The record of score `s`. A search locks it with the score, because the member then claims the record's other scores too: with a lock on
 * one score alone, a search for another metric found the same record, and two members had a part of it each.
 */
const itsRecord = (sql: Sql, scope: Scope) => sql`
  join record r on r.run_id = s.run_id and r.n = s.n and r.organization_id = ${scope.organizationId}`;

const lock = (sql: Sql, skipLocked: boolean) =>
  skipLocked ? sql`for no key update of r, s skip locked` : sql`for no key update of r, s`;

/** Finds a score that the member has claimed. Reads review_claim_member. */
export const findClaimed: Find = (tx, scope, queues, runId, skipLocked) => tx<ReviewKey[]>`
  select ${keyColumns(tx)}
  from ${queueTable(tx, queues)}
  join review_claim mine on mine.metric_config_id = queue.config_id and mine.member_id = ${scope.memberId}
    and mine.organization_id = ${scope.organizationId} and mine.expires_at > now()
  join score s on s.run_id = mine.run_id and s.n = mine.n and s.metric_config_id = mine.metric_config_id
  ${itsRecord(tx, scope)}
  where ${isOpen(tx, scope)} ${inRun(tx, runId)}
  order by mine.expires_at desc, s.run_id, s.n, s.metric_config_id
  limit 1
  ${lock(tx, skipLocked)}`;

const notSkipped = (tx: Sql, scope: Scope) => tx`
  (select count(*) from review_claim skipped
    where skipped.run_id = s.run_id and skipped.n = s.n and skipped.metric_config_id = s.metric_config_id
      and skipped.member_id = ${scope.memberId} and skipped.organization_id = ${scope.organizationId}
      and skipped.skipped_at is not null) = 0`;

/**
 * Finds the oldest score of a record that is assigned to the member. Walks record_assignment_assignee in order and looks up
 * score_pending for each record; any other join would sort all assigned records to find the first.
 */
const findAssigned: Find = (tx, scope, queues, runId, skipLocked) => tx<ReviewKey[]>`
  select found.*
  from (
    select run_id, n from record_assignment
    where assignee_id = ${scope.memberId} and organization_id = ${scope.organizationId}
    order by run_id, n) assignment
  cross join lateral (
    select ${keyColumns(tx)}
    from ${queueTable(tx, queues)}
    join score s on s.run_id = assignment.run_id and s.n = assignment.n and s.metric_config_id = queue.config_id
    ${itsRecord(tx, scope)}
    where ${isOpen(tx, scope)} and ${notSkipped(tx, scope)} ${inRun(tx, runId)}
    order by s.metric_config_id
    limit 1
    ${lock(tx, skipLocked)}) found
  order by assignment.run_id, assignment.n
  limit 1`;

/** Number of pending scores at the start of a queue that are tried one by one. */
const fewTried = 200;

/** A part of the scores of each queue: a relation `bound` beside `queue`, and the condition of a score by it. */
type Part = (sql: Sql) => { bound: Fragment; within: Fragment };

/** Finds the oldest score of a part of all queues. Reads score_pending. */
const findOldestIn =
  (part: Part): Find =>
  (tx, scope, queues, runId, skipLocked) => {
    const { bound, within } = part(tx);
    return tx<ReviewKey[]>`
    select oldest.*
    from ${queueTable(tx, queues)} ${bound}
    cross join lateral (
      select ${keyColumns(tx)}
      from score s ${itsRecord(tx, scope)}
      where s.metric_config_id = queue.config_id and ${isOpen(tx, scope)} and ${notSkipped(tx, scope)} ${inRun(tx, runId)} and ${within}
      order by s.run_id, s.n
      limit 1
      ${lock(tx, skipLocked)}) oldest
    order by oldest."runId", oldest.n, oldest."configId"
    limit 1`;
  };

/** Finds the oldest score among the first ones of each queue. */
const findFirst: Find = (tx, scope, queues, runId, skipLocked) =>
  findOldestIn((sql) => ({
    bound: sql`
      left join lateral (
        select s.run_id, s.n from score s
        where s.metric_config_id = queue.config_id and s.state = 'pending' and s.organization_id = ${scope.organizationId} ${inRun(sql, runId)}
        order by s.run_id, s.n offset ${fewTried} limit 1) bound on true`,
    within: sql`
      (s.run_id, s.n) <= (coalesce(bound.run_id, 9223372036854775807), coalesce(bound.n, 2147483647))`,
  }))(tx, scope, queues, runId, skipLocked);

/** Finds the oldest score, from the first open one of each queue on. */
export const findOldestFrom =
  (first: readonly ReviewKey[]): Find =>
  (tx, scope, queues, runId, skipLocked) =>
    first.length === 0
      ? Promise.resolve([])
      : findOldestIn((sql) => ({
          bound: sql`join ${rowsOf(sql, first, { config_id: 'uuid', run_id: 'bigint', n: 'integer' }, { as: 'bound' })}
            on bound.config_id = queue.config_id`,
          within: sql`(s.run_id, s.n) >= (bound.run_id, bound.n)`,
        }))(tx, scope, queues, runId, skipLocked);

/** Finds the score that the member skipped first. Reads review_claim_member. */
export const findSkipped: Find = (tx, scope, queues, runId, skipLocked) => tx<ReviewKey[]>`
  select ${keyColumns(tx)}
  from ${queueTable(tx, queues)}
  join review_claim mine on mine.metric_config_id = queue.config_id and mine.member_id = ${scope.memberId}
    and mine.organization_id = ${scope.organizationId} and mine.skipped_at is not null
  join score s on s.run_id = mine.run_id and s.n = mine.n and s.metric_config_id = mine.metric_config_id
  ${itsRecord(tx, scope)}
  where ${isOpen(tx, scope)} ${inRun(tx, runId)}
  order by mine.skipped_at
  limit 1
  ${lock(tx, skipLocked)}`;

/** The searches that are quick if a score is open: tried first, in this order. */
export const quickSearches: readonly Find[] = [findAssigned, findFirst];

/** How long a claim lasts. */
const claimedFor = '10 minutes';

/**
 * Claims a score that this transaction has locked, or renews the claim. Returns false when others have claimed it since the search:
 * this statement sees transactions that the search did not.
 */
export const claim = async (
  tx: Sql,
  scope: Scope,
  { runId, n, configId }: ReviewKey,
  reviewers: number,
): Promise<boolean> => {
  const claimed = await tx`
    insert into review_claim (organization_id, run_id, n, metric_config_id, member_id, expires_at)
    select ${scope.organizationId}, s.run_id, s.n, s.metric_config_id, ${scope.memberId}, now() + ${claimedFor}::interval
    from score s cross join (values (${reviewers}::integer)) as queue (reviewers)
    where s.run_id = ${runId} and s.n = ${n} and s.metric_config_id = ${configId} and ${isOpen(tx, scope)}
    on conflict (run_id, n, metric_config_id, member_id) do update set expires_at = excluded.expires_at`;
  return claimed.count === 1;
};

/**
 * Claims the other scores of a record that the member can give, for a screen with all of them. Leaves out those that another transaction
 * holds, and those that the member skipped, unless this one was skipped too. Returns their configurations.
 */
export const claimRest = async (
  tx: Sql,
  scope: Scope,
  queues: readonly Queue[],
  key: ReviewKey,
): Promise<string[]> => {
  const { runId, n } = key;
  const others = queues.filter(({ configId }) => configId !== key.configId);
  if (others.length === 0) return [];
  const open = await tx<{ configId: string }[]>`
    select s.metric_config_id as "configId"
    from ${queueTable(tx, others)}
    join score s on s.metric_config_id = queue.config_id
    where s.run_id = ${runId} and s.n = ${n} and ${isOpen(tx, scope)}
      and (${notSkipped(tx, scope)} or exists (
        select from review_claim own
        where own.run_id = ${runId} and own.n = ${n} and own.metric_config_id = ${key.configId}
          and own.member_id = ${scope.memberId} and own.organization_id = ${scope.organizationId}
          and own.skipped_at is not null))
    for no key update of s skip locked`;
  const claimed: string[] = [];
  for (const { configId } of open) {
    const { reviewers } = others.find((each) => each.configId === configId)!;
    if (await claim(tx, scope, { runId, n, configId }, reviewers)) claimed.push(configId);
  }
  return claimed;
};

/** Claims a score whose review the member has just undone, even when others wait for it. */
export const reclaimScore = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  insert into review_claim (organization_id, run_id, n, metric_config_id, member_id, expires_at)
  values (${scope.organizationId}, ${runId}, ${n}, ${configId}, ${scope.memberId}, now() + ${claimedFor}::interval)
  on conflict (run_id, n, metric_config_id, member_id) do update set expires_at = excluded.expires_at`;

/** Ends the member's claim and puts the score behind all others for this member. */
export const skipScore = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  insert into review_claim (organization_id, run_id, n, metric_config_id, member_id, expires_at, skipped_at)
  values (${scope.organizationId}, ${runId}, ${n}, ${configId}, ${scope.memberId}, now(), clock_timestamp())
  on conflict (run_id, n, metric_config_id, member_id) do update set
    expires_at = excluded.expires_at, skipped_at = excluded.skipped_at`;

/** Deletes the member's claim or skip of a score. */
export const deleteClaim = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  delete from review_claim
  where run_id = ${runId} and n = ${n} and metric_config_id = ${configId} and member_id = ${scope.memberId}
    and organization_id = ${scope.organizationId}`;
