import { type ProviderConfig, resolveModel } from '../scoring/models/provider.ts';
import { tInterval } from '../statistics/intervals.ts';
import type { Measured, RescoringRow } from './queries.ts';

/**
 * The sum over `remaining` further records, from the mean and standard deviation of `n`: a prediction interval, because the
 * others scatter too, not only the mean that they were measured by.
 */
export const project = (mean: number, deviation: number | null, n: number, remaining: number) => {
  const estimate = mean * remaining;
  if (n < 2 || deviation === null) return { estimate, low: null, high: null };
  const standardError = deviation * Math.sqrt(remaining + (remaining * remaining) / n);
  const { low, high } = tInterval(estimate, standardError, n - 1, 0.95);
  return { estimate, low: Math.max(0, low), high };
};

/** How long the provider's own limits let so many judgements take. */
export const secondsAt = (
  evalModelName: string,
  providers: ProviderConfig[],
  { judgements, requests, latencyMs }: { judgements: number; requests: number; latencyMs: number },
): number | null => {
  const resolved = resolveModel(evalModelName, providers);
  if ('error' in resolved) return null;
  const { maxConcurrency, requestsPerMinute } = resolved.provider;
  const waiting = (Math.ceil(judgements / maxConcurrency) * latencyMs) / 1000;
  return Math.max(waiting, requestsPerMinute ? (requests * 60) / requestsPerMinute : 0);
};

const estimateOf = (measured: Measured, providers: ProviderConfig[]) => {
  const { lane, remaining, evalModelName, judgeRepeats, latencyMs } = measured;
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
    seconds:
      evalModelName === null || latencyMs === null
        ? null
        : secondsAt(evalModelName, providers, {
            judgements: remaining,
            requests: remaining * judgeRepeats,
            latencyMs,
          }),
  };
};

/** The rescoring as JSON, with what the rest of it will take. */
export const withEstimate = (row: RescoringRow, providers: ProviderConfig[]): string => {
  const estimate = row.remaining > 0 ? estimateOf(row, providers) : null;
  return `${row.body.slice(0, -1)},"estimate":${JSON.stringify(estimate)}}`;
};
