import { type Static, type TSchema, Type } from 'typebox';
import { FreeForm } from '../../../platform/http/openapi.ts';
import { pageQuery } from '../../../platform/http/pagination.ts';
import { named } from '../../../platform/named-schema.ts';
import { oneOf } from '../../../platform/one-of.ts';

const optional = Type.Optional;
const count = (description: string) => Type.Integer({ minimum: 0, description });
const nullable = <T extends TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });

/** Effect of a proposal on the score of a record. Each record has exactly one of these. */
const meanings = {
  passToFail: 'The score passes now; the proposed one fails.',
  failToPass: 'The score fails now; the proposed one passes.',
  valueOnly: 'The value differs; it passes or fails as before.',
  same: 'The value is the same.',
  newlyScored: 'There is no valid score now; the proposal has one.',
  unscored: 'The proposal could not be scored. The current score stays.',
  failed: 'The proposal failed. The current score stays.',
  givenSince: 'A person or a client has given a score since. It stays.',
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
    size: Type.Integer({ minimum: 1, maximum: maxSample, description: 'Number of records in the sample.' }),
    seed: Type.Integer({
      minimum: 0,
      maximum: 2 ** 32 - 1,
      description:
        'Seed of the sample. Records are drawn in the order of the SHA-256 of "<seed> <record id>", so the same seed gives the same sample.',
    }),
  },
  { additionalProperties: false },
);

export const RescoringCreate = Type.Object(
  {
    kind: Type.Literal('rescoring', {
      description: 'Scores a run again by one configuration and lists what would change.',
    }),
    runId: Type.String({ description: 'Run that the metric scores, by code or by a model.' }),
    metricConfigId: optional(
      Type.String({ description: 'Configuration of the metric to score with; default the current one.' }),
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
  low: nullable(
    Type.Number(),
    'Lower end of the 95 % prediction interval; null with fewer than two measured proposals.',
  ),
  high: nullable(Type.Number(), 'Upper end of the 95 % prediction interval.'),
});

export const Rescoring = named(
  'Rescoring',
  Type.Object(
    {
      number: count('Number of the trial, within its metric.'),
      metricId: Type.String({ description: 'Id of the metric.' }),
      kind: oneOf(['rescoring'], 'rescoring: scores the records of a run by a configuration.'),
      runId: Type.String({ description: 'Run whose records are re-scored.' }),
      metricConfigId: Type.String({
        description: 'Configuration by which the run was scored when the rescoring began.',
      }),
      proposedConfigId: Type.String({ description: 'Configuration that proposes.' }),
      wholeRun: Type.Boolean({
        description: 'Whether it covers every record of the run; if not, it covers chosen records.',
      }),
      sample: nullable(Sample, 'Sample that is re-scored first; null without one.'),
      state: oneOf(['running', 'sampled', 'ready', 'adopted', 'discarded'], {
        description:
          'running: proposals are being made. sampled: the sample is done, the other records wait for extend. ready: review, then ' +
          'adopt or discard. adopted: the proposals replaced the scores. discarded: no score has changed.',
      }),
      stoppedBy: nullable(
        Type.Literal('judgeBudget'),
        'Why pending proposals are not made: the judge budget of the run is used up. Raise it to continue.',
      ),
      numRecords: count('Number of records with a proposal, and of those that extend would add.'),
      numGiven: count(
        'Number of records left out because a person or a client gave their score, or people are asked for it.',
      ),
      numProposals: count('Number of records with a proposal, finished or pending.'),
      changes: Type.Object(
        Object.fromEntries(changes.map((change) => [change, count(meanings[change])])) as Record<
          Change,
          ReturnType<typeof count>
        >,
        { description: 'How many records the proposals change in each way. The sum is numProposals.' },
      ),
      spent: Type.Object(
        {
          costUsd: nullable(
            Type.Number(),
            'Cost in US dollars; null if that of one proposal is unknown. Code costs 0.',
          ),
          inputTokens: count('Tokens that the judge read, as far as it reports them.'),
          outputTokens: count('Tokens that the judge wrote, as far as it reports them.'),
        },
        { description: 'Cost of the proposals so far. Proposals do not reuse earlier verdicts.' },
      ),
      estimate: nullable(
        Type.Object({
          numRecords: count('Records without a proposal, which extend would add.'),
          numMeasured: count('Proposals that the estimate is measured on.'),
          costUsd: nullable(
            Projection,
            'Cost in US dollars; null if that of one measured proposal is unknown. Code costs 0.',
          ),
          inputTokens: nullable(
            Projection,
            'Tokens that the judge will read; null until something is measured.',
          ),
          outputTokens: nullable(
            Projection,
            'Tokens that the judge will write; null until something is measured.',
          ),
          seconds: nullable(
            Type.Number(),
            'Estimated duration in seconds: of a judge within the limits of its provider, of code in the sandbox of one process. ' +
              'Null until something is measured.',
          ),
        }),
        'Estimate for the remaining records, measured on the finished proposals; null when no record remains.',
      ),
      createdByUserId: Type.String({ description: 'User who started it.' }),
      createdAt: Type.String({ description: 'When it was started.' }),
      endedByUserId: nullable(Type.String(), 'User who adopted or discarded it.'),
      endedAt: nullable(Type.String(), 'When it was adopted or discarded.'),
    },
    { description: 'New scores of a run by one metric, as proposals until they are adopted.' },
  ),
);

const Side = (which: string) =>
  Type.Object(
    {
      metricConfigId: Type.String({ description: 'Configuration that scored.' }),
      state: Type.String({ description: 'pending, scored, unscored or failed.' }),
      passed: nullable(Type.Boolean(), 'Whether it passes; null without a valid value.'),
      score: nullable(FreeForm('The score.'), 'The score; null without one.'),
      reason: nullable(Type.String(), `Why ${which} has no value.`),
    },
    { description: `${which[0]!.toUpperCase()}${which.slice(1)}.` },
  );

export const TrialChange = named(
  'TrialChange',
  Type.Object(
    {
      recordId: Type.String({ description: 'Id of the record.' }),
      change: oneOf(changes, 'Effect of the proposal on the score.'),
      applied: nullable(
        Type.Boolean(),
        'Whether the proposal became the score; null until the rescoring is adopted.',
      ),
      people: nullable(Type.Boolean(), 'Whether people pass it; null in a rescoring.'),
      judgedRecordId: nullable(
        Type.String(),
        'Copy of the record that the candidate judged; null in a rescoring.',
      ),
      before: nullable(
        Side('the score'),
        'Current score; after adopt, the score that was replaced. In an alignment, the verdict of the saved prompt. Null without one.',
      ),
      after: Side('the proposal'),
    },
    {
      description:
        'One record of a trial: its score and the proposed one, or the verdicts of the saved and of the edited prompt.',
    },
  ),
);

export const TrialChangesQuery = Type.Object({
  ...pageQuery,
  change: optional(oneOf(changes, 'Only records that change in this way.')),
  disagreements: optional(
    Type.Boolean({
      default: false,
      description:
        'Only records on which people disagree with the saved or with the edited prompt. Not for rescorings.',
    }),
  ),
  metricConfigId: optional(
    Type.String({ description: 'Candidate of an alignment; default its first edited prompt.' }),
  ),
});

/** A rescoring, by the id of its trial, and its run. */
export type RescoringKey = { runId: bigint; id: string };
