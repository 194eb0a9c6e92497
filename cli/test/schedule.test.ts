import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal({
    DOKIMA_SMTP_URL: 'smtp://127.0.0.1:9',
    DOKIMA_MAIL_FROM: 'dokima@example.com',
    DOKIMA_PUBLIC_URL: 'https://dokima.example.com',
  });
});
afterAll(() => terminal.close());

it('schedule creates a nightly run with its report by mail, lists, runs, pauses, resumes and deletes it', async () => {
  const { client, dokima } = terminal;
  const { project, metric, testset } = await prepare(client, 2);
  terminal.environment.DOKIMA_PROJECT = project.id;
  expect((await dokima(['schedule', 'list'])).out).toContain('has no schedule');
  await client.upsertSystem(project.id, { name: 'Bot', config: { endpoint: 'https://example.com/answer' } });

  const create = [
    'schedule',
    'create',
    'Nightly',
    '-t',
    testset.id,
    '-m',
    metric.id,
    '--mail',
    'team@example.com',
  ];
  const unknown = await dokima([...create, '-s', 'Robot']);
  expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining("It has 'Bot'.")]);
  const words = [...create, '-s', 'Bot', '--time-zone', 'Europe/Athens', '--json'];
  await client.updateTestcaseMarks(testset.id, { ids: [`${testset.id}-1`], split: 'dev' });
  await client.createSnapshot(testset.id, {});
  const { schedule, alert } = (await dokima([...words, '--split', 'dev', '--snapshot', '1'])).json();
  expect(schedule).toMatchObject({
    name: 'Nightly',
    cron: '0 2 * * *',
    timeZone: 'Europe/Athens',
    paused: false,
    task: { kind: 'run', testsetId: testset.id, split: 'dev', snapshot: 1, metricIds: [metric.id] },
  });
  expect(alert).toMatchObject({
    kind: 'email',
    target: 'team@example.com',
    addresses: [{ state: 'waiting' }],
    events: ['run.completed'],
  });
  const again = (await dokima(words)).json();
  expect(again.alert.id).toBe(alert.id);
  expect((await dokima(['schedule', 'delete', again.schedule.id])).code).toBe(0);

  // Its system does not answer: the start, or the run, is followed until the time is over or the calls have failed.
  expect((await dokima(['schedule', 'run', schedule.id, '--wait', '--timeout', '1'])).code).toBe(3);

  const change = async (verb: string) => (await dokima(['schedule', verb, schedule.id])).out;
  // The start that was followed may still be due.
  expect(await change('run')).toMatch(/'Nightly' (starts within seconds|was due already)/);
  // The service may have started it already.
  const { lastAt, nextAt } = (await client.listSchedules(project.id)).data[0]!;
  expect(Date.parse(lastAt ?? nextAt!)).toBeLessThanOrEqual(Date.now());
  expect(await change('pause')).toContain('is paused');
  expect((await dokima(['schedule', 'list'])).out).toMatch(
    /Nightly +0 2 \* \* \* Europe\/Athens +run of testset \d+ \(split dev, snapshot 1\) +paused/,
  );
  expect(await change('resume')).toMatch(/is next at \d{4}-\d\d-\d\d \d\d:00 UTC/);
});

it('schedule create --drift needs pinned records, and takes no testset', async () => {
  const { client, dokima } = terminal;
  const { project, metric } = await prepare(client, 0);
  const create = ['schedule', 'create', 'Steady', '-p', project.id, '--drift', metric.id];
  expect((await dokima([...create, '-t', '1'])).err).toContain('--testset cannot be combined with --drift');
  expect((await dokima([...create, '-m', '1', '-m', '2'])).err).toContain(
    '--metric cannot be combined with --drift',
  );
  const { code, err } = await dokima(create);
  expect([code, err]).toEqual([4, expect.stringContaining('pinned set')]);
});
