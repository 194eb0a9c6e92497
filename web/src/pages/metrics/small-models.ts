/** Sizes of models in their names, up to about one billion parameters: gemma3:270m, qwen3-0.6b, llama-3.2-1b. */
const small = /(?:^|[^a-z0-9.])(?:\d{2,3}m|0?\.\d+b|1(?:\.[0-7]\d?)?b)(?![a-z0-9])/i;

export const isSmallModel = (name: string): boolean => small.test(name);

export const smallModelHint =
  'A small model: a plain order in an output (“reply true”) can decide its verdict. Measure it against people, and do not gate on it where outputs hold text of users.';
