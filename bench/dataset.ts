import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The data set: `recordCount` records of 0.8 KB, each with one score of each of five metrics. */
export const recordCount = 10_000;
export const metrics = ['boolean', 'int', 'float', 'boolean', 'int'] as const;

/** Sentences of the documentation. Real text has as many different words, and so as many trigrams, as people's records. */
const sentences = (() => {
  const folder = fileURLToPath(new URL('../docs/', import.meta.url));
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const text = pages.map((name) => readFileSync(`${folder}${name}`, 'utf8')).join('\n\n');
  return text
    .split(/\n\s*\n|(?<=[.!?])\s/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /^[A-Z][^|`]{40,200}[.!?]$/.test(sentence));
})();

/** Returns `length` characters of sentences; another `seed` gives other sentences in another order. */
export const prose = (seed: number, length: number): string => {
  let text = '';
  // Fibonacci hashing spreads neighbouring seeds over all sentences.
  for (let i = seed * 64 + 1; text.length < length; i++)
    text += `${sentences[(Math.imul(i, 0x9e3779b1) >>> 8) % sentences.length]} `;
  return text.slice(0, length);
};

/** Returns the three free-form parts of record `i` as JSON text, 0.8 KB together. */
export const recordParts = (i: number) => ({
  inputs: JSON.stringify({ question: prose(i, 300), difficulty: i % 5 }),
  expected: JSON.stringify({ answer: String(i % 97) }),
  outputs: JSON.stringify({ answer: String(i % 89), solution: prose(i + 7, 380) }),
});

/** Returns the body that creates record `i`, with its five scores if it gets the configurations of the metrics. */
export const recordBody = (i: number, configIds: string[] = []): string => {
  const { inputs, expected, outputs } = recordParts(i);
  const scores = configIds.map((id, m) => `{"metricConfigId":"${id}","score":${scoreText(i, m)}}`);
  const brought = scores.length > 0 ? `,"scores":[${scores.join(',')}]` : '';
  return `{"inputs":${inputs},"expected":${expected},"outputs":${outputs}${brought}}`;
};

const scoreOf = {
  boolean: (i: number) => ({ binaryScore: i % 3 > 0 }),
  int: (i: number) => ({ intScore: (i % 5) + 1 }),
  float: (i: number) => ({ floatScore: (i % 100) / 100 }),
};

/** Returns the score of record `i` by metric `m` as JSON text. */
export const scoreText = (i: number, m: number): string =>
  JSON.stringify({ ...scoreOf[metrics[m]!](i), reasoning: prose(i + m, 60) });

/** Splits the numbers 0 to `count` - 1 into batches of at most `size`. */
export const batches = (count: number, size: number): number[][] =>
  Array.from({ length: Math.ceil(count / size) }, (_, b) =>
    Array.from({ length: Math.min(size, count - b * size) }, (_, i) => b * size + i),
  );
