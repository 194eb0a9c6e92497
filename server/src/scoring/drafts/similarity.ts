const trigramsOf = (text: string): Set<string> => {
  const plain = `  ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  return new Set(Array.from({ length: Math.max(0, plain.length - 2) }, (_, i) => plain.slice(i, i + 3)));
};

/** Returns a function that says how alike its text and `text` are: the shared trigrams of all, from 0 to 1. */
export const similarityTo = (text: string): ((other: string) => number) => {
  const own = trigramsOf(text);
  return (other) => {
    const its = trigramsOf(other);
    let shared = 0;
    for (const trigram of its) if (own.has(trigram)) shared++;
    return shared / (own.size + its.size - shared || 1);
  };
};
