import { describe, expect, it } from 'vitest';
import { headlineOf } from './headline.ts';

describe('the headline of a comparison', () => {
  it.each([
    ['Run 2 is better on 2 of 3 metrics, worse on none.', ['better', 'better', 'cannot tell']],
    ['Run 2 is worse on 1 of 2 metrics, better on none.', ['worse', 'cannot tell']],
    ['Run 2 is better on 1 of 2 metrics, worse on 1 of 2 metrics.', ['better', 'worse']],
    ['No difference can be shown on any of 2 metrics.', ['cannot tell', 'cannot tell']],
    ['No difference can be shown between run 2 and run 1.', ['cannot tell']],
    ['Run 2 is worse than run 1.', ['worse']],
    ['Run 2 and run 1 have no score in common.', []],
  ] as const)('%s', (sentence, verdicts) => {
    expect(headlineOf({ before: '1', after: '2' }, verdicts)).toBe(sentence);
  });
});
