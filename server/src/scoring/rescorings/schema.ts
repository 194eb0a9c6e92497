import { type Static, type TSchema, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';

const optional = Type.Optional;
const count = (description: string) => Type.Integer({ minimum: 0, description });
const nullable = <T extends TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });

/** What a proposal does to the score of a record; each record is in one of these. */
const meanings = {
  passToFail: 'The score passes now; the proposed one fails.',
  failToPass: 'The score fails now; the proposed one passes.',
  valueOnly: 'The value differs; it passes or fails as before.',
  same: 'The value is the same.',
  newlyScored: 'There is no valid score now; there is one proposed.',
  unscored: 'The proposal could not be scored. The score that is there stays.',
  failed: 'The proposal failed. The score that is there stays.',
  givenMeanwhile: 'A person or a client has given a score since. It stays, whatever is proposed.',
  pending: 'The proposal is still to be made.',
} as const;
export type Change = keyof typeof meanings;
export const changes = Object.keys(meanings) as Change[];

/** Most records that a rescoring can be narrowed to by their ids. */
const maxRecordIds = 10_000;
/** A sample is looked at by a person; its records are the whole of what the estimate is measured on. */
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
        description: 'Records of the run to score anew; default all of them.',
      }),
    ),
    sample: optional(
      Type.Object(
        { size: Sample.properties.size, seed: optional({ ...Sample.properties.seed, default: 1 }) },
        {
          additionalProperties: false,
          description:
            'Score only so many records at first, and say what all of them would take. `extend` goes on with the others; ' +
            'what the sample has made is not made again.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type RescoringCreate = Static<typeof RescoringCreate>;

const Projection = Type.Object({
  estimate: Type.Number({ description: 'What it will be if the others are like those that were measured.' }),
  low: nullable(Type.Number(), 'Lower end of the 95 % prediction interval; null below two measured.'),
  high: nullable(Type.Number(), 'Upper end of it.'),
});

export const Rescoring = named(
  'Rescoring',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Id of the rescoring.' }),
      runId: Type.String({ description: 'Run whose records are scored anew.' }),
      metricId: Type.String({ description: 'Metric that scores.' }),
      metricConfigId: Type.String({ format: 'uuid', description: 'Its configuration that proposes.' }),
      wholeRun: Type.Boolean({
        description: 'Whether it is about every record of the run, or about chosen ones.',
      }),
      sample: nullable(Sample, 'The records that went first; null when all were begun at once.'),
      status: Type.Union(
        ['running', 'sampled', 'ready', 'kept', 'discarded'].map((status) => Type.Literal(status)),
        {
          description:
            'running: proposals are being made. sampled: the sample is there, the others wait for extend. ready: look, then keep ' +
            'or discard. kept: the proposals are the scores. discarded: nothing has changed.',
        },
      ),
      stoppedBy: nullable(
        Type.Literal('judgeBudget'),
        'Why proposals that are pending are not being made: the judge budget of the run is used up. Raise it to go on.',
      ),
      numRecords: count(
        'Records that it is about: those that have a proposal, and those that extend would add.',
      ),
      numGiven: count(
        'Records left alone because a person or a client gave their score, or people are asked for it.',
      ),
      numProposals: count('Records that have a proposal, made or pending.'),
      changes: Type.Object(
        Object.fromEntries(changes.map((change) => [change, count(meanings[change])])) as Record<
          Change,
          ReturnType<typeof count>
        >,
        { description: 'How many records the proposals change in which way. Their sum is numProposals.' },
      ),
      spent: Type.Object(
        {
          costUsd: nullable(Type.Number(), 'Null when the cost of one is not known. Code costs 0.'),
          inputTokens: count('Tokens that the judge read, as far as it said.'),
          outputTokens: count('Tokens that the judge wrote, as far as it said.'),
        },
        { description: 'What the proposals took so far. None is taken from an earlier verdict.' },
      ),
      estimate: nullable(
        Type.Object({
          numRecords: count('Records without a proposal, which extend would add.'),
          numMeasured: count('Proposals that the estimate rests on.'),
          costUsd: nullable(Projection, 'Null when the cost of one is not known. Code costs 0.'),
          inputTokens: nullable(Projection, 'Null when nothing is measured yet.'),
          outputTokens: nullable(Projection, 'Null when nothing is measured yet.'),
          seconds: nullable(
            Type.Number(),
            'Of a judge at the number of calls at a time and a minute that the provider allows, of code in the sandbox of one process of ' +
              'the service. Null when nothing is measured yet.',
          ),
        }),
        'What the rest will take, measured on the proposals that are there; null when nothing is left to begin.',
      ),
      createdByUserId: Type.String({ description: 'Who began it.' }),
      createdAt: Type.String({ description: 'When it was begun.' }),
      endedByUserId: nullable(Type.String(), 'Who kept or discarded it.'),
      endedAt: nullable(Type.String(), 'When it was kept or discarded.'),
    },
    { description: "A metric's scores in a run made anew, as proposals that count only once they are kept." },
  ),
);

const Side = (which: string) =>
  Type.Object(
    {
      metricConfigId: Type.String({ description: 'Configuration that gave it.' }),
      state: Type.String({ description: 'pending, scored, unscored or failed.' }),
      passed: nullable(Type.Boolean(), 'Null without a valid value.'),
      score: nullable(FreeForm('The score.'), 'Null unless it is there.'),
      reason: nullable(Type.String(), `Why ${which} is not there.`),
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
        'Whether the proposal has become the score; null until the rescoring is kept.',
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
