import type { Usage } from '../../../engine/models/ask.ts';

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

/** Returns the sum of two usages; null where one is unknown. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: plus(a.inputTokens, b.inputTokens),
  outputTokens: plus(a.outputTokens, b.outputTokens),
  costUsd: plus(a.costUsd, b.costUsd),
});
