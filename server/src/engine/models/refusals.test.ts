import { expect, it } from 'vitest';
import type { ResolvedModel } from './provider.ts';
import { openRefusals } from './refusals.ts';

const clockAt = { ms: 0 };
const clock = { now: () => clockAt.ms, sleep: async () => {} };

const model = (apiKey: string, name = 'judge'): ResolvedModel => ({
  provider: { name: 'ours', kind: 'openai', apiKey, maxConcurrency: 1 },
  model: name,
});
const wrongKey = async () => ({
  state: 'failed',
  error: 'wrong key',
  retryable: false,
  refuses: true as const,
});
const scored = async () => ({ state: 'scored' });
const askedAfterAll = async (): Promise<never> => {
  throw new Error('was asked');
};

/** Five were refused. */
const stopped = async () => {
  clockAt.ms = 0;
  const refusals = openRefusals(clock);
  for (let i = 0; i < 5; i++) await refusals.run(1n, model('k'), wrongKey);
  return refusals;
};

it('after five refusals in a row nobody is asked, and the reason is the one that was given', async () => {
  const refusals = await stopped();
  expect(await refusals.run(1n, model('k'), askedAfterAll)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/^wrong key \(not asked this time/),
    retryable: false,
    unasked: true,
  });
});

it('another key, another model and another organization are asked at once', async () => {
  const refusals = await stopped();
  expect(await refusals.run(1n, model('next'), scored)).toEqual({ state: 'scored' });
  expect(await refusals.run(1n, model('k', 'other'), scored)).toEqual({ state: 'scored' });
  expect(await refusals.run(2n, model('k'), scored)).toEqual({ state: 'scored' });
});

it('an answer between them begins the count anew; other failures do not', async () => {
  const refusals = openRefusals(clock);
  const down = async () => ({ state: 'failed', error: 'down', retryable: true });
  for (let i = 0; i < 20; i++) {
    expect(await refusals.run(1n, model('k'), i % 5 === 4 ? scored : wrongKey)).not.toHaveProperty('unasked');
  }
  for (let i = 0; i < 9; i++) await refusals.run(1n, model('k'), i % 2 ? down : wrongKey);
  expect(await refusals.run(1n, model('k'), scored)).toHaveProperty('unasked');
});

it('ten seconds later one finds out for all, and the others wait for it', async () => {
  const refusals = await stopped();
  clockAt.ms = 10_000;
  const { promise, resolve } = Promise.withResolvers<{ state: string }>();
  const probe = refusals.run(1n, model('k'), () => promise);
  expect(await refusals.run(1n, model('k'), askedAfterAll)).toMatchObject({ unasked: true, retryable: true });
  resolve({ state: 'scored' });
  expect(await probe).toEqual({ state: 'scored' });
  expect(await refusals.run(1n, model('k'), scored)).toEqual({ state: 'scored' });
});

it('a probe that is refused as well leaves it so for ten more seconds; one that breaks, to the next', async () => {
  const refusals = await stopped();
  clockAt.ms = 10_000;
  await expect(refusals.run(1n, model('k'), askedAfterAll)).rejects.toThrow('was asked');
  expect(await refusals.run(1n, model('k'), wrongKey)).not.toHaveProperty('unasked');
  clockAt.ms = 19_999;
  expect(await refusals.run(1n, model('k'), scored)).toHaveProperty('unasked');
  clockAt.ms = 20_000;
  expect(await refusals.run(1n, model('k'), scored)).toEqual({ state: 'scored' });
});
