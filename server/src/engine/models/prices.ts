import { readFile, stat } from 'node:fs/promises';
import { Type } from 'typebox';
import { validator } from '../../platform/validation.ts';
import type { PriceTable, ResolvedModel } from './provider.ts';

/** Prices of models in USD per million tokens, with their date. Keys are provider kind and model: `openai/gpt-4o`. */
export type Prices = { date: string; models: PriceTable };
export type Usage = {
  /** All tokens that the model read, cached ones included. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** Those that the provider had in its cache, and those that it stored there. Default none. */
  cachedTokens?: number | null;
  cacheWriteTokens?: number | null;
};

const price = Type.Number({ minimum: 0 });
const problemsOf = validator(
  Type.Object({
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    models: Type.Record(
      Type.String(),
      Type.Object({
        input: price,
        output: price,
        cachedInput: Type.Optional(price),
        cacheWrite: Type.Optional(price),
      }),
    ),
  }),
);

/** The kinds of provider in LiteLLM's list. Its other providers are asked through openai-compatible ones, which have their own prices. */
const litellmKinds: Record<string, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  azure: 'azure',
  bedrock: 'bedrock',
  bedrock_converse: 'bedrock',
};
const litellmFields = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cachedInput: 'cache_read_input_token_cost',
  cacheWrite: 'cache_creation_input_token_cost',
};

/** Returns the prices of LiteLLM's `model_prices_and_context_window.json`, without models that lack one for input or output. */
export const fromLitellm = (list: Record<string, unknown>, date: string): Prices => {
  const models: PriceTable = {};
  for (const [name, value] of Object.entries(list)) {
    const model = value as Record<string, unknown> | null;
    const kind = litellmKinds[String(model?.litellm_provider)];
    if (!model || !kind || name === 'sample_spec') continue;
    const found = Object.entries(litellmFields).flatMap(([field, theirs]) => {
      const perToken = model[theirs];
      // Rounded, because a price per token times a million has digits that no one set.
      return typeof perToken === 'number' ? [[field, Number((perToken * 1e6).toPrecision(12))] as const] : [];
    });
    const prices = Object.fromEntries(found);
    if (prices.input === undefined || prices.output === undefined) continue;
    models[`${kind}/${name.replace(/^(?:openai|anthropic|gemini|azure|bedrock)\//, '')}`] =
      prices as PriceTable[string];
  }
  return { date, models };
};

const isLitellm = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !('models' in value) &&
  Object.values(value).some(
    (model) => typeof model === 'object' && model !== null && 'litellm_provider' in model,
  );

/** The day on which a file was written: LiteLLM's list has no date. */
const dateOf = async (file: URL | string): Promise<string> =>
  (await stat(file)).mtime.toISOString().slice(0, 10);

const read = async (file: URL | string): Promise<Prices> => {
  const refuse = (why: string) =>
    new Error(
      `The price table ${file} can't be used: ${why}. Set DOKIMA_PRICES_FILE to a file in the form of docs/judges.md, or unset it.`,
    );
  const given = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch((error: Error) => {
      throw refuse(error.message);
    });
  const prices = isLitellm(given) ? fromLitellm(given, await dateOf(file)) : given;
  const problems = problemsOf(prices);
  if (problems.length > 0) throw refuse(problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  return prices;
};

/** Loads the price table that ships with the product. The operator's file adds models to it and overrides them. */
export const loadPrices = async (overrides?: string): Promise<Prices> => {
  const shipped = await read(new URL('./prices.json', import.meta.url));
  if (overrides === undefined) return shipped;
  const own = await read(overrides);
  return { date: own.date, models: { ...shipped.models, ...own.models } };
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
