/** Collects what is wrong with a file, so that one error lists everything. */
export type Problems = { path: string; message: string }[];

type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns how to write a percentage, which people write for a share: 95 or `95%`; nothing for any other value. */
const shareHint = (value: unknown, min: number, max: number): string => {
  const percent = typeof value === 'string' ? Number(/^([\d.]+) ?%$/.exec(value)?.[1]) : value;
  if (typeof percent !== 'number' || (percent === value && percent <= max)) return '';
  const share = percent / 100;
  return share >= min && share <= Math.min(max, 1) ? `; write ${percent} % as ${share}` : '';
};

/** Returns the number at a path, or NaN with a problem. */
export const number = (
  value: unknown,
  path: string,
  problems: Problems,
  min: number,
  max: number,
): number => {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  problems.push({ path, message: `must be a number from ${min} to ${max}${shareHint(value, min, max)}` });
  return Number.NaN;
};

export const wholeNumber = (value: unknown, path: string, problems: Problems, min: number): number => {
  if (Number.isInteger(value) && (value as number) >= min) return value as number;
  problems.push({ path, message: `must be a whole number of at least ${min}` });
  return Number.NaN;
};

export const text = (value: unknown, path: string, problems: Problems): string => {
  if (typeof value === 'string') return value;
  problems.push({ path, message: 'must be text' });
  return '';
};

/** Returns the object at a path. Reports every unknown key, so that a misspelt rule is not silently ignored. */
export const fields = (
  value: unknown,
  path: string,
  problems: Problems,
  known: readonly string[],
  otherwise = `must be { ${known.map((key) => `${key}: …`).join(', ')} }`,
): Fields => {
  if (!isObject(value)) {
    problems.push({ path, message: otherwise });
    return {};
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      const place = path === '' ? key : `${path}.${key}`;
      problems.push({ path: place, message: `is unknown; known keys: ${known.join(', ')}` });
    }
  }
  return value;
};

/** Returns the fields that are given, each read as a number. */
export const numbers = <Key extends string>(
  value: unknown,
  path: string,
  problems: Problems,
  known: readonly Key[],
): Partial<Record<Key, number>> => {
  const given = fields(value, path, problems, known);
  const most = Number.MAX_SAFE_INTEGER;
  return Object.fromEntries(
    known
      .filter((key) => given[key] !== undefined)
      .map((key) => [key, number(given[key], `${path}.${key}`, problems, 0, most)]),
  ) as Partial<Record<Key, number>>;
};
