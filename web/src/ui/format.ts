const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** What stands where there is no number. */
export const notAvailable = 'N/A';

/** `1,234`. */
export const countText = (value: unknown): string =>
  isNumber(value) ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : notAvailable;

/** `$0.0042`: as many digits as a small sum needs to be more than nothing. */
export const usdText = (value: unknown): string => {
  if (!isNumber(value)) return notAvailable;
  return `$${value.toLocaleString('en', { maximumFractionDigits: 2, ...(value > 0 && value < 1 && { maximumSignificantDigits: 2 }) })}`;
};

/** `840 ms`, `12.4 s`. */
export const durationText = (ms: unknown): string => {
  if (!isNumber(ms)) return notAvailable;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
};

/** `1.4 kB`. */
export const bytesText = (bytes: unknown): string => {
  if (!isNumber(bytes)) return notAvailable;
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1_000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
};
