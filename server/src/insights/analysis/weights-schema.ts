import { Type } from 'typebox';
import { count, nullable, number, text } from '../../engine/statistics/estimate-schema.ts';
import { named } from '../../platform/named-schema.ts';

/** Parameters of a weighted answer. */
export const weightParameters = {
  weightBy: Type.Optional(
    Type.String({
      pattern: '^metadata\\..+$',
      expects: 'metadata.<field>',
      description:
        'Numeric field of the testcase by which each testcase counts, such as `metadata.visits`. Testcases without a number above 0 are left out and counted. Not with `shares`.',
    }),
  ),
  shares: Type.Optional(
    Type.String({
      pattern: '^metadata\\.[^:]+:.+=.+$',
      expects: 'metadata.<field>:<value>=<share>,…',
      description:
        'Field of the testcase, and the share of each of its values in the traffic, such as `metadata.intent:refund=0.7,order=0.2,other=0.1`. The shares add up to 1. Testcases of other values are left out and counted. Not with `weightBy`.',
    }),
  ),
};

/** What the numbers of an answer are weighted by. */
export const WeightedBy = named(
  'WeightedBy',
  Type.Object(
    {
      field: text('Field of the testcase.'),
      shares: nullable(
        Type.Array(
          Type.Object({
            value: text('Value of the field.'),
            share: number('Its share of the traffic.'),
            numTestcases: count('Number of testcases with this value.'),
          }),
        ),
        'Shares of the values; null if the field is the weight.',
      ),
      numTestcases: count('Number of testcases with a weight.'),
      numLeftOut: count('Number of testcases that are left out, because they have no weight or share.'),
      sentence: text('The weighting in words.'),
    },
    {
      description:
        'What the numbers of an answer are weighted by. Counts of records and testcases are not weighted.',
    },
  ),
);
