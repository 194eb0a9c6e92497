import type { Member, Metric } from '../../types.ts';
import { formatFilter, quoteName } from './search.ts';

export type Suggestion = { text: string; hint: string };

/** What a search can name. */
export type Known = {
  /** The filters with their hints. */
  keys: Readonly<Record<string, string>>;
  metrics: readonly Metric[];
  members: readonly Member[];
  tags: readonly { text: string; numRecords: number }[];
  /** Paths of fields, such as `outputs.answer`. */
  fields: readonly string[];
  /** Columns by which the list is sorted, beside scores. */
  sorts: readonly string[];
};

/** The word at the caret, and its start. */
export const wordAt = (text: string, caret: number): { start: number; word: string } => {
  const before = text.slice(0, caret);
  const start = /(?:"(?:[^"\\]|\\.)*"?|[^\s"])*$/.exec(before)!.index;
  return { start, word: before.slice(start) };
};

const results = ['pass', 'fail', 'pending', 'unscored', 'failed'];
const plain = (values: readonly string[]): Suggestion[] => values.map((text) => ({ text, hint: '' }));

const valuesOf = (key: string, known: Known): Suggestion[] => {
  switch (key) {
    case 'result':
    case 'status':
      return plain(results);
    case 'metric':
      return known.metrics.map(({ id, name }) => ({ text: name, hint: `metric ${id}` }));
    case 'tag':
      return known.tags.map(({ text, numRecords }) => ({ text, hint: `n = ${numRecords}` }));
    case 'assigned':
      return [
        { text: 'me', hint: '' },
        ...known.members.map(({ name, email }) => ({ text: name, hint: email })),
      ];
    case 'error':
      return plain(['yes', 'no']);
    case 'source':
      return plain(['traces', 'runs']);
    case 'annotation':
      return plain(['any', 'up', 'down', 'comment', 'open']);
    default:
      return [];
  }
};

const most = 12;

/** The keys that begin with a word: filters, and those of metrics and fields once it names them. */
const keysLike = (word: string, known: Known): Suggestion[] => {
  const wanted = word.toLowerCase();
  const scores = known.metrics.map(({ name }) => ({
    text: `score.${quoteName(name)}:`,
    hint: 'pass, fail or <0.5',
  }));
  const fields = known.fields.map((path) => ({ text: `${path}:`, hint: 'a value, ~part, >3 or *' }));
  const isPart = wanted.length > 1;
  const own = Object.entries(known.keys)
    .filter(([key]) => key !== 'score' && key !== 'inputs' && key !== 'outputs' && key !== 'expected')
    .map(([key, hint]) => ({ text: `${key}:`, hint }));
  const groups = ['inputs', 'outputs', 'expected']
    .filter((key) => key in known.keys)
    .map((key) => ({ text: `${key}.`, hint: known.keys[key]! }));
  const score = { text: 'score.', hint: known.keys.score ?? '' };
  const all = [score, ...own, ...groups, ...(isPart ? [...scores, ...fields] : [])];
  return all.filter(({ text }) => text.toLowerCase().startsWith(wanted) && text !== word);
};

const sortsLike = (value: string, { sorts, metrics }: Known): Suggestion[] => {
  const columns = [...sorts, ...metrics.map(({ name }) => `score.${quoteName(name)}`)];
  return columns
    .flatMap((column) => [
      { text: `-${column}`, hint: 'greatest first' },
      { text: column, hint: 'least first' },
    ])
    .filter(({ text }) => text.replace(/^-/, '').toLowerCase().startsWith(value.replace(/^-/, '')))
    .map(({ text, hint }) => ({ text: `sort:${text}`, hint }));
};

/** What can be written in place of a word. */
export const suggest = (word: string, known: Known): Suggestion[] => {
  const minus = word.startsWith('-') ? '-' : '';
  const [, key, value = ''] =
    /^((?:"(?:[^"\\]|\\.)*"|[^\s":])+):"?(.*)$/.exec(word.slice(minus.length)) ?? [];
  const found = (): Suggestion[] => {
    if (key === undefined) return keysLike(word.slice(minus.length), known);
    if (key === 'sort') return sortsLike(value.toLowerCase(), known);
    const values = key.startsWith('score.') ? plain([...results, 'none']) : valuesOf(key, known);
    return values
      .filter(({ text }) => text.toLowerCase().includes(value.toLowerCase()) && text !== value)
      .map(({ text, hint }) => ({ text: formatFilter(key, text), hint }));
  };
  return found()
    .slice(0, key === undefined && !word ? 30 : most)
    .map(({ text, hint }) => ({ text: minus + text, hint }));
};
