import { bound, count, flag, type Given, isGiven, textArgument } from './call-arguments.ts';
import { TemplateError } from './template-error.ts';
import { textOf } from './text.ts';
import { centered, linesOf, replaced, trimmed } from './text-filters.ts';
import {
  boolean,
  entriesOf,
  integer,
  isEqual,
  itemsOf,
  keyOf,
  lengthOf,
  list,
  none,
  numberOf,
  type Of,
  required,
  string,
  tuple,
  undefinedValue,
  type Value,
} from './values.ts';

/** `value[key]`. `name` is what a missing value is called. */
export const item = (value: Value, key: Value, name: string): Value => {
  const missing = undefinedValue(name);
  switch (value.kind) {
    case 'undefined':
      return value;
    case 'dict': {
      const isHashable = !['list', 'dict', 'namespace', 'object', 'undefined'].includes(key.kind);
      return (isHashable ? value.data.get(keyOf(key))?.[1] : undefined) ?? missing;
    }
    case 'string':
    case 'list':
    case 'tuple': {
      if (value.kind === 'list' && value.lazy) return missing;
      const at = numberOf(required(key));
      if (typeof at === 'bigint' && value.kind === 'string') {
        const char = Array.from(value.data).at(Number(at));
        return char === undefined ? missing : string(char);
      }
      if (typeof at === 'bigint') return itemsOf(value).at(Number(at)) ?? missing;
      return key.kind === 'string' ? member(value, key.data, name) : missing;
    }
    case 'namespace':
    case 'object':
      return key.kind === 'string' ? member(value, key.data, name) : missing;
    default:
      return missing;
  }
};

/** `value.member`: a field of an object, and never one of Python's methods. */
export const member = (value: Value, key: string, name: string): Value => {
  const missing = undefinedValue(name);
  switch (value.kind) {
    case 'undefined':
      return value;
    case 'dict':
      return value.data.get(keyOf(string(key)))?.[1] ?? missing;
    case 'namespace':
      return value.data.get(key) ?? missing;
    case 'object':
      return (Object.hasOwn(value.members, key) ? value.members[key] : undefined) ?? missing;
    case 'tuple': {
      const at = value.names?.indexOf(key) ?? -1;
      return at < 0 ? missing : value.data[at]!;
    }
    default:
      return missing;
  }
};

type Method<V extends Value> = (value: V, given: Given, name: string) => Value;
type TextMethod = Method<Of<'string'>>;

const texts = (parts: readonly string[]): Value => list(parts.map(string));

const changing =
  (change: (text: string) => string): TextMethod =>
  (value, given, name) => {
    bound(name, given, []);
    return string(change(value.data));
  };
const asking =
  (pattern: RegExp, never?: RegExp): TextMethod =>
  (value, given, name) => {
    bound(name, given, []);
    return boolean(pattern.test(value.data) && !never?.test(value.data));
  };
const trimming =
  (side: 'both' | 'start' | 'end'): TextMethod =>
  (value, given, name) => {
    const [chars] = bound(name, given, ['chars']);
    const by = isGiven(chars) ? textArgument(name, chars) : undefined;
    if (side === 'both') return string(trimmed(value.data, by));
    // A mark at the other end stays, because it is not a character to trim.
    if (side === 'start')
      return string(by === undefined ? value.data.trimStart() : trimmed(`${value.data}\0`, by).slice(0, -1));
    return string(by === undefined ? value.data.trimEnd() : trimmed(`\0${value.data}`, by).slice(1));
  };
const padding =
  (pad: (text: string, width: number) => string): TextMethod =>
  (value, given, name) => {
    const [width] = bound(name, given, ['width']);
    return string(pad(value.data, count(name, width, 0)));
  };
const beside = (text: string, width: number, fill = ' ') => fill.repeat(Math.max(0, width - lengthOf(text)));

/** Position of a text in another, counted in characters as in Python, or -1. */
const placeOf = (text: string, part: string, last = false): number => {
  const at = last ? text.lastIndexOf(part) : text.indexOf(part);
  return at < 0 ? -1 : lengthOf(text.slice(0, at));
};

const fromWords = (text: string, most: number): string[] => {
  const parts: string[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    const end = most >= 0 && parts.length === most ? rest.length : rest.search(/\s|$/);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return parts;
};
const splitting =
  (fromEnd: boolean): TextMethod =>
  (value, given, name) => {
    const [separator, limit] = bound(name, given, ['sep', 'maxsplit']);
    const most = count(name, limit, -1);
    if (!isGiven(separator)) {
      if (!fromEnd || most < 0) return texts(fromWords(value.data, most));
      const turned = (text: string) => Array.from(text).reverse().join('');
      return texts(fromWords(turned(value.data), most).map(turned).reverse());
    }
    const by = textArgument(name, separator);
    if (by === '') throw new TemplateError(`${name} needs a separator that is not empty`);
    const parts = value.data.split(by);
    if (most < 0 || parts.length <= most + 1) return texts(parts);
    return fromEnd
      ? texts([parts.slice(0, parts.length - most).join(by), ...parts.slice(parts.length - most)])
      : texts([...parts.slice(0, most), parts.slice(most).join(by)]);
  };
const partition =
  (last: boolean): TextMethod =>
  (value, given, name) => {
    const by = textArgument(name, bound(name, given, ['sep'])[0]);
    const at = last ? value.data.lastIndexOf(by) : value.data.indexOf(by);
    if (at < 0) return last ? tuple(string(''), string(''), value) : tuple(value, string(''), string(''));
    return tuple(string(value.data.slice(0, at)), string(by), string(value.data.slice(at + by.length)));
  };
const having =
  (has: (text: string, part: string) => boolean): TextMethod =>
  (value, given, name) => {
    const [parts] = bound(name, given, ['prefix']);
    if (!parts) throw new TemplateError(`${name} needs a text`);
    const all = parts.kind === 'tuple' ? parts.data : [parts];
    return boolean(all.some((part) => has(value.data, textArgument(name, part))));
  };
const finding =
  (last: boolean, fails: boolean): TextMethod =>
  (value, given, name) => {
    const [part] = bound(name, given, ['sub']);
    const at = placeOf(value.data, textArgument(name, part), last);
    if (at < 0 && fails) throw new TemplateError(`${name}: the text is not there`);
    return integer(at);
  };

const cased = /[\p{Lu}\p{Ll}\p{Lt}]/u;

const textMethods: Record<string, TextMethod> = {
  upper: changing((text) => text.toUpperCase()),
  lower: changing((text) => text.toLowerCase()),
  title: changing((text) =>
    text.replace(/\p{L}+/gu, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()),
  ),
  capitalize: changing((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()),
  swapcase: changing((text) =>
    Array.from(text, (char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(
      '',
    ),
  ),
  strip: trimming('both'),
  lstrip: trimming('start'),
  rstrip: trimming('end'),
  split: splitting(false),
  rsplit: splitting(true),
  splitlines: (value, given, name) => {
    if (flag(bound(name, given, ['keepends'])[0])) throw new TemplateError('splitlines cannot keep the ends');
    return texts(linesOf(value.data));
  },
  partition: partition(false),
  rpartition: partition(true),
  startswith: having((text, part) => text.startsWith(part)),
  endswith: having((text, part) => text.endsWith(part)),
  removeprefix: (value, given, name) => {
    const part = textArgument(name, bound(name, given, ['prefix'])[0]);
    return string(value.data.startsWith(part) ? value.data.slice(part.length) : value.data);
  },
  removesuffix: (value, given, name) => {
    const part = textArgument(name, bound(name, given, ['suffix'])[0]);
    return string(
      value.data.endsWith(part) ? value.data.slice(0, value.data.length - part.length) : value.data,
    );
  },
  replace: (value, given, name) => {
    const [from, to, times] = bound(name, given, ['old', 'new', 'count']);
    if (!from || !to) throw new TemplateError('replace needs two texts');
    return string(
      replaced(value.data, textArgument(name, from), textArgument(name, to), count(name, times, -1)),
    );
  },
  find: finding(false, false),
  rfind: finding(true, false),
  index: finding(false, true),
  rindex: finding(true, true),
  count: (value, given, name) => {
    const part = textArgument(name, bound(name, given, ['sub'])[0]);
    return integer(part === '' ? lengthOf(value.data) + 1 : value.data.split(part).length - 1);
  },
  join: (value, given, name) => {
    const [items] = bound(name, given, ['iterable']);
    const parts = itemsOf(items ?? list([]), name).map((part) => textArgument(name, part));
    return string(parts.join(value.data));
  },
  center: padding(centered),
  ljust: padding((text, width) => text + beside(text, width)),
  rjust: padding((text, width) => beside(text, width) + text),
  zfill: padding((text, width) => text.replace(/^[+-]?/, (sign) => sign + beside(text, width, '0'))),
  isdigit: asking(/^\p{Nd}+$/u),
  isdecimal: asking(/^\p{Nd}+$/u),
  isnumeric: asking(/^\p{N}+$/u),
  isalpha: asking(/^\p{L}+$/u),
  isalnum: asking(/^[\p{L}\p{N}]+$/u),
  isspace: asking(/^\s+$/u),
  isupper: asking(cased, /[\p{Ll}\p{Lt}]/u),
  islower: asking(cased, /[\p{Lu}\p{Lt}]/u),
};

type DictMethod = Method<Of<'dict'>>;
const dictMethods: Record<string, DictMethod> = {
  get: (value, given, name) => {
    const [key, otherwise] = bound(name, given, ['key', 'default']);
    if (!key) throw new TemplateError('get needs a key');
    return value.data.get(keyOf(required(key)))?.[1] ?? otherwise ?? none();
  },
  items: (value) => list(entriesOf(value).map((pair) => tuple(...pair))),
  keys: (value) => list(itemsOf(value)),
  values: (value) => list(entriesOf(value).map(([, one]) => one)),
};

const listMethods: Record<string, Method<Of<'list'> | Of<'tuple'>>> = {
  index: (value, given, name) => {
    const [wanted] = bound(name, given, ['value']);
    const at = wanted ? value.data.findIndex((one) => isEqual(one, wanted)) : -1;
    if (at < 0) throw new TemplateError('index: the value is not in the list');
    return integer(at);
  },
  count: (value, given, name) => {
    const [wanted] = bound(name, given, ['value']);
    return integer(wanted ? value.data.filter((one) => isEqual(one, wanted)).length : 0);
  },
};

const methods: Partial<Record<Value['kind'], Record<string, Method<never>>>> = {
  string: textMethods,
  dict: dictMethods,
  list: listMethods,
  tuple: listMethods,
};
export const methodNames: ReadonlySet<string> = new Set([
  ...Object.values(methods).flatMap((table) => Object.keys(table)),
  'changed',
  'cycle',
  'next',
  'reset',
]);

/** The method of a value that a template calls, or undefined. */
export const methodOf = (value: Value, name: string): ((given: Given) => Value) | undefined => {
  if (value.kind === 'list' && value.lazy) return undefined;
  const table = methods[value.kind];
  if (!table || !Object.hasOwn(table, name)) return undefined;
  if (value.kind === 'string' && value.escaped) {
    throw new TemplateError(
      `${name} cannot take an escaped text (${textOf(value).slice(0, 20)}): escape last`,
    );
  }
  return (given) => (table[name] as Method<Value>)(value, given, name);
};
