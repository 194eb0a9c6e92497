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
      latencyMs: rise('Latency of a record in milliseconds: its typical (geometric) mean.'),
      tokens: rise('Input and output tokens of a record, without judges.'),
      costUsd: rise('Cost of a record in US dollars, without judges.'),
    },
    {
      description:
        'What the records of the second run need more than those of the first, on the shared testcases.',
    },
  ),
);
