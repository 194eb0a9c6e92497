import { type Static, Type } from 'typebox';

const content = Type.String({ description: 'What is said.' });

/** Clients send whatever their system adds to messages; a simulated user reads what is said in them. */
export const Simulation = Type.Object({
  testcaseId: Type.String({
    description: 'Testcase that the conversation is about; its fields fill the prompt.',
  }),
  messages: Type.Array(
    Type.Object({
      role: Type.String({
        description: 'user: the simulated user. assistant: the system under test. Others are not heard.',
      }),
      content: Type.Optional(
        Type.Union([content, Type.Null()], { description: 'What was said; empty in a tool call.' }),
      ),
    }),
    {
      maxItems: 1_000,
      description: 'The conversation so far, oldest first; empty when the user is to begin.',
    },
  ),
});
export type Simulation = Static<typeof Simulation>;

export const Simulated = Type.Object({
  messages: Type.Array(
    Type.Object({ role: Type.Literal('user', { description: 'The simulated user.' }), content }),
    { description: 'What the simulated user says next.' },
  ),
});
