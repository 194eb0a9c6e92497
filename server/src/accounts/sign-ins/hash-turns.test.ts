import { expect, it } from 'vitest';
import { hashInTurn } from './hash-turns.ts';

const asker = (owner: string, signal = new AbortController().signal) => ({ owner, signal });
const stays = asker('192.0.2.1');
/** A hash that ends when the test says so. */
const hash = () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: () => resolve('hash') };
};

it('runs two hashes at a time and eight wait; the next is refused with 429, and all others get their turn', async () => {
  let running = 0;
  let most = 0;
  const hashes = Array.from({ length: 10 }, hash);
  const turns = hashes.map(({ run }, i) =>
    hashInTurn(
      async () => {
        running++;
        most = Math.max(most, running);
        const made = await run();
        running--;
        return made;
      },
      asker(`192.0.2.${i}`),
    ),
  );
  await expect(hashInTurn(async () => 'hash', asker('192.0.2.99'))).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 5,
  });
  for (const { end } of hashes) end();
  expect(await Promise.all(turns)).toEqual(Array(10).fill('hash'));
  expect(most).toBe(2);
  expect(await hashInTurn(async () => 'free again', stays)).toBe('free again');
});

it('gives up the place of a client that has left, without a hash', async () => {
  const [first, second] = [hash(), hash()];
  const running = [first, second].map(({ run }) => hashInTurn(run, stays));
  const left = new AbortController();
  let hashed = false;
  const waiting = hashInTurn(
    async () => {
      hashed = true;
    },
    asker('192.0.2.1', left.signal),
  );
  left.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  await expect(hashInTurn(async () => 1, asker('192.0.2.1', left.signal))).rejects.toThrow('left');
  first.end();
  second.end();
  await Promise.all(running);
  expect(hashed).toBe(false);
});

it('a hash that fails passes its turn on', async () => {
  const failing = [1, 2, 3].map(() => hashInTurn(() => Promise.reject(new Error('broken')), stays));
  for (const turn of failing) await expect(turn).rejects.toThrow('broken');
  expect(await hashInTurn(async () => 1, stays)).toBe(1);
});

it('one address has four places at most, so others are not kept out', async () => {
  const hashes = Array.from({ length: 4 }, hash);
  const turns = hashes.map(({ run }) => hashInTurn(run, stays));
  await expect(hashInTurn(async () => 'hash', stays)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const other = hashInTurn(async () => 'another address', asker('192.0.2.2'));
  for (const { end } of hashes) end();
  await Promise.all(turns);
  expect(await other).toBe('another address');
  expect(await hashInTurn(async () => 'again', stays)).toBe('again');
});
