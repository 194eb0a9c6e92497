/** Reading JSON so that numbers keep the digits they are written with, such as 12345678901234567890 and 1.10. */

// TypeScript's library does not have these parts of JSON yet. A browser without them reads plain numbers.
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
const { rawJSON } = JSON as typeof JSON & { rawJSON?: (text: string) => unknown };

/** A number that JavaScript would print differently from how it is written. As text and as JSON it is what was written. */
export class WrittenNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): unknown {
    return rawJSON?.(this.source) ?? Number(this.source);
  }

  toString(): string {
    return this.source;
  }

  valueOf(): number {
    return Number(this.source);
  }
}

/** A plain number if it prints as it is written, else a WrittenNumber. */
export const numberOf = (source: string): number | WrittenNumber =>
  String(Number(source)) === source ? Number(source) : new WrittenNumber(source);

const isLongInteger = (source: string): boolean =>
  /^-?\d+$/.test(source) && !Number.isSafeInteger(Number(source));

const parse = (text: string, isWritten: (source: string) => boolean): unknown => {
  const revive: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source && isWritten(context.source)
      ? numberOf(context.source)
      : value;
  return JSON.parse(text, revive);
};

// A reviver takes ten times as long as the parsing itself, and most texts have no such number. The expressions also find
// digits within strings, which costs time and nothing else.
const longInteger = /\d{16}/;
const unusual = /(?:^|[:[,])\s*(?:-0(?!\.)|-?\d+(?:\.\d*0(?!\d)|(?:\.\d+)?[eE]))|0\.0{6}|\d{16}|[\d.]{17}/;

/** Reads JSON; integers beyond the precision of a number become WrittenNumbers, all other numbers are plain. */
export const parseExact = (text: string): unknown =>
  longInteger.test(text) ? parse(text, isLongInteger) : JSON.parse(text);

/** Reads JSON that is edited and sent back: every number that would print differently becomes a WrittenNumber. */
export const parseAsWritten = (text: string): unknown =>
  unusual.test(text) ? parse(text, () => true) : JSON.parse(text);

/** A string, or a number that Python writes and JSON does not have. */
const notJson = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/** Reads JSON as Python writes it, digit by digit: NaN and infinities become null. */
export const parseLoosely = (text: string): unknown => {
  try {
    return parseAsWritten(text);
  } catch (error) {
    const repaired = text.replaceAll(notJson, (found) => (found.startsWith('"') ? found : 'null'));
    if (repaired === text) throw error;
    return parseAsWritten(repaired);
  }
};
