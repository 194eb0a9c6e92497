import { Type } from 'typebox';
import {
  count,
  nullableInterval,
  nullableNumber,
  text,
  warnings,
} from '../../engine/statistics/estimate-schema.ts';
import { named } from '../../platform/named-schema.ts';

const rise = (description: string) =>
  Type.Object(
    {
      n: count('Number of testcases for which both runs know it.'),
      before: nullableNumber('Mean in the first run; null if it is not known.'),
      after: nullableNumber('Mean in the second run.'),
      rise: nullableNumber('Rise as a share of the value before: 0.1 is 10 % more.'),
      interval: nullableInterval('Interval of `rise` at `level`.'),
      p: nullableNumber('Two-sided p of no change.'),
      sentence: text('The change in words.'),
      warnings,
    },
    { description },
  );

export const UsageRises = named(
  'UsageRises',
  Type.Object(
    {
      latencyMs: rise('Geometric mean of the latency of a record in milliseconds.'),
      tokens: rise('Input and output tokens of a record, without judges.'),
      costUsd: rise('Cost of a record in US dollars, without judges.'),
    },
    {
      description:
        'Rise of latency, tokens and cost from the first run to the second, on the shared testcases.',
    },
  ),
);
