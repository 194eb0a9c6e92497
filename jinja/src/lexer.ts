import { TemplateSyntaxError } from './template-error.ts';

/** Longest part of a tag that a message quotes, in characters. */
const longestQuote = 60;

export type TokenKind =
  | 'text'
  | 'print begin'
  | 'print end'
  | 'block begin'
  | 'block end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'end';
/** `tag` is where the token's tag begins, `at` where the token does: offsets in the source. */
export type Token = { kind: TokenKind; value: string; tag: number; at: number };

/** Returns the error with its line, column and tag. */
export const syntaxError = (
  source: string,
  { tag, at }: { tag: number; at: number },
  problem: string,
): TemplateSyntaxError => {
  const place = (offset: number) => {
    const before = source.slice(0, offset).split('\n');
    return `line ${before.length}, column ${Array.from(before.at(-1)!).length + 1}`;
  };
  if (tag >= source.length) return new TemplateSyntaxError(`${place(source.length)}: ${problem}`);
  const closes = /[}%#]\}/g;
  closes.lastIndex = Math.max(at, tag + 2);
  const end = closes.exec(source) ? closes.lastIndex : source.length;
  const quote = source.slice(tag, end).replace(/\s+/g, ' ').slice(0, longestQuote);
  return new TemplateSyntaxError(`${place(at)}, '${quote}': ${problem}`);
};

/** Line ends become \n, and one at the very end is dropped, as in Jinja. */
export const normalizedSource = (template: string): string =>
  template.replace(/\r\n?/g, '\n').replace(/\n$/, '');

const space = /\s*/y;
const rawBegin = /\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})/y;
const rawEnd = /\{%([-+]?)\s*endraw\s*(?:-%\}\s*|\+?%\})/g;
const commentEnd = /(?:-#\}\s*|\+?#\})/g;
const ends = { print: /-\}\}\s*|\}\}/y, block: /-%\}\s*|\+?%\}/y };

const parts: readonly [TokenKind, RegExp][] = [
  ['float', /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy],
  ['integer', /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy],
  ['name', /[\p{ID_Start}_][\p{ID_Continue}]*/uy],
  ['string', /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y],
  ['operator', /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y],
];

const simpleEscapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  "'": "'",
  '"': '"',
  '\\': '\\',
  '\n': '',
};
const escapeSequence = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{1,3})|([\s\S]))/gi;

/** Value of a literal. As in Python, an escape that has no meaning stays as it is written. */
const unescaped = (literal: string, refuse: (problem: string) => never): string =>
  literal.slice(1, -1).replace(escapeSequence, (whole, x, u, U, octal, char) => {
    if (/^\\[XN]/.test(whole)) return whole[1] === 'X' ? whole : refuse('the escape \\N is not available');
    const hex = x ?? u ?? U;
    if (hex !== undefined) {
      const code = Number.parseInt(hex, 16);
      return code > 0x10ffff ? refuse(`${whole} is not a character`) : String.fromCodePoint(code);
    }
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    if ('xuU'.includes(char)) return refuse(`${whole} needs hexadecimal digits`);
    return simpleEscapes[char] ?? whole;
  });

const matchAt = (pattern: RegExp, source: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
};

/** Above any real prompt. */
const deepestBrackets = 200;
const pairs: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** Splits a template, whose line ends are normalized, as Jinja's lexer does. Throws TemplateSyntaxError. */
export const tokenize = (source: string): Token[] => {
  const tokens: Token[] = [];
  const fail = (tag: number, at: number, problem: string): never => {
    throw syntaxError(source, { tag, at }, problem);
  };
  const addText = (text: string, at: number) => {
    if (text !== '') tokens.push({ kind: 'text', value: text, tag: at, at });
  };

  /** Reads the inside of a tag, and returns where it ends. */
  const readTag = (tag: number, kind: 'print' | 'block'): number => {
    let at = tag + 2;
    tokens.push({ kind: `${kind} begin`, value: source.slice(tag, at), tag, at: tag });
    if (source[at] === '-' || source[at] === '+') at++;
    const open: string[] = [];
    for (;;) {
      at += matchAt(space, source, at)!.length;
      const end = open.length === 0 ? matchAt(ends[kind], source, at) : undefined;
      if (end !== undefined) {
        tokens.push({ kind: `${kind} end`, value: end.trim(), tag, at });
        return at + end.length;
      }
      if (at >= source.length) fail(tag, at, 'this tag is never closed');
      const found = parts
        .map(([partKind, pattern]) => [partKind, matchAt(pattern, source, at)] as const)
        .find(([, text]) => text !== undefined);
      if (!found) {
        const char = String.fromCodePoint(source.codePointAt(at)!);
        fail(tag, at, /['"]/.test(char) ? 'this tag is never closed' : `unexpected character: ${char}`);
      }
      const [partKind, text] = found as [TokenKind, string];
      if (partKind === 'operator') {
        if (Object.hasOwn(pairs, text)) open.push(pairs[text]!);
        else if (/[)\]}]/.test(text) && open.pop() !== text) fail(tag, at, `unexpected ${text}`);
        if (open.length > deepestBrackets) fail(tag, at, 'nests too deeply');
      }
      const value = partKind === 'string' ? unescaped(text, (problem) => fail(tag, at, problem)) : text;
      tokens.push({ kind: partKind, value, tag, at });
      at += text.length;
    }
  };

  const begin = /\{[{%#]/g;
  let at = 0;
  while (at < source.length) {
    begin.lastIndex = at;
    const tag = begin.exec(source)?.index ?? source.length;
    const text = source.slice(at, tag);
    addText(source[tag + 2] === '-' ? text.trimEnd() : text, at);
    if (tag === source.length) break;
    const raw = matchAt(rawBegin, source, tag);
    if (raw !== undefined) {
      const from = tag + raw.length;
      rawEnd.lastIndex = from;
      const end = rawEnd.exec(source) ?? fail(tag, tag, 'this {% raw %} is never closed');
      const content = source.slice(from, end.index);
      addText(end[1] === '-' ? content.trimEnd() : content, from);
      at = rawEnd.lastIndex;
    } else if (source[tag + 1] === '#') {
      commentEnd.lastIndex = tag + 2;
      if (!commentEnd.exec(source)) fail(tag, tag, 'this tag is never closed');
      at = commentEnd.lastIndex;
    } else {
      at = readTag(tag, source[tag + 1] === '{' ? 'print' : 'block');
    }
  }
  tokens.push({ kind: 'end', value: '', tag: source.length, at: source.length });
  return tokens;
};
