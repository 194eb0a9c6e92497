import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const assets = new URL('../dist/assets/', import.meta.url);

it('no built chunks import each other in a circle: one would run before what it needs', async () => {
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const imports = new Map(
    await Promise.all(
      names.map(async (name) => {
        const code = await readFile(new URL(name, assets), 'utf8');
        const found = [...code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, other]) => other!);
        return [name, found] as const;
      }),
    ),
  );
  expect([...imports.values()].flat().length).toBeGreaterThan(0);
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name].join(' > '));
    else if (!done.has(name)) for (const other of imports.get(name) ?? []) visit(other, [...path, name]);
    done.add(name);
  };
  for (const name of names) visit(name, []);
  expect(circles).toEqual([]);
});
