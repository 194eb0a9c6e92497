import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../src/commands.ts';
import { exitMeanings } from '../src/errors.ts';
import { fixture } from './importing.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const page = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');

it('docs/cli.md has a section for each command, and for no other', () => {
  const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(sections.toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

it('docs/cli.md names every exit code', () => {
  const codes = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(exitMeanings.map(([code]) => code));
});

it('docs/cli.md names only options that exist', () => {
  const known = new Set(commands.flatMap(({ options }) => Object.keys(options ?? {})));
  // `npx --no` is npx's own.
  for (const name of ['json', 'url', 'help', 'version', 'no']) known.add(name);
  const named = [...page.matchAll(/--([a-z][a-z-]+)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('no example in the help of a command works in project 1, which is the demo', () => {
  const examples = commands.flatMap((command) => command.examples ?? []);
  expect(examples.length).toBeGreaterThan(20);
  expect(examples.filter((line) => /(-p|--project) 1\b/.test(line))).toEqual([]);
});

/** The lines of a page that call the command line, as words. */
const linesOf = (text: string): { project: boolean; words: string[] }[] =>
  [...text.matchAll(/^(export DOKIMA_PROJECT=\$\()?npx --no dokima (.*?)\)?(?: +#.*)?$/gm)].map(
    ([, project, line]) => ({
      project: project !== undefined,
      words: [...line!.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!),
    }),
  );

describe('the lines of docs/coming-from', () => {
  let terminal: Terminal;

  beforeAll(async () => {
    terminal = await openTerminal();
    const files = {
      harbor: 'jobs/2026-10-16__14-29-58',
      'harbor/hello-world__Ab1/agent/trajectory.json': 'trajectory.json',
      'inspect.eval': 'logs/2026-11-21T08-23-29_ctf_e1.eval',
      'lm-eval': 'out',
      'lm-eval/org__tiny-model': 'out/org__model',
      'openai-hosted.jsonl': 'evals.jsonl',
    };
    for (const [from, to] of Object.entries(files))
      await cp(fixture(from), join(terminal.directory, to), { recursive: true });
  });
  afterAll(() => terminal.close());

  it.each(['atif', 'inspect', 'lm-evaluation-harness', 'openai-evals'])(
    '%s.md make a project and import into it',
    async (name) => {
      const text = await readFile(new URL(`../../docs/coming-from/${name}.md`, import.meta.url), 'utf8');
      const lines = linesOf(text);
      expect(lines.map(({ project }) => project)).toEqual([true, ...lines.slice(1).map(() => false)]);
      for (const { project, words } of lines) {
        const said = await terminal.dokima(words);
        expect([said.code, words]).toEqual([0, words]);
        if (project) terminal.environment.DOKIMA_PROJECT = said.out.trim();
      }
      let runs = 0;
      for await (const _ of terminal.client.listRuns(terminal.environment.DOKIMA_PROJECT!)) runs++;
      expect(runs).toBeGreaterThan(0);
    },
  );
});

it('project create prints the id alone, or the project as JSON', async () => {
  const terminal = await openTerminal();
  const said = await terminal.dokima(['project', 'create', 'Mine']);
  expect([said.code, said.err, said.out]).toEqual([0, '', expect.stringMatching(/^\d+\n$/)]);
  const json = await terminal.dokima(['project', 'create', 'Mine', '--description', 'Second.', '--json']);
  expect(json.json()).toMatchObject({ id: expect.any(String), name: 'Mine', description: 'Second.' });
  expect((await terminal.dokima(['project', 'create'])).code).toBe(4);
  await terminal.close();
});
