import type { Series } from '../../types.ts';
import { countOf } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';

/** Says what the charts do not show yet. */
export const Counted = ({ series: { countedUntil, numUncountedHours } }: { series: Series }) => {
  if (numUncountedHours > 0)
    return <span className="text-sm text-warn">{countOf(numUncountedHours, 'hour')} not counted yet</span>;
  if (countedUntil)
    return (
      <span className="text-sm text-soft">
        Counted <Time at={countedUntil} />
      </span>
    );
  return null;
};
