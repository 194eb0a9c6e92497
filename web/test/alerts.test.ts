import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMailServer } from '../../server/test/alerting.ts';
import { openEndpoint, type Reply } from '../../server/test/endpoint.ts';
import {
  createMetric,
  createProject,
  createTestcases,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let receiver: Awaited<ReturnType<typeof openEndpoint>>;
let mails: Awaited<ReturnType<typeof openMailServer>>;
let answer: Reply = { status: 500, body: 'no room' };

beforeAll(async () => {
  receiver = await openEndpoint(() => answer);
  mails = await openMailServer();
  site = await openSite({
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_WORKERS: '1',
    DOKIMA_PUBLIC_URL: 'http://dokima.example.com',
    DOKIMA_SMTP_URL: mails.url,
    DOKIMA_MAIL_FROM: 'dokima@example.com',
  });
});
afterAll(() => Promise.all([site.close(), receiver.close(), mails.close()]));

it('an admin creates an alert, sees its key once, sends a test, reads why it failed, sends it again, and deletes it', async () => {
  const { id } = await createProject(site.api);
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${id}/alerts`);
  await page.getByText('No alerts yet').waitFor();
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByLabel('Name', { exact: true }).fill('Team');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('checkbox', { name: /Judge drift/ }).check();
  // A double click makes one alert: getByRole below finds a single row.
  await dialog.getByRole('button', { name: 'Create alert' }).dblclick();
  const made = page.getByRole('dialog', { name: 'Alert created' });
  await made.getByText(/^whsec_/).waitFor();
  await made.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Team/ });
  await row.getByText('Run complete, Judge drift').waitFor();
  await page.getByRole('button', { name: 'Log of Team' }).click();
  const log = page.getByRole('dialog', { name: 'Log of Team' });
  await log.getByText('Nothing sent yet').waitFor();
  await log.getByRole('button', { name: 'Send test' }).click();
  await log.getByText('answered 500: no room').waitFor();
  await log.getByText('failed', { exact: true }).waitFor();
  expect(receiver.received).toHaveLength(1);
  answer = { body: 'ok' };
  await log.getByRole('button', { name: 'Send again' }).click();
  await log.getByText('delivered', { exact: true }).waitFor();
  const [first, again] = receiver.received;
  expect(again?.text).toBe(first?.text);
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  const [alert] = (await ok(site.api('GET', `/projects/${id}/alerts`))).data;
  const { data } = await ok(site.api('GET', `/alerts/${alert.id}/deliveries`));
  expect(data).toMatchObject([{ state: 'delivered', numAttempts: 1, lastError: null }]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pause Team' }).click();
  await row.getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Delete Team' }).click();
  await page.getByRole('button', { name: 'Delete alert' }).click();
  await page.getByText('No alerts yet').waitFor();
  expect(complaints).toEqual([]);
});

it('an admin chooses the pass rate of monitors and the false alarms a year, and changes them later', async () => {
  const { id } = await createProject(site.api);
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${id}/alerts`);
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByLabel('Name', { exact: true }).fill('Monitors');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('checkbox', { name: /Monitor got worse/ }).check();
  await dialog.getByLabel(/Alert when the pass rate drops below/).fill('7');
  await dialog.getByLabel(/False alarms a year/).fill('4');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Change Monitors' }).click();
  const change = page.getByRole('dialog', { name: 'Change Monitors' });
  await expect.poll(() => change.getByLabel(/Alert when the pass rate drops below/).inputValue()).toBe('7');
  await change.getByLabel(/Alert when the pass rate drops below/).fill('80');
  await change.getByRole('checkbox', { name: /Traffic slow/ }).check();
  await change.getByLabel('Latency, 95th percentile, s').fill('2.5');
  await change
    .getByRole('region', { name: 'The last 30 days' })
    .getByText(/limit 2.5 s: would have fired never/)
    .waitFor();
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'hidden' });
  const { data } = await ok(site.api('GET', `/projects/${id}/alerts`));
  expect(data[0]).toMatchObject({
    minPassRate: 0.8,
    falseAlarmsPerYear: 4,
    maxLatencyMs: 2500,
    maxErrorRate: null,
  });
  expect(complaints).toEqual([]);
});

it('the owner of an address confirms it behind the link of a mail, and stops the mails behind that of the next one', async () => {
  const { id } = await createProject(site.api);
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${id}/alerts`);
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByLabel('Name', { exact: true }).fill('Mails');
  await dialog.getByLabel('Send by').selectOption('E-mail');
  await dialog.getByLabel('Addresses').fill('owner@example.net');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  const row = page.getByRole('row', { name: /Mails/ });
  await row.getByText('not confirmed').waitFor();
  await row.getByRole('button', { name: 'Send the confirmation to owner@example.net again' }).click();
  await page.getByText('A mail asks the owner of owner@example.net.').waitFor();
  await expect.poll(() => mails.received.length).toBe(2);
  const tokensOf = (mail: string) =>
    [...mail.replaceAll('=\r\n', '').matchAll(/mail-address#([\w.-]+)/g)].map(([, token]) => token!);
  const [confirm] = tokensOf(mails.received[0]!);
  const { page: owner, complaints: ownersComplaints } = await site.visitor();
  await owner.goto(`/mail-address#${confirm}`);
  await owner.getByRole('button', { name: 'Receive alerts' }).click();
  await owner
    .getByRole('status')
    .getByText(/owner@example.net receives alerts/)
    .waitFor();
  await page.reload();
  await row.getByText('owner@example.net').waitFor();
  expect(await row.getByText('not confirmed').count()).toBe(0);
  await page.getByRole('button', { name: 'Log of Mails' }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect.poll(() => mails.received.length).toBe(3);
  await owner.goto(`/mail-address?again#${tokensOf(mails.received[2]!)[0]}`);
  await owner.getByRole('button', { name: 'Stop alerts' }).click();
  await owner
    .getByRole('status')
    .getByText(/gets no more alerts/)
    .waitFor();
  await page.reload();
  await row.getByText('stopped by its owner').waitFor();
  await owner.goto('/mail-address?forged#x.y');
  await owner.getByRole('heading', { name: 'This link does not work' }).waitFor();
  expect(complaints).toEqual([]);
  // The forged link.
  expect(ownersComplaints).toEqual([expect.stringContaining('401 (Unauthorized)')]);
});

it('a viewer sees alerts and can change nothing', async () => {
  const { id } = await createProject(site.api);
  const body = { name: 'Team', kind: 'slack', url: receiver.url, events: ['gate.failed'] };
  await ok(site.api('POST', `/projects/${id}/alerts`, body), 201);
  const { page } = await site.member('viewer');
  await page.goto(`/projects/${id}/alerts`);
  await page.getByRole('row', { name: /Team/ }).getByText('Slack').waitFor();
  expect(await page.getByRole('button', { name: /alert|Change|Pause|Delete/ }).count()).toBe(0);
});

it('a member schedules a simulation: the production version of a prompt plays the user', async () => {
  const { id } = await createProject(site.api);
  const system = { name: 'Bot', config: { endpoint: receiver.url } };
  await ok(site.api('POST', `/projects/${id}/systems`, system), 201);
  const user = {
    name: 'User',
    config: { modelName: 'any/model', messages: [{ role: 'user', content: 'Hi' }] },
  };
  const { productionVersion } = await ok(site.api('POST', `/projects/${id}/systems`, user), 201);
  const testset = await createTestset(site.api, id);
  await createTestcases(site.api, testset.id, 1);
  await createMetric(site.api, id, { evalType: 'human', outputType: 'boolean' });
  const { page } = await site.member('member');
  await page.goto(`/projects/${id}/schedules`);
  await page.getByRole('button', { name: 'New schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New schedule' });
  await dialog.getByLabel('Name', { exact: true }).fill('Users');
  await dialog.getByLabel('Times').fill('0 2 * * *');
  await dialog.getByLabel('What to run').selectOption('A simulation');
  await dialog.getByLabel('System', { exact: true }).selectOption('Bot');
  await dialog.getByLabel('Simulated user').selectOption('User');
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  await page.getByRole('row', { name: /Users/ }).waitFor();
  const { data } = await ok(site.api('GET', `/projects/${id}/schedules`));
  expect(data[0].task).toMatchObject({
    kind: 'run',
    simulation: { userVersionId: productionVersion.id },
  });
});

it('a member schedules a run, starts it now, reads its result, pauses and deletes it', async () => {
  const { id } = await createProject(site.api);
  const config = { endpoint: receiver.url };
  await ok(site.api('POST', `/projects/${id}/systems`, { name: 'Bot', config }), 201);
  const testset = await createTestset(site.api, id);
  await createTestcases(site.api, testset.id, 1);
  await createMetric(site.api, id, { evalType: 'human', outputType: 'boolean' });
  const { page, complaints } = await site.member('member');
  await page.goto(`/projects/${id}/schedules`);
  await page.getByRole('button', { name: 'New schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New schedule' });
  await dialog.getByLabel('Name', { exact: true }).fill('Nightly');
  await dialog.getByLabel('Times').fill('* * * * *');
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  await dialog.getByText('at least 5 minutes between two times').first().waitFor();
  await dialog.getByLabel('Times').fill('0 2 * * *');
  await dialog.getByLabel('Time zone').fill('Europe/Athens');
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  const row = page.getByRole('row', { name: /Nightly/ });
  await row.getByText('Europe/Athens').waitFor();
  await row.getByText('not yet').waitFor();
  await page.getByRole('button', { name: 'Run Nightly now' }).click();
  await page.getByText('Nightly starts within seconds.').waitFor();
  await row.getByRole('link', { name: /Run \d+/ }).waitFor();
  await page.getByRole('button', { name: 'Pause Nightly' }).click();
  await row.getByText('Paused').waitFor();
  expect((await ok(site.api('GET', `/projects/${id}/runs`))).data).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete Nightly' }).click();
  await page.getByRole('button', { name: 'Delete schedule' }).click();
  await page.getByText('No schedules yet').waitFor();
  // The refused expression.
  expect(complaints).toEqual([expect.stringContaining('400 (Bad Request)')]);
});
