import type { Attempt, Client, Run } from '../../../client/src/main.ts';
import { brokenOff } from '../broken-off.ts';
import { type Command, type Context, projectOption, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { externalFrom, externalOptions, outputsOf } from '../external.ts';
import { countOf } from '../figures.ts';
import { forecast } from '../forecast.ts';
import { bar } from '../output.ts';

const sayEnd = ({ out }: Context, run: Run, failures: { attempt: Attempt; error: unknown }[]): void => {
  const missing = failures.map(({ attempt: { testcase, trial }, error }) => ({
    testcaseId: testcase.id,
    trial,
    error: (error as Error).message ?? String(error),
  }));
  for (const { testcaseId, trial, error } of missing) out.note(`  ${testcaseId} (trial ${trial}): ${error}`);
  const lines = [`Run ${run.id}: ${countOf(run.numRecords, 'record')}, ${run.status}.`];
  if (missing.length > 0) {
    lines.push(`${missing.length} got no answer. Ask them again: the same command with --resume ${run.id}`);
  } else if (run.status === 'completed') lines.push(`See it: dokima summary ${run.id}`);
  else lines.push(`Wait for its scores: dokima watch ${run.id}`);
  out.result(lines.join('\n'), { run, missing });
};

/** The run to go on with: the one named, or the one that this same command line has left unfinished. */
const runToResume = (values: Values, unfinished: ReturnType<typeof brokenOff>): string | undefined => {
  const named = values.text('resume');
  if (named !== undefined) return named;
  if (!values.flag('continue')) return undefined;
  const runId = unfinished.find();
  if (runId === undefined) {
    throw new CliError(
      'This command line has left no run unfinished.',
      'Name it: --resume RUN. Or begin: without --continue.',
    );
  }
  return runId;
};

const checkResumed = async (client: Client, runId: string, testsetId: string): Promise<void> => {
  const run = await client.getRun(runId);
  if (run.testsetId === testsetId) return;
  throw new CliError(`Run ${runId} is not of testset ${testsetId} but of ${run.testsetId ?? 'none'}.`);
};

export const run: Command = {
  name: 'run',
  summary: 'Put every testcase of a testset to a system and record what it answers.',
  about: `The system is a command, an endpoint or a module. It gets the testcase's inputs as a JSON object and gives its outputs
as one; anything else that it gives becomes { "output": … }. Each answer is stored as soon as it is there: what Ctrl-C or a
crash breaks off is gone on with by --resume RUN, or by the same command line and --continue, and nothing is asked twice.`,
  options: {
    ...projectOption,
    testset: { type: 'string', short: 't', value: 'ID', about: 'The testset.' },
    metric: {
      type: 'string',
      short: 'm',
      multiple: true,
      value: 'ID',
      about: 'A metric; repeat it for more.',
    },
    ...externalOptions,
    'system-version': {
      type: 'string',
      value: 'ID',
      about: 'The version of the system under test, for the record.',
    },
    trials: { type: 'string', value: 'N', about: 'How often each testcase is asked. Default 1.' },
    resume: { type: 'string', value: 'RUN', about: 'Goes on with this run.' },
    continue: { type: 'boolean', about: 'Goes on with the run that this same command line left unfinished.' },
  },
  examples: [
    "dokima run -p 1 -t 2 -m 3 --command 'python bot.py'",
    'dokima run -p 1 -t 2 -m 3 -m 4 --endpoint http://localhost:8000/answer -c 16 --trials 5',
    'dokima run -p 1 -t 2 -m 3 --module ./bot.ts --resume 17',
  ],
  run: async (context, args, values) => {
    takeArguments('run', args);
    const { out, environment, directory, signal } = context;
    const projectId = values.required('project');
    const testsetId = values.required('testset');
    const metricIds = values.all('metric');
    const systemVersionId = values.text('system-version');
    const trials = values.count('trials', 1);
    const system = await externalFrom(values, directory);
    const client = await context.client();

    const named = ['command', 'endpoint', 'module'].map((name) => values.text(name));
    const unfinished = brokenOff(environment, {
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
      for (const line of await forecast(client, { projectId, testsetId, metricIds, trials })) out.note(line);
    let runId = resumed;
    try {
      const { run, failures } = await client.runAndEvaluate({
        projectId,
        testsetId,
        metricIds,
        systemVersionId,
        trials,
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
      sayEnd(context, run, failures);
      if (failures.length > 0) return exit.incomplete;
      unfinished.forget();
      return exit.pass;
    } catch (error) {
      out.progress(undefined);
      if (runId !== undefined) out.note(`Broken off. Go on with it: the same command with --resume ${runId}`);
      throw error;
    }
  },
};
