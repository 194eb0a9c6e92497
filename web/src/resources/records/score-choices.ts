import type { Metric } from '../../types.ts';
import type { ScoreFields } from '../metrics/pass-rule.ts';

export type Choice = { label: string; score: ScoreFields };

/** The scores that people can give with one click, by the kind of score. */
const choices: Record<Exclude<Metric['outputType'], 'category'>, Choice[]> = {
  boolean: [
    { label: 'Pass', score: { binaryScore: true } },
    { label: 'Fail', score: { binaryScore: false } },
  ],
  int: [1, 2, 3, 4, 5].map((n) => ({ label: String(n), score: { intScore: n } })),
  float: [0, 0.25, 0.5, 0.75, 1].map((n) => ({ label: String(n), score: { floatScore: n } })),
};

/** With more labels than keys there is one list in place of buttons. */
export const mostButtons = 9;

/** The scores that people can give by a metric: of a category, its labels. */
export const choicesFor = ({ outputType, labels }: Pick<Metric, 'outputType' | 'labels'>): Choice[] =>
  outputType === 'category'
    ? (labels?.items ?? []).map((label) => ({ label, score: { categoryScore: label } }))
    : choices[outputType];
