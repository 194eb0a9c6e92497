import { endOfString } from './bounds.ts';

/** Says where a JSON text is broken. The words of `JSON.parse` name the place of some faults only, and as a position, not as a line. */

/** A mark of JSON's structure, a text without its end, a number or a word. */
const token = /\s*(?:([{}[\],:])|(")|(-?\d[\d.eE+-]*|true|false|null)|(\S|$))/y;

/** Returns the first place where a value must stand and none does: the one fault whose place the parser's words leave out. */
const missingValue = (text: string): number => {
  let before = '';
  for (token.lastIndex = 0; ; ) {
    const found = token.exec(text);
    const [, mark, quote, , other] = found!;
    const at = token.lastIndex - 1;
    if (other !== undefined) return other === '' ? text.length : at;
    if (mark !== undefined && /[\]},:]/.test(mark) && /[[,:]/.test(before) && before + mark !== '[]')
      return at;
    if (quote !== undefined) token.lastIndex = endOfString(text, at) + 1;
    before = mark ?? 'value';
    if (token.lastIndex > text.length) return text.length;
  }
};

/** The place of a fault as an editor counts, what is wrong, and whether the text ends there. */
export type JsonFault = { line: number; column: number; what: string; breaksOff: boolean };

/** Returns where and why `JSON.parse` refused a text. */
export const jsonFault = (text: string, error: unknown): JsonFault => {
  const said = (error as Error).message;
  const named = /\bat position (\d+)/.exec(said)?.[1];
  const end = text.trimEnd().length;
  const isEnd = /^Unexpected end/.test(said) || /^Unterminated string/.test(said);
  const at = isEnd ? end : named === undefined ? missingValue(text) : Number(named);
  const before = text.slice(0, Math.min(at, end));
  return {
    line: before.split('\n').length,
    column: before.length - before.lastIndexOf('\n'),
    what: said.replace(/( in JSON)? at position \d+.*$|, (\.\.\.)?".*is not valid JSON$/s, ''),
    breaksOff: at >= end && !said.startsWith('Unexpected non-whitespace'),
  };
};
