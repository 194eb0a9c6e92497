import { type Static, Type } from 'typebox';
import { named } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';

const optional = Type.Optional;

/** What strata are made of: exactly one of these. */
export const strataSources = ['tag', 'inputField', 'testcaseField', 'metricId'] as const;
export type StrataSource = (typeof strataSources)[number];

const text = { minLength: 1, maxLength: 256 };
const StratifyBy = Type.Object(
  {
    tag: optional(
      Type.String({ ...text, description: 'Records that carry this tag, and those that do not.' }),
    ),
    inputField: optional(
      Type.String({
        ...text,
        description: 'Each value of this field of the inputs (of a long one the start).',
      }),
    ),
    testcaseField: optional(
      Type.String({ ...text, description: "Each value of this field of the testcase's data as it is now." }),
    ),
    metricId: optional(
      Type.String({ description: 'What this other metric says: pass, fail, or no valid score yet.' }),
    ),
  },
  { additionalProperties: false, description: 'One of the four: what the strata are made of.' },
);

const allocation = Type.Union([Type.Literal('proportional'), Type.Literal('equal')], {
  default: 'proportional',
  description:
    'How the sample is shared among strata: in proportion to their records, or as equally as they allow. Each gets at least ' +
    'one record.',
});
const seed = Type.Integer({
  minimum: 0,
  maximum: 2 ** 32 - 1,
  description:
    'Records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample.',
});

export const ReviewSampleCreate = Type.Object(
  {
    metricId: Type.String({
      description: 'The human metric whose queue is filled, with its configuration now.',
    }),
    size: optional(
      Type.Integer({
        minimum: 1,
        description: 'Records in the sample when it is drawn. Either this or share.',
      }),
    ),
    share: optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description:
          "Share of the run's records in the sample when it is drawn, rounded up. Either this or size.",
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
  description:
    'The tag, the value or the verdict; null for records without it, and in a sample without strata.',
});
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ReviewSample = named(
  'ReviewSample',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the sample.' }),
      runId: Type.String({ description: 'Id of the run that it is drawn from.' }),
      metricId: Type.String({ description: 'Id of the metric.' }),
      metricConfigId: Type.String({ description: 'Configuration that the records are scored for.' }),
      seed,
      stratifyBy: Type.Union([StratifyBy, Type.Null()], { description: 'Null without strata.' }),
      allocation,
      numRecords: count('Records that could have been drawn: those of the run when it was last filled.'),
      numDrawn: count('Records in the sample.'),
      strata: Type.Array(
        Type.Object({
          value: stratumValue,
          wave: Type.Integer({
            minimum: 1,
            description:
              'Records that came to the run after the first draw form strata of their own: wave 2 and on.',
          }),
          numRecords: count('Records of the stratum when it was first drawn from.'),
          numDrawn: count('How many of them are in the sample.'),
          inclusionProbability: Type.Number({
            description: 'Chance that each of them had: numDrawn / numRecords.',
          }),
        }),
        {
          description:
            'Every record of a stratum has the same chance. A sample without strata has one a wave.',
        },
      ),
      userId: Type.String({ description: 'Who drew it first.' }),
      createdAt: Type.String({ description: 'When it was drawn first.' }),
    },
    {
      description:
        "A random sample of a run's records for people to score, with the chance that each record had.",
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
        description: 'Chance that the record had to be in the sample, as it is now.',
      }),
      state: Type.Union(
        ['pending', 'scored', 'unscored', 'failed'].map((state) => Type.Literal(state)),
        { description: 'State of its score.' },
      ),
      value: Type.Union([Type.Number(), Type.Null()], {
        description: 'Value of its score, true as 1 and false as 0; null while there is none.',
      }),
    },
    { description: 'A record of a sample.' },
  ),
);
