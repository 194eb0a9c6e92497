import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';

const everyMs = 10_000;
/** How long the row of a dead process stays, to be seen by operators. */
const keptFor = '1 day';

const insertOrTouch = (tx: Sql, id: string) => tx`
  insert into worker (id, description) values (${id}, ${`${hostname()}, process ${process.pid}`})
  on conflict (id) do update set seen_at = now()`;

/** Notes every 10 s that this process scores, until it stops. */
export const startHeartbeat = async (
  { db, log }: { db: Database; log: FastifyBaseLogger },
  pauseMs = everyMs,
): Promise<{ stop: () => Promise<void> }> => {
  const id = newUuid();
  const stopping = new AbortController();
  const beat = () =>
    db
      .transaction(system, async (tx) => {
        await insertOrTouch(tx, id);
        await tx`delete from worker where seen_at < now() - ${keptFor}::interval`;
      })
      .catch((error) => log.warn({ err: error }, 'this process could not note that it scores'));
  await beat();
  const beating = (async () => {
    for (;;) {
      await setTimeout(pauseMs, undefined, { signal: stopping.signal });
      await beat();
    }
    // The wait rejects when it is stopped.
  })().catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await beating;
      await db
        .transaction(system, (tx) => tx`delete from worker where id = ${id}`)
        .catch((error) => log.warn({ err: error }, 'this process is noted as scoring for another minute'));
    },
  };
};
