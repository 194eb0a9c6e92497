import { evaluateGate } from '../../../client/src/gate/evaluate.ts';
import { readPolicy } from '../../../client/src/gate/policy.ts';
import type { Client, Plan, RunComparison } from '../../../client/src/main.ts';
import { callSpan } from '../import/call-span.ts';
import type { Import, Row } from '../import/rows.ts';
import { writeImport } from '../import/write.ts';
import { type Arm, digestOfTexts } from './arms.ts';
import type { Trial } from './run-trial.ts';

/** Name of the score that says whether the agent used what it was given. */
export const usedName = 'Used';

/** Amounts that both arms have, in the order of the report. */
export const amounts = ['costUsd', 'seconds', 'tokens'] as const;
export type Amount = (typeof amounts)[number];

const amountOf: Record<Amount, (trial: Trial) => number | null> = {
  costUsd: ({ costUsd }) => costUsd,
  seconds: ({ startMs, endMs }) => (endMs - startMs) / 1_000,
  tokens: ({ inputTokens, outputTokens }) =>
    inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0),
};

const rowOf = (trial: Trial): Row => {
  const { key, arm, trial: number, prompt, error, reason, answer, files, exitCode, timedOut, used } = trial;
  const { startMs, endMs, costUsd, inputTokens, outputTokens } = trial;
  const call = callSpan({
    name: 'agent',
    startMs,
    endMs,
    inputTokens: inputTokens ?? undefined,
    outputTokens: outputTokens ?? undefined,
    costUsd: costUsd ?? undefined,
  });
  return {
    id: `${key}/${number}/${startMs}`,
    caseId: trial.case,
    run: arm,
    inputs: { prompt },
    expected: {},
    metadata: {},
    outputs: { answer, files, exitCode, ...(timedOut && { timedOut }) },
    ...(error !== null && { error }),
    scores: [
      ...Object.entries(trial.scores).map(([name, value]) => ({
        name,
        value,
        reasoning: reason.slice(0, 2_000) || undefined,
      })),
      ...(used === null ? [] : [{ name: usedName, value: used }]),
    ],
    ...(timedOut && { tags: ['timed out'] }),
    trace: [call],
  };
};

/** Returns the trials of an arm as the results of a tool: a case is a testcase, and its attempts are its trials. */
const importOf = (name: string, id: string, arm: Arm, agent: string, trials: readonly Trial[]): Import => {
  const { says, digest, model = null } = arm;
  return {
    tool: 'dokima lift',
    id,
    name,
    systems: new Map([[arm.name, { name: agent, config: { arm: arm.name, has: says, digest, model } }]]),
    rows: trials.filter((trial) => trial.arm === arm.name).map(rowOf),
    unit: () => true,
    notes: [],
  };
};

/** Returns both arms as results. The tasks name their testset, so that other lifts on the same tasks share it. */
export const importsOf = (
  name: string,
  arms: readonly [Arm, Arm],
  agent: string,
  trials: readonly Trial[],
): [Import, Import] => {
  const tasks = [...new Set(trials.map((trial) => `${trial.case}\0${trial.prompt}`))].toSorted();
  const id = `${name} ${digestOfTexts(tasks)}`;
  return [importOf(name, id, arms[0], agent, trials), importOf(name, id, arms[1], agent, trials)];
};

/** Writes both arms as runs of one testset. Returns their ids, that of the bare arm first. */
export const writeArms = async (
  client: Client,
  projectId: string,
  imports: readonly [Import, Import],
  progress: (text: string) => void = () => {},
): Promise<[string, string]> => {
  const runs: string[] = [];
  let into: string | undefined;
  for (const one of imports) {
    const written = await writeImport(client, projectId, one, new Map(), progress, { testset: into });
    into = written.testsetId;
    runs.push(...written.runIds);
  }
  return [runs[0]!, runs[1]!];
};

type Compared = RunComparison['pairs'][number]['metrics'][number];
type Interval = { low: number; high: number };

/** An amount of a trial in both arms, and its difference by cases. */
export type Difference = {
  amount: Amount;
  before: number | null;
  after: number | null;
  difference: number | null;
  interval: Interval | null;
};

/**
 * Compares what trials took, by the same statistics: as a share of the largest value, which is a score from 0 to 1, in a project of its
 * own.
 */
const compareAmounts = async (
  client: Client,
  imports: readonly [Import, Import],
  trials: readonly Trial[],
  level: number,
): Promise<Difference[]> => {
  const largest = new Map<Amount, number>();
  for (const amount of amounts) {
    const values = trials.map(amountOf[amount]);
    const top = Math.max(0, ...values.map((value) => value ?? 0));
    if (top > 0 && values.every((value) => value !== null)) largest.set(amount, top);
  }
  if (largest.size === 0) return [];
  const measuredRow = (trial: Trial): Row => {
    const { error: _, trace: __, tags: ___, ...row } = rowOf(trial);
    const scores = [...largest].map(([name, top]) => ({ name, value: amountOf[name](trial)! / top }));
    return { ...row, scores };
  };
  const measured = (one: Import): Import => ({
    ...one,
    rows: trials.filter(({ arm }) => one.systems.has(arm)).map(measuredRow),
  });
  const { id } = await client.createProject({ name: 'What trials took', description: '' });
  const runs = await writeArms(client, id, [measured(imports[0]), measured(imports[1])]);
  const { pairs } = await client.compareRuns({ runs, level });
  return amounts.flatMap((amount) => {
    const found = pairs[0]!.metrics.find(({ metricName }) => metricName === amount);
    const top = largest.get(amount)!;
    const times = (value: number | null) => (value === null ? null : value * top);
    if (!found) return [];
    const { before, after, difference, interval } = found;
    return [
      {
        amount,
        before: times(before),
        after: times(after),
        difference: times(difference),
        interval: interval && { low: interval.low * top, high: interval.high * top },
      },
    ];
  });
};

export type Question = {
  /** Without a margin the arm must be shown to be better; with one, to be not worse by more than it. */
  margin: number;
  metric: string | undefined;
  level: number;
  now: number;
};

/** Decides whether the second run is better than the first, by the rules of a gate, for all scores of the checks together. */
export const decideLift = async (
  client: Client,
  runs: readonly [string, string],
  { margin, metric, level, now }: Question,
) => {
  const [before, after] = runs;
  const { pairs } = await client.compareRuns({ runs: [before, after], level });
  const compared = pairs[0]!.metrics.filter(({ metricName }) => metricName !== usedName);
  const asked = metric === undefined ? compared.map(({ metricName }) => metricName) : [metric];
  const rule = margin === 0 ? { superiority: {} } : { nonInferiority: { margin } };
  const policy = readPolicy(
    { baseline: before, metrics: Object.fromEntries(asked.map((name) => [name, rule])) },
    'lift',
  );
  const { decision, about } = await evaluateGate(client, after, policy, { level, now });
  return { decision, about, compared };
};

export type Lift = Awaited<ReturnType<typeof decideLift>> & {
  runs: [string, string];
  differences: Difference[];
  /** The share of trials that used what they were given, in the arm that has it. */
  used: { estimate: number | null; interval: Interval | null } | undefined;
  compared: Compared[];
  /** What as many cases and trials can show of the first score; undefined if the runs have none in common. */
  plan: Plan | undefined;
};

/** Plans a lift like this one from its own variance. It errs on the safe side: a skill that changes some tasks adds variance. */
const planOf = async (
  client: Client,
  projectId: string,
  { compared }: Pick<Lift, 'compared'>,
  trials: readonly Trial[],
  { metric, level }: Question,
): Promise<Plan | undefined> => {
  const first = compared.find(({ metricName }) => metric === undefined || metricName === metric);
  if (!first) return undefined;
  return client.planRun(projectId, {
    metricId: first.metricId,
    measure: first.outputType === 'boolean' ? 'pass' : 'score',
    trials: Math.max(...trials.map(({ trial }) => trial)),
    level,
  });
};

/** Returns everything that the trials say: the verdict, what they took, and how often the agent used what it was given. */
export const liftOf = async (
  client: Client,
  projectId: string,
  imports: readonly [Import, Import],
  trials: readonly Trial[],
  question: Question,
): Promise<Lift> => {
  const runs = await writeArms(client, projectId, imports);
  const decided = await decideLift(client, runs, question);
  const summary = await client.summarizeRun(runs[1], { level: question.level });
  const used = summary.metrics.find(({ metricName }) => metricName === usedName)?.passRate;
  const scored = trials.filter(({ error }) => error === null);
  return {
    ...decided,
    runs,
    differences: await compareAmounts(client, imports, scored, question.level),
    plan: await planOf(client, projectId, decided, scored, question),
    used: used && { estimate: used.estimate, interval: used.interval },
  };
};
