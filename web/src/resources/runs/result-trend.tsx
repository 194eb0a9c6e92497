import { Line } from '../../ui/chart.tsx';
import { countOf } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { mostRuns, type Result } from './latest-results.ts';

type ResultTrendProps = {
  /** Results with the newest first; undefined while they are read. */
  results: readonly Result[] | undefined;
};

/** Runs that a cell has place for. */
const mostPoints = 12;

/** The latest pass rates of one metric on one testset, those of the newest run: others do not form one trend. */
const comparable = (results: readonly Result[]): Result[] => {
  const [newest] = results;
  return results
    .filter(({ metricId, testsetId }) => metricId === newest?.metricId && testsetId === newest.testsetId)
    .slice(0, mostPoints)
    .toReversed();
};

/** A small line of the latest rates of a list's row, oldest first. The axis is from 0 to 100 %. */
export const ResultTrend = ({ results }: ResultTrendProps) => {
  if (!results) return <span className="skeleton block h-4 w-16" />;
  const shown = comparable(results);
  const rates = shown.map(({ passRate }) => passRate.estimate!);
  if (rates.length < 2) return <span className="text-soft">–</span>;
  const { judge } = shown.at(-1)!;
  const says = `${shown[0]!.metricName} in the last ${rates.length} runs: ${rates.map(percentText).join(', ')}${judge ? `; judge: ${judge.trust}` : ''}`;
  return (
    <svg
      role="img"
      aria-label={says}
      viewBox="-2 -5 104 110"
      preserveAspectRatio="none"
      className="block h-5 w-16 border-b border-edge"
    >
      <title>{says}</title>
      <Line points={rates.map((rate, i) => ({ x: (100 * i) / (rates.length - 1), y: 100 * (1 - rate) }))} />
    </svg>
  );
};

/** In how many of the latest runs a list's row was used. */
export const UsedBy = ({ results }: ResultTrendProps) => {
  if (!results) return <span className="skeleton block h-4 w-12" />;
  const { size } = new Set(results.map(({ runId }) => runId));
  return (
    <span
      className={`whitespace-nowrap ${size === 0 ? 'text-soft' : ''}`}
      title={`Counted among the latest ${mostRuns} runs with scores`}
    >
      {size === 0 ? 'no run' : countOf(size, 'run')}
    </span>
  );
};
