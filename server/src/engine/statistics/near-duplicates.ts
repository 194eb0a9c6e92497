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
 * Counts the texts that have a near-duplicate among the others. Only texts with an equal band of hashes are compared, so 2,000 texts take a
 * tenth of a second and not all pairs.
 */
export const countNearDuplicates = (texts: readonly string[]): number => {
  const long = texts.map(trigramsOf).filter(({ size }) => size >= fewestTrigrams);
  const near = new Uint8Array(long.length);
  const ofBand = new Map<string, number[]>();
  for (const [i, trigrams] of long.entries()) {
    const smallest = smallestHashes(trigrams);
    for (let band = 0; band < bands; band++) {
      const key = `${band} ${smallest.subarray(band * perBand, (band + 1) * perBand).join()}`;
      const others = ofBand.get(key);
      if (!others) {
        ofBand.set(key, [i]);
        continue;
      }
      if (near[i] === 0) {
        const found = others.find((other) => commonShare(trigrams, long[other]!) >= nearShare);
        if (found !== undefined) near[i] = near[found] = 1;
      }
      if (others.length < maxCompared) others.push(i);
    }
  }
  return near.reduce((sum, one) => sum + one, 0);
};
