import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';
import { compareTestcases } from '../../engine/statistics/compare.ts';
import { seededRandom } from '../../engine/statistics/random.ts';
import { summarizeTestcases } from '../../engine/statistics/summary.ts';
import { unset } from '../../engine/statistics/testcases.ts';
import { testcasesOf } from './measure-scores.ts';
import { alignRuns, type RunColumns } from './run-scores.ts';
import { joinGroups, numberInputs } from './same-inputs.ts';

const textOf = (numbers: ArrayLike<number | null>) =>
  `{${Array.from(numbers, (number) => number ?? 'NULL').join()}}`;

/** A run of testcases 1 to n, with the hash of the inputs of each. */
const runOf = (inputs: (number | null)[], passes: boolean[], runId = '1'): RunColumns => {
  const numbers = textOf(inputs.map((_, i) => i + 1));
  return {
    runId,
    records: {
      numbers,
      testsets: textOf(inputs.map(() => 5)),
      testcases: numbers,
      revisions: textOf(inputs.map(() => 1)),
      inputs: textOf(inputs),
    },
    groups: [],
    scores: [
      {
        configId: 'c',
        metricId: '1',
        metricName: 'M',
        evalType: 'heuristic',
        outputType: 'boolean',
        passingThreshold: null,
        pinned: true,
        labels: null,
        numbers,
        values: textOf(passes.map(Number)),
        own: null,
        spans: null,
        draw: null,
        costUsd: null,
        inputTokens: null,
        outputTokens: null,
        priced: null,
        misfits: null,
      },
    ],
  };
};

const boolean = { boolean: true, bounds: { low: 0, high: 1 } };

describe('testcases with the same inputs', () => {
  it('are one group, and a testcase alone is none', () => {
    expect(numberInputs(4, [{ unitOf: Int32Array.of(0, 1, 2, 3), inputs: [7, 8, 7, Number.NaN] }])).toEqual(
      Int32Array.of(0, 1, 0, unset),
    );
    expect(numberInputs(2, [{ unitOf: Int32Array.of(0, 1, 0), inputs: [7, 8, 7] }])).toBeNull();
  });

  it('join the groups of the testset: a group is all that a chain of labels and inputs reaches', () => {
    const labels = Int32Array.of(0, 0, 1, 2, unset, unset);
    const inputs = Int32Array.of(unset, 1, 1, unset, 4, 4);
    const [a, b, c, alone, d, e] = joinGroups(labels, inputs)!;
    expect([a, a, d]).toEqual([b, c, e]);
    expect(new Set([a, alone, d]).size).toBe(3);
  });

  // 60 facts as 300 independent testcases: the interval held the truth in 55 % of draws, and two equal systems differed in 37 %.
  it('keep their error rates where 60 questions are asked five times each, seeded', () => {
    const random = seededRandom(5);
    const unit = () => random() / 2 ** 32;
    const inputs = Array.from({ length: 300 }, (_, i) => i % 60);
    let [held, differ] = [0, 0];
    const draws = 500;
    for (let draw = 0; draw < draws; draw++) {
      const [one, other] = [0, 1].map(() => Array.from({ length: 60 }, () => unit() < 0.75));
      const runs = alignRuns([
        runOf(
          inputs,
          inputs.map((of) => one![of]!),
        ),
        runOf(
          inputs,
          inputs.map((of) => other![of]!),
          '2',
        ),
      ]);
      const [before, after] = runs.map((run) => testcasesOf(run, run.scores[0]!, 'pass'));
      const { interval } = summarizeTestcases(before!, boolean);
      if (interval && interval.low <= 0.75 && interval.high >= 0.75) held++;
      if (compareTestcases(before!, after!, boolean).verdict !== 'cannot tell') differ++;
    }
    expect(held / draws).toBeGreaterThan(0.93);
    expect(differ / draws).toBeLessThan(0.075);
  });
});

describe('summaries and comparisons of a testset that repeats its inputs', async () => {
  const { own } = await openApp();
  let projectId: string;
  let metric: { id: string; outputType: string };

  beforeAll(async () => {
    projectId = (await createProject(own.api)).id;
    metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
  });

  /** 100 testcases of 20 questions, in 5 topics. */
  const testcasesOfSet = async (groupingField: string | null) => {
    const testset = await createTestset(own.api, projectId, {
      fieldMapping: { inputs: ['question'], expected: [], metadata: ['topic'] },
    });
    await ok(own.api('PATCH', `/testsets/${testset.id}/settings`, { groupingField }));
    const items = Array.from({ length: 100 }, (_, i) => ({
      jsonData: { question: `q${i % 20}`, topic: `t${i % 5}` },
    }));
    const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    return made.items.map(({ id }: { id: string }) => id) as string[];
  };
  const evaluate = async (ids: string[], passes: (question: number) => boolean) => {
    const records = ids.map((testcaseId, i) => ({
      testcaseId,
      inputs: { question: `q${i % 20}` },
      scores: { [metric.id]: passes(i % 20) },
    }));
    return (await createRunOf(own.api, projectId, [metric], records)).run.id as string;
  };

  it('count each inputs once and say so, the sequential test too', async () => {
    const ids = await testcasesOfSet(null);
    const before = await evaluate(ids, (question) => question > 3);
    const after = await evaluate(ids, (question) => question !== 3);
    const { passRate } = (await ok(own.api('GET', `/runs/${before}/summary`))).metrics[0];
    expect(passRate).toMatchObject({ n: 20, numTestcases: 100, estimate: 0.8 });
    const sentence =
      'clustered by 20 distinct inputs: 100 testcases share them, and those with the same inputs count as one group';
    expect(passRate.caveats).toContainEqual({ code: 'repeatedInputs', sentence });
    const compare = async (query: string) =>
      (await ok(own.api('GET', `/runs/compare?runs=${before},${after}${query}`))).pairs[0].metrics[0];
    const fixed = await compare('');
    expect(fixed).toMatchObject({ method: 'paired cluster-robust t (CR2, Satterthwaite)', n: 100 });
    expect(fixed.warnings).toContain(sentence);
    const watched = await compare('&test=sequential');
    expect(watched).toMatchObject({ n: 20, wins: 3, losses: 0, watched: { eValue: expect.any(Number) } });
    expect(watched.warnings).toContain(`${sentence}: a test of a growing run takes its first testcase`);
  });

  it('leave a coarser field of the testset as it is', async () => {
    const ids = await testcasesOfSet('topic');
    const run = await evaluate(ids, (question) => question > 3);
    const { passRate } = (await ok(own.api('GET', `/runs/${run}/summary`))).metrics[0];
    expect(passRate.n).toBe(5);
  });

  it('that are near-duplicates have a warning with their number, unless a field groups them', async () => {
    const say = async (groupingField: string | null, words: (i: number) => string) => {
      const testset = await createTestset(own.api, projectId, {
        fieldMapping: { inputs: ['question'], expected: [], metadata: ['topic'] },
      });
      await ok(own.api('PATCH', `/testsets/${testset.id}/settings`, { groupingField }));
      const inputs = Array.from({ length: 40 }, (_, i) => ({ question: words(i) }));
      const items = inputs.map((input, i) => ({ jsonData: { ...input, topic: `t${i % 20}` } }));
      const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
      const records = made.items.map(({ id }: { id: string }, i: number) => ({
        testcaseId: id,
        inputs: inputs[i],
        scores: { [metric.id]: i % 3 > 0 },
      }));
      const runs = [0, 1].map(() => createRunOf(own.api, projectId, [metric], records));
      const [before, after] = (await Promise.all(runs)).map(({ run }) => run.id);
      const { passRate } = (await ok(own.api('GET', `/runs/${after}/summary`))).metrics[0];
      const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${before},${after}`));
      const found = [passRate, pairs[0].metrics[0]].map(({ caveats }) =>
        caveats.filter(({ code }: { code: string }) => code === 'nearDuplicates'),
      );
      expect(found[0]).toEqual(found[1]);
      return found[0].map(({ sentence }: { sentence: string }) => sentence);
    };
    const random = seededRandom(6);
    const texts = Array.from({ length: 40 }, () =>
      Array.from({ length: 12 }, () => random().toString(36).slice(0, 6)).join(' '),
    );
    const twice = (i: number) => `${texts[i % 20]}${i < 20 ? '?' : ', please'}`;
    expect(await say(null, (i) => texts[i]!)).toEqual([]);
    expect(await say(null, twice)).toEqual([expect.stringMatching(/^40 testcases of 40 nearly repeat/)]);
    expect(await say('topic', twice)).toEqual([]);
  });
});
