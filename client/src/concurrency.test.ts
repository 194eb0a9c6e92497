import { expect, it } from 'vitest';
import { mapConcurrently } from './concurrency.ts';

it('waits for running work before it throws the error of the list', async () => {
  const happened: string[] = [];
  async function* items() {
    yield 'a';
    throw new Error('the list failed');
  }
  const work = async (item: string) => {
    await new Promise(setImmediate);
    happened.push(item);
  };
  await mapConcurrently(items(), 4, work).catch(({ message }) => happened.push(message));
  expect(happened).toEqual(['a', 'the list failed']);
});
