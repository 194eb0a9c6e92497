/** Turns at something scarce: processes, threads. They go round the owners, so that none waits for all work of another. */
import { rateLimited } from './errors.ts';

/** Who takes a turn: work of one owner waits for its own work alone. The place in the line ends with the signal. */
export type Asker = {
  owner: bigint | string;
  signal?: AbortSignal | undefined;
  /** The owner has at most one turn of such work, so that endless work leaves one for others. */
  oneAtATime?: boolean;
};

type Place<T> = { resolve: (value: T) => void; reject: (error: Error) => void };

/** A line of those who wait for a value. */
export type Line<T> = {
  /** Waits for a turn. Rejects with the signal's reason when aborted. */
  wait(asker: Asker): Promise<T>;
  /** Gives the value to the next in line. Returns whether there is one. */
  admit(value: T): boolean;
  /** Sends all away with this error. */
  dismiss(error: Error): void;
  /** Number of those who wait. */
  size(): number;
};

/** Opens a line in which owners take turns. Within the work of an owner the order is that of arrival. */
export const openLine = <T>(): Line<T> => {
  // In the order of turns: an owner who was admitted goes to the end.
  const owners = new Map<Asker['owner'], Set<Place<T>>>();
  const leave = (owner: Asker['owner'], place: Place<T>): void => {
    const places = owners.get(owner);
    places?.delete(place);
    if (places?.size === 0) owners.delete(owner);
  };
  return {
    wait: ({ owner, signal }) =>
      new Promise<T>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          leave(owner, place);
          reject(signal!.reason);
        };
        const staying =
          <V>(end: (outcome: V) => void) =>
          (outcome: V) => {
            signal?.removeEventListener('abort', abort);
            end(outcome);
          };
        const place = { resolve: staying(resolve), reject: staying(reject) };
        signal?.addEventListener('abort', abort, { once: true });
        owners.set(owner, (owners.get(owner) ?? new Set()).add(place));
      }),
    admit: (value) => {
      const [next] = owners;
      if (!next) return false;
      const [owner, places] = next;
      const [place] = places;
      owners.delete(owner);
      places.delete(place!);
      if (places.size > 0) owners.set(owner, places);
      place!.resolve(value);
      return true;
    },
    dismiss: (error) => {
      const all = [...owners.values()].flatMap((places) => [...places]);
      owners.clear();
      for (const { reject } of all) reject(error);
    },
    size: () => [...owners.values()].reduce((sum, { size }) => sum + size, 0),
  };
};

/** Does work if the owner has less than `most` under way, else throws 429 that says "Too many" of `what`. */
export const limitTo = (most: number, what: string, retryAfterSeconds = 5) => {
  const underWay = new Map<Asker['owner'], number>();
  return async <T>(owner: Asker['owner'], work: () => Promise<T>): Promise<T> => {
    const before = underWay.get(owner) ?? 0;
    if (before >= most) throw rateLimited(retryAfterSeconds, what);
    underWay.set(owner, before + 1);
    try {
      return await work();
    } finally {
      const left = underWay.get(owner)! - 1;
      if (left === 0) underWay.delete(owner);
      else underWay.set(owner, left);
    }
  };
};

/** Returns the function that does work of an owner when all its earlier work has ended. The place in the line ends with the signal. */
export const inTurn = () => {
  const lines = new Map<Asker['owner'], Line<void>>();
  return async <T>(asker: Asker, work: () => Promise<T>): Promise<T> => {
    const { owner } = asker;
    const before = lines.get(owner);
    if (before) await before.wait(asker);
    else lines.set(owner, openLine());
    try {
      return await work();
    } finally {
      if (!lines.get(owner)!.admit()) lines.delete(owner);
    }
  };
};
