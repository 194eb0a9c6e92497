/** Caveats of a number: each is a code for programs and a sentence for people. */
import { countInWords } from './count-in-words.ts';
import type { Caveat } from './estimate-schema.ts';

/** Returns the caveats, each once, and their sentences as a list. */
export const caveatsOf = (...caveats: (Caveat | null)[]): { caveats: Caveat[]; warnings: string[] } => {
  const unique = new Map(caveats.filter((caveat) => caveat !== null).map((one) => [one.sentence, one]));
  return { caveats: [...unique.values()], warnings: [...unique.keys()] };
};

/** Below this many testcases a result has a caveat: one testcase then moves a rate by more than a point. */
const fewTestcases = 100;

export const caveatOfFew = (n: number, unit = 'testcase'): Caveat | null =>
  n > 0 && n < fewTestcases
    ? {
        code: 'fewTestcases',
        sentence: `only ${countInWords(n, unit)}: below ${fewTestcases}, treat as indicative`,
      }
    : null;

export const caveatOfRecords = (n: number): Caveat | null =>
  n > 0 && n < 50
    ? {
        code: 'fewRecords',
        sentence: `only ${countInWords(n, 'record')} with two ratings: expect a wide interval`,
      }
    : null;

/** Says that unequal probabilities reduce the effective number of labels. */
export const caveatOfWeights = (effective: number, n: number): Caveat | null =>
  n < 100 || effective >= 100
    ? null
    : {
        code: 'fewLabels',
        sentence: `${n} labels count as ${Math.round(effective)}, because they were drawn with unequal chances: expect a wide interval below 100`,
      };
