/**
 * Prints how often a change of ordered labels is found with 100 testcases: by the pass rate, by the product's sign test of the order, and by its
 * Stuart–Maxwell test for labels without one; and how often two equal systems are called different, with one trial, with three, and with testcases
 * in groups that err together. Run: node bench/labels.ts [draws]
 */
import { valueOfLabel } from '../client/src/labels.ts';
import { compareTestcases } from '../server/src/engine/statistics/compare.ts';
import { seededRandom, uniform } from '../server/src/engine/statistics/random.ts';
import { addScore, emptyColumns, type TestcaseColumns } from '../server/src/engine/statistics/testcases.ts';
import { compareLabels } from '../server/src/insights/analysis/compare-labels.ts';
import type { RunScores, Scores } from '../server/src/insights/analysis/run-scores.ts';

const draws = Number(process.argv[2] ?? 2_000);
const numTestcases = 100;
const items = ['Wrong', 'Partly', 'Mostly', 'Right'];
/** Points of the latent quality between the labels: 15, 20, 25 and 40 % of the answers before. The last two labels pass. */
const cuts = [-1.036, -0.385, 0.253];
const labels = { items, passing: ['Mostly', 'Right'], ordered: true };

const random = seededRandom(20_261_129);
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));

/** What an answer loses in latent quality, which may depend on its quality; and how testcases are drawn. */
type World = { name: string; loss: (quality: number) => number; trials: number; groupSize: number };
/** Share of the quality that the two runs have in common, by testcase; and in groups, of each run's luck that a group shares. */
const [ofTestcase, ofGroup] = [0.5, 0.6];

const placeOf = (quality: number): number => cuts.filter((cut) => quality >= cut).length;

/** Labels of two runs over the same testcases, by testcase and trial. */
const drawRuns = ({ loss, trials, groupSize }: World): [number[][], number[][]] => {
  const runs: [number[][], number[][]] = [[], []];
  const luck = [0, 0];
  for (let i = 0; i < numTestcases; i++) {
    const shared = Math.sqrt(ofTestcase) * normal();
    for (const [side, run] of runs.entries()) {
      if (i % groupSize === 0) luck[side] = normal();
      const own = groupSize > 1 ? Math.sqrt(ofGroup) * luck[side]! : 0;
      const rest = Math.sqrt(1 - ofTestcase) * Math.sqrt(groupSize > 1 ? 1 - ofGroup : 1);
      run.push(
        Array.from({ length: trials }, () => {
          const quality = shared + Math.sqrt(1 - ofTestcase) * own + rest * normal();
          return placeOf(quality - (side === 1 ? loss(quality) : 0));
        }),
      );
    }
  }
  return runs;
};

const groupsOf = ({ groupSize }: World): Int32Array | null =>
  groupSize > 1 ? Int32Array.from({ length: numTestcases }, (_, i) => Math.floor(i / groupSize)) : null;

/** What the product reads of a run. */
const runOf = (places: number[][], world: World, ordered: boolean) => {
  const units = places.flatMap((trials, unit) => trials.map(() => unit));
  const own = Float64Array.from(places.flat(), (place) => valueOfLabel(labels, items[place])!);
  return {
    run: { unitOf: Int32Array.from(units), groups: groupsOf(world), weighting: null } as unknown as RunScores,
    scores: { own, labels: JSON.stringify({ ...labels, ordered }), draw: null } as unknown as Scores,
  };
};

const passColumns = (places: number[][], world: World): TestcaseColumns => {
  const columns = emptyColumns(numTestcases, new Int32Array(numTestcases), groupsOf(world));
  for (const [unit, trials] of places.entries())
    for (const place of trials) addScore(columns, unit, Number(labels.passing.includes(items[place]!)));
  return columns;
};

type Runs = [number[][], number[][]];
const byLabels = ([before, after]: Runs, world: World, ordered: boolean): number =>
  compareLabels(runOf(before, world, ordered), runOf(after, world, ordered), 1)?.p ?? 1;

const questions: Record<string, (runs: Runs, world: World) => number> = {
  'pass rate': ([before, after], world) =>
    compareTestcases(passColumns(before, world), passColumns(after, world), {
      boolean: true,
      bounds: { low: 0, high: 1 },
    }).p ?? 1,
  'sign test of the order': (runs, world) => byLabels(runs, world, true),
  'Stuart–Maxwell': (runs, world) => byLabels(runs, world, false),
};

const plain = { trials: 1, groupSize: 1 };
const none = () => 0;
const worlds: World[] = [
  { name: 'equal, one trial', loss: none, ...plain },
  { name: 'equal, three trials', loss: none, trials: 3, groupSize: 1 },
  { name: 'equal, groups of five that err together', loss: none, trials: 1, groupSize: 5 },
  { name: 'each answer a little worse', loss: () => 0.25, ...plain },
  { name: 'each answer a little worse, three trials', loss: () => 0.25, trials: 3, groupSize: 1 },
  {
    name: 'worse only among those that fail',
    loss: (quality) => (quality < cuts[1]! ? 0.7 : 0),
    ...plain,
  },
  {
    name: 'worse only among those that pass',
    loss: (quality) => (quality >= cuts[2]! ? 0.3 : 0),
    ...plain,
  },
];

console.log(`| two runs | ${Object.keys(questions).join(' | ')} |\n|---|${'---|'.repeat(3)}`);
for (const world of worlds) {
  const found = Object.keys(questions).map(() => 0);
  for (let draw = 0; draw < draws; draw++) {
    const runs = drawRuns(world);
    for (const [i, ask] of Object.values(questions).entries()) if (ask(runs, world) < 0.05) found[i]!++;
  }
  console.log(`| ${world.name} | ${found.map((n) => `${((100 * n) / draws).toFixed(1)} %`).join(' | ')} |`);
}
console.log(`\nCalled different at p < 0.05, in ${draws} draws of ${numTestcases} testcases.`);
