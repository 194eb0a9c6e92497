const isChange = process.env.DOKIMA_SLOW_TESTS === 'off';

/**
 * Returns how often a test repeats what is random: `nightly` each night and before a release, a third of it with each change
 * (docs/decisions/0160).
 */
export const repeats = (nightly: number): number => (isChange ? Math.ceil(nightly / 3) : nightly);

/** Returns by how much more a share near .8 may miss because a change repeats it less often: three of its standard errors. */
export const leeway = (nightly: number): number =>
  3 * 0.4 * (1 / Math.sqrt(repeats(nightly)) - 1 / Math.sqrt(nightly));
