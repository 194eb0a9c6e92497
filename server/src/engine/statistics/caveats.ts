/** What a reader must know beside a number: a code for programs, a sentence for people. */
import { countInWords } from './count-in-words.ts';
import type { Caveat } from './estimate-schema.ts';

/** Returns the caveats, each once, and beside them their sentences alone. */
export const said = (...caveats: (Caveat | null)[]): { caveats: Caveat[]; warnings: string[] } => {
  const unique = new Map(caveats.filter((caveat) => caveat !== null).map((one) => [one.sentence, one]));
  return { caveats: [...unique.values()], warnings: [...unique.keys()] };
};

/** Below this many testcases a result carries a caveat: rates then move by more than a point a testcase. */
const fewTestcases = 100;

export const caveatOfFew = (n: number, unit = 'testcase'): Caveat | null =>
  n > 0 && n < fewTestcases
    ? {
        code: 'fewTestcases',
        sentence: `only ${countInWords(n, unit)}: below ${fewTestcases} expect wide intervals and surprises`,
      }
    : null;

export const caveatOfRecords = (n: number): Caveat | null =>
  n > 0 && n < 50
    ? {
        code: 'fewRecords',
        sentence: `only ${countInWords(n, 'record')} with two ratings: expect a wide interval`,
      }
    : null;
