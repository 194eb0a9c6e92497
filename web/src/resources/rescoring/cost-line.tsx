import type { RunCostEstimate } from '../../types.ts';
import { countOf } from '../../ui/format.ts';
import { duration, tokens, usd } from './amounts.ts';

/** The estimated cost of the judges, and the basis of the estimate. */
export const CostLine = ({
  cost: { numRecords, costUsd, leavesOutFiles, metrics },
}: {
  cost: RunCostEstimate;
}) => {
  const judged = metrics.filter(({ basis }) => basis !== 'free');
  if (judged.length === 0) return <p className="text-soft">No model is called, so judging costs nothing.</p>;
  const sum = (of: (metric: (typeof judged)[number]) => number) =>
    judged.reduce((total, each) => total + of(each), 0);
  const measured = sum(({ numMeasured }) => numMeasured);
  const seconds = judged.every((each) => each.seconds !== null) ? sum((each) => each.seconds ?? 0) : null;
  return (
    <p className="text-soft">
      Judges, {countOf(numRecords, 'record')}: {costUsd !== null && '≈ '}
      <strong className="font-medium text-ink">{usd(costUsd)}</strong>, {costUsd === null && '≈ '}
      {tokens(sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens))}
      {seconds !== null && `, ${duration(seconds)}`}.{' '}
      {measured > 0
        ? `Measured on ${countOf(measured, 'verdict')}.`
        : 'Estimated from the length of the prompts.'}
      {leavesOutFiles && ' Images, PDF and audio are not in the estimate.'}
    </p>
  );
};
