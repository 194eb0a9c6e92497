import type { ProviderConfig } from './provider.ts';
import { withoutSecrets } from './provider.ts';

/** A model of a provider. `endsOn` is the day on which the provider shuts it down, if its list gives one. */
export type ListedModel = { id: string; endsOn: string | null };
/** The models of a provider, or why they are not known, in words. */
export type ModelList = { models: ListedModel[] } | { error: string };

/** Longer lists are cut: the largest public one has some hundred models. */
const mostModels = 5_000;
const timeoutMs = 20_000;

/** Fields with the end of a model: `shutdown_date`, and the names that Mistral, OpenRouter and gateways use. */
const endFields = ['shutdown_date', 'deprecation', 'expiration_date', 'retirement_date'];

/** The day in a field that holds an ISO date, or seconds since 1970. Null for anything else. */
const dayOf = (value: unknown): string | null => {
  const at =
    typeof value === 'number'
      ? new Date(value * 1000)
      : typeof value === 'string'
        ? new Date(value)
        : undefined;
  if (!at || Number.isNaN(at.getTime()) || at.getFullYear() < 2000 || at.getFullYear() > 9999) return null;
  return at.toISOString().slice(0, 10);
};

type Listed = { id?: unknown; name?: unknown } & Record<string, unknown>;

const modelOf = (listed: Listed): ListedModel | undefined => {
  const id = listed.id ?? listed.name;
  if (typeof id !== 'string' || id === '' || id.length > 500) return undefined;
  const days = endFields.flatMap((field) => dayOf(listed[field]) ?? []);
  // Google writes `models/gemini-…`, and asks for the name alone.
  return { id: id.replace(/^models\//, ''), endsOn: days[0] ?? null };
};

/** Returns the request for the list, or the reason for a kind without a list that a key can read. */
const requestOf = ({
  kind,
  baseUrl,
  apiKey = '',
}: ProviderConfig): { url: string; headers: Record<string, string> } | { error: string } => {
  switch (kind) {
    case 'openai':
    case 'openai-compatible':
      return {
        url: `${baseUrl ?? 'https://api.openai.com/v1'}/models`,
        headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      };
    case 'anthropic':
      return {
        url: `${baseUrl ?? 'https://api.anthropic.com/v1'}/models?limit=1000`,
        headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
      };
    case 'google':
      return {
        url: `${baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta'}/models?pageSize=1000`,
        headers: { 'x-goog-api-key': apiKey },
      };
    default:
      return { error: `the API of kind ${kind} lists no models that a key may ask` };
  }
};

/** Reads the list of a provider's models. Never throws: `error` says why a list cannot be read. */
export const listModels = async (
  provider: ProviderConfig,
  fetch: typeof globalThis.fetch,
  signal?: AbortSignal,
): Promise<ModelList> => {
  const request = requestOf(provider);
  if ('error' in request) return request;
  try {
    const response = await fetch(request.url, {
      headers: request.headers,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    const text = await response.text();
    if (!response.ok) return { error: `the list of models answered with status ${response.status}` };
    const body = JSON.parse(text) as { data?: Listed[]; models?: Listed[] } | Listed[];
    const listed = Array.isArray(body) ? body : (body.data ?? body.models);
    if (!Array.isArray(listed)) return { error: 'the list of models has no data' };
    return { models: listed.slice(0, mostModels).flatMap((one) => modelOf(one ?? {}) ?? []) };
  } catch (error) {
    return { error: withoutSecrets((error as Error).message, provider) };
  }
};
