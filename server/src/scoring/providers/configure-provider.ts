import type { KeyObject } from 'node:crypto';
import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { checkBaseUrl } from '../../engine/models/guarded-fetch.ts';
import { hostOptions, isHostLabel } from '../../engine/models/provider.ts';
import { isUniqueViolation, type Sql } from '../../platform/db/database.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { insertProvider, lockProvider, type StoredProvider, updateProvider } from './queries.ts';
import type { ProviderCreate, ProviderUpdate } from './schema.ts';
import { changedOptions, hasSecrets, openProvider, type Secrets, sealSecrets } from './secrets.ts';

const defaults = { maxConcurrency: 8, requestsPerMinute: null, maxOutputTokens: 8_192, timeoutMs: 120_000 };

/** Throws 400 for a base URL that can't be used, or that only the operator may allow. */
export const requireBaseUrl = async (
  baseUrl: string | null | undefined,
  allowedAddresses: AllowedAddresses,
): Promise<void> => {
  const problem = baseUrl && (await checkBaseUrl(baseUrl, allowedAddresses));
  if (problem) throw invalid('/baseUrl', problem);
};

/** Throws 400 for an option that can't be part of a host name. */
const requireHostLabels = (options: Record<string, string> = {}): void => {
  for (const name of hostOptions) {
    const value = options[name];
    if (value !== undefined && !isHostLabel(value))
      throw invalid(`/options/${name}`, "must be letters, digits and '-'");
  }
};

/** Adds a provider; its secrets are sealed with `key`. Throws 409 when the name is taken. */
export const createProvider = async (
  tx: Sql,
  scope: Scope,
  key: KeyObject,
  body: ProviderCreate,
): Promise<string> => {
  const { name, kind, baseUrl = null, apiKey, options = {} } = body;
  requireHostLabels(options);
  if (kind === 'openai-compatible' && baseUrl === null) throw invalid('/baseUrl', 'is required');
  const { maxConcurrency, requestsPerMinute, maxOutputTokens, timeoutMs } = { ...defaults, ...body };
  const place = { id: newUuid(), kind, baseUrl };
  const secrets = sealSecrets(key, scope.organizationId, place, apiKey, options);
  try {
    const rows = await insertProvider(tx, scope, {
      ...place,
      ...secrets,
      name,
      maxConcurrency,
      requestsPerMinute,
      prices: JSON.stringify(body.prices ?? {}),
      maxOutputTokens,
      timeoutMs,
    });
    return bodyOf(rows, 'provider', '');
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(`A provider named ${name} exists already.`, { name });
    throw error;
  }
};

/**
 * The secrets and options that a partial update keeps. Secrets sealed under another DOKIMA_SECRET cannot be read; they count as missing, so
 * that the user can set them again.
 */
const openKept = (key: KeyObject, scope: Scope, before: StoredProvider): Secrets => {
  try {
    const { apiKey, options = {} } = openProvider(key, scope.organizationId, before);
    return { apiKey, options };
  } catch {
    return { options: JSON.parse(before.options) };
  }
};

/**
 * Changes a provider; fields and secret options that are left out stay. Throws 400 when the host changes and the secrets are not sent
 * again: a user who redirects a key must know the key.
 */
export const changeProvider = async (
  tx: Sql,
  scope: Scope,
  key: KeyObject,
  id: string,
  body: ProviderUpdate,
): Promise<string> => {
  requireHostLabels(body.options);
  const before = requireOne(await lockProvider(tx, scope, id), 'provider', id);
  const shownOptions = JSON.parse(before.options);
  const baseUrl = body.baseUrl === undefined ? before.baseUrl : body.baseUrl;
  const hasMoved = baseUrl !== before.baseUrl;
  if (hasMoved && before.secret && body.apiKey === undefined) {
    throw invalid('/apiKey', 'must be sent again when the base URL changes');
  }
  const isElsewhere =
    body.options && before.kind === 'azure' && body.options.resourceName !== shownOptions.resourceName;
  if (isElsewhere && before.secret && body.apiKey === undefined) {
    throw invalid('/apiKey', 'must be sent again when the resource changes');
  }
  if (before.kind === 'openai-compatible' && baseUrl === null) throw invalid('/baseUrl', 'is required');
  const place = { id, kind: before.kind, baseUrl };
  const isSealedAnew = hasMoved || hasSecrets(body.apiKey, body.options);
  const kept: Secrets = isSealedAnew && !hasMoved ? openKept(key, scope, before) : { options: shownOptions };
  const options = changedOptions(kept.options, body.options);
  const secrets = isSealedAnew
    ? sealSecrets(key, scope.organizationId, place, body.apiKey ?? kept.apiKey, options)
    : { options: JSON.stringify(options), secret: before.secret };
  const rows = await updateProvider(tx, scope, {
    ...before,
    ...place,
    ...secrets,
    maxConcurrency: body.maxConcurrency ?? before.maxConcurrency,
    requestsPerMinute:
      body.requestsPerMinute === undefined ? before.requestsPerMinute : body.requestsPerMinute,
    prices: body.prices ? JSON.stringify(body.prices) : before.prices,
    maxOutputTokens: body.maxOutputTokens ?? before.maxOutputTokens,
    timeoutMs: body.timeoutMs ?? before.timeoutMs,
  });
  return bodyOf(rows, 'provider', id);
};
