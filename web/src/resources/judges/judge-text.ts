import type { RunSummary } from '../../types.ts';
import { countOf, sentenceOf } from '../../ui/format.ts';

type Judge = Omit<NonNullable<RunSummary['metrics'][number]['judge']>, 'correctedRate'>;

/** What people's labels show of a judge, in a full sentence. */
export const judgeText = ({ sentence, abstained }: Judge): string => {
  const left = abstained > 0 ? ` It gave no verdict on ${countOf(abstained, 'labelled record')}.` : '';
  return `${sentenceOf(sentence)}${left} The intervals do not include its errors.`;
};
