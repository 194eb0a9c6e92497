import type { Metric } from '../../types.ts';
import type { ScoreFields } from './use-record-writes.ts';

export type Choice = { label: string; score: ScoreFields };

/** The scores that people can give with one click, by the kind of score. */
export const choices: Record<Metric['outputType'], Choice[]> = {
  boolean: [
    { label: 'Pass', score: { binaryScore: true } },
    { label: 'Fail', score: { binaryScore: false } },
  ],
  int: [1, 2, 3, 4, 5].map((n) => ({ label: String(n), score: { intScore: n } })),
  float: [0, 0.25, 0.5, 0.75, 1].map((n) => ({ label: String(n), score: { floatScore: n } })),
};
