/** `$0.0042`, `$12.30`; small amounts keep two significant digits. Null means unknown, not 0. */
export const usd = (amount: number | null): string => {
  if (amount === null) return 'price unknown';
  if (amount === 0) return '$0';
  return `$${amount >= 0.1 ? amount.toFixed(2) : amount.toPrecision(2)}`;
};

/** `40 s`, `3 min`, `2.5 h`. */
export const duration = (seconds: number): string => {
  if (seconds < 1) return 'less than 1 s';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
};

type Projection = { estimate: number; low: number | null; high: number | null };

/** `≈ $1.20 ($1.05 to $1.35)`. */
export const projected = ({ estimate, low, high }: Projection, unit: (value: number) => string): string => {
  if (estimate === 0) return unit(0);
  if (low === null || high === null || low === high) return `≈ ${unit(estimate)}`;
  return `≈ ${unit(estimate)} (${unit(low)} to ${unit(high)})`;
};

export const tokens = (count: number): string => `${Math.round(count).toLocaleString('en')} tokens`;
