/** Ranking of systems by preference: the result of the engine and of the API. */
import { type Static, Type } from 'typebox';
import { ref } from '../../platform/named-schema.ts';
import {
  count,
  Estimate,
  Interval,
  nullable,
  nullableNumber,
  nullableText,
  number,
  text,
} from './estimate-schema.ts';

/** One of several systems. */
export const ranked = {
  winRate: number(
    'Probability of being preferred to another of the runs, with a tie as half; for three or more runs the mean over the others.',
  ),
  interval: ref(Interval, 'Its interval.'),
  strength: number('Logarithm of the strength of Bradley and Terry’s model; 0 is the mean of all runs.'),
  strengthInterval: ref(Interval, 'Its interval.'),
  rank: Type.Object(
    { best: count('Best place.'), worst: count('Worst place.') },
    { description: 'The places that the tests do not rule out.' },
  ),
};
const Ranked = Type.Object(ranked);
export type Ranked = Static<typeof Ranked>;

/** Two of the systems. */
export const headToHead = {
  wins: count('Pairs that the first won.'),
  ties: count('Pairs without a winner.'),
  losses: count('Pairs that the second won.'),
  winRate: ref(Estimate, 'Share of the pairs of these two runs that the first won. A tie counts as half.'),
  expected: nullable(
    Type.Object({ winRate: number('The probability.'), interval: ref(Interval) }),
    'Probability that the first is preferred to the second, by the ranking of all pairs. Its interval is not adjusted. Null without a ranking.',
  ),
  directP: nullableNumber(
    'Two-sided p of a `winRate` of 0.5, by the comparisons of these two alone, adjusted by Holm over all pairs of runs.',
  ),
  sentence: nullableText(
    'Contradiction between the ranking and the comparisons of these two runs alone, in words: only the comparisons show a difference, or they show the opposite order. Null without one.',
  ),
  adjustedP: nullableNumber('Two-sided p of equal strengths, adjusted by Holm over all pairs of runs.'),
  apart: Type.Boolean({
    description:
      'Whether the two runs are shown to differ: adjustedP decides. In a study of two runs, the interval of `expected` then excludes 0.5. In a study of more, the interval can exclude 0.5 although no difference is shown.',
  }),
};
const HeadToHead = Type.Object(headToHead);
export type HeadToHead = Static<typeof HeadToHead>;

/** Whether a ranking describes its pairs. */
export const RankingFit = Type.Object(
  {
    p: number('p of the test of the ranking against a separate probability for each pair.'),
    df: count('Degrees of freedom: pairs that met, beyond those that connect all runs.'),
    fits: Type.Boolean({ description: 'False if the test rejects the ranking at the confidence level.' }),
    sentence: text('The same in words.'),
  },
  { description: 'Test of fit: whether the strengths explain the results of the pairs.' },
);
export type RankingFit = Static<typeof RankingFit>;
