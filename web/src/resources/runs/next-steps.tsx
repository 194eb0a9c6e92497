import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import type { RunSummary } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';

type NextStepsProps = {
  projectId: string;
  runId: string;
  metrics: readonly RunSummary['metrics'][number][];
  /** Further steps. */
  children?: ReactNode;
};

/** What to do with a result: read the failures first, then score what waits for people, then ask what the judge's number rests on. */
export const NextSteps = ({ projectId, runId, metrics, children }: NextStepsProps) => {
  const unchecked = metrics.find(
    // People label records, so a judge of spans cannot be checked by labels.
    ({ evalType, judge, numSpans }) =>
      evalType === 'ai' && numSpans === undefined && judge?.state !== 'calibrated',
  );
  const queue = metrics.find(({ evalType, states }) => evalType === 'human' && states.pending > 0);
  const failures = Math.max(
    0,
    ...metrics.map(({ passRate: { estimate, n } }) => Math.round(n * (1 - (estimate ?? 1)))),
  );
  return (
    <div className="flex shrink-0 items-center gap-2 max-lg:flex-wrap">
      {failures > 0 && (
        <Link
          {...paths.records(projectId, { q: `run:${runId} result:fail` })}
          className={buttonClass('primary')}
        >
          {/* A record that fails two metrics is one record: their sum is not the number of records. */}
          Read the {metrics.length === 1 ? countOf(failures, 'failure') : 'failures'}
        </Link>
      )}
      {queue && (
        <Link
          {...paths.review(projectId, queue.metricId, undefined, runId)}
          className={buttonClass(failures > 0 ? 'plain' : 'primary')}
        >
          Score {countOf(queue.states.pending, 'answer')}
        </Link>
      )}
      {unchecked && (
        <Link {...paths.judge(projectId, unchecked.metricId)} className={buttonClass()}>
          Check the judge with 40 labels
        </Link>
      )}
      {children}
    </div>
  );
};
