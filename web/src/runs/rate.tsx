import type { RunEstimate } from '../types.ts';
import { Interval, ShortInterval } from '../ui/interval.tsx';

type Estimate = Pick<RunEstimate, 'estimate' | 'interval' | 'n' | 'reason'>;

const propsOf = ({ estimate, interval, n, reason }: Estimate) => ({
  estimate,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
  n,
  reason,
});

/** A pass rate with its interval, drawn and written. */
export const PassRate = ({ rate }: { rate: Estimate }) => <Interval {...propsOf(rate)} />;
/** The same in a narrow column. */
export const ShortPassRate = ({ rate }: { rate: Estimate }) => <ShortInterval {...propsOf(rate)} />;

/** A mean score with its interval; nothing for metrics that have none. */
export const Mean = ({ mean }: { mean: Estimate | null }) => {
  if (!mean) return null;
  if (mean.estimate === null) return <span className="text-soft">N/A</span>;
  return (
    <span className="whitespace-nowrap">
      <span className="font-medium">{mean.estimate.toFixed(2)}</span>{' '}
      <span className="text-sm text-soft">
        {mean.interval && `${mean.interval.low.toFixed(2)}–${mean.interval.high.toFixed(2)}, `}n = {mean.n}
      </span>
    </span>
  );
};
