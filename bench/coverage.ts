/**
 * Prints how often intervals at level .95 contain the true value, in simulated worlds, as the table of docs/statistics.md.
 * Run: node bench/coverage.ts [draws]
 */
import { seededRandom } from '../server/src/engine/statistics/random.ts';
import { coverageOf, falseDrift, type World, worlds, wrongReadings } from '../server/test/coverage.ts';

const draws = Number(process.argv[2] ?? 10_000);
/** Fewer draws for sign flips, because one interval needs 4,096 assignments. */
const drawsOf = ({ method }: World): number => (method.startsWith('sign flips') ? draws / 10 : draws);

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
console.log('| method | data | contains the truth in |\n|---|---|---|');
for (const world of [...worlds, ...wrongReadings]) {
  const coverage = coverageOf(world, drawsOf(world), seededRandom(1));
  console.log(`| ${world.method} | ${world.name} | ${percent(coverage)} |`);
}
const random = seededRandom(1);
const alarms = Array.from({ length: draws }, () => falseDrift(random)).filter((drifted) => drifted).length;
console.log(
  `| McNemar mid-p, twice at α/2 | a steady judge on 200 pinned records | reports drift in ${percent(alarms / draws)} |`,
);
