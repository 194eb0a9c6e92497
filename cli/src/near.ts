import { distance } from 'fastest-levenshtein';

/** Returns the known word that was probably meant: the nearest one, if at most a third of its letters differ. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const [best] = known.map((one) => ({ one, apart: distance(word, one) })).sort((a, b) => a.apart - b.apart);
  return best && best.apart <= Math.ceil(best.one.length / 3) ? best.one : undefined;
};
