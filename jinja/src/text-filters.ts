import { bound, count, flag, type Given, isGiven, textArgument } from './call-arguments.ts';
import { unescapedHtml } from './html-entities.ts';
import { TemplateError } from './template-error.ts';
import { formatted, jsonText, textOf } from './text.ts';
import {
  dict,
  entriesOf,
  integer,
  itemsOf,
  type Of,
  required,
  string,
  tuple,
  type Value,
  wrongType,
} from './values.ts';

export type Filter = (value: Value, given: Given, name: string) => Value;

const htmlMarks: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};
/** The text, escaped unless it is already. */
export const escapeHtml = (value: Value): string =>
  value.kind === 'string' && value.escaped
    ? value.data
    : textOf(value).replace(/[&<>'"]/g, (mark) => htmlMarks[mark]!);
const escaped = (data: string): Value => ({ ...string(data), escaped: true });

const capitalized = (text: string): string => {
  const [first = '', ...rest] = Array.from(text);
  return first.toUpperCase() + rest.join('').toLowerCase();
};

/** A filter from text to text, which leaves escaped text escaped. */
const ofText =
  (change: (text: string) => string): Filter =>
  (value, given, name) => {
    bound(name, given, []);
    const text = change(textOf(value));
    return value.kind === 'string' && value.escaped ? escaped(text) : string(text);
  };

/** The operand's text, for filters that put other text into it. */
const plain = (value: Value, name: string): string => {
  if (value.kind === 'string' && value.escaped)
    throw new TemplateError(`${name} cannot take an escaped text: escape last`);
  return textOf(value);
};
/** As `plain`, for what Jinja refuses to do with a number. */
const onlyText = (value: Value, name: string): string => {
  if (required(value).kind !== 'string') throw wrongType(name, value);
  return plain(value, name);
};

/** Python's line ends. */
export const linesOf = (text: string): string[] => {
  const lines = text.split(/\r\n|[\n\r\v\f\u2028\u2029]/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

const quoted = (text: string, isQuery: boolean): string => {
  const all = encodeURIComponent(text.toWellFormed()).replace(
    /[!*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return isQuery ? all.replaceAll('%20', '+') : all.replaceAll('%2F', '/');
};

const pairOf = (value: Value): Value[] => {
  const pair = itemsOf(value);
  if (pair.length !== 2) throw new TemplateError('urlencode takes a text, an object or pairs');
  return pair;
};

/** Cuts and pads by characters, as Python does. */
export const centered = (text: string, width: number): string => {
  const missing = Math.max(0, width - Array.from(text).length);
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return ' '.repeat(left) + text + ' '.repeat(missing - left);
};

const trimmer = (chars: string): RegExp => {
  const any = `[${chars.replace(/[\\\]^-]/g, '\\$&')}]`;
  return new RegExp(`^${any}+|${any}+$`, 'gu');
};
export const trimmed = (text: string, chars: string | undefined): string =>
  chars === undefined ? text.trim() : chars === '' ? text : text.replace(trimmer(chars), '');

/** Replaces the first so many, or all. */
export const replaced = (text: string, from: string, to: string, times: number): string => {
  const parts = from === '' ? ['', ...Array.from(text), ''] : text.split(from);
  const joins = parts.length - 1;
  const made = times < 0 ? joins : Math.min(times, joins);
  return parts.slice(0, made + 1).join(to) + (made < joins ? from : '') + parts.slice(made + 1).join(from);
};

const indentOf = (value: Value | undefined, what: string): string => {
  if (value?.kind === 'string') return value.data;
  return ' '.repeat(Math.max(0, count(what, value, 4)));
};

export const textFilters: Record<string, Filter> = {
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  capitalize: ofText(capitalized),
  title: ofText((text) =>
    text
      .split(/([-\s({[<]+)/)
      .filter((part) => part !== '')
      .map(capitalized)
      .join(''),
  ),
  trim: (value, given, name) => {
    const [chars] = bound(name, given, ['chars']);
    return string(trimmed(plain(value, name), isGiven(chars) ? textArgument(name, chars) : undefined));
  },
  string: (value, given, name) => {
    bound(name, given, []);
    return value.kind === 'string' ? value : string(textOf(value));
  },
  center: (value, given, name) => {
    const [width] = bound(name, given, ['width']);
    return string(centered(plain(value, name), count(name, width, 80)));
  },
  indent: (value, given, name) => {
    const [width, first, blank] = bound(name, given, ['width', 'first', 'blank']);
    const indent = indentOf(width, name);
    const [head = '', ...rest] = linesOf(`${onlyText(value, name)}\n`);
    const lines = rest.map((line) => (line === '' && !flag(blank) ? line : indent + line));
    return string((flag(first) ? indent : '') + [head, ...lines].join('\n'));
  },
  truncate: (value, given, name) => {
    const [length, killwords, end, leeway] = bound(name, given, ['length', 'killwords', 'end', 'leeway']);
    const longest = count(name, length, 255);
    const isList = value.kind === 'dict' || value.kind === 'tuple' || (value.kind === 'list' && !value.lazy);
    // Jinja gives back whatever is short enough.
    if (isList && itemsOf(value).length <= longest) return value;
    const chars = Array.from(onlyText(value, name));
    const ending = Array.from(textArgument(name, end, '...'));
    if (longest < ending.length)
      throw new TemplateError(`truncate needs a length of at least ${ending.length}`);
    if (chars.length <= longest + (isGiven(leeway) ? count(name, leeway, 5) : 5)) return value;
    const cut = chars.slice(0, longest - ending.length).join('');
    const at = cut.lastIndexOf(' ');
    return string((flag(killwords) || at < 0 ? cut : cut.slice(0, at)) + ending.join(''));
  },
  replace: (value, given, name) => {
    const [from, to, times] = bound(name, given, ['old', 'new', 'count']);
    if (!from || !to) throw new TemplateError('replace needs two texts: replace("old", "new")');
    const most = isGiven(times) ? count(name, times, -1) : -1;
    return string(replaced(plain(value, name), plain(from, name), plain(to, name), most));
  },
  wordcount: (value, given, name) => {
    bound(name, given, []);
    return integer(textOf(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0);
  },
  striptags: (value, given, name) => {
    bound(name, given, []);
    const words = textOf(value)
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/<[^>]*>/g, '')
      .trim()
      .split(/\s+/);
    return string(unescapedHtml(words.join(' ')));
  },
  escape: (value, given, name) => {
    bound(name, given, []);
    return escaped(escapeHtml(value));
  },
  forceescape: (value, given, name) => {
    bound(name, given, []);
    return escaped(escapeHtml(string(textOf(value))));
  },
  safe: (value, given, name) => {
    bound(name, given, []);
    return escaped(textOf(value));
  },
  urlencode: (value, given, name) => {
    bound(name, given, []);
    const isPairs = !['string', 'integer', 'float', 'boolean', 'none'].includes(required(value).kind);
    if (!isPairs) return string(quoted(textOf(value), false));
    const pairs = value.kind === 'dict' ? entriesOf(value) : itemsOf(value).map(pairOf);
    return string(pairs.map((pair) => pair.map((part) => quoted(textOf(part), true)).join('=')).join('&'));
  },
  format: (value, { args, kwargs }, name) => {
    if (args.length > 0 && kwargs.size > 0)
      throw new TemplateError('format takes values with names or without');
    const values =
      kwargs.size > 0 ? dict([...kwargs].map(([key, item]) => [string(key), item])) : tuple(...args);
    return string(formatted(plain(value, name), values));
  },
  tojson: (value, given, name) => {
    const [indent] = bound(name, given, ['indent']);
    const by = isGiven(indent) ? indentOf(indent, name) : null;
    return escaped(jsonText(value as Exclude<Value, Of<'undefined'>>, 'html', by));
  },
};
