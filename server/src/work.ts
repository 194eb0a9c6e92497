import { readConfig } from './config.ts';
import { ensureDataDirectory } from './data-directory.ts';
import { openServer } from './db/server.ts';
import { createLogger } from './log.ts';
import { openScoring } from './scoring/scoring.ts';
import { loadSecret } from './secret.ts';

/** A process that only scores: any number of them share the work of one server database. */
const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (!config.DATABASE_URL) {
    throw new Error('Set DATABASE_URL: the embedded database belongs to the one process that serves it.');
  }
  if (config.DOKIMA_WORKERS === 0)
    throw new Error('Set DOKIMA_WORKERS to 1 or more: with 0 it has nothing to do.');
  const log = createLogger(config.DOKIMA_LOG_LEVEL);
  await ensureDataDirectory(config);
  const db = await openServer(config.DATABASE_URL);
  const scoring = await openScoring({ config, db, log, secret: await loadSecret(config) });
  await scoring.start();
  log.info(`scoring with ${config.DOKIMA_WORKERS} sandbox processes of each language`);

  const stop = async (signal: string): Promise<void> => {
    log.info(`${signal}: giving back what is not scored, then stopping`);
    await scoring.stop();
    await db.close();
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

start().catch((error: Error) => {
  process.stderr.write(`\nThe worker did not start. ${error.message}\n`);
  process.exit(1);
});
