import { expect, it } from 'vitest';
import { testAgreement } from './agreement-gain.ts';
import { comparableLabels } from './chosen-labels.ts';
import { testEquivalence } from './equivalence.ts';
import { seededRandom } from './random.ts';

/** A judge that decides 5 % of records otherwise each time, and another that is just like it, on labels where the judge was wrong. */
const drawLabels = (random: () => number, chosen: boolean) => {
  const flip = (share: number) => random() / 2 ** 32 < share;
  const labels = [];
  const first = new Map<number, boolean>();
  const candidate = new Map<number, boolean>();
  for (let place = 0; place < 120; ) {
    const human = flip(0.7);
    const usual = flip(human ? 0.9 : 0.2);
    const decide = () => (flip(0.05) ? !usual : usual);
    const before = decide();
    if (before === human) continue;
    labels.push({ place, human, before, chosen, group: null });
    first.set(place, decide());
    candidate.set(place, decide());
    place++;
  }
  return { labels, first, candidate };
};

const verdictsOf = (random: () => number, chosen: boolean) => {
  const { labels, first, candidate } = drawLabels(random, chosen);
  const joined = comparableLabels(labels, first).map((label) => ({
    ...label,
    after: candidate.get(label.place)!,
  }));
  return {
    agreement: testAgreement([joined])[0]!.verdict,
    equivalence: testEquivalence([joined], 0.05)[0]!.verdict,
  };
};

const shares = (chosen: boolean) => {
  const random = seededRandom(20);
  const found = Array.from({ length: 300 }, () => verdictsOf(random, chosen));
  const share = (isSo: (one: (typeof found)[number]) => boolean) => found.filter(isSo).length / found.length;
  return {
    differs: share(({ agreement }) => agreement !== 'cannot tell'),
    notEquivalent: share(({ equivalence }) => equivalence === 'not equivalent'),
  };
};

it('an equal candidate is shown better or worse in at most 5 %, by the verdicts of a first trial alone, seeded', () => {
  const { differs, notEquivalent } = shares(true);
  expect(differs).toBeLessThanOrEqual(0.05);
  expect(notEquivalent).toBeLessThanOrEqual(0.05);
  // Held against the verdicts that people put right, each candidate seems better.
  expect(shares(false).differs).toBeGreaterThan(0.9);
});

it('chosen labels are left out without a first trial, and all others stay', () => {
  const [chosen, drawn] = [
    { place: 1, before: true, chosen: true },
    { place: 2, before: true, chosen: false },
  ];
  expect(comparableLabels([chosen, drawn], null)).toEqual([drawn]);
  expect(comparableLabels([chosen, drawn], new Map([[1, false]]))).toEqual([
    { ...chosen, before: false },
    drawn,
  ]);
});
