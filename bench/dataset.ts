/** The data set: `recordCount` records of 0.8 KB, each with one score of each of five metrics. */
export const recordCount = 10_000;
export const metrics = ['boolean', 'int', 'float', 'boolean', 'int'] as const;

const words =
  'the sum of both trains is therefore twelve apples and a half hour later she pays nine dollars'.split(' ');

/** Returns `length` characters of words; another `seed` gives another text. */
const prose = (seed: number, length: number): string => {
  let text = '';
  for (let i = seed; text.length < length; i = (i * 31 + 17) % 10_007) text += `${words[i % words.length]} `;
  return text.slice(0, length);
};

/** Returns the three free-form parts of record `i` as JSON text, 0.8 KB together. */
export const recordParts = (i: number) => ({
  inputs: JSON.stringify({ question: prose(i, 300), difficulty: i % 5 }),
  expected: JSON.stringify({ answer: String(i % 97) }),
  outputs: JSON.stringify({ answer: String(i % 89), solution: prose(i + 7, 380) }),
});

export const recordBody = (i: number): string => {
  const { inputs, expected, outputs } = recordParts(i);
  return `{"inputs":${inputs},"expected":${expected},"outputs":${outputs}}`;
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
