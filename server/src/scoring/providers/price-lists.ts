import type { FastifyBaseLogger } from 'fastify';
import { type Network, openGuardedFetch } from '../../engine/models/guarded-fetch.ts';
import { acceptPrices, type RefusedPrice } from '../../engine/models/price-change.ts';
import { mergePrices, type PriceFiles, readPriceList } from '../../engine/models/price-list.ts';
import type { Prices } from '../../engine/models/prices.ts';
import type { Price, PriceTable } from '../../engine/models/provider.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { listOwnPrices } from './queries.ts';

/** Larger than any public list by a factor of ten. */
const longestList = 20_000_000;
const timeoutMs = 60_000;

/** What was read from the operator's URL. All processes on a database share it, and it outlives a restart. */
type StoredPrices = {
  /** The list that was taken last; null before the first. */
  prices: Prices | null;
  refused: RefusedPrice[];
  readAt: string | null;
  error: string | null;
};

type Row = { list: string | null; refused: string; readAt: string | null; error: string | null };

const findList = (sql: Sql, address: string) => sql<Row[]>`
  select list::text as list, refused::text as refused, iso_time(read_at) as "readAt", error
  from price_list where address = ${address}`;

/** Takes the reading of the list for this process, if it is due. A process that dies while it reads delays the next try by ten minutes. */
const claimReading = (tx: Sql, address: string) => tx<{ address: string }[]>`
  insert into price_list (address, due_at) values (${address}, now() + interval '10 minutes')
  on conflict (address) do update set due_at = excluded.due_at where price_list.due_at <= now()
  returning address`;

const storeTaken = (tx: Sql, address: string, list: string, refused: string) => tx`
  update price_list set list = ${list}::text::json, refused = ${refused}::text::json, read_at = now(), error = null,
    due_at = now() + interval '1 day'
  where address = ${address}`;

const storeError = (tx: Sql, address: string, error: string) => tx`
  update price_list set error = ${error}, due_at = now() + interval '1 hour' where address = ${address}`;

/** The list of an earlier setting is not used again. */
const deleteOthers = (tx: Sql, address: string) => tx`delete from price_list where address <> ${address}`;

/** Where prices come from, the strongest first. */
export type PriceSource = {
  source: 'file' | 'url' | 'shipped';
  /** The URL without a query, which may hold a key; null for what is no URL. */
  address: string | null;
  date: string | null;
  numModels: number;
  readAt: string | null;
  error: string | null;
  refused: RefusedPrice[];
};

/** A price in use with the kind and the day of its list. */
export type SourcedPrice = Price & Pick<PriceSource, 'source' | 'date'> & { reference: string | null };

export type PriceLists = {
  /** The prices by which calls are priced now. */
  current(): Prices;
  /** The prices by which calls in an organization's traces are priced now. */
  currentOf(sql: Sql, scope: Scope): Promise<PriceTable>;
  sources(): PriceSource[];
  /** The prices in use, each with the list that it comes from. */
  priced(): Record<string, SourcedPrice>;
  /** Reads the list of the URL if it is due, and takes over what another process read. Returns false: there is no more until the next poll. */
  refresh(stopping?: AbortSignal): Promise<false>;
  close(): void;
};

const withoutQuery = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

const sourcesOf = (files: PriceFiles, address: string | undefined, stored: StoredPrices): PriceSource[] => {
  const listed = (source: PriceSource['source'], prices: Prices | undefined | null): PriceSource => ({
    source,
    address: null,
    date: prices?.date ?? null,
    numModels: Object.keys(prices?.models ?? {}).length,
    readAt: null,
    error: null,
    refused: [],
  });
  const { refused, readAt, error } = stored;
  return [
    ...(files.own ? [listed('file', files.own)] : []),
    ...(address
      ? [{ ...listed('url', stored.prices), address: withoutQuery(address), refused, readAt, error }]
      : []),
    listed('shipped', files.shipped),
  ];
};

const pricedBy = (files: PriceFiles, stored: StoredPrices): Record<string, SourcedPrice> => {
  const of = (source: PriceSource['source'], prices: Prices | undefined | null) =>
    Object.entries(prices?.models ?? {}).map(([name, price]) => {
      const { date, reference = null } = { ...prices!.sources?.[name.split('/', 1)[0]!], ...price };
      return [name, { ...price, source, date: date ?? prices!.date, reference }] as const;
    });
  return Object.fromEntries([
    ...of('shipped', files.shipped),
    ...of('url', stored.prices),
    ...of('file', files.own),
  ]);
};

/**
 * Returns the prices by which an organization's spans cost: those that it entered with its providers, then the server's. Of two providers
 * of one kind with a price for the same model, the older one counts.
 */
const withOwnPrices = async (sql: Sql, scope: Scope, models: PriceTable): Promise<PriceTable> => {
  const providers = await listOwnPrices(sql, scope);
  if (providers.length === 0) return models;
  const own = providers
    .toReversed()
    .flatMap(({ kind, prices }) =>
      Object.entries(JSON.parse(prices) as PriceTable).map(
        ([name, price]) => [`${kind}/${name}`, price] as const,
      ),
    );
  return { ...models, ...Object.fromEntries(own) };
};

/** Opens the prices of the service: the table that ships, the list of a URL that is read each day, and the operator's file, which is the strongest. */
export const openPriceLists = async (deps: {
  db: Database;
  log: FastifyBaseLogger;
  files: PriceFiles;
  /** Where the list is read; without it none is. */
  address: string | undefined;
  network: Network;
}): Promise<PriceLists> => {
  const { db, log, files, address, network } = deps;
  const guarded = openGuardedFetch({ ...network, maxBytes: longestList });
  let stored: StoredPrices = { prices: null, refused: [], readAt: null, error: null };
  let merged: Prices;
  const useStored = async () => {
    const [row] = address ? await db.read(system, (sql) => findList(sql, address)) : [];
    if (row)
      stored = { ...row, prices: row.list ? JSON.parse(row.list) : null, refused: JSON.parse(row.refused) };
    merged = mergePrices(...[files.shipped, stored.prices ?? undefined, files.own].filter(isDefined));
  };
  await useStored();

  const readList = async (from: string, stopping: AbortSignal | undefined) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(stopping ? [stopping] : [])]);
    const response = await guarded.fetch(from, { signal });
    if (!response.ok) throw new Error(`it answered with status ${response.status}`);
    const list = readPriceList(await response.text(), new Date());
    const inUse = mergePrices(...[files.shipped, stored.prices ?? undefined].filter(isDefined));
    const accepted = acceptPrices(list, inUse.models, stored.prices?.models);
    if ('error' in accepted) throw new Error(accepted.error);
    return accepted;
  };

  const readInto = async (from: string, stopping: AbortSignal | undefined) => {
    try {
      const { prices, refused } = await readList(from, stopping);
      await db.transaction(system, async (tx) => {
        await deleteOthers(tx, from);
        await storeTaken(tx, from, JSON.stringify(prices), JSON.stringify(refused));
      });
      log.info({ models: Object.keys(prices.models).length, refused }, 'read the list of prices');
    } catch (error) {
      if (stopping?.aborted) return;
      const { message } = error as Error;
      await db.transaction(system, (tx) => storeError(tx, from, message));
      log.warn(
        `the list of prices at DOKIMA_PRICES_URL was not taken: ${message}. The prices before stay in use.`,
      );
    }
  };

  return {
    current: () => merged,
    currentOf: (sql, scope) => withOwnPrices(sql, scope, merged.models),
    sources: () => sourcesOf(files, address, stored),
    priced: () => pricedBy(files, stored),
    refresh: async (stopping) => {
      if (!address) return false;
      const [claimed] = await db.transaction(system, (tx) => claimReading(tx, address));
      if (claimed) await readInto(address, stopping);
      await useStored();
      return false;
    },
    close: guarded.close,
  };
};
