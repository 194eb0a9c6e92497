import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';

const optional = Type.Optional;
const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const TestcasesDraft = Type.Object(
  {
    description: optional(
      Type.String({ minLength: 1, maxLength: 10_000, description: 'Topic of the testcases.' }),
    ),
    recordIds: optional(
      Type.Array(Type.String({ description: 'Id of a record.' }), {
        maxItems: 20,
        description: 'Records of the project, such as failures, that new testcases should be like.',
      }),
    ),
    numTestcases: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Number of testcases.' }),
    modelName: optional(
      Type.String({ minLength: 1, description: 'Model that writes them; default the model of judges.' }),
    ),
  },
  { additionalProperties: false },
);
export type TestcasesDraft = Static<typeof TestcasesDraft>;

export const TestcaseDrafts = named(
  'TestcaseDrafts',
  Type.Object(
    {
      drafts: Type.Array(
        Type.Object({
          jsonData: FreeForm(
            'The testcase, to be sent to createTestcases once someone has read it. Its field `origin` is `generated`: name it as metadata of the testset, so that runs show the rate of these testcases apart.',
          ),
          similarTo: Type.Union([Type.String(), Type.Null()], {
            description:
              'Id of the testcase that it nearly repeats, or `draft 1` for an earlier draft; null if it repeats none.',
          }),
          similarity: Type.Number({
            description: 'Share of trigrams that it has in common with the most similar one, from 0 to 1.',
          }),
        }),
        { description: 'Drafts in the order of the model. Nothing is stored.' },
      ),
      numCompared: Type.Integer({ description: 'Number of testcases that the drafts were compared with.' }),
      modelName: Type.String({ description: 'Model that wrote them.' }),
      error: Type.Union([Type.String(), Type.Null()], {
        description: 'Why there are no drafts; null if the model answered.',
      }),
      inputTokens: nullableNumber('Input tokens of the call.'),
      outputTokens: nullableNumber('Output tokens of the call.'),
      costUsd: nullableNumber('Cost of the call in US dollars; null if unknown.'),
    },
    { description: 'Testcases that a model wrote, for review.' },
  ),
);
