import { describe, expect, it } from 'vitest';
import { calibrate, sweepThresholds } from './calibration.ts';
import { compareRuns } from './compare.ts';
import { roganGladen } from './correction.ts';
import { judgeDrift } from './drift.ts';
import { krippendorffAlpha } from './krippendorff.ts';
import { forecast, runVariances } from './plan.ts';
import { predictionPowered } from './prediction-powered.ts';
import { gwetAc, pairAgreement } from './raters.ts';
import { summarizeRun } from './summary.ts';
import type { Observation } from './testcases.ts';

/** Where numbers are, by path, that are none: JSON would make null of them, without a reason. */
const notNumbers = (value: unknown, path = ''): string[] => {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value === 'string')
    return /NaN|undefined|Infinity|null/.test(value) ? [`${path}: ${value}`] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]) => notNumbers(part, `${path}/${key}`));
};

/** Everything that has an interval, by path: without one it says why. */
const silent = (value: unknown, path = ''): string[] => {
  if (value === null || typeof value !== 'object') return [];
  const own =
    'interval' in value && 'reason' in value && value.interval === null && !value.reason
      ? [`${path} says no reason`]
      : [];
  return [...own, ...Object.entries(value).flatMap(([key, part]) => silent(part, `${path}/${key}`))];
};

type Score = Observation['score'];
const samples: [name: string, scores: Score[]][] = [
  ['nothing', []],
  ['one pass', [1]],
  ['one fail', [0]],
  ['two alike', [1, 1]],
  ['two that differ', [0, 1]],
  ['all equal', Array<number>(40).fill(1)],
  ['one apart', [...Array<number>(39).fill(0), 1]],
  ['as many of each', Array.from({ length: 40 }, (_, i) => i % 2)],
  ['nothing but missing ones', ['pending', 'unscored', 'failed']],
  ['one score among missing ones', ['pending', 1, 'failed']],
];
const large: [name: string, scores: Score[]][] = [
  ['huge ones', Array.from({ length: 40 }, (_, i) => 1e150 * i)],
  ['tiny ones', Array.from({ length: 40 }, (_, i) => 1e-150 * i)],
  ['nearly equal ones', Array.from({ length: 40 }, (_, i) => 1e9 + i * 1e-6)],
  ['negative ones', Array.from({ length: 40 }, (_, i) => -i)],
];

const groupings: [name: string, group: (i: number) => string | null][] = [
  ['alone', () => null],
  ['one group', () => 'a'],
  ['two groups', (i) => `${i % 2}`],
  ['a group each', (i) => `${i}`],
];
const observe = (scores: Score[], group: (i: number) => string | null, trials: number): Observation[] =>
  scores.flatMap((score, testcase) =>
    Array.from({ length: trials }, () => ({ testcase, group: group(testcase), score })),
  );

const sound = (answer: unknown) => expect([...notNumbers(answer), ...silent(answer)]).toEqual([]);

describe('whatever the data, every number is one, and every interval that is missing has its reason', () => {
  for (const [groups, group] of groupings) {
    for (const trials of [1, 3]) {
      it.each([...samples, ...large])(`a run of %s, ${groups}, ${trials} trials`, (name, scores) => {
        const boolean = !large.some(([other]) => other === name);
        const run = observe(scores, group, trials);
        sound(
          summarizeRun(run, {
            boolean,
            bounds: boolean ? { low: 0, high: 1 } : { low: -1e300, high: 1e300 },
          }),
        );
        const variances = runVariances(run);
        sound(variances);
        sound(forecast(variances.n, variances, 0.05, { trials: 2 }));
      });
    }
    it(`two runs of each two of them, ${groups}`, () => {
      for (const [, before] of samples) {
        for (const [, after] of samples)
          sound(compareRuns(observe(before, group, 1), observe(after, group, 2), { boolean: true }));
      }
      for (const [, before] of large) {
        for (const [, after] of large)
          sound(compareRuns(observe(before, group, 1), observe(after, group, 1), { boolean: false }));
      }
    });
  }

  it('two runs that have nothing in common', () => {
    for (const [, before] of samples) {
      for (const [, after] of samples) {
        const moved = observe(after, () => null, 1).map((one) => ({
          ...one,
          testcase: `other ${one.testcase}`,
        }));
        sound(
          compareRuns(
            observe(before, () => null, 1),
            moved,
            { boolean: true },
          ),
        );
      }
    }
  });

  const labels: [judge: boolean, human: boolean][][] = [
    [],
    [[true, true]],
    [[true, false]],
    [
      [true, true],
      [false, false],
    ],
    [
      [true, false],
      [false, true],
    ],
    Array<[boolean, boolean]>(30).fill([true, true]),
    Array<[boolean, boolean]>(30).fill([false, true]),
  ];
  it.each(labels.map((pairs) => ({ pairs })))('a judge held against people: $pairs', ({ pairs }) => {
    const records = pairs.map(([judge, human], i) => ({ id: `${i}`, judge, human }));
    sound(calibrate(records));
    sound(sweepThresholds(records.map(({ judge, human }) => ({ judgeScore: Number(judge), human }))));
    sound(judgeDrift(records.map(({ id, judge, human }) => ({ id, human, before: human, after: judge }))));
    sound(judgeDrift(records.map(({ id, human }) => ({ id, human, before: human, after: null }))));
    const scores = records.map(({ judge, human }) => ({ judge: Number(judge), human: Number(human) }));
    sound(predictionPowered(scores, []));
    sound(predictionPowered(scores, scores));
    const errors = {
      humanPasses: pairs.length,
      judgePassed: 0,
      humanFails: pairs.length,
      judgeFailed: pairs.length,
    };
    for (const n of [0, 1, 10]) sound(roganGladen({ passes: Math.min(n, 1), n }, errors));
    const ratings = scores.map(({ judge, human }) => [judge, human, null]);
    for (const scale of ['nominal', 'ordinal', 'interval'] as const) sound(krippendorffAlpha(ratings, scale));
    sound(gwetAc(ratings, [0, 1]));
    sound(pairAgreement(ratings));
  });
});
