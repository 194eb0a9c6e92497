import type { KeyObject } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { findProviders } from '../providers/queries.ts';
import { openProvider } from '../providers/secrets.ts';
import type { ProviderConfig } from './models/provider.ts';

const maxConcurrency = 8;

/** The providers of the environment, for every organization. */
const environmentProviders = (config: Config): ProviderConfig[] => {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY } = config;
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

/** Returns the function that finds where an organization's models are asked now: its own providers, then the environment's. */
export const openProvidersOf = (config: Config, db: Database, key: KeyObject) => {
  const shared = environmentProviders(config);
  return async (organizationId: bigint): Promise<ProviderConfig[]> => {
    const stored = await db.read({ organizationId }, (sql) => findProviders(sql, organizationId));
    return [...stored.map((provider) => openProvider(key, organizationId, provider)), ...shared];
  };
};
