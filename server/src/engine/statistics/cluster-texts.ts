/** Groups short texts, such as the failures of a run: spherical k-means over TF-IDF or over embeddings. */
import { seededRandom, uniform } from './random.ts';

/** A vector of length 1: its places other than 0, and their values. */
type Row = { at: Int32Array; weight: Float64Array };

export type TextClusters = {
  /** Largest first; members nearest to the centre first. `words` distinguish the cluster from the others. */
  clusters: { members: number[]; words: string[] }[];
  /** Texts that belong to no cluster of enough members. */
  others: number[];
};

const mostClusters = 8;
export const fewestMembers = 3;
const mostWords = 4_000;
const restarts = 4;
const mostRounds = 20;

// Words that do not describe a failure. Words in nearly every text are left out anyway.
const stopWords = new Set(
  'the and for that with this was were are not but has have had its it’s from they their them does did doesn don isn which what when who will would should could can may also than then there here been being into about only more most some any all each both other such only own same too very just although because while'.split(
    ' ',
  ),
);

export const wordPattern = /\p{L}[\p{L}\p{N}_]{2,}/gu;

/** The words of a text that may describe it, in lower case, each as often as it occurs. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(wordPattern) ?? []).filter((word) => !stopWords.has(word));

const normalized = (at: number[], weight: number[]): Row => {
  const length = Math.sqrt(weight.reduce((sum, x) => sum + x * x, 0)) || 1;
  return { at: Int32Array.from(at), weight: Float64Array.from(weight, (x) => x / length) };
};

type Vocabulary = { counts: Map<string, number>[]; inTexts: Map<string, number> };

const readWords = (texts: readonly string[]): Vocabulary => {
  const inTexts = new Map<string, number>();
  const counts = texts.map((text) => {
    const own = new Map<string, number>();
    for (const word of wordsOf(text)) own.set(word, (own.get(word) ?? 0) + 1);
    for (const word of own.keys()) inTexts.set(word, (inTexts.get(word) ?? 0) + 1);
    return own;
  });
  return { counts, inTexts };
};

const tfIdf = ({ counts, inTexts }: Vocabulary): { rows: Row[]; size: number } => {
  const n = counts.length;
  const kept = [...inTexts]
    .filter(([, of]) => of >= 2 && of <= 0.8 * n)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, mostWords)
    .map(([word]) => word);
  const placeOf = new Map(kept.map((word, i) => [word, i]));
  const rows = counts.map((own) => {
    const at: number[] = [];
    const weight: number[] = [];
    for (const [word, times] of own) {
      const place = placeOf.get(word);
      if (place === undefined) continue;
      at.push(place);
      weight.push((1 + Math.log(times)) * Math.log(n / inTexts.get(word)!));
    }
    return normalized(at, weight);
  });
  return { rows, size: kept.length };
};

const denseRows = (vectors: readonly number[][]): { rows: Row[]; size: number } => {
  const size = vectors[0]?.length ?? 0;
  return { rows: vectors.map((vector) => normalized([...vector.keys()], vector)), size };
};

const cosine = ({ at, weight }: Row, centre: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < at.length; i++) sum += weight[i]! * centre[at[i]!]!;
  return sum;
};

/** The place of the nearest centre, its distance, and the distance of the second nearest. */
const nearest = (row: Row, centres: readonly Float64Array[]) => {
  let [place, first, second] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let k = 0; k < centres.length; k++) {
    const distance = 1 - cosine(row, centres[k]!);
    if (distance < first) [place, first, second] = [k, distance, first];
    else if (distance < second) second = distance;
  }
  return { place, first, second };
};

const centreOf = (rows: readonly Row[], size: number): Float64Array => {
  const centre = new Float64Array(size);
  for (const { at, weight } of rows) for (let i = 0; i < at.length; i++) centre[at[i]!]! += weight[i]!;
  let length = 0;
  for (const value of centre) length += value * value;
  length = Math.sqrt(length) || 1;
  return centre.map((value) => value / length);
};

/** The first centres: each further one is drawn in proportion to its squared distance from those before (k-means++). */
const firstCentres = (rows: readonly Row[], size: number, k: number, random: () => number) => {
  const centres = [centreOf([rows[Math.floor(random() * rows.length)]!], size)];
  while (centres.length < k) {
    const far = rows.map((row) => nearest(row, centres).first ** 2);
    let left = random() * far.reduce((sum, x) => sum + x, 0);
    const next = far.findIndex((x) => {
      left -= x;
      return left <= 0;
    });
    centres.push(centreOf([rows[Math.max(next, 0)]!], size));
  }
  return centres;
};

const kMeans = (rows: readonly Row[], size: number, k: number, random: () => number) => {
  let centres = firstCentres(rows, size, k, random);
  let placed = rows.map((row) => nearest(row, centres));
  for (let round = 0; round < mostRounds; round++) {
    const before = placed;
    centres = centres.map((centre, i) => {
      const members = rows.filter((_, at) => before[at]!.place === i);
      return members.length > 0 ? centreOf(members, size) : centre;
    });
    placed = rows.map((row) => nearest(row, centres));
    if (placed.every(({ place }, i) => place === before[i]!.place)) break;
  }
  return { placed, spread: placed.reduce((sum, { first }) => sum + first, 0) };
};

/** The mean simplified silhouette: near 1 when each text is much nearer to its own centre than to the next one. */
const silhouette = (placed: readonly { first: number; second: number }[]): number =>
  placed.reduce((sum, { first, second }) => sum + (second - first) / (Math.max(first, second) || 1), 0) /
  placed.length;

/** The words that occur in a much larger share of the members than of the other texts. */
const tellingWords = ({ counts, inTexts }: Vocabulary, members: readonly number[], most = 4): string[] => {
  const within = new Map<string, number>();
  for (const member of members)
    for (const word of counts[member]!.keys()) within.set(word, (within.get(word) ?? 0) + 1);
  const rest = counts.length - members.length;
  return (
    [...within]
      .map(([word, times]) => {
        const share = times / members.length;
        return { word, gain: share - (rest > 0 ? (inTexts.get(word)! - times) / rest : 0), share };
      })
      .filter(({ gain, share }) => gain > 0 && share >= 0.2)
      // Words with equal gain keep their order in the most typical text, so that they read like it.
      .sort((a, b) => b.gain - a.gain)
      .slice(0, most)
      .map(({ word }) => word)
  );
};

/**
 * Groups texts by their embeddings, or by their words without any. Chooses the number of clusters by the silhouette. The same texts give
 * the same clusters.
 */
export const clusterTexts = ({
  texts,
  vectors,
}: {
  texts: string[];
  vectors: number[][] | null;
}): TextClusters => {
  const vocabulary = readWords(texts);
  const { rows, size } = vectors ? denseRows(vectors) : tfIdf(vocabulary);
  const source = seededRandom(1);
  const random = () => uniform(source);
  // Until a better one is found, all texts are one group.
  let best = { score: 0, placed: rows.map(() => ({ place: 0, first: 0, second: 0 })) };
  for (let k = 2; k <= Math.min(mostClusters, Math.floor(rows.length / fewestMembers)); k++) {
    const tries = Array.from({ length: restarts }, () => kMeans(rows, size, k, random));
    const { placed } = tries.reduce((a, b) => (b.spread < a.spread ? b : a));
    const score = silhouette(placed);
    if (score > best.score) best = { score, placed };
  }
  const groups = Map.groupBy(best.placed.keys(), (i) => best.placed[i]!.place);
  const sorted = [...groups.values()]
    .map((members) => members.toSorted((a, b) => best.placed[a]!.first - best.placed[b]!.first || a - b))
    .sort((a, b) => b.length - a.length || a[0]! - b[0]!);
  const isOne = sorted.length === 1;
  const large = sorted.filter((members) => isOne || members.length >= fewestMembers);
  return {
    clusters: large.map((members) => ({ members, words: tellingWords(vocabulary, members) })),
    others: sorted.filter((members) => !large.includes(members)).flat(),
  };
};
