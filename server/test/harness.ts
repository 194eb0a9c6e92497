import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Logger, pino } from 'pino';
import postgres from 'postgres';
import { newApiKey } from '../src/accounts/keys/api-key.ts';
import { insertKey } from '../src/accounts/keys/queries.ts';
import { insertMember } from '../src/accounts/members/queries.ts';
import { createOrganization, type NewOrganization } from '../src/accounts/organizations/organizations.ts';
import { buildApp, type Deps } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { openStore } from '../src/evaluation/attachments/store.ts';
import { type Database, type Engine, system } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded.ts';
import { preparedDirectory } from '../src/platform/db/prepared-directory.ts';
import { openServer } from '../src/platform/db/server.ts';
import type { App } from '../src/platform/http/http.ts';
import { openServices } from '../src/services.ts';
import { type Conformance, conformance } from './conformance.ts';

/** Engine of this run of the suite; vitest.config.ts runs every file once on each engine. */
export const engine = (process.env.DOKIMA_TEST_ENGINE ?? 'embedded') as Engine;

export const testServerUrl = (): string => {
  const url = process.env.TEST_DATABASE_URL;
  if (!url)
    throw new Error('Set TEST_DATABASE_URL to a PostgreSQL server on which databases may be created.');
  return url;
};

/** The database from which new ones are copied, so that not every test file has to migrate its own. */
export const templateDatabase = `dokima_test_${basename(preparedDirectory()).replace('-', '_of_')}`;

/** How the names of this run's databases begin. */
export const databasePrefix = (): string => {
  const run = basename(process.env.DOKIMA_TESTS_DIR ?? '').replace(/\W/g, '');
  return `dokima_test_${run.toLowerCase()}_`;
};

/** A new database on the test server, migrated or empty, and what drops it. */
export const createServerDatabase = async (
  content: 'migrated' | 'empty',
): Promise<{ url: string; drop: () => Promise<void> }> => {
  const admin = postgres(testServerUrl(), { max: 1, onnotice: () => {} });
  const name = `${databasePrefix()}${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(
    `create database ${name} template ${content === 'migrated' ? templateDatabase : 'template1'}`,
  );
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  const drop = async () => {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  };
  return { url: url.href, drop };
};

export type Answer = {
  status: number;
  /** The parsed body; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape; conformance checks the shape.
  body: any;
  text: string;
  headers: Record<string, unknown>;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type RequestOptions = {
  headers?: Record<string, string>;
  /** The body's text, instead of a value that is stringified. */
  raw?: string | Buffer;
};
export type Client = (
  method: Method,
  path: string,
  body?: unknown,
  options?: RequestOptions,
) => Promise<Answer>;

/** Creates a new organization for each test, so that tests share a database without seeing each other's data. */
export type Organization = NewOrganization & {
  /** Calls the API under /api/v2 with this organization's key. Every answer is held against the OpenAPI document. */
  api: Client;
  /** A client with another key, or with none. */
  as: (key: string | undefined) => Client;
  /** Another person of this organization, with their own key. */
  person: () => Promise<{ id: string; key: string; api: Client }>;
};

export type TestApp = {
  app: App;
  db: Database;
  config: Config;
  /** Address at which it listens. It starts to listen at the first read. */
  url: () => Promise<string>;
  organization: () => Promise<Organization>;
  close: () => Promise<void>;
};

const clientFor =
  (app: App, conforms: Conformance, key: string | undefined): Client =>
  async (method, path, body, { headers = {}, raw } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await app.inject({
      method,
      url: `/api/v2${path}`,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const answer: Answer = {
      status: response.statusCode,
      body: isJson ? JSON.parse(response.body) : undefined,
      text: response.body,
      headers: response.headers,
    };
    conforms(method, path, answer);
    return answer;
  };

export type TestAppOptions = {
  /** Takes the log; without it nothing is logged. */
  log?: Logger;
  /** The address under which the service reaches its database on a server, made from the direct one. */
  databaseUrl?: (direct: string) => string;
  /** URL of a replica of it. */
  replicaUrl?: string;
  /** Bytes that the service takes for free on its disk. */
  freeBytes?: () => Promise<number>;
  /** Directory of the built pages, for tests in a browser. */
  pages?: Deps['pages'];
  changesPollMs?: Deps['changesPollMs'];
};

const openDatabase = async (
  directory: string,
  { databaseUrl = (url) => url, replicaUrl, freeBytes }: TestAppOptions,
) => {
  if (engine === 'embedded') return { db: await openEmbedded(directory, freeBytes), drop: async () => {} };
  const { url, drop } = await createServerDatabase('migrated');
  return { db: await openServer(databaseUrl(url), replicaUrl), drop };
};

let conforms: Conformance | undefined;
/** Checks answers against the document, which is the same for all services of this process, whatever their settings. */
const conformanceOf = (app: App): Conformance => {
  conforms ??= conformance(app.swagger());
  return conforms;
};

const openApp = async (environment: NodeJS.ProcessEnv, options: TestAppOptions): Promise<TestApp> => {
  const directory = await mkdtemp(join(tmpdir(), 'dokima-test-'));
  const config = readConfig({
    DOKIMA_DATA_DIR: directory,
    DOKIMA_WORKERS: '0',
    DOKIMA_JUDGE_MODEL: 'openai/judge',
    ...environment,
  });
  const { db, drop } = await openDatabase(directory, options);
  const log = options.log ?? pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const store = await openStore(config, options.freeBytes);
  const secret = Buffer.from('a secret for tests, nothing else');
  const services = await openServices({ config, db, log, secret });
  await services.start();
  const app = await buildApp({
    config,
    db,
    log,
    services,
    secret,
    store,
    pages: options.pages,
    changesPollMs: options.changesPollMs,
  });
  await app.ready();
  const conforms = conformanceOf(app);
  let url: Promise<string> | undefined;
  return {
    app,
    db,
    config,
    url: () => {
      url ??= app.listen({ port: 0, host: '127.0.0.1' });
      return url;
    },
    organization: async () => {
      const made = await db.transaction(system, (tx) => createOrganization(tx, 'Test'));
      const as = (key: string | undefined) => clientFor(app, conforms, key);
      const person = async () => {
        const [id, key] = [randomUUID(), newApiKey()];
        await db.transaction(system, async (tx) => {
          await insertMember(tx, made, id, { name: 'Person', email: `${id}@example.org`, role: 'member' });
          const scope = { organizationId: made.organizationId, memberId: id };
          await insertKey(tx, scope, randomUUID(), key, { name: 'key', access: 'full', expiresAt: null });
        });
        return { id, key, api: as(key) };
      };
      return { ...made, api: as(made.key), as, person };
    },
    close: async () => {
      await app.close();
      await services.stop();
      await db.close();
      await drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

let shared: Promise<TestApp> | undefined;

/**
 * The whole service without workers, called through inject. With settings (`{}` will do) it has its own database, which a
 * test needs that works on all organizations as workers and purges do; without, it is the one that the test files of this
 * process share: each test has an organization, and none sees another's.
 */
export const startApp = async (
  environment?: NodeJS.ProcessEnv,
  options: TestAppOptions = {},
): Promise<TestApp> => {
  if (environment) return openApp(environment, options);
  shared ??= openApp({}, options);
  // It ends with the process.
  return { ...(await shared), close: async () => {} };
};
