import { describe, expect, it } from 'vitest';
import {
  concludeCorrections,
  correctedDifference,
  type JudgedPair,
  type JudgedSide,
  measureCorrection,
} from './paired-correction.ts';
import { ppiPlusPlus } from './prediction-powered.ts';
import { seededRandom, uniform } from './random.ts';
import { strataOf } from './strata.ts';

const bits = (text: string): number[] => Array.from(text, Number);
const sides = (judge: string, human: string, labelled: string, chances: string): JudgedSide[] =>
  bits(judge).map((verdict, i) => ({
    judge: verdict,
    human: labelled[i] === '1' ? Number(human[i]) : null,
    inclusionProbability: Number(chances[i]) / 10,
  }));

// numpy: 80 testcases whose records were labelled with chance .4 or .6; 38 have a label in both runs.
const chances = '46444646664664464464664466666444464646646664646446446664464466644644646446444644';
const before = sides(
  '11111111001001101101001100000111101110011011011110110001111110111111110110111011',
  '11111011011111101101011111100111101111011111011110111101111110110111010111101011',
  '00000001011111110000000110101100111101100111111111011111000111110110100111000100',
  chances,
);
const after = sides(
  '10111010011011111111011110111111111011110101010111111111101100011011011111111111',
  '10111011011111101001011111100111101111011111011110111111110110110011010111101011',
  '00000001001101100000000010011100111111100111011011011111000111110110100111001100',
  chances,
);
const pairs = before.map((side, i) => ({ before: side, after: after[i]! }));

describe('a difference corrected for the judge of both runs', () => {
  // scipy.optimize.minimize over both λ of Σ(ψ_B − ψ_A)², two strata of each run, Satterthwaite's t.ppf(.975, 28.78)
  it('is the one that λ of least variance give', () => {
    const result = correctedDifference(pairs, { boolean: true });
    expect(result).toMatchObject({
      n: 80,
      labelled: { before: 45, after: 41, both: 38 },
      disagreements: { before: 11, after: 13 },
    });
    expect(result.lambda!.before).toBeCloseTo(0.0425374, 5);
    expect(result.lambda!.after).toBeCloseTo(0.063272, 5);
    expect(result.difference).toBeCloseTo(-0.014266125103625682, 6);
    expect(result.standardError).toBeCloseTo(0.045891235937987274, 7);
    expect(result.interval!.low).toBeCloseTo(-0.10815552798626213, 6);
    expect(result.interval!.high).toBeCloseTo(0.07962327777901076, 6);
  });

  it('with a sure first run is PPI++ of the second', () => {
    const labelled = before.map((side, i) => ({ ...side, human: i % 3 ? null : i % 2 }));
    const second = labelled.map(({ judge, human }) => ({ judge, human }));
    const known = second.map(({ human }) => ({ judge: 0, human: human === null ? null : 0 }));
    const { difference } = correctedDifference(
      second.map((side, i) => ({ before: known[i]!, after: side })),
      { boolean: false },
    );
    const split = (has: boolean) => second.filter(({ human }) => (human !== null) === has);
    const alone = ppiPlusPlus(
      strataOf(
        split(true).map(({ judge, human }) => ({ judge, human: human! })),
        split(false),
      ),
    );
    // Both choose λ; PPI++ from the pooled variance of the judge, the difference from the influences.
    expect(Math.abs(difference! - alone.estimate)).toBeLessThan(0.02);
  });

  it('of a run with itself is 0 with a sound interval, however often the judge errs in a stratum', () => {
    const twisted = before.map((side, i) => ({
      judge: i % 2,
      human: i < 30 ? (i % 3 === 0 ? i % 2 : 1 - (i % 2)) : null,
      inclusionProbability: side.inclusionProbability!,
    }));
    const result = correctedDifference(
      twisted.map((side) => ({ before: side, after: side })),
      { boolean: true },
    );
    expect(result.difference).toBe(0);
    expect(result.standardError).toBeGreaterThanOrEqual(0);
    expect(result.interval!.low).toBeLessThanOrEqual(0);
    expect(result.interval!.high).toBeGreaterThanOrEqual(0);
    expect(result.verdict).toBe('cannot tell');
  });

  it('swapping the runs mirrors it', () => {
    const forth = correctedDifference(pairs, { boolean: true });
    const back = correctedDifference(
      pairs.map((pair) => ({ before: pair.after, after: pair.before })),
      { boolean: true },
    );
    expect(back.difference).toBeCloseTo(-forth.difference!, 12);
    expect(back.interval!.low).toBeCloseTo(-forth.interval!.high, 12);
  });
});

it('below the floor the labels speak alone, and say so', () => {
  const few = pairs.map(({ before: a, after: b }, i) => ({
    before: { judge: a.judge, human: i < 8 ? 1 : null },
    after: { judge: b.judge, human: i < 8 ? i % 2 : null },
  }));
  const result = correctedDifference(few, { boolean: true });
  expect(result.method).toBe('wilson on the labels alone, square-and-add');
  expect(result.caveats.map(({ code }) => code)).toContain('belowFloor');
  // statsmodels 0.15: confint_proportions_2indep(4, 8, 8, 8, method='newcomb')
  expect(result.interval!.low).toBeCloseTo(-0.7847839377861225, 9);
  expect(result.interval!.high).toBeCloseTo(-0.06832632767927682, 9);
});

describe('corrected differences that are read together', () => {
  const measured = measureCorrection(pairs, { boolean: true });

  it('have p adjusted by Holm, verdicts that rest on it, and intervals that hold together', () => {
    const sure = { ...measured, difference: -0.1, interval: { low: -0.19, high: -0.01 } };
    const results = concludeCorrections([
      { ...sure, p: 0.02 },
      { ...sure, p: 0.03 },
      { ...sure, p: 0.9 },
      { ...measured, difference: null, interval: null, p: null },
    ]);
    // By hand: 3 · .02 = .06; max(.06, 2 · .03) = .06; .9. Without labels there is no test.
    expect(results.map(({ adjustedP }) => adjustedP)).toEqual([0.06, 0.06, 0.9, null]);
    expect(results.map(({ tests }) => tests)).toEqual([3, 3, 3, 3]);
    expect(results.map(({ verdict }) => verdict)).toEqual(Array(4).fill('cannot tell'));
    expect(results[0]!.sentence).toBe(
      'cannot tell: the labels exclude 0 for this metric alone, but not among 3 tests',
    );
    // scipy: t.ppf(.991667, 28.78) = 2.5421.
    expect(results[0]!.simultaneousLevel).toBeCloseTo(1 - 0.05 / 3, 12);
    expect(results[0]!.simultaneousInterval!.low).toBeCloseTo(-0.13092623, 6);
    expect(results[0]!.simultaneousInterval!.high).toBeCloseTo(0.10239398, 6);
  });

  it('step down: .01 · 2 and .04 · 1 are both below .05', () => {
    const interval = { low: -0.19, high: -0.01 };
    const sure = { ...measured, difference: -0.1, interval, intervalAt: () => interval };
    const results = concludeCorrections([
      { ...sure, p: 0.04 },
      { ...sure, p: 0.01 },
    ]);
    expect(results.map(({ adjustedP }) => adjustedP)).toEqual([0.04, 0.02]);
    expect(results.map(({ verdict }) => verdict)).toEqual(['worse', 'worse']);
    expect(results.map(({ verdictLevel }) => verdictLevel)).toEqual([0.95, 0.975]);
  });

  it('that rest on labels alone have the p at which their interval reaches 0', () => {
    const few = pairs.map(({ before: a, after: b }, i) => ({
      before: { judge: a.judge, human: i < 8 ? 1 : null },
      after: { judge: b.judge, human: i < 8 ? i % 2 : null },
    }));
    const one = measureCorrection(few, { boolean: true });
    // Newcombe's interval for 4 of 8 against 8 of 8 reaches 0 at this α, found by bisection in Python.
    expect(one.p).toBeCloseTo(0.02360932766, 9);
    const [alone] = concludeCorrections([one]);
    expect(alone).toMatchObject({ verdict: 'worse', adjustedP: one.p });
    const [first] = concludeCorrections([one, one, one]);
    expect(first).toMatchObject({ verdict: 'cannot tell' });
    expect(first!.adjustedP).toBeCloseTo(3 * 0.02360932766, 9);
    expect(first!.simultaneousInterval!.high).toBeCloseTo(0.0277820928, 8);
  });
});

it('without labels there is no answer, and why', () => {
  const none = pairs.map(({ before: a, after: b }) => ({
    before: { judge: a.judge, human: null },
    after: { judge: b.judge, human: null },
  }));
  expect(correctedDifference(none, { boolean: true })).toMatchObject({
    difference: null,
    verdict: 'cannot tell',
    reason: 'people labelled 0 records of the first and 0 of the second run: each needs two',
  });
});

it('a judge that is stricter on one run makes equal systems differ; the correction does not', () => {
  const random = seededRandom(5);
  const draw = () =>
    Array.from({ length: 500 }, () => {
      const easy = uniform(random) < 0.5;
      const labelled = uniform(random) < 0.2;
      const side = (specificity: number) => {
        const human = Number(uniform(random) < (easy ? 0.95 : 0.45));
        const judge = Number(uniform(random) < (human ? 0.9 : 1 - specificity));
        return { judge, human: labelled ? human : null };
      };
      return { before: side(0.8), after: side(0.6) };
    });
  const results = Array.from({ length: 300 }, () => correctedDifference(draw(), { boolean: true }));
  const held = results.filter(({ interval }) => interval!.low <= 0 && 0 <= interval!.high).length / 300;
  expect(held).toBeGreaterThanOrEqual(0.93);
  const misled = results.filter(({ uncorrected }) => uncorrected! > 0.03).length / 300;
  expect(misled).toBeGreaterThan(0.8);
});

// Equal systems differ in 6 % of 3,000 draws (60 × 5: 8 %, 200 × 2: 5 %), and as independent testcases in 20 % (31 %, 14 %).
it('testcases of one group are one unit: 100 questions three times each, labels of half, equal systems, seeded', () => {
  const numbers = seededRandom(12);
  const chance = (p: number) => numbers() / 2 ** 32 < p;
  const draws = 300;
  let [differ, asIndependent] = [0, 0];
  for (let i = 0; i < draws; i++) {
    const sides = Array.from({ length: 100 }, () =>
      [0, 1].map(() => {
        const human = Number(chance(0.75));
        return { human, judge: Number(chance(human === 1 ? 0.95 : 0.2)) };
      }),
    );
    const pairs = Array.from({ length: 300 }, (_, at): JudgedPair => {
      const [before, after] = sides[at % 100]!.map(({ human, judge }) => ({
        judge,
        human: chance(0.5) ? human : null,
        inclusionProbability: 0.5,
      }));
      return { before: before!, after: after!, group: at % 100 };
    });
    if (correctedDifference(pairs, { boolean: true }).verdict !== 'cannot tell') differ++;
    const alone = pairs.map(({ before, after }) => ({ before, after }));
    if (correctedDifference(alone, { boolean: true }).verdict !== 'cannot tell') asIndependent++;
  }
  expect(differ / draws).toBeLessThan(0.08);
  expect(asIndependent / draws).toBeGreaterThan(0.12);
});
