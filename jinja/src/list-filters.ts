import { bound, count, flag, type Given, isGiven, textArgument } from './call-arguments.ts';
import { item as itemAt } from './members.ts';
import { binary } from './operators.ts';
import { TemplateError } from './template-error.ts';
import { textOf } from './text.ts';
import type { Filter } from './text-filters.ts';
import {
  lengthOf as charactersIn,
  compare,
  entriesOf,
  integer,
  isEqual,
  isTrue,
  itemsOf,
  keyOf,
  lazyList,
  list,
  type Of,
  required,
  string,
  tuple,
  undefinedValue,
  type Value,
  wrongType,
} from './values.ts';

/** How filters call others: `map("upper")`, `select("odd")`. */
export type Others = {
  filter(name: string, value: Value, given: Given): Value;
  test(name: string, value: Value, args: readonly Value[]): boolean;
};

type Read = (value: Value) => Value;

/** `attribute="a.b.0"`: the value at that path. */
const reader = (attribute: Value | undefined, otherwise?: Value): Read => {
  if (!isGiven(attribute)) return (value) => value;
  const steps: Value[] =
    attribute.kind === 'string'
      ? attribute.data.split('.').map((part) => (/^\d+$/.test(part) ? integer(BigInt(part)) : string(part)))
      : [attribute];
  return (value) =>
    steps.reduce((within, step) => {
      const found = itemAt(within, step, `${textOf(step)}`);
      return found.kind === 'undefined' && isGiven(otherwise) ? otherwise : found;
    }, value);
};

/** Texts are compared without regard to case unless asked. */
const folded =
  (read: Read, isCaseSensitive: boolean): Read =>
  (value) => {
    const found = read(value);
    return !isCaseSensitive && found.kind === 'string' ? string(found.data.toLowerCase()) : found;
  };

const sortedBy = (items: readonly Value[], read: Read, isReversed: boolean): Value[] =>
  items
    .map((value) => ({ value, key: read(value) }))
    .sort((a, b) => (isReversed ? compare(b.key, a.key) : compare(a.key, b.key)))
    .map(({ value }) => value);

const extreme =
  (sign: 1 | -1): Filter =>
  (value, given, name) => {
    const [sensitive, attribute] = bound(name, given, ['case_sensitive', 'attribute']);
    const read = folded(reader(attribute), flag(sensitive));
    const items = itemsOf(value, name);
    return items.length === 0
      ? undefinedValue('')
      : items.reduce((best, item) => (compare(read(item), read(best)) * sign > 0 ? item : best));
  };

const lengthOf: Filter = (value, given, name) => {
  bound(name, given, []);
  const isLazy = required(value).kind === 'list' && 'lazy' in value;
  if (isLazy || !['string', 'dict', 'tuple', 'list'].includes(value.kind)) throw wrongType(name, value);
  return integer(value.kind === 'string' ? charactersIn(value.data) : itemsOf(value).length);
};

const chunked: Filter = (value, given, name) => {
  const [size, fill] = bound(name, given, ['linecount', 'fill_with']);
  const width = count(name, size, 0);
  if (width < 1) throw new TemplateError('batch needs a number of at least 1');
  const items = itemsOf(value, name);
  const rows = Array.from({ length: Math.ceil(items.length / width) }, (_, i) => {
    const row = items.slice(i * width, (i + 1) * width);
    while (isGiven(fill) && row.length < width) row.push(fill);
    return list(row);
  });
  return lazyList(rows);
};

const columns: Filter = (value, given, name) => {
  const [slices, fill] = bound(name, given, ['slices', 'fill_with']);
  const wanted = count(name, slices, 0);
  if (wanted < 1) throw new TemplateError('slice needs a number of at least 1');
  const items = itemsOf(value, name);
  const [each, withExtra] = [Math.floor(items.length / wanted), items.length % wanted];
  let at = 0;
  const made = Array.from({ length: wanted }, (_, i) => {
    const part = items.slice(at, at + each + (i < withExtra ? 1 : 0));
    at += part.length;
    if (isGiven(fill) && i >= withExtra) part.push(fill);
    return list(part);
  });
  return lazyList(made);
};

const uniqueItems: Filter = (value, given, name) => {
  const [sensitive, attribute] = bound(name, given, ['case_sensitive', 'attribute']);
  const read = folded(reader(attribute), flag(sensitive));
  const seen = new Map<string, Value>();
  for (const item of itemsOf(value, name)) {
    const key = keyOf(read(item));
    if (!seen.has(key)) seen.set(key, item);
  }
  return lazyList([...seen.values()]);
};

const groups: Filter = (value, given, name) => {
  const [attribute, otherwise, sensitive] = bound(name, given, ['attribute', 'default', 'case_sensitive']);
  if (!attribute) throw new TemplateError('groupby needs an attribute');
  const plain = reader(attribute, otherwise);
  const read = folded(plain, flag(sensitive));
  const found: { key: Value; items: Value[] }[] = [];
  for (const item of sortedBy(itemsOf(value, name), read, false)) {
    const last = found.at(-1);
    if (last && isEqual(last.key, read(item))) last.items.push(item);
    else found.push({ key: read(item), items: [item] });
  }
  return list(
    found.map(({ items }) => ({ ...tuple(plain(items[0]!), list(items)), names: ['grouper', 'list'] })),
  );
};

const sortedPairs: Filter = (value, given, name) => {
  const [sensitive, by, reverse] = bound(name, given, ['case_sensitive', 'by', 'reverse']);
  if (required(value).kind !== 'dict') throw wrongType(name, value);
  const at = ['key', 'value'].indexOf(textArgument(name, by, 'key'));
  if (at < 0) throw new TemplateError('dictsort sorts by "key" or by "value"');
  const pairs = entriesOf(value as Of<'dict'>).map((pair) => tuple(...pair));
  const read = folded((pair) => (pair as Of<'tuple'>).data[at]!, flag(sensitive));
  return list(sortedBy(pairs, read, flag(reverse)));
};

const sorted: Filter = (value, given, name) => {
  const [reverse, sensitive, attribute] = bound(name, given, ['reverse', 'case_sensitive', 'attribute']);
  const attributes: (Value | undefined)[] =
    attribute?.kind === 'string' ? attribute.data.split(',').map(string) : [attribute];
  const reads = attributes.map((one) => folded(reader(one), flag(sensitive)));
  return list(sortedBy(itemsOf(value, name), (item) => list(reads.map((read) => read(item))), flag(reverse)));
};

const listFilters: Record<string, Filter> = {
  length: lengthOf,
  batch: chunked,
  slice: columns,
  unique: uniqueItems,
  groupby: groups,
  dictsort: sortedPairs,
  sort: sorted,
  min: extreme(-1),
  max: extreme(1),
  default: (value, given, name) => {
    const [otherwise, boolean] = bound(name, given, ['default_value', 'boolean']);
    const isMissing = value.kind === 'undefined' || (flag(boolean) && !isTrue(value));
    return isMissing ? (otherwise ?? string('')) : value;
  },
  first: (value, given, name) => {
    bound(name, given, []);
    return itemsOf(value, name)[0] ?? undefinedValue('');
  },
  last: (value, given, name) => {
    bound(name, given, []);
    if (value.kind === 'list' && value.lazy) throw wrongType(name, value);
    return itemsOf(value, name).at(-1) ?? undefinedValue('');
  },
  list: (value, given, name) => {
    bound(name, given, []);
    return list([...itemsOf(value, name)]);
  },
  items: (value, given, name) => {
    bound(name, given, []);
    if (value.kind === 'undefined') return lazyList([]);
    if (value.kind !== 'dict') throw wrongType(name, value);
    return lazyList(entriesOf(value).map((pair) => tuple(...pair)));
  },
  reverse: (value, given, name) => {
    bound(name, given, []);
    if (value.kind === 'string') return string(Array.from(value.data).reverse().join(''));
    return lazyList(itemsOf(value, name).toReversed());
  },
  join: (value, given, name) => {
    const [separator, attribute] = bound(name, given, ['d', 'attribute']);
    const read = reader(attribute);
    const texts = itemsOf(value, name).map((item) => textOf(read(item)));
    return string(texts.join(separator === undefined ? '' : textOf(separator)));
  },
  sum: (value, given, name) => {
    const [attribute, start] = bound(name, given, ['attribute', 'start']);
    const read = reader(attribute);
    const from = start ?? integer(0);
    if (from.kind === 'string') throw new TemplateError('sum adds numbers: use join for texts');
    return itemsOf(value, name).reduce((total, item) => binary('+', total, read(item)), from);
  },
};

/** `select`, `reject`, and those of an attribute. */
const selecting =
  ({ test }: Others, keeps: boolean, ofAttribute: boolean): Filter =>
  (value, { args, kwargs }, name) => {
    if (kwargs.size > 0) throw new TemplateError(`${name} takes no arguments with names`);
    const [attribute, given] = ofAttribute ? [args[0], args.slice(1)] : [undefined, args];
    if (ofAttribute && !attribute) throw new TemplateError(`${name} needs an attribute`);
    const read = reader(attribute);
    const [testName, ...testArgs] = given;
    const passes = (item: Value) =>
      testName ? test(textArgument(name, testName), read(item), testArgs) : isTrue(read(item));
    return lazyList(itemsOf(value, name).filter((item) => passes(item) === keeps));
  };

/** The filters over lists. Some call other filters and tests. */
export const openListFilters = (others: Others): Record<string, Filter> => ({
  ...listFilters,
  count: lengthOf,
  d: listFilters.default!,
  select: selecting(others, true, false),
  reject: selecting(others, false, false),
  selectattr: selecting(others, true, true),
  rejectattr: selecting(others, false, true),
  map: (value, { args, kwargs }, name) => {
    const [filterName, ...rest] = args;
    if (filterName === undefined) {
      const [attribute, otherwise] = bound(name, { args: [], kwargs }, ['attribute', 'default']);
      if (!attribute) throw new TemplateError('map needs a filter or an attribute');
      return lazyList(itemsOf(value, name).map(reader(attribute, otherwise)));
    }
    const given = { args: rest, kwargs };
    const filter = textArgument(name, filterName);
    return lazyList(itemsOf(value, name).map((item) => others.filter(filter, item, given)));
  },
});
