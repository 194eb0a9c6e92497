import { ApiError } from '../errors.ts';

/**
 * Bytes of all large requests and answers that are under way, in the process. What a request takes of it is its bytes times one of
 * `weights`: a body becomes a text, values, the parameters of a statement and an answer.
 */
export const budgetBytes = 128 * 1024 * 1024;
export const weights = { body: 4, answer: 2, spans: 1 } as const;

/** Longest wait for a part of these. */
const longestWaitMs = 10_000;

/** Time for a body or an answer to be transferred. While others wait, one that takes longer is cut off. */
const transferMs = 60_000;

type Owner = bigint | string;
type Holding = { owner: Owner; bytes: number };
type Holder = Holding & { since: number; cut?: (() => void) | undefined };

/** Asks for a part of the budget. The wait ends with the signal. */
export type BudgetRequest = Holding & {
  signal?: AbortSignal | undefined;
  /** Ends the transfer of the body or the answer, if one is under way. */
  cut?: (() => void) | undefined;
};

/** A part of the budget. */
export type Held = {
  /** Changes its size at once. Throws 503 if the budget has no room for that. */
  resize: (bytes: number) => void;
  /** Changes its size and waits for room. Rejects with 503 as `take` does, but later: the transfer would break off. */
  resizeLater: (bytes: number) => Promise<void>;
  /** Says that another transfer begins. */
  restart: () => void;
  release: () => void;
};

const busy = () =>
  new ApiError(
    'UNAVAILABLE',
    'Too many large requests are under way. Nothing was written; try again shortly.',
    { retryAfterSeconds: 1 },
  );

/**
 * Opens a budget of bytes. One owner holds at most half of it, so that no owner keeps it from the others; a part that is larger than
 * that is given when its owner holds nothing else. `take` waits for a part, and rejects with 503 when nothing was free for
 * `longestMs`. `begin` takes a part that is empty and grows.
 */
export const openBudget = (maxBytes = budgetBytes, { longestMs = longestWaitMs, now = Date.now } = {}) => {
  const waiting = new Set<Holding & { enter: () => void }>();
  const holders = new Set<Holder>();
  const heldBy = new Map<Owner, number>();
  let held = 0;

  const fits = ({ owner, bytes }: Holding) => {
    const own = heldBy.get(owner) ?? 0;
    return (held === 0 || held + bytes <= maxBytes) && (own === 0 || own + bytes <= maxBytes / 2);
  };
  const count = ({ owner, bytes }: Holding) => {
    held += bytes;
    const own = (heldBy.get(owner) ?? 0) + bytes;
    if (own === 0) heldBy.delete(owner);
    else heldBy.set(owner, own);
  };
  const admit = () => {
    for (const next of waiting) {
      if (!fits(next)) continue;
      waiting.delete(next);
      count(next);
      next.enter();
    }
  };
  const cutSlow = () => {
    for (const { since, cut } of holders) if (now() - since > transferMs) cut?.();
  };
  /** Counts bytes as soon as they fit. */
  const wait = async ({ owner, bytes }: Holding, waitMs: number, signal?: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = { owner, bytes, enter: resolve };
    const leave = () => waiting.delete(next) && reject(busy());
    waiting.add(next);
    admit();
    if (waiting.has(next)) cutSlow();
    const timer = setTimeout(leave, waitMs);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
  };
  /** Returns the part of a holder whose bytes are counted. */
  const heldOf = (holder: Holder, signal?: AbortSignal): Held => {
    const { owner } = holder;
    holders.add(holder);
    const moreThan = (bytes: number) => ({ owner, bytes: bytes - holder.bytes });
    const note = (more: Holding) => {
      holder.bytes += more.bytes;
      if (more.bytes < 0) admit();
    };
    return {
      resize: (bytes) => {
        const more = moreThan(bytes);
        if (more.bytes > 0 && !fits(more)) {
          cutSlow();
          throw busy();
        }
        count(more);
        note(more);
      },
      resizeLater: async (bytes) => {
        const more = moreThan(bytes);
        if (more.bytes > 0) await wait(more, transferMs, signal);
        else count(more);
        note(more);
        // The request has ended in the meantime.
        if (!holders.has(holder)) count({ owner, bytes: -more.bytes });
      },
      restart: () => {
        holder.since = now();
      },
      release: () => {
        if (!holders.delete(holder)) return;
        count({ owner, bytes: -holder.bytes });
        admit();
      },
    };
  };

  const take = async ({ owner, bytes, signal, cut }: BudgetRequest): Promise<Held> => {
    await wait({ owner, bytes }, longestMs, signal);
    return heldOf({ owner, bytes, since: now(), cut }, signal);
  };
  const begin = ({ owner, cut }: Pick<BudgetRequest, 'owner' | 'cut'>): Held =>
    heldOf({ owner, bytes: 0, since: now(), cut });
  return { take, begin };
};

export type Budget = ReturnType<typeof openBudget>;
