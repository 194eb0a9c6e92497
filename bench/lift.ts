/**
 * Prints the verdicts of `dokima lift` on simulated agents whose skill does nothing, helps or harms, with the number of cases that
 * `dokima plan` asks for, as the table of docs/lift.md.
 * Run: node bench/lift.ts [experiments]
 */
import { startOwnService } from '../cli/src/files/own-service.ts';
import { plannedCases, verdictsOf } from '../cli/test/lift-world.ts';

const experiments = Number(process.argv[2] ?? 100);
const { client, end } = await startOwnService(process.env);
try {
  console.log('| skill | cases × trials | better | worse | not enough data |\n|---|---|---|---|---|');
  for (const [trials, size, spread] of [
    [3, 0.15, 0],
    [5, 0.1, 1],
  ] as const) {
    const { id } = await client.createProject({ name: `Pilot of ${size}`, description: '' });
    const cases = await plannedCases(client, id, { lift: size, cases: 0, trials, spread });
    for (const lift of [0, size, -size]) {
      const started = Date.now();
      const { id: projectId } = await client.createProject({ name: `Lift ${lift}`, description: '' });
      const world = { lift, cases, trials, spread };
      const counts = await verdictsOf(client, projectId, world, { experiments, seed: 1_000 });
      const share = (n: number) => `${((100 * n) / experiments).toFixed(1)} %`;
      const skill =
        lift === 0
          ? 'useless'
          : `${lift > 0 ? 'helps' : 'harms'} by ${100 * size} points${spread ? ', unevenly' : ''}`;
      console.log(
        `| ${skill} | ${cases} × ${trials} | ${share(counts.pass)} | ${share(counts.worse)} | ${share(counts.inconclusive)} |`,
      );
      if (process.env.TIMES) console.error(`${(Date.now() - started) / 1_000} s`);
    }
  }
} finally {
  await end();
}
