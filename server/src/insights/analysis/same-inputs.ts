/** Testcases with the same inputs are one group of the statistics: what a system does with one, it does with the others. */
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { countNearDuplicates } from '../../engine/statistics/near-duplicates.ts';
import { unset } from '../../engine/statistics/testcases.ts';
import type { NearDuplicates } from './queries.ts';

/** The units of a run's records, and the hash of the inputs of each; NaN for none, and for a record without a testcase. */
export type UnitInputs = { unitOf: Int32Array; inputs: number[] };

/** Joins members into sets: each leads to another of its set, and the first one of a set to itself (Galler & Fischer 1964). */
const joining = (count: number) => {
  const parents = Int32Array.from({ length: count }, (_, i) => i);
  const first = (member: number): number => {
    let at = member;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  };
  const join = (one: number, other: number): void => {
    const [a, b] = [first(one), first(other)];
    parents[Math.max(a, b)] = Math.min(a, b);
  };
  return { first, join };
};

/** Numbers the inputs of each unit. Returns null if no two units have the same inputs. */
export const numberInputs = (count: number, runs: UnitInputs[]): Int32Array | null => {
  const numbers = new Map<number, number>();
  const inputsOf = new Int32Array(count).fill(unset);
  const { first, join } = joining(count);
  let repeated = false;
  for (const { unitOf, inputs } of runs) {
    for (let place = 0; place < unitOf.length; place++) {
      const hash = inputs[place]!;
      if (Number.isNaN(hash)) continue;
      const unit = unitOf[place]!;
      const known = numbers.get(hash);
      if (known === undefined) numbers.set(hash, unit);
      else if (known !== unit) {
        join(known, unit);
        repeated = true;
      }
      inputsOf[unit] = 0;
    }
  }
  if (!repeated) return null;
  return inputsOf.map((known, unit) => (known === unset ? unset : first(unit)));
};

/**
 * Joins units that have the same label or the same inputs, so that two groups become one if a testcase of each has the same inputs.
 * A unit alone has no group.
 */
export const joinGroups = (labels: Int32Array | null, inputs: Int32Array | null): Int32Array | null => {
  if (!labels || !inputs) return labels ?? inputs;
  const { first, join } = joining(labels.length);
  for (const numbers of [labels, inputs]) {
    const seen = new Map<number, number>();
    for (let unit = 0; unit < numbers.length; unit++) {
      const number = numbers[unit]!;
      if (number === unset) continue;
      const known = seen.get(number);
      if (known === undefined) seen.set(number, unit);
      else join(known, unit);
    }
  }
  return labels.map((_, unit) => first(unit));
};

/** Returns a caveat if testcases of a run have the same inputs. */
export const caveatOfRepeats = (unitOf: Int32Array, inputsOf: Int32Array | null): Caveat | null => {
  if (!inputsOf) return null;
  const units = new Set(unitOf);
  const inputs = new Set<number>();
  let numTestcases = 0;
  for (const unit of units) {
    if (inputsOf[unit] === unset) continue;
    numTestcases++;
    inputs.add(inputsOf[unit]!);
  }
  if (inputs.size === numTestcases) return null;
  return {
    code: 'repeatedInputs',
    sentence: `clustered by ${countInWords(inputs.size, 'distinct input')}: ${numTestcases} testcases share them, and those with the same inputs count as one group`,
  };
};

/** Whether a unit is the first one with its inputs. */
export const isFirst = (inputsOf: Int32Array, unit: number): boolean =>
  inputsOf[unit] === unset || inputsOf[unit] === unit;

/** The names of fields, which all inputs share. */
const fieldNames = /"(?:[^"\\]|\\.)*"\s*:/g;

/** Counts the inputs that nearly repeat another, by the values of their fields. Takes a JSON array of texts, which may be cut. */
export const countNear = ({ texts }: { texts: string }): NearDuplicates => {
  const inputs = JSON.parse(texts) as string[];
  const values = inputs.map((text) => text.replaceAll(fieldNames, ' '));
  return { numCompared: inputs.length, numNear: countNearDuplicates(values) };
};

/** Below this share, near-duplicates change no interval that anyone would notice. */
const leastNear = 0.05;

export const caveatOfNear = (found: NearDuplicates | undefined): Caveat | null => {
  if (!found || found.numNear < leastNear * found.numCompared || found.numNear === 0) return null;
  return {
    code: 'nearDuplicates',
    sentence: `${countInWords(found.numNear, 'testcase')} of ${found.numCompared} nearly repeat the inputs of another: if their results agree too, the interval is too narrow; a grouping field of the testset makes each such group one unit`,
  };
};
