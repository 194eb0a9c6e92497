import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedRate } from '../../resources/judges/corrected-rate.tsx';
import { GradeBadge } from '../../resources/judges/grade.tsx';
import type { RunSummary } from '../../types.ts';

/**
 * The calibration of the model that judges: that the interval beside it leaves its errors out, the pass rate as people would judge it, and
 * a link to its page.
 */
export const JudgeKnown = ({
  metric,
  projectId,
  runId,
}: {
  metric: RunSummary['metrics'][number];
  projectId: string;
  runId: string;
}) => {
  const { judge, metricId, metricConfigId } = metric;
  if (!judge) return null;
  return (
    <span className="flex gap-x-2 text-sm leading-3 whitespace-nowrap">
      <TextLink {...paths.judge(projectId, metricId, { config: metricConfigId, run: runId })}>
        <GradeBadge judge={judge} />
      </TextLink>
      <CorrectedRate projectId={projectId} metricId={metricId} judge={judge} />
    </span>
  );
};
