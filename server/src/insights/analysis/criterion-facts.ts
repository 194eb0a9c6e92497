/** What is known about a criterion of a metric beside its verdicts. */
export type CriterionFacts = {
  id: string;
  /** Null for a criterion that testcases alone have, with several texts. */
  text: string | null;
  weight: number | null;
  mustPass: boolean | null;
  /** Records on which several votes were given, and those of them on which the votes differ. */
  numVoted: number;
  numSplit: number;
};
