import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '../../server/test/certificate.ts';
import { commands } from '../src/commands.ts';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

const program = new URL('../bin/dokima.js', import.meta.url).pathname;
let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

describe('dokima', () => {
  it('lists every command with its summary, and the exit codes', async () => {
    const { code, out } = await terminal.dokima([]);
    expect(code).toBe(0);
    for (const { name, summary } of commands)
      expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
    expect(out).toMatch(/^ {2}2 +gate: not enough data/m);
  });

  it.each(commands.map(({ name }) => name))(
    '%s --help says what it does and names every option',
    async (name) => {
      const { code, out } = await terminal.dokima([...name.split(' '), '--help']);
      const { summary, options } = commands.find((command) => command.name === name)!;
      expect(code).toBe(0);
      expect(out).toContain(summary);
      for (const option of [...Object.keys(options ?? {}), 'url', 'json', 'help'])
        expect(out).toContain(`--${option}`);
    },
  );

  it.each([
    [['nope-nothing'], "There is no command 'nope-nothing'.\n  dokima --help"],
    [['comprae', '1', '2'], "There is no command 'comprae'. Did you mean 'compare'?"],
    [['run-list'], "Did you mean 'run list'?"],
    [['run', 'lst'], "There is no command 'run lst'. Did you mean 'run list'?"],
    [['metric', 'create', 'Right'], "Did you mean 'new metric'?"],
    [['testset', 'pul'], "Did you mean 'testset pull'?\n  Choose one of: testset list, testset pull"],
    [['gate', '1', '--polcy', 'x'], 'Did you mean --policy?'],
    [['testset'], 'Choose one of: testset list, testset pull, testset push, testset examine'],
    [['watch'], 'The id of the run is missing.\n  See dokima watch --help'],
    [['watch', '1', '2'], "Unexpected argument '2'."],
    [['watch', '1', '--fast'], "Unknown option '--fast'"],
    [['find', '-error'], "An argument that begins with - stands after --, as in dokima find -- '-word'"],
    [['run', '--testset', '1'], '--project is missing.'],
    [
      ['run', '-p', '1', '-t', '1', '--trials', '0'],
      "--trials must be a whole number of at least 1, not '0'.",
    ],
    [['watch', '999999'], "There is no run with the id '999999'"],
  ])('%j ends with 4 and says what to do', async (words, said) => {
    const { code, out, err } = await terminal.dokima(words);
    expect(code).toBe(4);
    expect(out).toBe('');
    expect(err).toContain(said);
  });

  it.each(['--version', '-v', 'version'])('%s says the version', async (word) => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await terminal.dokima([word])).toMatchObject({ code: 0, out: `dokima ${version}\n` });
  });

  it('lists projects, runs, testsets and metrics, as many as are asked for, and what to do where there is none', async () => {
    const { project, testset, metric } = await prepare(terminal.client, 2);
    for (let i = 0; i < 2; i++)
      await terminal.client.createRun(project.id, { testsetId: testset.id, metricIds: [metric.id] });
    const list = (...words: string[]) => terminal.dokima([...words, '-p', project.id]);
    expect((await terminal.dokima(['project', 'list'])).out).toMatch(
      new RegExp(`^${project.id} +Project`, 'm'),
    );
    expect((await list('run', 'list')).out.trim().split('\n')).toHaveLength(3);
    const one = await list('run', 'list', '--limit', '1');
    expect([one.out.trim().split('\n').length, one.err]).toEqual([2, 'There are more: --limit 10\n']);
    expect((await list('testset', 'list')).out).toContain('Doubles  ');
    expect((await list('metric', 'list')).out).toMatch(/Right +by code +boolean/);
    const { id } = await terminal.client.createProject({ name: 'Empty', description: '' });
    expect((await terminal.dokima(['metric', 'list', '-p', id])).out).toContain('dokima metric push --help');
  });

  it('runs as a program', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'doctor', '--json'], {
      env: terminal.environment,
    });
    expect(JSON.parse(stdout).checks).toHaveLength(4);
  });
});

describe('login', () => {
  it('saves address and key so that only the owner can read them, and other commands use them', async () => {
    const environment = { ...terminal.environment };
    const config = join(terminal.directory, '.config/dokima/config.json');
    const { code, out } = await terminal.dokima(['login', terminal.url], { stdin: `${terminal.key}\n` });
    expect([code, out]).toEqual([0, expect.stringContaining(`Saved in ${config}`)]);
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    delete terminal.environment.DOKIMA_URL;
    delete terminal.environment.DOKIMA_API_KEY;
    const { checks } = (await terminal.dokima(['doctor', '--json'])).json();
    expect(checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    // A slash at the end does not make another address.
    expect((await terminal.dokima(['doctor', '--url', `${terminal.url}/`])).code).toBe(0);
    // The saved key is not sent to another service.
    const elsewhere = await terminal.dokima(['watch', '1', '--url', 'http://localhost:1']);
    expect(elsewhere.err).toContain('There is no API key for http://localhost:1.');
    Object.assign(terminal.environment, environment);
  });

  it.each([
    ['nonsense', 'keys begin with ak_'],
    [`ak_${'0'.repeat(30)}`, 'invalid or missing'],
  ])('refuses the key %s and saves nothing', async (key, said) => {
    const { code, err } = await terminal.dokima(['login', terminal.url], { stdin: `${key}\n` });
    expect([code, err]).toEqual([4, expect.stringContaining(said)]);
  });
});

describe('addresses and arguments', () => {
  it.each<[string[], string]>([
    [['doctor', '--url', 'nonsense'], "'nonsense' is not the address of a service"],
    [['summary', '1', '--url', 'ftp://localhost'], "'ftp://localhost' is not the address of a service"],
    [['login', 'localhost:3000'], "'localhost:3000' is not the address of a service"],
    [['doctor', 'more'], "Unexpected argument 'more'"],
    [['login', 'http://localhost:1', 'more'], "Unexpected argument 'more'"],
  ])('%j ends with 4: %s', async (words, said) => {
    const { code, err } = await terminal.dokima(words);
    expect([code, err]).toEqual([4, expect.stringContaining(said)]);
  });

  it('dokima help COMMAND prints the help of the command', async () => {
    const [asked, option] = [
      await terminal.dokima(['help', 'testset', 'push']),
      ['testset', 'push', '--help'],
    ];
    expect(asked).toMatchObject({ code: 0, out: (await terminal.dokima(option)).out });
  });
});

describe('doctor', () => {
  it('ends with 0 if every check passes', async () => {
    const { code, out } = await terminal.dokima(['doctor']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^ok +service: /m)]);
    expect(out).not.toMatch(/^NO/m);
  });

  it('says what to do about a certificate that an unknown authority signed', async () => {
    const server = createServer(certificate, (_request, response) => response.end('{}'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const { code, out } = await terminal.dokima(['doctor', '--url', url]);
    expect(code).toBe(4);
    expect(out).toContain(
      `NO  service: ${url} has a certificate that is refused (DEPTH_ZERO_SELF_SIGNED_CERT)\n     The certificate is signed by an authority`,
    );
    expect(out).toContain('NODE_EXTRA_CA_CERTS');
    const listed = await terminal.dokima(['watch', '1', '--url', url]);
    expect([listed.code, listed.err]).toEqual([4, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
    const file = join(await mkdtemp(join(tmpdir(), 'dokima-ca-')), 'authority.pem');
    await writeFile(file, certificate.cert);
    const trusting = spawn(process.execPath, [program, 'doctor', '--json', '--url', url], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_EXTRA_CA_CERTS: file },
    });
    const said: Buffer[] = [];
    for await (const part of trusting.stdout) said.push(part);
    const { checks } = JSON.parse(Buffer.concat(said).toString());
    expect(checks.find(({ name }: { name: string }) => name === 'service')).toMatchObject({ ok: true });
    await new Promise((done) => server.close(done).closeAllConnections());
  });

  it('says which check fails and what to do', async () => {
    const { code, out } = await terminal.dokima(['doctor', '--url', 'http://127.0.0.1:9']);
    expect(code).toBe(4);
    expect(out).toContain('NO  service: nothing answers at http://127.0.0.1:9\n     Start the service');
    terminal.environment.DOKIMA_API_KEY = 'ak_wrong';
    expect((await terminal.dokima(['doctor'])).out).toContain('NO  key: The authentication token is invalid');
    terminal.environment.DOKIMA_API_KEY = terminal.key;
  });
});

const run = promisify(execFile);
const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;

describe('skill', () => {
  it.each([
    ['claude', '.claude/skills/dokima/SKILL.md'],
    ['codex', '.agents/skills/dokima/SKILL.md'],
    ['opencode', '.opencode/skills/dokima/SKILL.md'],
  ])('is written where %s looks for it', async (agent, path) => {
    const printed = await terminal.dokima(['skill']);
    expect(printed.out).toMatch(/^---\nname: dokima\ndescription: .{50,1024}\n---\n/);
    for (const recipe of ['Set up', 'Add a judge', 'Read failures', 'Decide'])
      expect(printed.out).toContain(`\n## ${recipe}\n`);
    expect((await terminal.dokima(['skill', agent])).code).toBe(0);
    expect(await readFile(join(terminal.directory, path), 'utf8')).toBe(printed.out);
  });

  it('names the agents that it knows', async () => {
    expect(await terminal.dokima(['skill', 'emacs'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('There is no agent emacs. Known are: claude, codex, opencode.'),
    });
  });
});

describe('completion', () => {
  const scriptFor = async (shell: string) => (await terminal.dokima(['completion', shell])).out;

  it('for bash offers commands, their second words and their options', async () => {
    const script = await scriptFor('bash');
    const offered = async (...words: string[]) => {
      const line = `${script}\nCOMP_WORDS=(dokima ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
        _dokima; echo "\${COMPREPLY[@]}"`;
      return (await run('bash', ['-c', line])).stdout.trim().split(' ');
    };
    expect(await offered('do')).toEqual(['doctor']);
    expect(await offered('testset', 'pu')).toEqual(['pull', 'push']);
    expect(await offered('testset', 'push', '--d')).toEqual(['--delete', '--dry-run']);
    expect(await offered('run', '-p', '1', '--tr')).toEqual(['--trials']);
  });

  it.skipIf(!isInstalled('zsh'))('for zsh completes words at its prompt', async () => {
    const file = join(terminal.directory, 'completion.zsh');
    await writeFile(file, await scriptFor('zsh'));
    // zsh runs in its own terminal, without the user's settings. The command prints its arguments.
    const typed = async (keys: string) => {
      const line = `zmodload zsh/zpty; zpty shell zsh -f -i
        zpty -w shell 'PS1=; source ${file}; dokima() { print -r -- "GIVEN <$*>" }; print READY$((1 + 1))'
        zpty -r shell before '*READY2*'
        zpty -n -w shell $'dokima ${keys}\n'; zpty -r shell after '*GIVEN <*>*'; print -r -- $after`;
      const { stdout } = await run('zsh', ['-fc', line], {
        env: { ...process.env, HOME: terminal.directory, TERM: 'dumb' },
        timeout: 50_000,
      });
      return /GIVEN <(.*?)>/.exec(stdout)?.[1];
    };
    expect(await typed('doc\\t')).toBe('doctor');
    expect(await typed('testset pus\\t --dr\\t')).toBe('testset push --dry-run');
    expect(await typed('run -p 1 --tri\\t')).toBe('run -p 1 --trials');
  });

  it.skipIf(!isInstalled('fish'))(
    'for fish offers commands, their second words and their options',
    async () => {
      const file = join(terminal.directory, 'completion.fish');
      await writeFile(file, await scriptFor('fish'));
      const offered = async (line: string) => {
        const { stdout } = await run('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`], {
          cwd: terminal.directory,
        });
        return stdout.trimEnd().split('\n');
      };
      expect(await offered('dokima doc')).toEqual([
        'doctor\tCheck Node, the configuration, the service and the key, and say how to fix what is wrong.',
      ]);
      expect((await offered('dokima testset pu')).map((one) => one.split('\t')[0])).toEqual(['pull', 'push']);
      expect(await offered('dokima testset push --dry')).toEqual([expect.stringMatching(/^--dry-run\t/)]);
    },
  );
});
