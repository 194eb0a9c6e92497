import { type Static, type TSchema, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description });
const value = FreeForm('One of binaryScore, intScore, floatScore, and reasoning.');
const stateOf = <S extends string>(states: readonly S[]) =>
  Type.Unsafe<S>(
    Type.Union(
      states.map((state) => Type.Literal(state)),
      { description: 'Where it stands; only a scored one has a score.' },
    ),
  );

/** What both a score and one that was replaced say. */
const verdict = {
  score: nullable(value, 'The score; null unless it is there.'),
  reason: nullable(Type.String(), 'Why it is unscored or failed.'),
  scoredByUserId: nullable(Type.String(), 'Whose key or hand gave the score; null where a machine did.'),
  evidence: nullable(FreeForm('As it is stored.'), 'What went into the verdict and came out.'),
  scoredAt: time('When the state last changed.'),
};
const replaced = Type.Object(
  {
    metricConfigId: Type.String({
      format: 'uuid',
      description: 'Configuration that gave it: another of the metric, where a rescoring was kept.',
    }),
    state: stateOf(['scored', 'unscored', 'failed']),
    ...verdict,
    replacedAt: time('When another took its place.'),
  },
  { additionalProperties: false },
);
const review = Type.Object(
  {
    userId: Type.String({ description: 'Who gave it.' }),
    score: value,
    blind: Type.Boolean({ description: 'Whether they could not know what others had given.' }),
    stands: Type.Boolean({
      description: 'Whether it counts: false for one that was replaced or taken back.',
    }),
    undoneAt: nullable(time('When.'), 'When it was taken back.'),
    submittedAt: time('When it was given.'),
  },
  { additionalProperties: false },
);

const fields = {
  recordId: Type.String({ description: 'Id of the record.' }),
  metricConfigId: Type.String({
    format: 'uuid',
    description: 'Configuration of the metric that gave the score.',
  }),
  state: stateOf(['pending', 'scored', 'unscored', 'failed']),
  ...verdict,
  lastError: nullable(Type.String(), 'What went wrong at the last try.'),
  attempts: count('Tries so far.'),
  costUsd: nullable(Type.Number({ minimum: 0 }), 'What its tries cost, as far as it is known.'),
  inputTokens: nullable(count('Tokens.'), 'Tokens of what was asked.'),
  outputTokens: nullable(count('Tokens.'), 'Tokens of what was answered.'),
  history: Type.Array(replaced, {
    maxItems: 10_000,
    description:
      'Verdicts of its metric that were replaced, oldest first. Of several scores of a record by one metric the first has them.',
  }),
  reviews: Type.Array(review, {
    maxItems: 1_000,
    description:
      'What single reviewers say or said, oldest first. Of a score that is pending, those that the caller may see: all for an admin, ' +
      'else those of others only beside one of their own.',
  }),
};

export const ExportedScore = named(
  'ExportedScore',
  Type.Object(
    { metricId: Type.String({ description: 'Id of the metric.' }), ...fields },
    { description: 'A score with all that is known of it, for another place to store it.' },
  ),
);

const ImportedScore = Type.Object(fields, { additionalProperties: false });
export type ImportedScore = Static<typeof ImportedScore>;

/** Most scores in one import. */
const maxImportedScores = 1_000;

export const ScoresImport = Type.Object(
  {
    items: Type.Array(ImportedScore, {
      minItems: 1,
      maxItems: maxImportedScores,
      description: `The scores as exportScores gave them, with the ids that things have here, 1 to ${maxImportedScores}.`,
    }),
  },
  { additionalProperties: false },
);
export type ScoresImport = Static<typeof ScoresImport>;

export const ScoresImported = Type.Object({
  imported: Type.Integer({ description: 'How many scores were stored; those that were there already stay.' }),
});
