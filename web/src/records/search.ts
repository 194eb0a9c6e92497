import type { Member, Metric } from '../types.ts';

/** What a search bar's text asks for: typed filters, and the rest as free text. */
export type Search = { filters: { name: FilterName; value: string }[]; text: string };

/** The filters, in the words of the API. */
export const filterNames = {
  result: 'pass, fail, pending, unscored or failed',
  metric: 'the metric that result speaks of',
  tag: 'carries this tag; more than once: every one',
  run: 'of this run',
  assigned: 'to this person, or to me',
  after: 'made at this time or later: 2026-01-31',
  before: 'made before this time',
} as const;
export type FilterName = keyof typeof filterNames;

export const results = ['pass', 'fail', 'pending', 'unscored', 'failed'] as const;

const isFilterName = (name: string): name is FilterName => Object.hasOwn(filterNames, name);
/** What other tools call the same. */
const otherNames = new Map<string, FilterName>([['status', 'result']]);
/** The filter that is written so; undefined for a name that is none. */
export const filterNamed = (name: string): FilterName | undefined =>
  isFilterName(name) ? name : otherNames.get(name);
const token = /(?:(\w+):)?("(?:[^"\\]|\\.)*"|\S+)/g;

const unquote = (text: string): string =>
  text.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text;
const quote = (text: string): string =>
  /[\s"]/.test(text) || text === '' ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;

/** Takes `result:fail tag:"look again" refund` apart. A name that is no filter is text, as in `12:30`. */
export const parseSearch = (q: string): Search => {
  const search: Search = { filters: [], text: '' };
  const words: string[] = [];
  for (const [whole, name = '', value = ''] of q.matchAll(token)) {
    const filter = filterNamed(name);
    if (filter) search.filters.push({ name: filter, value: unquote(value) });
    else words.push(name ? whole : unquote(value));
  }
  search.text = words.join(' ');
  return search;
};

/** One filter as it is written in the bar. */
export const formatFilter = (name: FilterName, value: string): string => `${name}:${quote(value)}`;

/** The bar's text with the time that records were made in put in, in place of what it says of that. */
export const withTime = (q: string, from: Date | undefined, to: Date | undefined): string => {
  const { filters, text } = parseSearch(q);
  const iso = (time: Date) => time.toISOString().replace('.000Z', 'Z');
  return [
    ...filters.filter(({ name }) => name !== 'after' && name !== 'before'),
    ...(from ? [{ name: 'after' as const, value: iso(from) }] : []),
    ...(to ? [{ name: 'before' as const, value: iso(to) }] : []),
  ]
    .map((filter) => formatFilter(filter.name, filter.value))
    .concat(text || [])
    .join(' ');
};

/** Whether the search names things that must be known before it can be understood. */
export const needsNames = ({ filters }: Search): boolean =>
  filters.some(({ name, value }) => name === 'metric' || (name === 'assigned' && value !== 'me'));

/** What names in a search may mean. */
export type Known = { metrics: readonly Metric[]; members: readonly Member[]; meId: string };

/** The query of the list of records, as the API takes it. */
export type RecordsQuery = Record<string, string | string[]>;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const meaningOf = (
  name: FilterName,
  value: string,
  { metrics, members, meId }: Known,
): [string, string] | string => {
  switch (name) {
    case 'tag':
      return ['tags', value];
    case 'run':
      return /^\d+$/.test(value) ? ['runId', value] : `run:${value} is no number of a run`;
    case 'result':
      return results.some((result) => result === value)
        ? ['result', value]
        : `result: is one of ${results.join(', ')}, not ${value}`;
    case 'metric': {
      const metric = metrics.find(({ id, name }) => id === value || same(name, value));
      return metric ? ['metricId', metric.id] : `No metric of this project is called ${value}`;
    }
    case 'assigned': {
      if (value === 'me') return ['assigneeUserId', meId];
      const member = members.find(({ name, email }) => same(name, value) || same(email, value));
      return member ? ['assigneeUserId', member.id] : `Nobody is called ${value}`;
    }
    case 'after':
    case 'before': {
      const time = new Date(value);
      return Number.isNaN(time.getTime())
        ? `${name}:${value} is no date; write it like 2026-01-31`
        : [name === 'after' ? 'createdAfter' : 'createdBefore', time.toISOString()];
    }
  }
};

/** The search as the query of the list of records, and what in it can't be understood. */
export const toQuery = (
  { filters, text }: Search,
  known: Known,
): { query: RecordsQuery; problems: string[] } => {
  const query: RecordsQuery = text ? { text } : {};
  const problems: string[] = [];
  for (const { name, value } of filters) {
    const found = meaningOf(name, value, known);
    if (typeof found === 'string') problems.push(found);
    else if (found[0] === 'tags') query.tags = [...(query.tags ?? []), found[1]];
    else query[found[0]] = found[1];
  }
  return { query, problems };
};
