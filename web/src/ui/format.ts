const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
/** `Only 4 testcases: treat as indicative.`, from the same words without capital and full stop. */
export const sentenceOf = (text: string): string => `${capital(text)}.`;

/** Text in place of a missing number. */
export const notAvailable = 'N/A';

/** `1,234`. */
export const countText = (value: unknown): string =>
  isNumber(value) ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : notAvailable;

/** `$0.0042`: as many digits as a small sum needs to be more than nothing. */
export const usdText = (value: unknown): string => {
  if (!isNumber(value)) return notAvailable;
  return `$${value.toLocaleString('en', { maximumFractionDigits: 2, ...(value > 0 && value < 1 && { maximumSignificantDigits: 2 }) })}`;
};

const durations: [unit: string, ms: number, digits: number][] = [
  ['h', 3_600_000, 2],
  ['min', 60_000, 2],
  ['s', 1_000, 2],
  ['ms', 1, 1],
  ['µs', 0.001, 0],
  ['ns', 0.000_001, 0],
];
/** `1.25 s`, `320 ms`, `0 ms`: three digits or so, with the unit. */
export const durationText = (ms: unknown): string => {
  if (!isNumber(ms)) return notAvailable;
  const [unit, size, digits] = durations.find(([, size]) => ms >= size) ?? ['ms', 1, 0];
  const value = ms / size;
  return `${value.toLocaleString('en', { maximumFractionDigits: value >= 100 ? 0 : digits })} ${unit}`;
};

/** `1.4 kB`. */
export const bytesText = (bytes: unknown): string => {
  if (!isNumber(bytes)) return notAvailable;
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1_000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
};

/** A share as a plain number of per cent: 55 for .55, where the product would be 55.00000000000001. */
export const percentOf = (share: number): number => Number((share * 100).toFixed(6));

/** The number of a confidence level in per cent, with two digits of what is missing to 100: 95, 98.3, 99.17. */
export const levelOf = (level: number): number => {
  const decimals = Math.max(1, 1 - Math.floor(Math.log10(100 * (1 - level))));
  return Number((100 * level).toFixed(Math.min(decimals, 10)));
};

/** `3 records`, `1 record`. */
export const countOf = (n: number, name: string): string =>
  `${n.toLocaleString('en')} ${name}${n === 1 ? '' : 's'}`;
