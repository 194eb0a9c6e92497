// Longer than 400 lines: one alert, in everything that can happen to it.
import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAlert, openMailServer } from '../../../test/alerting.ts';
import { type Asked, openEndpoint, type Reply } from '../../../test/endpoint.ts';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { openAllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { openJobs } from '../../platform/jobs/work.ts';
import { subkey } from '../../platform/secret.ts';
import { addPayments } from '../../scoring/queue/queries.ts';
import { deliveryWork } from './deliver.ts';
import { noteEvents } from './note-events.ts';
import { openSender } from './send.ts';

let app: TestApp;
let own: Organization;
let reply: (text: string) => Reply = () => ({ body: 'ok' });
let receiver: Awaited<ReturnType<typeof openEndpoint>>;
let mails: Awaited<ReturnType<typeof openMailServer>>;

beforeAll(async () => {
  receiver = await openEndpoint(({ text }) => reply(text));
  mails = await openMailServer();
  app = await startApp({
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_PUBLIC_URL: 'https://dokima.example.com',
    DOKIMA_SMTP_URL: mails.url,
    DOKIMA_MAIL_FROM: 'Dokima <dokima@example.com>',
  });
  own = await app.organization();
});
afterAll(async () => {
  await app.close();
  await Promise.all([receiver.close(), mails.close()]);
});

const key = subkey(Buffer.from('a secret for tests, nothing else'), 'provider');
const senderOf = (allowed = 'true') =>
  openSender({ allowedAddresses: openAllowedAddresses(allowed) }, undefined, {
    smtpUrl: undefined,
    from: undefined,
  });
/** Sends all that is due. */
const deliver = async (sender = senderOf()) => {
  const next = openJobs(
    { db: app.db, log: pino({ level: 'silent' }) },
    deliveryWork({ db: app.db, sender, key, addressKey: key }),
  );
  while (await next(new AbortController().signal, () => {}));
};
/** Notes what has happened, and sends it at once. */
const work = async () => {
  await noteEvents(app.db, 0);
  await deliver();
};
const deliveriesOf = async (alertId: string) =>
  (await ok(own.api('GET', `/alerts/${alertId}/deliveries`))).data;
const heard = () => receiver.received.map(({ text }) => JSON.parse(text));

/** A project with an alert to the receiver, and a run with one record that awaits its score. */
const world = async (fields = {}) => {
  receiver.received.length = 0;
  reply = () => ({ body: 'ok' });
  const project = await createProject(own.api);
  const alert = await createAlert(own.api, project.id, receiver.url, fields);
  const metric = await createMetric(own.api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
  const run = await createRun(own.api, project.id, [metric.id]);
  const record = await createRecord(own.api, run.id);
  const score = (binaryScore = true) =>
    ok(own.api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, { score: { binaryScore } }));
  return { project, alert, metric, run, record, score };
};
type World = Awaited<ReturnType<typeof world>>;
/** Spends on a run's judges as a worker does whose lease was lost: no score changes. */
const spend = (runId: string, costUsd: number) =>
  app.db.transaction(system, (tx) =>
    addPayments(tx, { runId: BigInt(runId), id: newUuid() }, [{ number: 1, costUsd, unpriced: 0 }]),
  );
const decide = ({ run }: World, verdict: object) =>
  ok(own.api('PUT', `/runs/${run.id}/verdicts/dokima.yaml`, verdict));

describe('an event', () => {
  it('is sent once for a run that is complete, with its pass rates, their intervals and a link', async () => {
    const { project, alert, run, metric, score } = await world();
    await work();
    expect(heard()).toEqual([]);
    await score();
    await work();
    await work();
    const [event, ...more] = heard();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'run.completed',
      data: {
        project: { id: project.id },
        run: { id: run.id },
        numRecords: 1,
        metrics: [{ metricId: metric.id, n: 1, passRate: 1, interval: { high: 1 }, failed: 0 }],
        lines: ['1 records', expect.stringContaining('100.0 % pass (20.7 % to 100.0 %, n = 1)')],
      },
    });
    expect(await deliveriesOf(alert.id)).toMatchObject([
      { event: 'run.completed', state: 'delivered', numAttempts: 1, status: 200, lastError: null },
    ]);
    // The list has the newest one.
    const [listed] = (await ok(own.api('GET', `/projects/${project.id}/alerts`))).data;
    expect(listed.lastDelivery).toMatchObject({ event: 'run.completed', state: 'delivered' });
  });

  it('is in the log page by page, newest first', async () => {
    const made = await world({ events: ['gate.failed'] });
    const runs: { title: string }[] = [];
    for (let i = 0; i < 7; i++) {
      const run = await createRun(own.api, made.project.id, []);
      runs.push(await ok(own.api('GET', `/runs/${run.id}/details`)));
      await decide({ ...made, run }, { outcome: 'worse', against: 'run 1' });
      await noteEvents(app.db, 0);
    }
    const titles: string[] = [];
    for (let cursor = ''; ; ) {
      const path = `/alerts/${made.alert.id}/deliveries?limit=2&cursor=${cursor}`;
      const { data, nextCursor, hasMore } = await ok(own.api('GET', path));
      titles.push(...data.map(({ title }: { title: string }) => title));
      if (!hasMore) break;
      cursor = nextCursor;
    }
    expect(titles).toEqual(runs.toReversed().map(({ title }) => `Gate of ${title} in Project: worse`));
    expect((await own.api('GET', `/alerts/${made.project.id}/deliveries`)).status).toBe(404);
  });

  it('that is no longer true when it is due is not sent', async () => {
    const { alert, run, score } = await world();
    await score();
    await noteEvents(app.db, 0);
    await createRecord(own.api, run.id);
    await work();
    expect(await deliveriesOf(alert.id)).toEqual([]);
  });

  it('that is being sent keeps its message, and stays: no id has two bodies', async () => {
    const { alert, run, score } = await world();
    await score();
    await noteEvents(app.db, 0);
    const taken = await deliveryWork({ db: app.db, sender: senderOf(), key, addressKey: key }).claim(
      alert.id,
    );
    await score(false);
    await noteEvents(app.db, 0);
    const stored = () =>
      app.db.read(
        system,
        (sql) => sql`select message::text, fence from alert_delivery where alert_id = ${alert.id}`,
      );
    const before = taken.map(({ message, fence }) => ({ message, fence }));
    expect(before).toHaveLength(1);
    expect([...(await stored())]).toEqual(before);
    await createRecord(own.api, run.id);
    await noteEvents(app.db, 0);
    expect([...(await stored())]).toEqual(before);
    await ok(own.api('DELETE', `/alerts/${alert.id}`));
  });

  it('of the gate is sent for each verdict but pass, and names it', async () => {
    const made = await world({ events: ['gate.failed'] });
    await decide(made, { outcome: 'pass', against: 'run 1' });
    await work();
    expect(heard()).toEqual([]);
    await decide(made, { outcome: 'worse', against: 'run 1', reason: 'Right: pass rate falls' });
    await work();
    await made.score();
    await work();
    expect(heard()).toMatchObject([
      {
        type: 'gate.failed',
        data: {
          gate: 'dokima.yaml',
          outcome: 'worse',
          reason: 'Right: pass rate falls',
          lines: ['dokima.yaml: worse against run 1: Right: pass rate falls'],
        },
      },
    ]);
  });

  it('of a budget is sent once for each budget that the judges have spent, and names it', async () => {
    const { project } = await world({ events: ['budget.reached'] });
    const judged = await createMetric(own.api, project.id, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Right?',
    });
    const run = await createRun(own.api, project.id, [judged.id]);
    await createRecord(own.api, run.id);
    await ok(own.api('PATCH', `/runs/${run.id}/details`, { judgeBudgetUsd: 2 }));
    await spend(run.id, 1.5);
    await work();
    expect(heard()).toEqual([]);
    await spend(run.id, 1);
    await work();
    await spend(run.id, 1);
    await work();
    expect(heard()).toMatchObject([{ type: 'budget.reached', data: { budgetUsd: 2, spentUsd: 2.5 } }]);
    await ok(own.api('PATCH', `/runs/${run.id}/details`, { judgeBudgetUsd: 5 }));
    await spend(run.id, 2);
    await work();
    expect(heard()).toMatchObject([{}, { data: { budgetUsd: 5, spentUsd: 5.5 } }]);
  });

  it('of a budget of 0 is sent although nothing was spent', async () => {
    const { project } = await world({ events: ['budget.reached'] });
    const judged = await createMetric(own.api, project.id, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Right?',
    });
    const run = await createRun(own.api, project.id, [judged.id]);
    await createRecord(own.api, run.id);
    await work();
    await ok(own.api('PATCH', `/runs/${run.id}/details`, { judgeBudgetUsd: 0 }));
    await work();
    expect(heard()).toMatchObject([{ type: 'budget.reached', data: { budgetUsd: 0, spentUsd: 0 } }]);
  });

  it('of a budget is not sent while no judge waits for it', async () => {
    const { run } = await world({ events: ['budget.reached'] });
    await ok(own.api('PATCH', `/runs/${run.id}/details`, { judgeBudgetUsd: 2 }));
    await spend(run.id, 2.5);
    await work();
    expect(heard()).toEqual([]);
  });

  it('is noted by one of two processes, and one of them sends it', async () => {
    const { score } = await world();
    await score();
    await Promise.all([noteEvents(app.db, 0), noteEvents(app.db, 0)]);
    await Promise.all([deliver(), deliver()]);
    expect(heard()).toHaveLength(1);
  });

  it('of another project, and of a paused alert, is not sent', async () => {
    const { alert, score } = await world();
    await ok(own.api('PATCH', `/alerts/${alert.id}`, { paused: true }));
    await score();
    await work();
    await ok(own.api('PATCH', `/alerts/${alert.id}`, { paused: false }));
    await work();
    expect(heard()).toEqual([]);
  });
});

describe('a webhook', () => {
  it('is signed as Standard Webhooks says, with the key that only the creation shows', async () => {
    const { project, alert, score } = await world();
    expect(alert.signingSecret).toMatch(/^whsec_/);
    await score();
    await work();
    const { text, headers } = receiver.received[0] as Asked & { headers: Record<string, string> };
    const [delivery] = await deliveriesOf(alert.id);
    expect(headers['webhook-id']).toBe(delivery.id);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const secret = Buffer.from(alert.signingSecret.slice(6), 'base64');
    const expected = createHmac('sha256', secret).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    const read = await own.api('GET', `/projects/${project.id}/alerts`);
    expect(read.text).not.toMatch(/whsec_|answer/);
    expect(read.body.data[0].target).toBe(new URL(receiver.url).origin);
  });

  it('is signed at the time of the database: receivers refuse a signature that is minutes off', async () => {
    const { score } = await world();
    await score();
    const realNow = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: realNow + 3_600_000 });
    await work().finally(() => vi.useRealTimers());
    const { headers } = receiver.received[0]!;
    expect(Math.abs(Number(headers['webhook-timestamp']) - realNow / 1_000)).toBeLessThan(300);
  });

  it('that fails is tried again with the same id and body, later each time, and says why', async () => {
    const { alert, score } = await world();
    reply = () => ({ status: 500, body: 'broken' });
    await score();
    await work();
    const [failed] = await deliveriesOf(alert.id);
    expect(failed).toMatchObject({
      state: 'pending',
      numAttempts: 1,
      status: 500,
      lastError: 'answered 500: broken',
    });
    const waits = Date.parse(failed.nextAttemptAt) - Date.now();
    expect(waits).toBeGreaterThan(1_000);
    expect(waits).toBeLessThan(6_000);
    const makeDue = () =>
      app.db.transaction(
        system,
        (tx) => tx`update alert_delivery set due_at = now() where id = ${failed.id}`,
      );
    await makeDue();
    await deliver();
    const [again] = await deliveriesOf(alert.id);
    expect(Date.parse(again.nextAttemptAt) - Date.now()).toBeGreaterThan(290_000);
    reply = () => ({ body: 'ok' });
    await makeDue();
    await deliver();
    expect(await deliveriesOf(alert.id)).toMatchObject([
      { state: 'delivered', numAttempts: 3, lastError: null },
    ]);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('whose receiver is gone (410) is paused; a failed delivery can be sent again', async () => {
    const { project, alert, score } = await world();
    reply = () => ({ status: 410, body: '' });
    await score();
    await work();
    expect((await ok(own.api('GET', `/projects/${project.id}/alerts`))).data[0].paused).toBe(true);
    const [failed] = await deliveriesOf(alert.id);
    expect(failed.state).toBe('failed');
    await ok(own.api('PATCH', `/alerts/${alert.id}`, { paused: false }));
    reply = () => ({ body: 'ok' });
    await ok(own.api('POST', `/alerts/${alert.id}/deliveries/${failed.id}/retry`));
    await deliver();
    expect(await deliveriesOf(alert.id)).toMatchObject([{ state: 'delivered' }]);
  });

  it('does not reach addresses inside: neither when it is saved nor when it is sent', async () => {
    const { alert, score } = await world();
    await score();
    await noteEvents(app.db, 0);
    await deliver(senderOf('false'));
    expect(await deliveriesOf(alert.id)).toMatchObject([
      { state: 'failed', lastError: expect.stringContaining('private, loopback or link-local') },
    ]);
    expect(receiver.received).toEqual([]);
    const closed = await startApp();
    const other = await closed.organization();
    const project = await createProject(other.api);
    const body = { name: 'A', kind: 'webhook', events: ['run.completed'] };
    for (const url of [
      'http://127.0.0.1:1/',
      'http://[::1]/',
      'http://169.254.169.254/',
      'file:///etc/passwd',
    ])
      expect((await other.api('POST', `/projects/${project.id}/alerts`, { ...body, url })).status).toBe(400);
  });

  it('does not follow a redirect', async () => {
    const { alert } = await world();
    reply = () => ({ status: 302, headers: { location: receiver.url }, body: '' });
    const tested = await ok(own.api('POST', `/alerts/${alert.id}/test`));
    expect(tested).toMatchObject({ event: 'test', state: 'failed', status: 302 });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a message', () => {
  it('to Slack carries what users wrote as text, not as mentions and links', async () => {
    const made = await world({ kind: 'slack', events: ['gate.failed'] });
    expect(made.alert.signingSecret).toBeNull();
    const reason = '<!channel> & <https://evil.example|here>\n@here [pay](https://evil.example)\u2028@all';
    await decide(made, { outcome: 'worse', reason });
    await work();
    const [{ text }] = heard();
    expect(text).toContain(
      'worse: &lt;!channel&gt; &amp; &lt;https:\u2060//evil.example|here&gt; @\u2060here',
    );
    expect(text).not.toMatch(/@\w|\]\(|https:\/\/evil/);
    expect(text).toMatch(/worse: .*\[pay.*all/);
  });

  it('by e-mail is plain text, and no name can add a header', async () => {
    const { id } = await createProject(own.api);
    await ok(own.api('PATCH', `/projects/${id}`, { name: 'P\r\nBcc: victim@example.com' }));
    const person = await own.person();
    await app.db.transaction(
      system,
      (tx) => tx`update member set email = 'team@example.com' where id = ${person.id}`,
    );
    const fields = { kind: 'email', url: undefined, recipients: ['team@example.com'] };
    const alert = await createAlert(own.api, id, '', fields);
    const tested = await ok(own.api('POST', `/alerts/${alert.id}/test`));
    expect(tested).toMatchObject({ state: 'delivered', lastError: null });
    const run = await createRun(own.api, id, []);
    await createRecord(own.api, run.id);
    await noteEvents(app.db, 0);
    const sender = openSender(
      { allowedAddresses: openAllowedAddresses('false') },
      'https://dokima.example.com',
      {
        smtpUrl: mails.url,
        from: 'Dokima <dokima@example.com>',
      },
    );
    await deliver(sender);
    sender.close();
    const [test, mail] = mails.received;
    expect(test).toMatch(/^To: team@example.com\r$/m);
    const [head] = mail!.split('\r\n\r\n');
    expect(head).not.toMatch(/^Bcc/im);
    expect(mail).toContain(`https://dokima.example.com/projects/${id}/runs/${run.id}`);
  });

  it('to a receiver that is slow says that it is slow', async () => {
    const sender = senderOf();
    // As after 15 s.
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const message = { title: 'T', lines: [], path: '/', facts: {} };
    const sending = { id: '1', event: 'run.completed', createdAt: '', sentAt: '', message };
    try {
      const sent = await sender.send({ kind: 'slack', target: '', url: receiver.url }, sending);
      expect(sent).toEqual({ ok: false, status: null, error: 'gave no answer within 15 s', retryable: true });
    } finally {
      timeout.mockRestore();
      sender.close();
    }
  });

  it('of a test is sent five times in a minute at most', async () => {
    const { id } = await createProject(own.api);
    const alert = await createAlert(own.api, id, receiver.url);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await own.api('POST', `/alerts/${alert.id}/test`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const other = await createAlert(own.api, id, receiver.url);
    expect((await own.api('POST', `/alerts/${other.id}/test`)).status).toBe(200);
  });

  it('has a destination that fits its kind', async () => {
    const { id } = await createProject(own.api);
    const create = (body: object) =>
      own.api('POST', `/projects/${id}/alerts`, { name: 'A', events: ['run.completed'], ...body });
    for (const body of [
      { kind: 'webhook' },
      { kind: 'email' },
      { kind: 'email', url: receiver.url, recipients: ['a@example.com'] },
      { kind: 'slack', url: receiver.url, recipients: ['a@example.com'] },
      { kind: 'email', recipients: ['a@example.com, b@example.com'] },
      { kind: 'email', recipients: ['a@example.com\r\nBcc: b@example.com'] },
    ])
      expect((await create(body)).status).toBe(400);
  });
});

it('only an admin of the project changes alerts; everyone who reads it sees them without their URLs', async () => {
  const { project, alert } = await world();
  const { api } = await own.person();
  expect((await api('GET', `/projects/${project.id}/alerts`)).body.data).toHaveLength(1);
  expect((await api('PATCH', `/alerts/${alert.id}`, { name: 'mine' })).status).toBe(403);
  expect((await api('POST', `/alerts/${alert.id}/test`)).status).toBe(403);
});
