import { flushCompileCache } from 'node:module';
import { startChaining } from './accounts/audit/chain.ts';
import { bootstrap } from './accounts/organizations/organizations.ts';
import { sessionLimits } from './accounts/sign-ins/session-limits.ts';
import { firstSignIn } from './accounts/sign-ins/sign-in.ts';
import { type Config, readConfig } from './config.ts';
import { giveFetchProxy } from './engine/models/outgoing-proxy.ts';
import { openStore } from './evaluation/attachments/store.ts';
import { startIndexing } from './evaluation/records/index-texts.ts';
import { listenForBackups } from './operate/snapshot.ts';
import { ensureDataDirectory } from './platform/data-directory.ts';
import type { Database } from './platform/db/database.ts';
import { openEmbedded } from './platform/db/embedded.ts';
import { openServer } from './platform/db/server.ts';
import { closeApp } from './platform/http/close-app.ts';
import type { App } from './platform/http/http.ts';
import { createLogger } from './platform/log.ts';
import { onStopSignal } from './platform/on-stop-signal.ts';
import { builtPages } from './platform/pages/routes.ts';
import { loadSecret } from './platform/secret.ts';
import { startPurging } from './purge.ts';
import type { GrpcServer } from './traces/otlp/listen-grpc.ts';

/** Delay before the workers start, so that the first requests are answered first. */
const workAfterMs = 500;
/** Less than the 30 s after which Kubernetes kills the process. */
const stopMs = 25_000;

const openDatabase = ({ DATABASE_URL, DATABASE_REPLICA_URL, DOKIMA_DATA_DIR }: Config): Promise<Database> =>
  DATABASE_URL ? openServer(DATABASE_URL, DATABASE_REPLICA_URL) : openEmbedded(DOKIMA_DATA_DIR);

const print = (lines: string[]) => {
  const text = lines.map((line) => (line ? `  ${line}\n` : '\n')).join('');
  process.stdout.write(`\n${text}`);
};

const printKey = (key: string) =>
  print([`API key     ${key}`, '            Keep it: it is not shown again.']);

/** The lines that a start prints. */
const welcome = (
  url: string,
  database: string,
  grpcAddress: string | undefined,
  key: string | undefined,
  signIn: string | undefined,
): string[] => {
  const lines = [`Dokima      ${url}`, `API         ${url}/docs`, `Database    ${database}`];
  if (grpcAddress) lines.push(`OTLP/gRPC   ${grpcAddress}`);
  if (signIn)
    lines.push(
      '',
      `Sign in     ${url}/welcome#${signIn}`,
      '            It makes you the first admin and works once.',
    );
  if (key) lines.push('', 'Try:', `  curl ${url}/api/v2/me -H 'Authorization: Bearer ${key}'`);
  return [...lines, ''];
};

/** Makes the first organization if there is none, and a link for its admin until a member has a password. */
const prepareSignIn = async (db: Database, { DOKIMA_BOOTSTRAP_API_KEY }: Config) => {
  const first = await bootstrap(db, DOKIMA_BOOTSTRAP_API_KEY, printKey);
  return { first, signIn: await firstSignIn(db) };
};

type PortSetting = 'PORT' | 'DOKIMA_OTLP_GRPC_PORT';

const cannotListen = (config: Config, setting: PortSetting, cause: NodeJS.ErrnoException): Error => {
  const { HOST, [setting]: port } = config;
  const anotherPort = `set ${setting} to another (0 takes a free one)`;
  const said: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use. Stop the process that listens there, or ${anotherPort}.`,
    EACCES: `This user may not listen on port ${port}. Allow it, or ${anotherPort}.`,
  };
  const otherwise = `The service can't listen on ${HOST}: ${cause.message}. Set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.`;
  return new Error(said[cause.code ?? ''] ?? otherwise, { cause });
};

const listen = async (app: App, config: Config): Promise<void> => {
  await app.listen({ port: config.PORT, host: config.HOST }).catch((error) => {
    throw cannotListen(config, 'PORT', error);
  });
};

const listenForGrpc = async (app: App, config: Config): Promise<GrpcServer | undefined> => {
  const { DOKIMA_OTLP_GRPC_PORT: port, HOST: host } = config;
  if (port === undefined) return undefined;
  const { listenGrpc } = await import('./traces/otlp/listen-grpc.ts');
  return listenGrpc(app, { port, host }).catch((error) => {
    throw cannotListen(config, 'DOKIMA_OTLP_GRPC_PORT', error);
  });
};

const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = await createLogger(config.DOKIMA_LOG_LEVEL);
  giveFetchProxy(config, [config.DOKIMA_OIDC_ISSUER, config.DOKIMA_S3_ENDPOINT]);
  await ensureDataDirectory(config.DOKIMA_DATA_DIR);
  // The database opens while the rest of the program loads; each takes half of the start.
  const opening = openDatabase(config);
  opening.catch(() => {});
  const { buildApp } = await import('./app.ts');
  const { openServices } = await import('./services.ts');
  const db = await opening;
  // Started before the app is built, to run at the same time.
  const signingIn = prepareSignIn(db, config);
  signingIn.catch(() => {});
  const secret = await loadSecret(config);
  const services = await openServices({ config, db, log, secret });
  const store = await openStore(config);
  const app = await buildApp({
    config,
    db,
    log,
    services,
    secret,
    store,
    pages: config.DOKIMA_PAGES === 'on' ? await builtPages() : undefined,
  });
  const { first, signIn } = await signingIn;

  const purging = startPurging({ db, log, sessions: sessionLimits(config), store });
  const indexing = startIndexing({ db, log });
  const chaining = startChaining({ db, log });
  let work: NodeJS.Timeout | undefined;
  let demo = Promise.resolve();
  let grpc: GrpcServer | undefined;
  const backups = db.copyTo && (await listenForBackups(config.DOKIMA_DATA_DIR, db.copyTo, log));
  onStopSignal(async (signal) => {
    log.info(`${signal}: finishing open requests, then stopping`);
    clearTimeout(work);
    await Promise.all([closeApp(app, stopMs), grpc?.close(), backups?.close()]);
    await demo;
    await services.stop();
    await purging.stop();
    await indexing.stop();
    await chaining.stop();
    await db.close();
    process.exit(0);
  });

  await listen(app, config);
  grpc = await listenForGrpc(app, config);
  const { port } = app.server.address() as { port: number };
  const host = config.HOST === '127.0.0.1' || config.HOST === '0.0.0.0' ? 'localhost' : config.HOST;
  const shownKey = config.DOKIMA_BOOTSTRAP_API_KEY ? undefined : first?.key;
  const url = config.DOKIMA_PUBLIC_URL ?? `http://${host}:${port}`;
  const grpcAddress = grpc && `${host}:${grpc.port}`;
  print(welcome(url, db.description, grpcAddress, shownKey, signIn));
  work = setTimeout(() => void services.start(), workAfterMs);
  // Written now, so that the cache is kept if this process is killed.
  flushCompileCache();
  // After the start, which it would delay.
  if (first && config.DOKIMA_DEMO === 'on') {
    const { createDemo } = await import('./archive/demo/create-demo.ts');
    const deps = { ...services, db, judgeModel: config.DOKIMA_JUDGE_MODEL, now: new Date() };
    demo = createDemo(deps, first).then(services.wake, (error) =>
      log.warn({ err: error }, 'the demo project was not created'),
    );
  }
};

start().catch((error: Error) => {
  process.stderr.write(`\nDokima did not start. ${error.message}\n`);
  process.exit(1);
});
