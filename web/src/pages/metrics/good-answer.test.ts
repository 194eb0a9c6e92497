import { expect, it } from 'vitest';
import { nameOfRubric } from './good-answer.tsx';

it('a metric in the user’s own words has a name of these words', () => {
  expect(
    [
      'It names the next step with a date, and does not blame the customer.',
      'The answer is polite',
      'it',
      'No invented order number; no promise that the policy does not allow at all',
      'Ne donne jamais de conseil médical sans dire clairement de consulter un médecin',
      '返信は丁寧で、次の手順を示している。',
      `x${'y'.repeat(200)}`,
    ].map(nameOfRubric),
  ).toEqual([
    'Names the next step with a date',
    'Is polite',
    'It',
    'No invented order number',
    'Ne donne jamais de conseil médical sans dire',
    '返信は丁寧で',
    `X${'y'.repeat(47)}`,
  ]);
});
