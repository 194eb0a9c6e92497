/** One verdict of a stream, with its time. */
export type Verdict = {
  passed: boolean;
  atMs: number;
  /** Verdicts of one unit, such as a user, depend on each other; null for a verdict that is a unit by itself. */
  unit?: string | null;
  /** The spans of a record, if the metric scores spans: they are one verdict, the share of them that passes. */
  spans?: { n: number; passes: number } | null;
};

/** From 0 to 1: how much of a verdict passes. */
const shareOf = ({ passed, spans }: Verdict): number => (spans ? spans.passes / spans.n : Number(passed));

/** The point at which a stream was found to be worse. */
export type Alarm = {
  /** Index of the verdict that raised it. */
  index: number;
  /** Number of verdicts since the likeliest start of the change; of what they count, their spans if they have some; and of passes among it. */
  since: { verdicts: number; n: number; passes: number; atMs: number };
};

const yearMs = 365.25 * 24 * 3_600_000;

/** Stake of each bet, as a share of the largest possible loss; small bets find small changes. */
const stakes = [0.05, 0.1, 0.2, 0.4, 0.8];

const dayMs = 24 * 3_600_000;

/** A bet on the share of passes among the verdicts of a unit, and the newest verdict at that time. */
type Bet = { atMs: number; passed: number; index: number };

/** A unit from its first verdict on, for a day: one that comes back later counts again. */
type Unit = Bet & { n: number; isAlone: boolean };

const unitsOf = (verdicts: readonly Verdict[]): Unit[] => {
  const latest = new Map<string, Unit>();
  const units: Unit[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    const { atMs, unit } = verdict;
    const known = unit == null ? undefined : latest.get(unit);
    if (known && atMs < known.atMs + dayMs) {
      known.passed += shareOf(verdict);
      known.n++;
      continue;
    }
    const made = { atMs, passed: shareOf(verdict), index, n: 1, isAlone: unit == null };
    units.push(made);
    if (unit != null) latest.set(unit, made);
  }
  return units;
};

/** The bets on the mean of each unit, a day after its first verdict. A verdict without a unit is bet on at once. */
const betsOnMeans = (units: readonly Unit[], verdicts: readonly Verdict[], nowMs: number): Bet[] => {
  const bets = units
    .filter(({ atMs, isAlone }) => isAlone || atMs + dayMs <= nowMs)
    .map(({ atMs, passed, index, n, isAlone }) => ({
      atMs: isAlone ? atMs : atMs + dayMs,
      passed: passed / n,
      index,
    }))
    .sort((a, b) => a.atMs - b.atMs || a.index - b.index);
  let newest = 0;
  return bets.map((bet) => {
    while (newest + 1 < verdicts.length && verdicts[newest + 1]!.atMs <= bet.atMs) newest++;
    return { ...bet, index: Math.max(newest, bet.index) };
  });
};

/** Starts the capital of a series of bets. Returns a function that makes the next bet and returns the capital. */
const startBetting = (rate: number, fromMs: number) => {
  const capital = stakes.map(() => 0);
  let before = fromMs;
  return ({ atMs, passed }: Bet): number => {
    const waited = Math.max(0, atMs - before) / yearMs;
    before = atMs;
    for (const [j, stake] of stakes.entries())
      capital[j] = (capital[j]! + waited) * (1 + (stake * (rate - passed)) / (1 - rate));
    return capital.reduce((sum, each) => sum + each, 0) / stakes.length;
  };
};

/** The verdicts since the likeliest start of a fall below `rate`, by the log-likelihood ratio of the last change (CUSUM). */
const sinceFall = (verdicts: readonly Verdict[], rate: number): Alarm['since'] => {
  const [worse, better] = [Math.log((1 - rate / 2) / (1 - rate)), Math.log(0.5)];
  let [evidence, begin] = [0, 0];
  for (const [index, verdict] of verdicts.entries()) {
    const share = shareOf(verdict);
    evidence += share * better + (1 - share) * worse;
    if (evidence <= 0) [evidence, begin] = [0, index + 1];
  }
  const part = verdicts.slice(Math.min(begin, verdicts.length - 1));
  const counted = part.map(({ passed, spans }) => spans ?? { n: 1, passes: Number(passed) });
  const sumOf = (key: 'n' | 'passes') => counted.reduce((sum, each) => sum + each[key], 0);
  return { verdicts: part.length, n: sumOf('n'), passes: sumOf('passes'), atMs: part[0]!.atMs };
};

/**
 * Returns the first alarm that the pass rate of a stream has fallen below `rate`; null without one.
 *
 * Each bet against "the rate is at least `rate`" multiplies its capital by 1 + s·(rate − x)/(1 − rate), a factor whose mean is at most 1
 * while that is true. A new bet of as many dollars as years have passed begins each time, so that all capital together, less the years, is a
 * supermartingale: an alarm at a capital of `years` comes, on average, after that many years or later. This is the Shiryaev–Roberts
 * e-detector of Shin, Ramdas & Rinaldo (2024), New England J. Stat. Data Sci. 2(2):229–260, https://doi.org/10.51387/23-NEJSDS51, on the
 * clock instead of the count. It assumes that times are independent of verdicts, and that a unit passes with probability `rate` or more
 * whatever the earlier units did.
 *
 * Verdicts of one unit depend on each other, so there is one bet for each unit and day. Half of the capital bets on a unit's first verdict,
 * which is known at once; the other half on its mean, which is known a day later and tells more. The spans of a record depend on each other
 * too, so they are one verdict whatever their number: the share of them that passes.
 */
export const findAlarm = (
  verdicts: readonly Verdict[],
  { rate, years, fromMs, nowMs }: { rate: number; years: number; fromMs: number; nowMs: number },
): Alarm | null => {
  const raise = (index: number): Alarm => ({
    index,
    since: sinceFall(verdicts.slice(0, index + 1), rate),
  });
  const units = unitsOf(verdicts);
  const first = units.map(({ index, atMs }) => ({ index, atMs, passed: shareOf(verdicts[index]!) }));
  const means = betsOnMeans(units, verdicts, nowMs);
  const [betOnFirst, betOnMean] = [startBetting(rate, fromMs), startBetting(rate, fromMs)];
  let [ofFirst, ofMeans, i, j] = [0, 0, 0, 0];
  while (i < first.length || j < means.length) {
    const isFirst = j >= means.length || (i < first.length && first[i]!.atMs <= means[j]!.atMs);
    const bet = isFirst ? first[i++]! : means[j++]!;
    if (isFirst) ofFirst = betOnFirst(bet);
    else ofMeans = betOnMean(bet);
    if ((ofFirst + ofMeans) / 2 >= years) return raise(bet.index);
  }
  return null;
};
