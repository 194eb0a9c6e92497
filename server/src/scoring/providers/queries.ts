import type { Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { StoredKind } from './schema.ts';

const providerJson = (sql: Sql) => sql`
  json_build_object('id', provider.id, 'name', provider.name, 'kind', provider.kind, 'baseUrl', provider.base_url,
    'options', provider.options, 'hasSecret', provider.secret is not null, 'maxConcurrency', provider.max_concurrency,
    'requestsPerMinute', provider.requests_per_minute, 'maxOutputTokens', provider.max_output_tokens,
    'timeoutMs', provider.timeout_ms, 'prices', provider.prices, 'createdAt', iso_time(provider.created_at),
    'updatedAt', iso_time(provider.updated_at))::text`;

export const listProviders = (sql: Sql, scope: Scope, after: string, count: number) => sql<PageRow[]>`
  select ${providerJson(sql)} as body, provider.id::text as key
  from provider
  where provider.organization_id = ${scope.organizationId} and provider.id > ${after}
  order by provider.id
  limit ${count}`;

/** Finds a provider as the API shows it, without its secrets. */
export const findShownProvider = (sql: Sql, scope: Scope, id: string) => sql<{ body: string }[]>`
  select ${providerJson(sql)} as body from provider
  where organization_id = ${scope.organizationId} and id = ${id}`;

/** The prices that the organization entered with its providers, the oldest provider first. */
export const listOwnPrices = (sql: Sql, scope: Scope) => sql<{ kind: StoredKind; prices: string }[]>`
  select kind, prices::text as prices from provider
  where organization_id = ${scope.organizationId} and prices::text <> '{}'
  order by created_at, id`;

/** A provider as it is stored, its secrets sealed. */
export type StoredProvider = {
  id: string;
  name: string;
  kind: StoredKind;
  baseUrl: string | null;
  options: string;
  secret: Buffer | null;
  maxConcurrency: number;
  requestsPerMinute: number | null;
  /** JSON text. */
  prices: string;
  maxOutputTokens: number;
  timeoutMs: number;
};

const columns = (sql: Sql) => sql`
  id, name, kind, base_url as "baseUrl", options::text as options, secret, max_concurrency as "maxConcurrency",
  requests_per_minute as "requestsPerMinute", max_output_tokens as "maxOutputTokens", timeout_ms as "timeoutMs",
  prices::text as prices`;

/** All providers of an organization, to ask models with. */
export const findProviders = (sql: Sql, organizationId: bigint) => sql<StoredProvider[]>`
  select ${columns(sql)} from provider where organization_id = ${organizationId} order by name`;

export const findProvider = (sql: Sql, scope: Scope, id: string) => sql<StoredProvider[]>`
  select ${columns(sql)} from provider where organization_id = ${scope.organizationId} and id = ${id}`;

export const lockProvider = (tx: Sql, scope: Scope, id: string) => tx<StoredProvider[]>`
  select ${columns(tx)} from provider where organization_id = ${scope.organizationId} and id = ${id} for update`;

export const insertProvider = (tx: Sql, scope: Scope, provider: StoredProvider) => tx<{ body: string }[]>`
  insert into provider (id, organization_id, name, kind, base_url, options, secret, max_concurrency, requests_per_minute,
    max_output_tokens, timeout_ms, prices)
  values (${provider.id}, ${scope.organizationId}, ${provider.name}, ${provider.kind}, ${provider.baseUrl},
    ${provider.options}::text::json, ${provider.secret}, ${provider.maxConcurrency}, ${provider.requestsPerMinute},
    ${provider.maxOutputTokens}, ${provider.timeoutMs}, ${provider.prices}::text::json)
  returning ${providerJson(tx)} as body`;

export const updateProvider = (tx: Sql, scope: Scope, provider: StoredProvider) => tx<{ body: string }[]>`
  update provider set base_url = ${provider.baseUrl}, options = ${provider.options}::text::json, secret = ${provider.secret},
    max_concurrency = ${provider.maxConcurrency}, requests_per_minute = ${provider.requestsPerMinute},
    max_output_tokens = ${provider.maxOutputTokens}, timeout_ms = ${provider.timeoutMs},
    prices = ${provider.prices}::text::json, updated_at = now()
  where organization_id = ${scope.organizationId} and id = ${provider.id}
  returning ${providerJson(tx)} as body`;

export const deleteProvider = (tx: Sql, scope: Scope, id: string) => tx`
  delete from provider where organization_id = ${scope.organizationId} and id = ${id} returning id`;

/** The organization that a vault belongs to; null for an organization of people. */
export const findVaultOwner = (sql: Sql, organizationId: bigint) => sql<{ owner: bigint | null }[]>`
  select vault_of as owner from organization where id = ${organizationId}`;
