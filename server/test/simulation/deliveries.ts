import { createSecretKey } from 'node:crypto';
import { openAllowedAddresses } from '../../src/engine/models/allowed-addresses.ts';
import type { Owner } from '../../src/platform/http/scope.ts';
import { startJobs } from '../../src/platform/jobs/work.ts';
import { createAlert } from '../../src/signals/alerts/configure-alert.ts';
import { deliveryWork } from '../../src/signals/alerts/deliver.ts';
import { deleteAlert, insertEvent, retryDelivery } from '../../src/signals/alerts/queries.ts';
import { openSender } from '../../src/signals/alerts/send.ts';
import { openHolders } from './holders.ts';
import { openReceivers, type Request } from './receivers.ts';
import { insertProject } from './rows.ts';
import { requireThat, type Simulation, type World } from './scheduler.ts';

const key = createSecretKey(Buffer.alloc(32, 7));

type Row = {
  id: string;
  alertId: string;
  about: string;
  title: string;
  state: string;
  attempts: number;
  fence: number;
  dueMs: number | null;
  waitsMs: number | null;
};

/** The delays that docs/alerts.md promises, in ms: no request comes earlier. */
const promisedMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
const leaseMs = 60_000;
/** The time in which events about the same become one. */
const settleMs = 10_000;
const mail = { smtpUrl: 'smtp://mail.example', from: 'dokima@example.com' };

/** Makes a project with a webhook and an alert by mail. Returns their ids. */
const insertAlerts = async ({ sql }: Simulation) => {
  const { scope, projectId, organizationId } = await insertProject(sql);
  // A member has the address, so it needs no confirmation.
  await sql`
    insert into member (id, organization_id, name, email, role)
    values (gen_random_uuid(), ${organizationId}, 'Team', 'team@example.com', 'member')`;
  const common = { name: 'A', events: ['run.completed' as const] };
  const alerts: string[] = [];
  for (const destination of [
    { kind: 'webhook' as const, url: 'https://receiver.example/hook' },
    { kind: 'email' as const, recipients: ['team@example.com'] },
  ]) {
    const made = await createAlert(
      sql,
      scope,
      key,
      projectId,
      { ...common, ...destination },
      {
        canMail: true,
        publicUrl: undefined,
      },
    );
    alerts.push(JSON.parse(made).id);
  }
  return { scope, projectId, alerts };
};

/** Has events come, some of them about the same, within the time in which they become one and later. */
const planEvents = (
  { sql, chance, later, note }: Simulation,
  scope: Owner,
  projectId: bigint,
): Map<string, number> => {
  const versions = new Map<string, number>();
  for (let i = 0, count = chance.integer(1, 3); i < count; i++) {
    const about = `run.completed ${i}`;
    let at = chance.between(0, 30_000);
    for (let repeats = chance.integer(1, 3); repeats > 0; repeats--) {
      later(at, 'event', async () => {
        const version = (versions.get(about) ?? 0) + 1;
        versions.set(about, version);
        note(`${about}, version ${version}`);
        const message = { title: `version ${version}`, lines: [], path: '/', facts: {} };
        const event = { event: 'run.completed', about, message, at: '2100-01-01' };
        await insertEvent(sql, scope, projectId, event, settleMs);
      });
      at += chance.one([chance.between(0, settleMs), chance.between(settleMs, 60_000)]);
    }
  }
  return versions;
};

/** Throws unless a delivery that no process has taken yet has the newest message, and waits again since it came. */
const checkEvent = (row: Row, before: Row | undefined, version: number): void => {
  const name = `delivery ${row.id.slice(-4)}`;
  requireThat(row.title === `version ${version}`, `${name} waits with ${row.title} of ${version}`);
  if (row.title !== before?.title)
    requireThat(row.waitsMs! >= settleMs - 1, `${name} waits for ${row.waitsMs} ms only`);
};

/** Throws unless the row may follow the one that was there before. */
const checkStep = (row: Row, before: Row | undefined, requests: Request[], isRetried: boolean): void => {
  const name = `delivery ${row.id.slice(-4)}`;
  requireThat(row.attempts <= promisedMs.length + 1, `${name} was tried ${row.attempts} times`);
  if (row.waitsMs !== null) {
    const longest = Math.max(leaseMs, (promisedMs[row.attempts - 1] ?? 0) * 1.1) + 300_000;
    requireThat(row.waitsMs <= longest, `${name} waits for ${row.waitsMs} ms`);
  }
  if (row.state === 'delivered')
    requireThat(
      requests.some(({ answered }) => answered === 200),
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
  if (isRetried) return;
  requireThat(before.state === 'pending' || !changed, `${name} had ended, and changed`);
  requireThat(row.attempts - before.attempts <= 1, `${name} lost or doubled an attempt`);
  if (changed && row.waitsMs !== null)
    requireThat(
      row.waitsMs >= promisedMs[row.attempts - 1]! - 1,
      `${name} is retried after ${row.waitsMs} ms only`,
    );
};

/** Throws if a delivery was sent more often than its attempts and the faults explain. */
const checkSent = (
  row: Pick<Row, 'id' | 'attempts'>,
  sent: number,
  deletedAfter: number | undefined,
  faults: number,
): void => {
  const name = `delivery ${row.id.slice(-4)}`;
  const most = deletedAfter === undefined ? 2 * (row.attempts + faults) + 1 : deletedAfter + 3;
  requireThat(sent <= most, `${name} was sent ${sent} times, at most ${most} are due`);
  if (faults === 0 && deletedAfter === undefined)
    requireThat(
      sent <= row.attempts,
      `without a fault, ${name} was sent ${sent} times in ${row.attempts} attempts`,
    );
};

/** Deliveries of a webhook and of an alert by mail, which processes send to their receivers. */
export const openDeliveries = async (simulation: Simulation): Promise<World> => {
  const { sql, chance, later, note } = simulation;
  const { requests, guarded, openTransport } = openReceivers(simulation);
  const { scope, projectId, alerts } = await insertAlerts(simulation);
  const versions = planEvents(simulation, scope, projectId);
  const rows = new Map<string, Row>();
  /** The times that a delivery had been sent when it was deleted. */
  const deleted = new Map<string, number>();
  /** Deliveries that a person has just sent again, and the attempts of each before that. */
  const retried = new Set<string>();
  const earlier = new Map<string, number>();
  if (chance.is(0.2))
    later(chance.between(5_000, 120_000), 'delete', async () => {
      const alertId = chance.one(alerts);
      note('an alert is deleted');
      await deleteAlert(sql, scope, alertId);
      for (const { id, alertId: of } of rows.values())
        if (of === alertId) deleted.set(id, requests.get(id)?.length ?? 0);
    });
  if (chance.is(0.3))
    later(chance.between(10_000, 200_000), 'retry', async () => {
      const row = [...rows.values()].find(({ state }) => state !== 'pending');
      if (!row) return;
      note(`${row.id.slice(-4)} is sent again`);
      const { count } = await retryDelivery(sql, scope, row);
      if (count === 0) return;
      retried.add(row.id);
      earlier.set(row.id, row.attempts);
    });
  const network = { allowedAddresses: openAllowedAddresses('') };
  const sender = openSender(network, undefined, { ...mail, openTransport }, guarded);
  const holders = openHolders('delivery');

  return {
    start: ({ db, log }) =>
      void startJobs({ db, log, pollMs: 3_000 }, deliveryWork({ db, sender, key, addressKey: key })),
    check: async (session, writer) => {
      const found = await session<Row[]>`
        select id, alert_id as "alertId", about, message ->> 'title' as title, state, attempts, fence,
          (extract(epoch from due_at) * 1000)::float8 as "dueMs", (extract(epoch from due_at - now()) * 1000)::float8 as "waitsMs"
        from alert_delivery order by id`;
      for (const row of found) {
        const before = rows.get(row.id);
        if (!holders.hasTaken(row.id)) checkEvent(row, before, versions.get(row.about)!);
        checkStep(row, before, requests.get(row.id) ?? [], retried.delete(row.id));
        holders.check(row, before, writer);
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
      for (const { id, attempts } of rows.values()) {
        const row = { id, attempts: attempts + (earlier.get(id) ?? 0) };
        checkSent(row, requests.get(id)?.length ?? 0, deleted.get(id), simulation.numFaults());
      }
    },
  };
};
