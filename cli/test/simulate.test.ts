import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEndpoint } from '../../server/test/endpoint.ts';
import { type ModelServer, openOpenAiServer, type Received } from '../../server/test/model-server.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let model: ModelServer;
let system: Awaited<ReturnType<typeof openEndpoint>>;
let words: string[];

/** The impatient user gives up after the first reply; the other goes on until it hears the day. */
const play = ({ system: prompt, messages }: Received) => {
  if (!messages.at(-1)!.includes('Friday') && messages.length < 3) return { reply: 'Where is my parcel?' };
  if (messages.at(-1)!.includes('Friday')) return { reply: 'Great. [GOAL REACHED]' };
  return { reply: prompt.includes('Impatient') ? 'Forget it. [DONE]' : 'Which day, please?' };
};
const answers = ({ text }: { text: string }) => ({
  body: JSON.stringify({ answer: JSON.parse(text).messages.length > 2 ? 'On Friday.' : 'Soon.' }),
});
const design = {
  personas: [{ name: 'Impatient', traits: 'Gives up soon.' }, { name: 'Patient' }],
  scenarios: [
    { name: 'Late parcel', goal: 'The day.' },
    { name: 'Lost parcel', orderId: 7 },
  ],
};

beforeAll(async () => {
  model = await openOpenAiServer();
  system = await openEndpoint(answers);
  terminal = await openTerminal({
    DOKIMA_WORKERS: '1',
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    OPENAI_API_KEY: 'sk-of-the-operator',
    OPENAI_BASE_URL: model.url,
  });
  model.answer(play);
  const { client } = terminal;
  const project = await client.createProject({ name: 'Parcels', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Goal',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: "function score(inputs, outputs) { return outputs.stop === 'goalReached'; }",
  });
  const { productionVersion } = await client.upsertSystem(project.id, { config: { endpoint: system.url } });
  words = ['-p', project.id, '--system-version', productionVersion!.id, '-m', metric.id];
  await terminal.write('users.json', JSON.stringify(design));
});
afterAll(async () => {
  await Promise.all([terminal.close(), model.close(), system.close()]);
});

const simulate = (args: string[], more?: Parameters<Terminal['dokima']>[1]) =>
  terminal.dokima(['simulate', ...args, ...words], more);

it('says the cost, and starts nothing before it is confirmed', async () => {
  const file = ['users.json', '--user-model', 'gpt-4o-mini', '--trials', '2'];
  const refused = await simulate(file);
  expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('repeat the command with --yes')]);
  expect(refused.err).toContain('8 conversations, at most 80 calls of the user and 80 of the system.');
  expect(refused.err).toMatch(/Cost at most: user \$0\.\d\d, system unknown, judges \$0\.00\./);
  const no = await simulate(file, { isTTY: true, stdin: 'no\n' });
  expect([no.code, no.err]).toEqual([0, expect.stringContaining('Nothing was started or stored.')]);
  expect(model.received).toEqual([]);
});

it('holds each conversation and prints the rates by persona and by scenario; then again, and as a replay', async () => {
  const first = await simulate(['users.json', '--user-model', 'gpt-4o-mini', '--trials', '2', '--yes']);
  expect([first.code, first.err]).toEqual([0, expect.stringMatching(/Run \d+/)]);
  expect(first.out).toMatch(/Run \d+: 8 conversations\./);
  expect(first.out).toMatch(/Impatient +4 +Goal +0\.00 %/);
  expect(first.out).toMatch(/Patient +4 +Goal +100\.00 %/);
  expect(first.out).toMatch(/Late parcel +4 +Goal +50\.00 %/);
  expect(first.out).toContain('For other personas and scenarios like these:');
  const runId = /Run (\d+)/.exec(first.err)![1]!;
  expect(system.received.map(({ text }) => JSON.parse(text).inputs)).toContainEqual({ orderId: 7 });

  const again = await simulate(['--again', runId, '--yes', '--json']);
  expect([again.code, again.json()]).toMatchObject([0, { numRecords: 8 }]);

  model.received.length = 0;
  const replay = await simulate(['--replay', runId, '--yes']);
  expect(replay.code).toBe(0);
  expect(replay.err).toContain('8 conversations, at most 80 calls of the system.');
  expect(replay.out).toMatch(/Run \d+: 8 conversations\./);
  expect(model.received).toEqual([]);
});

it('says what is wrong with a file', async () => {
  await terminal.write(
    'bad.json',
    JSON.stringify({ personas: [{ name: 'A' }, { name: 'A' }], scenarios: [] }),
  );
  const bad = await simulate(['bad.json', '--user-model', 'gpt-4o-mini']);
  expect([bad.code, bad.err]).toEqual([4, expect.stringContaining('personas must have different names')]);
  expect((await simulate([])).err).toContain('Give a FILE, --again RUN or --replay RUN.');
});
