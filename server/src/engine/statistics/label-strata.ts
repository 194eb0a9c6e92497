/** Labels of a judge's records by how they were drawn, and the errors of what is estimated from them. */

/** Verdicts of judge and people on a record: both pass it, only the judge, only people, neither. */
export type Cells = readonly [
  truePositive: number,
  falsePositive: number,
  falseNegative: number,
  trueNegative: number,
];

/** How a labelled record was drawn. Records of one stratum had the same chance. */
export interface DrawnFrom {
  /** The sample that the stratum is a part of. */
  sample: string;
  stratum: string;
  /** Number of records in the stratum. */
  records: number;
}

/** One record that both the judge and a person decided. */
export interface LabelledRecord {
  id: string;
  judge: boolean;
  human: boolean;
  /** Null, or left out, for a label of a record that no sample drew. */
  drawnFrom?: DrawnFrom | null;
  /** Records of one unit depend on each other, such as those with the same inputs. Null, or left out, for a record that stands alone. */
  unit?: string | null;
}

/** The labels of a stratum. */
export interface LabelStratum {
  id: string;
  /** Its share of what is estimated. */
  share: number;
  /** Its sample's share, and the number of records of the sample; infinite without a sample. */
  sample: string;
  sampleShare: number;
  sampleRecords: number;
  labels: number;
  /** Number of labels in each cell. */
  counts: Cells;
  /** Shares of the cells, for variances: half a pass and half a failure more, judged as the stratum's labels are. */
  smoothed: Cells;
}

const stratumOf = ({ drawnFrom }: LabelledRecord): string =>
  drawnFrom ? `${drawnFrom.sample} ${drawnFrom.stratum}` : '';

export const cellOf = ({ judge, human }: LabelledRecord): number => (human ? (judge ? 0 : 2) : judge ? 1 : 3);

export const countCells = (records: Iterable<LabelledRecord>): Cells => {
  const counts: [number, number, number, number] = [0, 0, 0, 0];
  for (const record of records) counts[cellOf(record)]!++;
  return counts;
};

/** Sum of cells, each times its value. */
const dot = (cells: Cells, values: Cells): number =>
  cells.reduce((sum, cell, i) => sum + cell * values[i]!, 0);

const scaled = (cells: Cells, factor: number): Cells =>
  cells.map((cell) => cell * factor) as unknown as Cells;

const smooth = ([tp, fp, fn, tn]: Cells): Cells => {
  const n = tp + fp + fn + tn;
  const [passed, failed] = [(tp + fp) / n / 2, (fn + tn) / n / 2];
  return scaled([tp + passed, fp + passed, fn + failed, tn + failed], 1 / (n + 1));
};

/**
 * Splits labels into strata. A sample counts by its labels, and within it each stratum by its records. Labels without a stratum are one
 * stratum of their own, in which each counts the same.
 */
export const strataOfLabels = (records: readonly LabelledRecord[]): LabelStratum[] => {
  const samples = Map.groupBy(records, ({ drawnFrom }) => drawnFrom?.sample ?? '');
  return [...samples].flatMap(([sample, ofSample]) => {
    const strata = Map.groupBy(ofSample, ({ drawnFrom }) => drawnFrom?.stratum ?? '');
    const sizes = [...strata.values()].map(
      ([first]) => first!.drawnFrom?.records ?? Number.POSITIVE_INFINITY,
    );
    const sampleRecords = sizes.reduce((sum, size) => sum + size, 0);
    const sampleShare = ofSample.length / records.length;
    return [...strata.values()].map((labels, i): LabelStratum => {
      const counts = countCells(labels);
      const ofSampleShare = strata.size === 1 ? 1 : sizes[i]! / sampleRecords;
      return {
        id: stratumOf(labels[0]!),
        share: sampleShare * ofSampleShare,
        sample,
        sampleShare,
        sampleRecords,
        labels: labels.length,
        counts,
        smoothed: smooth(counts),
      };
    });
  });
};

/** Estimated shares of the cells, each stratum by its share: weights of 1/chance. Begg & Greenes (1983), Biometrics 39:207–215. */
export const sharesOf = (strata: readonly LabelStratum[]): Cells =>
  strata.reduce<Cells>(
    (sum, { share, labels, counts }) =>
      counts.map((count, i) => sum[i]! + (share * count) / labels) as unknown as Cells,
    [0, 0, 0, 0],
  );

const smoothedSharesOf = (strata: readonly LabelStratum[]): Cells =>
  strata.reduce<Cells>(
    (sum, { share, smoothed }) => smoothed.map((part, i) => sum[i]! + share * part) as unknown as Cells,
    [0, 0, 0, 0],
  );

/**
 * Covariance of two estimates that are the means of `one` and `other` over the labels, each a value for every cell: the variance within
 * strata, and that of the strata's shares, which are a sample of what the judge will meet. `df` by Satterthwaite (Cochran 1977, §5.4).
 */
export const covarianceOf = (
  strata: readonly LabelStratum[],
  one: Cells,
  other: Cells,
): { covariance: number; df: number } => {
  const product = one.map((value, i) => value * other[i]!) as unknown as Cells;
  const within = strata.map(({ share, labels, smoothed }) => {
    const own = dot(smoothed, product) - dot(smoothed, one) * dot(smoothed, other);
    return { labels, part: (share ** 2 * own) / labels };
  });
  const sum = within.reduce((total, { part }) => total + part, 0);
  const squares = within.reduce((total, { part, labels }) => total + part ** 2 / Math.max(1, labels - 1), 0);
  let between = 0;
  for (const ofSample of Map.groupBy(strata, ({ sample }) => sample).values()) {
    const { sampleShare, sampleRecords } = ofSample[0]!;
    const meanOf = (values: Cells) =>
      ofSample.reduce(
        (total, { share, smoothed }) => total + (share / sampleShare) * dot(smoothed, values),
        0,
      );
    const [first, second] = [meanOf(one), meanOf(other)];
    for (const { share, smoothed } of ofSample) {
      between +=
        (share * sampleShare * (dot(smoothed, one) - first) * (dot(smoothed, other) - second)) /
        sampleRecords;
    }
  }
  return { covariance: sum + between, df: squares === 0 ? Number.POSITIVE_INFINITY : sum ** 2 / squares };
};

/** A share among some cells: which count, and which of these are hits. As numbers, 1 or 0. */
export interface ShareOf {
  of: Cells;
  hits: Cells;
}

export const sensitivityOf: ShareOf = { of: [1, 0, 1, 0], hits: [1, 0, 0, 0] };
export const specificityOf: ShareOf = { of: [0, 1, 0, 1], hits: [0, 0, 0, 1] };
export const agreementOf: ShareOf = { of: [1, 1, 1, 1], hits: [1, 0, 0, 1] };
export const baseRateOf: ShareOf = { of: [1, 1, 1, 1], hits: [1, 0, 1, 0] };

/** The influence of a label in each cell on the share, by linearization of the ratio (Cochran 1977, §6.3). */
export const influenceOf = (strata: readonly LabelStratum[], { of, hits }: ShareOf): Cells => {
  const shares = smoothedSharesOf(strata);
  const total = dot(shares, of);
  const share = dot(shares, hits) / total;
  return of.map((counts, i) => (hits[i]! - share * counts) / total) as unknown as Cells;
};

/**
 * The share with its variance, and the number of equal labels with the same information: p(1 − p)/variance, where p is smoothed as the
 * variance is, since labels that all agree do not make a share certain. Null without a label that counts.
 */
export const estimateShare = (strata: readonly LabelStratum[], share: ShareOf) => {
  const shares = sharesOf(strata);
  const total = dot(shares, share.of);
  if (total === 0) return null;
  const influence = influenceOf(strata, share);
  const { covariance: variance, df } = covarianceOf(strata, influence, influence);
  const smoothed = smoothedSharesOf(strata);
  const p = dot(smoothed, share.hits) / dot(smoothed, share.of);
  return { estimate: dot(shares, share.hits) / total, variance, df, effective: (p * (1 - p)) / variance };
};

/** Kish's effective number of labels: the number of labels of equal weight with the same variance. Kish (1965), Survey Sampling, §11.7. */
export const effectiveLabels = (strata: readonly LabelStratum[]): number =>
  1 / strata.reduce((sum, { share, labels }) => sum + share ** 2 / labels, 0);

type Table = [[number, number], [number, number]];

const tableOf = ([tp, fp, fn, tn]: Cells): Table => [
  [tp, fp],
  [fn, tn],
];

/** How much the coefficient changes with the share of each cell. */
const slopesOf = (at: Cells, coefficient: (table: Table) => number | null): Cells => {
  const step = 1e-5;
  return at.map((_, i) => {
    const moved = (by: number) =>
      coefficient(tableOf(at.map((x, j) => (i === j ? x + by : x)) as unknown as Cells));
    return ((moved(step) ?? 0) - (moved(-step) ?? 0)) / (2 * step);
  }) as unknown as Cells;
};

/**
 * The table of judge (rows) and people (columns), scaled to the number of equal labels that estimate the coefficient with the same variance.
 * `shrink` says by how much fewer labels are worth because they depend on each other, by the influence of a label in each cell.
 */
export const effectiveTable = (
  strata: readonly LabelStratum[],
  coefficient: (table: Table) => number | null,
  shrink: (influence: Cells) => number,
): Table => {
  const at = smoothedSharesOf(strata);
  const slopes = slopesOf(at, coefficient);
  const mean = dot(at, slopes);
  const shrinkage = shrink(slopes.map((slope) => slope - mean) as unknown as Cells);
  if (strata.length === 1) return tableOf(scaled(strata[0]!.counts, 1 / shrinkage));
  const plain = at.reduce((sum, share, i) => sum + share * (slopes[i]! - mean) ** 2, 0);
  const { covariance } = covarianceOf(strata, slopes, slopes);
  const worth = covariance > 0 ? plain / covariance : effectiveLabels(strata);
  return tableOf(scaled(sharesOf(strata), worth / shrinkage));
};

/** Correlation of the estimated sensitivity and specificity: 0 for labels of one stratum. */
export const correlationOfRates = (strata: readonly LabelStratum[]): number => {
  if (strata.length < 2) return 0;
  const [one, other] = [influenceOf(strata, sensitivityOf), influenceOf(strata, specificityOf)];
  const { covariance } = covarianceOf(strata, one, other);
  const [first, second] = [covarianceOf(strata, one, one), covarianceOf(strata, other, other)];
  const scale = Math.sqrt(first.covariance * second.covariance);
  return scale > 0 ? covariance / scale : 0;
};

/** The weight of each label, on average 1. */
export const weightsOf = (records: readonly LabelledRecord[]): number[] => {
  const weights = new Map(
    strataOfLabels(records).map(({ id, share, labels }) => [id, (records.length * share) / labels]),
  );
  return records.map((record) => weights.get(stratumOf(record))!);
};
