import { expect, it } from 'vitest';
import { aboutText, type Caveat, caveatLines, comparedCaveats } from './caveats.ts';

const caveat = (code: Caveat['code'], sentence: string): Caveat => ({ code, sentence });
const few = caveat('fewTestcases', 'only 40 testcases');
const error = caveat('judgeError', 'the judge errs');
const labels = caveat('fewLabels', 'only 60 labels');

it('a sentence is said once, with all that it limits', () => {
  const lines = caveatLines([
    { of: 'Right', caveats: [few, error] },
    { of: 'Polite', caveats: [few, few] },
  ]);
  expect(lines.map(({ of, sentence }) => `${aboutText(of, 2)}: ${sentence}`)).toEqual([
    'every metric: only 40 testcases',
    'Right: the judge errs',
  ]);
  expect(lines[0]).toMatchObject({ code: 'fewTestcases', name: 'Few testcases', of: ['Right', 'Polite'] });
  expect(aboutText([...'abcdefgh'], 9)).toBe('a, b, c, d, e, f and 2 more');
  expect(aboutText(['Right'], 1)).toBe('Right');
});

it('a difference by people’s labels has their caveats, and not those of the judge’s own difference', () => {
  const compared = { caveats: [few, error], corrected: { caveats: [labels] } } as Parameters<
    typeof comparedCaveats
  >[0];
  expect(comparedCaveats(compared, 'scores')).toEqual([few, error]);
  expect(comparedCaveats(compared, 'people')).toEqual([few, labels]);
});
