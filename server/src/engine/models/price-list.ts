import { readFile, stat } from 'node:fs/promises';
import { Type } from 'typebox';
import { validator } from '../../platform/validation.ts';
import type { Prices } from './prices.ts';
import type { PriceTable } from './provider.ts';

const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const price = Type.Number({ minimum: 0 });
const provenance = { date: Type.Optional(day), reference: Type.Optional(Type.String({ maxLength: 2000 })) };
const ofTokens = {
  input: price,
  output: price,
  cachedInput: Type.Optional(price),
  cacheWrite: Type.Optional(price),
  audioInput: Type.Optional(price),
  cachedAudioInput: Type.Optional(price),
  audioOutput: Type.Optional(price),
};
const problemsOf = validator(
  Type.Object({
    date: day,
    sources: Type.Optional(Type.Record(Type.String(), Type.Object(provenance))),
    models: Type.Record(
      Type.String(),
      Type.Object({
        ...ofTokens,
        changes: Type.Optional(Type.Array(Type.Object({ from: day, ...ofTokens }), { maxItems: 100 })),
        ...provenance,
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
  audioInput: 'input_cost_per_audio_token',
  cachedAudioInput: 'cache_read_input_audio_token_cost',
  audioOutput: 'output_cost_per_audio_token',
};

/** Returns the prices of LiteLLM's `model_prices_and_context_window.json`, without models that lack one for input or output. */
export const fromLitellm = (list: Record<string, unknown>, date: string): Prices => {
  const models: Prices['models'] = {};
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
    const { source } = model;
    const isPage = typeof source === 'string' && /^https?:/.test(source) && source.length <= 2000;
    models[`${kind}/${name.replace(/^(?:openai|anthropic|gemini|azure|bedrock)\//, '')}`] = {
      ...(prices as unknown as PriceTable[string]),
      ...(isPage && { reference: source }),
    };
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

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * Reads a list of prices in the form of docs/judges.md or that of LiteLLM, which has no date and takes that of `writtenAt`. Throws an error
 * that says what is wrong with it.
 */
export const readPriceList = (text: string, writtenAt: Date): Prices => {
  const given: unknown = JSON.parse(text);
  const prices = isLitellm(given) ? fromLitellm(given, dayOf(writtenAt)) : given;
  const problems = problemsOf(prices);
  if (problems.length > 0)
    throw new Error(problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  for (const { changes } of Object.values((prices as Prices).models))
    changes?.sort((a, b) => (a.from < b.from ? -1 : 1));
  return prices as Prices;
};

const readFileOf = async (file: URL | string): Promise<Prices> => {
  try {
    return readPriceList(await readFile(file, 'utf8'), (await stat(file)).mtime);
  } catch (error) {
    throw new Error(
      `The price table ${file} can't be used: ${(error as Error).message}. Set DOKIMA_PRICES_FILE to a file in the form of docs/judges.md, or unset it.`,
    );
  }
};

/** The price table that ships with the product, and the file of the operator. */
export type PriceFiles = { shipped: Prices; own: Prices | undefined };
export const readPriceFiles = async (own?: string): Promise<PriceFiles> => ({
  shipped: await readFileOf(new URL('./prices.json', import.meta.url)),
  own: own === undefined ? undefined : await readFileOf(own),
});

/** Merges price lists, the strongest last. */
export const mergePrices = (...lists: Prices[]): Prices => ({
  date: lists.at(-1)!.date,
  models: Object.assign({}, ...lists.map(({ models }) => models)),
});

/** Loads the price table that ships with the product. The operator's file adds models to it and overrides them. */
export const loadPrices = async (ownFile?: string): Promise<Prices> => {
  const { shipped, own } = await readPriceFiles(ownFile);
  return own ? mergePrices(shipped, own) : shipped;
};
