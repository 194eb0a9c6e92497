import { type Node, parse, tokenize } from './jinja.ts';

/** Far above any real prompt. */
const maxLength = 100_000;
/** The library's lexer takes quadratic time over blanks: 1,000 in a row cost a millisecond, 100,000 would cost a minute. */
const tooManyBlanks = /\s{1000}/;
/** Longest part of a tag that a message quotes, in characters. */
const longestQuote = 60;

/** Its message says what is wrong with a template, and as far as that is known, in which line and tag. */
export class TemplateSyntaxError extends Error {}

const endsTooEarly = 'the template ends before its block does';
const neverClosed = 'this tag is never closed';

/** The library's error in plain words. */
const problemOf = (error: Error): string => {
  if (error instanceof RangeError) return 'nests too deeply';
  // The parser has read beyond the last token.
  if (error instanceof TypeError) return endsTooEarly;
  if (/end of (input|comment)/i.test(error.message)) return neverClosed;
  return error.message
    .replace(/^Parser Error: /, '')
    .replace(/\. \w+ !== \w+\.$/, '')
    .replace(/^\w/, (first) => first.toLowerCase());
};

const problemIn = (template: string): string | undefined => {
  try {
    parse(tokenize(template));
    return undefined;
  } catch (error) {
    return problemOf(error as Error);
  }
};

const lineAt = (template: string, offset: number): string =>
  `line ${template.slice(0, offset).split('\n').length}`;

/**
 * The line and the tag, which the author of a judge's prompt of 200 lines needs. The library does not name them: it is the first
 * tag up to which the template has this problem.
 */
const placeOf = (template: string, problem: string): string => {
  if (problem === endsTooEarly) return lineAt(template, template.length);
  const ends = [...template.matchAll(/[}%#]\}/g)].map(({ index }) => index + 2);
  let [before, from] = [-1, ends.length];
  while (from - before > 1) {
    const middle = (before + from) >> 1;
    if (problemIn(template.slice(0, ends[middle])) === problem) from = middle;
    else before = middle;
  }
  const previous = ends[before] ?? 0;
  const start = previous + Math.max(0, template.slice(previous).search(/\{[{%#]/));
  const tag = template.slice(start, ends[from]).replace(/\s+/g, ' ').slice(0, longestQuote);
  return `${lineAt(template, start)}, '${tag}'`;
};

/** Parses a Jinja template. Throws TemplateSyntaxError. */
export const parseTemplate = (template: string): Node => {
  if (template.length > maxLength)
    throw new TemplateSyntaxError(`must not be longer than ${maxLength} characters`);
  const blanks = template.search(tooManyBlanks);
  if (blanks >= 0)
    throw new TemplateSyntaxError(`${lineAt(template, blanks)}: must not hold 1000 blanks in a row`);
  try {
    return parse(tokenize(template));
  } catch (error) {
    const problem = problemOf(error as Error);
    const place = error instanceof RangeError ? '' : `${placeOf(template, problem)}: `;
    throw new TemplateSyntaxError(`${place}${problem}`);
  }
};
