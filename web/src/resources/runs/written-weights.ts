/** The weights of testcases as an address and the API write them: `metadata.visits`, or `metadata.intent:refund=0.7,order=0.3`. */

/** A value of a field and its share of the traffic in per cent, as a person writes it; empty leaves the value out. */
export type Share = { value: string; percent: string };

/** A value may contain commas and equals signs: a share is the number before the next comma, or the end. */
const item = /(.+?)=(\d*\.?\d+(?:e-?\d+)?)(?:,|$)/gy;

const percentOf = (share: number): string => Number((100 * share).toPrecision(6)).toString();

/** Reads weights. Shares are null if the field is the weight. */
export const readWeights = (weights: string): { field: string; shares: Share[] | null } => {
  const colon = weights.indexOf(':');
  if (colon < 0) return { field: weights, shares: null };
  const shares = [...weights.slice(colon + 1).matchAll(item)].map(([, value, share]) => ({
    value: value!,
    percent: percentOf(Number(share)),
  }));
  return { field: weights.slice(0, colon), shares };
};

const numberOf = ({ percent }: Share): number => Number(percent.trim().replace(',', '.').replace(/ ?%$/, ''));

/** Adds up the shares in per cent; NaN if one is not a number above 0. */
export const sharesSum = (shares: readonly Share[]): number =>
  shares.reduce((sum, share) => {
    const number = numberOf(share);
    return sum + (number >= 0 ? number : Number.NaN);
  }, 0);

/** Writes the shares that are above 0. */
export const writeShares = (field: string, shares: readonly Share[]): string =>
  `${field}:${shares
    .filter((share) => numberOf(share) > 0)
    .map((share) => `${share.value}=${Number((numberOf(share) / 100).toPrecision(8))}`)
    .join(',')}`;
