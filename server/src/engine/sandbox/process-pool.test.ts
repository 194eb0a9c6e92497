import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { ProcessPool } from './process-pool.ts';

const limitMs = 500;

/** A process whose answers take this script; `neverWaits` is what the program says of itself. */
const poolOf = async (script: string, neverWaits: boolean, size = 1) => {
  const directory = await mkdtemp(join(tmpdir(), 'process-pool-'));
  const path = join(directory, 'process.ts');
  const serve = new URL('./serve.ts', import.meta.url).href;
  await writeFile(
    path,
    `import { serveRequests } from ${JSON.stringify(serve)};
     await serveRequests(([given]) => { ${script}; return JSON.stringify(given); });`,
  );
  const pool = new ProcessPool(
    {
      script: pathToFileURL(path),
      readable: [directory, fileURLToPath(new URL('.', import.meta.url))],
      memoryBytes: 0,
      heapMb: 64,
      longestAnswer: 1_000,
      ...(neverWaits && { neverWaits: true }),
    },
    size,
  );
  onTestFinished(async () => {
    await pool.close();
    await rm(directory, { recursive: true });
  });
  return { ask: (request: string[], by = asker) => pool.ask(request, limitMs, by) };
};

/** What a process does that another keeps from the processor, as far as anyone can see: nothing, for twice its limit. */
const kept = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${2 * limitMs})`;

// Only Linux says how long a process has had a processor.
it.runIf(process.platform === 'linux')(
  'an answer is not late while the machine is busy with others',
  async () => {
    const { ask } = await poolOf(kept, true);
    expect(await ask(['a'])).toEqual({ answer: '"a"' });
  },
);

it('of a program that may wait it is, whatever the machine does', async () => {
  const { ask } = await poolOf(kept, false);
  expect(await ask(['a'])).toEqual({ killed: 'took too long' });
});

it('an endless loop is ended, and the next is answered by another process', async () => {
  const { ask } = await poolOf(`while (given === 'loop') {}`, true);
  expect(await ask(['loop'])).toEqual({ killed: 'took too long' });
  expect(await ask(['b'])).toEqual({ answer: '"b"' });
});

it('what never works and never answers is ended as well', async () => {
  const { ask } = await poolOf(`Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`, true);
  expect(await ask(['a'])).toEqual({ killed: 'took too long' });
});

it('a caller that gives up after a failed start takes no other caller’s place in the queue', async () => {
  const pool = new ProcessPool(
    {
      script: new URL('./there-is-no-such-program.ts', import.meta.url),
      readable: [],
      memoryBytes: 0,
      heapMb: 64,
      longestAnswer: 1_000,
    },
    1,
  );
  onTestFinished(() => pool.close());
  const first = new AbortController();
  await expect(pool.take({ ...asker, signal: first.signal })).rejects.toThrow();
  const second = pool.take(asker);
  first.abort();
  await expect(second).rejects.toThrow();
});

it('endless work that an owner does one at a time leaves a process for others', async () => {
  const { ask } = await poolOf(`while (given === 'loop') {}`, true, 2);
  await Promise.all([ask(['a']), ask(['b'])]);
  let numEnded = 0;
  const loops = [1, 2, 3].map(() =>
    ask(['loop'], { owner: 'endless', oneAtATime: true }).finally(() => numEnded++),
  );
  await new Promise(setImmediate);
  expect([await ask(['c'], { owner: 'other' }), numEnded]).toEqual([{ answer: '"c"' }, 0]);
  expect(await Promise.all(loops)).toEqual(loops.map(() => ({ killed: 'took too long' })));
});
