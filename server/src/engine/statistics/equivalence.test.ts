import { beforeAll, describe, expect, it } from 'vitest';
import { acceptance, readAnswers, rightSuccessors, wrongSuccessors } from '../../../test/successions.ts';
import { type JudgedTwice, testEquivalence } from './equivalence.ts';
import { seededRandom } from './random.ts';

// 200 successions a world; the Monte Carlo error of 5 % is 1.5 points. `node bench/succession.ts` draws ten times as often.
const draws = 200;
let answers: Awaited<ReturnType<typeof readAnswers>>;
beforeAll(async () => {
  answers = await readAnswers();
});

describe('200 successions on GSM8K with stand-in judges of known error rates, seeded', () => {
  it.each(wrongSuccessors)('accept in at most 5 % one that $name', (world) => {
    const { accepted, error } = acceptance(world, answers, draws, seededRandom(3));
    expect(accepted).toBeLessThanOrEqual(0.05 + error);
  });

  it.each(rightSuccessors.filter(({ labels, margin }) => labels >= 1000 || margin === 0.1))(
    'accept in most cases a successor: $name',
    (world) => {
      expect(acceptance(world, answers, draws, seededRandom(3)).accepted).toBeGreaterThan(0.7);
    },
  );
});

const record = (
  human: boolean,
  before: boolean,
  after: boolean | null,
  group: string | null = null,
): JudgedTwice => ({
  human,
  before,
  after,
  group,
});
const times = (count: number, one: JudgedTwice): JudgedTwice[] => Array.from({ length: count }, () => one);

describe('equivalence', () => {
  it('is not shown by agreement in all, if errors on good and on bad records cancel', () => {
    const [found] = testEquivalence(
      [
        [
          ...times(80, record(true, true, true)),
          ...times(20, record(true, true, false)),
          ...times(80, record(false, false, false)),
          ...times(20, record(false, false, true)),
        ],
      ],
      0.05,
    );
    expect(found).toMatchObject({
      verdict: 'not equivalent',
      passedByPeople: { difference: -0.2 },
      failedByPeople: { difference: 0.2 },
    });
  });

  it('needs labels of both kinds', () => {
    const [found] = testEquivalence([times(500, record(true, true, true))], 0.05);
    expect(found).toMatchObject({ verdict: 'cannot tell', p: null });
    expect(found!.sentence).toContain('needs labelled records that people fail, and has 0');
  });

  it('counts a missing verdict as either: a judge that abstains from a tenth is not shown within 5 points', () => {
    const steady = [...times(450, record(true, true, true)), ...times(450, record(false, false, false))];
    const missing = [...times(50, record(true, true, null)), ...times(50, record(false, false, null))];
    expect(testEquivalence([steady], 0.05)[0]!.verdict).toBe('equivalent');
    const [found] = testEquivalence([[...steady, ...missing]], 0.05);
    expect(found).toMatchObject({ verdict: 'cannot tell', passedByPeople: { missing: 50 } });
  });

  it('takes records of one group as dependent: 300 of 10 groups tell less than 300 on their own', () => {
    const of = (grouped: boolean) =>
      [true, false].flatMap((human) =>
        Array.from({ length: 300 }, (_, i) => record(human, human, human, grouped ? `${i % 10}` : null)),
      );
    expect(testEquivalence([of(false)], 0.05)[0]!.verdict).toBe('equivalent');
    const [found] = testEquivalence([of(true)], 0.05);
    expect(found!.verdict).toBe('cannot tell');
    expect(found!.warnings.join()).toContain('only 10 groups');
  });

  it('adjusts for the candidates that are tried together', () => {
    const one = [
      ...times(194, record(true, true, true)),
      ...times(6, record(true, true, false)),
      ...times(194, record(false, false, false)),
      ...times(6, record(false, false, true)),
    ];
    const [alone] = testEquivalence([one], 0.06);
    const [first] = testEquivalence([one, one, one, one, one], 0.06);
    expect(alone!.verdict).toBe('equivalent');
    expect(first!.adjustedP).toBeCloseTo(5 * alone!.p!, 9);
    expect(first!.verdict).toBe('cannot tell');
  });
});
