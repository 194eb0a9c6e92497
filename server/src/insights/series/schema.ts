import { type Static, Type } from 'typebox';
import { verdicts } from '../../engine/statistics/comparison-schema.ts';
import {
  caveats,
  count,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  states,
  text,
} from '../../engine/statistics/estimate-schema.ts';
import { labelFields } from '../../evaluation/metrics/labels.ts';
import { evalTypes, outputTypes } from '../../evaluation/metrics/schema.ts';
import { named, ref } from '../../platform/named-schema.ts';

const optional = Type.Optional;

const buckets = ['hour', 'day', 'week'] as const;
export type Bucket = (typeof buckets)[number];
const dimensions = ['model', 'version', 'tag'] as const;
const sources = ['traces', 'runs'] as const;
const comparisons = ['buckets', 'groups'] as const;
const units = ['record', 'span'] as const;
export type SeriesUnit = (typeof units)[number];

const bucket = (description: string) => Type.Enum([...buckets], { description });
const time = (description: string) => optional(Type.String({ format: 'date-time', description }));

export const SeriesQuery = Type.Object({
  createdAfter: time('Start, rounded down to a whole bucket; default a week before the end.'),
  createdBefore: time('End; default now.'),
  bucket: optional(
    bucket(
      'Length of a bucket in UTC; weeks begin on Monday. Default hours up to 3 days, days up to 120, else weeks.',
    ),
  ),
  by: optional(Type.Enum([...dimensions], { description: 'Split by model, system version or tag.' })),
  source: optional(
    Type.Enum([...sources], {
      description: 'traces: only records that were made from traces. runs: only the others.',
    }),
  ),
  monitorId: optional(
    Type.String({ description: 'Only records that this monitor drew. Not together with `by`.' }),
  ),
  compare: optional(
    Type.Enum([...comparisons], {
      description:
        'Also test pass rates, with users as units. buckets: each bucket against the one before it, in each group; two weeks make one test. groups: each group of `by` against the first one, over the whole range.',
    }),
  ),
  level,
});
export type SeriesQuery = Static<typeof SeriesQuery>;

export const SeriesValue = named(
  'SeriesValue',
  Type.Object(
    {
      n: count('Number of records that it rests on; of spans for a metric with the `unit` span.'),
      estimate: nullableNumber('The value; null without records.'),
      interval: nullableInterval('Its confidence interval; null with too few records.'),
      caveats,
    },
    { description: 'A value over the records of a bucket, with its uncertainty.' },
  ),
);
export type SeriesValue = Static<typeof SeriesValue.schema>;
const value = (description: string) => ref(SeriesValue, description);

export const SeriesPoint = named(
  'SeriesPoint',
  Type.Object(
    {
      start: text('Start of the bucket.'),
      numRecords: count('Number of records that were created in the bucket.'),
      errors: value('Share of the measured records with a failed span.'),
      latency: Type.Object(
        {
          p50: value('Median latency in milliseconds.'),
          p95: value('95th percentile in milliseconds.'),
          p99: value('99th percentile in milliseconds.'),
        },
        { description: 'Percentiles of the latency in milliseconds, with an error of at most 2 %.' },
      ),
      tokens: Type.Object(
        {
          input: number('Sum of the input tokens.'),
          output: number('Sum of the output tokens.'),
          mean: value('Mean tokens of a record.'),
        },
        { description: 'Tokens.' },
      ),
      cost: Type.Object(
        { sum: number('Sum in US dollars.'), mean: value('Mean cost of a record.') },
        { description: 'Cost of the system, without judges.' },
      ),
      scores: Type.Array(
        Type.Object({
          metricConfigId: text('Configuration of the metric.'),
          states,
          passRate: value(
            'Share of the scored records that pass; for a metric that scores spans, share of the spans of these records, with the spans of a record as one unit of the interval.',
          ),
          mean: nullable(
            ref(SeriesValue),
            'Mean score, of records or spans as in `passRate`; null for a boolean and for a category.',
          ),
          labels: optional(
            Type.Array(
              Type.Object({
                label: text('The label.'),
                numScores: count('Number of scores with it.'),
                share: value(
                  'Its share of the scores. The interval has a higher level, so that those of all labels hold at once.',
                ),
              }),
              {
                description:
                  'Only for a category: the labels that were given most in the whole answer, at most 20, in the order of the metric.',
              },
            ),
          ),
        }),
        { description: 'Scores by configuration.' },
      ),
    },
    { description: 'The records of a bucket.' },
  ),
);
export type SeriesPoint = Static<typeof SeriesPoint.schema>;

export const SeriesChange = named(
  'SeriesChange',
  Type.Object(
    {
      metricConfigId: text('Configuration of the metric.'),
      group: nullableText('The group that both buckets are of; null with `compare=groups`.'),
      from: text('The earlier bucket by its start, or the first group by its label.'),
      to: text('The later bucket, or the other group.'),
      before: nullableNumber('Pass rate in `from`.'),
      after: nullableNumber('Pass rate in `to`.'),
      numBefore: count('Number of scores in `from`: of records, or of spans.'),
      numAfter: count('Number of scores in `to`.'),
      difference: nullableNumber('`after` − `before`.'),
      interval: nullableInterval(
        'Its confidence interval, with each user as one unit, and for spans each record without a user.',
      ),
      simultaneousInterval: nullableInterval(
        'Interval at `simultaneousLevel` (Bonferroni). Those of all changes of this answer hold together at `level`.',
      ),
      simultaneousLevel: number('1 − (1 − `level`) divided by `tests`.'),
      p: nullableNumber('Two-sided p of no change.'),
      adjustedP: nullableNumber(
        'p adjusted by Holm over all changes of this answer. The verdict rests on it.',
      ),
      tests: count('Number of changes that were tested together.'),
      verdict: Type.Enum([...verdicts], { description: 'Verdict on `to`.' }),
      sentence: text('The verdict in words.'),
      caveats,
    },
    { description: 'A change of a pass rate, with its test.' },
  ),
);
export type SeriesChange = Static<typeof SeriesChange.schema>;

export const Series = named(
  'Series',
  Type.Object(
    {
      start: text('Start of the first bucket.'),
      end: text('End of the series.'),
      bucket: bucket('Length of a bucket.'),
      level: number('Confidence level.'),
      countedUntil: nullableText(
        'Changes after this time may be missing; null if everything is counted. Hours with many records are counted every few minutes.',
      ),
      numUncountedHours: count(
        'Number of hours whose records are not in the series yet, for example after an upgrade.',
      ),
      metrics: Type.Array(
        Type.Object({
          metricId: text('Id of the metric.'),
          metricName: text('Name of the metric.'),
          evalType: Type.Enum([...evalTypes], { description: 'Who scores.' }),
          outputType: Type.Enum([...outputTypes], { description: 'Kind of score.' }),
          metricConfigId: text('Configuration.'),
          current: Type.Boolean({ description: 'Whether it is the current configuration.' }),
          labels: optional(labelFields.shown),
          unit: Type.Enum([...units], {
            description: 'What its rates and means count. Its `states` count records.',
          }),
        }),
        { description: 'Configurations that gave scores, by name of the metric, newest first.' },
      ),
      groups: Type.Array(
        Type.Object({
          value: nullableText(
            'The model, the id of the version, or the tag; null for records without one, or without `by`.',
          ),
          label: text('The value to show: for a version, its system and name.'),
          total: ref(SeriesPoint, 'All buckets together.'),
          points: Type.Array(ref(SeriesPoint), {
            description: 'Buckets that have records, oldest first.',
          }),
        }),
        { description: 'The groups with most records, at most 8; one without `by`.' },
      ),
      numOtherGroups: count('Number of groups that are left out.'),
      changes: optional(
        Type.Array(ref(SeriesChange), { description: 'Only with `compare`. Changes of pass rates.' }),
      ),
    },
    {
      description:
        'Latency, tokens, cost and scores of the records of a project over time. A record counts at its creation.',
    },
  ),
);
export type Series = Static<typeof Series.schema>;
