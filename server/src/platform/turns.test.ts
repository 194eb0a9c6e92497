import { expect, it } from 'vitest';
import { inTurn, limitTo, openLine } from './turns.ts';

it('owners take turns in a line, and the work of one keeps its order', async () => {
  const line = openLine<number>();
  const admitted: string[] = [];
  const waits = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) =>
    line.wait({ owner: name[0]! }).then(() => admitted.push(name)),
  );
  for (let i = 0; i < 6; i++) expect(line.admit(i)).toBe(true);
  expect(line.admit(6)).toBe(false);
  await Promise.all(waits);
  expect(admitted).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('who leaves the line takes no other’s place, and who was admitted cannot leave', async () => {
  const line = openLine<string>();
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [first, second].map(({ signal }) => line.wait({ owner: 'a', signal }));
  first.abort(new Error('left'));
  await expect(waits[0]).rejects.toThrow('left');
  expect([line.size(), line.admit('turn')]).toEqual([1, true]);
  second.abort();
  expect(await waits[1]).toBe('turn');
  await expect(line.wait({ owner: 'a', signal: first.signal })).rejects.toThrow('left');
  expect(line.size()).toBe(0);
});

it('a line that ends sends all away', async () => {
  const line = openLine<string>();
  const waits = ['a', 'b'].map((owner) => line.wait({ owner }));
  line.dismiss(new Error('closed'));
  for (const wait of waits) await expect(wait).rejects.toThrow('closed');
  expect(line.admit('turn')).toBe(false);
});

it('an owner has as much work under way as the limit allows; others have their own', async () => {
  const limited = limitTo(2, 'previews');
  const { promise, resolve } = Promise.withResolvers<string>();
  const underWay = [1, 2].map(() => limited('a', () => promise));
  await expect(limited('a', () => promise)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Too many previews. Try again in 5 s.',
  });
  expect(await limited('b', async () => 'done')).toBe('done');
  resolve('done');
  await Promise.all(underWay);
  await expect(limited('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await limited('a', async () => 'again')).toBe('again');
});

it('work in turn begins when the earlier work of its owner has ended; others do not wait', async () => {
  const turn = inTurn();
  const begun: string[] = [];
  const works = ['a1', 'a2', 'a3', 'b1'].map((name) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const left = new AbortController();
    const asker = { owner: name[0]!, signal: left.signal };
    const done = turn(asker, async () => {
      begun.push(name);
      await promise;
    });
    return { done, resolve, left };
  });
  const [a1, a2, a3, b1] = works as [
    (typeof works)[0],
    (typeof works)[0],
    (typeof works)[0],
    (typeof works)[0],
  ];
  expect(begun).toEqual(['a1', 'b1']);
  b1.resolve();
  await b1.done;
  a2.left.abort(new Error('left'));
  await expect(a2.done).rejects.toThrow('left');
  a1.resolve();
  await a1.done;
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a3']);
  a3.resolve();
  await a3.done;
  await turn({ owner: 'a' }, async () => begun.push('a4'));
  expect(begun.at(-1)).toBe('a4');
});
