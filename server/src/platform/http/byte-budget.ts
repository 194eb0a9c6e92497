import { ApiError } from '../errors.ts';

/**
 * Bytes of all large requests and answers that are under way, in the process. What a request takes of it is its bytes times one of
 * `weights`: a body becomes a text, values, the parameters of a statement and an answer. `values` are rows that the process reads as
 * values before they become an answer.
 */
export const budgetBytes = 128 * 1024 * 1024;
export const weights = { body: 4, answer: 2, values: 6, spans: 1 } as const;

/** Longest wait for a part of these. */
const longestWaitMs = 10_000;

/** A part of this size leaves garbage that is collected before others get its memory. */
const collectedBytes = 8 * 1024 * 1024;
/** Bytes of such parts that are given back between two collections. */
const betweenBytes = 32 * 1024 * 1024;

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

/** Counts the bytes that owners hold of a whole. One owner holds at most half; what is larger is let in when its owner holds nothing else. */
const openCount = (maxBytes: number) => {
  const heldBy = new Map<Owner, number>();
  let held = 0;
  return {
    fits: ({ owner, bytes }: Holding): boolean => {
      const own = heldBy.get(owner) ?? 0;
      return (held === 0 || held + bytes <= maxBytes) && (own === 0 || own + bytes <= maxBytes / 2);
    },
    add: ({ owner, bytes }: Holding): void => {
      held += bytes;
      const own = (heldBy.get(owner) ?? 0) + bytes;
      if (own === 0) heldBy.delete(owner);
      else heldBy.set(owner, own);
    },
  };
};

/** Holds the bytes that wait until they fit. `onWait` is called when some must wait. */
const openQueue = ({ fits, add }: ReturnType<typeof openCount>, onWait: () => void) => {
  const waiting = new Set<Holding & { enter: () => void }>();
  const admit = () => {
    for (const next of waiting) {
      if (!fits(next)) continue;
      waiting.delete(next);
      add(next);
      next.enter();
    }
  };
  /** Counts bytes as soon as they fit. Rejects with 503 after `waitMs`, or with the signal. */
  const wait = async ({ owner, bytes }: Holding, waitMs: number, signal?: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = { owner, bytes, enter: resolve };
    const leave = () => waiting.delete(next) && reject(busy());
    waiting.add(next);
    admit();
    if (waiting.has(next)) onWait();
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
  return { wait, admit };
};

/**
 * Opens a budget of bytes. No owner can keep more than half of it from the others. `take` waits for a part, and rejects with 503 when
 * nothing was free for `longestMs`. `begin` takes a part that is empty and grows. `collect` collects garbage: V8 would wait until there
 * is as much of it as all that lives.
 */
export const openBudget = (
  maxBytes = budgetBytes,
  { longestMs = longestWaitMs, now = Date.now, collect = () => {} } = {},
) => {
  const holders = new Set<Holder>();
  const cutSlow = () => {
    for (const { since, cut } of holders) if (now() - since > transferMs) cut?.();
  };
  const { fits, add } = openCount(maxBytes);
  const { wait, admit } = openQueue({ fits, add }, cutSlow);
  /** Makes room for bytes at once, or refuses them. */
  const require = (more: Holding): void => {
    if (!fits(more)) {
      cutSlow();
      throw busy();
    }
    add(more);
  };
  let uncollected = 0;
  const giveBack = (given: Holding): void => {
    const back = () => {
      add({ ...given, bytes: -given.bytes });
      admit();
    };
    if (given.bytes >= collectedBytes) uncollected += given.bytes;
    if (uncollected < betweenBytes) back();
    else {
      uncollected = 0;
      // Its caller still has what it gives back.
      setImmediate(() => {
        collect();
        back();
      });
    }
  };
  const resize = (holder: Holder, bytes: number): void => {
    const more = bytes - holder.bytes;
    if (more > 0) require({ ...holder, bytes: more });
    else giveBack({ ...holder, bytes: -more });
    holder.bytes = bytes;
  };
  const heldOf = (holder: Holder, signal?: AbortSignal): Held => {
    holders.add(holder);
    return {
      resize: (bytes) => resize(holder, bytes),
      resizeLater: async (bytes) => {
        const more = bytes - holder.bytes;
        if (more <= 0) return resize(holder, bytes);
        await wait({ ...holder, bytes: more }, transferMs, signal);
        holder.bytes += more;
        // The request has ended in the meantime.
        if (!holders.has(holder)) giveBack({ ...holder, bytes: more });
      },
      restart: () => {
        holder.since = now();
      },
      release: () => {
        if (holders.delete(holder)) giveBack({ ...holder });
      },
    };
  };

  return {
    take: async ({ owner, bytes, signal, cut }: BudgetRequest): Promise<Held> => {
      await wait({ owner, bytes }, longestMs, signal);
      return heldOf({ owner, bytes, since: now(), cut }, signal);
    },
    begin: ({ owner, cut }: Pick<BudgetRequest, 'owner' | 'cut'>): Held =>
      heldOf({ owner, bytes: 0, since: now(), cut }),
  };
};

export type Budget = ReturnType<typeof openBudget>;
