/** A few planned looks at a growing run: their boundaries share the error rate of one test. */
import { invertUpperTail, normalCdf, normalQuantile } from './distributions.ts';
import { bisect } from './paired-proportions.ts';

export type Look = {
  /** Share of the planned testcases. */
  fraction: number;
  /** Boundary of the absolute standardized difference. */
  boundary: number;
  /** Two-sided p up to which this look decides. */
  nominal: number;
};

/** Fewest and most points of the integral between two boundaries; Simpson's rule needs an odd number. */
const [fewestPoints, mostPoints] = [61, 4001];
/** Points in each standard deviation of what the next look adds. */
const pointsInDeviation = 4;
/** Beyond this many standard deviations there is no density. */
const farthest = 40;

/**
 * One-sided error that is spent until a share of the information: the O'Brien–Fleming type of Lan & DeMets (1983), Biometrika 70:659–663.
 */
const spentUntil = (fraction: number, oneSided: number): number =>
  2 * normalCdf(normalQuantile(oneSided / 2) / Math.sqrt(fraction));

const normalDensity = (x: number, deviation: number): number =>
  Math.exp(-((x / deviation) ** 2) / 2) / (deviation * Math.sqrt(2 * Math.PI));

/** Draws that no look has stopped: possible sums of what was seen, and the probability of each, as weights of the integral. */
type Going = { places: Float64Array; mass: Float64Array };

/** Returns the integral over the draws that go on. */
const integrate = ({ places, mass }: Going, value: (place: number) => number): number => {
  let sum = 0;
  for (let i = 0; i < places.length; i++) sum += mass[i]! * value(places[i]!);
  return sum;
};

/** Returns the line above which the next sum lies with probability `spend`, among the draws that go on. */
const lineAbove = (going: Going, spend: number, deviation: number): number =>
  invertUpperTail(
    (line) => integrate(going, (place) => normalCdf((place - line) / deviation)),
    (line) => integrate(going, (place) => normalDensity(line - place, deviation)),
    spend,
    2 * deviation,
    farthest,
  );

/**
 * Returns the draws whose next sum stays inside ±`edge`; `next` is the standard deviation of what the look after it adds, and `shift` the
 * mean of what this one does.
 */
const goOn = (going: Going, edge: number, deviation: number, next: number, shift = 0): Going => {
  const wanted = 2 * Math.ceil((pointsInDeviation * edge) / next) + 1;
  const points = Math.min(mostPoints, Math.max(fewestPoints, wanted));
  const step = (2 * edge) / (points - 1);
  const places = Float64Array.from({ length: points }, (_, i) => -edge + i * step);
  const mass = places.map((place, i) => {
    const simpson = i === 0 || i === points - 1 ? 1 : i % 2 === 1 ? 4 : 2;
    return (step / 3) * simpson * integrate(going, (from) => normalDensity(place - from - shift, deviation));
  });
  return { places, mass };
};

/**
 * Returns the boundary of each look, given the share of the planned testcases that it has seen. The shares need not be as planned, but must
 * not depend on results. If the run is over with fewer testcases than planned (`isLast`), its last look spends all that is left.
 * Boundaries come from the recursion of Armitage, McPherson & Rowe (1969), J. R. Stat. Soc. A 132:235–244.
 */
export const boundariesOf = (fractions: readonly number[], level: number, isLast = false): Look[] => {
  const oneSided = (1 - level) / 2;
  let going: Going = { places: Float64Array.of(0), mass: Float64Array.of(1) };
  let [seen, spent] = [0, 0];
  return fractions.map((fraction, i) => {
    const next = fractions[i + 1];
    const deviation = Math.sqrt(fraction - seen);
    const spentBy = spentUntil(isLast && next === undefined ? 1 : fraction, oneSided);
    const edge = lineAbove(going, spentBy - spent, deviation);
    if (next !== undefined) going = goOn(going, edge, deviation, Math.sqrt(next - fraction));
    [seen, spent] = [fraction, spentBy];
    const boundary = edge / Math.sqrt(fraction);
    return { fraction, boundary, nominal: 2 * normalCdf(-boundary) };
  });
};

/**
 * The chance that a look at the end decides in one direction, given the standardized difference now, if the truth is the difference that one
 * look finds with this power: conditional power, Lan, Simon & Halperin (1982), Commun. Stat. C 1:207–219. Stopping by it does not change the
 * boundaries: they hold whether a run stops or goes on.
 */
export const conditionalPower = (
  z: number,
  fraction: number,
  { level, power }: { level: number; power: number },
): number => {
  const critical = normalQuantile((1 + level) / 2);
  const drift = critical + normalQuantile(power);
  const left = 1 - fraction;
  if (left <= 0) return Number(Math.abs(z) >= critical);
  return 1 - normalCdf((critical - Math.abs(z) * Math.sqrt(fraction) - drift * left) / Math.sqrt(left));
};

/** Returns the chance that a look decides in the right direction, if the standardized difference at the end is `drift` on average. */
const powerOf = (looks: readonly Look[], drift: number): number => {
  let going: Going = { places: Float64Array.of(0), mass: Float64Array.of(1) };
  let [seen, power] = [0, 0];
  for (const [i, { fraction, boundary }] of looks.entries()) {
    const deviation = Math.sqrt(fraction - seen);
    const shift = drift * (fraction - seen);
    const edge = boundary * Math.sqrt(fraction);
    const next = looks[i + 1];
    power += integrate(going, (place) => normalCdf((place + shift - edge) / deviation));
    if (next) going = goOn(going, edge, deviation, Math.sqrt(next.fraction - fraction), shift);
    seen = fraction;
  }
  return power;
};

const inflate = (numLooks: number, level: number, power: number): number => {
  const looks = boundariesOf(
    Array.from({ length: numLooks }, (_, i) => (i + 1) / numLooks),
    level,
  );
  const alone = normalQuantile((1 + level) / 2) + normalQuantile(power);
  const needed = bisect((drift) => powerOf(looks, drift) - power, alone, 2 * alone);
  return (needed / alone) ** 2;
};

/** The factors of plans by looks, level and power: one takes 20 ms. */
const inflations = new Map<string, number>();
const mostInflations = 1_000;

/**
 * Returns how many times more testcases equal looks need than one look at the end, for the same power. Jennison & Turnbull (2000), Group
 * Sequential Methods with Applications to Clinical Trials, chapter 7.
 */
export const inflationOf = (numLooks: number, { level, power }: { level: number; power: number }): number => {
  if (numLooks === 1) return 1;
  const key = [numLooks, level, power].join(' ');
  const factor = inflations.get(key) ?? inflate(numLooks, level, power);
  if (inflations.size >= mostInflations) inflations.clear();
  inflations.set(key, factor);
  return factor;
};
