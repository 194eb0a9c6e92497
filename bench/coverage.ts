/**
 * Prints how often intervals at level .95 contain the true value, in simulated worlds, and how often tests err or find, as the tables
 * of docs/statistics.md. A world whose draws would take more than five minutes of processor time gets two fifths of them.
 * bench/coverage-table.md has the output that the docs show.
 * Run: node bench/coverage.ts [draws] [pattern of method and data] > bench/coverage-table.md
 */
import { seededRandom } from '../server/src/engine/statistics/random.ts';
import { coverageOf, rateOf, rates, worlds, wrongReadings } from '../server/test/coverage.ts';
import { drawnRates, drawnWorlds, wrongDraws } from '../server/test/drawn-worlds.ts';
import { labelRates, labelWorlds, wrongLabels } from '../server/test/label-worlds.ts';
import { looksRates, sizeWorlds } from '../server/test/looks-worlds.ts';
import { planRates } from '../server/test/plan-worlds.ts';
import { preferenceWorlds } from '../server/test/preference-worlds.ts';
import { provenanceRates, provenanceWorlds, wrongProvenance } from '../server/test/provenance-worlds.ts';
import { spanRates, spanWorlds, wrongSpans } from '../server/test/span-worlds.ts';
import { weightRates, weightWorlds, wrongWeights } from '../server/test/weight-worlds.ts';

const most = Number(process.argv[2] ?? 10_000);
const part = new RegExp(process.argv[3] ?? '');

const secondsOf = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

/** Returns the number of draws, by the time of the first hundredth of them. */
const drawsFor = (measure: (draws: number) => unknown): number => {
  const seconds = secondsOf(() => measure(Math.ceil(most / 100)));
  return 100 * seconds < 300 ? most : (2 * most) / 5;
};

const isAsked = ({ name, method }: { name: string; method: string }) => part.test(`${method} ${name}`);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const often = (share: number) => {
  if (share === 0) return 'no';
  if (share === 1) return 'yes';
  const rounded = (100 * share).toFixed(0);
  if (rounded === '0') return 'in less than 1 %';
  return rounded === '100' ? 'in more than 99 %' : `in ${rounded} %`;
};
const count = (draws: number) => draws.toLocaleString('en');

console.log(
  '| method | simulated data | interval contains the truth | answer has a warning | draws |\n|---|---|---|---|---|',
);
for (const world of [
  ...worlds,
  ...provenanceWorlds,
  ...labelWorlds,
  ...weightWorlds,
  ...drawnWorlds,
  ...spanWorlds,
  ...preferenceWorlds,
  ...sizeWorlds,
  ...wrongReadings,
  ...wrongProvenance,
  ...wrongLabels,
  ...wrongWeights,
  ...wrongDraws,
  ...wrongSpans,
].filter(isAsked)) {
  const measure = (draws: number) => coverageOf(world, draws, seededRandom(1));
  const draws = drawsFor(measure);
  const { held, warned } = measure(draws);
  console.log(`| ${world.method} | ${world.name} | ${percent(held)} | ${often(warned)} | ${count(draws)} |`);
}
console.log('\n| method | simulated data | reports it in | promised | draws |\n|---|---|---|---|---|');
for (const rate of [
  ...rates,
  ...provenanceRates,
  ...labelRates,
  ...weightRates,
  ...drawnRates,
  ...spanRates,
  ...looksRates,
  ...planRates,
].filter(isAsked)) {
  const measure = (draws: number) => rateOf(rate, draws, seededRandom(1));
  const draws = drawsFor(measure);
  console.log(
    `| ${rate.method} | ${rate.name} | ${percent(measure(draws))} | ${rate.nominal} | ${count(draws)} |`,
  );
}
