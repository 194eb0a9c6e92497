import { requireProject } from '../../evaluation/projects/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { claim, findHeld, findQueues, type Queue, searches } from './claims.ts';
import { findNarrowing, type Narrowing, requireNarrowing } from './narrowing.ts';
import { findTask, type ReviewKey } from './queries.ts';

/**
 * Claims what the member has in hand, else a record that nobody else is looking at. People who ask at the same moment pass
 * each other by (skip locked); only when nothing seems left does one wait for the others to see what they leave.
 */
const claimNext = async (
  tx: Sql,
  scope: Scope,
  queues: Queue[],
  runId: bigint | null,
): Promise<ReviewKey | undefined> => {
  const reviewersOf = new Map(queues.map(({ configId, reviewers }) => [configId, reviewers]));
  const tryClaim = (key: ReviewKey) => claim(tx, scope, key, reviewersOf.get(key.configId)!);

  // Once, before anything is locked: it waits for its row.
  const [held] = await findHeld(tx, scope, queues, runId, false);
  if (held && (await tryClaim(held))) return held;

  const findNext = async (): Promise<ReviewKey | undefined> => {
    for (const skipLocked of [true, false]) {
      for (const search of searches) {
        const [found] = await search(tx, scope, queues, runId, skipLocked);
        if (found) return found;
      }
    }
    return undefined;
  };
  for (;;) {
    const found = await findNext();
    // A claim fails only where others have just taken the places, so every further round finds fewer left.
    if (!found || (await tryClaim(found))) return found;
  }
};

/** The next record for the member to score, claimed for them; `{"review":null}` when none is left. */
export const nextReview = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  narrowing: Narrowing,
): Promise<string> => {
  const [queues] = await Promise.all([
    findQueues(tx, scope, projectId, narrowing.metricId),
    requireProject(tx, scope, projectId),
    requireNarrowing(narrowing, findNarrowing(tx, scope, projectId, narrowing)),
  ]);
  const key = queues.length > 0 ? await claimNext(tx, scope, queues, narrowing.runId) : undefined;
  const [task] = key ? await findTask(tx, scope, key) : [];
  return `{"review":${task?.body ?? null}}`;
};
