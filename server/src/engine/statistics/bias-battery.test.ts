import { describe, expect, it } from 'vitest';
import { detectableWith, type JudgedEdited, testBiases } from './bias-battery.ts';
import { seededRandom, uniform } from './random.ts';

const record = (reference: boolean, placebo: boolean, edited: boolean | null): JudgedEdited => ({
  reference,
  placebo,
  edited,
  group: null,
});
const times = (n: number, one: JudgedEdited) => Array.from({ length: n }, () => one);

/** A judge who errs at random: it flips its verdict in `noise` of all questions, and passes an edited record that fails in `bias`. */
const battery = (seed: number, { n, noise, bias }: { n: number; noise: number; bias: readonly number[] }) => {
  const drawn = seededRandom(seed);
  const random = () => uniform(drawn);
  const truth = Array.from({ length: n }, () => random() < 0.6);
  const say = (passes: boolean) => (random() < noise ? !passes : passes);
  const asIs = truth.map((passes) => ({ reference: say(passes), placebo: say(passes) }));
  return bias.map((share) =>
    truth.map((passes, i) => ({ ...asIs[i]!, edited: say(passes || random() < share), group: null })),
  );
};

describe('a bias battery', () => {
  it('counts flips beyond those of the placebo, with the direction, and says how many more records would tell', () => {
    const [padding, format, order] = testBiases(
      [
        [...times(70, record(true, true, true)), ...times(30, record(false, false, true))],
        [...times(97, record(true, true, true)), ...times(3, record(true, false, true))],
        [
          ...times(18, record(true, true, true)),
          ...times(2, record(true, true, false)),
          record(true, true, null),
        ],
      ],
      0.05,
    );
    expect(padding).toMatchObject({
      n: 100,
      numFlips: 30,
      numPlaceboFlips: 0,
      difference: 0.3,
      numToPass: 30,
      numToFail: 0,
      verdict: 'biased',
      direction: 'pass',
      numMoreRecords: null,
    });
    expect(padding!.sentence).toMatch(
      /^biased, towards pass: 30 of 100 verdicts changed, 0 without the edit: 30.0 points/,
    );
    // Noise of the judge itself is no bias.
    expect(format).toMatchObject({ numFlips: 0, numPlaceboFlips: 3, verdict: 'clear', direction: 'neither' });
    expect(order).toMatchObject({ n: 20, numUndecided: 1, verdict: 'cannot tell', direction: 'neither' });
    expect(order!.numMoreRecords).toBe(59);
    // Twenty records find only what changes a third of the verdicts.
    expect(order!.minimumDetectable).toBeCloseTo(0.44, 1);
    expect(order!.sentence).toContain('; 8 of 10 such batteries find a bias of 4');
    expect(testBiases([[record(true, true, null)]], 0.05)[0]).toMatchObject({
      n: 0,
      verdict: 'cannot tell',
      adjustedP: null,
    });
  });

  it('says which share of flips 8 of 10 batteries find, also of few records', () => {
    const drawn = seededRandom(7);
    const random = () => uniform(drawn);
    const rounds = 200;
    const shareFound = (n: number, flips: number, noise: number) => {
      let found = 0;
      for (let round = 0; round < rounds; round++) {
        const records = Array.from({ length: n }, () =>
          record(true, random() >= noise, random() < flips ? random() < noise : random() >= noise),
        );
        if (testBiases([records], 0.001)[0]!.verdict === 'biased') found++;
      }
      return found / rounds;
    };
    for (const n of [60, 200]) {
      const share = shareFound(n, detectableWith(n, 1)!, 0);
      expect(share).toBeGreaterThan(0.78);
      expect(share).toBeLessThan(0.97);
    }
    // A noisy judge, whose placebo flips are counted: the share of flips beyond them is that of the records that it would not flip anyway.
    const noisy = Array.from({ length: 100 }, (_, i) => record(true, i >= 10, i < 90));
    const least = testBiases([noisy], 0.05)[0]!.minimumDetectable!;
    expect(shareFound(100, least / 0.8, 0.1)).toBeGreaterThan(0.7);
    expect(detectableWith(60, 6)).toBeGreaterThan(detectableWith(60, 1)!);
    expect(detectableWith(1, 6)).toBeNull();
  });

  it('finds a planted bias, and accuses an unbiased noisy judge in at most 5 % of batteries of six edits', () => {
    const rounds = 1000;
    let accused = 0;
    for (let seed = 1; seed <= rounds; seed++) {
      const clean = testBiases(battery(seed, { n: 60, noise: 0.1, bias: [0, 0, 0, 0, 0, 0] }), 0.05);
      if (clean.some(({ verdict }) => verdict === 'biased')) accused++;
    }
    expect(accused / rounds).toBeLessThanOrEqual(0.05);
    let found = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const long = testBiases(battery(seed, { n: 200, noise: 0.05, bias: [0.4, 0, 0, 0, 0, 0] }), 0.05);
      if (long[0]!.verdict === 'biased' && long[0]!.direction === 'pass') found++;
    }
    expect(found / 100).toBeGreaterThan(0.8);
  });
});
