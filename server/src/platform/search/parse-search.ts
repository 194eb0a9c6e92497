/** One filter of a search: `-score."Order number":<0.5` has the key `score`, the path `['Order number']`, and is negated. */
export type Term = {
  key: string;
  path: string[];
  /** Its comparison. `has`: any value, written `*`. */
  op: '=' | '~' | '<' | '<=' | '>' | '>=' | '..' | 'has';
  value: string;
  /** The upper end of `..`. */
  to: string;
  negated: boolean;
  /** As it was written. */
  text: string;
};

/** A search: its filters, the words to look for, and those that must not occur. */
export type Search = { terms: Term[]; text: string; without: string[] };

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const token = new RegExp(
  String.raw`(-)?(?:([A-Za-z_]\w*)((?:\.(?:${quoted}|[^\s":.]+))*):)?((?:${quoted}|\S)*)`,
  'g',
);
const step = new RegExp(String.raw`\.(${quoted}|[^\s":.]+)`, 'g');

const unquote = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replace(/\\(.)/gs, '$1')
    : text;

const comparisonOf = (written: string): Pick<Term, 'op' | 'value' | 'to'> => {
  const [, op = '', rest = ''] = /^([<>]=?|~)?(.*)$/s.exec(written)!;
  if (op) return { op: op as Term['op'], value: unquote(rest), to: '' };
  if (rest === '*') return { op: 'has', value: '', to: '' };
  const [, from, to] = /^([^"]+?)\.\.([^"]+)$/.exec(rest) ?? [];
  if (from !== undefined && to !== undefined) return { op: '..', value: from, to };
  return { op: '=', value: unquote(rest), to: '' };
};

/**
 * Parses `score.Accuracy:<0.5 tag:"look again" -error refund`. A word before a colon is a key, whether it is known or not; an
 * address such as `https://…` and quoted text are words. `flags` are the keys that may be used alone behind a minus.
 */
export const parseSearch = (q: string, flags: readonly string[] = []): Search => {
  const search: Search = { terms: [], text: '', without: [] };
  const words: string[] = [];
  for (const [whole, minus, key, path = '', written = ''] of q.matchAll(token)) {
    if (whole === '') continue;
    const negated = minus !== undefined;
    if (key !== undefined && !written.startsWith('//')) {
      const steps = [...path.matchAll(step)].map(([, name]) => unquote(name!));
      search.terms.push({
        key: key.toLowerCase(),
        path: steps,
        negated,
        text: whole,
        ...comparisonOf(written),
      });
    } else if (negated && flags.includes(written.toLowerCase())) {
      search.terms.push({
        key: written.toLowerCase(),
        path: [],
        negated,
        text: whole,
        op: 'has',
        value: '',
        to: '',
      });
    } else if (negated && key === undefined && written !== '') search.without.push(unquote(written));
    else words.push(key === undefined && !negated ? unquote(written) : whole);
  }
  search.text = words.join(' ');
  return search;
};

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row.at(-1)!;
};

/** Longest word that is compared: names of metrics can be long, and comparing takes the product of the lengths. */
const maxCompared = 100;

/** Returns the name that someone who wrote `word` may have meant; undefined when none is close. */
export const closest = (word: string, names: readonly string[]): string | undefined => {
  const wanted = word.toLowerCase().slice(0, maxCompared);
  const ranked = names
    .map((name) => {
      const each = name.toLowerCase().slice(0, maxCompared);
      const isPart = wanted.length > 2 && (each.startsWith(wanted) || wanted.startsWith(each));
      return { name, far: isPart ? 1 : distance(wanted, each) };
    })
    .sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best && best.far <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : undefined;
};

/** Returns the error for an unknown key, with a suggestion and the way to search for the text. */
export const unknownKey = ({ key, text }: Term, keys: readonly string[]): string => {
  const meant = closest(key, keys);
  const hint = meant ? `Did you mean ${meant}:?` : `The filters are ${keys.join(', ')}.`;
  return `has no filter ${key}:. ${hint} To search for the text, write it in quotes: ${JSON.stringify(text)}`;
};

const plain = /^-?\d+(?:\.\d+)?(?:e[-+]?\d{1,2})?$/i;

/** Units of a number, with what they multiply it by. */
export type Units = Readonly<Record<string, number>>;
export const noUnits: Units = {};
export const timeUnits: Units = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };
export const countUnits: Units = { k: 1_000, m: 1_000_000 };
export const moneyUnits: Units = { usd: 1 };

/** Returns `2s`, `$0.01` or `10k` as a number; undefined for any other text. */
const numberOf = (text: string, units: Units): number | undefined => {
  const bare = text.trim().replace(/^\$/, '');
  if (plain.test(bare)) return Number(bare);
  const [, number = '', unit = ''] = /^(.*?)\s*([a-z]+)$/i.exec(bare) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  return factor !== undefined && plain.test(number) ? Number(number) * factor : undefined;
};

/** Numbers from `low` to `high`; an open end is left out. */
export type Range = { low?: number; high?: number; lowOpen?: boolean; highOpen?: boolean };

/** Returns the range that a term names: `<0.5`, `>=2s`, `1..3` or a number alone; undefined if it is not a range. */
export const rangeOf = ({ op, value, to }: Term, units: Units): Range | undefined => {
  const number = numberOf(value, units);
  if (op === 'has') return {};
  if (number === undefined) return undefined;
  if (op === '=') return { low: number, high: number };
  if (op === '<' || op === '<=') return { high: number, highOpen: op === '<' };
  if (op === '>' || op === '>=') return { low: number, lowOpen: op === '>' };
  if (op !== '..') return undefined;
  const high = numberOf(to, units);
  return high === undefined ? undefined : { low: number, high };
};
