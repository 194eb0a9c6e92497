/** Records by their chance of being labelled: within a stratum, the labelled records are a random sample of all. */

/** A record that the judge scored. */
export interface JudgedScore {
  judge: number;
  /** The chance that this record had of being chosen for labelling; equal chances when left out. */
  inclusionProbability?: number;
}

/** A record that a person and the judge scored. */
export interface LabelledScore extends JudgedScore {
  human: number;
}

export interface Stratum {
  /** What a person and the judge said of the labelled records. */
  labelled: LabelledScore[];
  /** The judge's scores of the others. */
  unlabelled: number[];
}

/** Sampling with weights gives each record its own chance: records of about the same chance make a stratum of some labels. */
const mostStrata = (labels: number): number => Math.min(100, Math.max(10, Math.floor(labels / 5)));

const checkChances = (chances: readonly (number | undefined)[]): void => {
  const given = chances.filter((chance) => chance !== undefined);
  if (given.length !== 0 && given.length !== chances.length) {
    throw new RangeError('inclusion probabilities must be given for all records or for none');
  }
  if (!given.every((chance) => chance > 0 && chance <= 1)) {
    throw new RangeError('an inclusion probability must lie above 0, and not above 1');
  }
};

/**
 * Numbers the stratum of each record: records with the same chance form one. If there are more chances than `mostStrata`, neighbours
 * share a stratum of about as many labels. A stratum without a label joins its neighbour of the nearest chance.
 */
export const numberStrata = (
  chances: readonly (number | undefined)[],
  isLabelled: readonly boolean[],
): { of: number[]; count: number } => {
  checkChances(chances);
  const labels = new Map<number, number>();
  for (const [i, chance = 1] of chances.entries()) {
    labels.set(chance, (labels.get(chance) ?? 0) + Number(isLabelled[i]));
  }
  const sorted = [...labels.keys()].sort((a, b) => a - b);
  const labelled = sorted.filter((chance) => labels.get(chance)! > 0);
  const total = labelled.reduce((sum, chance) => sum + labels.get(chance)!, 0);
  const most = mostStrata(total);
  const numbers = new Map<number, number>();
  let before = 0;
  for (const [k, chance] of labelled.entries()) {
    numbers.set(chance, labelled.length <= most ? k : Math.floor((most * before) / total));
    before += labels.get(chance)!;
  }
  const nearest = (chance: number) =>
    labelled.reduce((best, other) => (Math.abs(other - chance) < Math.abs(best - chance) ? other : best));
  if (labelled.length > 0) {
    for (const chance of sorted) if (!numbers.has(chance)) numbers.set(chance, numbers.get(nearest(chance))!);
  }
  const used = [...new Set(numbers.values())].sort((a, b) => a - b);
  return {
    of: chances.map((chance = 1) => Math.max(0, used.indexOf(numbers.get(chance)!))),
    count: Math.max(1, used.length),
  };
};

/** Splits records into strata by their chance of being labelled. */
export const strataOf = (
  labelled: readonly LabelledScore[],
  unlabelled: readonly JudgedScore[],
): Stratum[] => {
  const all: readonly JudgedScore[] = [...labelled, ...unlabelled];
  const { of, count } = numberStrata(
    all.map(({ inclusionProbability }) => inclusionProbability),
    all.map((_, i) => i < labelled.length),
  );
  const strata = Array.from({ length: count }, (): Stratum => ({ labelled: [], unlabelled: [] }));
  for (const [i, record] of labelled.entries()) strata[of[i]!]!.labelled.push(record);
  for (const [i, { judge }] of unlabelled.entries()) strata[of[labelled.length + i]!]!.unlabelled.push(judge);
  return strata;
};
