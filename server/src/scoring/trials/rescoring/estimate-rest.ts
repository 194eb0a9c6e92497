import { type ProviderConfig, resolveModel } from '../../../engine/models/provider.ts';
import { tInterval } from '../../../engine/statistics/intervals.ts';
import { codeSeconds, secondsAt } from '../../budgets/durations.ts';
import type { Measured, RescoringRow } from './queries.ts';

/**
 * Projects the sum over `remaining` records from the mean and standard deviation of `n`. A prediction interval, because the remaining
 * records vary too, not only the measured mean.
 */
export const project = (mean: number, deviation: number | null, n: number, remaining: number) => {
  const estimate = mean * remaining;
  if (n < 2 || deviation === null) return { estimate, low: null, high: null };
  const standardError = deviation * Math.sqrt(remaining + (remaining * remaining) / n);
  const { low, high } = tInterval(estimate, standardError, n - 1, 0.95);
  return { estimate, low: Math.max(0, low), high };
};

/** The organization's providers, and the processes of this service's sandbox. */
export type Scorers = { providers: ProviderConfig[]; codeProcesses: number };

const secondsOf = (measured: Measured, { providers, codeProcesses }: Scorers): number | null => {
  const { remaining, evalModelName, judgeRepeats, latencyMs } = measured;
  if (latencyMs === null) return null;
  if (evalModelName === null) return codeSeconds(remaining, latencyMs, codeProcesses);
  const model = resolveModel(evalModelName, providers);
  if ('error' in model) return null;
  const requests = remaining * judgeRepeats;
  return secondsAt(model.provider, { judgements: remaining, requests, latencyMs });
};

const estimateOf = (measured: Measured, scorers: Scorers) => {
  const { lane, remaining } = measured;
  const n = measured.numMeasured ?? 0;
  const projected = (mean: number | null, deviation: number | null) => {
    if (lane === 'code') return { estimate: 0, low: 0, high: 0 };
    return mean === null || n === 0 ? null : project(mean, deviation, n, remaining);
  };
  return {
    numRecords: remaining,
    numMeasured: n,
    costUsd: projected(measured.costUsd, measured.costUsdDeviation),
    inputTokens: projected(measured.inputTokens, measured.inputTokensDeviation),
    outputTokens: projected(measured.outputTokens, measured.outputTokensDeviation),
    seconds: secondsOf(measured, scorers),
  };
};

/** The rescoring as JSON, with an estimate for its remaining records. */
export const withEstimate = (row: RescoringRow, scorers: Scorers): string => {
  const estimate = row.remaining > 0 ? estimateOf(row, scorers) : null;
  return `${row.body.slice(0, -1)},"estimate":${JSON.stringify(estimate)}}`;
};
