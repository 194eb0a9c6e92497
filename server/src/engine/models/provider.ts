/** API of a provider of models. */
export type ProviderKind =
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'azure'
  | 'bedrock'
  | 'openai-compatible'
  | 'fake';

/** Prices in USD per million tokens. Cached and stored tokens without a price cost as much as other input. */
export type Price = {
  input: number;
  output: number;
  /** Price of tokens that were read from the provider's cache. */
  cachedInput?: number;
  /** Price of tokens that were stored in the provider's cache. */
  cacheWrite?: number;
  /** Prices of tokens of sound. Default: those of other tokens. */
  audioInput?: number;
  cachedAudioInput?: number;
  audioOutput?: number;
  /** Prices that hold from a day on (UTC, YYYY-MM-DD) in place of these, earliest first: providers announce them. */
  changes?: (Omit<Price, 'changes'> & { from: string })[];
};
/** Prices by model. */
export type PriceTable = Record<string, Price>;

export type ProviderConfig = {
  /** The part of an `evalModelName` before the slash. */
  name: string;
  kind: ProviderKind;
  baseUrl?: string;
  apiKey?: string;
  /** azure: apiVersion, resourceName. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. */
  options?: Record<string, string>;
  maxConcurrency: number;
  requestsPerMinute?: number;
  /** Prices of its models that the organization entered. */
  prices?: PriceTable;
  /** Longest reply of a judge, in tokens. */
  maxOutputTokens?: number;
  /** Time for one verdict of a judge, in milliseconds. */
  timeoutMs?: number;
};

export type ResolvedModel = { provider: ProviderConfig; model: string };

/** The product's own fake model. Only an `evalModelName` that begins with its name uses it. */
const fake: ProviderConfig = { name: 'fake', kind: 'fake', maxConcurrency: 1000 };

/** evalModelName of a metric that names none while no default is set. Setting a default replaces it by the default's name. */
export const noModel = 'default';

/** Names of models that need no provider in front of them. */
const families: [RegExp, ProviderKind][] = [
  [/^(gpt-|chatgpt-|o\d)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'google'],
];

const howToSet: Record<ProviderKind, string> = {
  openai: 'set OPENAI_API_KEY or add an OpenAI provider in the settings of the organization',
  anthropic: 'set ANTHROPIC_API_KEY or add an Anthropic provider in the settings of the organization',
  google: 'set GOOGLE_GENERATIVE_AI_API_KEY or add a Google provider in the settings of the organization',
  azure:
    'add an Azure OpenAI provider with its resource name or base URL and its API key in the settings of the organization',
  bedrock:
    'add an Amazon Bedrock provider with its region and credentials in the settings of the organization',
  'openai-compatible':
    'add an OpenAI-compatible provider of that name with its base URL in the settings of the organization',
  fake: '',
};

/** Options that become part of a host name. Each must be one label, or it would name another host. */
export const hostOptions = ['resourceName', 'region'] as const;
export const isHostLabel = (text: string): boolean => /^[a-z0-9-]+$/i.test(text);

/** Whether an option of a provider is a secret. */
export const isSecretOption = (name: string): boolean => /key|token|secret|password/i.test(name);

/** Shorter secrets are placeholders like `none`, and words of ordinary text. */
const shortestSecret = 8;

/** The secrets that are sent to a provider. */
export const secretsOf = ({ apiKey, baseUrl, options = {} }: ProviderConfig): string[] => {
  const inUrl = baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).password : undefined;
  const inOptions = Object.keys(options).filter((name) => isSecretOption(name));
  return [apiKey, inUrl, ...inOptions.map((name) => options[name])].filter(
    (secret) => secret !== undefined && secret.length >= shortestSecret,
  ) as string[];
};

/** Removes the secrets that were sent to a provider from a text that it returned. */
export const withoutSecrets = (text: string, provider: ProviderConfig): string =>
  secretsOf(provider).reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);

/** Whether a required setting of the provider is missing. */
const isIncomplete = ({ kind, apiKey, baseUrl, options = {} }: ProviderConfig): boolean => {
  switch (kind) {
    case 'openai':
    case 'anthropic':
    case 'google':
      return !apiKey;
    case 'azure':
      return !apiKey || !(baseUrl || isHostLabel(options.resourceName ?? ''));
    case 'bedrock':
      return (
        !isHostLabel(options.region ?? '') || !(apiKey || (options.accessKeyId && options.secretAccessKey))
      );
    case 'openai-compatible':
      return !baseUrl;
    case 'fake':
      return false;
  }
};

/** Returns the provider and model of an `evalModelName`, or which setting is missing. A provider of that name wins over one of that kind. */
export const resolveModel = (
  evalModelName: string,
  providers: ProviderConfig[],
): ResolvedModel | { error: string } => {
  if (evalModelName === noModel) {
    return {
      error:
        'the metric names no model, and no default was set when it was created: choose a default judge model in ' +
        'Settings → Providers, or name a model in the metric',
    };
  }
  const slash = evalModelName.indexOf('/');
  const family = slash < 0 ? families.find(([pattern]) => pattern.test(evalModelName))?.[1] : undefined;
  const name = family ?? evalModelName.slice(0, Math.max(slash, 0));
  const model = family ? evalModelName : evalModelName.slice(slash + 1);
  if (!name || !model) {
    return {
      error: `'${evalModelName}' names no provider: write it as provider/model, like openai/${evalModelName || 'gpt-4o'}`,
    };
  }
  // `fake` is reserved, so that no made-up verdict can be mistaken for that of a model.
  if (name === fake.name) return { provider: fake, model };
  const provider =
    providers.find((candidate) => candidate.name === name && candidate.kind !== 'fake') ??
    providers.find((candidate) => candidate.kind === name && candidate.kind !== 'fake');
  const kind =
    provider?.kind ?? (Object.hasOwn(howToSet, name) ? (name as ProviderKind) : 'openai-compatible');
  if (!provider) return { error: `no provider '${name}' for '${evalModelName}': ${howToSet[kind]}` };
  if (isIncomplete(provider)) {
    return { error: `provider '${provider.name}' for '${evalModelName}' is not complete: ${howToSet[kind]}` };
  }
  return { provider, model };
};
