/** Plan of a coming run, and the difference that it can detect: the result of the engine and of the API. */
import { type Static, Type } from 'typebox';
import { count, nullable, nullableNumber, nullableText, number, text } from './estimate-schema.ts';

export const forecast = {
  method: text('Formula of the plan.'),
  n: count('Number of testcases of the coming run.'),
  level: number('Confidence level.'),
  power: number('Power of the comparison.'),
  trials: count('Trials of each testcase.'),
  tests: count('Number of tests that are read together.'),
  baselineRuns: count('Runs of the baseline, whose scores count as trials of one.'),
  looks: Type.Array(Type.Integer(), {
    description: 'Numbers of testcases of the planned looks at n; compareRuns takes them as `looks`.',
  }),
  minimumDetectable: nullableNumber(
    'Smallest difference that n testcases can detect; null if it cannot be computed.',
  ),
  numNeeded: nullableNumber('Testcases needed to detect `difference`; null without one.'),
  neededLooks: nullable(Type.Array(Type.Integer()), 'The looks at as many; null without `difference`.'),
  groups: nullable(
    Type.Object({
      size: number('Testcases of a group; of unequal groups, Σm²/Σm of groups of m testcases.'),
      designEffect: number('How many times more the difference varies than that of independent testcases.'),
      numNeeded: nullableNumber('Groups needed to detect `difference`; null without one.'),
    }),
    'Groups of the coming run: those of its testset, else of the earlier run. Null if testcases are independent.',
  ),
  assumption: text('Assumption of the plan.'),
  reason: nullableText('Why there is no answer.'),
};
const Forecast = Type.Object(forecast);
export type Forecast = Static<typeof Forecast>;

/** How the scores of a run vary. */
export const runVariances = {
  method: text('How its variances were estimated.'),
  n: count('Number of its testcases.'),
  between: nullableNumber('Variance of the expected scores between testcases.'),
  within: nullableNumber('Variance of the scores within a testcase; null if no testcase has two trials.'),
  reason: nullableText('Why a variance is unknown.'),
};
const RunVariances = Type.Object(runVariances);
export type RunVariances = Static<typeof RunVariances>;
