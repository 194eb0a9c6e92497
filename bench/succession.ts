/**
 * Prints how often a trial accepts a successor, on GSM8K with stand-in judges whose error rates are known, as the tables of
 * docs/statistics.md. Then how often the interval of the system's part of a change holds what it truly was.
 * Run: node bench/succession.ts [draws]
 */
import { seededRandom } from '../server/src/engine/statistics/random.ts';
import { acceptance, readAnswers, rightSuccessors, wrongSuccessors } from '../server/test/successions.ts';

const draws = Number(process.argv[2] ?? 2000);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const answers = await readAnswers();

for (const [title, worlds] of [
  ['the candidate differs by the margin or more', wrongSuccessors],
  ['the candidate is a successor', rightSuccessors],
] as const) {
  console.log(`\n| ${title} | labels | margin | accepted in |\n|---|---|---|---|`);
  for (const world of worlds) {
    const { accepted, error } = acceptance(world, answers, draws, seededRandom(1));
    console.log(
      `| ${world.name} | ${world.labels} | ${100 * world.margin} points | ${percent(accepted)} ± ${percent(error)} |`,
    );
  }
}
