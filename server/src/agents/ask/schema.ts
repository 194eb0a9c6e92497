import { type Static, Type } from 'typebox';

const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const ProjectQuestion = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 4_000, description: 'Question about the project.' }),
  },
  { additionalProperties: false },
);
export type ProjectQuestion = Static<typeof ProjectQuestion>;

export const ProjectAnswer = Type.Object({
  claims: Type.Array(
    Type.Object({
      text: Type.String({ description: 'The claim, in words.' }),
      runIds: Type.Array(Type.String(), { description: 'Runs that it rests on.' }),
      recordIds: Type.Array(Type.String(), { description: 'Records that it rests on.' }),
      n: nullableNumber('Number of testcases or records that it counts; null if it counts none.'),
    }),
    { description: 'The answer. Each claim rests on runs or records that the model has read.' },
  ),
  numLeftOut: Type.Integer({
    description:
      'Number of claims that are left out, because they name no run or record that the model has read.',
  }),
  steps: Type.Array(
    Type.Object({
      tool: Type.String({ description: 'Tool of the MCP server.' }),
      arguments: Type.String({ description: 'Its arguments as JSON.' }),
    }),
    { description: 'Calls of tools by the model, in order.' },
  ),
  modelName: Type.String({ description: 'Model that answered.' }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why there is no whole answer; null if there is one.',
  }),
  inputTokens: nullableNumber('Input tokens of all calls; null if one is unknown.'),
  outputTokens: nullableNumber('Output tokens of all calls; null if one is unknown.'),
  costUsd: nullableNumber('Cost of all calls in US dollars; null if one is unknown.'),
});
export type ProjectAnswer = Static<typeof ProjectAnswer>;
