import type { Client } from '../../client/src/main.ts';
import type { Arm } from '../src/lift/arms.ts';
import type { Trial } from '../src/lift/run-trial.ts';
import { drawFrom } from '../src/lift/trials.ts';
import { decideLift, importsOf, writeArms } from '../src/lift/verdict.ts';

/** A simulated agent: tasks of many difficulties, and a skill that moves its chance at each by about `lift`. */
export type World = {
  lift: number;
  cases: number;
  trials: number;
  /** Whether the skill helps a little with every task, or solves some that were beyond the agent and leaves the others. */
  among: 'all' | 'some';
};

const bare: Arm = {
  name: 'without',
  skills: [],
  instructions: undefined,
  files: [],
  servers: {},
  model: undefined,
  prompt: '{prompt}',
  args: [],
  env: {},
  says: 'the bare agent',
  digest: 'bare',
};
const arms: [Arm, Arm] = [bare, { ...bare, name: 'with', says: './skill', digest: 'skill' }];

/**
 * Returns the trials of one experiment. A third of the tasks is hopeless or trivial for the agent, as in real suites; the others have any
 * chance. The effect is a share of each task's room, so that no chance leaves 0 to 1; its mean is `lift`.
 */
export const trialsOf = ({ lift, cases, trials, among }: World, seed: number): Trial[] => {
  const draw = drawFrom(seed);
  return Array.from({ length: cases }, (_, i) => {
    const kind = draw();
    const chance = kind < 0.1 ? 0.02 : kind < 0.3 ? 0.98 : draw();
    const prompt = `Task ${i} of experiment ${seed}: ${draw()}`;
    const room = lift >= 0 ? 1 - chance : -chance;
    // The mean room is 0.452 upwards and 0.548 downwards.
    const share = Math.abs(lift) / (lift >= 0 ? 0.452 : 0.548);
    const taken = draw() < share ? 1 : 0;
    const effect = room * (among === 'all' ? share : taken);
    return arms.flatMap(({ name }) =>
      Array.from({ length: trials }, (_, j): Trial => {
        const isSolved = draw() < (name === 'with' ? chance + effect : chance);
        return {
          key: `${seed}-${name}-${i}`,
          arm: name,
          case: `case ${i}`,
          trial: j + 1,
          prompt,
          startMs: 0,
          endMs: 0,
          exitCode: 0,
          timedOut: false,
          answer: '',
          files: { added: {}, changed: {}, removed: [] },
          costUsd: null,
          inputTokens: null,
          cachedTokens: null,
          outputTokens: null,
          used: null,
          scores: { Solved: isSolved },
          reason: '',
          error: null,
        };
      }),
    );
  }).flat();
};

/** Writes an experiment as `dokima lift` does, but without traces, and returns its runs. */
const writeExperiment = (client: Client, projectId: string, trials: Trial[], name: string) => {
  const [before, after] = importsOf(name, arms, 'simulated', trials).map((one) => ({
    ...one,
    rows: one.rows.map(({ trace: _, ...row }) => row),
  }));
  return writeArms(client, projectId, [before!, after!]);
};

/** Counts the verdicts of `dokima lift` in experiments of one world. */
export const verdictsOf = async (
  client: Client,
  projectId: string,
  world: World,
  { experiments, seed }: { experiments: number; seed: number },
): Promise<Record<'pass' | 'worse' | 'inconclusive' | 'incomplete', number>> => {
  const counts = { pass: 0, worse: 0, inconclusive: 0, incomplete: 0 };
  for (let i = 0; i < experiments; i++) {
    const trials = trialsOf(world, seed + i);
    const runs = await writeExperiment(client, projectId, trials, `${seed + i}`);
    const { decision } = await decideLift(client, runs, {
      margin: 0,
      metric: undefined,
      level: 0.95,
      now: 0,
    });
    counts[decision.outcome]++;
  }
  return counts;
};

/** Returns what `dokima plan` needs for a lift of this size, by an earlier comparison of a skill that does nothing. */
export const plannedCases = async (
  client: Client,
  projectId: string,
  { lift, trials, among }: World,
): Promise<number> => {
  const pilot = trialsOf({ lift: 0, cases: 300, trials, among }, 7);
  await writeExperiment(client, projectId, pilot, 'pilot');
  let metricId = '';
  for await (const metric of client.listMetrics(projectId)) metricId = metric.id;
  const plan = await client.planRun(projectId, {
    metricId,
    measure: 'pass',
    difference: Math.abs(lift),
    trials,
  });
  return plan.numNeeded!;
};
