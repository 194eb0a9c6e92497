import { exit } from '../errors.ts';
import { countOf, levelText } from '../figures.ts';
import type { MetricPolicy, MustPass, Policy } from './policy.ts';

export type Interval = { low: number; high: number };

/** What the service says about one metric of the run. */
export type MetricEvidence = {
  name: string;
  /** Testcases, the unit of every statistic. */
  n: number;
  estimate: number | null;
  interval: Interval | null;
  standardError: number | null;
  level: number;
  /** Records without a score: a judge that failed is not a judge that said no. */
  lacking: number;
  comparison?:
    | {
        n: number;
        difference: number | null;
        interval: Interval | null;
        /** The smallest true difference that such a comparison detects with power .8. */
        minimumDetectable: number | null;
        sentence: string;
      }
    | undefined;
  /** Why there is no comparison although there is a baseline. */
  notCompared?: string | undefined;
};

/** Results of the trials of one testcase. */
export type TrialEvidence = { passed: number; failed: number; lacking: number };

export type Outcome = 'pass' | 'worse' | 'inconclusive' | 'incomplete';

/** One rule and its outcome. */
export type Check = {
  rule: string;
  outcome: Outcome;
  /** The reason in words, with its numbers. */
  said: string;
};

export type Decision = { outcome: Outcome; exitCode: number; checks: Check[] };

const decimals = (value: number): string => value.toFixed(3).replace('-', '−');
const range = ({ low, high }: Interval): string => `${decimals(low)} … ${decimals(high)}`;

/** Standard normal quantile of .8, the power that the service's own planning uses. */
const zOfPower = 0.8416212335729143;

/**
 * Returns how many testcases detect this distance with power .8, as the service plans it (Miller 2024): the detectable distance
 * shrinks with the square root of n. `detectable` is the distance that n testcases detect.
 */
const neededCases = (n: number, detectable: number | null, distance: number): string =>
  distance > 0 && detectable !== null && detectable > 0
    ? `, needs about ${Math.ceil(n * (detectable / distance) ** 2)}`
    : '';

const completenessCheck = (
  rule: string,
  { lacking: count }: MetricEvidence,
  mayLack: number,
): Check | undefined =>
  count > mayLack
    ? {
        rule,
        outcome: 'incomplete',
        said: `${countOf(count, 'record')} without a score; at most ${mayLack} may lack one`,
      }
    : undefined;

const noScoresCheck = (rule: string): Check => ({
  rule,
  outcome: 'incomplete',
  said: 'there are no scores to decide by',
});

const lineCheck = (rule: string, evidence: MetricEvidence, atLeast: number): Check => {
  const { n, estimate, interval, standardError, level } = evidence;
  if (estimate === null || interval === null) return noScoresCheck(rule);
  const figures = `${decimals(estimate)} (${levelText(level)}: ${range(interval)}, n = ${n})`;
  if (interval.low >= atLeast) return { rule, outcome: 'pass', said: figures };
  if (interval.high < atLeast) return { rule, outcome: 'worse', said: figures };
  const detectable = estimate - interval.low + zOfPower * (standardError ?? 0);
  const needs = neededCases(n, detectable, estimate - atLeast);
  return { rule, outcome: 'inconclusive', said: `not enough data: n = ${n}${needs}; ${figures}` };
};

const differenceCheck = (
  rule: string,
  evidence: MetricEvidence,
  margin: number,
  mustShow: boolean,
): Check => {
  const { comparison } = evidence;
  if (!comparison) {
    const said = evidence.notCompared ?? 'there is no baseline run to compare with';
    return { rule, outcome: 'incomplete', said };
  }
  const { n, difference: by, interval, minimumDetectable, sentence } = comparison;
  if (by === null || interval === null) return { rule, outcome: 'inconclusive', said: sentence };
  const figures = `difference ${decimals(by)} (${range(interval)}, n = ${n}); ${sentence}`;
  if (interval.high < -margin) return { rule, outcome: 'worse', said: figures };
  if (interval.low > -margin || !mustShow) return { rule, outcome: 'pass', said: figures };
  const needs = neededCases(n, minimumDetectable, by + margin);
  return { rule, outcome: 'inconclusive', said: `not enough data: n = ${n}${needs}; ${figures}` };
};

const metricChecks = (policy: MetricPolicy, evidence: MetricEvidence, mayLack: number): Check[] => {
  const { atLeast, noRegression, nonInferiority } = policy;
  const missing = completenessCheck(`${evidence.name}: complete`, evidence, mayLack);
  const checks: Check[] = missing ? [missing] : [];
  if (atLeast !== undefined)
    checks.push(lineCheck(`${evidence.name}: at least ${atLeast}`, evidence, atLeast));
  if (noRegression) {
    const rule = `${evidence.name}: not worse by more than ${noRegression.margin}`;
    checks.push(differenceCheck(rule, evidence, noRegression.margin, false));
  }
  if (nonInferiority) {
    const rule = `${evidence.name}: shown to be not worse by more than ${nonInferiority.margin}`;
    checks.push(differenceCheck(rule, evidence, nonInferiority.margin, true));
  }
  return checks;
};

const mustPassCheck = ({ testcase, metric, passes, of }: MustPass, evidence: TrialEvidence): Check => {
  const { passed, failed } = evidence;
  const rule = `${testcase} passes ${metric} in ${passes} of ${of}`;
  const said = `passed ${passed} of ${passed + failed}${evidence.lacking > 0 ? `, ${evidence.lacking} without a score` : ''}`;
  if (passed + failed < of) return { rule, outcome: 'incomplete', said };
  // With more trials than the rule names, the same share must pass: 4 of 10 is not 4 of 5.
  return { rule, outcome: passed * of >= passes * (passed + failed) ? 'pass' : 'worse', said };
};

/** Least serious first. */
const severity: Outcome[] = ['pass', 'inconclusive', 'incomplete', 'worse'];

/** Checks a run against the rules. The most serious outcome decides. */
export const decide = (
  policy: Policy,
  metrics: ReadonlyMap<string, MetricEvidence>,
  trials: readonly TrialEvidence[],
): Decision => {
  const checks = [
    ...policy.metrics.flatMap((rules) => metricChecks(rules, metrics.get(rules.metric)!, policy.mayLack)),
    ...policy.mustPass.map((rule, i) => mustPassCheck(rule, trials[i]!)),
  ];
  const outcome = severity[Math.max(...checks.map((check) => severity.indexOf(check.outcome)))]!;
  return { outcome, exitCode: exit[outcome], checks };
};
