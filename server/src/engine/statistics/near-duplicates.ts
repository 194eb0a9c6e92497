import { seededRandom } from './random.ts';
import { commonShare, trigramsOf } from './similarity.ts';

/** From this share of common trigrams on, two texts are near-duplicates. */
const nearShare = 0.8;
/** Shorter texts are equal by chance: "yes" and "yes". */
const fewestTrigrams = 20;
/** Probability that two texts have one of 8 bands of 3 hashes in common: .997 at a share of .8, and .2 at a share of .3. */
const bands = 8;
const perBand = 3;
/** Maximum number of texts of a band that a text is compared with. */
const maxCompared = 20;

const random = seededRandom(1);
const hashes = Array.from({ length: bands * perBand }, () => ({ add: random(), factor: random() | 1 }));

const hashOf = (trigram: string): number => {
  let hash = 0;
  for (let i = 0; i < trigram.length; i++) hash = (Math.imul(hash, 31) + trigram.charCodeAt(i)) | 0;
  return hash;
};

/** The smallest hash of the trigrams by each function. Broder (1997), On the resemblance and containment of documents. */
const smallestHashes = (trigrams: ReadonlySet<string>): Uint32Array => {
  const smallest = new Uint32Array(hashes.length).fill(0xffffffff);
  for (const trigram of trigrams) {
    const own = hashOf(trigram);
    for (const [i, { add, factor }] of hashes.entries()) {
      const mixed = Math.imul((own ^ add) >>> 0, factor);
      const hash = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0;
      if (hash < smallest[i]!) smallest[i] = hash;
    }
  }
  return smallest;
};

/**
 * Returns for each text the index of an earlier near-duplicate, or -1, and for the earlier one a later. Only texts with an equal band of
 * hashes are compared, so 2,000 texts take a tenth of a second and not all pairs.
 */
export const findNearDuplicates = (texts: readonly string[]): Int32Array => {
  const near = new Int32Array(texts.length).fill(-1);
  const ofBand = new Map<string, number[]>();
  const all = texts.map(trigramsOf);
  for (const [i, trigrams] of all.entries()) {
    if (trigrams.size < fewestTrigrams) continue;
    const smallest = smallestHashes(trigrams);
    for (let band = 0; band < bands; band++) {
      const key = `${band} ${smallest.subarray(band * perBand, (band + 1) * perBand).join()}`;
      const others = ofBand.get(key);
      if (!others) {
        ofBand.set(key, [i]);
        continue;
      }
      if (near[i] === -1) {
        const found = others.find((other) => commonShare(trigrams, all[other]!) >= nearShare);
        if (found !== undefined) {
          near[i] = found;
          if (near[found] === -1) near[found] = i;
        }
      }
      if (others.length < maxCompared) others.push(i);
    }
  }
  return near;
};

/** Counts the texts that have a near-duplicate among the others. */
export const countNearDuplicates = (texts: readonly string[]): number =>
  findNearDuplicates(texts).reduce((sum, other) => sum + Number(other >= 0), 0);
