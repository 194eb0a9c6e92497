import type { KeyObject } from 'node:crypto';
import { type Database, isUnavailable, type Sql, system } from '../../platform/db/database.ts';
import { rateLimited } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BackOff, retryOf } from '../../platform/jobs/retry.ts';
import type { JobWork } from '../../platform/jobs/work.ts';
import { openAddressLinks } from '../addresses/links.ts';
import { destinationOf } from './configure-alert.ts';
import type { Message } from './message.ts';
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  confirmation,
  countTests,
  deliveries,
  findDelivery,
  insertHeldDelivery,
  lockAlert,
  pauseAlert,
  settleDelivery,
} from './queries.ts';
import { emptyRequest, type ScoresOfRun, scoresRequest } from './score-events.ts';
import type { Sender, Sending, Sent } from './send.ts';
import { type MailDeps, type Mailed, sendMails, sendQuestion } from './send-mails.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** Delays between the attempts, as Standard Webhooks advises: about three days in all. */
const delaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
const backOff: BackOff = {
  maxAttempts: delaysMs.length + 1,
  delayMs: (attempt) => delaysMs[attempt - 1]!,
  jitter: [1, 1.1],
};
/** Deliveries of an alert that are sent at the same time. */
const batchSize = 10;
/** Number of alerts at the same time: a receiver that does not answer delays only its own alert. */
const batches = 4;
/** Longer than the sender waits for an answer. */
const leaseMs = 60_000;

const gone = 410;

/** Tests of one alert in a minute, and of all alerts of an organization in an hour. */
const [testsOfAlert, testsOfOrganization] = [5, 60];

const attemptOf = (sent: Sent | Mailed, attemptsBefore: number): Attempt => {
  const { status } = sent;
  const receivers = 'receivers' in sent ? sent.receivers : undefined;
  if (sent.ok)
    return {
      state: 'delivered',
      status,
      attempts: attemptsBefore + 1,
      error: null,
      retryInMs: null,
      receivers,
    };
  return { ...retryOf(sent, attemptsBefore, backOff, Math.random), status, receivers };
};

export type DeliverDeps = {
  db: Database;
  sender: Sender;
  /** Opens the URLs of alerts. */
  key: KeyObject;
  /** Signs the links to owners of addresses. */
  addressKey: KeyObject;
};

const mailDepsOf = ({ db, sender, addressKey }: DeliverDeps): MailDeps => ({
  db,
  sender,
  links: openAddressLinks(addressKey),
});

const deliver = async (deps: DeliverDeps, claimed: ClaimedDelivery): Promise<void> => {
  const { db, sender, key } = deps;
  const { id, organizationId, alertId, event, createdAt, sentAt, deliveredTo, target } = claimed;
  const send = async (): Promise<Sent | Mailed> => {
    try {
      const message = JSON.parse(claimed.message) as Message;
      const mailing = { id, target, message, deliveredTo };
      if (event === confirmation)
        return await sendQuestion(mailDepsOf(deps), { organizationId }, { ...mailing, createdAt });
      if (claimed.kind === 'email') return await sendMails(mailDepsOf(deps), { organizationId }, mailing);
      const to = destinationOf(key, { organizationId }, { ...claimed, id: alertId });
      const sending = { id, event, createdAt, sentAt, message };
      if (to.kind !== 'otlp') return await sender.send(to, sending);
      const request = await scoresRequest(db, { organizationId }, message.facts as ScoresOfRun);
      // Their records were deleted.
      if (!request) return { ok: true, status: null };
      return await sender.send(to, { ...sending, request });
    } catch (error) {
      // The addresses and scores of a message are read first: a database that is away now will be back.
      return { ok: false, status: null, error: (error as Error).message, retryable: isUnavailable(error) };
    }
  };
  const sent = await send();
  await db.transaction({ organizationId }, async (tx) => {
    await settleDelivery(tx, claimed, attemptOf(sent, claimed.attempts));
    if (!sent.ok && sent.status === gone) await pauseAlert(tx, alertId);
  });
};

/** Sends due deliveries. A delivery that has begun is sent even if the worker stops. */
export const deliveryWork = (deps: DeliverDeps): JobWork<'id', string, ClaimedDelivery> => ({
  of: deliveries,
  leaseMs,
  batches,
  claim: (alertId) =>
    deps.db.transaction(system, (tx) => claimDeliveries(tx, alertId, { limit: batchSize, leaseMs })),
  work: (claimed) => deliver(deps, claimed),
});

/** Throws 429 if the alert had a test a moment ago, or the organization many: a test goes to any address. */
const requireFewTests = async (tx: Sql, scope: Scope, alertId: string): Promise<void> => {
  const [tests] = await countTests(tx, scope, alertId);
  if (tests!.ofAlert >= testsOfAlert) throw rateLimited(60, 'tests of this alert');
  if (tests!.ofOrganization >= testsOfOrganization) throw rateLimited(3_600, 'tests of alerts');
};

/** Sends a test message once, and returns its delivery as JSON text. Throws 429 after five in a minute. */
export const sendTest = async (deps: DeliverDeps, scope: Scope, alertId: string): Promise<string> => {
  const { db, sender, key } = deps;
  const id = newUuid();
  const message: Message = {
    title: 'Test of an alert of Dokima',
    lines: ['Someone pressed “Send test”. Nothing has happened.'],
    path: '/',
    facts: {},
  };
  const { to, sending } = await db.transaction(scope, async (tx) => {
    const alert = requireOne(await lockAlert(tx, scope, alertId), 'alert', alertId);
    await requireFewTests(tx, scope, alertId);
    const held = { id, event: 'test', message, alertId, about: `test ${id}` };
    // The stored time, so that the same body is sent if someone sends it again.
    const [{ createdAt }] = await insertHeldDelivery(tx, scope, held, leaseMs);
    const at = { createdAt, sentAt: createdAt };
    const sending: Sending = { id, event: 'test', ...at, message, request: emptyRequest() };
    return { to: destinationOf(key, scope, alert), sending };
  });
  const sent =
    to.kind === 'email'
      ? await sendMails(mailDepsOf(deps), scope, { id, target: to.target, message, deliveredTo: [] })
      : await sender.send(to, sending);
  const ended = attemptOf(sent.ok ? sent : { ...sent, retryable: false }, 0);
  const held = { organizationId: scope.organizationId, id, fence: 1 };
  await db.transaction(scope, (tx) => settleDelivery(tx, held, ended));
  return bodyOf(await db.read(scope, (sql) => findDelivery(sql, scope, { alertId, id })), 'alert', alertId);
};
