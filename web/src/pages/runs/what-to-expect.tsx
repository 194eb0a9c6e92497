import { useQueries, useQuery } from '@tanstack/react-query';
import { costQuery } from '../../resources/rescoring/budget-field.tsx';
import { CostLine } from '../../resources/rescoring/cost-line.tsx';
import { planQuery } from '../../resources/runs/queries.ts';
import type { Metric } from '../../types.ts';
import { countOf, sentenceOf } from '../../ui/format.ts';

type Plan = { name: string; n: number; detectable: number };

/** The difference that a run can show at best, in words. No pass rates are more than 100 points apart. `why`: why none is known. */
const detectableText = (plans: readonly Plan[], why: string | undefined): string => {
  const [best] = plans.toSorted((a, b) => a.detectable - b.detectable);
  if (!best) return why ?? 'What it can show is known once an earlier run has scores.';
  const cases = countOf(best.n, 'testcase');
  if (best.detectable >= 1)
    return `With ${cases} it can show no difference to another version: read the answers.`;
  const named = plans.length > 1 ? ` in ${best.name}` : '';
  return `With ${cases} it can show differences above ${Math.round(100 * best.detectable)} points${named}.`;
};

type WhatToExpectProps = {
  projectId: string;
  testsetId: string;
  part: { snapshot?: number; split?: string };
  metrics: readonly Metric[];
  trials: number;
};

/** What the run can show, and what its judges cost. */
export const WhatToExpect = ({ projectId, testsetId, part, metrics, trials }: WhatToExpectProps) => {
  // The difference that is asked for does not change the one that can be shown.
  const plans = useQueries({
    queries: metrics.map(({ id: metricId }) =>
      planQuery(projectId, { metricId, testsetId, split: part.split, difference: 0.05, trials }),
    ),
  });
  const ids = metrics.map(({ id }) => id);
  const { data: cost } = useQuery(costQuery(projectId, testsetId, ids, part));
  if (metrics.length === 0 || plans.some(({ isPending }) => isPending)) return null;
  const known = plans.flatMap(({ data }, i) =>
    data && data.minimumDetectable !== null
      ? [{ name: metrics[i]!.name, n: data.n, detectable: data.minimumDetectable }]
      : [],
  );
  // Where earlier runs have scores, it is the testset that is too small.
  const tooSmall = plans.flatMap(({ data }) => (data?.basis && data.reason ? [data.reason] : []))[0];
  return (
    <div role="note" aria-label="What to expect" className="mt-2">
      <p className="text-soft">{detectableText(known, tooSmall && sentenceOf(tooSmall))}</p>
      {cost && <CostLine cost={cost} />}
    </div>
  );
};
