import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { createServerDatabase, engine } from '../harness.ts';
import { openOpenAiServer } from '../model-server.ts';
import { callService, endServices, startService } from '../service.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** DOKIMA_TEST_PYTHON names a Python with the packages of the pages. Default: python3. */
export const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';

/** A database that belongs to a role without any rights of a superuser, as the pages recommend. */
export const ownedDatabase = async () => {
  const { url, drop } = await createServerDatabase('empty');
  const owner = `newcomer_${randomUUID().replaceAll('-', '')}`;
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  await admin.unsafe(
    `create role ${owner} login; alter database ${new URL(url).pathname.slice(1)} owner to ${owner}`,
  );
  await admin.end();
  const owned = Object.assign(new URL(url), { username: owner }).href;
  return {
    url: owned,
    drop: async () => {
      await drop();
      const server = postgres(process.env.TEST_DATABASE_URL!, { max: 1, onnotice: () => {} });
      await server.unsafe(`drop role ${owner}`);
      await server.end();
    },
  };
};

/** Makes a clone of the repository below a directory, from links to its files. */
export const openClone = async (directory: string): Promise<string> => {
  const clone = await mkdtemp(join(directory, 'clone-'));
  await mkdir(join(clone, 'node_modules'));
  const names = (await readdir(repository)).filter((name) => !['node_modules', '.git'].includes(name));
  // A folder of links: what removes a package in the clone removes a link.
  names.push(...(await readdir(join(repository, 'node_modules'))).map((name) => join('node_modules', name)));
  await Promise.all(names.map((name) => symlink(join(repository, name), join(clone, name))));
  return clone;
};

/** What a script of a page printed, and how it ended. */
export type Ran = { code: number; out: string; err: string };
export type World = {
  url: string;
  /** Runs the script of a page in its own terminal, in a clone of the repository. */
  run: (script: string) => Promise<Ran>;
  close: () => Promise<void>;
};

/**
 * Starts what a reader has: a service with the demo project on their own database, a project, a key, and a model that a
 * provider serves. A shell knows them as DOKIMA_URL, DOKIMA_API_KEY (also KEY, as the first start prints it) and DOKIMA_PROJECT.
 */
export const openWorld = async (): Promise<World> => {
  const directory = await mkdtemp(join(tmpdir(), 'dokima-newcomer-'));
  const database = engine === 'server' ? await ownedDatabase() : undefined;
  const models = await openOpenAiServer();
  // A judge that errs: it takes every answer with a number for right.
  models.answer(({ messages: [prompt = ''] }) => {
    const answer = /Answer: <[^>]+>([^<]*)</.exec(prompt)?.[1] ?? '';
    return { reply: { reasoning: 'It names a number.', binaryScore: /\d/.test(answer) } };
  });
  const settings = {
    DOKIMA_DATA_DIR: join(directory, 'data'),
    DOKIMA_DEMO: 'on',
    DOKIMA_WORKERS: '1',
    OPENAI_API_KEY: 'sk-newcomer',
    OPENAI_BASE_URL: models.url,
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    ...(database && { DATABASE_URL: database.url }),
  };
  const service = await startService(settings);
  const { url, key = '' } = service;
  const bin = join(directory, 'bin');
  await mkdir(bin);
  // npx takes half a second to find what is installed. Other tests use the real one.
  await writeFile(join(bin, 'npx'), '#!/bin/sh\n[ "$1" = --no ] && shift\nexec "$@"\n');
  await writeFile(join(bin, 'python3'), `#!/bin/sh\nexec ${python} "$@"\n`);
  // Packages are there. A block that installs some is not marked yet.
  const refuse = 'echo "Mark this block: it installs packages." >&2; exit 1';
  await writeFile(join(bin, 'pip'), `#!/bin/sh\n${refuse}\n`);
  await writeFile(
    join(bin, 'npm'),
    `#!/bin/sh\ncase $1 in ci|install) ${refuse};; esac\nPATH="\${PATH#*:}" exec npm "$@"\n`,
  );
  await symlink('python3', join(bin, 'python'));
  for (const name of ['npx', 'npm', 'pip', 'python3']) await chmod(join(bin, name), 0o755);
  const tools = [bin, join(repository, 'node_modules/.bin'), dirname(process.execPath)];
  if (python.includes('/')) tools.push(dirname(python));

  // Someone who uses git has told it this.
  const settled = { 'user.name': 'Newcomer', 'user.email': 'new@example.org' };
  const git: Record<string, string> = { GIT_CONFIG_COUNT: String(Object.keys(settled).length) };
  for (const [i, [name, value]] of Object.entries(settled).entries()) {
    git[`GIT_CONFIG_KEY_${i}`] = name;
    git[`GIT_CONFIG_VALUE_${i}`] = value;
  }

  return {
    url,
    run: async (script) => {
      const clone = await openClone(directory);
      const { body } = await callService(service, 'POST', '/projects', { name: 'Mine', description: '' });
      const asWritten = script
        .replaceAll('http://localhost:3000', url)
        .replaceAll('localhost:3000', new URL(url).host)
        .replaceAll('ak_...', key);
      return await new Promise<Ran>((resolve) => {
        const child = execFile(
          'bash',
          ['-c', asWritten],
          {
            cwd: clone,
            timeout: 60_000,
            env: {
              ...settings,
              HOME: clone,
              PATH: [...tools, process.env.PATH].join(delimiter),
              PYTHONPATH: join(repository, 'python/src'),
              ...git,
              DOKIMA_URL: url,
              DOKIMA_API_KEY: key,
              KEY: key,
              DOKIMA_PROJECT: body.id,
            },
          },
          (error, out, err) => resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
        );
        // `dokima login` asks for the key.
        child.stdin?.on('error', () => {}).end(`${key}\n`);
      });
    },
    close: async () => {
      await endServices();
      await models.close();
      await database?.drop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
