import { type Issue, invalidAll } from '../../platform/errors.ts';
import {
  parseSearch,
  type Range,
  rangeOf,
  type Term,
  timeUnits,
  unknownKey,
} from '../../platform/search/parse-search.ts';

/** What a search knows of a span. Times are nanoseconds as text. */
export type SearchedSpan = {
  name: string;
  service: string;
  operation: string | null;
  model: string | null;
  failed: boolean;
  start: string;
  end: string;
};

/** Tells whether a search chooses a span. */
export type SpanTest = (span: SearchedSpan) => boolean;

/** The filters of a search of spans, with what each takes. */
export const spanKeys = {
  kind: 'chat, tool, agent, chain, embedding or retrieval',
  name: 'its name; ~part for a part of it',
  service: 'name of the service',
  model: 'model that answered',
  error: 'yes or no',
  latency: 'its duration: >2s',
} as const;

const kinds = ['chat', 'tool', 'agent', 'chain', 'embedding', 'retrieval'];

const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

const textTest = ({ op, value }: Term, of: (span: SearchedSpan) => string | null): SpanTest => {
  if (op === 'has') return (span) => of(span) !== null;
  if (op === '~') return (span) => holds(of(span) ?? '', value);
  return (span) => of(span) === value;
};

const isIn = (value: number, { low, high, lowOpen, highOpen }: Range): boolean =>
  (low === undefined || (lowOpen ? value > low : value >= low)) &&
  (high === undefined || (highOpen ? value < high : value <= high));

/** Milliseconds of a span; an open span, or one that ends before it starts, has none. */
const durationOf = ({ start, end }: SearchedSpan): number | null => {
  const nanoseconds = BigInt(end) - BigInt(start);
  return nanoseconds < 0n ? null : Number(nanoseconds) / 1e6;
};

/** Returns the test of a term, or what is wrong with it. */
const testOf = (term: Term): SpanTest | string => {
  const { key, op, value, text } = term;
  if (!Object.hasOwn(spanKeys, key)) return unknownKey(term, Object.keys(spanKeys));
  if (value === '' && op !== 'has') return `needs a value after ${text}`;
  if (op !== '=' && op !== '~' && op !== 'has' && key !== 'latency') return `has ${text}: ${key} is a text`;
  if (key === 'kind') {
    if (op === 'has') return ({ operation }) => operation !== null;
    if (op !== '=' || !kinds.includes(value)) return `has ${text}: kind is one of ${kinds.join(', ')}`;
    return ({ operation }) => operation === value;
  }
  if (key === 'error') {
    if (op !== 'has' && value !== 'yes' && value !== 'no') return `has ${text}: error is one of yes, no`;
    return ({ failed }) => failed === (value !== 'no');
  }
  if (key === 'latency') {
    const range = rangeOf(term, timeUnits);
    if (!range) return `has ${text}, which is not a number. Write it like latency:>2s`;
    return (span) => {
      const ms = durationOf(span);
      return ms !== null && isIn(ms, range);
    };
  }
  if (key === 'name') return textTest(term, ({ name }) => name);
  if (key === 'service') return textTest(term, ({ service }) => service);
  return textTest(term, ({ model }) => model);
};

const not =
  (test: SpanTest): SpanTest =>
  (span) =>
    !test(span);

/**
 * Reads a search of spans, such as `kind:tool name:refund -error`. Words without a key are a part of the name. Throws 400 with each
 * problem of the search.
 */
export const readSpanSearch = (q: string): SpanTest => {
  const { terms, text, without } = parseSearch(q, ['error']);
  const issues: Issue[] = [];
  const tests: SpanTest[] = [];
  for (const term of terms) {
    const test = testOf(term);
    if (typeof test === 'string') issues.push({ path: '/spans', message: test });
    else tests.push(term.negated ? not(test) : test);
  }
  if (text) tests.push(({ name }) => holds(name, text));
  for (const word of without) tests.push(({ name }) => !holds(name, word));
  if (issues.length === 0 && tests.length === 0)
    issues.push({ path: '/spans', message: 'must choose spans: write kind:tool, or name:refund' });
  if (issues.length > 0) throw invalidAll(issues);
  return (span) => tests.every((test) => test(span));
};
