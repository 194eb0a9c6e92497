import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { caveatNames } from '../../../../client/src/caveats.ts';
import type { Pair } from './pair.ts';
import { limitsOf } from './report-words.ts';

/** The codes of all caveats that the description of the API has, wherever they stand. */
const codesIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: { code?: { enum?: string[] }; sentence?: object } };
  const own = properties?.sentence ? (properties.code?.enum ?? []) : [];
  return [...own, ...Object.values(schema).flatMap(codesIn)];
};
const openapi = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'));
const codes = [...new Set(codesIn(openapi))];

const caveat = (code: string, sentence: string) => ({ code, sentence });
const metricOf = (metricName: string, caveats: object[], more: object = {}) => ({
  metricName,
  caveats,
  conclusion: { basis: 'scores' },
  corrected: null,
  judge: null,
  ...more,
});
const pairOf = (after: string, ...metrics: object[]) => ({ before: '1', after, metrics }) as unknown as Pair;
const titleOf = (id: string) => `Run ${id}`;

describe('what limits the numbers of a report', () => {
  it('has words for each caveat of the API', () => {
    expect(codes.length).toBeGreaterThan(20);
    expect(Object.keys(caveatNames).sort()).toEqual(codes.toSorted());
  });

  it.each(codes)('says %s', (code) => {
    const lines = limitsOf([pairOf('2', metricOf('Right', [caveat(code, 'this is why')]))], titleOf);
    const name = caveatNames[code as keyof typeof caveatNames];
    expect(lines).toEqual([`${name} (Right): this is why.`]);
  });

  it('says each once, with all that it limits', () => {
    const few = caveat('fewTestcases', 'only 40 testcases');
    const metrics = [metricOf('Right', [few]), metricOf('Polite', [few, caveat('skewed', 'a few decide')])];
    expect(limitsOf([pairOf('2', ...metrics)], titleOf)).toEqual([
      'Few testcases (every metric): only 40 testcases.',
      'A few large values (Polite): a few decide.',
    ]);
    expect(limitsOf([pairOf('2', ...metrics), pairOf('3', metrics[0]!)], titleOf)).toEqual([
      'Few testcases (every metric): only 40 testcases.',
      'A few large values (Polite in Run 2): a few decide.',
    ]);
  });

  it('is about the difference that is shown: that by people’s labels has its own caveats, and the judge’s errors in it', () => {
    const error = caveat('judgeError', 'the interval leaves the judge’s errors out');
    const changed = caveat('metricChanged', 'the metric was changed');
    const corrected = { caveats: [caveat('fewLabels', 'only 60 labels')] };
    const rate = { correctedRate: { caveats: [caveat('notSampled', 'not drawn')] } };
    const judge = { before: { correctedRate: null }, after: rate };
    const by = (basis: string) =>
      limitsOf(
        [pairOf('2', metricOf('Right', [error, changed], { conclusion: { basis }, corrected, judge }))],
        titleOf,
      );
    expect(by('scores')).toEqual([
      'Errors of the judge (Right): the interval leaves the judge’s errors out.',
      'The metric was changed (Right): the metric was changed.',
      'Labels not drawn at random (Right): not drawn.',
    ]);
    expect(by('people')).toEqual([
      'The metric was changed (Right): the metric was changed.',
      'Few labels (Right): only 60 labels.',
      'Labels not drawn at random (Right): not drawn.',
    ]);
  });
});
