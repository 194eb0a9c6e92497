import { type TSchema, Type } from 'typebox';
import { named, ref } from '../../platform/http/openapi.ts';

export const nullable = (type: TSchema, description: string) =>
  Type.Union([type, Type.Null()], { description });
export const number = (description: string) => Type.Number({ description });
export const count = (description: string) => Type.Integer({ description });
export const text = (description: string) => Type.String({ description });
export const nullableNumber = (description: string) => nullable(Type.Number(), description);
export const nullableText = (description: string) => nullable(Type.String(), description);
export const texts = (description: string) => Type.Array(Type.String(), { description });

/** How sure an answer is to be; every endpoint that gives an interval takes it. */
export const level = Type.Optional(
  Type.Number({
    minimum: 0.5,
    maximum: 0.999,
    default: 0.95,
    description: 'Confidence level of every interval.',
  }),
);

export const Interval = named(
  'Interval',
  Type.Object(
    { low: number('Lower end.'), high: number('Upper end.') },
    { description: 'A confidence interval.' },
  ),
);
export const nullableInterval = (description: string) => nullable(ref(Interval), description);

/** A number with its uncertainty. */
export const estimate = {
  method: text('Method of the interval.'),
  n: count('Independent units that the interval rests on: testcases, or groups of them.'),
  level: number('Confidence level.'),
  estimate: nullableNumber('Null when there is nothing to estimate from.'),
  standardError: nullableNumber('Standard error of the estimate.'),
  interval: nullableInterval('Null when the data is too little.'),
  reason: nullableText('Why there is no interval.'),
  assumption: text('What the interval takes for granted.'),
  warnings: texts('What to bear in mind.'),
};
export const Estimate = named(
  'Estimate',
  Type.Object(estimate, {
    description: 'A number with its uncertainty, or with the reason why it has none.',
  }),
);

export const states = Type.Object(
  {
    scored: count('Scores that are there and valid.'),
    pending: count('Scores that are still to come.'),
    unscored: count('Scores that could not be given, or do not fit the metric.'),
    failed: count('Scores whose judge failed.'),
  },
  {
    description: 'Records by what became of their score: a judge that failed is not a judge that said no.',
  },
);
