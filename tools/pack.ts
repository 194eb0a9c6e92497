import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPrograms } from '../server/build-programs.ts';
import { archiveDirectory } from '../server/src/platform/db/directory-archive.ts';
import { prepareEmbedded } from '../server/src/platform/db/prepare-embedded.ts';
import { preparedDirectory } from '../server/src/platform/db/prepared-directory.ts';

/**
 * Makes the npm package `dokima`, in which the service, its pages and the command line stand where they stand in the repository:
 * each `.ts` as a `.js` of the same lines. Usage: npm run pack [-- VERSION [DIRECTORY]], by default
 * into dist/. Prints the path of the tarball.
 */
const repository = fileURLToPath(new URL('..', import.meta.url));
const [version, directory = join(repository, 'dist')] = process.argv.slice(2);
const stage = join(directory, 'dokima');

type Manifest = {
  version: string;
  license: string;
  description: string;
  dependencies: Record<string, string>;
};
type Locked = {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

const readJson = async <T>(path: string): Promise<T> =>
  JSON.parse(await readFile(join(repository, path), 'utf8')) as T;

const files = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: repository, exclude: (path) => path.endsWith('.test.ts') }).filter((path) =>
    /\.\w+$/.test(path),
  );

const write = async (path: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(join(stage, path)), { recursive: true });
  await writeFile(join(stage, path), content);
};

/** Returns the JavaScript of a source. Types become blanks, so lines and columns in a stack trace are those of the source. */
const toJavaScript = (source: string): string => namingJavaScript(stripTypeScriptTypes(source));

const namingJavaScript = (code: string): string =>
  code.replaceAll(/(?<=['"])(\.{1,2}\/[^'"\s]*)\.ts(?=['"])/g, '$1.js');

const stageSources = async (): Promise<void> => {
  for (const path of files('{server,client,cli,jinja}/src/**')) {
    if (!path.endsWith('.ts')) await write(path, await readFile(join(repository, path)));
    else
      await write(path.replace(/\.ts$/, '.js'), toJavaScript(await readFile(join(repository, path), 'utf8')));
  }
};

/** What a start loads, in few files. Threads and the processes of the sandbox run the sources beside it. */
const stagePrograms = async (): Promise<void> => {
  // Always, because a change of the command line alone does not count as one of the service.
  await buildPrograms();
  for (const path of files('server/dist/*.js'))
    await write(path, namingJavaScript(await readFile(join(repository, path), 'utf8')));
};

/** Returns the part of the lockfile that these dependencies need, so that an installation has the versions that were tested. */
const lockedFor = async (manifest: Manifest & { name: string }) => {
  const { packages } = await readJson<{ packages: Record<string, Locked> }>('package-lock.json');
  const kept: Record<string, object> = { '': manifest };
  /** Adds a package as Node finds it from `directory`, and what it depends on. */
  const add = (name: string, directory: string): void => {
    const path = join(directory, 'node_modules', name);
    const locked = packages[path];
    if (!locked && directory) add(name, directory.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''));
    if (!locked || kept[path]) return;
    // With its address an installation asks the registry once for each package, not twice.
    const file = `${name.replace(/^@.+\//, '')}-${locked.version}.tgz`;
    kept[path] = { ...locked, resolved: `https://registry.npmjs.org/${name}/-/${file}` };
    const { dependencies, optionalDependencies, peerDependencies } = locked;
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      add(dependency, path);
  };
  for (const name of Object.keys(manifest.dependencies)) add(name, '');
  return {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: kept,
  };
};

/** An empty embedded database: making it takes 5 s of a first start. */
const stageDatabase = async (): Promise<void> => {
  await prepareEmbedded();
  await write('server/database.zst', archiveDirectory(preparedDirectory()));
};

const [server, cli] = await Promise.all([
  readJson<Manifest>('server/package.json'),
  readJson<Manifest>('cli/package.json'),
]);
const { GITHUB_REPOSITORY } = process.env;
const manifest = {
  name: 'dokima',
  version: version ?? server.version,
  type: 'module',
  license: server.license,
  author: 'Dokima contributors',
  description: 'Evaluation service for AI systems, with its web pages and its command line.',
  // npm compares it with the repository that a provenance names.
  ...(GITHUB_REPOSITORY && { repository: `git+https://github.com/${GITHUB_REPOSITORY}.git` }),
  ...(GITHUB_REPOSITORY && { homepage: `https://github.com/${GITHUB_REPOSITORY}` }),
  bin: { dokima: 'cli/bin/dokima.js' },
  engines: { node: '>=24' },
  dependencies: { ...server.dependencies, ...cli.dependencies },
};
if (!existsSync(join(repository, 'web/dist/index.html')))
  throw new Error('There are no pages: npm run build');
await rm(stage, { recursive: true, force: true });
await stageSources();
await stagePrograms();
const whole = [
  'server/start.js',
  'server/migrations/*',
  'web/dist/**',
  'cli/bin/*',
  'docs/*.md',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];
for (const path of globSync(whole, { cwd: repository }))
  await cp(join(repository, path), join(stage, path), { recursive: true });
await stageDatabase();
await write('package.json', JSON.stringify(manifest, null, 2));
await write('npm-shrinkwrap.json', JSON.stringify(await lockedFor(manifest), null, 2));
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
  cwd: stage,
}).toString();
process.stdout.write(`${join(directory, packed.trim())}\n`);
