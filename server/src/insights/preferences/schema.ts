import { type Static, Type } from 'typebox';
import {
  count,
  Estimate,
  nullable,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { headToHead, RankingFit, ranked } from '../../engine/statistics/ranking-schema.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const optional = Type.Optional;
/** Most runs of a study, and most pairs. */
export const maxRuns = 8;
export const maxPairs = 10_000;

const modelName = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Model that compares, such as `openai/gpt-4.1-mini`.',
});
const budgetUsd = Type.Number({
  exclusiveMinimum: 0,
  description:
    'Budget of the model in US dollars. It stops there; only calls under way can exceed the budget. Default: no limit.',
});

export const PreferenceJudge = Type.Object(
  { modelName, budgetUsd: optional(budgetUsd) },
  { additionalProperties: false },
);
export type PreferenceJudge = Static<typeof PreferenceJudge>;

const name = Type.String({ maxLength: 256, description: 'Name of the study.' });
const criterion = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'What makes an output the better one. People and the model read it.',
});

export const PreferenceStudyCreate = Type.Object(
  {
    name: optional({ ...name, default: '' }),
    criterion,
    runIds: Type.Array(Type.String({ description: 'Id of a run.' }), {
      minItems: 2,
      maxItems: maxRuns,
      description: 'Runs of the project on the same testcases, each once.',
    }),
    numTestcases: optional(
      Type.Integer({
        minimum: 1,
        maximum: 5_000,
        default: 100,
        description: 'Number of testcases to draw from those that all runs answered.',
      }),
    ),
    judge: optional({
      ...PreferenceJudge,
      description: 'Model that compares the pairs too. Default: only people compare.',
    }),
  },
  { additionalProperties: false },
);
export type PreferenceStudyCreate = Static<typeof PreferenceStudyCreate>;

export const PreferenceEstimate = named(
  'PreferenceEstimate',
  Type.Object(
    {
      numTestcases: count('Number of testcases that would be drawn.'),
      numShared: count('Number of testcases that all runs answered, in the same revision.'),
      numPairs: count('Number of pairs of outputs.'),
      numRequests: count('Number of questions to the model: two for each pair.'),
      inputTokens: count('Estimated tokens sent.'),
      outputTokens: count('Estimated tokens received.'),
      costUsd: nullableNumber('Estimated cost in US dollars; null if the price of the model is unknown.'),
    },
    { description: 'Questions and cost of a study.' },
  ),
);

const JudgeProgress = Type.Object({
  modelName: text('Model that compares.'),
  budgetUsd: nullableNumber('Budget in US dollars; null without a limit.'),
  spentUsd: number('Cost so far in US dollars, as far as prices are known.'),
  scored: count('Pairs that it compared.'),
  pending: count('Pairs that it has yet to compare.'),
  unscored: count('Pairs on which it gave no verdict.'),
  failed: count('Pairs on which it could not be asked.'),
  stopped: Type.Boolean({ description: 'Whether it stopped at its budget.' }),
  lastError: nullableText('Most frequent reason why a pair has no verdict; null if all have one.'),
});

export const PreferenceStudy = named(
  'PreferenceStudy',
  Type.Object(
    {
      id: text('Id of the study.'),
      projectId: text('Project of the study.'),
      name,
      criterion,
      runIds: texts('Its runs.'),
      numTestcases: count('Number of testcases that were drawn.'),
      numPairs: count('Number of pairs of outputs.'),
      judge: nullable(JudgeProgress, 'The model that compares; null without one.'),
      people: Type.Object(
        {
          numPairs: count('Pairs that someone compared.'),
          numComparisons: count('Comparisons by people.'),
          numOwn: count('Comparisons by you.'),
        },
        { description: 'Progress of the comparisons by people.' },
      ),
      createdByUserId: text('Who started it.'),
      createdAt: text('When it was started.'),
    },
    { description: 'Outputs of several runs on the same testcases, compared two at a time.' },
  ),
);

export const NextPreference = named(
  'NextPreference',
  Type.Object(
    {
      pair: nullable(
        Type.Object({
          number: count('Number of the pair within the study.'),
          inputs: FreeForm('Inputs that both systems received.'),
          expected: FreeForm('Expected output; empty without one.'),
          left: FreeForm('The output on the left.'),
          right: FreeForm('The output on the right.'),
        }),
        'The next pair, without the names of its systems; null if you have compared all.',
      ),
      numOwn: count('Number of pairs that you have compared.'),
      numPairs: count('Number of pairs of the study.'),
    },
    { description: 'The next pair to compare. Sides are drawn for each pair and person.' },
  ),
);

const choices = ['left', 'right', 'tie'] as const;
export const PreferenceSubmit = Type.Object(
  {
    pairNumber: Type.Integer({ minimum: 1, description: 'Number of the pair.' }),
    choice: oneOf(choices, 'The better output, by the side on which you saw it, or `tie`.'),
    comment: optional(Type.String({ maxLength: 10_000, default: '', description: 'Reason for the choice.' })),
  },
  { additionalProperties: false },
);
export type PreferenceSubmit = Static<typeof PreferenceSubmit>;

const positions = {
  firstRunId: text('Id of the first run.'),
  secondRunId: text('Id of the second run.'),
};
const wholeRate = (description: string) => ref(Estimate, description);

const RankedRun = Type.Object({ runId: text('Id of the run.'), ...ranked });

const Ranking = Type.Object({
  method: text('Method of the ranking.'),
  level: number('Confidence level.'),
  numUnits: count('Number of testcases, or of groups of them, with a comparison.'),
  numComparisons: count('Number of pairs that were compared.'),
  runs: nullable(Type.Array(RankedRun), 'The runs, the most preferred one first; null without a ranking.'),
  reason: nullableText('Why there is no ranking.'),
  pairs: Type.Array(
    Type.Object({
      ...positions,
      ...headToHead,
    }),
    { description: 'One entry for each pair of runs.' },
  ),
  fit: nullable(
    RankingFit,
    'Whether the ranking describes its pairs; null with only two runs or too few comparisons.',
  ),
  warnings: texts('Warnings for the reader.'),
  ties: wholeRate('Share of pairs without a winner.'),
  position: wholeRate(
    'For the model the share of pairs on which its verdict followed the position, and counts as a tie. For people the share of decided comparisons in which the left one was preferred; without a bias 0.5.',
  ),
});

export const PreferenceResult = named(
  'PreferenceResult',
  Type.Object(
    {
      studyId: text('Id of the study.'),
      people: nullable(
        Ranking,
        'By people; the majority counts where several compared a pair. Null without one.',
      ),
      judge: nullable(Ranking, 'By the model; null without one.'),
      agreement: nullable(
        Type.Object({
          numPairs: count('Pairs that both people and the model compared.'),
          same: wholeRate('Share with the same verdict.'),
          ac1: wholeRate('Gwet’s AC1: agreement beyond chance.'),
          opposite: count('Pairs on which they preferred opposite outputs.'),
        }),
        'How far the model agrees with people; null if they compared no pair in common.',
      ),
    },
    { description: 'Which runs are preferred.' },
  ),
);

export const ComparisonsQuery = Type.Object({
  ...pageQuery,
  only: optional(
    Type.Literal('disagreements', {
      description:
        'Only pairs on which two people, or people and the model, differ. A tie differs from a preference. Default: all pairs.',
    }),
  ),
});

export const PreferenceComparison = named(
  'PreferenceComparison',
  Type.Object(
    {
      number: count('Number of the pair.'),
      ...positions,
      firstRecordId: text('Record of the first run.'),
      secondRecordId: text('Record of the second run.'),
      state: oneOf(
        ['unasked', 'pending', 'scored', 'unscored', 'failed'],
        "State of the model's verdict; `unasked` if the study has no model.",
      ),
      lastError: nullableText('Why the model gave no verdict.'),
      costUsd: number('Cost of the model in US dollars.'),
      votes: Type.Array(
        Type.Object({
          userId: nullableText('Who compared; null for the model.'),
          leftRunId: text('Run whose output was shown on the left, or first.'),
          preferredRunId: nullableText('Run that was preferred; null for a tie.'),
          ratings: nullable(
            Type.Array(Type.Integer()),
            'The model’s two ratings, from 1 (the first is clearly better) to 5 (the second is): as shown, then swapped. Null for people.',
          ),
          comment: text('Reason for the choice; empty if none was given.'),
          createdAt: text('When it was given.'),
        }),
        { description: 'Votes of people and of the model.' },
      ),
    },
    { description: 'A pair of outputs with its votes.' },
  ),
);
