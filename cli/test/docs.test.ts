import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commands } from '../src/commands.ts';
import { exitMeanings } from '../src/errors.ts';

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
  for (const name of ['json', 'url', 'help']) known.add(name);
  const named = [...page.matchAll(/--([a-z][a-z-]+)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
