import type { Prices } from './prices.ts';
import type { Price, PriceTable } from './provider.ts';

/**
 * Decides what to take of a newly read list of prices. A mistake in a public list must not change the costs and stop the budgets of
 * everyone who reads it: what changes absurdly is refused and named, and the prices before stay in use.
 */

/** Largest factor by which a price may change from one reading to the next. */
const mostChange = 10;
/** Prices in USD per million tokens above which a new model is taken for one with a wrong unit; the dearest public one costs 600. */
const highestPrice = 10_000;
/** Part of the earlier models that a list must still have. */
const leastKept = 0.5;
/** Part of the shared models whose prices may change absurdly before the unit of the whole list is in doubt. */
const mostAbsurd = 0.1;

export type RefusedPrice = { modelName: string; reason: string };
export type Accepted = { prices: Prices; refused: RefusedPrice[] };

const fields = [
  'input',
  'output',
  'cachedInput',
  'cacheWrite',
  'audioInput',
  'cachedAudioInput',
  'audioOutput',
] as const;
// Decimal fractions multiply inexactly: 3 is a little more than ten times 0.3.
const isAbsurd = (before: number, after: number): boolean =>
  before > 0 && (after > before * mostChange * (1 + 1e-9) || after * mostChange * (1 + 1e-9) < before);

/** Returns why the price of a model is not taken. A price of 0 may rise: a free model gets a price. */
const reasonAgainst = (before: Price | undefined, after: Price): string | undefined => {
  const changed = fields.find((field) =>
    isAbsurd(before?.[field] ?? 0, after[field] ?? before?.[field] ?? 0),
  );
  if (changed)
    return `${changed} changed from ${before?.[changed]} to ${after[changed]}, by more than ${mostChange} times`;
  const dear = fields.find((field) => (after[field] ?? 0) > highestPrice);
  return dear && `${dear} is ${after[dear]}, more than ${highestPrice} US dollars per million tokens`;
};

const examples = (refused: RefusedPrice[]): string =>
  refused
    .slice(0, 3)
    .map(({ modelName, reason }) => `${modelName} (${reason})`)
    .join(', ');

/**
 * Returns the prices to use from a list, with the models whose earlier price stays, or why none of the list is used. `earlier` is the list
 * that was taken last from the same place, if any; `inUse` are the prices by which calls are priced now.
 */
export const acceptPrices = (
  list: Prices,
  inUse: PriceTable,
  earlier?: PriceTable,
): Accepted | { error: string } => {
  const count = Object.keys(list.models).length;
  if (count === 0) return { error: 'it has no prices of models' };
  const before = Object.keys(earlier ?? {});
  const kept = before.filter((name) => Object.hasOwn(list.models, name)).length;
  if (kept < before.length * leastKept)
    return { error: `it has only ${kept} of the ${before.length} models of the list before` };
  const known = (name: string) => (Object.hasOwn(inUse, name) ? inUse[name] : undefined);
  const refused = Object.entries(list.models).flatMap(([modelName, price]) => {
    const reason = reasonAgainst(known(modelName), price);
    return reason ? [{ modelName, reason }] : [];
  });
  const shared = Object.keys(list.models).filter((name) => known(name)).length;
  const changed = refused.filter(({ modelName }) => known(modelName));
  if (changed.length > Math.max(3, shared * mostAbsurd) || refused.length === count)
    return {
      error: `the prices of ${refused.length} of its ${count} models can't be right, such as ${examples(refused)}`,
    };
  const models = { ...list.models };
  for (const { modelName } of refused) {
    const price = known(modelName);
    if (price) models[modelName] = price;
    else delete models[modelName];
  }
  return { prices: { date: list.date, models }, refused };
};
