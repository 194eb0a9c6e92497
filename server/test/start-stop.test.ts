import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { engine } from './harness.ts';
import { callService, createStorage, endServices, failToStart, startService } from './service.ts';

let storage: Awaited<ReturnType<typeof createStorage>>;
const start = (settings: Record<string, string> = {}) => startService({ ...storage.settings, ...settings });
const fail = (settings: Record<string, string>) => failToStart({ ...storage.settings, ...settings });

afterEach(endServices);

/** A port of this machine that something listens on until `free`. */
const takePort = async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  return { port: String(port), free: () => new Promise((resolve) => holder.close(resolve)) };
};

const meStatus = async (url: string, key: string | undefined) =>
  (await callService({ url, key }, 'GET', '/me')).status;

/** Sends a request without its body, which the function that it resolves to sends. That one resolves to the answer's status. */
const beginRequest = async (url: string, key: string | undefined) => {
  const body = JSON.stringify({ name: 'Under way', description: '' });
  const sending = request(`${url}/api/v2/projects`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  sending.on('error', () => {});
  sending.flushHeaders();
  // 100 Continue proves that the service has the request, while its body is still here.
  await once(sending, 'continue');
  return async (): Promise<number> => {
    sending.end(body);
    const [response] = await once(sending, 'response');
    response.resume();
    return response.statusCode;
  };
};

describe('start', () => {
  beforeAll(async () => {
    storage = await createStorage('empty');
  });
  afterAll(() => storage.remove());

  it('that fails has shown the first key, which the next start takes', async () => {
    const { port, free } = await takePort();
    const { code, output } = await fail({ PORT: port });
    await free();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use.`);
    const key = /API key +(ak_\S+)/.exec(output)?.[1];
    const service = await start();
    expect(service.key).toBeUndefined();
    expect(await meStatus(service.url, key)).toBe(200);
  });

  it('with wrong settings exits with 1 and says of each what to write instead', async () => {
    const { code, output } = await fail({
      PORT: 'abc',
      DOKIMA_SECRET: 'too short',
      DATABASE_URL: 'mysql://db',
      DOKIMA_BOOTSTRAP_API_KEY: 'secret',
      DOKIMA_LOG_LEVEL: 'loud',
    });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      "Dokima did not start. Settings that can't be used:",
      '  PORT must be an integer from 0 to 65535',
      '  DATABASE_URL must be a URL like postgres://user:password@host:5432/database',
      '  DOKIMA_BOOTSTRAP_API_KEY must be ak_ and at least 20 letters, digits, - or _',
      '  DOKIMA_SECRET must be a string of at least 32 characters',
      '  DOKIMA_LOG_LEVEL must be one of "fatal", "error", "warn", "info", "debug", "silent"',
      'See docs/settings.md.',
    ]);
  });

  it('with a password that is not percent-encoded exits with 1 and says how to write it, without the password', async () => {
    for (const password of ['50%zz', 'sec/ret']) {
      const { code, output } = await fail({ DATABASE_URL: `postgres://user:${password}@127.0.0.1:1/db` });
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringContaining('DATABASE_URL must be a URL like postgres://'),
      });
      expect(output).toContain('percent-encoded');
      expect(output).not.toContain(password);
    }
  });

  it('with a data directory that can’t be one exits with 1 and says which setting names another', async () => {
    const directory = join(storage.settings.DOKIMA_DATA_DIR, 'file');
    await mkdir(storage.settings.DOKIMA_DATA_DIR, { recursive: true });
    await writeFile(directory, '');
    const { code, output } = await fail({ DOKIMA_DATA_DIR: directory });
    expect(code).toBe(1);
    expect(output).toContain(`The data directory ${directory} can't be used: EEXIST`);
    expect(output).toContain('Set DOKIMA_DATA_DIR to a directory that this user may read and write');
  });

  it.runIf(process.platform === 'linux')(
    'with a data directory in a file system that takes none exits with 1 and says so',
    async () => {
      const { code, output } = await fail({ DOKIMA_DATA_DIR: '/proc/dokima/data' });
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringContaining("The data directory /proc/dokima/data can't be used: ENOENT"),
      });
    },
  );

  it('makes a data directory below directories that are not there yet', async () => {
    const directory = join(storage.settings.DOKIMA_DATA_DIR, 'not', 'there', 'yet');
    const service = await start({ DOKIMA_DATA_DIR: directory });
    expect(await readdir(directory)).toContain('secret');
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('with a host that is not an address of this machine exits with 1 and names the setting', async () => {
    // 203.0.113.0/24 is for documentation: no machine has it.
    const { code, output } = await fail({ HOST: '203.0.113.1' });
    expect(code).toBe(1);
    expect(output).toContain("The service can't listen on 203.0.113.1: listen EADDRNOTAVAIL");
    expect(output).toContain('Set HOST to an address of this machine');
  });

  it('with a database that is not there exits with 1 and names it, but not the password', async () => {
    const { code, output } = await fail({ DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/db' });
    expect(code).toBe(1);
    expect(output).toContain(
      "The database of DATABASE_URL can't be used: connect ECONNREFUSED 127.0.0.1:1. Check",
    );
    expect(output).not.toContain('hunter2');
  });

  // As Neon gives it to its customers.
  it.runIf(engine === 'server')(
    'with a parameter in the URL that only libpq knows says to remove it',
    async () => {
      const { output } = await fail({
        DATABASE_URL: `${storage.settings.DATABASE_URL}?channel_binding=require`,
      });
      expect(output).toContain('"channel_binding". Remove this parameter from the URL.');
    },
  );
});

describe('stop', () => {
  beforeAll(async () => {
    storage = await createStorage();
  });
  afterAll(() => storage.remove());

  it('with Ctrl-C and start again keeps everything, the printed key too', async () => {
    const first = await start();
    const project = await callService(first, 'POST', '/projects', { name: 'Kept', description: '' });
    expect(await first.end('SIGINT')).toBe(0);
    const again = await start();
    expect(again.key).toBeUndefined();
    const { body } = await callService(
      { url: again.url, key: first.key },
      'GET',
      `/projects/${project.body.id}`,
    );
    expect(body).toEqual(project.body);
  });

  it('with SIGTERM answers requests that are under way, takes no new ones, and exits with 0', async () => {
    const key = `ak_${'stop-test-'.repeat(4)}`;
    await storage.remove();
    storage = await createStorage();
    const service = await start({ DOKIMA_BOOTSTRAP_API_KEY: key });
    const underWay = await Promise.all(Array.from({ length: 8 }, () => beginRequest(service.url, key)));
    const ended = service.end('SIGTERM');
    await service.printed('finishing open requests');
    await expect.poll(() => meStatus(service.url, key).catch(() => 'refused')).toBe('refused');
    const statuses = await Promise.all(underWay.map((finish) => finish()));
    expect(statuses).toEqual(Array(8).fill(201));
    expect(await ended).toBe(0);
    const again = await start();
    const { data } = (await callService({ url: again.url, key }, 'GET', '/projects')).body;
    expect(data).toHaveLength(8);
  });

  it('with a signal that comes twice, as npm passes it on, answers what is under way; later ones end it at once', async () => {
    await storage.remove();
    storage = await createStorage();
    const service = await start();
    const finish = await beginRequest(service.url, service.key);
    // This one never ends.
    await beginRequest(service.url, service.key);
    const ended = service.end('SIGINT');
    await service.printed('finishing open requests');
    service.child.kill('SIGINT');
    expect(await finish()).toBe(201);
    const askAgain = () => {
      service.child.kill('SIGINT');
      return service.child.exitCode;
    };
    await expect.poll(askAgain, { interval: 200 }).toBe(130);
    expect(await ended).toBe(130);
  });
});

describe.runIf(process.platform === 'linux')('npm start', () => {
  // Its own process group, so that the test can end what is left.
  const startByNpm = () => startService(storage.settings, ['setsid', 'npm', 'start']);

  beforeAll(async () => {
    storage = await createStorage();
  });
  afterAll(() => storage.remove());

  it('that gets SIGTERM ends the service and exits with 0', async () => {
    const { child, url } = await startByNpm();
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    const left = await meStatus(url, undefined).catch(() => 'refused');
    if (left !== 'refused') process.kill(-child.pid!, 'SIGKILL');
    expect({ code, left }).toEqual({ code: 0, left: 'refused' });
  });
});

describe.runIf(engine === 'embedded')('the data directory', () => {
  beforeAll(async () => {
    storage = await createStorage();
  });
  afterAll(() => storage.remove());

  const lockFiles = async () =>
    (await readdir(storage.settings.DOKIMA_DATA_DIR)).filter((name) => name.endsWith('.lock'));

  it('is refused to a second process, with the name of the first, which goes on', async () => {
    const first = await start();
    const { code, output } = await fail({});
    expect(code).toBe(1);
    expect(output).toContain(
      `${storage.settings.DOKIMA_DATA_DIR} is in use by process ${first.child.pid}. Stop that one`,
    );
    expect(await meStatus(first.url, first.key)).toBe(200);
    expect(await lockFiles()).toHaveLength(1);
    await first.end('SIGTERM');
    expect(await lockFiles()).toEqual([]);
  });

  it('is taken over from a dead process, and from one whose pid another has now', async () => {
    const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
    const left = [`dokima.${deadPid}.12345.lock`, `dokima.${process.pid}.1.lock`];
    for (const name of left) await writeFile(join(storage.settings.DOKIMA_DATA_DIR, name), '');
    const service = await start();
    expect(await lockFiles()).toEqual([expect.stringContaining(`.${service.child.pid}.`)]);
  });

  /** The lock that a running process would have written. */
  const leaveLockOf = async (pid: number) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    await writeFile(join(storage.settings.DOKIMA_DATA_DIR, `dokima.${pid}.${started}.lock`), '');
  };

  it.runIf(process.platform === 'linux')(
    'is taken over from a killed process that no one has reaped',
    async () => {
      // The shell becomes a program that asks for none of its children: the first one, which ends after that, stays a zombie.
      const parent = spawn('sh', ['-c', 'sleep 2 & echo $!; exec sleep 60']);
      const [pid] = await once(parent.stdout, 'data');
      await expect.poll(() => readFile(`/proc/${Number(pid)}/stat`, 'utf8')).toContain(') Z ');
      await leaveLockOf(Number(pid));
      const service = await start();
      expect(await lockFiles()).toEqual([expect.stringContaining(`.${service.child.pid}.`)]);
      parent.kill();
    },
  );

  it.runIf(process.platform === 'linux')(
    'is taken over from a process that ends while the start waits',
    async () => {
      const dying = spawn('sleep', ['2']);
      await leaveLockOf(dying.pid!);
      const service = await start();
      expect(await lockFiles()).toEqual([expect.stringContaining(`.${service.child.pid}.`)]);
    },
  );

  it('is never had by two that start at the same moment', async () => {
    const starts = await Promise.allSettled([start(), start(), start()]);
    const refused = starts.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused.length).toBeGreaterThanOrEqual(2);
    for (const reason of refused) expect(reason).toContain('is in use by process');
    expect(await lockFiles()).toHaveLength(3 - refused.length);
  });

  it('holds a secret that only its owner can read', async () => {
    await start();
    const { mode, size } = await stat(join(storage.settings.DOKIMA_DATA_DIR, 'secret'));
    expect([(mode & 0o777).toString(8), size]).toEqual(['600', 64]);
  });
});

describe.runIf(engine === 'server')('a database of several processes', () => {
  beforeAll(async () => {
    storage = await createStorage('empty');
  });
  afterAll(() => storage.remove());

  it('is made once when they start on it together, and they take each other’s keys and cursors', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const keys = [one.key, two.key].filter((key) => key !== undefined);
    expect(keys).toHaveLength(1);
    const [key] = keys;
    for (const name of ['A', 'B']) {
      await callService({ url: one.url, key }, 'POST', '/projects', { name, description: '' });
    }
    const { nextCursor } = (await callService({ url: one.url, key }, 'GET', '/projects?limit=1')).body;
    const rest = await callService({ url: two.url, key }, 'GET', `/projects?limit=1&cursor=${nextCursor}`);
    expect(rest.body.data.map(({ name }: { name: string }) => name)).toEqual(['B']);

    const sql = postgres(storage.settings.DATABASE_URL!, { max: 1 });
    const [counts] = await sql`
      select (select count(*)::int from organization) as organizations, (select count(*)::int from api_key) as keys,
        (select count(*)::int from migration) as migrations`;
    const migrations = await readdir(new URL('../migrations/', import.meta.url));
    expect(counts).toEqual({ organizations: 1, keys: 1, migrations: migrations.length });
    await sql.end();
  });
});
