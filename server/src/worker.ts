import { readConfig } from './config.ts';
import { giveFetchProxy } from './engine/models/outgoing-proxy.ts';
import { ensureDataDirectory } from './platform/data-directory.ts';
import { openServer } from './platform/db/server.ts';
import { openHttp } from './platform/http/open-http.ts';
import { healthRoutes } from './platform/http/operations.ts';
import { createLogger } from './platform/log.ts';
import { onStopSignal } from './platform/on-stop-signal.ts';
import { loadSecret } from './platform/secret.ts';
import { openServices } from './services.ts';

/** Starts a process that only scores. Any number of them share the work of one server database. */
const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (!config.DATABASE_URL) {
    throw new Error(
      'Set DATABASE_URL: a worker needs a server database, because only one process can open the embedded one.',
    );
  }
  if (config.DOKIMA_WORKERS === 0)
    throw new Error('Set DOKIMA_WORKERS to 1 or more: with 0 a worker has nothing to do.');
  const log = await createLogger(config.DOKIMA_LOG_LEVEL);
  giveFetchProxy(config, [config.DOKIMA_OIDC_ISSUER, config.DOKIMA_S3_ENDPOINT]);
  await ensureDataDirectory(config.DOKIMA_DATA_DIR);
  const db = await openServer(config.DATABASE_URL);
  const services = await openServices({ config, db, log, secret: await loadSecret(config) });
  await services.start();
  log.info(`scoring with ${config.DOKIMA_WORKERS} sandbox processes of each language`);

  const health = config.DOKIMA_WORKER_PORT === undefined ? undefined : await openHttp(log, []);
  if (health) {
    healthRoutes(health, { db, metrics: services.metrics, scoring: services.scoring });
    const address = await health.listen({ port: config.DOKIMA_WORKER_PORT!, host: config.HOST });
    log.info(`health and metrics at ${address}`);
  }

  onStopSignal(async (signal) => {
    log.info(`${signal}: returning unscored work to the queue, then stopping`);
    await health?.close();
    await services.stop();
    await db.close();
    process.exit(0);
  });
};

start().catch((error: Error) => {
  process.stderr.write(`\nThe worker did not start. ${error.message}\n`);
  process.exit(1);
});
