import { type Static, Type } from 'typebox';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const optional = Type.Optional;

/** Source of the strata: exactly one of these. */
export const strataSources = ['tag', 'inputField', 'testcaseField', 'metricId'] as const;
export type StrataSource = (typeof strataSources)[number];

const text = { minLength: 1, maxLength: 256 };
const StratifyBy = Type.Object(
  {
    tag: optional(
      Type.String({ ...text, description: 'Two strata: records with this tag and records without it.' }),
    ),
    inputField: optional(
      Type.String({
        ...text,
        description:
          'One stratum for each value of this field of the inputs; a long value counts by its start.',
      }),
    ),
    testcaseField: optional(
      Type.String({
        ...text,
        description: "One stratum for each value of this field of the testcase's current data.",
      }),
    ),
    metricId: optional(
      Type.String({ description: 'Three strata by another metric: pass, fail, or no valid score yet.' }),
    ),
  },
  { additionalProperties: false, description: 'What defines the strata: one of the four.' },
);

const allocation = Type.Union([Type.Literal('proportional'), Type.Literal('equal')], {
  default: 'proportional',
  description:
    'How the sample is divided among the strata: in proportion to their records, or as equally as ' +
    'possible. Each gets at least one record.',
});
const seed = Type.Integer({
  minimum: 0,
  maximum: 2 ** 32 - 1,
  description:
    'Seed of the sample: the records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>".',
});

export const ReviewSampleCreate = Type.Object(
  {
    metricId: Type.String({
      description: 'Human metric whose queue is filled, with its current configuration.',
    }),
    size: optional(
      Type.Integer({
        minimum: 1,
        description: 'Number of records in the sample. Either this or share.',
      }),
    ),
    share: optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description: "Share of the run's records in the sample, rounded up. Either this or size.",
      }),
    ),
    seed: optional(seed),
    stratifyBy: optional(StratifyBy),
    allocation: optional(allocation),
  },
  { additionalProperties: false },
);
export type ReviewSampleCreate = Static<typeof ReviewSampleCreate>;
export type Allocation = NonNullable<ReviewSampleCreate['allocation']>;

const stratumValue = Type.Union([Type.String(), Type.Null()], {
  description: 'The tag, value or verdict; null for records without one and in a sample without strata.',
});
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ReviewSample = named(
  'ReviewSample',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the sample.' }),
      runId: Type.String({ description: 'Id of the run that it was drawn from.' }),
      metricId: Type.String({ description: 'Id of the metric.' }),
      metricConfigId: Type.String({ description: 'Configuration for which people score the records.' }),
      seed,
      stratifyBy: Type.Union([StratifyBy, Type.Null()], {
        description: 'What defines the strata; null without strata.',
      }),
      allocation,
      numRecords: count(
        'Number of records that could have been drawn: all records of the run when the sample was last filled.',
      ),
      numDrawn: count('Number of records in the sample.'),
      strata: Type.Array(
        Type.Object({
          value: stratumValue,
          wave: Type.Integer({
            minimum: 1,
            description:
              'Number of the wave. Records that arrive after a draw form separate strata, in wave 2 and later.',
          }),
          numRecords: count('Number of records of the stratum at its first draw.'),
          numDrawn: count('Number of its records in the sample.'),
          inclusionProbability: Type.Number({
            description: 'Probability that a record is drawn: numDrawn / numRecords.',
          }),
        }),
        {
          description:
            'Strata. All records of a stratum have the same probability. A sample without strata has one stratum for each wave.',
        },
      ),
      userId: Type.String({ description: 'Who first drew it.' }),
      createdAt: Type.String({ description: 'When it was first drawn.' }),
    },
    {
      description: "A random sample of a run's records for people to score.",
    },
  ),
);

export const SampledRecordQuery = Type.Object(pageQuery);
export const SampledRecord = named(
  'SampledRecord',
  Type.Object(
    {
      recordId: Type.String({ description: 'Id of the record.' }),
      stratum: stratumValue,
      wave: Type.Integer({ minimum: 1, description: 'Wave of its stratum.' }),
      inclusionProbability: Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description: 'Probability that the record is in the sample.',
      }),
      state: oneOf(['pending', 'scored', 'unscored', 'failed'], 'State of its score.'),
      value: Type.Union([Type.Number(), Type.Null()], {
        description:
          'Value of its score, with 1 for true and for a label that passes, and 0 for false and for another label; null without one.',
      }),
      label: Type.Union([Type.String(), Type.Null()], {
        description: 'Its label, for a category; null for other metrics and without a score.',
      }),
    },
    { description: 'A record of a sample.' },
  ),
);
