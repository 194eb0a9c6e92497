import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openBudget } from './byte-budget.ts';

/** Takes parts of a budget by name; `inside` has those that were given. */
const takers = (maxBytes: number, longestMs = 10 ** 9) => {
  const { take } = openBudget(maxBytes, { longestMs });
  const inside = new Map<string, () => void>();
  const start = (name: string, bytes: number, signal?: AbortSignal) =>
    take({ owner: name[0]!, bytes, signal }).then(({ release }) => void inside.set(name, release));
  const end = async (name: string) => {
    inside.get(name)!();
    inside.delete(name);
    await turn();
  };
  return { start, end, names: () => [...inside.keys()] };
};

it('holds at most its bytes, and of one owner at most half of them', async () => {
  const { start, end, names } = takers(100);
  for (const [name, bytes] of [
    ['a1', 40],
    ['a2', 40],
    ['b1', 40],
    ['c1', 40],
    ['c2', 20],
  ] as const)
    void start(name, bytes);
  await turn();
  expect(names()).toEqual(['a1', 'b1', 'c2']);
  await end('a1');
  expect(names()).toEqual(['b1', 'c2', 'a2']);
  await end('b1');
  expect(names()).toEqual(['c2', 'a2']);
  await end('c2');
  expect(names()).toEqual(['a2', 'c1']);
});

it('gives one that is larger than all of it everything, alone', async () => {
  const { start, end, names } = takers(100);
  void start('a1', 10);
  void start('b1', 1_000);
  await turn();
  expect(names()).toEqual(['a1']);
  await end('a1');
  expect(names()).toEqual(['b1']);
  void start('a2', 10);
  await turn();
  expect(names()).toEqual(['b1']);
});

it('refuses after its time with Retry-After, and drops one whose caller leaves', async () => {
  const { start, end, names } = takers(100, 20);
  await start('a1', 100);
  await expect(start('b1', 10)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
  const caller = new AbortController();
  const left = start('b2', 10, caller.signal);
  caller.abort();
  await expect(left).rejects.toMatchObject({ status: 503 });
  await end('a1');
  expect(names()).toEqual([]);
});

it('a part that is given back twice is given back once', async () => {
  const { take } = openBudget(100, { longestMs: 20 });
  const { release } = await take({ owner: 'a', bytes: 60 });
  release();
  release();
  await take({ owner: 'b', bytes: 60 });
  await expect(take({ owner: 'c', bytes: 60 })).rejects.toMatchObject({ status: 503 });
});

it('a part grows to half of the budget, shrinks, and is given back whole', async () => {
  const { begin, take } = openBudget(100, { longestMs: 20 });
  const held = begin({ owner: 'a' });
  held.resize(30);
  held.resize(50);
  expect(() => held.resize(51)).toThrow(expect.objectContaining({ status: 503, retryAfterSeconds: 1 }));
  const other = await take({ owner: 'b', bytes: 50 });
  held.resize(40);
  const third = begin({ owner: 'c' });
  third.resize(10);
  expect(() => third.resize(11)).toThrow(expect.objectContaining({ status: 503 }));
  for (const { release } of [held, other, third]) release();
  await take({ owner: 'd', bytes: 100 });
});

it('a transfer of more than a minute is cut off when another waits or is refused, and only then', async () => {
  let now = 0;
  const cut: string[] = [];
  const { begin, take } = openBudget(100, { longestMs: 20, now: () => now });
  await take({ owner: 'a', bytes: 50, cut: () => cut.push('a') });
  const b = await take({ owner: 'b', bytes: 50, cut: () => cut.push('b') });
  const refused = () => expect(take({ owner: 'c', bytes: 10 })).rejects.toMatchObject({ status: 503 });
  now = 60_000;
  await refused();
  expect(cut).toEqual([]);
  now = 60_001;
  b.restart();
  await refused();
  expect(cut).toEqual(['a']);
  now = 200_000;
  expect(() => begin({ owner: 'c' }).resize(1)).toThrow();
  expect(cut).toEqual(['a', 'a', 'b']);
});

it('collects garbage after large parts, before their memory is given to others', async () => {
  const mega = 1024 * 1024;
  const done: string[] = [];
  const { take } = openBudget(64 * mega, { collect: () => done.push('collected') });
  const small = await take({ owner: 'a', bytes: 4 * mega });
  small.release();
  const large = await take({ owner: 'a', bytes: 40 * mega });
  const other = take({ owner: 'b', bytes: 30 * mega }).then(() => done.push('given'));
  large.release();
  await other;
  expect(done).toEqual(['collected', 'given']);
});
