/**
 * Prints the verdicts of `dokima lift` on simulated agents whose skill does nothing, helps or harms, with the number of cases that
 * `dokima plan` asks for: by the command's own code, and for more experiments by the engine alone, as the table of docs/lift.md.
 * Run: node bench/lift.ts [experiments] [experiments of the engine]
 */
import { startOwnService } from '../cli/src/files/own-service.ts';
import { plannedCases, trialsOf, verdictsOf, type World } from '../cli/test/lift-world.ts';
import { compareRuns } from '../server/src/engine/statistics/compare.ts';

const experiments = Number(process.argv[2] ?? 100);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const draws = Number(process.argv[3] ?? 3_000);

/** Shares of verdicts by the engine alone. */
const byEngine = (world: World): Record<string, number> => {
  const shares: Record<string, number> = { better: 0, worse: 0 };
  for (let i = 0; i < draws; i++) {
    const trials = trialsOf(world, 1_000_000 + i);
    const of = (name: string) =>
      trials
        .filter(({ arm }) => arm === name)
        .map((trial) => ({ testcase: trial.case, group: null, score: trial.scores.Solved === true }));
    const { verdict } = compareRuns(of('without'), of('with'), { boolean: true });
    shares[verdict] = (shares[verdict] ?? 0) + 1 / draws;
  }
  return shares;
};

const designs = [
  [3, 0.15],
  [5, 0.1],
] as const;
const skills = [
  ['does nothing', 0, 'all'],
  ['solves some tasks', 1, 'some'],
  ['helps with each task', 1, 'all'],
  ['spoils some tasks', -1, 'some'],
  ['harms each task', -1, 'all'],
] as const;
const { client, end } = await startOwnService(process.env);
try {
  console.log(
    '| skill | effect | cases × trials | better | worse | better, engine | worse, engine |\n|---|---|---|---|---|---|---|',
  );
  for (const [trials, size] of designs) {
    const pilot = await client.createProject({ name: `Pilot of ${size}`, description: '' });
    const cases = await plannedCases(client, pilot.id, { lift: size, cases: 0, trials, among: 'all' });
    for (const [skill, lift, among] of skills) {
      const { id } = await client.createProject({ name: skill, description: '' });
      const world = { lift: lift * size, cases, trials, among };
      const counts = await verdictsOf(client, id, world, { experiments, seed: 1_000 });
      const share = (n: number) => percent(n / experiments);
      const { better, worse } = byEngine(world);
      const effect = lift === 0 ? 0 : 100 * size;
      console.log(
        `| ${skill} | ${effect} points | ${cases} × ${trials} | ${share(counts.pass)} | ${share(counts.worse)} | ${percent(better!)} | ${percent(worse!)} |`,
      );
    }
  }
} finally {
  await end();
}
