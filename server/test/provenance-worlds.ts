/** Made-up worlds in which data are not what they seem: sessions, repeated testcases, orders, heavy tails, slices, tries. */

import { findAlarm, type Verdict } from '../src/engine/statistics/change-alarm.ts';
import { clusteredMeanEstimate } from '../src/engine/statistics/clusters.ts';
import { compareRuns, compareTestcases } from '../src/engine/statistics/compare.ts';
import { compareMetrics } from '../src/engine/statistics/compare-metrics.ts';
import { compareUserRates, type RateOfUsers } from '../src/engine/statistics/compare-user-rates.ts';
import { benjaminiHochberg } from '../src/engine/statistics/holm.ts';
import { rateEstimate, wilson } from '../src/engine/statistics/intervals.ts';
import { meanOfSums } from '../src/engine/statistics/moments.ts';
import { fisherExact, newcombe } from '../src/engine/statistics/paired-proportions.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import { sequentialTest } from '../src/engine/statistics/sequential.ts';
import { namedLosses, type SliceField, sliceLosses } from '../src/engine/statistics/slice-losses.ts';
import { averageTrials, type Observation, poolTrials } from '../src/engine/statistics/testcases.ts';
import { riseOfSum } from '../src/engine/statistics/usage-rise.ts';
import { numUserGroups, rateOfUserSums } from '../src/engine/statistics/user-sums.ts';
import { winnerOf } from '../src/engine/statistics/winner.ts';
import { flip, normal, type Rate, shuffled, times, type World } from './coverage.ts';

const unit = { low: 0, high: 1 };
const sumOf = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

/** Verdicts of users: two of one user agree beyond chance by `correlation`. */
const ofUsers = (random: Random, users: number, each: number, rate: number, correlation: number) =>
  times(users, () => {
    const typical = flip(random, rate);
    return times(each, () => Number(flip(random, Math.sqrt(correlation)) ? typical : flip(random, rate)));
  });

const usersBand = (users: number, each: number): World => ({
  name: `pass rate 0.9 of ${users} users × ${each} records, correlation 0.3`,
  method: 'random groups of users',
  truth: 0.9,
  draw: (random) => {
    const [sizes, passes] = [new Array(numUserGroups).fill(0), new Array(numUserGroups).fill(0)];
    const records = ofUsers(random, users, each, 0.9, 0.3);
    for (const own of records) {
      const group = Math.floor(uniform(random) * numUserGroups);
      sizes[group] += own.length;
      passes[group] += sumOf(own);
    }
    return rateOfUserSums(sumOf(records.flat()), users * each, { sizes, passes });
  },
});

export type Weeks = { users: number; each: number; rates: [number, number]; staying: number };

/** Two weeks of records by users; a share of the users stays. The records of a user correlate by .3. */
export const drawWeeks = (
  random: Random,
  { users, each, rates, staying }: Weeks,
): [RateOfUsers, RateOfUsers] => {
  const empty = () => new Array<number>(numUserGroups).fill(0);
  const weeks = rates.map(() => ({ passes: 0, n: 0, users: { sizes: empty(), passes: empty() } }));
  for (let user = 0; user < users; user++) {
    let [group, typical] = [0, 0];
    for (const [i, week] of weeks.entries()) {
      if (i === 0 || uniform(random) >= staying) {
        group = Math.floor(uniform(random) * numUserGroups);
        typical = uniform(random);
      }
      for (let record = 0; record < each; record++) {
        const passed = Number((uniform(random) < Math.sqrt(0.3) ? typical : uniform(random)) < rates[i]!);
        week.n++;
        week.passes += passed;
        week.users.sizes[group]!++;
        week.users.passes[group]! += passed;
      }
    }
  }
  return [weeks[0]!, weeks[1]!];
};

const weeks = (staying: number, after: number, byUser: boolean, nominal: string): Rate => ({
  name: `two weeks of 150 users × 5 records, pass rate 0.9, then ${after}; ${100 * staying} % of the users stay${byUser ? '' : ', counted as independent'}`,
  method: byUser ? 'square-and-add over groups of users' : 'Newcombe',
  nominal,
  happens: (random) => {
    const [first, second] = drawWeeks(random, { users: 150, each: 5, rates: [0.9, after], staying });
    if (byUser) return compareUserRates(first, second).p! <= 0.05;
    const { low, high } = newcombe(first.passes, first.n, second.passes, second.n)!;
    return low > 0 || high < 0;
  },
});

/** Questions that stand in a testset several times; copies have the same result in 90 %. */
const copies = (random: Random, questions: number, each: number, rate: number) => {
  const chances = times(questions, () => flip(random, rate));
  return times(2, () =>
    chances.map((usual) => {
      const result = flip(random, 0.7) ? usual : flip(random, rate);
      return times(each, () => (flip(random, 0.9) ? result : flip(random, rate)));
    }),
  );
};

const repeatedMean = (questions: number, each: number, isGrouped: boolean): World => ({
  name: `pass rate 0.75 of ${questions} questions that stand in the testset ${each} times each${isGrouped ? '' : ', counted as independent'}`,
  method: isGrouped ? 'same inputs as one group' : 'Wilson',
  truth: 0.75,
  draw: (random) => {
    const values = copies(random, questions, each, 0.75)[0]!.map((own) => own.map(Number));
    const labels = values.flatMap((own, question) => own.map(() => question));
    return isGrouped
      ? clusteredMeanEstimate(values.flat(), labels, 0.95, unit)
      : rateEstimate(sumOf(values.flat()), labels.length);
  },
});

const repeatedPairs = (questions: number, each: number, isGrouped: boolean): Rate => ({
  name: `two equal systems on ${questions} questions that stand in the testset ${each} times each`,
  method: isGrouped ? 'same inputs as one group' : 'McNemar mid-p, each a fact',
  nominal: isGrouped ? '"better" or "worse" in at most 5 %' : 'nothing: the copies are not facts',
  happens: (random) => {
    const [before, after] = copies(random, questions, each, 0.75).map((run) =>
      run.flatMap((own, question) =>
        own.map(
          (score, i): Observation => ({
            testcase: `${question}-${i}`,
            score,
            ...(isGrouped && { group: `${question}` }),
          }),
        ),
      ),
    );
    return compareRuns(before!, after!, { boolean: true }).verdict !== 'cannot tell';
  },
});

const dayMs = 86_400_000;

type Month = {
  /** Verdicts of a user and day. */
  each: number;
  /** True rates of the months, one after the other. */
  rates: readonly number[];
  /** Whether the verdicts of a user and day are one bet. */
  byUser?: boolean;
  /** The rate that the alert watches. */
  line?: number;
};

const monthOf = (random: Random, month: number, { each, rates, byUser = true }: Month): Verdict[] =>
  times(30, (dayOfMonth) => {
    const day = 30 * month + dayOfMonth;
    return ofUsers(random, 50 / each, each, rates[month]!, 0.3).flatMap((own, user) =>
      own.map(
        (passed, i): Verdict => ({
          passed: passed === 1,
          // The verdicts of a user are spread over the hours of the day.
          atMs: day * dayMs + ((user + i / each) * dayMs * each) / 50,
          unit: byUser ? `${day} ${user}` : null,
        }),
      ),
    );
  }).flat();

/** Months of 50 verdicts a day: whether the alert comes in the last one. */
const monthOfAlarms = (month: Month, nominal: string): Rate => {
  const { each, rates, byUser = true, line = 0.9 } = month;
  const after = rates.length > 1 ? `after a month at ${rates[0]}, ` : '';
  return {
    name: `an alert at ${line} in a month of 50 verdicts a day by users with ${each === 1 ? 'one' : 'five'} each, ${after}true rate ${rates.at(-1)}${byUser ? '' : ', each verdict a bet'}`,
    method: byUser ? 'e-detector, one bet for a user and day' : 'e-detector, one bet for a verdict',
    nominal,
    happens: (random) => {
      const verdicts = rates.flatMap((_, i) => monthOf(random, i, month));
      const lastMs = 30 * (rates.length - 1) * dayMs;
      const found = findAlarm(verdicts, { rate: line, years: 1, fromMs: 0, nowMs: lastMs + 31 * dayMs });
      return found !== null && verdicts[found.index]!.atMs >= lastMs;
    },
  };
};

/** Two runs that are equal in all: the later one gains on the first half of the testset and loses on the second. */
const ordered = (isShuffled: boolean): Rate => ({
  name: `500 testcases, +15 points on the first half and −15 on the second, ${isShuffled ? 'in an order that is drawn' : 'in the order of the testset'}`,
  method: isShuffled ? 'mixture e-process' : 'mixture e-process, not meant for it',
  nominal: isShuffled ? 'a verdict in at most 5 %' : 'refused: the order was not drawn',
  happens: (random) => {
    const differences = times(500, (i) => {
      const gain = i < 250 ? 0.15 : -0.15;
      return Number(flip(random, 0.7 + gain)) - Number(flip(random, 0.7));
    });
    const inOrder = isShuffled ? shuffled(random, differences) : differences;
    return sequentialTest(Float64Array.from(inOrder), 1).decidedAfter !== null;
  },
});

const costs = (n: number, spread: number): World => ({
  name: `mean of ${n} lognormal costs, σ ${spread}`,
  method: "Hall's transformation",
  truth: Math.exp(spread ** 2 / 2),
  draw: (random) => {
    const values = times(n, () => Math.exp(spread * normal(random)));
    const powers = (k: number) => sumOf(values.map((value) => value ** k));
    return meanOfSums({ n, sum: powers(1), squares: powers(2), cubes: powers(3) });
  },
});

const rise = (n: number): Rate => ({
  name: `no rise of lognormal costs of ${n} testcases`,
  method: 'rise of the sum',
  nominal: 'a rise in at most 2.5 %',
  happens: (random) => {
    const base = times(n, () => Math.exp(normal(random)));
    const run = () =>
      base.map(
        (value, testcase): Observation => ({ testcase, score: value * Math.exp(0.3 * normal(random)) }),
      );
    const { columns } = averageTrials(run(), run());
    return riseOfSum(columns[0]!, columns[1]!, { level: 0.95, seed: 1 }).interval!.low > 0;
  },
});

/** Groups of one run that are all alike, each compared with the others. */
const groups = (count: number, size: number, rate: number): Rate => ({
  name: `${count} equal groups × ${size} records of one run, pass rate ${rate}`,
  method: "Fisher's exact test, Benjamini–Hochberg",
  nominal: 'any group that differs, in at most 5 %',
  happens: (random) => {
    const passes = times(count, () => sumOf(times(size, () => Number(flip(random, rate)))));
    const all = sumOf(passes);
    const rest = (count - 1) * size;
    const p = passes.map((own) => fisherExact(own, size, all - own, rest));
    return benjaminiHochberg(p).some((adjusted) => adjusted! <= 0.05);
  },
});

/** 30 languages of 20 testcases. */
const languages: SliceField = {
  field: 'lang',
  values: times(30, String),
  labels: Int32Array.from({ length: 600 }, (_, i) => i % 30),
};

const slices = (collapsed: number, nominal: string): Rate => ({
  name:
    collapsed === 0.9
      ? '30 languages × 20 testcases, no difference'
      : `30 languages × 20 testcases, one falls from 0.9 to ${collapsed}`,
  method: 'maxT over slices',
  nominal,
  happens: (random) => {
    const run = (of: (i: number) => number) =>
      Float64Array.from({ length: 600 }, (_, i) => Number(flip(random, of(i))));
    const pairs = {
      before: run(() => 0.9),
      after: run((i) => (i % 30 === 7 ? collapsed : 0.9)),
      groups: null,
    };
    const found = namedLosses(sliceLosses(pairs, [languages], { level: 0.95, seed: 1, draws: 199 }), 0.95);
    return collapsed === 0.9 ? found.length > 0 : found[0]?.value === '7';
  },
});

/** Prompts that were tried on the same testcases, where a third is hard or easy for all. */
const tries = (prompts: number, n: number, isHonest: boolean): World => ({
  name: `the best of ${prompts} equal prompts on ${n} testcases, pass rate 0.8${isHonest ? '' : ', as if it were the only one'}`,
  method: isHonest ? 'hybrid for winners' : 'Wilson',
  truth: 0.8,
  draw: (random) => {
    const hard = times(n, () => uniform(random));
    const scores = times(prompts, () =>
      Float64Array.from({ length: n }, (_, i) => Number((i % 3 === 0 ? hard[i]! : uniform(random)) < 0.8)),
    );
    const found = winnerOf(scores, unit, 0.95)!;
    return { interval: isHonest ? found.interval : wilson(found.mean * n, n), caveats: [] };
  },
});

/** Runs of one system; the last one loses `loss`. Half of the testcases are decided by chance. */
const runsOf = (random: Random, count: number, n: number, loss: number) => {
  const chances = times(n, () =>
    flip(random, 0.5) ? 0.3 + 0.6 * uniform(random) : Number(flip(random, 0.9)),
  );
  const run = (lost: number) =>
    chances.map((chance, testcase): Observation => ({ testcase, score: flip(random, chance * (1 - lost)) }));
  return averageTrials(...times(count - 1, () => run(0)), run(loss / 0.75)).columns;
};

const pooled = (baselines: number, loss: number, nominal: string): Rate => ({
  name: `300 testcases, ${baselines === 1 ? 'one run' : `${baselines} runs`} of the baseline, ${loss === 0 ? 'no difference' : 'five points lost'}`,
  method: baselines === 1 ? 'paired' : 'baseline pooled as trials',
  nominal,
  happens: (random) => {
    const columns = runsOf(random, baselines + 1, 300, loss);
    const baseline = baselines === 1 ? columns[0]! : poolTrials(columns[0]!, columns.slice(1, -1));
    const { verdict } = compareTestcases(baseline, columns.at(-1)!, { boolean: true });
    return loss === 0 ? verdict !== 'cannot tell' : verdict === 'worse';
  },
});

/** Seven runs against a baseline; the last one loses ten points; Holm over the pairs that are read. */
const manyToOne = (pairs: 'first' | 'all', loss: number, nominal: string): Rate => ({
  name: `seven runs against a baseline on 300 testcases, ${loss === 0 ? 'no difference' : 'one loses ten points'}, Holm over ${pairs === 'first' ? '7' : 'all 28'} pairs`,
  method: 'Holm over mid-p',
  nominal,
  happens: (random) => {
    const columns = runsOf(random, 8, 300, loss);
    const read = columns.flatMap((before, i) =>
      columns.flatMap((after, j) =>
        i < j && (pairs === 'all' || i === 0)
          ? [[`${i} ${j}`, { before, after, boolean: true }] as const]
          : [],
      ),
    );
    const found = compareMetrics(Object.fromEntries(read));
    if (loss === 0) return Object.values(found).some(({ verdict }) => verdict !== 'cannot tell');
    return found['0 7']!.verdict === 'worse';
  },
});

const scores = (n: number): World => ({
  name: `means of ${n} and ${n} floats near 1 on different testcases`,
  method: 'Welch inside the scale',
  truth: 0,
  draw: (random) => {
    const run = (name: string) =>
      times(n, (i): Observation => ({ testcase: `${name}${i}`, score: 1 - 0.3 * uniform(random) ** 3 }));
    return compareRuns(run('a'), run('b'), { boolean: false, bounds: unit });
  },
});

export const provenanceWorlds: World[] = [
  usersBand(40, 5),
  usersBand(100, 3),
  usersBand(20, 10),
  repeatedMean(60, 5, true),
  repeatedMean(100, 3, true),
  repeatedMean(20, 10, true),
  costs(30, 1),
  costs(50, 1.5),
  costs(500, 1.5),
  costs(500, 2),
  scores(4),
  scores(20),
  tries(10, 100, true),
  tries(20, 50, true),
];

/** The same worlds, read wrongly. */
export const wrongProvenance: World[] = [
  repeatedMean(60, 5, false),
  repeatedMean(20, 10, false),
  tries(10, 100, false),
  tries(20, 50, false),
];

const oneOfTwelve = 'an alert in at most one month of twelve';
const found = 'an alert; in how many, is not stated';
const notFacts = 'nothing: verdicts of a user are not facts';
const atMost5 = '"better" or "worse" in at most 5 %';

export const provenanceRates: Rate[] = [
  repeatedPairs(60, 5, true),
  repeatedPairs(100, 3, true),
  repeatedPairs(20, 10, true),
  repeatedPairs(60, 5, false),
  repeatedPairs(20, 10, false),
  monthOfAlarms({ each: 5, rates: [0.9] }, oneOfTwelve),
  monthOfAlarms({ each: 5, rates: [0.93] }, oneOfTwelve),
  monthOfAlarms({ each: 1, rates: [0.9] }, oneOfTwelve),
  monthOfAlarms({ each: 5, rates: [0.8] }, found),
  monthOfAlarms({ each: 5, rates: [0.95, 0.85] }, found),
  monthOfAlarms({ each: 1, rates: [0.95, 0.85] }, found),
  monthOfAlarms({ each: 5, rates: [0.9], byUser: false }, notFacts),
  monthOfAlarms({ each: 5, rates: [0.93], byUser: false }, notFacts),
  weeks(0, 0.9, true, 'a change in at most 5 %'),
  weeks(1, 0.9, true, 'a change in at most 5 %'),
  weeks(0, 0.9, false, 'nothing: records of a user are not facts'),
  weeks(0, 0.8, true, 'a change; in how many, is not stated'),
  weeks(1, 0.8, true, 'a change; in how many, is not stated'),
  ordered(true),
  ordered(false),
  groups(30, 20, 0.95),
  groups(100, 10, 0.95),
  slices(0.9, 'a slice in at most 2.5 %'),
  slices(0.25, 'the language first; in how many, is not stated'),
  rise(50),
  rise(200),
  pooled(1, 0, atMost5),
  pooled(3, 0, atMost5),
  pooled(1, 0.05, '"worse"; in how many, is not stated'),
  pooled(3, 0.05, '"worse"; in how many, is not stated'),
  manyToOne('first', 0, atMost5),
  manyToOne('first', 0.1, '"worse"; in how many, is not stated'),
  manyToOne('all', 0.1, '"worse"; in how many, is not stated'),
];
