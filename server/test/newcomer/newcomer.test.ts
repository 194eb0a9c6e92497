import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Block, blocksOf, outputsOf, scriptOf, shows } from './blocks.ts';
import { faultsOf } from './requests.ts';
import { openWorld, python, type World } from './world.ts';

// A newcomer reads every page from top to bottom and runs each block as it is written.

const repository = new URL('../../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, repository), 'utf8');

const pages: string[] = ['README.md'];
for await (const page of glob(['docs/**/*.md', 'examples/*/README.md'], { cwd: repository }))
  if (!page.startsWith('docs/decisions/')) pages.push(page);
const blocks = (await Promise.all(pages.sort().map(async (page) => blocksOf(page, await read(page))))).flat();
const ofKind = (...kinds: Block['kind'][]) => blocks.filter(({ kind }) => kinds.includes(kind));
const placeOf = ({ page, line }: Block) => `${page}:${line}`;

it('counts the blocks: what is not meant to run is marked, with a reason', () => {
  const counts = Object.fromEntries(
    [...Map.groupBy(blocks, ({ kind }) => kind)].map(([kind, some]) => [kind, some.length]),
  );
  console.log(`Blocks of ${pages.length} pages: ${JSON.stringify(counts)}`);
  expect(ofKind('marked').filter(({ note }) => note.length < 8)).toEqual([]);
  // A block that needs another world names the test or the program that runs it, or what a reader must have. Most blocks do not.
  const isRunElsewhere = ({ note }: Block) => /\.test\.ts|examples\/emitters/.test(note);
  const left = ofKind('marked').filter((block) => !isRunElsewhere(block));
  expect(left.length).toBeLessThanOrEqual(ofKind('run', 'file').length);
  const named = ofKind('marked').flatMap(
    ({ note }) => /\S+\.test\.ts|examples\/emitters\/\S+/.exec(note)?.[0] ?? [],
  );
  expect(named.filter((path) => !existsSync(new URL(path, repository)))).toEqual([]);
});

it('every request is one of the API, with a body that it takes', async () => {
  const document = JSON.parse(await read('openapi.json'));
  const faults = ofKind('request').flatMap((block) =>
    faultsOf(block.text, document).map((fault) => `${placeOf(block)}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

it('every JSON and YAML can be read', () => {
  const faults = ofKind('value').flatMap((block) => {
    if (block.language === 'yaml')
      return parseAllDocuments(block.text).flatMap(({ errors }) => errors.map(String));
    try {
      JSON.parse(block.text);
      return [];
    } catch (error) {
      return [`${placeOf(block)}: ${error}`];
    }
  });
  expect(faults).toEqual([]);
});

const lacks = (packages: string[]): boolean => {
  const found = `import importlib.util, sys\nsys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))`;
  return spawnSync(python, ['-c', found, ...packages], { stdio: 'ignore' }).status !== 0;
};
/** Packages that the Python and Node programs of a page import and that are not there. `.ci/run` installs all of them. */
const missingOf = (some: Block[]): string[] => {
  const running = some.filter(({ kind }) => kind === 'run' || kind === 'file');
  const folder = new URL(some[0]!.page.replace(/[^/]*$/, ''), repository);
  const files = running
    .flatMap(({ text }) => text.match(/\b[\w/]+\.py\b/g) ?? [])
    .flatMap((name) => [new URL(name, folder), new URL(name, repository)])
    .filter((file) => existsSync(file));
  const texts = running.filter(({ language }) => language === 'python').map(({ text }) => text);
  const text = [...texts, ...files.map((file) => readFileSync(file, 'utf8'))].join('\n');
  const names = [...text.matchAll(/^(?:from|import) ([\w.]+)/gm)].map(([, name]) => name!);
  const own = names.filter((name) => !name.startsWith('dokima'));
  const wanted = names.length > own.length ? [...own, 'httpx'] : own;
  const needsNode = existsSync(new URL('package.json', folder)) && folder.href !== repository.href;
  return [
    ...(wanted.length > 0 && lacks(wanted) ? wanted.filter((name) => lacks([name])) : []),
    ...(needsNode && !existsSync(new URL('node_modules', folder)) ? ['npm packages'] : []),
  ];
};

describe('in a terminal', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.close());

  const running = [...Map.groupBy(ofKind('run', 'file', 'output', 'marked'), ({ page }) => page)].filter(
    ([, some]) => some.some(({ kind }) => kind === 'run'),
  );

  it.for(running)('%s runs as it is written', async ([, some], { skip }) => {
    const missing = missingOf(some);
    if (missing.length > 0) skip(`There is no ${missing.join(', ')}`);
    const { code, out, err } = await world.run(scriptOf(some));
    const printed = outputsOf(out);
    const last = some[Math.max(...printed.keys())];
    expect([code, last && placeOf(last), code === 0 ? '' : `${err}\n${out}`]).toEqual([
      0,
      expect.anything(),
      '',
    ]);
    for (const [n, block] of some.entries()) {
      if (block.kind !== 'output') continue;
      const before = some.findLastIndex(({ kind }, i) => i < n && kind === 'run');
      const said = printed.get(before) ?? '';
      expect([placeOf(block), shows(block.text, said) ? block.text : said]).toEqual([
        placeOf(block),
        block.text,
      ]);
    }
  });
});
