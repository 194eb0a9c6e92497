import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../../../test/harness.ts';

let app: TestApp;
let api: Client;
let projectId: string;
let key: string;

beforeAll(async () => {
  app = await startApp();
  ({ api, key } = await app.organization());
  projectId = (await createProject(api)).id;
});
afterAll(() => app.close());

const labels = {
  items: ['Wrong', 'Partly', 'Right', 'Perfect'],
  passing: ['Right', 'Perfect'],
  ordered: true,
};
const people = { evalType: 'human', outputType: 'category' } as const;
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';

/** A run with one label for each record, and its summary. */
const summarized = async (given: string[], of = labels, testcases?: string[]) => {
  const metric = await createMetric(api, projectId, { ...people, name: 'Grade', labels: of });
  const run = await createRun(api, projectId, [metric.id]);
  const items = given.map((label, i) => ({
    ...(testcases && { testcaseId: testcases[i] }),
    inputs: { i },
    expected: {},
    outputs: {},
    scores: [{ metricConfigId: run.metricVersionIds[0], score: { categoryScore: label } }],
  }));
  await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  return (await ok(api('GET', `/runs/${run.id}/summary`))).metrics[0];
};
const times = (label: string, count: number): string[] => Array.from({ length: count }, () => label);

describe('a category', () => {
  it('stores a label as it is, and says which label another text is not', async () => {
    const metric = await createMetric(api, projectId, { ...people, labels });
    expect(metric).toMatchObject({ outputType: 'category', labels });
    expect(metric).not.toHaveProperty('passingThreshold');
    const run = await createRun(api, projectId, [metric.id]);
    const { id } = await createRecord(api, run.id);
    const path = `/records/${id}/scores/${run.metricVersionIds[0]}`;
    const put = (score: object) => ok(api('PUT', path, { score }));
    const state = async () => (await ok(api('GET', `/records/${id}`))).scoreStates[0];
    expect(await put({ categoryScore: 'Right', reasoning: 'r' })).not.toHaveProperty('validationErrors');
    expect(await state()).toMatchObject({ state: 'scored', passed: true, score: { categoryScore: 'Right' } });
    await put({ categoryScore: 'Partly' });
    expect(await state()).toMatchObject({ passed: false });
    for (const wrong of ['right', ' Right', 'Right\u0000', '', 'Other', 2, true, null, ['Right']]) {
      const { validationErrors } = await put({ categoryScore: wrong });
      expect(validationErrors[0]).toMatchObject({ path: '/categoryScore' });
      expect(await state()).toMatchObject({ passed: null });
    }
    expect((await put({ categoryScore: 'right' })).validationErrors).toEqual([
      { path: '/categoryScore', message: "must be one of the labels 'Wrong', 'Partly', 'Right', 'Perfect'" },
    ]);
    const { validationErrors } = await put({ categoryScore: 'Right', binaryScore: true });
    expect(validationErrors[0].message).toContain("which is categoryScore: one of 'Wrong'");
  });

  it('needs labels that people can tell apart: some pass and some do not', async () => {
    const refused = async (of: object | undefined, more: object = {}) =>
      (
        await api('POST', `/projects/${projectId}/metrics`, {
          name: 'M',
          ...people,
          ...(of && { labels: of }),
          ...more,
        })
      ).body.message;
    const message = (items: unknown[], passing: unknown[]) => refused({ items, passing });
    expect(await refused(undefined)).toContain('/labels is required');
    expect(await message(['a'], ['a'])).toContain('at least two');
    expect(await message(['a', 'b'], [])).toContain('at least one label');
    expect(await message(['a', 'b'], ['b', 'a'])).toContain('leave out at least one');
    expect(await message(['a', 'b'], ['c'])).toContain("names 'c'");
    expect(await message(['a', 'a'], ['a'])).toContain("repeat 'a'");
    expect(await message(['Good', 'good'], ['good'])).toContain("is read like 'Good'");
    expect(await message(['\u00e9', 'e\u0301'], ['\u00e9'])).toContain('is read like');
    expect(await message(['a', ' '], ['a'])).toContain('must not be empty');
    expect(await message(['a', 'b\nc'], ['a'])).toContain('must be one line');
    expect(await message(['a', 'b '], ['a'])).toContain('end with a space');
    expect(
      await message(
        Array.from({ length: 101 }, (_, i) => `l${i}`),
        ['l0'],
      ),
    ).toContain('100');
    expect(await refused(labels, { spans: 'kind:tool' })).toBeUndefined();
    const many = Array.from({ length: 100 }, (_, i) => `${i}`);
    const metric = await createMetric(api, projectId, {
      ...people,
      labels: { items: many, passing: ['99'] },
    });
    expect(metric.labels).toEqual({ items: many, passing: ['99'], ordered: false });
  });

  it('makes another configuration when its labels change, and is not turned into another kind', async () => {
    const metric = await createMetric(api, projectId, { ...people, labels });
    const versions = async () => (await ok(api('GET', `/metrics/${metric.id}/versions`))).data;
    const change = (body: object) => api('PATCH', `/metrics/${metric.id}`, { ...people, ...body });
    await ok(change({ name: 'Same', labels }));
    expect(await versions()).toHaveLength(1);
    await ok(change({ labels: { ...labels, passing: ['Perfect'] } }));
    await ok(change({ labels: { ...labels, items: labels.items.toReversed() } }));
    expect(await versions()).toMatchObject([
      { current: true },
      { labels: { passing: ['Perfect'] } },
      { labels },
    ]);
    const answer = await api('PATCH', `/metrics/${metric.id}`, { evalType: 'human', outputType: 'int' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('must stay category: this metric gives labels');
  });

  it('has the share of each label in a run, with the intervals of statsmodels that hold at once', async () => {
    const given = [
      ...times('Wrong', 55),
      ...times('Partly', 30),
      ...times('Right', 13),
      ...times('Perfect', 2),
    ];
    const { passRate, mean, distribution, labels: shown } = await summarized(given);
    expect(passRate).toMatchObject({ estimate: 0.15, n: 100 });
    expect([mean, distribution, shown.ordered]).toEqual([null, [], true]);
    // multinomial_proportions_confint([55, 30, 13, 2], 0.05, 'goodman')
    const goodman = [
      [0.42647244158827574, 0.6676553645080012],
      [0.200077302940014, 0.42341147267487866],
      [0.06738543772652963, 0.23606879716102178],
      [0.00407949592292701, 0.09229356555281534],
    ];
    for (const [i, { share, numScores, passes }] of shown.shares.entries()) {
      expect(share.interval.low).toBeCloseTo(goodman[i]![0]!, 10);
      expect(share.interval.high).toBeCloseTo(goodman[i]![1]!, 10);
      expect([numScores, passes]).toEqual([[55, 30, 13, 2][i], i > 1]);
    }
  });

  it('takes two labels as a rate and its rest, and trials of a testcase as one unit', async () => {
    const two = { items: ['no', 'yes'], passing: ['yes'], ordered: false };
    const { passRate, labels: shown } = await summarized([...times('no', 7), ...times('yes', 3)], two);
    expect(shown.shares[1].share.interval).toEqual(passRate.interval);
    const testset = await createTestset(api, projectId);
    const made = await ok(
      api('POST', `/testsets/${testset.id}/testcases`, {
        items: Array.from({ length: 20 }, (_, i) => ({ jsonData: { question: `${i}` } })),
      }),
      201,
    );
    const ids: string[] = made.items.map(({ id }: { id: string }) => id);
    // Each testcase has the same label five times: 100 records know no more than 20.
    const given = ids.flatMap((_, i) => times(i < 8 ? 'yes' : 'no', 5));
    const { labels: clustered } = await summarized(
      given,
      two,
      ids.flatMap((id) => times(id, 5)),
    );
    const { labels: plain } = await summarized(
      ids.map((_, i) => (i < 8 ? 'yes' : 'no')),
      two,
    );
    expect(clustered.shares.map(({ share }: { share: { n: number } }) => share.n)).toEqual([20, 20]);
    const width = (shares: { share: { interval: { low: number; high: number } } }[]) =>
      shares[1]!.share.interval.high - shares[1]!.share.interval.low;
    expect(width(clustered.shares) / width(plain.shares)).toBeCloseTo(1, 1);
  });

  it('is in the list that the public Python client of the contract reads', async () => {
    const other = await createProject(api);
    await createMetric(api, other.id, {
      evalType: 'ai',
      outputType: 'int',
      promptTemplate: '{{ outputs.a }}',
    });
    await createMetric(api, other.id, { ...people, name: 'Grade', labels });
    const program = `
from scorecard_ai import Scorecard
client = Scorecard(base_url='${await app.url()}/api/v2', api_key='${key}')
for metric in client.metrics.list('${other.id}'):
    print(metric.name, metric.output_type, getattr(metric, 'labels', {}).get('passing'))
`;
    const has = await promisify(execFile)(python, ['-c', 'import scorecard_ai']).catch(() => undefined);
    if (!has) return;
    const { stdout } = await promisify(execFile)(python, ['-c', program]);
    expect(stdout.trim().split('\n')).toEqual([
      `Grade category ['Right', 'Perfect']`,
      expect.stringContaining(' int None'),
    ]);
  });

  it('is compared by Stuart–Maxwell, or by the sign test of labels in order, beside its pass rate', async () => {
    const testset = await createTestset(api, projectId);
    const ids: string[] = [];
    for (const length of [100, 27]) {
      const items = Array.from({ length }, (_, i) => ({ jsonData: { question: `${ids.length + i}` } }));
      const made = await ok(api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
      ids.push(...made.items.map(({ id }: { id: string }) => id));
    }
    const names = ['Wrong', 'Partly', 'Right'];
    const moves = [
      [20, 10, 5],
      [3, 30, 15],
      [0, 4, 40],
    ].flatMap((row, i) =>
      row.flatMap((count, j) => Array.from({ length: count }, () => [names[i]!, names[j]!])),
    );
    const runs: string[] = [];
    const compared = async (ordered: boolean) => {
      const of = { items: names, passing: ['Right'], ordered };
      const metric = await createMetric(api, projectId, { ...people, name: 'Grade', labels: of });
      runs.length = 0;
      for (const side of [0, 1]) {
        const run = await createRun(api, projectId, [metric.id]);
        const items = moves.map((move, i) => ({
          testcaseId: ids[i],
          inputs: { question: `${i}` },
          expected: {},
          outputs: {},
          scores: [{ metricConfigId: run.metricVersionIds[0], score: { categoryScore: move[side] } }],
        }));
        await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
        runs.push(run.id);
      }
      return (await ok(api('GET', `/runs/compare?runs=${runs[0]}&runs=${runs[1]}`))).pairs[0].metrics[0];
    };
    const nominal = await compared(false);
    expect(nominal.difference).toBeCloseTo((60 - 44) / 127, 10);
    // SquareTable(table, shift_zeros=False).homogeneity('stuart_maxwell') of statsmodels
    expect(nominal.labels).toMatchObject({ n: 127, test: 'stuart-maxwell', df: 2, netBetter: null });
    expect(nominal.labels.statistic).toBeCloseTo(15.09582309582309, 8);
    expect(nominal.labels.p).toBeCloseTo(0.0005272100310583783, 10);
    // The most frequent first.
    expect(nominal.labels.moves.map(({ numTestcases }: { numTestcases: number }) => numTestcases)).toEqual([
      40, 30, 20, 15, 10, 5, 4, 3,
    ]);
    expect(nominal.labels.moves[3]).toEqual({ from: 'Partly', to: 'Right', numTestcases: 15 });
    expect(nominal.labels.numMovesLeftOut).toBe(0);
    const metricId = nominal.metricId;
    const changed = (query: string) =>
      api('GET', `/runs/compare/testcases?runs=${runs.join(',')}&metricId=${metricId}&limit=100&${query}`);
    const moved = (await ok(changed('labelBefore=Partly&labelAfter=Right'))).data;
    expect(moved.map(({ testcaseId }: { testcaseId: string }) => testcaseId).sort()).toEqual(
      ids.filter((_, i) => moves[i]!.join() === 'Partly,Right').sort(),
    );
    // Labels that pass alike have moved too, and those that stayed are listed when they are asked for.
    expect((await ok(changed('labelBefore=Wrong&labelAfter=Partly'))).data).toHaveLength(10);
    expect((await ok(changed('labelAfter=Wrong'))).data).toHaveLength(23);
    expect((await changed('labelAfter=wrong')).text).toContain("one of 'Wrong', 'Partly', 'Right'");
    expect(nominal.labels.shares[2]).toMatchObject({
      label: 'Right',
      passes: true,
      before: 44 / 127,
      after: 60 / 127,
    });
    const { labels: ordinal } = await compared(true);
    // binomtest(30, 37) of SciPy
    expect(ordinal).toMatchObject({ test: 'sign flips', statistic: null });
    expect(ordinal.p).toBeCloseTo(0.00019107642583549023, 10);
    expect(ordinal.netBetter).toBeCloseTo(23 / 127, 10);
  });

  it('is held against the labels of people: which it gave to which, κ and α', async () => {
    const other = await createProject(api);
    const of = { items: ['a', 'b', 'c'], passing: ['c'], ordered: false };
    const shared = { outputType: 'category', labels: of } as const;
    const judge = await createMetric(api, other.id, { evalType: 'heuristic', name: 'Judge', ...shared });
    const human = await createMetric(api, other.id, { ...people, name: 'People', labels: of });
    const run = await createRun(api, other.id, [judge.id, human.id]);
    const table = [
      [12, 3, 1],
      [2, 15, 4],
      [0, 5, 18],
    ];
    const pairs = table.flatMap((row, i) =>
      row.flatMap((count, j) => Array.from({ length: count }, () => [of.items[i]!, of.items[j]!])),
    );
    const items = pairs.map(([said], i) => ({
      inputs: { i },
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: run.metricVersionIds[0], score: { categoryScore: said } }],
    }));
    const { ids } = await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const given = ids.map((recordId: string, i: number) => ({
      recordId,
      metricConfigId: run.metricVersionIds[1],
      score: { categoryScore: pairs[i]![1] },
    }));
    await ok(api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: given }));
    const { confusion, threshold } = await ok(
      api('GET', `/metrics/${judge.id}/calibration?against=${human.id}`),
    );
    expect(threshold).toBe(null);
    expect(confusion).toMatchObject({ names: of.items, ordered: false, table });
    expect(confusion.agreement.estimate).toBeCloseTo(45 / 60, 10);
    expect(confusion.kappa.estimate).toBeCloseTo(0.6192893401015228, 8);
    expect(confusion.alpha.estimate).toBeCloseTo(0.6221422523285352, 8);
  });
});

it('leaves with the records as a text, in each format', async () => {
  const metric = await createMetric(api, projectId, { ...people, name: 'Left', labels });
  const run = await createRun(api, projectId, [metric.id]);
  const scores = [{ metricConfigId: run.metricVersionIds[0], score: { categoryScore: 'Partly' } }];
  const items = [{ inputs: {}, expected: {}, outputs: {}, scores }];
  await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  for (const format of ['csv', 'jsonl', 'parquet', 'arrow']) {
    const { text } = await api(
      'GET',
      `/projects/${projectId}/records/export?format=${format}&q=run:${run.id}`,
    );
    expect(`${format} ${text}`).toContain('Partly');
  }
});

describe('a search', () => {
  it('finds a label as it is written or read, compares labels in order, and says which there are', async () => {
    const { id } = await createProject(api);
    const metric = await createMetric(api, id, { ...people, name: 'Grade', labels });
    const rate = await createMetric(api, id, { evalType: 'human', outputType: 'float', name: 'Rate' });
    const topics = { items: ['a', 'none'], passing: ['a'] };
    const topic = await createMetric(api, id, { ...people, name: 'Topic', labels: topics });
    const run = await createRun(api, id, [metric.id, rate.id, topic.id]);
    const [grade, rated, topical] = run.metricVersionIds;
    const items = labels.items.map((label, i) => ({
      inputs: { label },
      expected: {},
      outputs: {},
      scores: [
        { metricConfigId: grade, score: { categoryScore: label } },
        { metricConfigId: rated, score: { floatScore: i / 4 } },
        ...(i < 2 ? [{ metricConfigId: topical, score: { categoryScore: topics.items[i] } }] : []),
      ],
    }));
    await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const find = (q: string) => api('GET', `/projects/${id}/records?q=${encodeURIComponent(q)}&sort=created`);
    const found = async (q: string) =>
      (await ok(find(q))).data
        .map(({ inputs }: { inputs: { label: string } }) => inputs.label)
        .sort()
        .join(' ');
    expect(await found('score.Grade:Partly')).toBe('Partly');
    expect(await found('score.grade:PARTLY')).toBe('Partly');
    expect(await found('-score.Grade:Partly')).toBe('Perfect Right Wrong');
    expect(await found('score.Grade:<Right')).toBe('Partly Wrong');
    expect(await found('score.Grade:>=Right')).toBe('Perfect Right');
    expect(await found('score.Grade:pass')).toBe('Perfect Right');
    // Without a name, a label of any metric; a number is a value of numbers alone, whatever stands for a label.
    expect(await found('score:Wrong')).toBe('Wrong');
    expect(await found('score:<0.5')).toBe('Partly Wrong');
    expect(await found('score:true')).toBe('');
    // A label counts before a word of the search.
    expect(await found('score.Topic:none')).toBe('Partly');
    const refused = async (q: string) => (await find(q)).body.message;
    expect(await refused('score.Grade:Odd')).toContain(
      "the labels are 'Wrong', 'Partly', 'Right', 'Perfect'",
    );
    expect(await refused('score.Grade:>=1')).toContain("the labels are 'Wrong'");
    expect(await refused('score.Topic:<none')).toContain('these labels have no order');
    const groups = await ok(api('GET', `/projects/${id}/records/groups?by=score.Grade`));
    expect(
      groups.groups.map(({ value, words }: { value: string; words: string }) => [value, words]).sort(),
    ).toEqual(labels.items.map((label) => [label, `score.Grade:${label}`]).sort());
    // The labels change: a score keeps the label that it was given.
    const items2 = labels.items.toReversed();
    await ok(api('PATCH', `/metrics/${metric.id}`, { ...people, labels: { ...labels, items: items2 } }));
    expect(await found('score.Grade:Partly')).toBe('Partly');
    await ok(
      api('PATCH', `/metrics/${metric.id}`, {
        ...people,
        labels: { items: ['Bad', 'Right'], passing: ['Right'] },
      }),
    );
    expect(await found('score.Grade:Partly')).toBe('Partly');
    expect(await found('score.Grade:Right')).toBe('Right');
  });
});
