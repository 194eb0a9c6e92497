import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { ValidationErrors } from '../testsets/schema.ts';
import { MadeBy, StatedMaker } from './made-by.ts';

const recordId = Type.String({ description: 'Id of the record.' });
const metricConfigId = Type.String({
  format: 'uuid',
  description: 'Configuration of the metric that gave the score.',
});
const value = FreeForm(
  'One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB.',
);

export const Score = named(
  'Score',
  Type.Object(
    {
      recordId,
      metricConfigId,
      score: value,
      validationErrors: Type.Optional(ValidationErrors),
      userId: Type.String({
        description: 'Member who gave the score; `background-job` for an automatic or a pending one.',
      }),
      madeBy: Type.Optional(
        oneOf(
          ['person', 'client', 'model'],
          'Who made it, if its sender said so or reviewers did: a person, a client or a model. `scoreStates` of the record has it for each score.',
        ),
      ),
    },
    { description: 'Score of a record by a metric.' },
  ),
);

export const ScoreUpsert = Type.Object({
  score: Type.Optional(value),
  userId: Type.Optional(
    Type.String({
      description:
        'Member who gave the score, with the score of a human metric only; default: the member of the key. It also counts as a review by this member.',
    }),
  ),
  madeBy: StatedMaker,
});
export type ScoreUpsert = Static<typeof ScoreUpsert>;

/** Existing scores of a new record. */
export const BroughtScores = Type.Optional(
  Type.Array(
    Type.Object({ metricConfigId, score: value, madeBy: StatedMaker }, { additionalProperties: false }),
    {
      maxItems: 50,
      description: 'Existing scores. They are stored with the record and not asked for again.',
    },
  ),
);

/** Most scores in one bulk call. */
const maxBulkScores = 1_000;

export const ScoresUpsert = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          recordId,
          metricConfigId,
          score: Type.Optional(value),
          reason: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 10_000,
              description: 'Why there is no score: the record is unscored. In place of score.',
            }),
          ),
          madeBy: StatedMaker,
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: maxBulkScores,
        description: `Scores of records of this run, or the reasons why they are missing, 1 to ${maxBulkScores}. All are stored or none.`,
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
      state: oneOf(
        ['pending', 'scored', 'unscored', 'failed'],
        'State of the score. Only a scored one has a value; a failed judge does not count as a no.',
      ),
      passed: Type.Union([Type.Boolean(), Type.Null()], {
        description: "Whether the value reaches the metric's threshold; null without a valid value.",
      }),
      score: Type.Union([value, Type.Null()], { description: 'The score; null without one.' }),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is unscored or failed.' }),
      validationErrors: Type.Optional(ValidationErrors),
      scoredByUserId: Type.Union([Type.String(), Type.Null()], {
        description: 'Id of the member who gave the score, in person or with a key.',
      }),
      madeBy: MadeBy,
      updatedAt: Type.String({ description: 'When the state last changed.' }),
    },
    { description: 'State and score of one metric on one record.' },
  ),
);
const scoreOrNull = Type.Union([value, Type.Null()], { description: 'The score; null without one.' });
const reason = Type.Union([Type.String(), Type.Null()], { description: 'Why it is unscored or failed.' });
const state = Type.String({ description: 'pending, scored, unscored or failed.' });
const scoredByUserId = Type.Union([Type.String(), Type.Null()], {
  description: 'Id of the member who gave the score, in person or with a key.',
});
const evidence = Type.Union([FreeForm('Evidence of the score.'), Type.Null()], {
  description:
    'Evidence of the score. For a model: the model asked and the model that answered, the prompt as sent, the raw reply, ' +
    'tokens, cost, latency and hash of the input (docs/judges.md). For code: what was cut from the trace ' +
    'and, on one record of each batch, the time per record.',
});

/** A verdict that was replaced. */
export const replaced = {
  metricConfigId,
  state,
  score: scoreOrNull,
  reason,
  scoredByUserId,
  madeBy: MadeBy,
  evidence,
  scoredAt: Type.String({ description: 'When it was given.' }),
  replacedAt: Type.String({ description: 'When it was replaced.' }),
};

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
        description: 'Error of the last attempt.',
      }),
      numAttempts: Type.Integer({ description: 'Number of attempts.' }),
      scoredByUserId,
      madeBy: MadeBy,
      evidence,
      updatedAt: Type.String({ description: 'When the state last changed.' }),
      history: Type.Array(Type.Object(replaced), { description: 'Replaced scores, newest first.' }),
    },
    { description: 'A score with everything known about its origin.' },
  ),
);

export const ScoreStates = Type.Array(ref(ScoreState), {
  description: 'State of every score of the record.',
});
