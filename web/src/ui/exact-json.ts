// TypeScript's library does not know these parts of JSON yet; a browser without them reads numbers as numbers.
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const { rawJSON } = JSON as typeof JSON & { rawJSON?: (text: string) => unknown };

/** Reads JSON; an integer that a number can't hold becomes a bigint, so that it is shown digit by digit. */
export const parseExact = (text: string): unknown => {
  const revive: Reviver = (_key, value, context) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    context?.source &&
    /^-?\d+$/.test(context.source)
      ? BigInt(context.source)
      : value;
  return JSON.parse(text, revive);
};

/** JSON text of what `parseExact` has read; in lines, each level so many spaces further in, when `indent` is given. */
export const exactText = (value: unknown, indent?: number): string =>
  JSON.stringify(
    value,
    (_key, item) => (typeof item === 'bigint' ? (rawJSON?.(String(item)) ?? String(item)) : item),
    indent,
  ) ?? '';
