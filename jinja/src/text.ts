import { TemplateError } from './template-error.ts';
import { described, entriesOf, numberOf, required, type Value } from './values.ts';

/** Python's repr: the shortest digits that give the number back, with an exponent below 1e-4 and from 1e16 on. */
export const floatText = (value: number): string => {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const plain = String(value);
  return plain.includes('.') ? plain : `${plain}.0`;
};

const writers = {
  /** JSON as the prompt shows it. */
  plain: { string: (text: string) => JSON.stringify(text), sorted: false },
  /** Jinja's tojson: keys in their order, and nothing that HTML takes for its own. */
  html: {
    string: (text: string) =>
      JSON.stringify(text).replace(
        /[<>&'\u007f-\uffff]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    sorted: true,
  },
};

/** Returns the value as JSON, with numbers as they were written. */
export const jsonText = (
  given: Value,
  style: keyof typeof writers = 'plain',
  indent: string | null = null,
  depth = 0,
): string => {
  const value = required(given);
  const writer = writers[style];
  const wrap = (open: string, items: string[], close: string): string => {
    if (items.length === 0) return `${open}${close}`;
    if (indent === null) return `${open}${items.join(', ')}${close}`;
    const [outer, inner] = [`\n${indent.repeat(depth)}`, `\n${indent.repeat(depth + 1)}`];
    return `${open}${inner}${items.join(`,${inner}`)}${outer}${close}`;
  };
  const write = (item: Value) => jsonText(item, style, indent, depth + 1);
  switch (value.kind) {
    case 'none':
      return 'null';
    case 'string':
      return writer.string(value.data);
    case 'boolean':
      return String(value.data);
    case 'integer':
      return value.written ?? String(value.data);
    case 'float':
      return value.written ?? floatText(value.data);
    case 'list':
      if (value.lazy) break;
      return wrap('[', value.data.map(write), ']');
    case 'tuple':
      return wrap('[', value.data.map(write), ']');
    case 'dict': {
      const pairs = entriesOf(value).map(([key, item]) => {
        if (key.kind === 'tuple') throw new TemplateError('JSON has no keys that are lists');
        return [key.kind === 'string' ? key.data : jsonText(key), item] as const;
      });
      if (writer.sorted) pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return wrap(
        '{',
        pairs.map(([key, item]) => `${writer.string(key)}: ${write(item)}`),
        '}',
      );
    }
  }
  throw new TemplateError(`${described(value)} has no text`);
};

/** Returns the text of a value: a string as it is, any other as JSON. */
export const textOf = (given: Value): string => {
  const value = required(given);
  return value.kind === 'string' ? value.data : jsonText(value);
};

/** Rounds to this many digits after the point. Python rounds an exact half to the even digit, JavaScript away from zero. */
export const fixed = (value: number, digits: number): string => {
  const text =
    Math.abs(value) < 1e21
      ? value.toFixed(digits)
      : BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '');
  const exact = Math.abs(value) < 1e21 ? Math.abs(value).toFixed(Math.min(100, digits + 30)) : '';
  const cut = exact.indexOf('.') + 1 + digits;
  const isHalf = /^50*$/.test(exact.slice(cut));
  const isOdd = /[13579]\.?$/.test(text);
  if (!isHalf || !isOdd) return text;
  // The digits before the half are the even ones.
  const down = exact.slice(0, digits === 0 ? cut - 1 : cut);
  return value < 0 ? `-${down}` : down;
};

const flags = /%(?:\((\w+)\))?([-+ 0#]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])/g;

/** Python's `text % values`. */
export const formatted = (pattern: string, values: Value): string => {
  const rest = values.kind === 'tuple' ? [...values.data] : [values];
  let isNamed = false;
  const take = (name: string | undefined): Value => {
    if (name === undefined) {
      const value = rest.shift();
      if (value === undefined) throw new TemplateError('format has too few values');
      return value;
    }
    isNamed = true;
    const value = values.kind === 'dict' ? values.data.get(`string ${name}`)?.[1] : undefined;
    if (value === undefined) throw new TemplateError(`format has no value for ${name}`);
    return value;
  };
  const converted = (conversion: string, value: Value, digits: number | undefined): string => {
    if (conversion === 's') {
      const text = textOf(value);
      return digits === undefined ? text : Array.from(text).slice(0, digits).join('');
    }
    const number = numberOf(required(value));
    if (number === undefined || (typeof number === 'number' && !Number.isFinite(number))) {
      throw new TemplateError(`format's %${conversion} needs a number`);
    }
    if (conversion === 'd' || conversion === 'i')
      return String(
        BigInt(Math.trunc(Number(number))) === number
          ? number
          : typeof number === 'bigint'
            ? number
            : BigInt(Math.trunc(number)),
      );
    if ((conversion === 'x' || conversion === 'X') && typeof number === 'bigint') {
      const hex = number.toString(16);
      return conversion === 'X' ? hex.toUpperCase() : hex;
    }
    if (conversion === 'f' || conversion === 'F') return fixed(Number(number), Math.min(digits ?? 6, 60));
    if (conversion === 'e' || conversion === 'E') {
      const text = Number(number)
        .toExponential(Math.min(digits ?? 6, 60))
        .replace(/e([-+])(\d)$/, 'e$10$2');
      return conversion === 'E' ? text.toUpperCase() : text;
    }
    throw new TemplateError(`format's %${conversion} is not available`);
  };
  const text = pattern.replace(flags, (whole, name, flag: string, width, digits, conversion) => {
    if (conversion === '%') return whole === '%%' ? '%' : whole;
    if (flag.includes('#')) throw new TemplateError(`format's ${whole} is not available`);
    let piece = converted(conversion, take(name), digits === undefined ? undefined : Number(digits));
    const isNumber = conversion !== 's';
    if (isNumber && !piece.startsWith('-') && /[+ ]/.test(flag))
      piece = (flag.includes('+') ? '+' : ' ') + piece;
    const missing = Math.max(0, Number(width ?? 0) - Array.from(piece).length);
    if (flag.includes('-')) return piece + ' '.repeat(missing);
    if (flag.includes('0') && isNumber) return piece.replace(/^[-+ ]?/, (sign) => sign + '0'.repeat(missing));
    return ' '.repeat(missing) + piece;
  });
  if (/%/.test(pattern.replace(flags, ''))) throw new TemplateError('format has a % that stands for nothing');
  if (rest.length > 0 && !isNamed && values.kind !== 'dict')
    throw new TemplateError('format has too many values');
  return text;
};
