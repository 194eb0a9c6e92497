import { type Static, type TSchema, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';

const optional = Type.Optional;
const count = (description: string) => Type.Integer({ minimum: 0, description });
const nullable = <T extends TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });

/** What a proposal does to the score of a record. Each record has exactly one of these. */
const meanings = {
  passToFail: 'The score passes now; the proposed one fails.',
  failToPass: 'The score fails now; the proposed one passes.',
  valueOnly: 'The value differs; it passes or fails as before.',
  same: 'The value is the same.',
  newlyScored: 'There is no valid score now; the proposal has one.',
  unscored: 'The proposal could not be scored. The current score stays.',
  failed: 'The proposal failed. The current score stays.',
  givenMeanwhile: 'A person or a client has given a score since. It stays.',
  pending: 'The proposal is not made yet.',
} as const;
export type Change = keyof typeof meanings;
export const changes = Object.keys(meanings) as Change[];

/** Most records that a rescoring can name by their ids. */
const maxRecordIds = 10_000;
/** A person reviews a sample, and the estimate is measured on its records alone. */
const maxSample = 500;

const Sample = Type.Object(
  {
    size: Type.Integer({ minimum: 1, maximum: maxSample, description: 'Records that go first.' }),
    seed: Type.Integer({
      minimum: 0,
      maximum: 2 ** 32 - 1,
      description:
        'Records are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample.',
    }),
  },
  { additionalProperties: false },
);

export const RescoringCreate = Type.Object(
  {
    metricId: Type.String({ description: 'Metric of the run that code or a model scores.' }),
    metricConfigId: optional(
      Type.String({ description: 'Configuration of that metric to score with; default the current one.' }),
    ),
    recordIds: optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: maxRecordIds,
        uniqueItems: true,
        description: 'Records of the run to re-score; default all of them.',
      }),
    ),
    sample: optional(
      Type.Object(
        { size: Sample.properties.size, seed: optional({ ...Sample.properties.seed, default: 1 }) },
        {
          additionalProperties: false,
          description:
            'Re-score only this many records first, and estimate the rest. `extend` goes on with the other records; ' +
            'the sample is not scored twice.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type RescoringCreate = Static<typeof RescoringCreate>;

const Projection = Type.Object({
  estimate: Type.Number({
    description: 'The value if the remaining records are like those that were measured.',
  }),
  low: nullable(Type.Number(), 'Lower end of the 95 % prediction interval; null below two measured.'),
  high: nullable(Type.Number(), 'Upper end of it.'),
});

export const Rescoring = named(
  'Rescoring',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Id of the rescoring.' }),
      runId: Type.String({ description: 'Run whose records are re-scored.' }),
      metricId: Type.String({ description: 'Metric that scores.' }),
      metricConfigId: Type.String({
        format: 'uuid',
        description: 'Configuration of the metric that proposes.',
      }),
      wholeRun: Type.Boolean({
        description: 'Whether it covers every record of the run, or chosen ones.',
      }),
      sample: nullable(Sample, 'The records that went first; null when all began at once.'),
      status: Type.Union(
        ['running', 'sampled', 'ready', 'kept', 'discarded'].map((status) => Type.Literal(status)),
        {
          description:
            'running: proposals are being made. sampled: the sample is done, the other records wait for extend. ready: review, then ' +
            'keep or discard. kept: the proposals are the scores. discarded: no score has changed.',
        },
      ),
      stoppedBy: nullable(
        Type.Literal('judgeBudget'),
        'Why pending proposals are not made: the judge budget of the run is used up. Raise it to go on.',
      ),
      numRecords: count('Records of the rescoring: those with a proposal, and those that extend would add.'),
      numGiven: count(
        'Records left alone because a person or a client gave their score, or people are asked for it.',
      ),
      numProposals: count('Records with a proposal, made or pending.'),
      changes: Type.Object(
        Object.fromEntries(changes.map((change) => [change, count(meanings[change])])) as Record<
          Change,
          ReturnType<typeof count>
        >,
        { description: 'How many records the proposals change in each way. The sum is numProposals.' },
      ),
      spent: Type.Object(
        {
          costUsd: nullable(Type.Number(), 'Null when the cost of one is not known. Code costs 0.'),
          inputTokens: count('Tokens that the judge read, as far as it reports them.'),
          outputTokens: count('Tokens that the judge wrote, as far as it reports them.'),
        },
        { description: 'What the proposals cost so far. None reuses an earlier verdict.' },
      ),
      estimate: nullable(
        Type.Object({
          numRecords: count('Records without a proposal, which extend would add.'),
          numMeasured: count('Proposals that the estimate is measured on.'),
          costUsd: nullable(Projection, 'Null when the cost of one is not known. Code costs 0.'),
          inputTokens: nullable(Projection, 'Null when nothing is measured yet.'),
          outputTokens: nullable(Projection, 'Null when nothing is measured yet.'),
          seconds: nullable(
            Type.Number(),
            'Seconds of a judge within the limits of its provider, or of code in the sandbox of one process of the service. ' +
              'Null when nothing is measured yet.',
          ),
        }),
        'Estimate for the remaining records, measured on the proposals made; null when no record remains.',
      ),
      createdByUserId: Type.String({ description: 'Who began it.' }),
      createdAt: Type.String({ description: 'When it was begun.' }),
      endedByUserId: nullable(Type.String(), 'Who kept or discarded it.'),
      endedAt: nullable(Type.String(), 'When it was kept or discarded.'),
    },
    { description: 'New scores of a run by one metric, as proposals until they are kept.' },
  ),
);

const Side = (which: string) =>
  Type.Object(
    {
      metricConfigId: Type.String({ description: 'Configuration that scored.' }),
      state: Type.String({ description: 'pending, scored, unscored or failed.' }),
      passed: nullable(Type.Boolean(), 'Null without a valid value.'),
      score: nullable(FreeForm('The score.'), 'Null unless there is one.'),
      reason: nullable(Type.String(), `Why ${which} has no value.`),
    },
    { description: `${which[0]!.toUpperCase()}${which.slice(1)}.` },
  );

export const RescoringChange = named(
  'RescoringChange',
  Type.Object(
    {
      recordId: Type.String({ description: 'Id of the record.' }),
      change: Type.Union(
        changes.map((change) => Type.Literal(change)),
        { description: 'What the proposal does to the score.' },
      ),
      applied: nullable(
        Type.Boolean(),
        'Whether the proposal became the score; null until the rescoring is kept.',
      ),
      before: nullable(Side('the score'), 'The score now, or when it was kept; null where there is none.'),
      after: Side('the proposal'),
    },
    { description: 'One record of a rescoring: its score and the proposed one.' },
  ),
);

export const RescoringChangeQuery = Type.Object({
  ...pageQuery,
  change: optional(
    Type.Union(
      changes.map((change) => Type.Literal(change)),
      { description: 'Keeps records that change in this way.' },
    ),
  ),
});

/** Which rescoring of which run. */
export type RescoringKey = { runId: bigint; id: string };
