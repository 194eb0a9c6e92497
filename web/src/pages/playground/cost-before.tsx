import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { usd } from '../../resources/rescoring/amounts.ts';
import type { EstimateRunBody, Metric } from '../../types.ts';
import { countOf } from '../../ui/format.ts';
import { useRested } from '../../ui/rested.ts';
import { type Example, isComplete, systemOf, type Variant } from './variant.ts';

type CostBeforeProps = {
  projectId: string;
  testsetId: string;
  variants: readonly Variant[];
  examples: readonly Example[];
  metrics: readonly Metric[];
};

/** What the estimate is asked about a variant; undefined for one whose JSON does not parse. */
const bodyOf = (
  variant: Variant,
  { testsetId, examples, metrics }: Omit<CostBeforeProps, 'projectId' | 'variants'>,
): EstimateRunBody | undefined => {
  try {
    const { config, systemVersionId } = systemOf(variant);
    return {
      metricIds: metrics.map(({ id }) => id),
      ...(testsetId
        ? { testsetId, numRecords: examples.length }
        : { testcases: examples.map(({ inputs }) => inputs) }),
      ...(systemVersionId ? { systemVersionId } : { systemConfig: config! }),
    };
  } catch {
    return undefined;
  }
};

/** What all answers and their judges will cost about, before the first call. */
export const CostBefore = ({ projectId, variants, examples, ...asked }: CostBeforeProps) => {
  const isReady = examples.length > 0 && variants.every(isComplete);
  const bodies = useRested(isReady ? variants.map((variant) => bodyOf(variant, { ...asked, examples })) : []);
  const estimates = useQueries({
    queries: bodies.flatMap((body) =>
      body ? [{ ...apiQuery('estimateRun', projectId, body), staleTime: 60_000, retry: false }] : [],
    ),
  });
  if (!isReady || estimates.length === 0 || estimates.some(({ data }) => !data)) return null;
  const costs = estimates.flatMap(({ data }) => [data!.costUsd, data!.systemCostUsd]);
  const known = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  const numUnknown = estimates.filter(
    ({ data }) => data!.costUsd === null || data!.systemCostUsd === null,
  ).length;
  const answers = countOf(examples.length * variants.length, 'answer');
  if (known === 0 && numUnknown > 0) return <>The cost of {answers} is not known before. </>;
  return (
    <>
      About {usd(known)} for {answers}
      {numUnknown > 0 && `, without the unknown cost of ${countOf(numUnknown, 'variant')}`}.{' '}
    </>
  );
};
