// TypeScript's library does not know these parts of JSON yet; a browser without them reads numbers as numbers.
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const { rawJSON } = JSON as typeof JSON & { rawJSON?: (text: string) => unknown };

/** As many digits as the first integer has that a number can't hold, 9007199254740993. */
const longNumber = /\d{16}/;

/** Reads JSON; an integer that a number can't hold becomes a bigint, so that it is shown digit by digit. */
export const parseExact = (text: string): unknown => {
  // To revive each value takes ten times as long as to parse them all.
  if (!longNumber.test(text)) return JSON.parse(text);
  const revive: Reviver = (_key, value, context) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    context?.source &&
    /^-?\d+$/.test(context.source)
      ? BigInt(context.source)
      : value;
  return JSON.parse(text, revive);
};

const digits = (_key: string, item: unknown): unknown =>
  typeof item === 'bigint' ? (rawJSON?.(String(item)) ?? String(item)) : item;

/** JSON text of what `parseExact` has read; in lines, each level so many spaces further in, when `indent` is given. */
export const exactText = (value: unknown, indent?: number): string => {
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    // A bigint throws, and is rare; to ask about each value would make all the others slow.
    return JSON.stringify(value, digits, indent) ?? '';
  }
};
