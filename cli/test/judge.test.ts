import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let models: ModelServer;
const records = 90;
/** While it waits, models answer nothing. */
let held: Promise<void> | undefined;

beforeAll(async () => {
  models = await openOpenAiServer();
  models.answer(({ messages }) => {
    const prompt = messages.join();
    const answer = Number(/answer-(\d+)/.exec(prompt)![1]);
    // One of the judges passes half of the failing answers when they are long.
    const isSwayed = prompt.includes('Swayed') && prompt.includes('nothing in this paragraph adds to it');
    const isCareless = prompt.includes('Careless') && !prompt.includes('carefully') && answer % 3 === 0;
    const binaryScore = (answer < 50 || (isSwayed && answer % 2 === 0)) !== isCareless;
    return {
      reply: { reasoning: 'r', binaryScore },
      ...(answer === 999 && { model: 'judge-2026-06-01' }),
      ...(held && { after: held }),
    };
  });
  terminal = await openTerminal({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  await terminal.client.createProvider({
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: models.url,
    apiKey: 'k',
  });
});
afterAll(() => Promise.all([terminal.close(), models.close()]));

/** A judge that people agree with on all records, which are pinned, and the run with its rules for the gate. */
const judged = async (name: string) => {
  const { client } = terminal;
  const { id: projectId } = await client.createProject({ name, description: '' });
  const [judge, people] = [
    await client.createMetric(projectId, {
      name,
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: `${name} of project ${projectId}: is {{ outputs.answer }} right?`,
      evalModelName: 'local/judge',
    }),
    await client.createMetric(projectId, { name: 'People', evalType: 'human', outputType: 'boolean' }),
  ];
  await client.updateMetricSettings(judge.id, { peopleMetricId: people.id });
  const run = await client.createRun(projectId, { metricIds: [judge.id, people.id] });
  const items = Array.from({ length: records }, (_, i) => ({
    inputs: { i },
    expected: {},
    outputs: { answer: `answer-${i}` },
    scores: [
      { metricConfigId: run.metricVersionIds[1]!, score: { binaryScore: i < 50 }, madeBy: 'person' as const },
    ],
  }));
  await client.createAllRecords(run.id, items);
  for await (const { status } of client.watchRun(run.id)) if (status === 'completed') break;
  await client.upsertPinnedSet(judge.id, { against: people.id });
  const rules = `project: ${projectId}\nrequireCalibrated: { battery: true }\nmetrics:\n  ${name}: { atLeast: 0.3 }\n`;
  await terminal.write('dokima.yaml', rules);
  return { metricId: judge.id, runId: run.id };
};

const says = async (...words: string[]) => {
  const { code, out, err } = await terminal.dokima(words);
  return [code, out + err] as const;
};

/** Waits until the service has stored what the battery found. */
const stored = (metricId: string) =>
  expect
    .poll(async () => (await terminal.client.getJudgePassport(metricId)).payload.battery, { timeout: 30_000 })
    .not.toBeNull();

it('a planted length bias is found, kept, in the passport and stops the gate; an unbiased stand-in passes them all', async () => {
  const swayed = await judged('Swayed');
  const before = await says('gate', swayed.runId);
  expect(before).toEqual([3, expect.stringContaining('no battery has tested this configuration')]);
  expect(before[1]).toContain('630 verdicts on 90 pinned records');
  expect(await says('judge', 'battery', swayed.metricId)).toEqual([
    3,
    expect.stringContaining('no battery yet'),
  ]);
  expect(await says('judge', 'battery', swayed.metricId, '--estimate')).toEqual([
    0,
    expect.stringContaining('order: no pinned record has a list'),
  ]);
  expect(await says('judge', 'battery', swayed.metricId, '--start')).toEqual([
    1,
    expect.stringContaining('biased by padding; not applicable: order, self-preference'),
  ]);
  await stored(swayed.metricId);
  expect(await says('gate', swayed.runId)).toEqual([3, expect.stringContaining('biased by padding')]);

  const steady = await judged('Steady');
  expect(await says('judge', 'battery', steady.metricId, '--start')).toEqual([
    0,
    expect.stringContaining('clear: none of 5 edits changes verdicts beyond the margin'),
  ]);
  await stored(steady.metricId);
  expect(await says('gate', steady.runId)).toEqual([0, expect.stringContaining('clear of biases')]);
  await says('judge', 'passport', steady.metricId, 'steady.json');
  const { payload } = JSON.parse(await terminal.read('steady.json'));
  expect(payload).toMatchObject({
    grade: 'mayGateAlone',
    batteryCounts: true,
    batteryReason: null,
    labelsBy: { people: records, models: 0 },
    battery: { verdict: 'clear', complete: true, servedModelNames: ['judge-2025-01-01'] },
    model: { name: 'local/judge', servedLately: ['judge-2025-01-01'] },
  });
  // A battery that is cancelled says so, and the one before it still counts.
  const waiting = Promise.withResolvers<void>();
  held = waiting.promise;
  await terminal.client.createTrial(steady.metricId, { kind: 'battery' });
  expect(await says('judge', 'battery', steady.metricId, '--cancel')).toEqual([
    3,
    expect.stringContaining('cancelled before all verdicts were in: it shows nothing'),
  ]);
  waiting.resolve();
  held = undefined;
  expect((await terminal.client.getJudgePassport(steady.metricId)).payload.batteryCounts).toBe(true);
  // The provider serves another model under the same name: the battery and the gate notice.
  const { client } = terminal;
  const { projectId } = payload;
  const later = await client.createRun(projectId, { metricIds: [steady.metricId] });
  await client.createAllRecords(later.id, [
    { inputs: { i: 999 }, expected: {}, outputs: { answer: 'answer-999' } },
  ]);
  for await (const { status } of client.watchRun(later.id)) if (status === 'completed') break;
  const replaced = 'judge-2026-06-01 answers now, which the newest battery has not tested';
  const { payload: since } = await client.getJudgePassport(steady.metricId);
  expect(since).toMatchObject({ batteryCounts: false, batteryReason: expect.stringContaining(replaced) });
  expect(await says('gate', steady.runId)).toEqual([3, expect.stringContaining(replaced)]);
  await client.deleteRun(later.id);
  const { id: __, ...metricAsItWas } = await client.getMetric(steady.metricId);
  // A successor of a cleared judge must be cleared itself.
  const tried = await says('succession', steady.metricId, '--try', 'local/heir', '--margin', '0.2');
  expect(tried).toEqual([
    0,
    expect.stringContaining('local/heir is the cheapest candidate that is equivalent'),
  ]);
  const { data } = await client.listTrials({ metricId: steady.metricId, kinds: ['succession'], limit: 1 });
  const { proposedConfigId: heir } = data[0] as { proposedConfigId: string };
  expect(await says('succession', steady.metricId, '--adopt', heir)).toEqual([
    4,
    expect.stringContaining(
      `has no bias battery, and the judge in use is clear: run dokima judge battery ${steady.metricId} --config ${heir} --start`,
    ),
  ]);
  expect(await says('judge', 'battery', steady.metricId, '--config', heir, '--start')).toEqual([
    0,
    expect.stringContaining('of local/heir'),
  ]);
  await expect
    .poll(
      async () => (await client.getJudgePassport(steady.metricId, { metricConfigId: heir })).payload.battery,
      { timeout: 30_000 },
    )
    .not.toBeNull();
  expect((await says('succession', steady.metricId, '--adopt', heir))[0]).toBe(0);
  const adopted = (await client.getJudgePassport(steady.metricId)).payload;
  expect(adopted).toMatchObject({ metricConfigId: heir, batteryCounts: true, battery: { verdict: 'clear' } });
  await client.updateMetric(steady.metricId, metricAsItWas as never);
  // A changed prompt inherits neither the battery nor the labels; its text changed back inherits both.
  const { id: _, ...metric } = await client.getMetric(steady.metricId);
  const template = (metric as { promptTemplate: string }).promptTemplate;
  const passport = async () => (await client.getJudgePassport(steady.metricId)).payload;
  await client.updateMetric(steady.metricId, { ...metric, promptTemplate: `${template} Say.` } as never);
  expect(await passport()).toMatchObject({ battery: null, numLabels: 0, batteryCounts: false });
  await client.updateMetric(steady.metricId, { ...metric, promptTemplate: template } as never);
  expect(await passport()).toMatchObject({
    metricHash: payload.metricHash,
    numLabels: records,
    calibratedConfigId: payload.metricConfigId,
    batteryCounts: true,
  });
}, 240_000);

it('an edited prompt is estimated, measured on labels for tuning, checked on those that are kept, and cancelled', async () => {
  const { metricId } = await judged('Careless');
  const { promptTemplate } = (await terminal.client.getMetric(metricId)) as { promptTemplate: string };
  await terminal.write('edited.jinja', `${promptTemplate} Look carefully.`);
  const attempt = (...words: string[]) =>
    says(
      'judge',
      'try',
      metricId,
      ...(words.includes('--cancel') ? [] : ['--prompt', 'edited.jinja']),
      ...words,
    );
  expect(await says('judge', 'try', metricId)).toEqual([3, expect.stringContaining('There is no trial yet')]);
  const asked = models.received.length;
  const [code, said] = await attempt();
  expect([code, models.received.length]).toEqual([0, asked]);
  expect(said).toMatch(/verdicts on \d+ pinned labels for tuning, its cost is unknown/);
  expect(said).toMatch(/labels kept for the check: 6\d\.\d\d % \(.+\), n = \d+/);
  const [tuned, text] = await attempt('--start');
  expect(tuned).toBe(0);
  expect(text).toContain('check it on the labels that were kept');
  expect(text).toMatch(/reason of the edited prompt\n.*pass +fail +pass/s);
  expect(await attempt('--check', '--start')).toEqual([
    0,
    expect.stringContaining('agrees with people more often'),
  ]);
  // Without a price there is no budget, which says what to do.
  expect(await attempt('--start', '--budget', '1')).toEqual([
    4,
    expect.stringContaining("the price of 'local/judge' is unknown: enter it with its provider"),
  ]);
  expect(await says('judge', 'battery', metricId, '--start', '--budget', '1')).toEqual([
    4,
    expect.stringContaining("the price of 'local/judge' is unknown"),
  ]);
  expect(await attempt('--cancel')).toEqual([3, expect.stringContaining('discarded')]);
}, 120_000);

it('verify tells a forged, changed, expired, old and foreign passport apart, without the service', async () => {
  const { metricId } = await judged('Verified');
  const key = await terminal.dokima(['judge', 'key']);
  await terminal.write('key.pem', key.out);
  await says('judge', 'passport', metricId, 'p.json');
  const text = await terminal.read('p.json');
  const passport = JSON.parse(text);
  const offline = { ...terminal.environment };
  delete terminal.environment.DOKIMA_URL;
  const verify = async (document: unknown, ...words: string[]) => {
    await terminal.write('v.json', typeof document === 'string' ? document : JSON.stringify(document));
    return says('judge', 'verify', 'v.json', '--key', 'key.pem', ...words);
  };
  const change = (fields: object) => ({ ...passport, payload: { ...passport.payload, ...fields } });
  expect(await verify(text)).toEqual([0, expect.stringContaining('valid until')]);
  // Another layout and order of the members are the same passport.
  const turned = Object.fromEntries(Object.entries(passport.payload).toReversed());
  expect((await verify({ signature: passport.signature, payload: turned }))[0]).toBe(0);
  const changed = [1, expect.stringContaining('changed after it was signed')];
  for (const fields of [
    { grade: 'mayGateAlone', extra: 1 },
    { expiresAt: '2099-01-01T00:00:00.000Z' },
    { metricId: '99' },
    { numLabels: passport.payload.numLabels + 1 },
  ])
    expect(await verify(change(fields))).toEqual(changed);
  expect(await verify({ ...passport, signature: { ...passport.signature, value: 'AAAA' } })).toEqual(changed);
  expect(await verify(change({ version: 2 }))).toEqual([5, expect.stringContaining('has version 2')]);
  expect(await verify({ hello: 1 })).toEqual([4, expect.stringContaining('not a passport')]);
  expect(await verify('{')).toEqual([4, expect.stringContaining('not JSON')]);
  expect(await verify(text, '--hash', 'f'.repeat(64))).toEqual([
    6,
    expect.stringContaining('another configuration'),
  ]);
  expect(await verify(text, '--issued-after', '2099-01-01')).toEqual([
    6,
    expect.stringContaining('ask for a new one'),
  ]);
  const foreign = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }) as string;
  await terminal.write('key.pem', foreign);
  expect(await verify(text)).toEqual([3, expect.stringContaining('was signed with key')]);
  // Passports of a judge whose time is over, and of a clock that runs ahead.
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { keyIdOf, signedBytes } = await import('../../client/src/passport/passport.ts');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const signed = (fields: object) => {
    const payload = { ...passport.payload, ...fields };
    const value = sign(null, signedBytes(payload), privateKey).toString('base64');
    return { payload, signature: { algorithm: 'Ed25519', keyId: keyIdOf(pem), value } };
  };
  await terminal.write('key.pem', pem);
  expect(await verify(signed({}))).toEqual([0, expect.stringContaining('valid until')]);
  const old = { issuedAt: '2020-01-01T00:00:00.000Z', expiresAt: '2020-03-01T00:00:00.000Z' };
  expect(await verify(signed(old))).toEqual([2, expect.stringContaining('expired')]);
  const ahead = { issuedAt: '2099-01-01T00:00:00.000Z', expiresAt: '2099-03-01T00:00:00.000Z' };
  expect(await verify(signed(ahead))).toEqual([2, expect.stringMatching(/not.*valid|future/)]);
  await terminal.write('key.pem', foreign);
  // A forger who names another key in the signature has still not signed with it.
  const renamed = { ...passport, signature: { ...passport.signature, keyId: keyIdOf(foreign) } };
  expect(await verify(renamed)).toEqual(changed);
  Object.assign(terminal.environment, offline);
}, 120_000);

// Last: it changes what the models answer.
it('criteria are written by a model after their cost is said, as a part of a file of metrics that is stored only by a push', async () => {
  const { id: projectId } = await terminal.client.createProject({ name: 'Drafts', description: '' });
  models.answer({
    reply: {
      criteria: [
        { text: 'Is it kind?', weight: 2, mustPass: true, why: 'People: complain', failures: [] },
        { text: 'Does it promise money?', weight: -1, why: '', failures: [] },
      ],
    },
  });
  const words = ['metric', 'criteria', '-p', projectId, '--guidelines', 'Kind.', '--model', 'local/writer'];
  const asked = models.received.length;
  const cost = expect.stringMatching(
    /local\/writer reads the guidelines: about [\d,]+ tokens, its price is unknown/,
  );
  expect(await says(...words, '--estimate')).toEqual([0, cost]);
  expect(models.received).toHaveLength(asked);
  const { code, out } = await terminal.dokima(words);
  expect(code).toBe(0);
  await terminal.write(
    'drafted.yaml',
    `metrics:\n  - name: Drafted\n    evalType: human\n    outputType: float\n    passingThreshold: 0.5\n    ${out.trim().replaceAll('\n', '\n    ')}\n`,
  );
  expect(out).toContain('# People: complain');
  expect((await says('metric', 'push', 'drafted.yaml', '-p', projectId))[0]).toBe(0);
  const { value: metric } = await terminal.client.listMetrics(projectId)[Symbol.asyncIterator]().next();
  expect([metric]).toMatchObject([
    {
      criteria: {
        items: [
          { id: 'is-it-kind', text: 'Is it kind?', weight: 2, mustPass: true },
          { text: 'Does it promise money?', weight: -1, mustPass: false },
        ],
      },
    },
  ]);
  expect((await says('metric', 'criteria', '-p', projectId, '--model', 'local/writer'))[1]).toContain(
    'nothing to learn from',
  );
});
