import { describe, expect, it } from 'vitest';
import { compareTestcases } from './compare.ts';
import { compareMetrics } from './compare-metrics.ts';
import { holm } from './holm.ts';
import { adjustLooks, stateOf } from './planned-looks.ts';
import { seededRandom, uniform } from './random.ts';
import { averageTrials } from './testcases.ts';

const looks = [125, 250, 375, 500];
const plan = { looks, isOver: false };
const numTrials = 1;
type Scored = { testcase: number; score: boolean };
type Runs = [Scored[], Scored[]];

/** Two runs of 500 testcases in random order: 85 % pass, and the second run loses `loss`. */
const drawRuns = (random: () => number, loss: number): Runs => {
  const runOf = (rate: number) =>
    Array.from({ length: 500 }, (_, testcase) => ({ testcase, score: uniform(random) < rate }));
  return [runOf(0.85), runOf(0.85 - loss)];
};

const answer = (
  metrics: Runs[],
  n: number,
  test: 'planned' | 'sequential' | 'fixed',
  isOver = false,
  isCancelled = false,
) =>
  compareMetrics(
    Object.fromEntries(
      metrics.map(([before, after], i) => {
        const [first, second] = averageTrials(before, after.slice(0, n)).columns;
        const options = {
          boolean: true,
          test,
          ...(test === 'planned' && { plan: { looks, numTrials, isOver, isCancelled } }),
        };
        return [`m${i}`, { ...options, before: first!, after: second! }];
      }),
    ),
  );

const isDecided = (metrics: Runs[], n: number, test: 'planned' | 'sequential') =>
  Object.values(answer(metrics, n, test)).some(({ verdict }) => verdict !== 'cannot tell');

/** Share of draws in which a look decides a metric. */
const share = (
  draws: number,
  loss: number,
  numMetrics: number,
  test: 'planned' | 'sequential' = 'planned',
) => {
  const random = seededRandom(8);
  let decided = 0;
  for (let draw = 0; draw < draws; draw++) {
    const metrics = Array.from({ length: numMetrics }, () => drawRuns(random, loss));
    if (looks.some((n) => isDecided(metrics, n, test))) decided++;
  }
  return decided / draws;
};

describe('four planned looks at 500 testcases, seeded', () => {
  // The standard errors of .05 in 400 and in 200 draws are .011 and .015.
  it('find a difference that is not there in at most 5 %, with one metric and with five', () => {
    expect(share(400, 0, 1)).toBeLessThanOrEqual(0.06);
    expect(share(200, 0, 5)).toBeLessThanOrEqual(0.07);
  }, 20_000);

  // One look at the end finds it in 55 %.
  it('find a loss of five points in about 54 %, where bets find it in a quarter', () => {
    const found = share(200, 0.05, 1);
    expect(found).toBeGreaterThan(0.47);
    expect(found).toBeLessThan(0.62);
    expect(share(60, 0.05, 1, 'sequential')).toBeLessThan(found - 0.2);
  }, 20_000);
});

describe('a look', () => {
  const lost = drawRuns(seededRandom(3), 0.4);
  const same = drawRuns(seededRandom(4), 0);

  it('gives no verdict before its time, and says when it comes', () => {
    const early = answer([lost], 100, 'planned').m0!;
    expect(early).toMatchObject({
      verdict: 'cannot tell',
      sentence: 'cannot tell: next look at 125 testcases',
      interval: null,
      look: { look: 0, numLooks: 4, numSeen: 100, numPlanned: 500, next: 125, boundary: null },
    });
    const between = answer([same], 180, 'planned').m0!;
    expect(between).toMatchObject({
      n: 125,
      verdict: 'cannot tell',
      sentence: 'cannot tell: look 1 of 4, at 125 testcases, does not decide; next look at 250',
      look: { look: 1, numSeen: 180, next: 250, fraction: 0.25 },
    });
  });

  it('keeps its answer until the next one', () => {
    const [at, later] = [125, 249].map((n) => answer([lost], n, 'planned').m0!);
    expect(at!.verdict).toBe('worse');
    expect(later).toEqual({
      ...at,
      look: { ...at!.look, numSeen: 249 },
      numBaselineTestcases: 500,
      dropped: later!.dropped,
    });
  });

  it('is the last one when the run is over, and spends what is left', () => {
    const over = answer([same], 300, 'planned', true).m0!;
    expect(over).toMatchObject({ n: 300, look: { look: 3, numLooks: 3, next: null, fraction: 0.6 } });
    expect(over.look!.nominal).toBeGreaterThan(0.04);
  });

  // The last look of a cancelled run would spend the error rate of the looks that did not come.
  it('of a cancelled run stays the earlier one, so that stopping at a promising look adds no false verdicts', () => {
    const random = seededRandom(12);
    const draws = 300;
    const falseVerdicts = { counted: 0, spent: 0 };
    for (let draw = 0; draw < draws; draw++) {
      const metrics = [drawRuns(random, 0)];
      const until = looks.find((n) => {
        const { p, verdict } = answer(metrics, n, 'planned').m0!;
        return verdict !== 'cannot tell' || p! < 0.1;
      });
      const over = (isCancelled: boolean) =>
        answer(metrics, until ?? 500, 'planned', true, isCancelled).m0!.verdict !== 'cannot tell';
      if (over(until !== undefined)) falseVerdicts.counted++;
      if (over(false)) falseVerdicts.spent++;
    }
    expect(falseVerdicts.counted / draws).toBeLessThanOrEqual(0.06);
    expect(falseVerdicts.spent / draws).toBeGreaterThan(0.07);
    const stopped = answer([same], 300, 'planned', true, true).m0!;
    expect(stopped).toMatchObject({ n: 250, look: { look: 2, numLooks: 4, next: null } });
    expect(stopped.sentence).toBe(
      'cannot tell: look 2 of 4, at 250 testcases, did not decide, and the run was cancelled after it',
    );
  }, 20_000);

  // Further trials of the first 125 testcases would be another look at them.
  it('counts a testcase once it has all its trials', () => {
    const twice = (scores: Scored[], n: number) => [...scores, ...scores.slice(0, n)];
    const options = { boolean: true, test: 'planned' as const, plan: { looks, numTrials: 2, isOver: false } };
    const numSeen = [0, 100, 125, 300].map((n) => {
      const [before, after] = averageTrials(same[0], twice(same[1], n)).columns;
      return compareTestcases(before!, after!, options).look!.numSeen;
    });
    expect(numSeen).toEqual([0, 100, 125, 300]);
  });

  it('says that the rest will hardly decide', () => {
    const { look, sentence } = answer([same], 480, 'planned').m0!;
    expect(look).toMatchObject({ look: 3, futile: true });
    expect(look!.conditionalPower).toBeLessThan(0.1);
    expect(sentence).toContain('next look at 500, which will hardly decide either');
  });
});

describe('several metrics at planned looks', () => {
  it('with one look are adjusted by Holm', () => {
    const ps = [0.011, 0.3, 0.02, 0.012];
    const state = stateOf({ looks: [500], isOver: false }, 500);
    const adjusted = adjustLooks(
      ps.map((p) => ({ p, state })),
      { level: 0.95, tests: 4 },
    );
    const wanted = holm(ps);
    for (const [i, p] of adjusted.entries()) expect(p! <= 0.05).toBe(wanted[i]! <= 0.05);
    expect(adjusted[0]).toBeCloseTo(wanted[0]!, 9);
  });

  it('that wait for their look count as tests from the start', () => {
    const state = stateOf(plan, 250);
    const alone = adjustLooks([{ p: 0.002, state }], { level: 0.95, tests: 1 });
    const first = adjustLooks(
      [
        { p: 0.002, state },
        { p: null, state: stateOf(plan, 10) },
      ],
      { level: 0.95, tests: 2 },
    );
    expect(alone[0]).toBeLessThan(0.05);
    expect(first[0]).toBeGreaterThan(0.05);
    expect(first[1]).toBeNull();
  });
});
