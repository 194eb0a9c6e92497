import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import type { Metric } from '../../types.ts';

/** Smallest number of changes in one direction that is significant: 2 · 0.5⁶ is below 0.05 (sign test). */
const fewestChanges = 6;

type WhatShowsProps = {
  projectId: string;
  id: string;
  metrics: readonly Metric[];
  n: number;
  variants: number;
};

/** Says what this many examples can show, before anyone reads a difference into them. */
export const WhatShows = ({ projectId, id, metrics, n, variants }: WhatShowsProps) => {
  const tests = Math.max(1, metrics.length * (variants - 1));
  const plans = useQueries({
    queries: metrics.map(({ id: metricId }) => ({
      ...apiQuery('planRun', projectId, { metricId, measure: 'pass', n, tests: Math.min(tests, 1000) }),
      enabled: n >= 2 && variants > 1,
      staleTime: 60_000,
    })),
  });
  const known = plans.flatMap(({ data }, i) =>
    data?.minimumDetectable ? [{ name: metrics[i]!.name, points: 100 * data.minimumDetectable }] : [],
  );
  const text = (() => {
    if (variants < 2) return 'A single variant cannot be compared. Read its outputs, or add a variant.';
    if (n < fewestChanges)
      return `${n === 1 ? 'One example shows' : `${n} examples show`} no difference between variants: read the outputs.`;
    const best = known.toSorted((a, b) => a.points - b.points)[0];
    if (!best)
      return `${n} examples can show a difference only if ${fewestChanges} or more change in the same direction.`;
    if (best.points >= 100) return `${n} examples can show no difference between variants in ${best.name}.`;
    return `${n} examples can only show differences above ${Math.round(best.points)} points${metrics.length > 1 ? `, in ${best.name}` : ''}.`;
  })();
  return (
    <p id={id} className="text-sm text-soft">
      {text}
    </p>
  );
};
