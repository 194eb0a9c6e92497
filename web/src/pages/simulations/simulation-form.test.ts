import { expect, it } from 'vitest';
import { designOfSession } from './simulation-form.ts';

it('the user of a session begins with the same message, knows what comes next, and has room for it', () => {
  const turns = [
    { input: 'Where is my order? ', userId: 'ada' },
    // A turn without a text of the user, such as one of a tool.
    { input: null, userId: 'ada' },
    { input: 'And when does it come?', userId: 'ada' },
  ];
  const { personas, scenarios, maxTurns } = designOfSession('visit-42', turns);
  expect(personas).toMatchObject([{ name: 'ada' }]);
  expect(scenarios).toMatchObject([{ name: 'Session visit-42', opening: 'Where is my order?' }]);
  expect(scenarios[0]!.situation).toContain('\n1. Where is my order?\n2. And when does it come?');
  expect(maxTurns).toBe(4);
  // A long one is cut, within the turns that a simulation can have.
  const long = designOfSession(
    'long',
    Array.from({ length: 80 }, () => turns[0]!),
  );
  expect(long.scenarios[0]!.situation!.split('\n')).toHaveLength(31);
  expect(long.maxTurns).toBe(32);
  // A session that says nothing can still be filled in by hand.
  expect(designOfSession('empty', []).personas).toMatchObject([{ name: 'User of the session' }]);
});
