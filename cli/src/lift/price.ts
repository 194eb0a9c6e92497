import { CliError } from '../errors.ts';
import type { Trial } from './run-trial.ts';

/** US dollars for a million tokens. */
export type Price = { input: number; output: number; cached: number };

/** Reads `INPUT,OUTPUT` or `INPUT,OUTPUT,CACHED`. Without the last, cached tokens cost as much as others. */
export const priceIn = (given: readonly string[]): Price | undefined => {
  if (given.length === 0) return undefined;
  const [input, output, cached = input] = given.map((text) =>
    text.trim() === '' ? Number.NaN : Number(text),
  );
  const price = { input: input!, output: output!, cached: cached! };
  if (given.length <= 3 && Object.values(price).every((usd) => usd >= 0 && usd < Number.POSITIVE_INFINITY))
    return price;
  throw new CliError(
    `--price must be INPUT,OUTPUT or INPUT,OUTPUT,CACHED in US dollars for a million tokens, not '${given.join(',')}'.`,
    'Example: --price 1.25,10,0.125',
  );
};

/** Returns the trial with its cost by the price, if the agent told its tokens and no cost. Input tokens include the cached ones. */
export const priced = (trial: Trial, price: Price | undefined): Trial => {
  const { costUsd, inputTokens, outputTokens } = trial;
  if (!price || costUsd !== null || inputTokens === null || outputTokens === null) return trial;
  const cached = Math.min(trial.cachedTokens ?? 0, inputTokens);
  const usd = (inputTokens - cached) * price.input + cached * price.cached + outputTokens * price.output;
  return { ...trial, costUsd: usd / 1e6 };
};
