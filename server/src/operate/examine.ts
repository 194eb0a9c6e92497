import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openOutgoingProxy } from '../engine/models/outgoing-proxy.ts';
import { freeBytes, reservedBytes } from '../platform/db/disk.ts';
import { compareMigrations } from '../platform/db/migrate.ts';
import { contentsOfSpans } from './contents.ts';
import { type Finding, found } from './finding.ts';
import type { OpenDatabase } from './open.ts';
import { reachOthers } from './reach.ts';

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;

const role = async ({ sql, engine }: OpenDatabase): Promise<Finding> => {
  const [login] = await sql<
    { name: string; bypasses: boolean; owns: boolean; version: string; pid: number }[]
  >`
    select current_user::text as name, rolsuper or rolbypassrls as bypasses, current_setting('server_version') as version,
      coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('organization')), true) as owns
    from pg_roles where rolname = current_user`;
  const { name, bypasses, owns, version } = login!;
  if (engine === 'embedded') return found('database', `embedded PostgreSQL ${version}`);
  const rights = bypasses
    ? 'bypasses row-level security, so the service runs as dokima_app'
    : 'is subject to row-level security';
  const notOwner = 'Log in with the role that owns the tables: a migration of the next version would fail.';
  return found('database', `PostgreSQL ${version}; the role ${name} ${rights}`, owns ? undefined : notOwner);
};

const schema = async ({ sql }: OpenDatabase): Promise<Finding> => {
  const [table] = await sql<{ name: string | null }[]>`select to_regclass('migration')::text as name`;
  if (!table?.name) return found('schema', 'none', 'Start the service once: it makes the tables.');
  const { applied, unknown, changed, pending } = await compareMigrations(sql);
  if (unknown.length > 0)
    return found(
      'schema',
      `has ${unknown.join(', ')}`,
      'The database is newer than this version. Upgrade Dokima.',
    );
  if (changed.length > 0)
    return found(
      'schema',
      `was made by another text of ${changed.join(', ')}`,
      'The service will not start. Start the version that made it, export its projects, and import them into an empty database.',
    );
  if (pending.length > 0)
    return found(
      'schema',
      `lacks ${pending.join(', ')}`,
      'Start the service: it brings the schema up to date.',
    );
  return found('schema', `up to date (${applied.at(-1)})`);
};

const isolation = async ({ sql }: OpenDatabase): Promise<Finding> => {
  const open = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped)
      and not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = pg_class.oid))`;
  const names = open.map(({ name }) => name).join(', ');
  return names
    ? found('row-level security', `missing on ${names}`, 'Restore the database again, into an empty one.')
    : found('row-level security', 'on every table of tenants');
};

const extension = async ({ sql }: OpenDatabase): Promise<Finding> => {
  const [trigrams] = await sql`select from pg_extension where extname = 'pg_trgm'`;
  return trigrams
    ? found('extension pg_trgm', 'installed')
    : found('extension pg_trgm', 'missing', 'As the owner of the database, run: create extension pg_trgm;');
};

const pooler = async ({ sql, engine }: OpenDatabase): Promise<Finding[]> => {
  if (engine === 'embedded') return [];
  const answer = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const isPooled = answer.state.pid !== answer[0]!.pid;
  return [found('connection', isPooled ? 'through a connection pooler' : 'direct')];
};

/** Largest difference of clocks that does not affect expiry dates and leases. */
const maxSkewMs = 5_000;

const clock = async ({ sql }: OpenDatabase): Promise<Finding> => {
  const begunAt = Date.now();
  const [now] = await sql<
    { ms: number }[]
  >`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  const skewMs = Math.round(now!.ms - (begunAt + Date.now()) / 2);
  const apart = Math.abs(skewMs) > maxSkewMs;
  const next = 'Synchronize the clocks of this machine and of the database server (NTP).';
  return found(
    'clock',
    `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'ahead of' : 'behind'} the database`,
    apart ? next : undefined,
  );
};

const disk = async (directory: string): Promise<Finding> => {
  const here = await stat(directory).catch(() => undefined);
  if (!here)
    return found(
      'disk',
      `there is no ${directory}`,
      'Set DOKIMA_DATA_DIR, and the other settings, as for the service.',
    );
  const bytes = await freeBytes(directory);
  const next =
    'Make room, or set DOKIMA_DATA_DIR to a directory on another disk. Below 256 MB, writes are refused.';
  return found(
    'disk',
    `${megabytes(bytes)} free at ${directory}`,
    bytes < 4 * reservedBytes ? next : undefined,
  );
};

const secretFile = async ({ DOKIMA_SECRET, DOKIMA_DATA_DIR }: Config): Promise<Finding> => {
  if (DOKIMA_SECRET) return found('secret', 'set by DOKIMA_SECRET');
  const path = join(DOKIMA_DATA_DIR, 'secret');
  const file = await stat(path).catch(() => undefined);
  if (!file) return found('secret', 'none yet: the first start makes one');
  const isOpen = process.platform !== 'win32' && (file.mode & 0o077) !== 0;
  return found('secret', path, isOpen ? `Other users can read it. Run: chmod 600 ${path}` : undefined);
};

/** How this service reaches models, endpoints and webhooks. */
const outgoing = async (config: Config): Promise<Finding> => {
  const { proxyOf } = openOutgoingProxy({ ...config, NO_PROXY: '' });
  const ways = ['https', 'http'].flatMap((scheme) => {
    const proxy = proxyOf(new URL(`${scheme}://x.invalid`));
    return proxy ? [`${scheme}:// through ${proxy}`] : [];
  });
  const except = config.NO_PROXY ? `, except ${config.NO_PROXY}` : '';
  const file = process.env.NODE_EXTRA_CA_CERTS;
  const authorities = file ? `; authorities of ${file}` : '';
  const missing = file !== undefined && (await stat(file).catch(() => undefined)) === undefined;
  return found(
    'outgoing calls',
    `${ways.length > 0 ? `${ways.join(', ')}${except}` : 'direct, without a proxy'}${authorities}`,
    missing ? 'The file of NODE_EXTRA_CA_CERTS does not exist: Node goes on without it.' : undefined,
  );
};

const overdueSeconds = 60;

const queues = async ({ sql }: OpenDatabase): Promise<Finding[]> => {
  const [workers] = await sql<{ alive: number; dead: string | null }[]>`
    select count(*) filter (where is_alive)::int as alive,
      string_agg(description || ', silent since ' || to_char(seen_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', '; ')
        filter (where not is_alive) as dead
    from (select *, seen_at > now() - interval '1 minute' as is_alive from worker) workers`;
  const due = await sql<{ queue: string; n: number; seconds: number }[]>`
    select queue, count(*)::int as n, extract(epoch from now() - min(due_at))::int as seconds
    from (
      select lane as queue, due_at from score where state = 'pending' and lane is not null
      union all select lane, due_at from proposed_score where state = 'pending'
      union all select 'execution', due_at from execution where state = 'pending'
      union all select 'monitor', due_at from monitor_record where due_at is not null) due
    where due_at <= now()
    group by queue order by queue`;
  const { alive, dead } = workers!;
  const start = 'Start a process that scores: npm run worker, or a service with DOKIMA_WORKERS of 1 or more.';
  return [
    found(
      'workers',
      `${alive} at work${dead ? `; ended without a word: ${dead}` : ''}`,
      alive === 0 && due.length > 0 ? start : undefined,
    ),
    ...due.map(({ queue, n, seconds }) =>
      found(
        `queue ${queue}`,
        `${n} due, the oldest for ${seconds} s`,
        seconds > overdueSeconds ? 'See "Work is overdue" in docs/runbook.md.' : undefined,
      ),
    ),
  ];
};

/** The list of prices that the operator named. A service that can't read it goes on with the prices that it has. */
const priceList = async ({ DOKIMA_PRICES_URL }: Config, { sql }: OpenDatabase): Promise<Finding[]> => {
  if (!DOKIMA_PRICES_URL) return [];
  const [row] = await sql<{ error: string | null; readAt: string | null; refused: number; days: number }[]>`
    select error, to_char(read_at at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC' as "readAt",
      json_array_length(refused) as refused, coalesce(extract(epoch from now() - read_at) / 86400, 0)::float8 as days
    from price_list where address = ${DOKIMA_PRICES_URL}`;
  const read = row?.readAt ? `read ${row.readAt}, ${row.refused} new prices not used` : 'not read yet';
  if (row?.error)
    return [
      found(
        'list of prices',
        `${read}; the newest list was not used: ${row.error}`,
        'The prices before stay in use. Correct DOKIMA_PRICES_URL or its list: see "Cost" in docs/judges.md.',
      ),
    ];
  const stale = 'No process reads it: start the service with DOKIMA_PRICES_URL.';
  return [found('list of prices', read, row && row.days > 2 ? stale : undefined)];
};

const tables = async ({ sql, engine }: OpenDatabase): Promise<Finding[]> => {
  const largest = await sql<{ name: string; bytes: number }[]>`
    select relname as name, pg_total_relation_size(pg_class.oid)::float8 as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    order by bytes desc limit 5`;
  const shown = found(
    'largest tables',
    largest.map(({ name, bytes }) => `${name} ${megabytes(bytes)}`).join(', '),
  );
  // The embedded database has no autovacuum: the service updates its statistics.
  if (engine === 'embedded') return [shown];
  const blind = await sql<{ name: string }[]>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and n_live_tup > 10000 and last_analyze is null and last_autoanalyze is null`;
  const names = blind.map(({ name }) => name).join(', ');
  const next = `Without them plans are slow. Run: analyze ${names}; and check that autovacuum is on.`;
  return [shown, found('statistics', names ? `missing for ${names}` : 'there', names ? next : undefined)];
};

/**
 * Examines the database, the disk, the clock and the queues of a service. Each step is independent: a failed step is a finding, and the
 * others continue.
 */
export const examine = async (config: Config, database: OpenDatabase): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const [table] = await database.sql<
    { name: string | null }[]
  >`select to_regclass('migration')::text as name`;
  const ofTables = {
    'row-level security': () => isolation(database),
    'extension pg_trgm': () => extension(database),
    queues: () => queues(database),
    'list of prices': () => priceList(config, database),
    reach: () => reachOthers(config, database),
    tables: () => tables(database),
    'contents of spans': () => contentsOfSpans(database),
  };
  const steps: Record<string, () => Promise<Finding | Finding[]>> = {
    database: () => role(database),
    schema: () => schema(database),
    connection: () => pooler(database),
    clock: () => clock(database),
    disk: () => disk(config.DOKIMA_DATA_DIR),
    secret: () => secretFile(config),
    'outgoing calls': () => outgoing(config),
    ...(table?.name && ofTables),
  };
  for (const [name, step] of Object.entries(steps))
    findings.push(
      ...[await step().catch((error: Error) => found(name, error.message, 'See docs/operations.md.'))].flat(),
    );
  return findings;
};
