import type { Rescoring } from '../../client/src/main.ts';
import { countOf, inThousands } from './figures.ts';

const dollars = (value: number): string =>
  `$${value > 0 && value < 1 ? value.toPrecision(2) : value.toFixed(2)}`;
const count = (value: number): string => inThousands(Math.round(value));

const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
};

type Estimate = NonNullable<Rescoring['estimate']>;

const about = (projected: Estimate['costUsd'], write: (value: number) => string): string => {
  if (projected === null) return 'unknown';
  const { estimate, low, high } = projected;
  if (estimate === 0 || low === null || high === null) return write(estimate);
  return `${write(estimate)} (${write(low)} … ${write(high)})`;
};

const words = {
  passToFail: 'pass → fail',
  failToPass: 'fail → pass',
  valueOnly: 'other value, same verdict',
  same: 'unchanged',
  newlyScored: 'had no score',
  unscored: 'unscored (current score stays)',
  failed: 'failed (current score stays)',
  givenSince: 'given by a person or a client during the rescoring (that score stays)',
  pending: 'pending',
} satisfies Record<keyof Rescoring['changes'], string>;

/** Returns the number of records for each kind of change. Kinds without records are left out, except the two flips. */
export const changesText = ({ numProposals, numRecords, changes }: Rescoring): string => {
  const parts = (Object.keys(words) as (keyof typeof words)[])
    .filter((change) => changes[change] > 0 || change === 'passToFail' || change === 'failToPass')
    .map((change) => `${count(changes[change])} ${words[change]}`);
  return `${count(numProposals)} of ${countOf(numRecords, 'record')} re-scored: ${parts.join(', ')}.`;
};

/** Returns the cost of a sample and the estimate for the other records. */
export const costText = ({ spent, estimate }: Rescoring): string => {
  const soFar = `So far: ${spent.costUsd === null ? 'unknown cost (the model has no price)' : dollars(spent.costUsd)}`;
  if (!estimate) return `${soFar}.`;
  const { numRecords, numMeasured, costUsd, inputTokens, outputTokens, seconds } = estimate;
  const rest = [
    `cost ${about(costUsd, dollars)}`,
    `input tokens ${about(inputTokens, count)}`,
    `output tokens ${about(outputTokens, count)}`,
    ...(seconds === null ? [] : [`about ${duration(seconds)}`]),
  ];
  return `${soFar}. Estimate for the other ${countOf(numRecords, 'record')}, from ${count(numMeasured)} measured: ${rest.join(', ')}.`;
};
