import { valueOfScore } from '../../../../client/src/score-value.ts';
import type { Labels } from '../../types.ts';

/** The value fields of a score; one of them is given. */
export type ScoreFields = {
  binaryScore?: boolean;
  intScore?: number;
  floatScore?: number;
  categoryScore?: string;
  /** Verdicts on the criteria of a metric, from which the service computes the value. */
  criteria?: { id: string; met: boolean }[];
};

/** What decides whether a score passes. */
export type PassRule = { passingThreshold?: number | undefined; labels?: Labels | undefined };

/** Whether a score passes: a number reaches the threshold, a label is one of those that pass. */
export const passesBy = (score: ScoreFields, { passingThreshold, labels }: PassRule): boolean =>
  score.categoryScore === undefined
    ? Number(valueOfScore(score)) >= (passingThreshold ?? 1)
    : (labels?.passing.includes(score.categoryScore) ?? false);
