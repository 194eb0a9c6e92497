/**
 * Prints the verdicts of `dokima lift` on simulated agents whose skill does nothing, helps or harms, with the number of cases that
 * `dokima plan` asks for, as the table of docs/lift.md.
 * Run: node bench/lift.ts [experiments]
 */
import { startOwnService } from '../cli/src/files/own-service.ts';
import { plannedCases, verdictsOf } from '../cli/test/lift-world.ts';

const experiments = Number(process.argv[2] ?? 100);
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
    '| skill | effect | cases × trials | better | worse | not enough data |\n|---|---|---|---|---|---|',
  );
  for (const [trials, size] of designs) {
    const pilot = await client.createProject({ name: `Pilot of ${size}`, description: '' });
    const cases = await plannedCases(client, pilot.id, { lift: size, cases: 0, trials, among: 'all' });
    for (const [skill, lift, among] of skills) {
      const { id } = await client.createProject({ name: skill, description: '' });
      const world = { lift: lift * size, cases, trials, among };
      const counts = await verdictsOf(client, id, world, { experiments, seed: 1_000 });
      const share = (n: number) => `${((100 * n) / experiments).toFixed(1)} %`;
      const effect = lift === 0 ? 0 : 100 * size;
      console.log(
        `| ${skill} | ${effect} points | ${cases} × ${trials} | ${share(counts.pass)} | ${share(counts.worse)} | ${share(counts.inconclusive)} |`,
      );
    }
  }
} finally {
  await end();
}
