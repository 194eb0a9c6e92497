import { expect, it } from 'vitest';
import { ruleDeviations } from './deviations.ts';

const metrics = (margin: number, ...more: object[]) => ({
  metrics: [{ metric: 'Right', nonInferiority: { margin } }, ...more],
});

it('says which rule was changed after the registration, and whether it is easier to pass now', () => {
  expect(ruleDeviations(metrics(0.02), metrics(0.02))).toEqual([]);
  expect(ruleDeviations(metrics(0.02), metrics(0.05))).toEqual([
    'the rules were changed after the registration: metrics.Right.nonInferiority.margin was 0.02 and is 0.05; the margin is wider',
  ]);
  expect(ruleDeviations(metrics(0.02, { metric: 'Polite', atLeast: 0.9 }), metrics(0.02))).toEqual([
    'the rules were changed after the registration: metrics.Polite was {"metric":"Polite","atLeast":0.9} and is nothing; a rule is gone',
  ]);
  expect(ruleDeviations({ mayLack: 0 }, { mayLack: 10 })).toEqual([
    'the rules were changed after the registration: mayLack was 0 and is 10; more is allowed',
  ]);
});
