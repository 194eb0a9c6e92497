import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));

type Import = { from: string; to: string };

/** The relative imports of the sources under `directory`, as paths from there; tests are left out. */
const importsOf = async (directory: string): Promise<Import[]> => {
  const root = join(repository, directory);
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => /\.(ts|tsx|js)$/.test(file) && !file.includes('.test.'),
  );
  return files.flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    const specifiers = text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)|^import '(\.[^']+)'/gm);
    return [...specifiers].map(([, a, b, c]) => ({
      from,
      to: relative(root, join(root, dirname(from), (a ?? b ?? c)!)),
    }));
  });
};

/** One circle of `edges` as the names on it, or undefined. */
const circleOf = (edges: Import[]): string[] | undefined => {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (from !== to) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const walk = (name: string, path: string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of targets.get(name) ?? []) {
      const circle = walk(next, [...path, name]);
      if (circle) return circle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of targets.keys()) {
    const circle = walk(name, []);
    if (circle) return circle;
  }
  return undefined;
};

/** A file's room: the folder of two levels that it is in, or itself where it lies higher. */
const roomOf = (path: string): string => {
  const parts = path.split('/');
  return parts.length > 2 ? parts.slice(0, 2).join('/') : path;
};

describe('server/src', async () => {
  const imports = await importsOf('server/src');
  /** From the bottom. What lies beside these folders is above them all. */
  const layers = [
    'platform',
    'engine',
    'accounts',
    'evaluation',
    'traces',
    'scoring',
    'reviews',
    'insights',
    'signals',
    'archive',
    'agents',
  ];
  const floorOf = (path: string): number => {
    // Numbers as they are written, and texts without files: what imports nothing.
    if (
      /^\.\.\/\.\.\/client\/src\/(written-number|without-base64|criteria|labels|score-value|gate\/grade|passport\/passport)\.ts$/.test(
        path,
      )
    )
      return layers.indexOf('platform');
    // A package that imports nothing: the client renders prompts with it too.
    if (path.startsWith('../../jinja/src/')) return layers.indexOf('engine');
    // Agents ask through the API's client, as anyone outside does.
    if (path.startsWith('../../client/')) return layers.indexOf('agents');
    const floor = layers.indexOf(path.split('/')[0]!);
    return floor < 0 ? layers.length : floor;
  };

  it('a layer imports only from the layers below it', () => {
    expect(imports.length).toBeGreaterThan(900);
    expect(imports.filter(({ from, to }) => floorOf(to) > floorOf(from))).toEqual([]);
  });

  it('the engine knows nothing of HTTP and of the database', () => {
    const isForbidden = ({ from, to }: Import) =>
      from.startsWith('engine/') && /^platform\/(http|db)\//.test(to);
    expect(imports.filter(isForbidden)).toEqual([]);
  });

  it('no rooms import each other in a circle', () => {
    expect(circleOf(imports.map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) })))).toBeUndefined();
  });
});

describe.each(['server/src', 'web/src', 'cli/src', 'client/src', 'jinja/src'])('%s', async (directory) => {
  const imports = await importsOf(directory);

  it('no files import each other in a circle', () => {
    expect(imports.length).toBeGreaterThan(0);
    expect(circleOf(imports)).toBeUndefined();
  });
});

describe('web/src', async () => {
  const imports = await importsOf('web/src');
  /** From the bottom. Between `ui` and the resources lie the files that speak to the service and build links. */
  const layers = ['ui', 'service', 'resources', 'pages', 'shell', 'site'];
  const service = [
    'api',
    'as-read',
    'connection',
    'fields',
    'links',
    'live',
    'managed-table',
    'optimistic',
    'paths',
    'types',
  ];
  const site = ['main.tsx', 'routes.tsx'];
  const layerOf = (path: string): string => {
    const [first = ''] = path.split('/');
    if (site.includes(path)) return 'site';
    return service.includes(first.replace(/\.tsx?$/, '')) ? 'service' : first;
  };
  const inside = imports.filter(({ to }) => !to.startsWith('..'));

  it('a layer imports only from the layers below it', () => {
    expect(inside.length).toBeGreaterThan(1_000);
    expect(new Set(inside.map(({ from }) => layerOf(from)))).toEqual(new Set(layers));
    const floorOf = (path: string) => layers.indexOf(layerOf(path));
    expect(inside.filter(({ from, to }) => floorOf(to) > floorOf(from))).toEqual([]);
  });

  it('a folder of pages imports no other folder of pages', () => {
    const pagesOf = (path: string) => (path.startsWith('pages/') ? roomOf(path) : undefined);
    const isForbidden = ({ from, to }: Import) => {
      const [own, other] = [pagesOf(from), pagesOf(to)];
      return own !== undefined && other !== undefined && own !== other;
    };
    expect(inside.filter(isForbidden)).toEqual([]);
  });

  it('no folders import each other in a circle', () => {
    expect(circleOf(inside.map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) })))).toBeUndefined();
  });

  it('ui knows no route, no request and no resource', () => {
    // Numbers that keep their digits are values like others.
    const isAllowed = ({ to }: Import) => to.startsWith('ui/') || to === '../../client/src/written-number.ts';
    expect(imports.filter((each) => each.from.startsWith('ui/') && !isAllowed(each))).toEqual([]);
  });
});

it('the command line reaches the service through the client alone', async () => {
  const outside = (await importsOf('cli/src')).filter(({ to }) => to.startsWith('..'));
  expect(outside.filter(({ to }) => !to.startsWith('../../client/src/'))).toEqual([]);
});
