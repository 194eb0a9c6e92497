import { describe, expect, it } from 'vitest';
import { closest, parseSearch, rangeOf, timeUnits } from './parse-search.ts';

const term = (q: string) => {
  const { terms, text, without } = parseSearch(q, ['error']);
  expect({ text, without, count: terms.length }).toEqual({ text: '', without: [], count: 1 });
  const { text: _, ...rest } = terms[0]!;
  return rest;
};

describe('a search', () => {
  it('has filters, words, and words to leave out', () => {
    const { terms, text, without } = parseSearch(
      'score.Accuracy:<0.5 refund "look again" -noise -error tag:"a b"',
      ['error'],
    );
    expect(terms.map(({ key, op, value, negated }) => [key, op, value, negated])).toEqual([
      ['score', '<', '0.5', false],
      ['error', 'has', '', true],
      ['tag', '=', 'a b', false],
    ]);
    expect({ text, without }).toEqual({ text: 'refund look again', without: ['noise'] });
  });

  it('has keys with paths, in quotes where they need them', () => {
    expect(term('outputs.a.0.b:~"x \\" y"')).toMatchObject({
      key: 'outputs',
      path: ['a', '0', 'b'],
      op: '~',
      value: 'x " y',
    });
    expect(term('-score."Order: number":pass')).toMatchObject({
      key: 'score',
      path: ['Order: number'],
      op: '=',
      value: 'pass',
      negated: true,
    });
    expect(term('inputs.n:1..3')).toMatchObject({ op: '..', value: '1', to: '3' });
    expect(term('inputs.n:*')).toMatchObject({ op: 'has' });
    expect(term('inputs.n:"*"')).toMatchObject({ op: '=', value: '*' });
  });

  it('takes a time, an address and quotes as text, and every other word before a colon as a key', () => {
    expect(parseSearch('12:30 https://a.b/c?d=e "x:y" error').text).toBe('12:30 https://a.b/c?d=e x:y error');
    expect(parseSearch('foo:bar note:').terms.map(({ key, value }) => [key, value])).toEqual([
      ['foo', 'bar'],
      ['note', ''],
    ]);
  });

  it('ends with a quote that is not closed', () => {
    expect(parseSearch('tag:"a b').terms).toMatchObject([{ key: 'tag' }]);
  });
});

it.each([
  ['latency:>2s', { low: 2_000, lowOpen: true }],
  ['latency:<=1.5min', { high: 90_000, highOpen: false }],
  ['latency:500ms..2s', { low: 500, high: 2_000 }],
  ['latency:*', {}],
  ['latency:soon', undefined],
  ['latency:~2', undefined],
])('%s is a range', (q, range) => {
  expect(rangeOf(parseSearch(q).terms[0]!, timeUnits)).toEqual(range);
});

it('a key that is nearly right gets a suggestion', () => {
  const names = ['result', 'latency', 'score', 'tag'];
  expect(['latncy', 'scores', 'Tags', 'whatever'].map((word) => closest(word, names))).toEqual([
    'latency',
    'score',
    'tag',
    undefined,
  ]);
});
