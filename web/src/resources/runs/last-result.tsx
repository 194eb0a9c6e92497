import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Interval } from '../../ui/interval.tsx';
import { Time } from '../../ui/time.tsx';
import { Shield } from '../judges/grade.tsx';
import { ofNewestRun, type Result } from './latest-results.ts';

/** Rates that a cell of a list has place for. */
const mostRates = 2;

type LastResultProps = {
  projectId: string;
  /** Results with the newest first; undefined while they are read. */
  results: readonly Result[] | undefined;
};

/** The newest run of a list's row, with its rates. */
export const LastResult = ({ projectId, results }: LastResultProps) => {
  if (!results) return <span className="skeleton block h-4 w-40" />;
  const newest = ofNewestRun(results);
  const [first] = newest;
  if (!first) return <span className="text-soft">No run yet</span>;
  const left = newest.length - mostRates;
  return (
    <div className="flex flex-col gap-0.5">
      {newest.slice(0, mostRates).map(({ metricId, metricName, passRate, judge }) => (
        <span key={metricId} className="flex items-center gap-2">
          <bdi className="max-w-40 truncate text-soft" title={metricName}>
            {metricName}
          </bdi>
          <Interval of={passRate} bar={false} />
          <Shield judge={judge} />
        </span>
      ))}
      <span className="text-sm text-soft">
        <QuietLink {...paths.run(projectId, first.runId)}>Run {first.runId}</QuietLink>,{' '}
        <Time at={first.createdAt} />
        {left > 0 && `, and ${left} more`}
      </span>
    </div>
  );
};
