import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it('review deals records out to people by their addresses, moves them, gives them back and counts what waits', async () => {
  const { client, dokima } = terminal;
  const project = await client.createProject({ name: 'P', description: '' });
  terminal.environment.DOKIMA_PROJECT = project.id;
  expect((await dokima(['review', 'list'])).out).toContain('no metric that people score');
  const metric = await client.createMetric(project.id, {
    name: 'Tone',
    evalType: 'human',
    outputType: 'boolean',
    guidelines: '',
  });
  const run = await client.createRun(project.id, { metricIds: [metric.id] });
  for (let i = 0; i < 4; i++)
    await client.createRecord(run.id, { inputs: { i }, expected: {}, outputs: {} }, { idempotencyKey: null });
  for (const name of ['ada', 'ben'])
    await client.createMember({ name, email: `${name}@example.com`, role: 'annotator' });
  const assign = (...words: string[]) => dokima(['review', 'assign', ...words]);
  expect((await assign()).code).toBe(4);
  expect((await assign('--to', 'eve@example.com')).err).toContain("address or id 'eve@example.com'");
  expect((await assign('--to', 'ada@example.com', '--most', 'x')).code).toBe(4);
  const dealt = await assign(
    '--to',
    'ada@example.com',
    '--to',
    'ben@example.com',
    '--most',
    '3',
    '-m',
    'Tone',
  );
  expect(dealt.out).toMatch(/3 records assigned\.[\s\S]*ada@example\.com +2[\s\S]*ben@example\.com +1/);
  expect(
    (await assign('--from', 'ada@example.com', '--to', 'ben@example.com', '--json')).json(),
  ).toMatchObject({
    numRecords: 2,
    people: [{ numRecords: 2 }],
  });
  const list = (await dokima(['review', 'list'])).out;
  expect(list).toMatch(/Tone +4 +1 +0/);
  expect(list).toMatch(/ben +3 +0/);
  expect((await assign('--from', 'ben@example.com')).out).toContain('3 records for anyone');
});
