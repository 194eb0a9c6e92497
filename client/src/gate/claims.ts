import type { Check, Outcome } from './check.ts';

/** A rule in words: what it asks for, and the sentence that each outcome makes of it. */
export type Claim = { rule: string; sentences: Record<Outcome, string> };

type Words = {
  /** The rule, such as `must not be worse than run 7`. It is the same for every outcome. */
  must: string;
  /** What is true if it passes, such as `is not shown to be worse than run 7`. */
  pass: string;
  /** What is true if it fails, such as `is worse than run 7`. */
  worse: string;
  /** What is open otherwise, such as `is worse than run 7`. By default that which is true if it fails. */
  open?: string;
};

/** Writes the sentences of a rule about a subject, such as a metric. */
export const claim = (subject: string, { must, pass, worse, open = worse }: Words): Claim => ({
  rule: `${subject}: ${must}`,
  sentences: {
    pass: `${subject} ${pass}`,
    worse: `${subject} ${worse}`,
    inconclusive: `${subject}: it is open whether it ${open}`,
    incomplete: `${subject}: it is unknown whether it ${open}`,
  },
});

/** Makes a check whose outcome is known without a test. */
export const checkOf = ({ rule, sentences }: Claim, outcome: Outcome, said: string): Check => ({
  rule,
  outcome,
  sentence: sentences[outcome],
  said,
});

/** Makes the check of a rule that passes because there is nothing to compare with yet. */
export const passesUncompared = ({ rule }: Claim, said: string): Check => ({
  rule,
  outcome: 'pass',
  sentence: `${rule}; there is nothing to compare with yet`,
  said,
});
