import { TextLink } from '../links.tsx';
import { paths } from '../paths.ts';
import type { RunSummary } from '../types.ts';
import { countOf } from '../ui/format.ts';

type MetricSummary = RunSummary['metrics'][number];
type Judge = NonNullable<MetricSummary['judge']>;

const shortText = ({ state, labels, sensitivity, specificity }: Judge): string => {
  if (state === 'notCalibrated') return 'Judge not checked by people';
  if (state === 'tooFewLabels') return `Judge checked on ${countOf(labels, 'label')}: too few`;
  if (state === 'noBetterThanChance') return 'Judge not shown to beat a coin';
  return `Judge: sensitivity ${sensitivity.estimate!.toFixed(2)}, specificity ${specificity.estimate!.toFixed(2)}`;
};

/** What is known of the model that judges: that the interval beside it leaves its errors out, and where people score its records. */
export const JudgeKnown = ({ metric, projectId }: { metric: MetricSummary; projectId: string }) => {
  const { judge, metricId } = metric;
  if (!judge) return null;
  const to = judge.peopleMetricId
    ? paths.review(projectId, judge.peopleMetricId)
    : paths.metric(projectId, metricId);
  return (
    <span title={judgeText(judge)} className="block text-xs leading-3 whitespace-nowrap">
      <TextLink {...to}>{shortText(judge)}</TextLink>
    </span>
  );
};

/** The same in a full sentence. */
export const judgeText = ({ sentence, abstained }: Judge): string => {
  const left = abstained > 0 ? ` It gave no verdict on ${countOf(abstained, 'labelled record')}.` : '';
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.${left} The intervals do not include its errors.`;
};
