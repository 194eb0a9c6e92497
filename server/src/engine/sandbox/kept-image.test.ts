import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptImage } from './kept-image.ts';
import { python } from './programs.ts';

const { signal } = new AbortController();
const make = async (name: string) => {
  const directory = join(root, name);
  await mkdir(directory);
  const script = join(directory, 'image.mjs');
  // As with Pyodide, no two are the same.
  await writeFile(
    script,
    "import { randomBytes } from 'node:crypto'; process.stdout.write(randomBytes(5000));",
  );
  return { ...python(256 * 1024 * 1024), imageScript: pathToFileURL(script), readable: [directory] };
};

let root: string;
let images: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'dokima-image-')));
  images = join(root, 'images');
});
afterAll(() => rm(root, { recursive: true }));

describe('the image of a program', () => {
  it('is made once, and then read from a file', async () => {
    const program = await make('once');
    const image = await keptImage(program, signal, images);
    expect(image).toHaveLength(5000);
    expect(await keptImage(program, signal, images)).toEqual(image);
    expect(await readdir(images)).toHaveLength(1);
  });

  it('is rebuilt when its sources have changed', async () => {
    const program = await make('changed');
    const before = await keptImage(program, signal, images);
    await writeFile(program.imageScript, "process.stdout.write('another');");
    expect(String(await keptImage(program, signal, images))).toBe('another');
    expect(before).toHaveLength(5000);
  });

  it('is rebuilt when the file is not as it was written', async () => {
    const program = await make('broken');
    const directory = join(root, 'broken images');
    let last = await keptImage(program, signal, directory);
    const [name] = await readdir(directory);
    const file = join(directory, name!);
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    flipped[flipped.length >> 1]! ^= 1;
    for (const wrong of [flipped, whole.subarray(0, 1000), Buffer.alloc(0)]) {
      await writeFile(file, wrong);
      const image = await keptImage(program, signal, directory);
      expect(image).toHaveLength(5000);
      expect(image.equals(last)).toBe(false);
      last = image;
    }
    expect(await keptImage(program, signal, directory)).toEqual(last);
  });

  it('is made even if it can’t be kept', async () => {
    const occupied = join(root, 'a file');
    await writeFile(occupied, '');
    expect(await keptImage(await make('unkept'), signal, occupied)).toHaveLength(5000);
  });
});
