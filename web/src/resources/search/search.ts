import { DokimaError } from '../../../../client/src/errors.ts';

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const word = new RegExp(String.raw`(?:${quoted}|\S)+`, 'g');

/** The words of a search: filters with their values, and texts. The service parses them; docs/searching.md describes them. */
const wordsOf = (q: string): string[] => q.match(word) ?? [];

const unquote = (text: string): string =>
  text.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text;

/** A value as it is written in a search: in quotes if it needs them. */
export const quote = (text: string): string =>
  /[\s"]/.test(text) || text === '' ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;

/** A name as it is written within a key, such as `score."Order number"`. */
export const quoteName = (name: string): string =>
  /[\s".:]/.test(name) || name === '' ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;

/** The text of one filter in the search field. */
export const formatFilter = (name: string, value: string): string => `${name}:${quote(value)}`;

/** The value of the last filter of this name; undefined without one. */
export const filterValue = (q: string, name: string): string | undefined => {
  const found = wordsOf(q).findLast((each) => each.toLowerCase().startsWith(`${name}:`));
  return found === undefined ? undefined : unquote(found.slice(name.length + 1));
};

const isOf = (filter: string, by: string): boolean =>
  [`${by}:`, `-${by}:`].some((start) => filter.toLowerCase().startsWith(start.toLowerCase()));

/** Whether the search has this filter, as it is written. */
export const hasFilter = (q: string, filter: string): boolean =>
  wordsOf(q).some((each) => each.toLowerCase() === filter.toLowerCase());

/** The search without the filters by a field or a key, such as `outputs.answer`. */
export const withoutFiltersBy = (q: string, by: string): string =>
  wordsOf(q)
    .filter((each) => !isOf(each, by))
    .join(' ');

/**
 * The search with a filter added, or removed if it has it. It takes the place of other filters by the same field, which few records pass
 * together; `several`: records can have several values.
 */
export const toggledFilter = (q: string, by: string, filter: string, several = false): string => {
  const kept = several || hasFilter(q, filter) ? q : withoutFiltersBy(q, by);
  const words = wordsOf(kept).filter((each) => each.toLowerCase() !== filter.toLowerCase());
  return [...words, ...(hasFilter(q, filter) ? [] : [filter])].join(' ');
};

/** The filter for the other records. */
export const oppositeFilter = (filter: string): string =>
  filter.startsWith('-') ? filter.slice(1) : `-${filter}`;

/** The search without the filters of these names, and with others at its end. */
const replaced = (q: string, names: readonly string[], added: readonly string[]): string =>
  [
    ...wordsOf(q).filter((each) => !names.some((name) => each.toLowerCase().startsWith(`${name}:`))),
    ...added,
  ].join(' ');

/** The search with its time filters replaced. */
export const withTime = (q: string, from: Date | undefined, to: Date | undefined): string => {
  const iso = (time: Date) => time.toISOString().replace('.000Z', 'Z');
  return replaced(
    q,
    ['after', 'before'],
    [...(from ? [`after:${iso(from)}`] : []), ...(to ? [`before:${iso(to)}`] : [])],
  );
};

/** An order of a list: a column as the search names it, such as `latency` or `score."Order number"`. */
export type Sorting = { column: string; descending: boolean };

/** The order that the search asks for; undefined when it leaves it to the list. */
export const sortingOf = (q: string): Sorting | undefined => {
  const value = wordsOf(q)
    .findLast((each) => each.startsWith('sort:'))
    ?.slice('sort:'.length);
  if (!value) return undefined;
  return { column: value.replace(/^-/, ''), descending: value.startsWith('-') };
};

/** The search in another order. */
export const withSorting = (q: string, sorting: Sorting | undefined): string =>
  replaced(q, ['sort'], sorting ? [`sort:${sorting.descending ? '-' : ''}${sorting.column}`] : []);

/** The service's words about what is wrong with the search, if it refused the request because of that. */
export const problemsOf = (error: Error | null): string[] => {
  if (!(error instanceof DokimaError) || error.status !== 400) return [];
  const issues = (error.details.issues ?? []) as { path: string; message: string }[];
  return issues.filter(({ path }) => path === '/q').map(({ message }) => `The search ${message}.`);
};
