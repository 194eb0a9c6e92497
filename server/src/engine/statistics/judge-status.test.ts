import { expect, it } from 'vitest';
import { judgeStatus } from './judge-status.ts';

it('a judge that read none of the labelled records is not said to lack labels', () => {
  expect(judgeStatus([], 0, 0.95).sentence).toMatch(/^no person has scored/);
  expect(judgeStatus([], 60, 0.95)).toMatchObject({
    state: 'notCalibrated',
    sentence: 'the judge gave no verdict on the 60 records that people scored',
  });
});
