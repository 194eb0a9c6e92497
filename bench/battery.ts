/**
 * Simulates bias batteries of six edits with a fixed seed: how often an unbiased noisy judge is called biased by any edit, and how often a
 * planted length bias is found. Prints the table of docs/statistics.md.
 */
import { type JudgedEdited, testBiases } from '../server/src/engine/statistics/bias-battery.ts';
import { seededRandom, uniform } from '../server/src/engine/statistics/random.ts';

const rounds = 1000;
const margin = 0.05;
const share = (count: number) => `${((100 * count) / rounds).toFixed(1)} %`;

/** `noise`: how often the judge says the opposite of what it would mostly say. `bias`: how many failing records pass when they are longer. */
const battery = (random: () => number, n: number, noise: number, bias: number): JudgedEdited[][] => {
  const say = (passes: boolean) => random() < noise !== passes;
  const records = Array.from({ length: n }, () => {
    const passes = random() < 0.6;
    return { passes, reference: say(passes), placebo: say(passes), group: null };
  });
  return [bias, 0, 0, 0, 0, 0].map((planted) =>
    records.map(({ passes, ...record }) => ({ ...record, edited: say(passes || random() < planted) })),
  );
};

console.log(
  '| records | noise | accused without a bias | cleared of all six | bias of 20 % found | bias of 40 % found |',
);
console.log('|---|---|---|---|---|---|');
for (const n of [50, 100, 200, 400])
  for (const noise of [0, 0.05, 0.1]) {
    const drawn = seededRandom(1);
    const random = () => uniform(drawn);
    const counts = { accused: 0, cleared: 0, fifth: 0, twoFifths: 0 };
    for (let i = 0; i < rounds; i++) {
      const clean = testBiases(battery(random, n, noise, 0), margin);
      if (clean.some(({ verdict }) => verdict === 'biased')) counts.accused++;
      if (clean.every(({ verdict }) => verdict === 'clear')) counts.cleared++;
      if (testBiases(battery(random, n, noise, 0.2), margin)[0]!.verdict === 'biased') counts.fifth++;
      if (testBiases(battery(random, n, noise, 0.4), margin)[0]!.verdict === 'biased') counts.twoFifths++;
    }
    const { accused, cleared, fifth, twoFifths } = counts;
    console.log(
      `| ${n} | ${noise * 100} % | ${share(accused)} | ${share(cleared)} | ${share(fifth)} | ${share(twoFifths)} |`,
    );
  }
