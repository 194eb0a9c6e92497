import { type Static, Type } from 'typebox';
import { Estimate } from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/named-schema.ts';

export const ValueGroups = named(
  'ValueGroups',
  Type.Object(
    {
      by: Type.String({ description: 'What is grouped by.' }),
      n: Type.Integer({ description: 'Number of records, traces or runs that were counted.' }),
      partial: Type.Boolean({
        description:
          'Whether older ones were left out: only the `newest` are read. Each count is then of these.',
      }),
      numOthers: Type.Integer({
        description: 'Number with other values. One with several values, such as tags, counts once for each.',
      }),
      manyValues: Type.Boolean({
        description:
          'Whether those of one statement have more than 1,000 different values: then counts of rare values are too low.',
      }),
      groups: Type.Array(
        Type.Object({
          value: Type.Union([Type.String(), Type.Null()], {
            description:
              'The value, at most 200 characters; null for those without one. Values that differ only in case are one group where the search finds them together.',
          }),
          words: Type.Union([Type.String(), Type.Null()], {
            description: 'Filter of the search that finds the group; null if none does.',
          }),
          n: Type.Integer({ description: 'Number with the value.' }),
          passRate: Type.Union([ref(Estimate), Type.Null()], {
            description:
              'Pass rate of `rateOf` in the group, by the newest score of each record; null without `rateOf`. Records with the same inputs are one unit. The rate of a metric that scores spans is over the spans of the records.',
          }),
        }),
        { description: 'The groups, largest first.' },
      ),
    },
    { description: 'Number of records, traces or runs by the value of a field.' },
  ),
);
export type ValueGroups = Static<typeof ValueGroups.schema>;
