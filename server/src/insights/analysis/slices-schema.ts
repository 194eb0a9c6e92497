import { Type } from 'typebox';
import {
  count,
  Interval,
  nullableNumber,
  number,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/named-schema.ts';

const SliceLoss = Type.Object({
  field: text('Field of the testcases: `metadata.<field>` or `inputs.<field>`.'),
  value: text('Its value in this slice.'),
  n: count('Number of testcases of the slice that both runs have.'),
  before: number('Mean in the first run.'),
  after: number('Mean in the second run.'),
  difference: number('The second run minus the first.'),
  shrunk: number(
    'The difference, shrunk towards the mean of all slices of the field, because the worst of many slices is worst partly by chance.',
  ),
  shrunkInterval: ref(Interval, 'Interval of `shrunk` at `level`.'),
  p: number('p of a loss larger than in the rest, adjusted for all slices of all fields of this metric.'),
  named: Type.Boolean({
    description:
      'Whether the slice is shown to have lost more than the rest, among all metrics and pairs of the answer.',
  }),
});

export const SliceLosses = named(
  'SliceLosses',
  Type.Object(
    {
      fields: texts('Fields that divide the shared testcases into slices that can be tested.'),
      numSlices: count('Number of slices that were tested.'),
      p: nullableNumber('Smallest p of the slices; null without slices.'),
      adjustedP: nullableNumber('The same, adjusted by Holm for the metrics and pairs of the answer.'),
      sentence: text('What was found, in words.'),
      worst: Type.Array(SliceLoss, {
        description:
          'The worst slices, at most 5: first those that are named, the largest loss (`shrunk`) first; then those with the smallest p.',
      }),
    },
    { description: 'The slices of a testset that lost more than the rest.' },
  ),
);
