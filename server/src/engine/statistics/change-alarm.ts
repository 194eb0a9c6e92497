/** One verdict of a stream, with its time. */
export type Verdict = { passed: boolean; atMs: number };

/** The point at which a stream was found to be worse. */
export type Alarm = {
  /** Index of the verdict that raised it. */
  index: number;
  /** Number of verdicts, and of passes among them, since the likeliest start of the change. */
  since: { n: number; passes: number; atMs: number };
};

const yearMs = 365.25 * 24 * 3_600_000;

/** Stake of each bet, as a share of the largest possible loss; small bets find small changes. */
const stakes = [0.05, 0.1, 0.2, 0.4, 0.8];

/**
 * Returns the first alarm that the pass rate of a stream has fallen below `rate`; null without one.
 *
 * At each verdict, a bet against "the rate is at least `rate`" multiplies its capital by 1 + s·(rate − x)/(1 − rate), a factor whose mean
 * is at most 1 while that is true. A new bet of as many dollars as years have passed begins with each verdict, so that all capital
 * together, less the years, is a supermartingale: an alarm at a capital of `years` comes, on average, after that many years or later. This
 * is the Shiryaev–Roberts e-detector of Shin, Ramdas & Rinaldo (2024), New England J. Stat. Data Sci. 2(2):229–260,
 * https://doi.org/10.51387/23-NEJSDS51, on the clock instead of the count. It assumes that times are independent of verdicts, and that a
 * verdict passes with probability `rate` or more whatever the earlier verdicts were: long sessions that fail as a whole break this.
 */
export const findAlarm = (
  verdicts: readonly Verdict[],
  { rate, years, fromMs }: { rate: number; years: number; fromMs: number },
): Alarm | null => {
  const capital = stakes.map(() => 0);
  // Log-likelihood ratio of the last change (CUSUM), to find its start.
  const [worse, better] = [Math.log((1 - rate / 2) / (1 - rate)), Math.log(0.5)];
  let [evidence, begin, before] = [0, 0, fromMs];
  for (const [index, { passed, atMs }] of verdicts.entries()) {
    const waited = Math.max(0, atMs - before) / yearMs;
    before = atMs;
    for (const [j, stake] of stakes.entries()) {
      const factor = passed ? 1 - stake : 1 + (stake * rate) / (1 - rate);
      capital[j] = (capital[j]! + waited) * factor;
    }
    evidence += passed ? better : worse;
    if (evidence <= 0) [evidence, begin] = [0, index + 1];
    if (capital.reduce((sum, each) => sum + each, 0) / stakes.length < years) continue;
    const part = verdicts.slice(Math.min(begin, index), index + 1);
    const passes = part.filter((each) => each.passed).length;
    return { index, since: { n: part.length, passes, atMs: part[0]!.atMs } };
  }
  return null;
};
