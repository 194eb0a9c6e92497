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
  /** Those of sound, among all that it read, among those from the cache, and among those that it wrote. Default none. */
  audioInputTokens?: number | null;
  cachedAudioTokens?: number | null;
  audioOutputTokens?: number | null;
};

/** A dated version costs the same as the model without the date, unless the table lists it. */
const undated = (model: string): string => model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '');

/** Returns the price that holds at a time. */
const priceAt = (price: Price, at: Date): Price => {
  // A day as text is compared with a time as text: a year beyond 9999 begins with a sign, and is later than all.
  const day = at.toISOString();
  return price.changes?.findLast(({ from }) => from <= day || day.startsWith('+')) ?? price;
};

/** Splits the tokens of a call by their prices. */
const tokensOf = (usage: Usage, inputTokens: number, outputTokens: number) => {
  const within = (tokens: number | null | undefined, most: number) => Math.min(tokens ?? 0, most);
  const cached = within(usage.cachedTokens, inputTokens);
  const audio = within(usage.audioInputTokens, inputTokens);
  // If the sound in the cache was not said, it is no more than it must be.
  const least = Math.max(0, cached + audio - inputTokens);
  const cachedAudio = Math.max(least, within(usage.cachedAudioTokens, Math.min(cached, audio)));
  const written = within(usage.cacheWriteTokens, inputTokens - cached - audio + cachedAudio);
  const audioOutput = within(usage.audioOutputTokens, outputTokens);
  return {
    input: inputTokens - cached - audio + cachedAudio - written,
    cachedInput: cached - cachedAudio,
    cacheWrite: written,
    audioInput: audio - cachedAudio,
    cachedAudioInput: cachedAudio,
    output: outputTokens - audioOutput,
    audioOutput,
  };
};

/**
 * The cost of a call at a time in USD, by default now; null if the table has no price of the model, or the number of tokens is not known.
 */
export const costOf = (
  models: PriceTable,
  model: string,
  usage: Usage,
  at: Date = new Date(),
): number | null => {
  const { inputTokens, outputTokens } = usage;
  const key = [model, undated(model)].find((candidate) => Object.hasOwn(models, candidate));
  if (key === undefined || inputTokens === null || outputTokens === null) return null;
  const price = priceAt(models[key]!, at);
  const { input, output, cachedInput = input } = price;
  const tokens = tokensOf(usage, inputTokens, outputTokens);
  return (
    (tokens.input * input +
      tokens.cachedInput * cachedInput +
      tokens.cacheWrite * (price.cacheWrite ?? input) +
      tokens.audioInput * (price.audioInput ?? input) +
      tokens.cachedAudioInput * (price.cachedAudioInput ?? cachedInput) +
      tokens.output * output +
      tokens.audioOutput * (price.audioOutput ?? output)) /
    1e6
  );
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
