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

const reviveAsWritten: Reviver = (_key, value, context) =>
  typeof value === 'number' && context?.source ? numberOf(context.source) : value;

// A reviver takes ten times as long as the parsing itself, and most texts have no such number. The expression also finds
// digits within strings, which costs time and nothing else.
const unusual = /(?:^|[:[,])\s*(?:-0(?!\.)|-?\d+(?:\.\d*0(?!\d)|(?:\.\d+)?[eE]))|0\.0{6}|\d{16}|[\d.]{17}/;

/** Whether a JSON text may hold a number that JavaScript prints differently. */
export const hasUnusualNumber = (text: string): boolean => unusual.test(text);

/** Reads JSON that is edited and sent back: every number that would print differently becomes a WrittenNumber. */
export const parseAsWritten = (text: string): unknown =>
  hasUnusualNumber(text) ? JSON.parse(text, reviveAsWritten) : JSON.parse(text);

/** Fields of the API whose content is free-form: the pages show it and do not compute with it. */
const freeForm = new Set(['inputs', 'outputs', 'expected', 'jsonData', 'arguments', 'result']);

const withPlainNumbers = (value: unknown): unknown => {
  if (value instanceof WrittenNumber) return isLongInteger(value.source) ? value : value.valueOf();
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, freeForm.has(key) ? part : withPlainNumbers(part)]),
  );
};

/** Reads an answer of the API: numbers in free-form fields as they are written, others plain unless they are too long. */
export const parseAnswer = (text: string): unknown =>
  hasUnusualNumber(text) ? withPlainNumbers(parseAsWritten(text)) : JSON.parse(text);

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
