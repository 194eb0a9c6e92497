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

/** A number that is written in another way than it would be printed, as 1.10 or 1e3. Shown and sent as it was written. */
class WrittenNumber extends Number {
  readonly #source: string;

  constructor(value: number, source: string) {
    super(value);
    this.#source = source;
  }

  toJSON(): unknown {
    return rawJSON?.(this.#source) ?? this.valueOf();
  }
}

/** Where such a number may stand, or a long one; in a text as well, which costs time and nothing else. */
const otherwiseWritten = /(?:^|[:[,])\s*(?:-0(?!\.)|-?\d+(?:\.\d*0(?!\d)|(?:\.\d+)?[eE]))|0\.0{6}|\d{16}/;

/** Reads JSON that is edited and goes back: beyond `parseExact`, a number that nobody touches stays as it was written. */
export const parseAsWritten = (text: string): unknown => {
  if (!otherwiseWritten.test(text)) return JSON.parse(text);
  const revive: Reviver = (_key, value, context) => {
    if (typeof value !== 'number' || !context?.source || String(value) === context.source) return value;
    const isLong = !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source);
    return isLong ? BigInt(context.source) : new WrittenNumber(value, context.source);
  };
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
