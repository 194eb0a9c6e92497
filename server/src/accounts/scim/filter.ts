import { ScimError } from './scim-error.ts';

/** A comparison of a filter: an attribute, in lower case, that equals a value. */
export type Equals = { attribute: string; value: string | boolean };

const comparison = /^\s*([\w.:]+(?:\[[^\]]*\](?:\.\w+)?)?)\s+eq\s+(?:"((?:[^"\\]|\\.)*)"|(true|false))\s*/i;

const textIn = (quoted: string): string => {
  try {
    const value = JSON.parse(`"${quoted}"`) as string;
    if (!value.includes('\0')) return value;
  } catch {
    // Not a text of JSON, which is what RFC 7644 asks for.
  }
  throw new ScimError(
    400,
    'A value of the filter must be a text as JSON writes it, without NUL.',
    'invalidFilter',
  );
};

/**
 * Reads `userName eq "ada@example.com"`, and several with `and`. Directories send nothing else; anything more is an error, because a
 * filter that was ignored would match everyone.
 */
export const readFilter = (text: unknown): Equals[] => {
  if (text === undefined) return [];
  if (typeof text !== 'string') throw new ScimError(400, 'Send one filter.', 'invalidFilter');
  if (text.trim() === '') return [];
  const found: Equals[] = [];
  for (let rest = text; ; ) {
    const match = comparison.exec(rest);
    if (!match)
      throw new ScimError(
        400,
        `The filter must be "attribute eq value", or several joined by and, not: ${text}`,
        'invalidFilter',
      );
    const [all, attribute, quoted, flag] = match;
    const value = flag === undefined ? textIn(quoted!) : flag.toLowerCase() === 'true';
    found.push({ attribute: attribute!.toLowerCase(), value });
    rest = rest.slice(all.length);
    if (rest === '') return found;
    const and = /^and\s+/i.exec(rest);
    if (!and)
      throw new ScimError(
        400,
        `The filter must be "attribute eq value", or several joined by and, not: ${text}`,
        'invalidFilter',
      );
    rest = rest.slice(and[0].length);
  }
};
