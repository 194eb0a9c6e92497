/** A source of uniform 32-bit integers. The same seed gives the same sequence on every machine. */
export type Random = () => number;

const rotateLeft = (x: number, k: number): number => (x << k) | (x >>> (32 - k));

/** xoshiro128** 1.1 from four words of state. Blackman & Vigna (2021), ACM Trans. Math. Softw. 47:36; period 2^128 − 1. */
export const xoshiro128 = (a: number, b: number, c: number, d: number): Random => {
  let [s0, s1, s2, s3] = [a | 0, b | 0, c | 0, d | 0];
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotateLeft(s3, 11);
    return result;
  };
};

/**
 * A generator from one integer seed, spread over the state by SplitMix32 (the finalizer of MurmurHash3) as the
 * authors of xoshiro advise. Not for secrets.
 */
export const seededRandom = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
  return xoshiro128(next(), next(), next(), next());
};

/** A uniform number in [0, 1) with 53 random bits. */
export const uniform = (random: Random): number => ((random() >>> 5) * 2 ** 26 + (random() >>> 6)) / 2 ** 53;
