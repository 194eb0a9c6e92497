import { requireProject } from '../../evaluation/projects/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  claim,
  claimRest,
  type Find,
  findClaimed,
  findOldestFrom,
  findQueues,
  findSkipped,
  type Queue,
  quickSearches,
} from './claims.ts';
import { findOpen } from './open-scores.ts';
import { findTask, type ReviewKey } from './queries.ts';
import { findFilter, type QueueFilter, requireFound } from './queue-filter.ts';
import { findReviewMetrics } from './review-metrics.ts';

/**
 * Renews the member's claim, or else claims a score that needs another reviewer. Members who ask at the same moment do not wait
 * for each other (skip locked); a member waits for the others only when nothing seems left.
 */
const claimNext = async (
  tx: Sql,
  scope: Scope,
  queues: Queue[],
  runId: bigint | null,
): Promise<ReviewKey | undefined> => {
  const reviewersOf = new Map(queues.map(({ configId, reviewers }) => [configId, reviewers]));
  const tryClaim = (key: ReviewKey) => claim(tx, scope, key, reviewersOf.get(key.configId)!);

  // This waits for the lock of a row, so it comes before anything is locked.
  const [claimed] = await findClaimed(tx, scope, queues, runId, false);
  if (claimed && (await tryClaim(claimed))) return claimed;

  const tryEach = async (searches: readonly Find[], skipLocked: boolean): Promise<ReviewKey | undefined> => {
    for (const search of searches) {
      const [found] = await search(tx, scope, queues, runId, skipLocked);
      if (found) return found;
    }
    return undefined;
  };
  const findNext = async (): Promise<ReviewKey | undefined> => {
    const quick = await tryEach(quickSearches, true);
    if (quick) return quick;
    // A search that waited for a review sees the new score but the old claims, and counts its reviewer twice. So it is repeated.
    for (const skipLocked of [true, false, false]) {
      const { first, hasSkipped } = await findOpen(tx, scope, queues, runId);
      const found = await tryEach([findOldestFrom(first), ...(hasSkipped ? [findSkipped] : [])], skipLocked);
      if (found) return found;
      if (first.length === 0 && !hasSkipped) return undefined;
    }
    return undefined;
  };
  for (;;) {
    const found = await findNext();
    // A claim fails only when others have just claimed the score, so each round finds fewer.
    if (!found || (await tryClaim(found))) return found;
  }
};

/** The answer with a record to score: its task, and every metric by which the member scores it now. */
export const answerOf = async (
  tx: Sql,
  scope: Scope,
  key: ReviewKey | undefined,
  others: readonly string[],
): Promise<string> => {
  if (!key) return '{"review":null,"metrics":[]}';
  const [task] = await findTask(tx, scope, key);
  const [metrics] = await findReviewMetrics(tx, scope, key, [key.configId, ...others]);
  return `{"review":${task?.body ?? null},"metrics":[${metrics?.body ?? ''}]}`;
};

/**
 * Claims the next record for the member, by every metric that they can score it by, and returns its ReviewTask with these metrics;
 * `{"review":null}` when none is left.
 */
export const nextReview = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  filter: QueueFilter,
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  requireFound(filter, await findFilter(tx, scope, projectId, filter));
  const queues = await findQueues(tx, scope, projectId, filter.metricId);
  const key = queues.length > 0 ? await claimNext(tx, scope, queues, filter.runId) : undefined;
  const others = key ? await claimRest(tx, scope, queues, key) : [];
  return answerOf(tx, scope, key, others);
};
