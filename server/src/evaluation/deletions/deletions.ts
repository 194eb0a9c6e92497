import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Sql } from '../../platform/db/database.ts';
import { system } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import {
  type Deletion,
  deleteDeletion,
  deleteRoot,
  findIsLarge,
  insertDeletion,
  listDeletions,
  type Root,
  slicesOf,
} from './queries.ts';

/** What is no larger than this is deleted at once: it takes less time than one slice may. */
const most = 300;
/** Time that a slice takes on average. Other requests wait for one slice at most. */
const sliceMs = 25;
const firstSlice = 100;
/** After a failure, for example because the disk is full. */
const retryMs = 5_000;

type Deps = { db: Database; log: FastifyBaseLogger };

/** Deletes what is in a root, slice by slice, and then the root. Returns the number of rows in the slices. */
const deleteInSlices = async (db: Database, deletion: Deletion, stopping: AbortSignal): Promise<number> => {
  const { organizationId, root, id } = deletion;
  const tenant = { organizationId, frees: true };
  let rows = 0;
  for (const slice of slicesOf[root]) {
    let size = firstSlice;
    for (let count = 1; count > 0; ) {
      stopping.throwIfAborted();
      const asked = size;
      let took = 0;
      await db.transaction(tenant, async (tx) => {
        const begun = performance.now();
        ({ count } = await slice(tx, deletion, id, asked));
        // Without the wait for the connection, which the number of rows does not change.
        took = performance.now() - begun;
      });
      rows += count;
      // A row may bring 10,000 spans with it, so the next slice follows the time of this one.
      size = Math.max(1, Math.min(most, Math.round((asked * sliceMs) / took)));
      // As long as the slice took, so that others get half of the time.
      if (count > 0) await setTimeout(took, undefined, { signal: stopping });
    }
  }
  await db.transaction(tenant, async (tx) => {
    await deleteRoot(tx, deletion, root, id);
    await deleteDeletion(tx, deletion);
  });
  return rows;
};

/**
 * Deletes projects, runs and testsets. On the embedded engine, where all requests share one connection, a large one is hidden at once and
 * then deleted in slices, so that others come between; a start of the service continues. A server deletes it in one transaction, beside
 * which others work.
 */
export const openDeletions = ({ db, log }: Deps) => {
  const isSliced = db.engine === 'embedded';
  const stopping = new AbortController();
  let underWay: Deletion[] = [];
  let working: Promise<void> | undefined;

  const workOff = async (): Promise<void> => {
    for (let next = underWay[0]; next; next = underWay[0]) {
      const { root, id } = next;
      const begun = performance.now();
      try {
        const rows = await deleteInSlices(db, next, stopping.signal);
        log.info(
          { root, id: String(id), rows, ms: Math.round(performance.now() - begun) },
          'deleted in slices',
        );
        underWay = underWay.filter((each) => each !== next);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, root, id: String(id) }, 'a deletion is not complete; it is tried again');
        await setTimeout(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };

  /** Hides what is being deleted, and deletes it. Call it at the start and after each deletion. */
  const resume = async (): Promise<void> => {
    if (!isSliced) return;
    const listed = await db.read(system, listDeletions);
    const isKnown = ({ root, id }: Deletion) => underWay.some((each) => each.root === root && each.id === id);
    underWay = underWay.concat(listed.filter((deletion) => !isKnown(deletion)));
    working ??= workOff().finally(() => {
      working = undefined;
    });
  };

  return {
    resume,

    /** Returns the function that deletes a root, or hides it until it is deleted, for `deleteRoute`. */
    remove:
      (root: Root) =>
      async (tx: Sql, scope: Scope, id: bigint): Promise<{ count: number }> => {
        const [found] = isSliced ? await findIsLarge(tx, scope, root, id, most) : [];
        return found?.isLarge ? insertDeletion(tx, scope, root, id) : deleteRoot(tx, scope, root, id);
      },

    /** The onSend hook of routes that delete: what is hidden is so before the answer is sent. */
    hide: async (_request: unknown, reply: { statusCode: number }, payload: unknown): Promise<unknown> => {
      if (reply.statusCode === 200) await resume();
      return payload;
    },

    /** Whether something of the organization is being deleted. */
    isAny: ({ organizationId }: Owner): boolean =>
      underWay.some((deletion) => deletion.organizationId === organizationId),

    isUnderWay: (root: Root, id: bigint): boolean =>
      underWay.some((deletion) => deletion.root === root && deletion.id === id),

    count: (): number => underWay.length,

    stop: async (): Promise<void> => {
      stopping.abort();
      await working;
    },
  };
};

export type Deletions = ReturnType<typeof openDeletions>;
