import { readFile } from 'node:fs/promises';
import type { Client, EstimateRunBody, RunSummary } from '../../../client/src/main.ts';
import {
  cellsOf,
  costText,
  createDesign,
  mostCells,
  type Persona,
  type Scenario,
  userConfig,
  userSystem,
} from '../../../client/src/simulation.ts';
import { upsertVersion } from '../../../client/src/versions.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { isConfirmed } from '../ask.ts';
import {
  type Command,
  type Context,
  projectOption,
  serviceGoesOn,
  takeArguments,
  type Values,
} from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { metricOptions, metricsOf } from '../metrics-of.ts';
import { bar, table } from '../output.ts';
import { callErrors, statusText } from '../run-status.ts';

type Design = { name?: string; personas: Persona[]; scenarios: Scenario[] };

const isNamed = (item: unknown): boolean =>
  typeof (item as { name?: unknown } | null)?.name === 'string' && (item as { name: string }).name !== '';

const readDesign = async (inputPath: Context['inputPath'], file: string): Promise<Design> => {
  const wrong = (what: string) =>
    new CliError(
      `${file}: ${what}`,
      'Write {"personas": [{"name", "traits"}], "scenarios": [{"name", "situation", "goal"}]}',
    );
  const text = await readFile(await inputPath(file), 'utf8').catch((error: Error) => {
    throw wrong(error.message);
  });
  let design: Design;
  try {
    design = parseAsWritten(text) as Design;
  } catch (error) {
    throw wrong(`is not JSON: ${(error as Error).message}`);
  }
  for (const part of ['personas', 'scenarios'] as const) {
    const items = design?.[part];
    if (!Array.isArray(items) || items.length === 0 || !items.every(isNamed))
      throw wrong(`${part} must be a list of objects with a name`);
    if (new Set(items.map(({ name }) => name)).size < items.length)
      throw wrong(`${part} must have different names`);
  }
  if (design.personas.length * design.scenarios.length > mostCells)
    throw wrong(`personas × scenarios must be at most ${mostCells}`);
  return design;
};

type Stored = {
  testsetId: string;
  simulation: { userVersionId?: string; maxTurns?: number; replayOf?: string };
};
/** A simulation as its cost is estimated, and what stores the parts of it that are new. The estimate writes nothing. */
type Plan = {
  asked: Pick<EstimateRunBody, 'testsetId' | 'testcases' | 'simulation' | 'userConfig'>;
  store: () => Promise<Stored>;
  trials?: number;
};

const planOf = (stored: Stored, trials?: number): Plan => ({
  asked: stored,
  store: async () => stored,
  ...(trials !== undefined && { trials }),
});

/** The simulation of an earlier run, to hold again or to replay. */
const planOfRun = async (client: Client, runId: string, isReplay: boolean, values: Values): Promise<Plan> => {
  const { testsetId, simulation, numExpectedRecords } = await client.getRunDetails(runId);
  if (!simulation || testsetId === null)
    throw new CliError(`Run ${runId} is not a simulation.`, 'Name a run that dokima simulate started.');
  if (isReplay) return planOf({ testsetId, simulation: { replayOf: runId } });
  const { userVersionId, maxTurns } = simulation;
  if (userVersionId === null)
    throw new CliError(`Run ${runId} is a replay.`, 'Name the simulation that it replays.');
  let testcases = 0;
  for await (const _ of client.listTestcases(testsetId)) testcases++;
  const trials = Math.max(1, Math.round((numExpectedRecords ?? 0) / Math.max(1, testcases)));
  return planOf({ testsetId, simulation: { userVersionId, maxTurns } }, values.count('trials', trials));
};

const planOfFile = async (
  { inputPath }: Context,
  client: Client,
  projectId: string,
  file: string,
  values: Values,
): Promise<Plan> => {
  const { name, personas, scenarios } = await readDesign(inputPath, file);
  const maxTurns = values.count('max-turns', 10);
  const userVersionId = values.text('user-version');
  const user =
    userVersionId === undefined
      ? await userConfig(client, projectId, values.required('user-model'))
      : undefined;
  const testsetId = values.text('testset');
  return {
    asked: {
      ...(testsetId === undefined ? { testcases: cellsOf(personas, scenarios) } : { testsetId }),
      simulation: { maxTurns, ...(userVersionId !== undefined && { userVersionId }) },
      ...(user && { userConfig: user }),
    },
    store: async () => ({
      testsetId: testsetId ?? (await createDesign(client, projectId, name ?? file, personas, scenarios)),
      simulation: {
        maxTurns,
        userVersionId: userVersionId ?? (await upsertVersion(client, projectId, userSystem, user!)).id,
      },
    }),
    trials: values.count('trials', 1),
  };
};

const rowsOf = ({ groups }: Pick<NonNullable<RunSummary['breakdown']>, 'groups'>) =>
  groups.flatMap(({ value, numRecords, metrics }) =>
    metrics.map(({ metricName, passRate }) => [
      value,
      numRecords,
      metricName,
      percent(passRate.estimate),
      intervalText(passRate.interval, percent),
    ]),
  );

/** The rates by persona and by scenario, and over the table. */
const resultText = ({ breakdown, metrics }: RunSummary): string => {
  const crossed = breakdown?.crossed;
  if (!breakdown || !crossed || metrics.length === 0) return 'The run has no metric.';
  const heads = (by: string) => [by, 'conversations', 'metric', 'pass rate', 'interval'];
  const over = crossed.passRates.map(({ passRate }, i) => [
    metrics[i]!.metricName,
    percent(passRate.estimate),
    intervalText(passRate.interval, percent),
  ]);
  return [
    table(heads('persona'), rowsOf(breakdown)),
    table(heads('scenario'), rowsOf(crossed)),
    `For other personas and scenarios like these:\n${table(['metric', 'pass rate', 'interval'], over)}`,
  ].join('\n\n');
};

const follow = async ({ out, signal }: Context, client: Client, runId: string): Promise<number> => {
  let last: { status: string; numErrors: number } | undefined;
  for await (const { run, progress } of client.watchRunProgress(runId, { signal })) {
    const done = bar(run.numRecords, Math.max(run.numRecords, run.numExpectedRecords ?? 0));
    out.progress(`${done} conversations, ${statusText(run, progress)}`);
    last = { status: run.status, numErrors: progress.numErrors };
  }
  out.progress(undefined);
  for (const line of await callErrors(client, runId)) out.note(line);
  const summary = await client.summarizeRun(runId, { by: 'inputs.persona', across: 'inputs.scenario' });
  out.result(
    `Run ${runId}: ${countOf(summary.numRecords, 'conversation')}.\n\n${resultText(summary)}`,
    summary,
  );
  return last?.status === 'completed' && last.numErrors === 0 ? exit.pass : exit.incomplete;
};

export const simulate: Command = {
  name: 'simulate',
  waits: serviceGoesOn,
  takes: '[FILE]',
  summary: 'Let simulated users talk to a system: each persona with each scenario.',
  about: `FILE is JSON: { "personas": [{ "name", "traits" }], "scenarios": [{ "name", "situation", "goal", "opening" }] }. Other fields of a
scenario go to the system. The service holds the conversations; the system is a version that it can call. The command estimates the cost first.
With --replay the user's messages of an earlier simulation are sent again, word for word. Exit code: 0 every conversation was held.`,
  options: {
    ...projectOption,
    'system-version': { type: 'string', value: 'ID', about: 'Version of the system under test.' },
    'user-model': {
      type: 'string',
      value: 'MODEL',
      about: 'Model that plays the user, such as gpt-4o-mini.',
    },
    'user-version': {
      type: 'string',
      value: 'ID',
      about: 'System version with your own prompt that plays the user.',
    },
    testset: {
      type: 'string',
      short: 't',
      value: 'ID',
      about: 'Testset of an earlier start with this FILE.',
    },
    ...metricOptions,
    trials: {
      type: 'string',
      value: 'N',
      about:
        'Conversations of each persona with each scenario. Default 1; with --again, the number of that simulation.',
    },
    'max-turns': {
      type: 'string',
      value: 'N',
      about: 'Maximum number of replies of the system in a conversation. Default 10.',
    },
    again: { type: 'string', value: 'RUN', about: 'Hold the conversations of this simulation again.' },
    replay: { type: 'string', value: 'RUN', about: "Send the user's messages of this simulation again." },
    yes: { type: 'boolean', short: 'y', about: 'Start without asking.' },
  },
  examples: [
    'dokima simulate users.json -p 12 --system-version ID --user-model gpt-4o-mini -m 3 --trials 3',
    'dokima simulate -p 12 --again 17 --system-version ID -m 3 --yes',
    'dokima simulate -p 12 --replay 17 --system-version ID -m 3 --yes',
  ],
  run: async (context, args, values) => {
    const [again, replay] = [values.text('again'), values.text('replay')];
    if ([args[0], again, replay].filter((given) => given !== undefined).length !== 1)
      throw new CliError('Give a FILE, --again RUN or --replay RUN.', 'See dokima simulate --help');
    if (args.length > 1) takeArguments('simulate', args.slice(1));
    const projectId = values.required('project');
    const systemVersionId = values.required('system-version');
    const client = await context.client();
    const metricIds = await metricsOf(client, projectId, values);
    const earlier = again ?? replay;
    const { asked, store, trials } =
      earlier === undefined
        ? await planOfFile(context, client, projectId, args[0]!, values)
        : await planOfRun(client, earlier, replay !== undefined, values);
    const body = { systemVersionId, metricIds, ...(trials !== undefined && { trials }) };
    context.out.note(costText(await client.estimateRun(projectId, { ...body, ...asked })));
    if (!(await isConfirmed(context, values))) {
      context.out.note('Nothing was started or stored.');
      return exit.pass;
    }
    const { id } = await client.createRun(projectId, { ...body, ...(await store()), execute: true });
    context.out.note(`Run ${id}`);
    return follow(context, client, id);
  },
};
