import { expect, it } from 'vitest';
import { makeOnce } from './make-once.ts';

it('makes once for all callers, and again after a failure', async () => {
  let made = 0;
  const outcomes = [Promise.reject(new Error('too many open files')), Promise.resolve('docs')];
  const docs = makeOnce(() => outcomes[made++]!);
  expect(await Promise.allSettled([docs(), docs()])).toMatchObject([
    { reason: { message: 'too many open files' } },
    { reason: { message: 'too many open files' } },
  ]);
  expect(await Promise.all([docs(), docs()])).toEqual(['docs', 'docs']);
  expect(made).toBe(2);
});
