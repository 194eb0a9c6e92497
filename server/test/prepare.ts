import { rm } from 'node:fs/promises';
import postgres from 'postgres';
import { freshPrograms } from '../build-programs.ts';
import { prepareEmbedded } from '../src/platform/db/prepare-embedded.ts';
import { openServer } from '../src/platform/db/server.ts';
import { databasePrefix, templateDatabase, testServerUrl } from './harness.ts';

/** A migrated database on the test server, unless there is one of these migrations. */
const prepareServer = async (): Promise<void> => {
  const admin = postgres(testServerUrl(), { max: 1, onnotice: () => {} });
  const partial = `${templateDatabase}_${process.pid}`;
  const [there] = await admin`select 1 from pg_database where datname = ${templateDatabase}`;
  if (!there) {
    await admin.unsafe(`create database ${partial}`);
    const url = new URL(testServerUrl());
    url.pathname = `/${partial}`;
    await (await openServer(url.href)).close();
    await admin.unsafe(`alter database ${partial} rename to ${templateDatabase}`);
  }
  await admin.end();
};

/** Those of this run that no test has dropped. */
const dropDatabases = async (): Promise<void> => {
  const admin = postgres(testServerUrl(), { max: 1, onnotice: () => {} });
  const left = await admin<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${databasePrefix()})`;
  for (const { name } of left) await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
};

/** Builds the programs that tests start, makes the databases that they copy, and removes in the end what they left behind. */
export default async (): Promise<() => Promise<void>> => {
  await freshPrograms();
  await prepareEmbedded();
  if (process.env.TEST_DATABASE_URL) await prepareServer();
  return async () => {
    // What the tests' processes have started may still be ending.
    await rm(process.env.DOKIMA_TESTS_DIR!, { recursive: true, force: true, maxRetries: 10 });
    if (process.env.TEST_DATABASE_URL) await dropDatabases();
  };
};
