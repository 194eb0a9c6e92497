import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime, isoTimes } from './format.ts';

it('a time put as text among many is the same as alone, before 1970 and after 2262 too', () => {
  const time = isoTimes();
  const within = 8_000_000_000_000_000_000_000n;
  fc.assert(
    fc.property(fc.bigInt({ min: -within, max: within }), (nanoseconds) => {
      expect(time(String(nanoseconds))).toBe(isoTime(nanoseconds));
      expect(time(String(nanoseconds + 1n))).toBe(isoTime(nanoseconds + 1n));
    }),
  );
  for (const near of [0n, 1n, 999_999_999n, 1_000_000_000n, -1n])
    expect(time(String(near))).toBe(isoTime(near));
});
