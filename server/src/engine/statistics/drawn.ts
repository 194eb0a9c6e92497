/** Means over the records of a run, from a sample of them that was drawn with unequal chances, for people or by monitors. */
import { unset, type Weighed, type Weighting } from './testcases.ts';

/** The records of a run that could be drawn, a column each. */
export interface DrawnRecords {
  /** The testcase of each record: all testcases count the same, however many trials they have. */
  units: Int32Array;
  /** Records of one cluster may depend on each other in any way. */
  clusters: Int32Array;
  /** Records of one stratum had the same chance, or nearly the same. */
  strata: Int32Array;
  /** NaN for a record without a score. */
  values: Float64Array;
}

/** Records of one chance. Sizes are counted in testcases; each trial is a part of one. */
interface Stratum {
  size: number;
  scored: number;
  numRecords: number;
  clusters: Set<number>;
}

const countTrials = (units: Int32Array): Map<number, number> => {
  const trials = new Map<number, number>();
  for (const unit of units) trials.set(unit, (trials.get(unit) ?? 0) + 1);
  return trials;
};

const stratify = (
  { units, clusters, strata, values }: DrawnRecords,
  trials: ReadonlyMap<number, number>,
): Map<number, Stratum> => {
  const found = new Map<number, Stratum>();
  for (let i = 0; i < units.length; i++) {
    const stratum = found.get(strata[i]!) ?? { size: 0, scored: 0, numRecords: 0, clusters: new Set() };
    found.set(strata[i]!, stratum);
    const part = 1 / trials.get(units[i]!)!;
    stratum.size += part;
    stratum.numRecords++;
    if (!(values[i]! >= 0)) continue;
    stratum.scored += part;
    stratum.clusters.add(clusters[i]!);
  }
  return found;
};

const weightOf = ({ size, scored }: Stratum): number => size / scored;

/** A part of the mean: a stratum, or several with few scores. */
interface Part {
  size: number;
  clusters: Set<number>;
}

/** Numbers the parts of the mean. A stratum with scores of one cluster alone has no spread, so it joins the stratum of the nearest weight. */
const partsOf = (known: [number, Stratum][]): { partOf: Map<number, number>; parts: Part[] } => {
  const parts: Part[] = [];
  const partOf = new Map<number, number>();
  const sorted = known.toSorted(([, a], [, b]) => weightOf(a) - weightOf(b));
  for (const [i, [number, { size, clusters }]] of sorted.entries()) {
    const last = parts.at(-1);
    const isLastSmall = i === sorted.length - 1 && clusters.size < 2;
    if (last && (last.clusters.size < 2 || isLastSmall)) {
      last.size += size;
      for (const cluster of clusters) last.clusters.add(cluster);
    } else parts.push({ size, clusters: new Set(clusters) });
    partOf.set(number, parts.length - 1);
  }
  return { partOf, parts };
};

/** The scored records with their weights, and the records of strata in which nothing is scored. */
export interface WeighedDraw {
  weighed: Weighed;
  numRecords: number;
  numUnknown: number;
}

/**
 * Weighs each scored record by its stratum: by the records of the run that it stands for. Hájek's mean by strata: Särndal, Swensson &
 * Wretman (1992), Model Assisted Survey Sampling, §§ 5.7 and 7.6. `traffic` is what the testcases stand for, if they do not count the same;
 * then each record counts by both.
 */
export const weighDraw = (records: DrawnRecords, traffic: Weighting | null = null): WeighedDraw => {
  const { units, clusters, strata, values } = records;
  const trials = countTrials(units);
  const found = stratify(records, trials);
  const known = [...found].filter(([, { scored }]) => scored > 0);
  const { partOf, parts } = partsOf(known);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const scored = Int32Array.from(units.keys()).filter((i) => values[i]! >= 0);
  const ofDraw = Float64Array.from(scored, (i) => weightOf(found.get(strata[i]!)!) / trials.get(units[i]!)!);
  const weighting: Weighting = traffic
    ? {
        ...traffic,
        by: `${traffic.by} and the draw`,
        weights: ofDraw.map((weight, i) => weight * traffic.weights[units[scored[i]!]!]!),
        parts: Int32Array.from(scored, (i) => traffic.parts[units[i]!]!),
        numObserved: Number.POSITIVE_INFINITY,
      }
    : {
        by: 'the draw',
        weights: ofDraw,
        parts: Int32Array.from(scored, (i) => partOf.get(strata[i]!) ?? unset),
        shares: parts.length > 0 ? parts.map((part) => part.size / size) : [1],
        names: parts.length > 0 ? parts.map((_, i) => `stratum ${i + 1}`) : [''],
        numObserved: new Set(clusters).size,
      };
  return {
    weighed: {
      values: Float64Array.from(scored, (i) => values[i]!),
      weighting,
      clusters: Int32Array.from(scored, (i) => clusters[i]!),
    },
    numRecords: units.length,
    numUnknown: [...found.values()].reduce((sum, one) => (one.scored > 0 ? sum : sum + one.numRecords), 0),
  };
};
