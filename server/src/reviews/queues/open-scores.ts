import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Queue } from './claims.ts';
import type { ReviewKey } from './queries.ts';

/**
 * Which scores of queues are open for a member, read as three lists and joined here: under row-level security PostgreSQL expects a handful of
 * rows, and asks for the claims and assignments of each of 10,000 scores (0.6 s a search, and there are three).
 */

type Waiting = { configId: string; scores: string };

/** The pending scores of each queue in their order, each as `run-n`, with the ids of those who have reviewed it. Reads score_pending. */
const listWaiting = (sql: Sql, scope: Scope, configIds: string[], runId: bigint | null) => sql<Waiting[]>`
  select queue.config_id as "configId", string_agg(s.run_id || '-' || s.n || coalesce(' ' || array_to_string(s.reviewed_by, ' '), ''), ','
    order by s.run_id, s.n) as scores
  from ${rowsOf(
    sql,
    configIds.map((configId) => ({ configId })),
    { config_id: 'uuid' },
    { as: 'queue' },
  )}
  cross join lateral (
    select score.run_id, score.n, score.reviewed_by from score
    where score.metric_config_id = queue.config_id and score.state = 'pending' and score.organization_id = ${scope.organizationId}
      ${runId === null ? sql`` : sql`and score.run_id = ${runId}`}
    offset 0) s
  group by queue.config_id`;

/** Claims that hold a score, and the member's skipped scores, each as `run-n config member`, or `run-n config` if skipped. Reads review_claim_pkey. */
const listClaims = (sql: Sql, scope: Scope, runIds: string[]) => sql<{ claims: string | null }[]>`
  select string_agg(run_id || '-' || n || ' ' || metric_config_id || case when held then ' ' || member_id else '' end, ',') as claims
  from (
    select run_id, n, metric_config_id, member_id, expires_at > now() and member_id <> ${scope.memberId} as held from review_claim
    where run_id = any(${runIds}::text[]::bigint[]) and organization_id = ${scope.organizationId}
      and (expires_at > now() and member_id <> ${scope.memberId} or skipped_at is not null and member_id = ${scope.memberId})) claim`;

/** The people to whom records are assigned, as `run-n member member`. Reads record_assignment_pkey. */
const listAssigned = (sql: Sql, scope: Scope, runIds: string[]) => sql<{ assigned: string | null }[]>`
  select string_agg(run_id || '-' || n || ' ' || people, ',') as assigned
  from (
    select run_id, n, string_agg(assignee_id::text, ' ') as people from record_assignment
    where run_id = any(${runIds}::text[]::bigint[]) and organization_id = ${scope.organizationId}
    group by run_id, n) record`;

const linesOf = (text: string | null | undefined): string[][] =>
  text ? text.split(',').map((line) => line.split(' ')) : [];

/**
 * Returns the first score of each queue that the member can review and has not skipped, and whether a skipped one is open. A score that is
 * not open now is one that no search would wait for.
 */
export const findOpen = async (
  tx: Sql,
  scope: Scope,
  queues: readonly Queue[],
  runId: bigint | null,
): Promise<{ first: ReviewKey[]; hasSkipped: boolean }> => {
  const waiting = await listWaiting(
    tx,
    scope,
    queues.map(({ configId }) => configId),
    runId,
  );
  const scores = waiting.map(({ configId, scores: text }) => ({ configId, lines: linesOf(text) }));
  const runIds = [...new Set(scores.flatMap(({ lines }) => lines.map(([key]) => key!.split('-')[0]!)))];
  const [claimed] = await listClaims(tx, scope, runIds);
  const [assignments] = await listAssigned(tx, scope, runIds);
  const claims = Map.groupBy(linesOf(claimed?.claims), ([key, configId]) => `${key} ${configId}`);
  const assigned = new Map(linesOf(assignments?.assigned).map(([key, ...people]) => [key!, people]));
  const me = scope.memberId;
  const found: ReviewKey[] = [];
  let hasSkipped = false;
  for (const { configId, lines } of scores) {
    const { reviewers } = queues.find((queue) => queue.configId === configId)!;
    for (const [key, ...reviewedBy] of lines) {
      if (reviewedBy.includes(me)) continue;
      const ofScore = claims.get(`${key} ${configId}`) ?? [];
      const holders = ofScore.flatMap(([, , member]) => member ?? []);
      const people = assigned.get(key!) ?? [];
      const reserved = people.includes(me)
        ? 0
        : people.filter((person) => !reviewedBy.includes(person) && !holders.includes(person)).length;
      if (holders.length + reserved >= reviewers - reviewedBy.length) continue;
      if (ofScore.length > holders.length) {
        hasSkipped = true;
        continue;
      }
      const [run, n] = key!.split('-') as [string, string];
      found.push({ runId: BigInt(run), n: Number(n), configId });
      break;
    }
  }
  return { first: found, hasSkipped };
};
