import type { KeyObject } from 'node:crypto';
import { type Database, system } from '../../platform/db/database.ts';
import { bodyOf, one } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { destinationOf } from './configure-alert.ts';
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  endAttempt,
  findDelivery,
  findDueDelivery,
  insertHeldDelivery,
  lockAlert,
  pauseAlert,
} from './queries.ts';
import type { Sender, Sending, Sent } from './send.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** Delays between the attempts, as Standard Webhooks advises: about three days in all. */
const backOff = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
];
/** Deliveries that are sent at the same time. */
const batchSize = 10;
/** Longer than the sender waits for an answer. */
const leaseMs = 60_000;

const gone = 410;

/** The outcome of an attempt. `random` spreads repetitions, so that those of one outage do not come together. */
const attemptOf = (sent: Sent, attemptsBefore: number, random: () => number): Attempt => {
  if (sent.ok) return { state: 'delivered', status: sent.status, error: null, retryInMs: 0 };
  const delay = sent.retryable ? backOff[attemptsBefore] : undefined;
  const { status, error } = sent;
  if (delay === undefined) return { state: 'failed', status, error, retryInMs: 0 };
  return { state: 'pending', status, error, retryInMs: Math.round(delay * (1 + random() / 10)) };
};

export type DeliverDeps = {
  db: Database;
  sender: Sender;
  /** Opens the URLs of alerts. */
  key: KeyObject;
};

const deliver = async ({ db, sender, key }: DeliverDeps, claimed: ClaimedDelivery): Promise<void> => {
  const { id, organizationId, alertId, event, createdAt } = claimed;
  const send = async (): Promise<Sent> => {
    try {
      const to = destinationOf(key, { organizationId }, { ...claimed, id: alertId });
      return await sender.send(to, { id, event, createdAt, message: JSON.parse(claimed.message) });
    } catch (error) {
      return { ok: false, status: null, error: (error as Error).message, retryable: false };
    }
  };
  const sent = await send();
  await db.transaction({ organizationId }, async (tx) => {
    await endAttempt(tx, claimed, attemptOf(sent, claimed.attempts, Math.random));
    if (!sent.ok && sent.status === gone) await pauseAlert(tx, alertId);
  });
};

/** Sends what is due. Returns whether there may be more. */
export const deliverDue = async (deps: DeliverDeps): Promise<boolean> => {
  // Most looks of an idle service find nothing.
  if ((await deps.db.read(system, findDueDelivery)).length === 0) return false;
  const claimed = await deps.db.transaction(system, (tx) => claimDeliveries(tx, batchSize, leaseMs));
  await Promise.all(claimed.map((one) => deliver(deps, one)));
  return claimed.length === batchSize;
};

/** Sends a message that says that it is a test, once, and returns its delivery as JSON text. */
export const sendTest = async (deps: DeliverDeps, scope: Scope, alertId: string): Promise<string> => {
  const { db, sender, key } = deps;
  const id = newUuid();
  const message = {
    title: 'Test of an alert of Dokima',
    lines: ['Someone pressed “Send test”. Nothing has happened.'],
    path: '/',
    facts: {},
  };
  const { to, sending } = await db.transaction(scope, async (tx) => {
    const alert = one(await lockAlert(tx, scope, alertId), 'alert', alertId);
    const held = { id, event: 'test', message, alertId, about: `test ${id}` };
    // The stored time, so that the same body is sent if someone sends it again.
    const [{ createdAt }] = await insertHeldDelivery(tx, scope, held, leaseMs);
    const sending: Sending = { id, event: 'test', createdAt, message };
    return { to: destinationOf(key, scope, alert), sending };
  });
  const sent = await sender.send(to, sending);
  const ended = attemptOf(sent.ok ? sent : { ...sent, retryable: false }, 0, Math.random);
  await db.transaction(scope, (tx) => endAttempt(tx, { id, fence: 1 }, ended));
  return bodyOf(await db.read(scope, (sql) => findDelivery(sql, scope, { alertId, id })), 'alert', alertId);
};
