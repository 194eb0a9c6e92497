import { type Static, Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const kinds = ['openai', 'anthropic', 'google', 'azure', 'bedrock', 'openai-compatible'] as const;
export type StoredKind = (typeof kinds)[number];

const name = Type.String({
  pattern: '^(?!fake$)[a-z0-9][a-z0-9._-]{0,62}$',
  expects: "lower-case letters, digits, '.', '_' or '-', at most 63, and not fake",
  description: 'The part of an evalModelName before the slash: `ollama` for `ollama/gemma3`.',
});
const kind = Type.Unsafe<StoredKind>(oneOf(kinds, 'API of the provider.'));
const baseUrl = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Base URL; default that of the public API; required for openai-compatible.',
});
const apiKey = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'API key. Stored encrypted and never shown.',
});
const options = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 10_000 }), {
  description:
    'azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them.',
});
const maxConcurrency = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 8,
  description: 'Maximum number of concurrent requests of one process.',
});
const requestsPerMinute = Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
  default: null,
  description: 'Maximum number of requests per minute of one process; null means no limit.',
});
const usd = { minimum: 0, maximum: 1_000_000 };
export const Price = Type.Object(
  {
    input: Type.Number({ ...usd, description: 'Price of a million tokens that the model reads.' }),
    output: Type.Number({ ...usd, description: 'Price of a million tokens that the model writes.' }),
    cachedInput: Type.Optional(
      Type.Number({
        ...usd,
        description: 'Price of a million tokens read from the cache. Default: input.',
      }),
    ),
    cacheWrite: Type.Optional(
      Type.Number({
        ...usd,
        description: 'Price of a million tokens stored in the cache. Default: input.',
      }),
    ),
    audioInput: Type.Optional(
      Type.Number({
        ...usd,
        description: 'Price of a million tokens of sound that the model reads. Default: input.',
      }),
    ),
    cachedAudioInput: Type.Optional(
      Type.Number({
        ...usd,
        description: 'Price of a million tokens of sound read from the cache. Default: cachedInput.',
      }),
    ),
    audioOutput: Type.Optional(
      Type.Number({
        ...usd,
        description: 'Price of a million tokens of sound that the model makes. Default: output.',
      }),
    ),
  },
  { additionalProperties: false, description: 'US dollars per million tokens.' },
);
const prices = Type.Record(Type.String({ minLength: 1, maxLength: 500 }), Price, {
  maxProperties: 500,
  description:
    'Prices of models by their name, in US dollars per million tokens: `{ "gemma3": { "input": 0.1, "output": 0.4 } }`. They override the price table of the server.',
});
const maxOutputTokens = Type.Integer({
  minimum: 16,
  maximum: 1_000_000,
  default: 8192,
  description:
    'Longest reply of a judge in tokens, its thoughts included. Not sent to models that refuse it.',
});
const timeoutMs = Type.Integer({
  minimum: 1_000,
  maximum: 3_600_000,
  default: 120_000,
  description:
    'Time for one answer, in milliseconds: a verdict of a judge with the repair of an unreadable one, or the answer to any other question of the service. Systems under test have their own.',
});
const nullableUrl = Type.Union([baseUrl, Type.Null()], {
  description: 'Base URL; null for the default.',
});

export const Provider = named(
  'Provider',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the provider.' }),
      name,
      kind,
      baseUrl: nullableUrl,
      options,
      hasSecret: Type.Boolean({ description: 'Whether a key or a secret option is stored.' }),
      maxConcurrency,
      requestsPerMinute,
      prices,
      maxOutputTokens,
      timeoutMs,
      createdAt: Type.String({ description: 'When it was added.' }),
      updatedAt: Type.String({ description: 'When it was last changed.' }),
    },
    { description: 'A provider of models, without its secrets.' },
  ),
);

const optional = Type.Optional;
export const ProviderCreate = Type.Object(
  {
    name,
    kind,
    baseUrl: optional(baseUrl),
    apiKey: optional(apiKey),
    options: optional(options),
    maxConcurrency: optional(maxConcurrency),
    requestsPerMinute: optional(requestsPerMinute),
    prices: optional(prices),
    maxOutputTokens: optional(maxOutputTokens),
    timeoutMs: optional(timeoutMs),
  },
  { additionalProperties: false },
);
export type ProviderCreate = Static<typeof ProviderCreate>;

export const ProviderUpdate = Type.Object(
  {
    baseUrl: optional(nullableUrl),
    apiKey: optional(apiKey),
    options: optional(options),
    maxConcurrency: optional(maxConcurrency),
    requestsPerMinute: optional(requestsPerMinute),
    prices: optional(prices),
    maxOutputTokens: optional(maxOutputTokens),
    timeoutMs: optional(timeoutMs),
  },
  { additionalProperties: false },
);
export type ProviderUpdate = Static<typeof ProviderUpdate>;

export const ProviderTest = Type.Object(
  {
    modelName: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The model to ask, without the name of the provider.',
    }),
  },
  { additionalProperties: false },
);

export const ProviderTested = Type.Object({
  ok: Type.Boolean({ description: 'Whether the model gave a readable verdict.' }),
  message: Type.String({ description: 'The result, or what to change.' }),
  modelAnswered: Type.Union([Type.String(), Type.Null()], {
    description: 'The model that answered, as the provider names it.',
  }),
  latencyMs: Type.Integer({ description: 'Duration in milliseconds.' }),
});
