/**
 * Prints how often intervals at level .95 contain the true value, in simulated worlds, and how often tests err or find, as the tables
 * of docs/statistics.md.
 * Run: node bench/coverage.ts [draws]
 */
import { seededRandom } from '../server/src/engine/statistics/random.ts';
import { coverageOf, rateOf, rates, type World, worlds, wrongReadings } from '../server/test/coverage.ts';
import { labelRates, labelWorlds, wrongLabels } from '../server/test/label-worlds.ts';

const draws = Number(process.argv[2] ?? 10_000);
/** Fewer draws for sign flips, because one interval needs 4,096 assignments. */
const drawsOf = ({ method }: World): number => (method.startsWith('sign flips') ? draws / 10 : draws);

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const often = (share: number) =>
  share === 0 ? 'no' : share > 0.995 ? 'yes' : `in ${(100 * share).toFixed(0)} %`;
console.log('| method | data | contains the truth in | warns |\n|---|---|---|---|');
for (const world of [...worlds, ...labelWorlds, ...wrongReadings, ...wrongLabels]) {
  const { held, warned } = coverageOf(world, drawsOf(world), seededRandom(1));
  console.log(`| ${world.method} | ${world.name} | ${percent(held)} | ${often(warned)} |`);
}
console.log('\n| method | data | reports it in | stated |\n|---|---|---|---|');
for (const rate of [...rates, ...labelRates]) {
  const share = rateOf(rate, Math.ceil(draws / 5), seededRandom(1));
  console.log(`| ${rate.method} | ${rate.name} | ${percent(share)} | ${rate.nominal} |`);
}
