import type { KeyObject } from 'node:crypto';
import type { ProviderConfig } from '../../engine/models/provider.ts';
import { isSecretOption } from '../../engine/models/provider.ts';
import { conflict } from '../../platform/errors.ts';
import { seal, unseal } from '../../platform/seal.ts';
import type { StoredProvider } from './queries.ts';

/** The parts of a provider that are never shown. */
export type Secrets = { apiKey?: string | undefined; options: Record<string, string> };

/** Context of the encryption: this provider of this organization at this base URL. */
const contextOf = (
  organizationId: bigint,
  { id, kind, baseUrl }: Pick<StoredProvider, 'id' | 'kind' | 'baseUrl'>,
) => JSON.stringify([String(organizationId), id, kind, baseUrl]);

const pick = (options: Record<string, string>, secret: boolean) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => isSecretOption(name) === secret));

/**
 * The options after a change. Secret options stay unless they are sent, because users never see them; an empty text removes
 * one.
 */
export const changedOptions = (
  before: Record<string, string>,
  change: Record<string, string> | undefined,
): Record<string, string> => {
  if (!change) return before;
  const all = { ...pick(before, true), ...change };
  return Object.fromEntries(
    Object.entries(all).filter(([name, text]) => text !== '' || !isSecretOption(name)),
  );
};

/** Whether a change contains a secret. */
export const hasSecrets = (apiKey: string | undefined, options: Record<string, string> = {}): boolean =>
  apiKey !== undefined || Object.keys(options).some(isSecretOption);

/** The options that may be shown, and the sealed rest; null when there is nothing to hide. */
export const sealSecrets = (
  key: KeyObject,
  organizationId: bigint,
  place: Pick<StoredProvider, 'id' | 'kind' | 'baseUrl'>,
  apiKey: string | undefined,
  options: Record<string, string>,
): Pick<StoredProvider, 'options' | 'secret'> => {
  const hidden = pick(options, true);
  const secrets: Secrets = { ...(apiKey !== undefined && { apiKey }), options: hidden };
  const isEmpty = apiKey === undefined && Object.keys(hidden).length === 0;
  return {
    options: JSON.stringify(pick(options, false)),
    secret: isEmpty ? null : seal(key, contextOf(organizationId, place), JSON.stringify(secrets)),
  };
};

const openSecrets = (key: KeyObject, context: string, name: string, secret: Buffer): Secrets => {
  try {
    return JSON.parse(unseal(key, context, secret));
  } catch {
    throw conflict(
      `The key of provider '${name}' can't be decrypted, because DOKIMA_SECRET has changed since it was stored. Enter the key again.`,
      { name },
    );
  }
};

/** Returns a stored provider with its secrets. Throws 409 when they were sealed with another DOKIMA_SECRET. */
export const openProvider = (
  key: KeyObject,
  organizationId: bigint,
  stored: StoredProvider,
): ProviderConfig => {
  const { name, kind, baseUrl, secret, maxConcurrency, requestsPerMinute, maxOutputTokens, timeoutMs } =
    stored;
  const { apiKey, options } = secret
    ? openSecrets(key, contextOf(organizationId, stored), name, secret)
    : { apiKey: undefined, options: {} };
  return {
    name,
    kind,
    maxConcurrency,
    maxOutputTokens,
    timeoutMs,
    options: { ...JSON.parse(stored.options), ...options },
    prices: JSON.parse(stored.prices),
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== null && { baseUrl }),
    ...(requestsPerMinute !== null && { requestsPerMinute }),
  };
};
