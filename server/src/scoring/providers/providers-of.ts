import type { KeyObject } from 'node:crypto';
import type { ProviderConfig } from '../../engine/models/provider.ts';
import type { Database } from '../../platform/db/database.ts';
import { findProviders, findVaultOwner } from './queries.ts';
import { openProvider } from './secrets.ts';

const maxConcurrency = 8;

/** The settings that name providers. */
type ProviderSettings = {
  OPENAI_API_KEY?: string;
  OPENAI_BASE_URL?: string;
  ANTHROPIC_API_KEY?: string;
  GOOGLE_GENERATIVE_AI_API_KEY?: string;
};

/** Returns the providers that an organization has now: its own, then the environment's. A vault has those of its organization. */
export type ProvidersOf = (organizationId: bigint) => Promise<ProviderConfig[]>;

/** The providers of the environment, for every organization. */
const environmentProviders = (settings: ProviderSettings): ProviderConfig[] => {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY } = settings;
  const providers: ProviderConfig[] = [];
  if (OPENAI_API_KEY) {
    const baseUrl = OPENAI_BASE_URL ? { baseUrl: OPENAI_BASE_URL } : {};
    providers.push({ name: 'openai', kind: 'openai', apiKey: OPENAI_API_KEY, maxConcurrency, ...baseUrl });
  }
  if (ANTHROPIC_API_KEY)
    providers.push({ name: 'anthropic', kind: 'anthropic', apiKey: ANTHROPIC_API_KEY, maxConcurrency });
  if (GOOGLE_GENERATIVE_AI_API_KEY)
    providers.push({ name: 'google', kind: 'google', apiKey: GOOGLE_GENERATIVE_AI_API_KEY, maxConcurrency });
  return providers;
};

export const openProvidersOf = (settings: ProviderSettings, db: Database, key: KeyObject): ProvidersOf => {
  const shared = environmentProviders(settings);
  /** Whose providers a vault uses. It never changes. */
  const owners = new Map<bigint, bigint>();
  const ownerOf = async (organizationId: bigint): Promise<bigint> => {
    const known = owners.get(organizationId);
    if (known !== undefined) return known;
    const [found] = await db.read({ organizationId }, (sql) => findVaultOwner(sql, organizationId));
    const owner = found?.owner ?? organizationId;
    owners.set(organizationId, owner);
    return owner;
  };
  return async (askingId) => {
    const organizationId = await ownerOf(askingId);
    const stored = await db.read({ organizationId }, (sql) => findProviders(sql, organizationId));
    return [...stored.map((provider) => openProvider(key, organizationId, provider)), ...shared];
  };
};
