import type { ListProjectRecordsQuery, Member, Metric } from '../types.ts';

/** The parts of a search bar's text: filters, and the rest as free text. */
export type Search = { filters: { name: FilterName; value: string }[]; text: string };

/** The filters, with their descriptions. */
export const filterNames = {
  result: 'pass, fail, pending, unscored or failed',
  metric: 'the metric of result',
  tag: 'has this tag; repeat it for several tags',
  run: 'in this run',
  assigned: 'to this member, or to me',
  after: 'created at this time or later: 2026-01-31',
  before: 'created before this time',
} as const;
export type FilterName = keyof typeof filterNames;

export const results = ['pass', 'fail', 'pending', 'unscored', 'failed'] as const;

const isFilterName = (name: string): name is FilterName => Object.hasOwn(filterNames, name);
/** Names of the filters in other tools. */
const otherNames = new Map<string, FilterName>([['status', 'result']]);
/** The filter of this name; undefined for any other name. */
export const filterNamed = (name: string): FilterName | undefined =>
  isFilterName(name) ? name : otherNames.get(name);
const token = /(?:(\w+):)?("(?:[^"\\]|\\.)*"|\S+)/g;

const unquote = (text: string): string =>
  text.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text;
const quote = (text: string): string =>
  /[\s"]/.test(text) || text === '' ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;

/** Parses `result:fail tag:"look again" refund`. A name that is not a filter is text, as in `12:30`. */
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

/** The text of one filter in the search bar. */
export const formatFilter = (name: FilterName, value: string): string => `${name}:${quote(value)}`;

/** The text of the search bar with its time filters replaced. */
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

/** Whether the search has names that must be resolved first. */
export const needsNames = ({ filters }: Search): boolean =>
  filters.some(({ name, value }) => name === 'metric' || (name === 'assigned' && value !== 'me'));

/** What the names in a search can refer to. */
export type Known = { metrics: readonly Metric[]; members: readonly Member[]; meId: string };

/** The filters of the list of records. */
export type RecordsQuery = Omit<ListProjectRecordsQuery, 'limit' | 'cursor' | 'offset'>;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The query of one filter, or what is wrong with it. */
const meaningOf = (
  name: FilterName,
  value: string,
  { metrics, members, meId }: Known,
): RecordsQuery | string => {
  switch (name) {
    case 'tag':
      return { tags: [value] };
    case 'run':
      return /^\d+$/.test(value) ? { runId: value } : `run:${value} is not the number of a run`;
    case 'result': {
      const result = results.find((each) => each === value);
      return result ? { result } : `result: is one of ${results.join(', ')}, not ${value}`;
    }
    case 'metric': {
      const metric = metrics.find(({ id, name }) => id === value || same(name, value));
      return metric ? { metricId: metric.id } : `No metric of this project is called ${value}`;
    }
    case 'assigned': {
      if (value === 'me') return { assigneeUserId: meId };
      const member = members.find(({ name, email }) => same(name, value) || same(email, value));
      return member ? { assigneeUserId: member.id } : `No member is called ${value}`;
    }
    case 'after':
    case 'before': {
      const time = new Date(value);
      return Number.isNaN(time.getTime())
        ? `${name}:${value} is not a date; write it like 2026-01-31`
        : { [name === 'after' ? 'createdAfter' : 'createdBefore']: time.toISOString() };
    }
  }
};

/** The query of a search, and the problems in it. */
export const toQuery = (
  { filters, text }: Search,
  known: Known,
): { query: RecordsQuery; problems: string[] } => {
  const query: RecordsQuery = text ? { text } : {};
  const problems: string[] = [];
  for (const { name, value } of filters) {
    const found = meaningOf(name, value, known);
    if (typeof found === 'string') problems.push(found);
    else Object.assign(query, found, found.tags && { tags: [...(query.tags ?? []), ...found.tags] });
  }
  return { query, problems };
};
