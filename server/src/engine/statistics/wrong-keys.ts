/** Finds testcases whose expected answer is probably wrong, from the answers of many versions. */

/** What the versions of a system answered to one testcase: how many gave the key, and how many gave each other answer. */
export type AnswerCounts = { numKey: number; others: readonly number[] };

/** How probable it is that the key is wrong, and which of `others` is then the right answer. */
export type KeyDoubt = { probability: number; other: number };

/** With fewer answers a common mistake looks like a wrong key. */
export const fewestAnswers = 5;
const iterations = { trusting: 40, doubting: 60 };
/** More wrong keys are not believed: versions that answer alike would then outvote every key. Northcutt et al. (2021) find 3.4 % in ten test sets, at most 10 %. */
const mostWrong = 0.1;

const startWrong = 0.02;

/** Chances that a version answers a testcase rightly. */
const chances = [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98];
/** How spread wrong answers are: with 0.03 nearly all repeat the first, with 1 every second one, with 300 one of 300. */
const spreads = [0.03, 0.3, 1, 3, 10, 30, 300];
/**
 * Testcases that each parameter counts for before any is seen. They speak for right keys, and for mistakes that versions have in common, so
 * that a few testcases accuse no key.
 */
const prior = { right: 39, wrong: 1, chance: 0.3, spreads: [1, 1, 1, 0.5, 0.25, 0.25, 0.25] };

/** Logarithm of 1·2·…·n, for n from 0. */
const logFactorials = [0];
const logFactorial = (n: number): number => {
  for (let i = logFactorials.length; i <= n; i++) logFactorials.push(logFactorials[i - 1]! + Math.log(i));
  return logFactorials[n]!;
};

/**
 * Logarithm of the probability that wrong answers fall into groups of these sizes. Ewens (1972), Theoretical Population Biology 3:87–112;
 * in this form Pitman (1995), Probability Theory and Related Fields 102:145–158.
 */
const logPartition = (sizes: readonly number[], spread: number): number => {
  let [log, n] = [0, 0];
  for (const size of sizes) {
    if (size === 0) continue;
    log += Math.log(spread) + logFactorial(size - 1);
    n += size;
  }
  for (let i = 0; i < n; i++) log -= Math.log(spread + i);
  return log;
};

const logBinomial = (right: number, n: number, chance: number): number =>
  right * Math.log(chance) + (n - right) * Math.log(1 - chance);

/** A pattern of answers: how often it occurs, and its likelihood by chance and spread if the key is right, and if each other answer is. */
type Pattern = { count: number; ofKey: Float64Array; ofOthers: Float64Array[] };

const cells = chances.length * spreads.length;

/** Likelihoods by cell, for a right answer that `right` of n versions gave while the wrong ones fell into `wrong`. */
const likelihoodsOf = (right: number, n: number, wrong: readonly number[]): Float64Array => {
  const found = new Float64Array(cells);
  for (const [j, spread] of spreads.entries()) {
    const partition = logPartition(wrong, spread);
    for (const [i, chance] of chances.entries())
      found[i * spreads.length + j] = Math.exp(partition + logBinomial(right, n, chance));
  }
  return found;
};

const patternOf = ({ numKey, others }: AnswerCounts): Pattern => {
  const n = others.reduce((sum, size) => sum + size, numKey);
  // A wrong key is one more wrong answer, which the versions that gave it share.
  const withKey = (rest: readonly number[]) => [...rest, numKey + 1];
  return {
    count: 0,
    ofKey: likelihoodsOf(numKey, n, others),
    ofOthers: [
      ...others.map((size, i) => likelihoodsOf(size, n, withKey(others.filter((_, j) => j !== i)))),
      likelihoodsOf(0, n, withKey(others)),
    ],
  };
};

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

type Model = { wrong: number; byChance: Float64Array; bySpread: Float64Array };

const weightsOf = ({ byChance, bySpread }: Model): Float64Array => {
  const weights = new Float64Array(cells);
  for (let i = 0; i < chances.length; i++)
    for (let j = 0; j < spreads.length; j++) weights[i * spreads.length + j] = byChance[i]! * bySpread[j]!;
  return weights;
};

const normalized = (values: Float64Array): Float64Array => {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
};

/** One step of expectation and maximization, towards the most probable model. */
const improve = (model: Model, patterns: readonly Pattern[]): Model => {
  const weights = weightsOf(model);
  const byChance = new Float64Array(chances.length).fill(prior.chance);
  const bySpread = Float64Array.from(prior.spreads);
  let [right, wrong] = [prior.right, prior.wrong];
  const add = (likelihoods: Float64Array, share: number) => {
    for (let cell = 0; cell < cells; cell++) {
      const part = share * likelihoods[cell]! * weights[cell]!;
      byChance[Math.floor(cell / spreads.length)]! += part;
      bySpread[cell % spreads.length]! += part;
    }
  };
  for (const { count, ofKey, ofOthers } of patterns) {
    const ifRight = (1 - model.wrong) * dot(ofKey, weights);
    const ifWrong = ofOthers.map((likelihoods) => model.wrong * dot(likelihoods, weights));
    const all = ifWrong.reduce((sum, one) => sum + one, ifRight);
    right += (count * ifRight) / all;
    wrong += (count * (all - ifRight)) / all;
    add(ofKey, (count * (1 - model.wrong)) / all);
    for (const likelihoods of ofOthers) add(likelihoods, (count * model.wrong) / all);
  }
  return {
    wrong: Math.min(mostWrong, wrong / (right + wrong)),
    byChance: normalized(byChance),
    bySpread: normalized(bySpread),
  };
};

/**
 * Returns for each testcase how probable it is that its key is wrong, and null for one with too few answers. Two explanations compete for the
 * same answers: the key is right, and the versions share a mistake; or another answer is right, and the key is one more wrong answer. How hard
 * testcases are and how often mistakes are shared is learned from all testcases together.
 */
export const doubtKeys = (cases: readonly AnswerCounts[]): (KeyDoubt | null)[] => {
  const patterns = new Map<string, Pattern>();
  const patternsOf = cases.map((given) => {
    const order = given.others.map((_, i) => i).sort((a, b) => given.others[b]! - given.others[a]!);
    const others = order.map((i) => given.others[i]!);
    const n = others.reduce((sum, size) => sum + size, given.numKey);
    if (n < fewestAnswers) return null;
    const key = `${given.numKey} ${others}`;
    const pattern = patterns.get(key) ?? patternOf({ numKey: given.numKey, others });
    pattern.count++;
    patterns.set(key, pattern);
    return { pattern, order };
  });
  let model: Model = {
    wrong: 0,
    byChance: new Float64Array(chances.length).fill(1 / chances.length),
    bySpread: new Float64Array(spreads.length).fill(1 / spreads.length),
  };
  const given = [...patterns.values()];
  // First each key is trusted, so that shared mistakes explain what they can.
  for (let i = 0; i < iterations.trusting; i++) model = { ...improve(model, given), wrong: 0 };
  model.wrong = startWrong;
  for (let i = 0; i < iterations.doubting; i++) model = improve(model, given);
  const weights = weightsOf(model);
  return patternsOf.map((found) => {
    if (!found) return null;
    const { ofKey, ofOthers } = found.pattern;
    const ifRight = (1 - model.wrong) * dot(ofKey, weights);
    // The last explanation is that no version knows the right answer: it accuses the key of nothing that a reader could check.
    const ifOther = ofOthers.slice(0, -1).map((likelihoods) => model.wrong * dot(likelihoods, weights));
    const noneKnows = model.wrong * dot(ofOthers.at(-1)!, weights);
    const most = Math.max(0, ...ifOther);
    const all = ifOther.reduce((sum, one) => sum + one, ifRight + noneKnows);
    return { probability: most / all, other: most > 0 ? found.order[ifOther.indexOf(most)]! : -1 };
  });
};

/**
 * Returns the indexes of the most doubtful keys, as many as can be listed while at least `precision` of the list is expected to be wrong.
 * Efron & Tibshirani (2002), Genetic Epidemiology 23:70–86: the mean of local false discovery rates is that of the list.
 */
export const listDoubtful = (doubts: readonly (KeyDoubt | null)[], precision = 0.9): number[] => {
  const sorted = doubts
    .flatMap((doubt, i) => (doubt && doubt.probability > 0.5 ? [{ i, p: doubt.probability }] : []))
    .sort((a, b) => b.p - a.p || a.i - b.i);
  let sum = 0;
  let listed = 0;
  for (const [place, { p }] of sorted.entries()) {
    sum += p;
    if (sum / (place + 1) < precision) break;
    listed = place + 1;
  }
  return sorted.slice(0, listed).map(({ i }) => i);
};
