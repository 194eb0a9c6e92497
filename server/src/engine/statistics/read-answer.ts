/** Reads what an output answers, in a form in which equal answers are equal texts. */
import { canonicalJson } from '../../../../client/src/passport/passport.ts';
import { parseAsWritten, WrittenNumber } from '../../../../client/src/written-number.ts';

/** Longer texts are explanations: two are hardly ever equal, even if they answer alike. */
const longestAnswer = 120;
const number = /-?\d[\d,]*(?:\.\d+)?/g;
/** Where models write their final answer: `A: 18`, `#### 18`, `\boxed{18}`, "the answer is 18". */
const finalMark = /(?:\b(?:final\s+)?answer\s*(?:is|:)|^\s*A:|####|\\boxed\{)\s*/gim;

/** Digits that a number keeps in JavaScript; longer ones are compared as they are written. */
const keptDigits = 15;
const numberText = (found: string): string => {
  const plain = found.replaceAll(',', '');
  return plain.replaceAll(/\D/g, '').length > keptDigits ? plain : String(Number(plain));
};

/** The text behind the last mark of a final answer, to the end of its line; undefined without a mark. */
const behindMark = (text: string): string | undefined => {
  const last = [...text.matchAll(finalMark)].at(-1);
  return last && text.slice(last.index + last[0].length).split('\n')[0]!;
};

const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a key is a number, alone or behind a solution with a mark. */
export const isNumeric = (key: string): boolean => {
  const final = (behindMark(key) ?? key)
    .trim()
    .replace(/[$€£%.\s]+$/u, '')
    .replace(/^[$€£]\s*/u, '');
  return /^-?\d[\d,]*(?:\.\d+)?$/.test(final);
};

/** Reads the answer in a text. With a numeric key, it is the last number behind the mark, else of all. Null if none can be compared. */
export const answerIn = (text: string, ofNumber: boolean): string | null => {
  const marked = behindMark(text);
  if (ofNumber) {
    const found = marked?.match(number)?.[0] ?? text.match(number)?.at(-1);
    return found === undefined ? null : numberText(found);
  }
  const answer = plainText(marked ?? text);
  return answer.length > 0 && answer.length <= longestAnswer ? answer : null;
};

const usualFields = ['answer', 'output', 'result', 'response', 'text', 'content'];

const textOf = (value: unknown): string =>
  typeof value === 'string' || value instanceof WrittenNumber
    ? String(value)
    : value === undefined
      ? ''
      : canonicalJson(value);

/** Chooses the member of an object that is the answer: one that the key has too, the only one, or one with a usual name. */
export const answerPart = (value: unknown, fields: readonly string[]): string => {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof WrittenNumber)
    return textOf(value);
  const members = value as Record<string, unknown>;
  const names = Object.keys(members);
  const name =
    fields.find((field) => field in members) ??
    (names.length === 1 ? names[0] : usualFields.find((field) => field in members));
  return textOf(name === undefined ? members : members[name]);
};

/** Reads JSON text; a text that was cut is read as it is. */
export const parsedOrText = (json: string): unknown => {
  try {
    return parseAsWritten(json);
  } catch {
    return json;
  }
};
