import { expect, it } from 'vitest';
import { mapConcurrently } from './concurrency.ts';

it('what is under way ends before a list that breaks off is told of', async () => {
  const happened: string[] = [];
  async function* items() {
    yield 'a';
    throw new Error('the list broke off');
  }
  const work = async (item: string) => {
    await new Promise(setImmediate);
    happened.push(item);
  };
  await mapConcurrently(items(), 4, work).catch(({ message }) => happened.push(message));
  expect(happened).toEqual(['a', 'the list broke off']);
});
