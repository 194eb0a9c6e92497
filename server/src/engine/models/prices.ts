import type { Price, PriceTable, ResolvedModel } from './provider.ts';

/** Prices of models in USD per million tokens, with their date. Keys are provider kind and model: `openai/gpt-4o`. */
export type Prices = {
  date: string;
  /** Where the prices of a kind of provider are from. A price may have its own. */
  sources?: Record<string, Provenance>;
  models: Record<string, Price & Provenance>;
};

/** Where a price of a list is from: the page that says it, and the day on which it was read there, if that is not the list's day. */
export type Provenance = { reference?: string; date?: string };

export type Usage = {
  /** All tokens that the model read, cached ones included. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** Those that the provider had in its cache, and those that it stored there. Default none. */
  cachedTokens?: number | null;
  cacheWriteTokens?: number | null;
};

/** A dated version costs the same as the model without the date, unless the table lists it. */
const undated = (model: string): string => model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '');

/** The cost of a call in USD; null if the table has no price of the model, or the number of tokens is not known. */
export const costOf = (
  models: PriceTable,
  model: string,
  { inputTokens, outputTokens, cachedTokens, cacheWriteTokens }: Usage,
): number | null => {
  const key = [model, undated(model)].find((candidate) => Object.hasOwn(models, candidate));
  if (key === undefined || inputTokens === null || outputTokens === null) return null;
  const { input, output, cachedInput = input, cacheWrite = input } = models[key]!;
  const cached = Math.min(cachedTokens ?? 0, inputTokens);
  const written = Math.min(cacheWriteTokens ?? 0, inputTokens - cached);
  const fresh = inputTokens - cached - written;
  return (fresh * input + cached * cachedInput + written * cacheWrite + outputTokens * output) / 1e6;
};

/**
 * The cost of a call in USD: by the prices that the organization entered, else as the provider billed it, else by the server's table.
 * The model that answered comes before the model that was asked; null if neither has a price. Azure's models cost what OpenAI's do.
 */
export const priceOf = (
  { models }: Prices,
  { provider, model }: ResolvedModel,
  call: Usage & { modelAnswered: string | null; billedUsd?: number | null },
): number | null => {
  const names = [call.modelAnswered, model].filter((name) => name !== null);
  const own = names.map((name) => costOf(provider.prices ?? {}, name, call));
  const kinds = provider.kind === 'azure' ? ['azure', 'openai'] : [provider.kind];
  const shared = kinds.flatMap((kind) => names.map((name) => costOf(models, `${kind}/${name}`, call)));
  return [...own, call.billedUsd ?? null, ...shared].find((cost) => cost !== null) ?? null;
};
