import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedRate } from '../../resources/judges/corrected-rate.tsx';
import type { RunSummary } from '../../types.ts';
import { countOf } from '../../ui/format.ts';

type MetricSummary = RunSummary['metrics'][number];
type Judge = NonNullable<MetricSummary['judge']>;

const shortText = ({ state, numLabels, sensitivity, specificity }: Judge): string => {
  if (state === 'notCalibrated') return 'Judge not checked by people';
  if (state === 'tooFewLabels') return `Judge checked on ${countOf(numLabels, 'label')}: too few`;
  if (state === 'noBetterThanChance') return 'Judge not shown to beat a coin';
  return `Judge: sensitivity ${sensitivity.estimate!.toFixed(2)}, specificity ${specificity.estimate!.toFixed(2)}`;
};

/**
 * The calibration of the model that judges: that the interval beside it leaves its errors out, the pass rate as people would judge it, and
 * a link to its page.
 */
export const JudgeKnown = ({
  metric,
  projectId,
  runId,
}: {
  metric: MetricSummary;
  projectId: string;
  runId: string;
}) => {
  const { judge, metricId, metricConfigId } = metric;
  if (!judge) return null;
  return (
    <span className="flex gap-x-2 text-xs leading-3 whitespace-nowrap">
      <TextLink
        {...paths.judge(projectId, metricId, { config: metricConfigId, run: runId })}
        title={judgeText(judge)}
      >
        {shortText(judge)}
      </TextLink>
      <CorrectedRate projectId={projectId} metricId={metricId} judge={judge} />
    </span>
  );
};

/** The same in a full sentence. */
export const judgeText = ({ sentence, abstained }: Judge): string => {
  const left = abstained > 0 ? ` It gave no verdict on ${countOf(abstained, 'labelled record')}.` : '';
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.${left} The intervals do not include its errors.`;
};
