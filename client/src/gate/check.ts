/** One rule of a gate and its outcome. */

export type Interval = { low: number; high: number };

/** Exit code of the command line for each outcome. */
export const exitCodes = { pass: 0, worse: 1, inconclusive: 2, incomplete: 3 } as const;
export type Outcome = keyof typeof exitCodes;

/** One rule and its outcome. */
export type Check = {
  rule: string;
  outcome: Outcome;
  /** The rule and its outcome in one sentence, such as `Right is worse than run 7`. */
  sentence: string;
  /** The reason in words, with its numbers. */
  said: string;
  /** The figure that decided, if the rule is a test. */
  figure?: { n: number; value: number; interval: Interval; level: number };
};
