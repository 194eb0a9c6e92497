import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * Makes the npm package `@dokima/client` and the wheel `dokima`. Usage: npm run pack:clients -- VERSION [DIRECTORY], by default
 * into dist/. Needs Python with pip. Prints the paths of both.
 */
const repository = fileURLToPath(new URL('..', import.meta.url));
const [version, directory = join(repository, 'dist')] = process.argv.slice(2);
if (version === undefined) throw new Error('npm run pack:clients -- VERSION [DIRECTORY]');
/** Where the sources are, as far as the machine knows it: registries show it beside a package. */
const home = env.GITHUB_REPOSITORY && `https://github.com/${env.GITHUB_REPOSITORY}`;

const inherit: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
await mkdir(directory, { recursive: true });

const packTypeScript = async (): Promise<string> => {
  const stage = join(directory, 'client');
  await rm(stage, { recursive: true, force: true });
  execFileSync('npm', ['run', 'build', '-w', 'client'], { cwd: repository, ...inherit });
  await cp(join(repository, 'client/dist'), join(stage, 'dist'), { recursive: true });
  await cp(join(repository, 'LICENSE'), join(stage, 'LICENSE'));
  await cp(join(repository, 'client/README.md'), join(stage, 'README.md'));
  const {
    private: _,
    scripts: __,
    ...manifest
  } = JSON.parse(await readFile(join(repository, 'client/package.json'), 'utf8'));
  const linked = home ? { homepage: home, repository: `git+${home}.git` } : {};
  await writeFile(join(stage, 'package.json'), JSON.stringify({ ...manifest, ...linked, version }, null, 2));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], { cwd: stage });
  return join(directory, packed.toString().trim());
};

const packPython = async (): Promise<string> => {
  const stage = join(directory, 'python');
  await rm(stage, { recursive: true, force: true });
  for (const path of ['src', 'README.md', 'LICENSE'])
    await cp(join(repository, 'python', path), join(stage, path), { recursive: true });
  const project = await readFile(join(repository, 'python/pyproject.toml'), 'utf8');
  const links = home
    ? `[project.urls]\nSource = "${home}"\nChangelog = "${home}/blob/main/CHANGELOG.md"\n\n`
    : '';
  const released = project
    .replace(/^version = .*$/m, `version = "${version}"`)
    .replace(/^\[project\.scripts\]/m, `${links}$&`);
  await writeFile(join(stage, 'pyproject.toml'), released);
  const python = env.DOKIMA_TEST_PYTHON ?? 'python3';
  execFileSync(
    python,
    ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', directory, stage],
    inherit,
  );
  return join(directory, `dokima-${version}-py3-none-any.whl`);
};

stdout.write(`${await packTypeScript()}\n${await packPython()}\n`);
