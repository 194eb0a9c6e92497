import { type Static, Type } from 'typebox';

const content = Type.String({ description: 'The text of the message.' });

/** Clients may send other fields of messages; the simulated user reads role and content. */
export const Simulation = Type.Object({
  testcaseId: Type.String({
    description: 'Testcase of the conversation; its fields fill the prompt.',
  }),
  messages: Type.Array(
    Type.Object({
      role: Type.String({
        description: 'user: the simulated user. assistant: the system under test. Other roles are ignored.',
      }),
      content: Type.Optional(
        Type.Union([content, Type.Null()], { description: 'The text of the message; empty in a tool call.' }),
      ),
    }),
    {
      maxItems: 1_000,
      description: 'The conversation so far, oldest first; empty when the user begins.',
    },
  ),
});
export type Simulation = Static<typeof Simulation>;

export const Simulated = Type.Object({
  messages: Type.Array(
    Type.Object({ role: Type.Literal('user', { description: 'The simulated user.' }), content }),
    { description: 'Next message of the simulated user.' },
  ),
});
