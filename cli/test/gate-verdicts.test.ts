// Longer than 400 lines: one gate is tried with each kind of rule.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEndpoint } from '../../server/test/endpoint.ts';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;
let testsetId: string;
let testcaseIds: string[];

const count = 300;

beforeAll(async () => {
  terminal = await openTerminal();
  const made = await prepare(terminal.client, count);
  projectId = made.project.id;
  testsetId = made.testset.id;
  testcaseIds = made.testcases.map(({ id }) => id);
});
afterAll(() => terminal.close());

type Value = boolean | number | null;
type Metric = { id: string; outputType: 'boolean' | 'int' | 'float' };
let made = 0;
const newMetric = async (
  outputType: Metric['outputType'],
  evalType: 'heuristic' | 'ai' | 'human' = 'heuristic',
) => {
  const name = `M${++made}`;
  const metric = await terminal.client.createMetric(projectId, {
    name,
    evalType,
    outputType,
    ...(evalType === 'ai' && { promptTemplate: '{{ outputs.a }}' }),
  } as never);
  return { id: metric.id, outputType, name };
};

/** A judge and the human metric that is the truth about it. */
const newJudge = async () => {
  const [judge, people] = [await newMetric('boolean', 'ai'), await newMetric('boolean', 'human')];
  await terminal.client.updateMetricSettings(judge.id, { peopleMetricId: people.id });
  return [judge, people] as const;
};

const scoreOf = ({ outputType }: Metric, value: boolean | number) =>
  outputType === 'boolean'
    ? { binaryScore: value === true || value === 1 }
    : outputType === 'int'
      ? { intScore: Number(value) }
      : { floatScore: Number(value) };

/** Creates a run. `values` has for each metric a score for each testcase; null is a missing one. */
const runOf = async (
  metrics: Metric[],
  values: Value[][],
  { testcases = testcaseIds, trials = 1, inputs = (_: number): Record<string, string> => ({}) } = {},
): Promise<string> => {
  const { client } = terminal;
  const run = await client.createRun(projectId, {
    ...(testcases === testcaseIds && trials === 1 && values[0]!.length === count && { testsetId }),
    metricIds: metrics.map(({ id }) => id),
  });
  const items = values[0]!.map((_, i) => ({
    ...(testcases.length > 0 && { testcaseId: testcases[Math.floor(i / trials)]! }),
    inputs: inputs(i),
    expected: {},
    outputs: { a: 'b' },
    scores: metrics.flatMap((metric, m) => {
      const value = values[m]![i]!;
      const metricConfigId = run.metricVersionIds[m]!;
      return value === null ? [] : [{ metricConfigId, score: scoreOf(metric, value) }];
    }),
  }));
  await client.createAllRecords(run.id, items);
  return run.id;
};
const times = (n: number, value: Value): Value[] => Array<Value>(n).fill(value);
const passing = (passes: number, of = count): Value[] => Array.from({ length: of }, (_, i) => i < passes);

const gate = async (rules: object, ...words: string[]) => {
  await terminal.write('dokima.yaml', JSON.stringify({ project: projectId, ...rules }));
  return terminal.dokima(['gate', ...words]);
};

describe('results without variance are an answer', () => {
  it('a run that scores exactly as the baseline passes', async () => {
    const metric = await newMetric('float');
    const values = times(count, 0).map((_, i) => (i % 7) / 7);
    const [before, after] = [await runOf([metric], [values]), await runOf([metric], [values])];
    const rules = { metrics: { [metric.name]: { of: 'score', noRegression: {} } } };
    expect(await gate(rules, after, '-b', before)).toMatchObject({ code: 0 });
  });

  it('stars: all lost one is worse, and 300 perfect scores reach the line of 3', async () => {
    const metric = await newMetric('int');
    const stars = times(count, 0).map((_, i) => 2 + (i % 4));
    const before = await runOf([metric], [stars]);
    const after = await runOf([metric], [stars.map((star) => Number(star) - 1)]);
    const rules = { metrics: { [metric.name]: { of: 'score', noRegression: {} } } };
    const said = await gate(rules, after, '-b', before);
    expect([said.code, said.out]).toEqual([
      1,
      expect.stringMatching(/^WORSE.*\n[\s\S]*difference −1\.000 \(95 %: −/),
    ]);
    const perfect = await runOf([metric], [times(count, 5)]);
    expect(await gate({ metrics: { [metric.name]: { of: 'score', atLeast: 3 } } }, perfect)).toMatchObject({
      code: 0,
    });
  });

  it('a grouped testset that collapses from 60 passes to 60 failures is worse', async () => {
    const metric = await newMetric('boolean');
    const { client } = terminal;
    const testset = await client.createTestset(projectId, {
      name: 'Grouped',
      description: '',
      jsonSchema: { type: 'object' },
      fieldMapping: { inputs: ['q'], expected: [], metadata: ['document'] },
    });
    const items = Array.from({ length: 60 }, (_, q) => ({ jsonData: { q, document: `d${q % 20}` } }));
    const cases = await client.createAllTestcases(testset.id, items);
    await client.updateTestsetSettings(testset.id, { groupingField: 'document' });
    const run = async (passed: boolean) => {
      const { id, metricVersionIds } = await client.createRun(projectId, {
        testsetId: testset.id,
        metricIds: [metric.id],
      });
      const records = cases.map(({ id: testcaseId }) => ({
        testcaseId,
        inputs: {},
        expected: {},
        outputs: {},
        scores: [{ metricConfigId: metricVersionIds[0]!, score: { binaryScore: passed } }],
      }));
      await client.createAllRecords(id, records);
      return id;
    };
    const [good, bad, same] = [await run(true), await run(false), await run(true)];
    const rules = { metrics: { [metric.name]: { noRegression: {} } } };
    expect(await gate(rules, bad, '-b', good)).toMatchObject({ code: 1 });
    expect(await gate(rules, same, '-b', good)).toMatchObject({ code: 0 });
  });
});

describe('several metrics', () => {
  it('do not fail by chance: 3 wins and 11 losses on one of five are not a regression', async () => {
    const metrics = await Promise.all(Array.from({ length: 5 }, () => newMetric('boolean')));
    const base = passing(240);
    const changed = base.map((value, i) => (i < 11 || (i >= 240 && i < 243) ? !value : value));
    const before = await runOf(
      metrics,
      metrics.map(() => base),
    );
    const after = await runOf(metrics, [changed, ...metrics.slice(1).map(() => base)]);
    const rule = { noRegression: {} };
    const all = { metrics: Object.fromEntries(metrics.map(({ name }) => [name, rule])) };
    const said = await gate(all, after, '-b', before);
    expect([said.code, said.out]).toEqual([0, expect.stringContaining('5 rules are tested together (Holm)')]);
    expect(said.out).not.toContain('cannot tell');
    expect(said.out).toContain('difference −0.027 (99 %: −0.0');
    // Alone it is one.
    expect(await gate({ metrics: { [metrics[0]!.name]: rule } }, after, '-b', before)).toMatchObject({
      code: 1,
    });
  });
});

describe('what the run covers', () => {
  it('40 of the 300 testcases of the baseline do not pass, unless the rules allow it', async () => {
    const metric = await newMetric('boolean');
    const [before, after] = [await runOf([metric], [passing(280)]), await runOf([metric], [times(40, true)])];
    const rules = { metrics: { [metric.name]: { atLeast: 0.8, noRegression: {} } } };
    const said = await gate(rules, after, '-b', before);
    expect([said.code, said.out]).toEqual([
      3,
      expect.stringMatching(
        /INCOMPLETE +the run does not cover all testcases of run \d+ +has 40 of 300 testcases/,
      ),
    ]);
    expect(said.out).toContain('testcases not compared: 260 only in the baseline');
    expect(said.out).toMatch(/- M\d+: only 40 testcases/);
    expect(said.out).toMatch(/- M\d+: against run \d+: only 40 testcases/);
    expect(await gate({ covers: 0.1, ...rules }, after, '-b', before)).toMatchObject({ code: 0 });
  });

  it('without a baseline the testset says how many records are expected', async () => {
    const metric = await newMetric('boolean');
    const { id } = await terminal.client.createRun(projectId, { testsetId, metricIds: [metric.id] });
    const [config] = (await terminal.client.getRun(id)).metricVersionIds;
    const items = testcaseIds.slice(0, 40).map((testcaseId) => ({
      testcaseId,
      inputs: {},
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: config!, score: { binaryScore: true } }],
    }));
    await terminal.client.createAllRecords(id, items);
    const said = await gate({ metrics: { [metric.name]: { atLeast: 0.8 } } }, id);
    expect([said.code, said.out]).toEqual([3, expect.stringContaining('has 40 of 300 expected records')]);
  });

  it('runs that share no testcase are compared only if the rules ask for it, with the warning', async () => {
    const metric = await newMetric('boolean');
    const none = { testcases: [] };
    const before = await runOf([metric], [passing(150)], none);
    const after = await runOf([metric], [passing(220)], none);
    const rules = { metrics: { [metric.name]: { noRegression: {} } } };
    const said = await gate(rules, after, '-b', before);
    expect([said.code, said.out]).toEqual([3, expect.stringContaining('shares no scored testcase')]);
    const allowed = await gate({ unpaired: true, ...rules }, after, '-b', before);
    expect([allowed.code, allowed.out]).toEqual([
      0,
      expect.stringMatching(/^- M\d+: against run \d+: .*testcase/m),
    ]);
  });
});

describe('baselines', () => {
  it('a fixed anchor catches what a moving baseline lets through step by step', async () => {
    const metric = await newMetric('boolean');
    // Each step loses 1.7 points, which no comparison of 300 testcases with the step before shows.
    const runs: string[] = [];
    for (const passes of [285, 282, 279, 276, 273]) runs.push(await runOf([metric], [passing(passes)]));
    const rules = { metrics: { [metric.name]: { noRegression: {} } } };
    expect(await gate(rules, runs[4]!, '-b', runs[3]!)).toMatchObject({ code: 0 });
    const said = await gate({ ...rules, anchor: runs[0] }, runs[4]!, '-b', runs[3]!);
    expect([said.code, said.out]).toEqual([
      1,
      expect.stringMatching(/WORSE +M\d+ is worse than anchor run \d+ +difference −0\.040/),
    ]);
  });

  it('a run must hold against each of several baselines', async () => {
    const metric = await newMetric('boolean');
    const [low, high, run] = [
      await runOf([metric], [passing(200)]),
      await runOf([metric], [passing(290)]),
      await runOf([metric], [passing(230)]),
    ];
    const rules = { baseline: [low, high], metrics: { [metric.name]: { noRegression: {} } } };
    const said = await gate(rules, run);
    expect(said.code).toBe(1);
    expect(said.out).toMatch(new RegExp(`^WORSE: run ${run} against run ${low} and run ${high}\n`));
    expect(said.out).toMatch(
      new RegExp(
        `WORSE +M\\d+ is worse than run ${high} .*\npass +M\\d+ is not shown to be worse than run ${low} `,
      ),
    );
  });

  it('a mark names the newest marked run; before there is one, the gate passes and says so', async () => {
    const metric = await newMetric('boolean');
    const rules = { baseline: 'latest:main', metrics: { [metric.name]: { noRegression: {} } } };
    const [first, second, third] = [
      await runOf([metric], [passing(290)]),
      await runOf([metric], [passing(200)]),
      await runOf([metric], [passing(291)]),
    ];
    const said = await gate(rules, first, '--mark', 'main');
    expect([said.code, said.out, said.err]).toEqual([
      0,
      expect.stringContaining('no run is latest:main yet: nothing to compare with, so this rule passes'),
      expect.stringContaining(`Run ${first} is now latest:main.`),
    ]);
    const worse = await gate(rules, second, '--mark', 'main');
    expect([worse.code, worse.err]).toEqual([1, expect.stringContaining(`Run ${second} did not pass`)]);
    const next = await gate(rules, third);
    expect([next.code, next.out]).toEqual([
      0,
      expect.stringContaining(`pass: run ${third} against run ${first} (latest:main)`),
    ]);
  });
});

describe('rules on slices, trials and budgets', () => {
  it('by holds a line for one slice, or for all of them', async () => {
    const metric = await newMetric('boolean');
    const values = times(count, true).map((_, i) => i % 3 !== 0 || i % 2 === 0);
    const run = await runOf([metric], [values], {
      inputs: (i) => ({ q: String(i), language: i % 3 === 0 ? 'de' : 'en' }),
    });
    const slice = (value?: string) => ({
      metrics: { [metric.name]: { by: { field: 'inputs.language', value, atLeast: 0.8 } } },
    });
    expect(await gate(slice('en'), run)).toMatchObject({ code: 0 });
    const said = await gate(slice(), run);
    expect([said.code, said.out]).toEqual([
      1,
      expect.stringMatching(/WORSE +M\d+ where inputs\.language is de is below 0\.8 +0\.500 \(97\.5 %/),
    ]);
    expect(await gate(slice('fr'), run)).toMatchObject({
      code: 3,
      out: expect.stringContaining('no record has'),
    });
  });

  it('passHatK holds a line for the share of testcases that pass every trial', async () => {
    const metric = await newMetric('boolean');
    // Half of the testcases fail one of three trials: 83 % of the trials pass, and half of the testcases pass all.
    const run = await runOf([metric], [times(300, true).map((_, i) => i % 6 !== 0)], { trials: 3 });
    const rules = { metrics: { [metric.name]: { passHatK: { k: 3, atLeast: 0.7 } } } };
    const said = await gate(rules, run);
    expect([said.code, said.out]).toEqual([
      1,
      expect.stringMatching(/passes 3 of 3 trials is below 0\.7 +0\.500/),
    ]);
  });

  it('latency and cost are incomplete if the service did not call the system', async () => {
    const metric = await newMetric('boolean');
    const run = await runOf([metric], [passing(300)]);
    const said = await gate({ latency: { p95Ms: 2000 }, cost: { systemUsdPerRecord: 0.01 } }, run);
    expect([said.code, said.out]).toEqual([
      3,
      expect.stringMatching(
        /the latency of 95 % of all calls: it is unknown whether it is above 2,000 ms +the service did not call the system/,
      ),
    ]);
  });
});

it('latency of a run that the service executes has an interval between two of its calls', async () => {
  const own = await openTerminal({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  const endpoint = await openEndpoint(() => ({ body: JSON.stringify({ outputs: { a: 1 } }) }));
  try {
    const { project, testset } = await prepare(own.client, 20);
    const system = await own.client.upsertSystem(project.id, { config: { endpoint: endpoint.url } });
    const execute = async () => {
      const { id } = await own.client.createRun(project.id, {
        testsetId: testset.id,
        systemVersionId: system.productionVersion.id,
        metricIds: [],
        execute: true,
      });
      await expect
        .poll(async () => (await own.client.getRunDetails(id)).executions.done, { timeout: 30_000 })
        .toBe(20);
      return id;
    };
    const [before, run] = [await execute(), await execute()];
    await own.write(
      'dokima.yaml',
      'latency: { medianMs: 60000, p95Ms: 60000 }\ncost: { systemUsdPerRecord: 1 }',
    );
    const { code, out } = await own.dokima(['gate', run]);
    expect(out).toMatch(
      /pass +the median latency is at most 60,000 ms +\d+ ms \(95 %: \d+ ms … \d+ ms, n = 20\)/,
    );
    expect(out).toMatch(
      /not enough data +the latency of 95 % of all calls: it is open .* 20 calls are too few/,
    );
    expect([code, out]).toEqual([3, expect.stringContaining('the cost is not known for every record')]);
    await own.write('dokima.yaml', 'latency: { maxRise: 50 }\ncost: { noRise: {} }');
    const rises = await own.dokima(['gate', run, '-b', before]);
    expect(rises.out).toMatch(
      new RegExp(
        `pass +latency of a record has risen by no more than 5000\\.0 % since run ${before} +difference [+−]?\\d+\\.\\d % \\(`,
      ),
    );
    expect([rises.code, rises.out]).toEqual([
      3,
      expect.stringContaining('the cost is not known of testcases that both runs have'),
    ]);
  } finally {
    await own.close();
    await endpoint.close();
  }
});

describe('judges', () => {
  /** Two of three records are right. The judge is `wrong` on some; people scored the first `labels` records. */
  const judgedRun = async (judge: Metric, people: Metric, labels: number, wrong: (i: number) => boolean) => {
    const truth = times(count, true).map((_, i) => i % 3 !== 0);
    return runOf(
      [judge, people],
      [
        truth.map((value, i) => (wrong(i) ? !value : value)),
        truth.map((value, i) => (i < labels ? value : null)),
      ],
    );
  };

  it('requireCalibrated asks for labels that show the judge to be good enough; the report says what is known', async () => {
    const [judge, people] = await newJudge();
    const rules = (requireCalibrated: unknown) => ({
      requireCalibrated,
      metrics: { [judge.name]: { atLeast: 0.5 } },
    });
    const unlabelled = await judgedRun(judge, people, 0, () => false);
    expect((await terminal.dokima(['summary', unlabelled])).out).toMatch(
      /M\d+: judge: unusable: no person has scored .* is unknown; the intervals leave its errors out/,
    );
    const said = await gate(rules(true), unlabelled);
    expect([said.code, said.out]).toEqual([
      3,
      expect.stringMatching(/judge is not calibrated .* no person has scored/),
    ]);
    const coin = await newMetric('boolean', 'ai');
    const tossed = await judgedRun(coin, people, 100, (i) => i % 2 === 0);
    const asCoin = { requireCalibrated: true, metrics: { [coin.name]: { atLeast: 0.1 } } };
    expect(await gate(asCoin, tossed)).toMatchObject({ code: 3 });
    expect(await gate({ ...asCoin, requireCalibrated: false }, tossed)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^- M\d+: judge: .*; the interval leaves the judge's errors out$/m),
    });
    const labelled = await judgedRun(judge, people, 200, (i) => i % 10 === 0);
    const sure = await judgedRun(judge, people, 200, (i) => i % 20 === 0);
    expect(await gate(rules(true), sure)).toMatchObject({
      code: 0,
      out: expect.stringContaining('its judge is calibrated (may gate alone)'),
    });
    // Better than chance, but its own rate can be 25 points off: it gates on the corrected rate only.
    const rough = await judgedRun(judge, people, 200, (i) => i % 4 === 0);
    expect(await gate(rules(true), rough)).toMatchObject({
      code: 3,
      out: expect.stringMatching(/use with correction: .* write of: corrected in its rules/),
    });
    const good = await gate(rules({ atLeast: 1.5, maxAgeDays: 30 }), labelled);
    expect([good.code, good.out]).toEqual([
      0,
      expect.stringMatching(/sensitivity \+ specificity 1\.\d\d \(1\.[5-9]/),
    ]);
    expect(await gate(rules({ atLeast: 1.95 }), labelled)).toMatchObject({ code: 3 });
    expect(await gate(rules({ maxAgeDays: 0 }), labelled)).toMatchObject({
      code: 3,
      out: expect.stringContaining('the newest label is 0 days old'),
    });
  });

  /** The same for a run with a random sample of 200 records, all scored by people. */
  const sampledRun = async (judge: Metric, people: Metric, wrong: (i: number) => boolean) => {
    const { client } = terminal;
    const truth = times(count, true).map((_, i) => i % 3 !== 0);
    const run = await runOf([judge], [truth.map((value, i) => (wrong(i) ? !value : value))]);
    const { id } = await client.createReviewSample(run, { metricId: people.id, size: 200, seed: 1 });
    const { data } = await client.listMetricVersions(people.id);
    const items = [];
    for await (const { recordId } of client.listSampledRecords(id)) {
      const binaryScore = truth[Number(recordId.split('-')[1]) - 1] as boolean;
      items.push({ recordId, metricConfigId: data[0]!.id, score: { binaryScore } });
    }
    await client.upsertScores(run, { items });
    return run;
  };

  it('of: corrected decides by the rate as people would judge it, and says so', async () => {
    const [judge, people] = await newJudge();
    const line = (of: string) => ({ metrics: { [judge.name]: { of, atLeast: 0.77 } } });
    // The judge passes half of what people fail: it says 83 %, people 67 %.
    const chosen = await judgedRun(judge, people, 200, (i) => i % 6 === 0);
    expect(await gate(line('corrected'), chosen)).toMatchObject({
      code: 3,
      out: expect.stringContaining('its labels are not a random sample'),
    });
    const run = await sampledRun(judge, people, (i) => i % 6 === 0);
    expect(await gate(line('pass'), run)).toMatchObject({ code: 0 });
    const said = await gate(line('corrected'), run);
    expect([said.code, said.out]).toEqual([
      1,
      expect.stringMatching(/corrected for its judge\) is below 0\.77 +0\.6\d\d \(95 %/),
    ]);
    expect(said.out).toContain("the interval has the judge's errors in it");
    const before = await sampledRun(judge, people, () => false);
    const difference = { metrics: { [judge.name]: { of: 'corrected', noRegression: {} } } };
    expect(await gate(difference, run, '-b', before)).toMatchObject({ code: 0 });
  });

  it('what people would say decides a rule on a difference, where they scored a random sample of both runs', async () => {
    const [judge, people] = await newJudge();
    // Equal runs. On the second one the judge fails a third of what people pass, so by itself it says WORSE.
    const before = await sampledRun(judge, people, () => false);
    const after = await sampledRun(judge, people, (i) => i % 9 === 1 || i % 9 === 5);
    const rules = { metrics: { [judge.name]: { noRegression: {} } } };
    const said = await gate(rules, after, '-b', before);
    expect([said.code, said.out]).toEqual([
      0,
      expect.stringContaining(
        'people scored a random sample of both runs: the difference is what they would say',
      ),
    ]);
    const { pairs } = await terminal.client.compareRuns({ runs: [before, after], measure: 'pass' });
    const { verdict, conclusion } = pairs[0]!.metrics.find(({ metricId }) => metricId === judge.id)!;
    expect([verdict, conclusion]).toEqual([
      'worse',
      expect.objectContaining({ basis: 'people', verdict: 'cannot tell' }),
    ]);
    // The corrected difference is for one look; the sequential test holds for each look at a run that grows.
    const growing = await terminal.client.compareRuns({
      runs: [before, after],
      measure: 'pass',
      test: 'sequential',
    });
    const watched = growing.pairs[0]!.metrics.find(({ metricId }) => metricId === judge.id)!;
    expect(watched.conclusion).toMatchObject({ basis: 'scores', verdict: watched.verdict });
    const { out } = await terminal.dokima(['compare', before, after]);
    expect(out).toMatch(/as people would judge it: cannot tell.*\n.*by the judge alone: worse/);
    // The judge is stricter on the second run; the report says so once for both.
    const errs =
      /the judge errs otherwise on the two runs \(p .*\): sensitivity 1\.00 on \d+ and 0\.\d\d on \d+ labels/g;
    expect([said.out.match(errs)?.length, out.match(errs)?.length]).toEqual([1, 1]);
    expect(said.out).toContain('judge on both runs: the judge errs otherwise');
  });

  it('missing verdicts that may lack are in the report, with what they could change', async () => {
    const metric = await newMetric('boolean');
    const before = await runOf([metric], [passing(200)]);
    const after = await runOf([metric], [passing(230).map((value, i) => (i >= 270 ? null : value))]);
    const rules = {
      mayLack: 40,
      metrics: { [metric.name]: { atLeast: 0.5, noRegression: {} } },
    };
    const said = await gate(rules, after, '-b', before);
    expect(said.code).toBe(0);
    expect(said.out).toMatch(/0\.767 … 0\.867 if missing scores were the worst or the best possible/);
    expect(said.out).toMatch(/30 .*missing|missing.*30|lack a score/);
  });
});

it('the sequential test is a choice of the rules, and the report says what one look would need', async () => {
  const metric = await newMetric('boolean');
  const before = await runOf([metric], [passing(280)]);
  const after = await runOf([metric], [passing(200)]);
  const rules = { test: 'sequential', metrics: { [metric.name]: { noRegression: {} } } };
  const said = await gate(rules, after, '-b', before);
  expect([said.code, said.out]).toEqual([
    1,
    expect.stringMatching(
      /sequential test: the evidence was in after \d+ of 300 testcases; a single test at the end needs about \d+/,
    ),
  ]);
  expect(await gate(rules, before, '-b', before)).toMatchObject({ code: 4 });
});
