import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createMetric, createProject, namePeople, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { noScience, python } from '../../../test/science.ts';
import { createRunOf } from '../../../test/scored-runs.ts';
import { seededRandom, uniform } from '../../engine/statistics/random.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { examineTestset } from './examine-testset.ts';

const { app, own } = await openApp();
const { api } = own;

const numbers = 99;
/** Questions long enough for near-duplicates, each with other words. */
const question = (i: number) =>
  `${['Anna', 'Boris', 'Chen', 'Dana'][i % 4]} has ${i + 3} ${['pears', 'books', 'coins', 'ropes', 'cards'][i % 5]} in room ${i * 7} and gives ${i % 3} away to friend ${i * i}. How many are left?`;

/** A testset of sums whose key is wrong in testcases 1 and 2, asked of eight versions that err in one of eight answers. */
const examined = async () => {
  const project = await createProject(api);
  const metric = await createMetric(api, project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const people = await createMetric(api, project.id, {
    name: 'People',
    evalType: 'human',
    outputType: 'boolean',
  });
  await namePeople(api, metric.id, people.id);
  const testset = await ok(
    api('POST', `/projects/${project.id}/testsets`, {
      name: 'Sums',
      description: '',
      jsonSchema: { type: 'object' },
      fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: [] },
    }),
    201,
  );
  const truth = Array.from({ length: numbers }, (_, i) => String(i + 3 - (i % 3)));
  const keys = truth.map((answer, i) => (i < 2 ? String(Number(answer) + 100) : answer));
  const items = [
    ...keys.map((answer, i) => ({ jsonData: { question: question(i), answer } })),
    { jsonData: { question: question(9), answer: '1' } },
  ];
  const { items: testcases } = await ok(api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const random = seededRandom(4);
  const runs = [];
  for (let version = 0; version < 8; version++) {
    const config = { model: `m${version % 2}`, version };
    const system = await ok(api('POST', `/projects/${project.id}/systems`, { name: 'Adder', config }), 201);
    const records = keys.map((key, i) => {
      const isSlip = i === 5 ? false : i === 6 || uniform(random) < 0.125;
      const answer = isSlip ? String(1000 + Math.floor(uniform(random) * 900)) : truth[i]!;
      return {
        testcaseId: testcases[i]!.id as string,
        outputs: { answer: `I think: 1 and 2.\nAnswer: ${answer}` },
        scores: { [metric.id]: answer === key, [people.id]: i === 3 ? answer !== key : null },
      };
    });
    runs.push(
      await createRunOf(api, project.id, [metric, people], records, {
        testsetId: testset.id,
        systemVersionId: system.productionVersion.id,
      }),
    );
  }
  return { project, testset, metric, runs, testcases };
};

/** The lists of the examination, computed by a program that shares no code with the service, from the exported records. */
const byScience = async (projectId: string, testsetId: string, { runs }: { runs: { runId: string }[] }) => {
  const { text } = await api('GET', `/projects/${projectId}/records/export?format=jsonl`);
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { run: string });
  const { data: testcases } = await ok(api('GET', `/testsets/${testsetId}/testcases?limit=100`));
  const { data } = await ok(api('GET', `/projects/${projectId}/run-details?limit=100`));
  const versions = data.map((run: { id: string; systemVersionId: string }) => [run.id, run.systemVersionId]);
  // The newest run first, as the examination reads them.
  const place = new Map(runs.map(({ runId }, i) => [runId, i]));
  const given = {
    records: records.toSorted((a, b) => place.get(a.run)! - place.get(b.run)!),
    versions: Object.fromEntries(versions),
    testcases,
    inputs: ['question'],
    expected: ['answer'],
    metric: 'Right',
    people: 'People',
  };
  const program = fileURLToPath(new URL('../../../test/examination/examine.py', import.meta.url));
  return JSON.parse(execFileSync(python!, [program], { input: JSON.stringify(given), encoding: 'utf8' }));
};

it('finds planted faults with their evidence, and repeats the comparison without the suspects', async () => {
  const { project, testset, metric, runs, testcases } = await examined();
  const leaking = await ok(
    api('POST', `/projects/${project.id}/systems`, {
      name: 'Prompt',
      config: { prompt: `Solve sums. An example: ${question(7)}` },
    }),
    201,
  );
  const found = await ok(api('GET', `/testsets/${testset.id}/examination`));
  const of = (kind: string) => found.findings.filter((finding: { kind: string }) => finding.kind === kind);
  const idsOf = (kind: string) => of(kind).map(({ testcaseId }: { testcaseId: string }) => testcaseId);
  expect(found).toMatchObject({
    metricId: metric.id,
    metricName: 'Right',
    numVersions: 8,
    numModels: 2,
    numRecords: 792,
  });
  expect(idsOf('wrongKey').toSorted()).toEqual([testcases[0].id, testcases[1].id]);
  expect(of('wrongKey')[0].probability).toBeGreaterThan(0.9);
  expect(
    of('wrongKey')
      .map(({ proposal }: { proposal: string }) => proposal)
      .toSorted(),
  ).toEqual(['3', '3']);
  expect(of('wrongKey')[0].sentence).toMatch(/^[678] of 8 versions answer “3”, none the key “10[34]”$/);
  expect(idsOf('duel')).toEqual([testcases[3].id]);
  expect(idsOf('leaked')).toEqual([testcases[7].id]);
  expect(of('leaked')[0]).toMatchObject({ systemId: leaking.id, metricId: null });
  expect(of('leaked')[0].sentence).toMatch(/^its text stands in Prompt, version /);
  expect(of('twin')).toMatchObject([
    {
      testcaseId: testcases[99].id,
      otherTestcaseId: testcases[9].id,
      sentence: 'the same inputs as another testcase, and another key: “1” and “12”',
    },
  ]);
  expect(idsOf('hopeless')).toEqual([testcases[6].id]);
  expect(idsOf('dead')).toContain(testcases[5].id);
  expect(found.comparison).toMatchObject({
    before: runs[6]!.run.id,
    after: runs[7]!.run.id,
    numSuspects: 5,
    changed: false,
  });
  expect(found.comparison.sentence).toMatch(/^verdict unchanged without 5 suspects: /);
  expect(found.comparison.all.n - found.comparison.withoutSuspects.n).toBe(4);
  expect(found.card).toMatchObject({
    numTestcases: 100,
    numWithKey: 100,
    numAnswered: 99,
    agreement: { n: 1, estimate: 0 },
  });

  if (noScience === null) {
    const again = await byScience(project.id, testset.id, found);
    const ours = (kind: string) => idsOf(kind).toSorted();
    for (const kind of ['duel', 'twin', 'flaky', 'hopeless', 'dead'])
      expect([kind, again[kind].toSorted()]).toEqual([kind, ours(kind)]);
    const doubted = again.wrongKey.map((one: { testcaseId: string }) => one.testcaseId);
    expect(doubted).toEqual(idsOf('wrongKey'));
    for (const [i, { probability, proposal }] of of('wrongKey').entries()) {
      expect(again.wrongKey[i].probability).toBeCloseTo(probability, 9);
      expect(again.wrongKey[i].proposal).toBe(Number(proposal));
    }
  }

  // What is too much to read is said.
  expect(found.leftOut).toEqual([]);
  const scope = { organizationId: own.organizationId, memberId: '', role: 'admin' } as Scope;
  const limits = { cases: 60, prompts: 1, records: 250 };
  const key = { key: BigInt(testset.id), id: testset.id };
  const { leftOut } = JSON.parse(await examineTestset(app.db, scope, key, {}, limits));
  expect(leftOut).toEqual([
    'only the first 60 testcases of 100 were read',
    '5 older runs: the newer ones have 250 records or more',
    'only the newest 1 versions of prompts were searched for leaks',
  ]);

  // A corrected testcase is another one: records of its old key say nothing about it.
  const [wrong] = of('wrongKey');
  const { jsonData } = await ok(api('GET', `/testcases/${wrong.testcaseId}`));
  await ok(
    api('PUT', `/testcases/${wrong.testcaseId}`, { jsonData: { ...jsonData, answer: wrong.proposal } }),
  );
  const later = await ok(
    api('GET', `/testsets/${testset.id}/examination?before=${runs[0]!.run.id}&after=${runs[7]!.run.id}`),
  );
  expect(later.numRecords).toBe(784);
  expect(later.comparison.before).toBe(runs[0]!.run.id);
  expect(later.card.numRevised).toBe(1);
});

it('says what it could not examine, and refuses runs of other testsets', async () => {
  const project = await createProject(api);
  const testset = await ok(
    api('POST', `/projects/${project.id}/testsets`, {
      name: 'Empty',
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: ['q'], expected: [], metadata: [] },
    }),
    201,
  );
  const found = await ok(api('GET', `/testsets/${testset.id}/examination`));
  expect(found).toMatchObject({ metricId: null, runs: [], findings: [], comparison: null });
  expect(found.kinds.map(({ reason }: { reason: string | null }) => reason).filter(Boolean)).toHaveLength(6);
  const other = await createRunOf(api, project.id, [], []);
  const { status, body } = await api(
    'GET',
    `/testsets/${testset.id}/examination?before=${other.run.id}&after=${other.run.id}`,
  );
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringContaining('must be a run of this testset'),
  ]);
  expect((await api('GET', `/testsets/${testset.id}/examination?before=1`)).status).toBe(400);
});
