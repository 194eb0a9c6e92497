import type { Attempt, Client, Run } from '../../../client/src/main.ts';
import { operationsOver } from '../../../client/src/operations.ts';
import { commitOfCi, commitTag } from '../../../client/src/results/merge-base.ts';
import { evaluationCalls } from '../../../client/src/run-and-evaluate.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { type Command, type Context, projectOption, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { externalFrom, externalOptions, outputsOf, readOutputs } from '../external.ts';
import { countOf } from '../figures.ts';
import { forecast } from '../forecast.ts';
import { metricOptions, metricsOf } from '../metrics-of.ts';
import { bar } from '../output.ts';
import { statusText } from '../run-status.ts';
import { unfinishedRun } from '../unfinished-run.ts';

/** Calls whose inputs and outputs keep every digit. */
const exactly = (client: Client) => evaluationCalls(operationsOver(client.send, parseAsWritten));

type Missing = { testcaseId: string; trial: number; error: string };

/** Describes the calls without an answer. Calls with the same error share a line. */
const missingLines = (missing: readonly Missing[]): string[] =>
  [...Map.groupBy(missing, ({ error }) => error)].map(([error, [first, ...others]]) =>
    others.length === 0
      ? `  ${first!.testcaseId} (trial ${first!.trial}): ${error}`
      : `  ${countOf(others.length + 1, 'call')}, the first for ${first!.testcaseId} (trial ${first!.trial}): ${error}`,
  );

const printResult = async (
  { out }: Context,
  client: Client,
  run: Run,
  failures: { attempt: Attempt; error: unknown }[],
): Promise<void> => {
  const missing = failures.map(({ attempt: { testcase, trial }, error }) => ({
    testcaseId: testcase.id,
    trial,
    error: (error as Error).message ?? String(error),
  }));
  for (const line of missingLines(missing)) out.note(line);
  const status = statusText(run, (await client.getRunDetails(run.id)).progress);
  const lines = [`Run ${run.id}: ${countOf(run.numRecords, 'record')}, ${status}.`];
  if (missing.length > 0) {
    const failed = `${countOf(missing.length, 'call')} got no answer.`;
    lines.push(`${failed} To repeat them, run the same command with --resume ${run.id}`);
  } else if (run.status === 'completed') lines.push(`See the scores: dokima summary ${run.id}`);
  else lines.push(`Wait for the scores: dokima watch ${run.id}`);
  out.result(lines.join('\n'), { run, missing });
};

/** Returns the run to continue: the one of --resume, or with --continue the unfinished run of this command line. */
const runToResume = (values: Values, unfinished: ReturnType<typeof unfinishedRun>): string | undefined => {
  const named = values.text('resume');
  if (named !== undefined) return named;
  if (!values.flag('continue')) return undefined;
  const runId = unfinished.find();
  if (runId === undefined) {
    throw new CliError(
      'This command line has no unfinished run.',
      'Name the run with --resume RUN, or start a new run without --continue.',
    );
  }
  return runId;
};

const checkResumed = async (client: Client, runId: string, testsetId: string): Promise<void> => {
  const run = await client.getRun(runId);
  if (run.testsetId === testsetId) return;
  throw new CliError(
    `Run ${runId} belongs to ${run.testsetId ? `testset ${run.testsetId}` : 'no testset'}, not to testset ${testsetId}.`,
    'Check --resume and --testset.',
  );
};

export const run: Command = {
  name: 'run',
  waits: 'What was answered is stored. Continue with --continue, or with --resume and the number of the run.',
  summary: 'Call a system with every testcase of a testset and store its answers as records.',
  about: `The system is a command, an endpoint or a module. It gets the inputs of a testcase as a JSON object and returns its outputs as a
JSON object; anything else is stored as { "output": … }. Each answer is stored as soon as it arrives. After Ctrl-C or a crash,
continue with --resume RUN, or repeat the same command with --continue. Testcases that were already answered are not asked again.`,
  options: {
    ...projectOption,
    testset: { type: 'string', short: 't', value: 'ID', about: 'Testset.' },
    split: { type: 'string', value: 'NAME', about: 'Only the testcases of this split of the testset.' },
    fresh: {
      type: 'string',
      value: 'N',
      about: 'Take so many fresh testcases, which ride along for the wear of the testset (docs/testsets.md).',
    },
    ...metricOptions,
    ...externalOptions,
    'system-version': {
      type: 'string',
      value: 'ID',
      about: 'Version of the system under test, to store with the run.',
    },
    trials: { type: 'string', value: 'N', about: 'Number of calls for each testcase. Default 1.' },
    resume: { type: 'string', value: 'RUN', about: 'Continue this run.' },
    continue: { type: 'boolean', about: 'Continue the run that this same command line left unfinished.' },
  },
  examples: [
    "dokima run -p 12 -t 2 -m 3 --command 'python bot.py'",
    'dokima run -p 12 -t 2 -m 3 -m 4 --endpoint http://localhost:8000/answer -c 16 --trials 5',
    "dokima run -p 12 -t 2 --metric-group Release --command 'python bot.py'",
    'dokima run -p 12 -t 2 -m 3 --module ./bot.ts --resume 17',
  ],
  run: async (context, args, values) => {
    takeArguments('run', args);
    const { out, environment, directory, signal } = context;
    const projectId = values.required('project');
    const testsetId = values.required('testset');
    const split = values.text('split');
    const systemVersionId = values.text('system-version');
    const trials = values.count('trials', 1);
    const system = await externalFrom(values, directory, readOutputs);
    const client = await context.client();
    const commit = commitOfCi(environment);
    const metricIds = await metricsOf(client, projectId, values);

    const named = ['command', 'endpoint', 'module'].map((name) => values.text(name));
    const unfinished = unfinishedRun(environment, {
      projectId,
      testsetId,
      metricIds,
      systemVersionId,
      trials,
      named,
    });
    const resumed = runToResume(values, unfinished);
    if (resumed !== undefined) await checkResumed(client, resumed, testsetId);
    else
      for (const line of await forecast(client, { projectId, testsetId, split, metricIds, trials }))
        out.note(line);
    let runId = resumed;
    try {
      const { run, failures } = await exactly(client).runAndEvaluate({
        projectId,
        testsetId,
        split,
        fresh: values.count('fresh', 0),
        metricIds,
        systemVersionId,
        trials,
        tags: commit === undefined ? [] : [commitTag(commit)],
        concurrency: values.count('concurrency', 4),
        runId: resumed,
        onSystemError: 'skip',
        signal,
        system: async (inputs) => outputsOf(await system(inputs, signal)),
        onProgress: ({ runId: id, done, total }) => {
          if (runId !== id) {
            runId = id;
            out.note(`Run ${id}`);
            unfinished.remember(id);
          }
          out.progress(bar(done, total));
        },
      });
      out.progress(undefined);
      await printResult(context, client, run, failures);
      if (failures.length > 0) return exit.incomplete;
      unfinished.forget();
      return exit.pass;
    } catch (error) {
      out.progress(undefined);
      if (runId !== undefined)
        out.note(`Run ${runId} is not finished. To continue it, run the same command with --resume ${runId}`);
      throw error;
    }
  },
};
