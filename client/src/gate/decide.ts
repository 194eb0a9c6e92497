import { type Check, exitCodes, type Interval, type Outcome } from './check.ts';
import { type Claim, checkOf as checkFrom } from './claims.ts';
import { inThousands, levelText } from './words.ts';

/** A figure that a rule decides by, at one confidence level. */
export type Evidence = {
  /** Number of `unit`. */
  n: number;
  value: number | null;
  interval: Interval | null;
  /** Two-sided p of no difference: a loss of more than 0 needs the test as well as the interval. */
  p?: number | null | undefined;
  standardError?: number | null | undefined;
  /** Smallest true difference that n units show with power .8. */
  detectable?: number | null | undefined;
  /** The figure in words, in place of its numbers. */
  said?: string | undefined;
  /** What the figure is beyond its name, such as `as people would judge it`. */
  as?: string | undefined;
  /** Why there is no interval. */
  reason?: string | null | undefined;
  /** Which of several planned looks this is. */
  look?: string | undefined;
  /** Whether a later look decides what this one leaves open. Such a test counts with the others from the start. */
  waits?: boolean;
};

/** A rule that compares a figure with a line. Its outcome rests on the interval of the figure. */
export type Test = Claim & {
  side: 'atLeast' | 'atMost';
  line: number;
  /** Whether the figure is a difference from a baseline; the line is then −margin. */
  difference: boolean;
  /** Whether the rule passes only if the interval shows it. Otherwise it passes unless the interval shows the opposite. */
  mustShow: boolean;
  /** Whether the adjusted p decides alone, as where the interval is of the worst of many. */
  decidedByP?: boolean;
  write: (value: number) => string;
  at: (level: number) => Promise<Evidence>;
};

export type Decision = {
  outcome: Outcome;
  exitCode: number;
  level: number;
  /** Number of rules that were tested together. */
  tests: number;
  checks: Check[];
};

/** Most serious first. */
const severity: Outcome[] = ['worse', 'incomplete', 'inconclusive', 'pass'];

/** Standard normal quantile of .8, the power that the service's own planning uses. */
const zOfPower = 0.8416212335729143;

const odds = (share: number): number => share / (1 - share);

/**
 * Factor by which the number of units must grow for the end of the interval to move from `half` to `distance`. With a spread, the distance
 * that is detected with power .8 shrinks with the square root of n (Miller 2024). Without one, as when no pair differs or all pass, the
 * ends of Wilson's and Tango's intervals are z²/(n + z²) away.
 */
const timesAsMany = (half: number, distance: number, standardError: number): number => {
  if (standardError > 0) return ((half + zOfPower * standardError) / distance) ** 2;
  return half < 1 && distance < 1 ? odds(half) / odds(distance) : half / distance;
};

/** Beyond this multiple of its units, a rule is not decided by more of them in practice. */
const mostTimes = 100;

/** Two digits, upwards: the figure it comes from is an estimate. */
const roundedUp = (count: number): number => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
};

/**
 * Says about how many more units move the end of an interval that is `half` away from its figure to `distance`; empty if the
 * interval reaches that far already.
 */
export const moreUnits = (n: number, half: number, distance: number, standardError: number): string => {
  const times = timesAsMany(half, distance, standardError);
  if (times > mostTimes) return `more than ${mostTimes} times as many testcases are needed`;
  const more = Math.ceil(n * times) - n;
  return more < 1 ? '' : `about ${inThousands(roundedUp(more))} more needed`;
};

/** Says about how many more units let the rule pass if the figure stays as it is. */
const neededUnits = ({ side, line, write }: Test, evidence: Evidence): string => {
  const { n, value, interval, standardError, detectable } = evidence;
  if (standardError === null || standardError === undefined) return '';
  const distance = (side === 'atLeast' ? 1 : -1) * (value! - line);
  if (distance < 1e-9) {
    const shown = detectable ? `; n = ${n} can show only a difference of ${write(detectable)} or more` : '';
    return `; if it stays so, no number of testcases lets it pass${shown}`;
  }
  // The end of the interval that is still across the line.
  const half = side === 'atLeast' ? value! - interval!.low : interval!.high - value!;
  const more = moreUnits(n, half, distance, standardError);
  return more && `; ${more}`;
};

/**
 * Says how many units a proof that no more than a margin is lost needs at the variance of this comparison, if nothing changed: the plan of
 * Miller (2024), whose distance is the margin.
 */
const plannedUnits = (
  { line, difference, write }: Test,
  { n, interval, standardError }: Evidence,
): string => {
  if (!difference || line >= 0 || !standardError) return '';
  const half = (interval!.high - interval!.low) / 2;
  const needed = roundedUp(Math.ceil(n * timesAsMany(half, -line, standardError)));
  return `; at this variance a margin of ${write(-line)} needs about ${inThousands(needed)} in all to pass in 80 % of runs that lose nothing`;
};

/** Whether the test of no difference rejects too, where that is what the line is about. 1 − .95 is a little above .05 in binary. */
const rejects = ({ difference, line }: Test, { p }: Evidence, level: number): boolean =>
  !difference || line !== 0 || p === null || p === undefined || p <= 1 - level + 1e-12;

/** Whether the evidence shows that the figure is on the wrong side of the line. */
const fails = (test: Test, evidence: Evidence, level: number): boolean => {
  const { side, line } = test;
  const { interval, value } = evidence;
  if (interval === null) return false;
  if (test.decidedByP) return value! < line && rejects(test, evidence, level);
  return (side === 'atMost' ? interval.low > line : interval.high < line) && rejects(test, evidence, level);
};

/** Whether the evidence shows that the figure is on the right side of the line. */
const shows = (test: Test, evidence: Evidence, level: number): boolean => {
  const { side, line, difference } = test;
  const { interval } = evidence;
  if (interval === null) return false;
  if (side === 'atMost') return interval.high <= line;
  return difference ? interval.low > line && rejects(test, evidence, level) : interval.low >= line;
};

type Adjusted = { evidence: Evidence; level: number; failed: boolean };

/**
 * Says which tests fail, all together at the level, by Holm's procedure (1979): the open tests are taken at 1 − α/open; those that
 * fail are closed, and the others are taken again at a lower level until none fails.
 */
const stepDown = async (tests: readonly Test[], level: number): Promise<Map<Test, Adjusted>> => {
  const results = new Map<Test, Adjusted>();
  let open = tests;
  while (open.length > 0) {
    const each = 1 - (1 - level) / open.length;
    for (const test of open) {
      const evidence = await test.at(each);
      results.set(test, { evidence, level: each, failed: fails(test, evidence, each) });
    }
    const left = open.filter((test) => !results.get(test)!.failed);
    if (left.length === open.length) break;
    open = left;
  }
  return results;
};

const figures = (
  { difference, write }: Test,
  { value, interval, n, said, as, look }: Evidence,
  level: number,
): Pick<Check, 'said'> & Required<Pick<Check, 'figure'>> => {
  const { low, high } = interval!;
  const name = difference ? `difference ${as ? `${as} ` : ''}` : '';
  const range = `${levelText(Number(level.toPrecision(4)))}: ${write(low)} … ${write(high)}`;
  const figure = said ?? `${name}${write(value!)} (${range}, n = ${n})`;
  return {
    said: look === undefined ? figure : `${figure}; ${look}`,
    figure: { n, value: value!, interval: { low, high }, level },
  };
};

const checkOf = (test: Test, plain: Evidence, adjusted: Adjusted | undefined, level: number): Check => {
  const made = (outcome: Outcome, { said, figure }: ReturnType<typeof figures>): Check => ({
    ...checkFrom(test, outcome, said),
    figure,
  });
  if (plain.value === null || plain.interval === null || !adjusted) {
    // Without any figure the rule has nothing to decide by. With too few units for an interval, more of them help.
    const isMissing = plain.value === null && !test.difference && !plain.waits;
    const outcome = isMissing ? 'incomplete' : 'inconclusive';
    return checkFrom(test, outcome, plain.reason ?? 'there are no scores to decide by');
  }
  if (adjusted.failed) return made('worse', figures(test, adjusted.evidence, adjusted.level));
  // A gate passes only if each of its rules passes, so that a rule needs no adjustment to pass (Berger 1982).
  if (!test.decidedByP && shows(test, plain, level)) return made('pass', figures(test, plain, level));
  const unadjusted = adjusted.evidence.interval === null || !fails(test, plain, level);
  if (!test.mustShow && adjusted.evidence.interval !== null && !plain.waits) {
    const shown = figures(test, adjusted.evidence, adjusted.level);
    if (test.decidedByP) return made('pass', shown);
    const { low, high } = shown.figure.interval;
    const possible =
      test.side === 'atMost'
        ? high > test.line && `${test.write(high)} is still possible`
        : low < test.line &&
          (test.difference ? `a loss of up to ${test.write(-low)}` : test.write(low)).concat(
            ' is still possible',
          );
    const hidden = possible ? `; ${possible}` : '';
    return made('pass', { ...shown, said: `${shown.said}${hidden}` });
  }
  const [evidence, at] = unadjusted ? [plain, level] : [adjusted.evidence, adjusted.level];
  const shown = figures(test, evidence, at);
  if (plain.waits) return made('inconclusive', shown);
  return made('inconclusive', {
    ...shown,
    said: `${shown.said}${neededUnits(test, evidence)}${plannedUnits(test, evidence)}`,
  });
};

/** Decides by tests and facts. The most serious outcome counts; the checks come back with the most serious ones first. */
export const decide = async (
  tests: readonly Test[],
  facts: readonly Check[],
  level: number,
): Promise<Decision> => {
  const plain = new Map<Test, Evidence>();
  for (const test of tests) plain.set(test, await test.at(level));
  const testable = tests.filter((test) => {
    const { interval, waits } = plain.get(test)!;
    return interval !== null || waits;
  });
  const adjusted = await stepDown(testable, level);
  const checks = [
    ...tests.map((test) => checkOf(test, plain.get(test)!, adjusted.get(test), level)),
    ...facts,
  ].sort((a, b) => severity.indexOf(a.outcome) - severity.indexOf(b.outcome));
  const outcome = checks[0]?.outcome ?? 'pass';
  return { outcome, exitCode: exitCodes[outcome], level, tests: testable.length, checks };
};
