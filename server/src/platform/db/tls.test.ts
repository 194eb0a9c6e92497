import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unprivileged } from '../../../../bench/postgres.ts';
import { engine } from '../../../test/harness.ts';
import { hasOwnPostgres, type OwnPostgres, openOwnPostgres } from '../../../test/own-postgres.ts';
import { until } from '../../../test/until.ts';
import { system } from './database.ts';
import { openServer } from './server.ts';

const run = promisify(execFile);

describe.runIf(engine === 'server' && hasOwnPostgres)('a server with a certificate', () => {
  let database: OwnPostgres;
  let directory: string;

  beforeAll(async () => {
    database = await openOwnPostgres();
    directory = await mkdtemp('/tmp/dokima-test-tls-');
    const user = await unprivileged();
    if (user) await chown(directory, user.uid, user.gid);
    const openssl = (line: string) => run('openssl', line.split(' '), { cwd: directory });
    for (const authority of ['ours', 'other'])
      await openssl(
        `req -x509 -newkey rsa:2048 -nodes -subj /CN=${authority} -days 2 -keyout ${authority}.key -out ${authority}.pem`,
      );
    for (const [name, names] of [
      ['right', 'DNS:localhost,IP:127.0.0.1'],
      ['wrong', 'DNS:db.example.org'],
    ]) {
      await writeFile(join(directory, `${name}.ext`), `subjectAltName=${names}`);
      await openssl(`req -newkey rsa:2048 -nodes -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`);
      await openssl(
        `x509 -req -in ${name}.csr -CA ours.pem -CAkey ours.key -CAcreateserial -days 2 -extfile ${name}.ext -out ${name}.pem`,
      );
      if (user) await chown(join(directory, `${name}.key`), user.uid, user.gid);
    }
  }, 180_000);
  afterAll(async () => {
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  const show = async (certificate: string) => {
    const admin = postgres(database.url, { max: 1 });
    await admin`alter system set ssl_cert_file = ${admin.unsafe(`'${join(directory, certificate)}.pem'`)}`;
    await admin`alter system set ssl_key_file = ${admin.unsafe(`'${join(directory, certificate)}.key'`)}`;
    await admin`alter system set ssl = on`;
    await admin`select pg_reload_conf()`;
    await until(async () => {
      const [{ file } = {}] = await admin`select current_setting('ssl_cert_file') as file`;
      return file === join(directory, `${certificate}.pem`) || undefined;
    });
    await admin.end();
  };
  const url = (host: string, query: string) =>
    `${database.url.replace('127.0.0.1', host)}?${query.replace('=/', `=${directory}/`)}`;
  const fails = (host: string, query: string) =>
    expect(openServer(url(host, query))).rejects.toThrow(/certificate|altnames/);

  it('is verified by the authority that the URL names, by name and by address', async () => {
    await show('right');
    for (const host of ['localhost', '127.0.0.1']) {
      const db = await openServer(url(host, 'sslmode=verify-full&sslrootcert=/ours.pem'));
      await db.read(system, (sql) => sql`select`);
      const admin = postgres(database.url, { max: 1 });
      const sessions = await admin`
        select distinct ssl from pg_stat_activity join pg_stat_ssl using (pid) where application_name = 'dokima'`;
      expect([...sessions]).toEqual([{ ssl: true }]);
      await admin.end();
      await db.close();
    }
  });

  it('is refused without its authority, or with another one', async () => {
    await show('right');
    for (const host of ['localhost', '127.0.0.1']) {
      await fails(host, 'sslmode=verify-full');
      await fails(host, 'sslmode=verify-full&sslrootcert=/other.pem');
    }
    await expect(openServer(url('localhost', 'sslrootcert=/none.pem'))).rejects.toThrow(
      "sslrootcert in DATABASE_URL can't be read",
    );
  });

  it('is refused with a certificate of another name', async () => {
    await show('wrong');
    for (const host of ['localhost', '127.0.0.1'])
      await fails(host, 'sslmode=verify-full&sslrootcert=/ours.pem');
  });
});
