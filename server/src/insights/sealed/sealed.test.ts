import { expect, it } from 'vitest';
import { executing } from '../../../test/executing.ts';
import { createMetric, createTestset, ok } from '../../../test/fixtures.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { until } from '../../../test/until.ts';

const world = executing();
const { api, versionOf } = world;

/** What only a sealed testcase has in its text. */
const secret = 'jabberwock';

const rightIf = 'function score(inputs, outputs, expected) { return outputs.answer === expected.answer }';

/** A testset of open and sealed testcases, and a system that knows the answers to a part of them. */
const opened = async (numSealed = 40) => {
  const metric = await createMetric(api, world.projectId, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: rightIf,
  });
  const testset = await createTestset(api, world.projectId);
  const item = (name: string, i: number) => ({ jsonData: { question: `${name} ${i}`, answer: `a${i}` } });
  const items = [
    ...Array.from({ length: 5 }, (_, i) => item('open', i)),
    ...Array.from({ length: numSealed }, (_, i) => item(secret, i)),
  ];
  const made = await ok(api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const ids = made.items.map(({ id }: { id: string }) => id) as string[];
  world.answer = ({ text, headers }) => {
    const [, number] = JSON.parse(text).inputs.question.split(' ');
    const isKnown = Number(number) < Number(headers['x-knows']);
    return { body: JSON.stringify({ outputs: { answer: isKnown ? `a${number}` : 'no idea' } }) };
  };
  const knows = (most: number) =>
    versionOf({ endpoint: world.endpoint.url, headers: { 'x-knows': String(most) } });
  const baselineVersionId = await knows(20);
  const seal = (more: object = {}) =>
    api('POST', `/testsets/${testset.id}/seals`, {
      q: secret,
      baselineVersionId,
      metricIds: [metric.id],
      maxLooks: 3,
      ...more,
    });
  return { metric, testset, ids, knows, seal, baselineVersionId };
};

const answered = async (sealId: string, n: number) => {
  const find = async () =>
    (await ok(api('GET', `/seals/${sealId}/looks`))).data.find(
      (look: { number: number }) => look.number === n,
    );
  return until(async () => {
    const look = await find();
    return look.answer === null ? undefined : look;
  });
};

it('seals testcases, and answers looks with a verdict and a figure that moves by more than the noise alone', async () => {
  const { seal, knows, testset, ids, baselineVersionId } = await opened();
  const run = { testsetId: testset.id, metricIds: [], systemVersionId: baselineVersionId };
  const { id: runId } = await ok(api('POST', `/projects/${world.projectId}/runs`, run), 201);
  const record = { inputs: {}, outputs: {}, expected: {}, testcaseId: ids[7] };
  await ok(api('POST', `/runs/${runId}/records`, record), 201);
  const sealed = await ok(seal(), 201);
  expect(sealed).toMatchObject({
    state: 'sealed',
    numTestcases: 40,
    numSeen: 1,
    numLooks: 0,
    sentence: 'Sealed: 40 testcases, 3 of 3 looks left. 1 of them were in runs before they were sealed.',
  });
  const look = async (systemVersionId: string) => {
    const { number } = await ok(api('POST', `/seals/${sealed.id}/looks`, { systemVersionId }), 201);
    return answered(sealed.id, number);
  };
  const better = await knows(36);
  expect(await look(better)).toMatchObject({
    number: 1,
    numLeft: 2,
    level: expect.closeTo(0.05 / 2.612375, 6),
    answer: 'pass',
    reason: null,
    metrics: [{ metricName: 'Right', answer: 'pass', difference: expect.closeTo(0.4, 1), improved: true }],
  });
  // The same figure for a version that is hardly better than the best until now.
  expect(await look(await knows(37))).toMatchObject({
    answer: 'pass',
    metrics: [{ answer: 'pass', difference: expect.closeTo(0.4, 1), improved: false }],
  });
  expect(await look(better)).toMatchObject({ number: 1 });

  // The last look opens the split: its testcases return under their numbers, and its runs become a project.
  expect(await look(await knows(0))).toMatchObject({ answer: 'worse', numLeft: 0 });
  const open = await until(async () => {
    const now = await ok(api('GET', `/seals/${sealed.id}`));
    return now.state === 'opened' ? now : undefined;
  });
  const { data: splits } = await ok(
    api('GET', `/testsets/${testset.id}/testcases?limit=100&q=split:${sealed.split}`),
  );
  expect(splits.map(({ id }: { id: string }) => id)).toEqual(ids.slice(5));
  const { data: runs } = await ok(api('GET', `/projects/${open.openedProjectId}/runs?limit=10`));
  expect(
    runs.map(({ numRecords, status }: { numRecords: number; status: string }) => [numRecords, status]),
  ).toEqual(Array.from({ length: 4 }, () => [40, 'completed']));
  expect((await api('POST', `/seals/${sealed.id}/looks`, { systemVersionId: await knows(1) })).status).toBe(
    409,
  );
}, 60_000);

it('a look with a call that failed is not enough, whatever the other calls say', async () => {
  const { seal, knows } = await opened();
  const { answer } = world;
  world.answer = (request) =>
    request.headers['x-knows'] === '36' && request.text.includes(`${secret} 3"`)
      ? { status: 400, body: '{}' }
      : answer(request);
  const { id } = await ok(seal(), 201);
  const { number } = await ok(api('POST', `/seals/${id}/looks`, { systemVersionId: await knows(36) }), 201);
  expect(await answered(id, number)).toMatchObject({
    answer: 'not enough',
    reason: expect.stringContaining('some calls failed'),
    metrics: [{ answer: 'not enough', difference: 0, improved: false }],
  });
});

it('shows nothing of sealed testcases in any list, search, snapshot, archive and log', async () => {
  const { seal, testset, ids } = await opened(3);
  await ok(api('POST', `/testsets/${testset.id}/snapshots`, { name: 'before' }), 201);
  const { id: sealId } = await ok(seal(), 201);
  const texts = await Promise.all(
    [
      `/testsets/${testset.id}/testcases?limit=100`,
      `/testsets/${testset.id}/testcases?snapshot=1&limit=100`,
      `/testsets/${testset.id}/counts`,
      `/testsets/${testset.id}/snapshots`,
      `/testsets/${testset.id}/examination`,
      `/projects/${world.projectId}/archive`,
      '/audit-events?limit=100',
      '/projects?limit=100',
      `/seals/${sealId}`,
    ].map(async (path) => {
      const { status, text } = await api('GET', path);
      expect(`${path} ${status}`).toBe(`${path} 200`);
      return text;
    }),
  );
  expect(texts.join('\n')).not.toContain(secret);
  for (const id of ids.slice(5)) expect((await api('GET', `/testcases/${id}`)).status).toBe(404);

  // Without a look, sealing is undone as if it had not been.
  await ok(api('POST', `/seals/${sealId}/open`));
  const { data } = await ok(api('GET', `/testsets/${testset.id}/testcases?limit=100`));
  expect(data.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(data.some(({ split }: { split?: string }) => split !== undefined)).toBe(false);
});

it('draws testcases from traffic, each with the same probability, and shows none of them', async () => {
  const { seal, testset } = await opened(3);
  const { data: before } = await ok(api('GET', `/testsets/${testset.id}/testcases?limit=100`));
  const spans = Array.from({ length: 8 }, (_, n) => ({
    traceId: newTraceId(),
    n: n + 1,
    attributes: { 'input.value': JSON.stringify({ question: `traffic ${n}` }) },
  }));
  await post(world.app, world.own.key, requestOf(spans, { 'dokima.project_id': world.projectId }));
  expect((await seal({ q: undefined, traffic: { size: 9 } })).text).toContain('at most the 8 records');
  const made = await ok(seal({ q: undefined, traffic: { size: 6 } }), 201);
  expect(made).toMatchObject({ numTestcases: 6, numSeen: 0, probability: 0.75 });
  expect(JSON.stringify(made)).not.toContain('seed');
  expect((await ok(api('GET', `/testsets/${testset.id}/testcases?limit=100`))).data).toEqual(before);

  await ok(api('POST', `/seals/${made.id}/open`));
  const { data: after } = await ok(api('GET', `/testsets/${testset.id}/testcases?limit=100`));
  const drawn = after.slice(before.length).map(({ jsonData }: { jsonData: object }) => jsonData);
  expect(drawn).toHaveLength(6);
  for (const jsonData of drawn) expect(jsonData).toEqual({ question: expect.stringMatching(/^traffic \d$/) });
});

it('400 says why testcases can’t be sealed, or a version can’t be looked at', async () => {
  const { seal, testset, metric } = await opened(3);
  const own = await versionOf({ model: 'ours' });
  const people = await createMetric(api, world.projectId, { evalType: 'human', outputType: 'boolean' });
  const problem = async (answer: ReturnType<typeof api>) => {
    const { status, text } = await answer;
    return `${status} ${text}`;
  };
  expect(await problem(seal({ baselineVersionId: own }))).toMatch(/^400 .*would see the sealed testcases/);
  expect(await problem(seal({ metricIds: [people.id] }))).toMatch(/^400 .*who would see the testcases/);
  expect(await problem(seal({ q: 'nowhere' }))).toMatch(/^400 .*none fits/);
  const item = { jsonData: { question: `${secret} attachment:01890000-0000-7000-8000-000000000000` } };
  const file = { jsonData: { question: secret, file: 'attachment:01890000-0000-7000-8000-000000000000' } };
  await ok(api('POST', `/testsets/${testset.id}/testcases`, { items: [item, file] }), 201);
  expect(await problem(seal())).toMatch(/^400 .*without attachments/);
  const { id } = await ok(seal({ share: 0.99, q: `${secret} -attachment`, metricIds: [metric.id] }), 201);
  expect(await problem(api('POST', `/seals/${id}/looks`, { systemVersionId: own }))).toMatch(
    /^400 .*A system that only your code runs would see/,
  );
});
