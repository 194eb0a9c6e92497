import { type Node, parse, type Token, tokenize } from './jinja.ts';

/** Far above any real prompt. */
const maxLength = 100_000;
/** The library's lexer takes quadratic time over blanks: 1,000 in a row cost a millisecond, 100,000 would cost a minute. */
const tooManyBlanks = /\s{1000}/;

export type TemplateError = { line: number; column: number; message: string };

export class TemplateSyntaxError extends Error {
  readonly at: TemplateError;
  constructor(at: TemplateError) {
    super(`line ${at.line}, column ${at.column}: ${at.message}`);
    this.at = at;
  }
}

const errorAt = (template: string, offset: number, message: string) => {
  const before = template.slice(0, offset).split('\n');
  return new TemplateSyntaxError({ line: before.length, column: before.at(-1)!.length + 1, message });
};

/** Offset of the last tag that opens: the one that is open where the template ends too early. */
const lastTag = (template: string) =>
  Math.max(0, ...['{{', '{%', '{#'].map((tag) => template.lastIndexOf(tag)));

/** The lexer says no position: it is the end of the shortest beginning that gives the same error. */
const lexingError = (template: string, message: string): TemplateSyntaxError => {
  if (/end of (input|comment)/i.test(message)) {
    return errorAt(template, lastTag(template), 'this tag is never closed');
  }
  let [works, fails] = [0, template.length];
  while (fails - works > 1) {
    const middle = Math.floor((works + fails) / 2);
    if (failure(() => tokenize(template.slice(0, middle))) === message) fails = middle;
    else works = middle;
  }
  return errorAt(
    template,
    fails - 1,
    message.replace(/^\w/, (first) => first.toLowerCase()),
  );
};

const failure = (action: () => unknown): string | undefined => {
  try {
    action();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const endOfLiteral = (template: string, at: number): number => {
  const quote = template[at];
  let end = at + 1;
  while (end < template.length && template[end] !== quote) end += template[end] === '\\' ? 2 : 1;
  return end + 1;
};

/** Where token number `index` begins. Token[] carry no position, but follow each other in the template. */
const offsetOf = (template: string, tokens: Token[], index: number): number => {
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'StringLiteral') {
      at = template.slice(at).search(/["']/) + at;
      if (i === index) return at;
      at = endOfLiteral(template, at);
      continue;
    }
    const found = template.indexOf(token.value, at);
    if (found >= 0) at = found;
    if (i === index) return at;
    if (found >= 0) at += token.value.length;
  }
  return template.length;
};

/** Parses a Jinja template. Throws TemplateSyntaxError with line and column. */
export const parseTemplate = (template: string): Node => {
  if (template.length > maxLength) {
    throw errorAt(template, maxLength, `must not be longer than ${maxLength} characters`);
  }
  const blanks = template.search(tooManyBlanks);
  if (blanks >= 0) throw errorAt(template, blanks, 'must not hold 1000 blanks in a row');

  let tokens: Token[];
  try {
    tokens = tokenize(template);
  } catch (error) {
    throw lexingError(template, (error as Error).message);
  }
  // The parser says no position either: it is at the last token that it looked at.
  let last = 0;
  const watched = new Proxy(tokens, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) last = Math.max(last, Number(key));
      return Reflect.get(target, key);
    },
  });
  try {
    return parse(watched);
  } catch (error) {
    if (error instanceof RangeError) throw errorAt(template, 0, 'nests too deeply');
    if (last >= tokens.length)
      throw errorAt(template, lastTag(template), 'the template ends before its block does');
    const message = (error as Error).message.replace(/^Parser Error: /, '').replace(/\. \w+ !== \w+\.$/, '');
    throw errorAt(
      template,
      offsetOf(template, tokens, last),
      message.replace(/^\w/, (c) => c.toLowerCase()),
    );
  }
};
