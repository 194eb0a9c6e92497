/** Reads scores from the cells of a table: for the command line and the pages. */
import type { CreateMetricBody } from '../generated.ts';
import type { JsonObject } from '../types.ts';
import { WrittenNumber } from '../written-number.ts';

export type ScoreValue = boolean | number | string | null | undefined;

type OutputType = CreateMetricBody['outputType'];

/** Returns a number to compute with, undefined for anything else. */
export const numberIn = (value: unknown): number | undefined => {
  const number = value instanceof WrittenNumber ? value.valueOf() : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Returns the value if it can be a score, else null. */
export const scoreValue = (value: unknown): ScoreValue =>
  typeof value === 'boolean' || typeof value === 'string' ? value : (numberIn(value) ?? null);

/** Words that tools use for pass and fail. */
const words: Record<string, boolean> = {
  true: true,
  false: false,
  pass: true,
  fail: false,
  passed: true,
  failed: false,
  correct: true,
  incorrect: false,
  yes: true,
  no: false,
};

/** Texts that mean that there is no value. */
const noValue = new Set(['', 'nan', 'none', 'null', 'n/a', 'na', '-']);

export const asWord = (value: ScoreValue): boolean | undefined =>
  typeof value === 'string' && Object.hasOwn(words, value.trim().toLowerCase())
    ? words[value.trim().toLowerCase()]
    : undefined;

/** A percentage and a fraction state their own scale. */
export const asShare = (value: ScoreValue): number | undefined => {
  if (typeof value !== 'string') return undefined;
  const [, percent] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(value) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  const [, part, whole] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(value) ?? [];
  return part === undefined || Number(whole) === 0 ? undefined : Number(part) / Number(whole);
};

export const asNumber = (value: ScoreValue): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Whether there is no value. The case is then unscored, which is not the same as a low score. */
export const isMissing = (value: ScoreValue): boolean =>
  value === null ||
  value === undefined ||
  Number.isNaN(value) ||
  (typeof value === 'string' && noValue.has(value.trim().toLowerCase()));

export type ScoreKind = { outputType: OutputType; toScore: (value: ScoreValue) => JsonObject };

/** How a value becomes a score of each kind. The value of a score is undefined if the cell does not have it. */
export const scoreKinds: Record<OutputType, ScoreKind> = {
  boolean: {
    outputType: 'boolean',
    toScore: (value) => ({ binaryScore: typeof value === 'boolean' ? value : asWord(value) }),
  },
  float: { outputType: 'float', toScore: (value) => ({ floatScore: asShare(value) ?? asNumber(value) }) },
  int: { outputType: 'int', toScore: (value) => ({ intScore: asNumber(value) }) },
  // A label may look like a number or a yes: it is taken as it is written.
  category: {
    outputType: 'category',
    toScore: (value) => ({
      categoryScore: value === null || value === undefined ? undefined : String(value),
    }),
  },
};

/** Names of metrics that are better low in many tools, and better high in others. */
export const mayBeLower =
  /hallucinat|toxic|bias|harm|misuse|sensitivity|error|distance|perplexity|loss|latency|cost/i;
