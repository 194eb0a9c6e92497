import { type Network, openGuardedFetch } from '../../engine/models/guarded-fetch.ts';
import { type ListedModel, listModels } from '../../engine/models/list-models.ts';
import { type ProviderConfig, resolveModel } from '../../engine/models/provider.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import type { ProvidersOf } from './providers-of.ts';

/** A provider's models as they were listed last. */
export type StoredList = { provider: string; models: ListedModel[]; error: string | null; readAt: string };
/** The announced end of a model that judges. */
export type ModelEnding = { modelName: string; endsOn: string; daysLeft: number };

/** Time before the end of a model from which warnings are shown. */
export const warnDays = 60;

type ListRow = Omit<StoredList, 'models'> & { models: string };
const listModelLists = (sql: Sql, { organizationId }: Owner) => sql<ListRow[]>`
  select provider, models::text as models, error, iso_time(read_at) as "readAt"
  from model_list where organization_id = ${organizationId} order by provider`;

const storedLists = (rows: readonly ListRow[]): StoredList[] =>
  rows.map((row) => ({ ...row, models: JSON.parse(row.models) }));

/** The lists of an organization's providers, as they were read last. */
export const findModelLists = async (db: Database, owner: Owner): Promise<StoredList[]> =>
  storedLists(await db.read(owner, (sql) => listModelLists(sql, owner)));

/** A failed reading keeps the earlier list. */
const storeList = (
  tx: Sql,
  { organizationId }: Owner,
  { provider, models, error }: { provider: string; models: string | null; error: string | null },
) => tx`
  insert into model_list (organization_id, provider, models, error, read_at)
  values (${organizationId}, ${provider}, coalesce(${models}, '[]')::text::json, ${error}, now())
  on conflict (organization_id, provider) do update set error = excluded.error, read_at = excluded.read_at,
    models = case when ${models}::text is null then model_list.models else excluded.models end`;

const deleteOtherLists = (tx: Sql, { organizationId }: Owner, providers: string[]) => tx`
  delete from model_list where organization_id = ${organizationId} and not provider = any(${providers}::text[])`;

/** Organizations with judges whose lists are older than a day. */
const listStale = (sql: Sql) => sql<{ organizationId: bigint }[]>`
  select distinct metric.organization_id as "organizationId"
  from metric join metric_config config on config.id = metric.current_config_id
  where config.eval_type = 'ai' and metric.deleted_at is null and not exists (
    select from model_list
    where model_list.organization_id = metric.organization_id and read_at > now() - interval '1 day')
  limit 100`;

export type ModelLists = {
  /** Reads the lists of all providers of an organization now, and stores them. */
  read(owner: Owner, signal?: AbortSignal): Promise<StoredList[]>;
  /** Reads lists that are older than a day. Returns false: there is no more to do until the next poll. */
  readStale(stopping: AbortSignal): Promise<boolean>;
  close(): void;
};

/** Opens the reader of the providers' model lists. */
export const openModelLists = (deps: {
  db: Database;
  providersOf: ProvidersOf;
  network: Network;
}): ModelLists => {
  const { db, providersOf, network } = deps;
  const { fetch, close } = openGuardedFetch(network);

  const read: ModelLists['read'] = async (owner, signal) => {
    const providers = await providersOf(owner.organizationId);
    // Of providers with the same name, the first one is used: an organization's own comes before the environment's.
    const byName = new Map(providers.toReversed().map((provider) => [provider.name, provider]));
    const lists = await Promise.all(
      [...byName.values()].map(async (provider) => ({
        provider: provider.name,
        ...(await listModels(provider, fetch, signal)),
      })),
    );
    return db.transaction(owner, async (tx) => {
      await deleteOtherLists(tx, owner, [...byName.keys()]);
      for (const list of lists)
        await storeList(tx, owner, {
          provider: list.provider,
          models: 'models' in list ? JSON.stringify(list.models) : null,
          error: 'error' in list ? list.error : null,
        });
      return storedLists(await listModelLists(tx, owner));
    });
  };

  const readStale: ModelLists['readStale'] = async (stopping) => {
    for (const { organizationId } of await db.read(system, listStale)) {
      if (stopping.aborted) break;
      await read({ organizationId }, stopping);
    }
    return false;
  };

  return { read, readStale, close };
};

const dayMs = 86_400_000;

/** Which of these models end within 60 days or have ended, by the lists of their providers; the first to end comes first. */
export const endingsOf = (
  modelNames: readonly string[],
  lists: readonly StoredList[],
  providers: ProviderConfig[],
  now: number,
): ModelEnding[] =>
  [...new Set(modelNames)]
    .flatMap((name) => {
      const resolved = resolveModel(name, providers);
      if ('error' in resolved) return [];
      const list = lists.find(({ provider }) => provider === resolved.provider.name);
      const endsOn = list?.models.find(({ id }) => id === resolved.model)?.endsOn;
      if (!endsOn) return [];
      const daysLeft = Math.ceil((Date.parse(endsOn) - now) / dayMs);
      return daysLeft <= warnDays ? [{ modelName: name, endsOn, daysLeft }] : [];
    })
    .sort((a, b) => a.daysLeft - b.daysLeft);
