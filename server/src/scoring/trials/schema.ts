import { type Static, Type } from 'typebox';
import {
  count,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { Equivalence } from '../../engine/statistics/trial-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';

const optional = Type.Optional;

const margin = Type.Number({
  minimum: 0.005,
  maximum: 0.5,
  default: 0.05,
  description:
    'Largest difference that counts as none: of the share that the judge passes, among records that people pass and among those that they fail.',
});

const CandidateFields = Type.Object(
  {
    evalModelName: optional(Type.String({ minLength: 1, description: 'Model that judges.' })),
    promptTemplate: optional(Type.String({ minLength: 1, description: 'Prompt for the judge.' })),
    guidelines: optional(Type.String({ description: 'How to score.' })),
    temperature: optional(Type.Number({ minimum: 0, maximum: 2, description: 'Temperature of the judge.' })),
    judgeRepeats: optional(
      Type.Integer({ minimum: 1, maximum: 9, description: 'How often the judge is asked.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const TrialCreate = Type.Object(
  {
    candidates: Type.Array(CandidateFields, {
      minItems: 1,
      maxItems: 8,
      description: 'Candidates. What one leaves out stays as the metric has it.',
    }),
    margin: optional(margin),
    runIds: optional(
      Type.Array(Type.String(), {
        minItems: 2,
        maxItems: 10,
        uniqueItems: true,
        description:
          'Stored runs on which the candidates are tried too, at 100 testcases. Each is compared with the baseline of its last gate if that is listed, else with the first.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type TrialCreate = Static<typeof TrialCreate>;

export const AlignmentCreate = Type.Object(
  {
    rewriterModel: optional(
      Type.String({
        minLength: 1,
        description:
          'Model that rewrites the guidelines, which may be the judge itself. Without it only examples are tried.',
      }),
    ),
    examples: optional(
      Type.Integer({
        minimum: 1,
        maximum: 12,
        default: 4,
        description: 'Number of disagreements that one candidate shows as examples.',
      }),
    ),
    seed: optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        default: 1,
        description: 'Splits the labels by their inputs. A metric keeps the seed of its first alignment.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AlignmentCreate = Static<typeof AlignmentCreate>;

export const Adoption = Type.Object(
  {
    metricConfigId: Type.String({ description: 'Configuration of the candidate.' }),
    evenIfNotShown: optional(
      Type.Boolean({
        default: false,
        description: 'Whether to adopt a candidate that the trial does not show to be a successor.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Adoption = Static<typeof Adoption>;

export const TrialsQuery = Type.Object({
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      default: 5,
      description: 'Maximum number of trials, newest first.',
    }),
  ),
});

const decision = {
  verdict: text('better, worse or cannot tell.'),
  sentence: text('The verdict in words.'),
};

const Agreement = Type.Object(
  {
    n: count('Number of labelled records.'),
    before: nullableNumber('Share on which the judge in use agrees with people.'),
    now: nullableNumber('Share on which the candidate agrees with people.'),
    difference: nullableNumber('now minus before.'),
    interval: nullableInterval('Interval of the difference.'),
    reason: nullableText('Why there is no interval.'),
    p: nullableNumber('p of the difference.'),
    adjustedP: nullableNumber('p, adjusted by Holm for all candidates of the trial.'),
    minimumDetectable: nullableNumber('Smallest difference that so many labels can detect.'),
    ...decision,
  },
  { description: 'Whether a candidate agrees with people more often.' },
);

const Candidate = Type.Object({
  metricConfigId: text('Configuration of the candidate.'),
  how: Type.Union(
    ['model', 'examples', 'rewrite'].map((how) => Type.Literal(how)),
    {
      description:
        'How it was made. model: given in the request. examples: disagreements as examples. rewrite: guidelines that a model rewrote.',
    },
  ),
  evalModelName: text('Model that judges.'),
  temperature: number('Temperature.'),
  judgeRepeats: count('How often the judge is asked.'),
  promptTemplate: text('Prompt.'),
  guidelines: text('How to score.'),
  runId: text('Run with its verdicts.'),
  servedModels: texts('Models that answered, as named by their provider.'),
  pending: count('Number of verdicts still pending.'),
  costUsd: nullableNumber('Mean cost of a verdict in US dollars; null if one is unknown.'),
  latencyMs: nullableNumber('Mean duration of a verdict in milliseconds.'),
  equivalence: nullable(Equivalence, 'Comparison with the judge in use; null while verdicts are pending.'),
  agreement: nullable(Agreement, 'Comparison of the agreement with people; null while verdicts are pending.'),
  gates: Type.Array(
    Type.Object({
      baselineRunId: text('Run that is compared with.'),
      runId: text('Run that is compared.'),
      judge: Type.Object(decision, {
        description: 'Verdict by the judge in use, on the records of the trial.',
      }),
      candidate: Type.Object(decision, { description: 'Verdict by the candidate, on the same records.' }),
      changes: Type.Boolean({ description: 'Whether the verdicts differ.' }),
    }),
    { description: 'Comparisons of stored runs, by both judges.' },
  ),
});

export const JudgeTrial = named(
  'JudgeTrial',
  Type.Object(
    {
      number: count('Number of the trial, within its metric.'),
      kind: Type.Union([Type.Literal('succession'), Type.Literal('alignment')], {
        description:
          'succession: another judge that decides alike. alignment: a prompt that people agree with more.',
      }),
      metricConfigId: text('Configuration of the judge in use.'),
      evalModelName: text('Model of the judge in use.'),
      margin: number('Largest difference that counts as none.'),
      level: number('Confidence level.'),
      seed: nullableNumber(
        'Seed that split the labels of an alignment; null for a succession, which uses all.',
      ),
      runIds: texts('Stored runs on which the candidates were tried too.'),
      createdByUserId: text('User who started it.'),
      createdAt: text('When it was started.'),
      labels: Type.Object(
        {
          n: count('Number of labelled records that the result rests on.'),
          humanPasses: count('Number of them that people pass.'),
          forTuning: count('Number of labelled records for tuning. Nothing is claimed from them.'),
        },
        { description: 'Labels of the trial.' },
      ),
      costUsd: nullableNumber('Mean cost of a verdict of the judge in use.'),
      latencyMs: nullableNumber('Mean duration of its verdicts in milliseconds.'),
      candidates: Type.Array(Candidate, { description: 'Candidates, in the order of the request.' }),
      proposedConfigId: nullableText(
        'Configuration to adopt: of a succession the cheapest equivalent, of an alignment the best that is shown to be better.',
      ),
      sentence: text('The proposal in words.'),
      adopted: nullable(
        Type.Object({
          metricConfigId: text('Configuration that was adopted.'),
          byUserId: text('User who adopted it.'),
          at: text('When.'),
          equivalence: Equivalence,
        }),
        'The adopted candidate with what the trial found; null before.',
      ),
    },
    { description: 'Candidates for the place of a judge, tried on its pinned records.' },
  ),
);

export const JudgeTrials = named(
  'JudgeTrials',
  Type.Object({ data: Type.Array(ref(JudgeTrial), { description: 'Trials, newest first.' }) }),
);
