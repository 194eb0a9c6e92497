import { createSecretKey } from 'node:crypto';
import { openAllowedAddresses } from '../../src/engine/models/allowed-addresses.ts';
import { serviceScope } from '../../src/platform/http/scope.ts';
import { startJobs } from '../../src/platform/jobs/work.ts';
import { createAlert } from '../../src/signals/alerts/configure-alert.ts';
import { deliveryWork } from '../../src/signals/alerts/deliver.ts';
import { deleteAlert, insertEventOf, retryDelivery } from '../../src/signals/alerts/queries.ts';
import { openSender } from '../../src/signals/alerts/send.ts';
import { requireThat, type Simulation, type World } from './scheduler.ts';

const key = createSecretKey(Buffer.alloc(32, 7));

/** A request that the receiver got. */
type Request = { at: number; body: string; answered: number | undefined };
type Row = {
  id: string;
  alertId: string;
  state: string;
  attempts: number;
  fence: number;
  waitsMs: number | null;
};

/** The delays that docs/alerts.md promises, in ms: no request comes earlier. */
const promisedMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
const leaseMs = 60_000;

/** A receiver that answers late, twice, wrongly or never. */
const openReceiver = (
  { chance, faults, later, note, noteFault, now }: Simulation,
  requests: Map<string, Request[]>,
) => {
  const receive = (id: string, body: string, answered: number | undefined) => {
    const got = requests.get(id) ?? [];
    got.push({ at: now(), body, answered });
    requests.set(id, got);
    note(`the receiver got ${id.slice(-4)}, and answers ${answered}`);
  };
  const fetch: typeof globalThis.fetch = (_url, init) =>
    new Promise((resolve, reject) => {
      const { headers, body, signal } = init as {
        headers: Record<string, string>;
        body: string;
        signal: AbortSignal;
      };
      const id = headers['webhook-id']!;
      const isBad = chance.is(faults().receiver * 5);
      if (isBad) noteFault();
      const how = isBad ? chance.one(['late', 'lost', 'error', 'unreachable', 'silent'] as const) : 'well';
      signal.addEventListener('abort', () => reject(signal.reason));
      later(chance.between(1, 300), 'request', () => {
        if (how === 'unreachable')
          return reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
        receive(
          id,
          body,
          how === 'error' ? 500 : how === 'well' || how === 'late' || how === 'lost' ? 200 : undefined,
        );
        if (how === 'silent') return;
        if (how === 'lost') return reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
        later(how === 'late' ? chance.between(5_000, 40_000) : 50, 'response', () =>
          resolve(new Response('', { status: how === 'error' ? 500 : 200 })),
        );
      });
    });
  return { fetch, close: () => {} };
};

/** Deliveries of two alerts, which processes send to a receiver. */
export const openDeliveries = async (simulation: Simulation): Promise<World> => {
  const { sql, chance, later, note } = simulation;
  const requests = new Map<string, Request[]>();
  const rows = new Map<string, Row>();
  const deleted = new Map<string, { at: number; sent: number }>();
  const retried = new Set<string>();
  const [{ organizationId }] = await sql<[{ organizationId: bigint }]>`
    insert into organization (name) values ('O') returning id as "organizationId"`;
  const scope = serviceScope(organizationId);
  const [{ projectId }] = await sql<[{ projectId: bigint }]>`
    insert into project (organization_id, name) values (${organizationId}, 'P') returning id as "projectId"`;
  const alerts: string[] = [];
  const url = 'https://receiver.example/hook';
  for (const name of ['A', 'B']) {
    const made = await createAlert(
      sql,
      scope,
      key,
      projectId,
      { name, kind: 'webhook', url, events: ['run.completed'] },
      false,
    );
    alerts.push(JSON.parse(made).id);
  }
  for (let i = 0, count = chance.integer(2, 5); i < count; i++) {
    const alertId = chance.one(alerts);
    const message = { title: `Event ${i}`, lines: [], path: '/', facts: {} };
    later(chance.between(0, 30_000), 'event', async () => {
      note(`event ${i}`);
      await insertEventOf(sql, scope, alertId, {
        event: 'run.completed',
        about: `run.completed ${i}`,
        message,
      });
    });
  }
  if (chance.is(0.2))
    later(chance.between(5_000, 120_000), 'delete', async () => {
      const alertId = alerts[1]!;
      note('the second alert is deleted');
      await deleteAlert(sql, scope, alertId);
      for (const { id, alertId: of } of rows.values())
        if (of === alertId) deleted.set(id, { at: simulation.now(), sent: requests.get(id)?.length ?? 0 });
    });
  if (chance.is(0.3))
    later(chance.between(10_000, 200_000), 'retry', async () => {
      const row = [...rows.values()].find(({ state }) => state !== 'pending');
      if (!row) return;
      note(`${row.id.slice(-4)} is sent again`);
      const { count } = await retryDelivery(sql, scope, row);
      if (count > 0) retried.add(row.id);
    });
  const sender = openSender(
    { allowedAddresses: openAllowedAddresses('') },
    undefined,
    { smtpUrl: undefined, from: undefined },
    openReceiver(simulation, requests),
  );

  const checkStep = (before: Row | undefined, row: Row): void => {
    const name = `delivery ${row.id.slice(-4)}`;
    requireThat(row.attempts <= promisedMs.length + 1, `${name} was tried ${row.attempts} times`);
    if (row.waitsMs !== null) {
      const longest = Math.max(leaseMs, (promisedMs[row.attempts - 1] ?? 0) * 1.1) + 300_000;
      requireThat(row.waitsMs <= longest, `${name} waits for ${row.waitsMs} ms`);
    }
    if (row.state === 'delivered')
      requireThat(
        (requests.get(row.id) ?? []).some(({ answered }) => answered === 200),
        `${name} is delivered, and no one answered 200`,
      );
    if (row.state === 'failed')
      requireThat(
        row.attempts === promisedMs.length + 1,
        `${name} was given up after ${row.attempts} attempts`,
      );
    if (!before) return;
    requireThat(row.fence >= before.fence, `the fence of ${name} fell`);
    const changed = row.state !== before.state || row.attempts !== before.attempts;
    requireThat(
      !changed || row.fence > before.fence,
      `${name} was written under a fence that someone else took`,
    );
    if (retried.delete(row.id)) return;
    requireThat(before.state === 'pending' || !changed, `${name} had ended, and changed`);
    requireThat(row.attempts - before.attempts <= 1, `${name} lost or doubled an attempt`);
  };

  return {
    start: ({ db, log }) => void startJobs({ db, log, pollMs: 3_000 }, deliveryWork({ db, sender, key })),
    check: async (session) => {
      const found = await session<Row[]>`
        select id, alert_id as "alertId", state, attempts, fence, (extract(epoch from due_at - now()) * 1000)::float8 as "waitsMs"
        from alert_delivery order by id`;
      for (const row of found) {
        checkStep(rows.get(row.id), row);
        rows.set(row.id, row);
      }
      for (const got of requests.values())
        requireThat(new Set(got.map(({ body }) => body)).size === 1, 'one webhook-id has two bodies');
    },
    progress: async (session) => {
      const [found] = await session<[{ pending: number; nextDueMs: number | null }]>`
        select count(*)::int as pending, (extract(epoch from min(due_at)) * 1000)::float8 as "nextDueMs"
        from alert_delivery where state = 'pending'`;
      return { isDone: found.pending === 0, nextDueMs: found.nextDueMs };
    },
    end: async () => {
      const extra = simulation.numFaults();
      for (const row of rows.values()) {
        const sent = requests.get(row.id)?.length ?? 0;
        const gone = deleted.get(row.id);
        if (gone)
          requireThat(sent <= gone.sent + 3, `a deleted delivery was sent ${sent - gone.sent} times more`);
        else
          requireThat(
            sent <= 2 * (row.attempts + extra) + 1,
            `delivery ${row.id.slice(-4)} was sent ${sent} times`,
          );
        if (extra === 0 && !gone && row.attempts > 0)
          requireThat(sent === 1, `without a fault, delivery ${row.id.slice(-4)} was sent ${sent} times`);
      }
    },
  };
};
