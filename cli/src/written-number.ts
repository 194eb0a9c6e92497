import type { ScalarTag } from 'yaml';

// TypeScript's library does not know these parts of JSON yet.
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const { rawJSON } = JSON as typeof JSON & { rawJSON: (text: string) => unknown };

/** A number that would be printed otherwise than it was written, as 9007199254740993 or 1.10: it goes on as it was written. */
export class WrittenNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): unknown {
    return rawJSON(this.source);
  }
}

const numberOf = (source: string): number | WrittenNumber =>
  String(Number(source)) === source ? Number(source) : new WrittenNumber(source);

/** Reads JSON with its numbers as they are written. */
export const parseAsWritten = (text: string): unknown => {
  const revive: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source ? numberOf(context.source) : value;
  return JSON.parse(text, revive);
};

/** The same for YAML, and what writes such numbers there. */
export const writtenNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof WrittenNumber,
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/,
  resolve: numberOf,
  stringify: ({ value }) => (value as WrittenNumber).source,
};
