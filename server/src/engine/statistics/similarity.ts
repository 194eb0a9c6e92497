/** Returns the trigrams of the letters and digits of a text. */
export const trigramsOf = (text: string): ReadonlySet<string> => {
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const padded = `  ${words} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)));
};

/** Returns the number of common trigrams divided by the number of all, from 0 to 1. */
export const commonShare = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let common = 0;
  for (const trigram of a) if (b.has(trigram)) common++;
  return common / (a.size + b.size - common || 1);
};
