import { expect, it } from 'vitest';
import { type Pair, withScoresOnly } from './pair.ts';
import { notMeasured, verdictSentence } from './report-words.ts';

const dropped = { onlyBefore: 0, onlyAfter: 0, revised: 0, unscored: 0 };
const metric = (metricName: string, n: number, verdict: string) => ({
  metricId: metricName,
  metricName,
  n,
  reason: n === 0 ? 'no scores yet in either run' : null,
  conclusion: { verdict, basis: 'scores' },
  dropped: Object.fromEntries(Object.keys(dropped).map((each) => [each, { numTestcases: 0 }])),
  minimumDetectable: null,
  judge: null,
});
const pairOf = (...metrics: ReturnType<typeof metric>[]) =>
  withScoresOnly({ before: '1', after: '2', metrics, notCompared: [], usage: null } as unknown as Pair);
const titleOf = (id: string) => `Run ${id}`;

it('claims nothing about a metric without scores: the report names it among what was not measured', () => {
  const pair = pairOf(
    metric('Right', 40, 'better'),
    metric('Sent', 0, 'cannot tell'),
    metric('Short', 40, 'cannot tell'),
  );
  expect(verdictSentence(pair, titleOf)).toBe(
    'Run 2 is better on Right, compared with Run 1; no difference can be shown on Short.',
  );
  expect(notMeasured([pair], titleOf)[0]).toBe('Sent in Run 2: no scores yet in either run.');
  expect(verdictSentence(pairOf(metric('Sent', 0, 'cannot tell')), titleOf)).toBe(
    'Run 2 and Run 1 have no score in common.',
  );
});
