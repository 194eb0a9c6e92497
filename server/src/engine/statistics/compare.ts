/** Are two runs really different? */

import { sizeOf } from './bounded.ts';
import { caveatOfFew, caveatsOf } from './caveats.ts';
import type { AdjustedComparison, EffectSizes, Verdict } from './comparison-schema.ts';
import { countInWords } from './count-in-words.ts';
import {
  cohensD,
  cohensDInterval,
  cohensH,
  cohensHInterval,
  pairedOddsRatio,
  unpairedOddsRatio,
} from './effect-sizes.ts';
import type { Caveat, Interval } from './estimate-schema.ts';
import { defaultLevel, momentsOf } from './intervals.ts';
import { type FilledPairs, missingVerdicts } from './missing-verdicts.ts';
import { defaultPower } from './paired-proportions.ts';
import { type PairedSettings, type Pairs, type Tested, testPairs } from './paired-tests.ts';
import { type Growth, type LookPlan, pairsThatCount, stateOf, testLook } from './planned-looks.ts';
import { logEvidence } from './sequential.ts';
import {
  averageTrials,
  clustersOf,
  isBinary,
  isPresent,
  meansOf,
  type Observation,
  scoredIndexes,
  type TestcaseColumns,
  type TestcaseId,
} from './testcases.ts';
import { compareUnpaired, meanOfSample, type Sample } from './unpaired.ts';
import { verdictOf } from './verdict.ts';
import { weigh } from './weighted.ts';

export interface CompareOptions {
  /** Whether the metric's output is a boolean: rates, points and McNemar instead of means. */
  boolean: boolean;
  /** The smallest and largest score that the metric can give; 0 and 1 for a boolean. */
  bounds?: Interval;
  level?: number;
  power?: number;
  /** Seed of the random signs, if any are drawn. */
  seed?: number;
  /** `sequential` may be looked at again and again, while a run grows or with a baseline that is used again. */
  test?: 'fixed' | 'sequential' | 'planned';
  /** The looks of `planned`, in the order of testcases. */
  plan?: LookPlan;
  /** Progress of the later run, if `sequential` looks at it while it grows. */
  growth?: Growth;
  /** Tests that are read together: the minimum detectable difference and the simultaneous interval are stated for all of them. */
  tests?: number;
}

/** Testcases that cannot be compared, by index or by name. */
export interface Dropped<Testcase> {
  onlyBefore: Testcase[];
  onlyAfter: Testcase[];
  /** In both runs, but the testcase was changed between them. */
  revised: Testcase[];
  /** In both runs, but without any score in at least one. */
  unscored: Testcase[];
}

export type Comparison<Testcase> = Omit<AdjustedComparison, 'adjustedP'> &
  Pick<Tested, 'open'> & { dropped: Dropped<Testcase> };

type Settings = PairedSettings & { tests: number; plan?: LookPlan; growth?: Growth };

/** The measured difference without its verdict: several tests get their verdicts together. */
export type Measured = Omit<
  Comparison<number>,
  'missing' | 'verdict' | 'sentence' | 'verdictInterval' | 'verdictLevel'
> & {
  /** Returns the interval at another level. */
  intervalAt: (level: number) => Interval | null;
};

const boolBounds: Interval = { low: 0, high: 1 };

const settingsOf = ({ bounds, ...options }: CompareOptions): Settings => ({
  level: defaultLevel,
  power: defaultPower,
  seed: 1,
  test: 'fixed',
  tests: 1,
  bounds: bounds ?? (options.boolean ? boolBounds : null),
  ...options,
});

const correlationOf = (x: Float64Array, y: Float64Array): number | null => {
  const [a, b] = [momentsOf(x), momentsOf(y)];
  if (!(a.variance > 0 && b.variance > 0)) return null;
  let products = 0;
  for (let i = 0; i < x.length; i++) products += (x[i]! - a.mean) * (y[i]! - b.mean);
  const covariance = products / (a.n - 1);
  return covariance / (Math.sqrt(a.variance) * Math.sqrt(b.variance));
};

/** The testcases on which two runs can be compared, and the dropped ones. */
export const pairUp = (
  before: TestcaseColumns,
  after: TestcaseColumns,
): { pairs: Int32Array; dropped: Dropped<number> } => {
  const dropped: Dropped<number> = { onlyBefore: [], onlyAfter: [], revised: [], unscored: [] };
  const pairs = new Int32Array(before.trials.length);
  let count = 0;
  for (let i = 0; i < pairs.length; i++) {
    const [inBefore, inAfter] = [isPresent(before, i), isPresent(after, i)];
    if (!inBefore && !inAfter) continue;
    if (!inAfter) dropped.onlyBefore.push(i);
    else if (!inBefore) dropped.onlyAfter.push(i);
    else if (before.revisions[i] !== after.revisions[i]) dropped.revised.push(i);
    else if (before.trials[i] === 0 || after.trials[i] === 0) dropped.unscored.push(i);
    else pairs[count++] = i;
  }
  return { pairs: pairs.subarray(0, count), dropped };
};

const countSigns = (differences: Float64Array): { wins: number; losses: number } => ({
  wins: differences.filter((difference) => difference > 0).length,
  losses: differences.filter((difference) => difference < 0).length,
});

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

const noSizes: EffectSizes = {
  riskDifference: null,
  oddsRatio: null,
  cohensH: null,
  cohensHInterval: null,
  cohensD: null,
  cohensDInterval: null,
};

const effectSizesOf = (
  samples: readonly [Sample, Sample],
  { boolean, level }: Settings,
  interval: Interval | null,
  pairs: { wins: number; losses: number; grouped: boolean } | null,
): EffectSizes => {
  const [before, after] = [samples[0].values, samples[1].values] as const;
  const [meanBefore, meanAfter] = [meanOfSample(samples[0]), meanOfSample(samples[1])];
  const isWeighted = samples.some(({ weighed }) => weighed !== null);
  if (meanBefore === null || meanAfter === null || (isWeighted && !boolean)) return noSizes;
  if (!boolean) {
    const groups = samples.map((sample) => sample.groups);
    return {
      ...noSizes,
      cohensD: cohensD(before, after),
      cohensDInterval: cohensDInterval([before, after], { isPaired: pairs !== null, groups, level }),
    };
  }
  // Averaged trials, groups and weights have no count of independent passes, which odds need.
  const counted = isBinary(before) && isBinary(after) && !pairs?.grouped && !isWeighted;
  return {
    ...noSizes,
    riskDifference: meanAfter - meanBefore,
    oddsRatio: !counted
      ? null
      : pairs
        ? pairedOddsRatio(pairs.wins, pairs.losses, level)
        : unpairedOddsRatio(sum(before), before.length, sum(after), after.length, level),
    cohensH: cohensH(meanBefore, meanAfter),
    cohensHInterval: interval && cohensHInterval(meanBefore, meanAfter, interval),
  };
};

/** The level at which each of `tests` holds when all hold together at `level`. Bonferroni; Dunn (1961), JASA 56:52–64. */
export const levelOfEach = (level: number, tests: number): number => 1 - (1 - level) / tests;

/** Returns a caveat if the comparison does not cover the whole baseline: a run without its hard testcases looks better. */
const caveatOfLacking = ({ onlyBefore, revised }: Dropped<number>, baseline: number): Caveat | null => {
  const lacking = onlyBefore.length + revised.length;
  if (lacking === 0) return null;
  return {
    code: 'partialCoverage',
    sentence: `the second run lacks ${lacking} of the ${countInWords(baseline, 'testcase')} of the first, or has them at another revision: the comparison is about the others`,
  };
};

/** Returns a caveat if the sequential test was requested but another was used, which does not hold for several looks. */
const caveatOfOneLook = (
  { test }: Settings,
  { n, paired, grouped }: { n: number; paired: boolean; grouped: boolean },
): Caveat | null => {
  if (test !== 'sequential' || n === 0 || (paired && !grouped)) return null;
  const why = grouped ? 'does not know groups of testcases' : 'needs testcases that both runs have';
  return {
    code: 'notSequential',
    sentence: `the sequential test ${why}: this is the test for one look at finished runs; looking again gives false alarms`,
  };
};

const differencesOf = (before: Float64Array, after: Float64Array): Float64Array =>
  after.map((value, i) => value - before[i]!);

/** No test sees a difference that is larger than the scale. */
const detectableOn = (
  bounds: Interval | null,
  { minimumDetectable, open }: Tested,
): Pick<Tested, 'minimumDetectable' | 'open'> => {
  if (minimumDetectable === null || minimumDetectable <= sizeOf(bounds)) {
    return { minimumDetectable, ...(open !== undefined && { open }) };
  }
  return { minimumDetectable: null, open: 'the testcases are too few to see any difference on this scale' };
};

/** Returns the look among all tests of the answer, with its boundary if it were the only one. */
const lookOf = (alone: Tested, together: Tested): Pick<Tested, 'look'> => {
  if (!alone.look || !together.look) return {};
  const { boundaryAlone, nominalAlone } = alone.look;
  return { look: { ...together.look, boundaryAlone, nominalAlone } };
};

const numOfBaseline = ({ onlyBefore, revised, unscored }: Dropped<number>): number =>
  onlyBefore.length + revised.length + unscored.length;

/** Returns the shared testcases that count. The others wait: they are not compared without pairs either. */
const countPairs = (
  shared: Int32Array,
  after: TestcaseColumns,
  { plan, growth = plan }: Pick<CompareOptions, 'plan' | 'growth'>,
): Int32Array => (growth ? pairsThatCount(shared, after, growth) : shared);

/** Returns what is compared of a run: its part of the pairs, else all that is scored. */
const sampleOf = (
  run: TestcaseColumns,
  { pairs, grouped }: { pairs: Int32Array | null; grouped: boolean },
): Sample => {
  if (run.drawn) return { values: run.drawn.values, groups: null, weighed: run.drawn };
  const indexes = pairs ?? scoredIndexes(run);
  return {
    values: meansOf(run, indexes),
    groups: grouped ? clustersOf(run.groups, indexes) : null,
    weighed: weigh(run, indexes),
  };
};

/** Measures the difference of two runs, `after` minus `before`. `conclude` adds the verdict. */
export const measureDifference = (
  before: TestcaseColumns,
  after: TestcaseColumns,
  options: CompareOptions,
): Measured => {
  const settings = settingsOf(options);
  const { level, power, tests } = settings;
  const { pairs: common, dropped } = pairUp(before, after);
  // Each run has a draw of its records: few testcases were scored in both, and those with a chance of their product.
  const shared = before.drawn || after.drawn ? common.subarray(0, 0) : common;
  const counted = countPairs(shared, after, settings);
  const looks = settings.plan && stateOf(settings.plan, counted.length);
  const pairs = counted.subarray(0, looks?.sizes.at(-1));
  const paired = pairs.length > 0;
  const grouped = before.groups !== null || after.groups !== null;
  const of = { pairs: shared.length > 0 ? pairs : null, grouped };
  const samples = [sampleOf(before, of), sampleOf(after, of)] as const;
  const [{ values: valuesBefore, groups }, { values: valuesAfter }] = samples;
  const differences = paired ? differencesOf(valuesBefore, valuesAfter) : new Float64Array();
  const weighed = paired ? weigh(before, pairs, differences) : null;
  const testAt = (at: number): Tested => {
    const values = { before: valuesBefore, after: valuesAfter, differences, groups, weighed };
    if (looks) return testLook(values, looks, { ...settings, level: at });
    return paired
      ? testPairs(values, { ...settings, level: at })
      : compareUnpaired(...samples, { ...settings, level: at });
  };
  const tested = testAt(level);
  const simultaneousLevel = levelOfEach(level, tests);
  const together = tests > 1 ? testAt(simultaneousLevel) : tested;
  const { wins, losses } = countSigns(differences);
  const [meanBefore, meanAfter] = [meanOfSample(samples[0]), meanOfSample(samples[1])];
  const n = paired ? pairs.length : valuesBefore.length + valuesAfter.length;
  const baseline = common.length + numOfBaseline(dropped);
  return {
    ...tested,
    n,
    paired,
    level,
    power,
    before: meanBefore,
    after: meanAfter,
    difference: meanBefore === null || meanAfter === null ? null : meanAfter - meanBefore,
    simultaneousInterval: together.interval,
    simultaneousLevel,
    intervalAt: (at) =>
      at === level ? tested.interval : at === simultaneousLevel ? together.interval : testAt(at).interval,
    ...detectableOn(settings.bounds, together),
    watched: together.watched,
    ...lookOf(tested, together),
    effectSizes: effectSizesOf(samples, settings, tested.interval, paired ? { wins, losses, grouped } : null),
    wins,
    losses,
    ties: pairs.length - wins - losses,
    correlation: paired && !weighed ? correlationOf(valuesBefore, valuesAfter) : null,
    unpairedInterval: paired ? compareUnpaired(...samples, settings).interval : null,
    dropped,
    numBaselineTestcases: baseline,
    ...caveatsOf(
      caveatOfOneLook(settings, { n, paired, grouped }),
      ...tested.caveats,
      // Before the last look the others are still to come.
      paired && !looks?.next ? caveatOfLacking(dropped, baseline) : null,
      caveatOfFew(n),
    ),
  };
};

/** The level of a single test that corresponds to its adjusted p: whole steps of Holm are those of `levelOfEach`. */
export const levelTaken = (
  level: number,
  p: number | null,
  adjustedP: number | null,
  tests: number,
): number => {
  if (!p || !adjustedP) return levelOfEach(level, tests);
  const step = adjustedP / p;
  const whole = Math.round(step);
  return levelOfEach(level, Math.abs(step - whole) < 1e-9 ? whole : step);
};

/** Adds the verdict by the adjusted p, and how missing scores could change it. */
export const conclude = (
  before: TestcaseColumns,
  after: TestcaseColumns,
  options: CompareOptions,
  measured: Measured,
  adjustedP: number | null,
): Comparison<number> => {
  const settings = settingsOf(options);
  const { boolean, bounds, level } = settings;
  const { intervalAt, ...found } = measured;
  const at = levelTaken(level, measured.p, adjustedP, settings.tests);
  const verdictLevel = settings.plan ? measured.simultaneousLevel : at;
  const verdictInterval = intervalAt(verdictLevel);
  // At planned looks each step of Holm has its own boundaries, so the interval of all tests may contain 0.
  const decisive = settings.plan ? {} : { interval: verdictInterval, intervalLevel: verdictLevel };
  const concluded = {
    ...found,
    verdictInterval,
    verdictLevel,
    ...verdictOf({ ...found, ...decisive, boolean, p: adjustedP }),
  };
  const settingsAt = { ...settings, level: at };
  const pairsOf = ({ testcases, ...filled }: FilledPairs): Pairs => {
    const differences = differencesOf(filled.before, filled.after);
    return {
      ...filled,
      differences,
      groups: before.groups || after.groups ? clustersOf(before.groups, testcases) : null,
      weighed: weigh(before, testcases, differences),
    };
  };
  const differenceOf = (pairs: Pick<Pairs, 'differences' | 'weighed'>): number =>
    meanOfSample({ values: pairs.differences, groups: null, weighed: pairs.weighed })!;
  const retest = (pairs: Pairs): Verdict => {
    const { differences } = pairs;
    if (settings.test === 'sequential' && !pairs.groups) {
      // Not its interval: that excludes 0 exactly when the evidence suffices, and takes much longer to compute.
      const enough = logEvidence(differences, bounds!.high - bounds!.low) >= -Math.log(1 - at);
      return enough ? (sum(differences) > 0 ? 'better' : 'worse') : 'cannot tell';
    }
    const tested = testPairs(pairs, settingsAt);
    return verdictOf({ ...tested, difference: differenceOf(pairs), boolean, level: at }).verdict;
  };
  const { plan } = settings;
  const growsOn = plan !== undefined && (plan.isCancelled || measured.look?.next !== null);
  const missing =
    measured.paired && measured.difference !== null && bounds && !growsOn
      ? missingVerdicts(
          before,
          after,
          bounds,
          { boolean, ...concluded },
          {
            differenceOf: (filled) => differenceOf(pairsOf(filled)),
            verdictOf: (filled) => retest(pairsOf(filled)),
          },
        )
      : null;
  const caveat: Caveat | null = missing && { code: 'missingVerdicts', sentence: missing.sentence };
  return { ...concluded, missing, ...caveatsOf(...measured.caveats, caveat) };
};

/**
 * Compares two runs on the testcases that both have at the same revision, `after` minus `before`.
 *
 * Booleans: Tango's interval with McNemar's test. Other scores and averaged trials: paired t, or sign flips when
 * n < 30 or the differences are skewed. With groups: cluster-robust t on the differences (Miller 2024).
 * Without pairs: Newcombe's interval, or Welch's, or with groups cluster-robust errors of each run.
 */
export const compareTestcases = (
  before: TestcaseColumns,
  after: TestcaseColumns,
  options: CompareOptions,
): Comparison<number> => {
  const measured = measureDifference(before, after, options);
  return conclude(before, after, options, measured, measured.p);
};

/** The same from single observations. */
export const compareRuns = (
  before: Iterable<Observation>,
  after: Iterable<Observation>,
  options: CompareOptions,
): Comparison<TestcaseId> => {
  const { columns, testcases } = averageTrials(before, after);
  const { dropped, ...comparison } = compareTestcases(columns[0]!, columns[1]!, options);
  const named = (indexes: number[]) => indexes.map((index) => testcases[index]!);
  const { onlyBefore, onlyAfter, revised, unscored } = dropped;
  return {
    ...comparison,
    dropped: {
      onlyBefore: named(onlyBefore),
      onlyAfter: named(onlyAfter),
      revised: named(revised),
      unscored: named(unscored),
    },
  };
};
