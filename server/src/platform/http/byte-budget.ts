import { ApiError } from '../errors.ts';

type Holding = { owner: bigint | string; bytes: number };
type Waiting = Holding & { enter: () => void };

/** Asks for a part of the budget. The wait ends with the signal. */
export type BudgetRequest = Holding & { signal?: AbortSignal | undefined };

const busy = () =>
  new ApiError(
    'UNAVAILABLE',
    'Too many large requests are under way. Nothing was written; try again shortly.',
    { retryAfterSeconds: 1 },
  );

/**
 * Returns the function that takes bytes of a budget and resolves with the function that gives them back. One owner holds at most
 * half of it, so that no owner keeps it from the others; what is larger than that is admitted when its owner holds nothing else.
 * Rejects with 503 when nothing was free for `longestMs`.
 */
export const openBudget = (maxBytes: number, longestMs: number) => {
  const waiting = new Set<Waiting>();
  const heldBy = new Map<Holding['owner'], number>();
  let held = 0;
  const fits = ({ owner, bytes }: Holding) => {
    const own = heldBy.get(owner) ?? 0;
    return (held === 0 || held + bytes <= maxBytes) && (own === 0 || own + bytes <= maxBytes / 2);
  };
  const hold = ({ owner, bytes }: Holding) => {
    held += bytes;
    const own = (heldBy.get(owner) ?? 0) + bytes;
    if (own === 0) heldBy.delete(owner);
    else heldBy.set(owner, own);
  };
  const admit = () => {
    for (const next of waiting) {
      if (!fits(next)) continue;
      waiting.delete(next);
      hold(next);
      next.enter();
    }
  };
  return async ({ owner, bytes, signal }: BudgetRequest): Promise<() => void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = { owner, bytes, enter: resolve };
    const leave = () => waiting.delete(next) && reject(busy());
    waiting.add(next);
    admit();
    const timer = setTimeout(leave, longestMs);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      hold({ owner, bytes: -bytes });
      admit();
    };
  };
};
