import { describe, expect, it } from 'vitest';
import { acceptPrices } from './price-change.ts';
import type { Price, PriceTable } from './provider.ts';

const price = (input: number, more: Partial<Price> = {}): Price => ({ input, output: input * 4, ...more });
const table = (count: number, prices: Partial<PriceTable> = {}): PriceTable => ({
  ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`openai/m${i}`, price(i + 1)])),
  ...(prices as PriceTable),
});
const list = (models: PriceTable) => ({ date: '2026-11-27', models });
const inUse = table(20);

describe('a list of prices that was read', () => {
  it('is taken with new models, other prices and lost models', () => {
    const newer = table(15, { 'openai/m0': price(9.9), 'openai/new': price(2) });
    expect(acceptPrices(list(newer), inUse, inUse)).toEqual({ prices: list(newer), refused: [] });
  });

  it.each<[string, Price, string]>([
    ['rises', price(11), 'input changed from 1 to 11, by more than 10 times'],
    ['falls', price(0.09), 'input changed from 1 to 0.09, by more than 10 times'],
    ['falls to nothing', price(0), 'input changed from 1 to 0, by more than 10 times'],
    ['of outputs rises', { input: 1, output: 41 }, 'output changed from 4 to 41, by more than 10 times'],
    [
      'of cached tokens rises',
      price(1, { cachedInput: 1.1 }),
      'cachedInput changed from 0.1 to 1.1, by more than 10 times',
    ],
  ])('keeps the price before of a model whose price %s absurdly', (_, after, reason) => {
    const before = { ...inUse, 'openai/m0': price(1, { cachedInput: 0.1 }) };
    const newer = { ...before, 'openai/m0': after, 'openai/m1': price(3) };
    expect(acceptPrices(list(newer), before, before)).toEqual({
      prices: list({ ...newer, 'openai/m0': before['openai/m0'] }),
      refused: [{ modelName: 'openai/m0', reason }],
    });
  });

  it.each<[string, number, number]>([
    ['ten times as much', 0.3, 3],
    ['a tenth', 3, 0.3],
    ['something where it was free', 0, 5],
  ])('takes a price that is %s', (_, before, after) => {
    const newer = { 'openai/m0': price(after) };
    expect(acceptPrices(list(newer), { 'openai/m0': price(before) })).toMatchObject({ refused: [] });
  });

  it('is taken without a new model whose unit must be wrong', () => {
    const newer = { ...inUse, 'openai/new': price(2_500_000) };
    expect(acceptPrices(list(newer), inUse, inUse)).toEqual({
      prices: list(inUse),
      refused: [
        {
          modelName: 'openai/new',
          reason: 'input is 2500000, more than 10000 US dollars per million tokens',
        },
      ],
    });
  });

  it.each<[string, PriceTable, string]>([
    ['has nothing', {}, 'it has no prices of models'],
    ['lost most of its models', table(9), 'it has only 9 of the 20 models of the list before'],
    [
      'has another unit',
      Object.fromEntries(Object.keys(inUse).map((name, i) => [name, price((i + 1) / 1e6)])),
      "the prices of 20 of its 20 models can't be right, such as openai/m0 (input changed from 1 to 0.000001, by more than 10 times)",
    ],
  ])('is not taken at all if it %s', (_, models, error) => {
    expect(acceptPrices(list(models), inUse, inUse)).toEqual({ error: expect.stringContaining(error) });
  });

  it('is not measured by models that only the shipped table has', () => {
    expect(acceptPrices(list({ 'azure/ours': price(2) }), inUse)).toMatchObject({ refused: [] });
  });
});
