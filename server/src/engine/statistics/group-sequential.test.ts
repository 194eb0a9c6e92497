import { describe, expect, it } from 'vitest';
import { boundariesOf, conditionalPower, inflationOf } from './group-sequential.ts';

const boundaries = (fractions: number[], level = 0.95) =>
  boundariesOf(fractions, level).map(({ boundary }) => boundary);

describe('boundaries of planned looks', () => {
  it('are those of Lan & DeMets: two-sided .05, O’Brien–Fleming type, as R ldbounds prints them', () => {
    const published: [number[], number[]][] = [
      [
        [0.25, 0.5, 0.75, 1],
        [4.333, 2.963, 2.359, 2.014],
      ],
      [
        [0.2, 0.4, 0.6, 0.8, 1],
        [4.877, 3.357, 2.68, 2.29, 2.031],
      ],
      [
        [0.5, 1],
        [2.963, 1.969],
      ],
    ];
    for (const [fractions, wanted] of published)
      for (const [i, boundary] of boundaries(fractions).entries())
        expect(Math.abs(boundary - wanted[i]!), `${fractions}`).toBeLessThan(0.0006);
  });

  it('one look is the usual test', () => {
    expect(boundaries([1])[0]).toBeCloseTo(1.959964, 6);
    expect(boundaries([1], 0.99)[0]).toBeCloseTo(2.575829, 6);
  });

  it('a run that is over early spends at its last look what is left', () => {
    const [, last] = boundariesOf([0.5, 0.9], 0.95, true);
    expect(last!.nominal).toBeGreaterThan(boundariesOf([0.5, 0.9], 0.95)[1]!.nominal);
    expect(last!.nominal).toBeLessThan(0.05);
    expect(boundariesOf([0.2], 0.95, true)[0]!.nominal).toBeCloseTo(0.05, 9);
  });

  // Holm's adjustment over several metrics needs this.
  it('each grows with the error rate', () => {
    let before = [0, 0, 0, 0];
    for (let alpha = 1e-5; alpha < 0.5; alpha *= 1.5) {
      const nominal = boundariesOf([0.25, 0.5, 0.75, 1], 1 - alpha).map((look) => look.nominal);
      for (const [i, one] of nominal.entries()) expect(one).toBeGreaterThan(before[i]!);
      before = nominal;
    }
  });
});

describe('conditional power', () => {
  const options = { level: 0.95, power: 0.8 };
  it('falls as the rest of the run shrinks, and rises with what was seen', () => {
    expect(conditionalPower(0, 0.01, options)).toBeGreaterThan(0.75);
    expect(conditionalPower(0, 0.75, options)).toBeLessThan(0.1);
    expect(conditionalPower(2.5, 0.75, options)).toBeGreaterThan(0.9);
  });
  it('is 0 or 1 at the end', () => {
    expect([conditionalPower(1.9, 1, options), conditionalPower(2, 1, options)]).toEqual([0, 1]);
  });
});

// Jennison & Turnbull (2000): O’Brien & Fleming's own boundaries, which Lan & DeMets imitate, need 1.008 to 1.028 times as many.
it('looks need a few per cent more testcases than one at the end', () => {
  const options = { level: 0.95, power: 0.8 };
  expect(inflationOf(1, options)).toBe(1);
  for (const [numLooks, published] of [
    [2, 1.008],
    [3, 1.017],
    [4, 1.024],
    [5, 1.028],
  ] as const)
    expect(Math.abs(inflationOf(numLooks, options) - published), `${numLooks} looks`).toBeLessThan(0.006);
});
