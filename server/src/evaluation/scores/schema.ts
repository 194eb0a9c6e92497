import { type Static, Type } from 'typebox';
import { FreeForm, named, ref } from '../../platform/http/openapi.ts';
import { ValidationErrors } from '../testsets/schema.ts';

const recordId = Type.String({ description: 'Id of the record.' });
const metricConfigId = Type.String({
  format: 'uuid',
  description: 'Configuration of the metric that gave the score.',
});
const value = FreeForm(
  'One of binaryScore, intScore, floatScore, and reasoning. All scores of a record have 100 MB at most.',
);

export const Score = named(
  'Score',
  Type.Object(
    { recordId, metricConfigId, score: value, validationErrors: Type.Optional(ValidationErrors) },
    { description: 'What a metric says of a record.' },
  ),
);

export const ScoreUpsert = Type.Object({ score: Type.Optional(value) });

/** Scores that a record brings along when it is made. */
export const BroughtScores = Type.Optional(
  Type.Array(Type.Object({ metricConfigId, score: value }, { additionalProperties: false }), {
    maxItems: 50,
    description:
      'Scores that are there already: they are stored with the record, and nobody is asked for them.',
  }),
);

/** Most scores in one bulk call. */
const maxBulkScores = 1_000;

export const ScoresUpsert = Type.Object(
  {
    items: Type.Array(
      Type.Object({ recordId, metricConfigId, score: value }, { additionalProperties: false }),
      {
        minItems: 1,
        maxItems: maxBulkScores,
        description: `Scores of records of this run, 1 to ${maxBulkScores}; all of them are stored or none.`,
      },
    ),
  },
  { additionalProperties: false },
);
export type ScoresUpsert = Static<typeof ScoresUpsert>;

export const ScoresUpserted = Type.Object({
  items: Type.Array(
    Type.Object({ recordId, metricConfigId, validationErrors: Type.Optional(ValidationErrors) }),
    { description: 'What was stored, in the order sent.' },
  ),
});

/** A score with its state, as a record's own answer lists it. */
export const ScoreState = named(
  'ScoreState',
  Type.Object(
    {
      metricId: Type.String({ description: 'Id of the metric.' }),
      metricName: Type.String({ description: 'Name of the metric.' }),
      metricConfigId,
      state: Type.Union(
        ['pending', 'scored', 'unscored', 'failed'].map((state) => Type.Literal(state)),
        { description: 'A judge that failed is not a judge that said no: only a scored one has a value.' },
      ),
      passed: Type.Union([Type.Boolean(), Type.Null()], {
        description: "Whether the value reaches the metric's threshold; null without a valid value.",
      }),
      score: Type.Union([value, Type.Null()], { description: 'The score; null unless it is there.' }),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is unscored or failed.' }),
      validationErrors: Type.Optional(ValidationErrors),
      scoredByUserId: Type.Union([Type.String(), Type.Null()], {
        description: 'Whose key or hand gave the score.',
      }),
      updatedAt: Type.String({ description: 'When the state last changed.' }),
    },
    { description: 'One metric on one record: where it stands and what it said.' },
  ),
);
const scoreOrNull = Type.Union([value, Type.Null()], { description: 'The score; null unless it is there.' });
const reason = Type.Union([Type.String(), Type.Null()], { description: 'Why it is unscored or failed.' });
const state = Type.String({ description: 'pending, scored, unscored or failed.' });
const scoredByUserId = Type.Union([Type.String(), Type.Null()], {
  description: 'Whose key or hand gave the score.',
});
const evidence = Type.Union([FreeForm('What went into a verdict and came out.'), Type.Null()], {
  description:
    "A model's verdict: model asked and answered, prompt as sent, raw reply, tokens, cost, latency, hash of the input; docs/judges.md. " +
    'Of code: what was cut of a trace; and with one record of those scored together how long each took.',
});

export const ScoreDetail = named(
  'ScoreDetail',
  Type.Object(
    {
      recordId,
      metricConfigId,
      state,
      score: scoreOrNull,
      reason,
      lastError: Type.Union([Type.String(), Type.Null()], {
        description: 'What went wrong at the last try.',
      }),
      attempts: Type.Integer({ description: 'Tries so far.' }),
      scoredByUserId,
      evidence,
      updatedAt: Type.String({ description: 'When the state last changed.' }),
      history: Type.Array(
        Type.Object({
          metricConfigId,
          state,
          score: scoreOrNull,
          reason,
          scoredByUserId,
          evidence,
          scoredAt: Type.String({ description: 'When it was given.' }),
          replacedAt: Type.String({ description: 'When another took its place.' }),
        }),
        { description: 'Verdicts that were replaced, newest first.' },
      ),
    },
    { description: 'One score with everything known about how it came to be.' },
  ),
);

export const ScoresRetry = Type.Object(
  {
    states: Type.Optional(
      Type.Array(
        Type.Unsafe<'failed' | 'unscored'>(Type.Union([Type.Literal('failed'), Type.Literal('unscored')])),
        {
          minItems: 1,
          description: 'Which to try again; without it both.',
        },
      ),
    ),
    metricId: Type.Optional(Type.String({ description: 'Only those of this metric.' })),
  },
  { additionalProperties: false },
);

export const ScoresChanged = Type.Object({
  changed: Type.Integer({ description: 'How many scores it concerned.' }),
});

export const ScoreStates = Type.Array(ref(ScoreState), {
  description: 'Every score of the record in any state.',
});
