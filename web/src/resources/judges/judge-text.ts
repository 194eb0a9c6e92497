import type { RunSummary } from '../../types.ts';
import { countOf, sentenceOf } from '../../ui/format.ts';

type Judge = NonNullable<RunSummary['metrics'][number]['judge']>;

/** What people's labels show of a judge, in a few words. */
export const judgeShortText = ({ state, numLabels, sensitivity, specificity }: Judge): string => {
  if (state === 'notCalibrated') return 'Judge not validated yet';
  if (state === 'tooFewLabels') return `Judge checked on ${countOf(numLabels, 'label')}: too few`;
  if (state === 'noBetterThanChance') return 'Judge no better than chance';
  return `Judge: sensitivity ${sensitivity.estimate!.toFixed(2)}, specificity ${specificity.estimate!.toFixed(2)}`;
};

/** The same in a full sentence. */
export const judgeText = ({ sentence, abstained }: Judge): string => {
  const left = abstained > 0 ? ` It gave no verdict on ${countOf(abstained, 'labelled record')}.` : '';
  return `${sentenceOf(sentence)}${left} The intervals do not include its errors.`;
};
