import type { RunSummary } from '../main.ts';
import type { Check } from './check.ts';
import { type Claim, checkOf, claim } from './claims.ts';
import type { Evidence, Test } from './decide.ts';
import { waitForEnd } from './looks.ts';
import type { Policy } from './policy.ts';
import type { Source } from './source.ts';
import { inThousands } from './words.ts';

/** P(X ≤ k) for the counts k = 0 to n of n draws with chance q. */
const binomialCdf = (n: number, q: number): number[] => {
  const cdf: number[] = [];
  let log = n * Math.log(1 - q);
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    sum += Math.exp(log);
    cdf.push(Math.min(1, sum));
    log += Math.log((n - k) / (k + 1)) + Math.log(q / (1 - q));
  }
  return cdf;
};

/**
 * Returns the quantile q of the values with its interval between two of them, which assumes no distribution. David & Nagaraja
 * (2003), Order Statistics, 7.1. Without enough values the interval is null.
 */
export const quantile = (values: readonly number[], q: number, level: number): Evidence => {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  if (n === 0) return { n, value: null, interval: null };
  const value = sorted[Math.min(n - 1, Math.ceil(q * n) - 1)]!;
  const cdf = binomialCdf(n, q);
  const tail = (1 - level) / 2;
  // The rank low is the largest with P(X < low) ≤ tail, the rank high the smallest with P(X ≥ high) ≤ tail; ranks count from 1.
  const low = cdf.findIndex((chance) => chance > tail);
  const high = cdf.findIndex((chance) => chance >= 1 - tail) + 1;
  if (low < 1 || high > n || high < 1) {
    const reason = `${n} calls are too few for an interval of this percentile: it is about ${Math.round(value)} ms`;
    return { n, value, interval: null, reason };
  }
  return { n, value, interval: { low: sorted[low - 1]!, high: sorted[high - 1]! } };
};

const milliseconds = (value: number): string => `${inThousands(Math.round(value))} ms`;
const shares = {
  medianMs: { q: 0.5, words: 'half of all calls', name: 'the median latency' },
  p95Ms: { q: 0.95, words: '95 % of all calls', name: 'the latency of 95 % of all calls' },
} as const;

const notCalled = 'the service did not call the system of this run, so its figures are unknown';

/** Returns the tests of the latency of the system, if the service called it. */
export const latencyTests = async (
  source: Source,
  rules: Policy['latency'],
): Promise<{ tests: Test[]; facts: Check[] }> => {
  const wanted = Object.entries(rules) as [keyof typeof shares, number][];
  if (wanted.length === 0) return { tests: [], facts: [] };
  const latencies = (await source.executions()).flatMap(({ latencyMs }) => latencyMs ?? []);
  const claimOf = (name: keyof typeof shares, line: number): Claim => ({
    ...claim(shares[name].name, {
      must: '',
      pass: `is at most ${milliseconds(line)}`,
      worse: `is above ${milliseconds(line)}`,
    }),
    rule: `latency: ${shares[name].words} within ${milliseconds(line)}`,
  });
  if (latencies.length === 0 && !(await source.grows())) {
    const facts = wanted.map(([name, line]) => checkOf(claimOf(name, line), 'incomplete', notCalled));
    return { tests: [], facts };
  }
  const tests = wanted.map(
    ([name, line]): Test => ({
      ...claimOf(name, line),
      side: 'atMost',
      line,
      difference: false,
      mustShow: true,
      write: milliseconds,
      at: async (level) => quantile(latencies, shares[name].q, level),
    }),
  );
  return { tests: await waitForEnd(source, tests), facts: [] };
};

const dollars = (value: number): string => `$${Number(value.toPrecision(3))}`;

const budgetClaim = (subject: string, line: number): Claim =>
  claim(subject, {
    must: `at most ${dollars(line)} a record`,
    pass: `costs at most ${dollars(line)} a record`,
    worse: `costs more than ${dollars(line)} a record`,
  });

const budgetCheck = (claimed: Claim, line: number, total: number | null, records: number): Check => {
  if (total === null || records === 0)
    return checkOf(claimed, 'incomplete', 'the cost is not known for every record');
  const each = total / records;
  const said = `${dollars(each)} a record, ${dollars(total)} in all (a sum, so it has no interval)`;
  return checkOf(claimed, each <= line ? 'pass' : 'worse', said);
};

/** Checks what a record of the run cost. */
export const costChecks = async (
  source: Source,
  { systemUsdPerRecord, judgesUsdPerRecord }: Policy['cost'],
  { metrics, numRecords }: RunSummary,
): Promise<Check[]> => {
  const checks: Check[] = [];
  if (systemUsdPerRecord !== undefined) {
    const claimed = budgetClaim('the system', systemUsdPerRecord);
    const costs = (await source.executions()).map(({ costUsd }) => costUsd);
    const known = costs.filter((cost) => cost !== null);
    const total = known.length < costs.length ? null : known.reduce((sum, cost) => sum + cost, 0);
    if (costs.length === 0) checks.push(checkOf(claimed, 'incomplete', notCalled));
    else checks.push(budgetCheck(claimed, systemUsdPerRecord, total, costs.length));
  }
  if (judgesUsdPerRecord !== undefined) {
    const claimed = budgetClaim('judging', judgesUsdPerRecord);
    const judged = metrics.filter(({ evalType }) => evalType === 'ai');
    const unknown = judged.some(({ cost, states }) => !cost || cost.priced < states.scored);
    const total = judged.reduce((sum, { cost }) => sum + (cost?.costUsd ?? 0), 0);
    checks.push(budgetCheck(claimed, judgesUsdPerRecord, unknown ? null : total, numRecords));
  }
  return checks;
};
