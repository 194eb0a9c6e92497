import { expect, it } from 'vitest';
import { readSetup, setupHash } from './bench.ts';
import { newVariant } from './variant.ts';

it('a setup is the same after its way through an address; one that was cut or made up is none', () => {
  const first = newVariant('a');
  const bench = {
    variants: [
      {
        ...first,
        draft: {
          ...first.draft!,
          modelName: 'm',
          messages: [{ role: 'user' as const, content: 'Grüße 日本 {{ q }} 🎉' }],
        },
      },
      { key: 'b', versionId: '01', systemName: 'Endpoint', versionName: '2' },
    ],
    testsetId: '3',
    n: '10',
    typed: { q: 'x' },
    metricIds: ['1'],
    budget: '',
  };
  const hash = setupHash(bench);
  expect(hash).toMatch(/^#setup=[\w-]+$/);
  expect(readSetup(hash)).toEqual(bench);
  const madeUp = (setup: object) => readSetup(setupHash(setup as never));
  expect(readSetup('')).toBeUndefined();
  expect(readSetup(hash.slice(0, -9))).toBeUndefined();
  expect(madeUp({ ...bench, variants: [] })).toBeUndefined();
  expect(madeUp({ variants: [{ key: 'a' }] })).toBeUndefined();
  expect(madeUp({ ...bench, variants: [{ key: 'a', draft: { messages: 'no' } }] })).toBeUndefined();
  expect(madeUp({ ...bench, typed: { q: {} } })).toBeUndefined();
});
