import { type Client, DokimaError, type Metric, type Watched } from '../../../client/src/main.ts';
import { type Command, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, countsOf } from '../figures.ts';
import { bar } from '../output.ts';
import { callErrors, statusText } from '../run-status.ts';
import { untilDecided } from '../until-decided.ts';

type MetricProgress = Watched['progress']['metrics'][number];

const progressOf = ({ run, progress }: Watched): string => {
  const records = `${bar(run.numRecords, Math.max(run.numRecords, run.numExpectedRecords ?? 0))} records`;
  return `${records}, ${run.numScores} of ${countOf(run.numRecords * run.metricIds.length, 'score')}, ${statusText(run, progress)}`;
};

/** Counts scores that are missing, or do not fit the metric, and that no machine will give. */
const missingOf = ({ failed, unscored, invalid }: MetricProgress): number => failed + unscored + invalid;

/** Returns undefined for a deleted metric; its scores are still there. */
const find = async (client: Client, metricId: string): Promise<Metric | undefined> => {
  try {
    return await client.getMetric(metricId);
  } catch (error) {
    if (error instanceof DokimaError && error.status === 404) return undefined;
    throw error;
  }
};

/** Names the metrics that nothing on the server scores. Without this line the command would wait for them in silence. */
const unscoredByServer = async (client: Client, { run, progress }: Watched): Promise<string[]> => {
  if (run.status !== 'awaiting_scoring' || progress.working || progress.stoppedBy !== null) return [];
  const pending = progress.metrics.filter((metric) => metric.pending > 0);
  const metrics = await Promise.all(pending.map(({ metricId }) => find(client, metricId)));
  return metrics.flatMap((metric) =>
    metric && metric.evalType !== 'human'
      ? `A client must send the scores of ${metric.name}, for example: dokima score ${run.id} -m ${metric.id}`
      : [],
  );
};

/** Describes the calls of the system that wait for another attempt. */
const waitingCalls = async (client: Client, { run, progress }: Watched): Promise<string[]> => {
  if (progress.numRetriedCalls === 0) return [];
  return (await callErrors(client, run.id)).filter((line) => line.includes(' waiting'));
};

/** Describes the run, and each metric with missing scores and their reason. */
const linesOf = async (client: Client, { run, progress }: Watched): Promise<string[]> => {
  const lines = [
    `Run ${run.id}: ${countsOf({ records: run.numRecords, scores: run.numScores })}, ${statusText(run, progress)}.`,
  ];
  if (progress.numFailedCalls > 0)
    for (const line of await callErrors(client, run.id)) lines.push(`  ${line}`);
  for (const metric of progress.metrics.filter((one) => missingOf(one) > 0)) {
    const name = (await find(client, metric.metricId))?.name ?? `Metric ${metric.metricId}`;
    const counts = [
      `${metric.failed} failed`,
      `${metric.unscored} unscored`,
      `${metric.invalid} invalid`,
    ].filter((text) => !/^0 /.test(text));
    lines.push(`  ${name}: ${counts.join(', ')}${metric.reason === null ? '' : `: ${metric.reason}`}`);
  }
  if (progress.stoppedBy !== null)
    lines.push('The judge budget is used up. Raise it to get the pending scores.');
  return lines;
};

/** Says that only a client can continue the run: no record is expected, or the server gives none of the pending scores. */
const onlyClients = ({ run, progress }: Watched, scoredByClients: readonly string[]): boolean =>
  scoredByClients.length > 0 || (run.status === 'pending' && !progress.working);

/** Stops `watching` after a time, without an error. */
async function* within(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  watching: (signal: AbortSignal) => AsyncIterable<Watched>,
): AsyncGenerator<Watched> {
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  try {
    yield* watching(limit ? AbortSignal.any([signal, limit]) : signal);
  } catch (error) {
    if (!limit?.aborted || signal.aborted) throw error;
  }
}

/** Returns the function that looks whether the run is decided, if that is asked for. */
const lookOf = (client: Client, values: Values, note: (line: string) => void) => {
  const baselineId = values.text('until-decided');
  const numLooks = values.has('looks') ? values.count('looks', 1) : undefined;
  if (baselineId !== undefined) return untilDecided(client, { baselineId, numLooks }, note);
  if (numLooks !== undefined) throw new CliError('--looks needs --until-decided BASELINE.');
  return undefined;
};

export const watch: Command = {
  name: 'watch',
  takes: 'RUN',
  summary: 'Follow a run until all scores are there.',
  about: `Also says what blocks the scores, as soon as it is known. Exit code: 0 every score is there; 3 some calls or scores failed, are
unscored or do not fit their metric, the run waits for people or for a client, its judge budget is used up, or --timeout is over.`,
  options: {
    timeout: {
      type: 'string',
      value: 'SECONDS',
      about:
        'Stop after so long, with exit code 3. With it, the command also waits for records and scores of clients.',
    },
    'until-decided': {
      type: 'string',
      value: 'BASELINE',
      about:
        'Cancel the rest of the run once every metric is better or worse than in this run, by a test that allows any number of looks.',
    },
    looks: {
      type: 'string',
      value: 'COUNT',
      about:
        'With --until-decided: look only this many times, at equal shares of the testcases. Finds about twice as many small differences.',
    },
  },
  examples: [
    'dokima watch 17',
    'dokima watch 17 --until-decided 12',
    'dokima watch 17 --until-decided 12 --looks 4',
  ],
  run: async ({ out, client: open, signal }, args, values) => {
    const [runId] = takeArguments('watch', args, 'The id of the run');
    const client = await open();
    let last: Watched | undefined;
    const printed = new Set<string>();
    const look = lookOf(client, values, (line) => out.note(line));
    const timeoutMs = values.has('timeout') ? values.count('timeout', 1) * 1_000 : undefined;
    for await (const watched of within(timeoutMs, signal, (until) =>
      client.watchRunProgress(runId!, { signal: until }),
    )) {
      const blocked = watched.progress.reason;
      if (blocked !== null && !printed.has(blocked)) {
        printed.add(blocked);
        out.note(`  ${blocked}`);
      }
      for (const { reason, pending } of watched.progress.metrics) {
        // Only problems of scores that will be retried. The others are in the final result.
        if (reason === null || pending === 0 || printed.has(reason)) continue;
        printed.add(reason);
        out.note(`  ${reason}`);
      }
      const scoredByClients = await unscoredByServer(client, watched);
      for (const line of scoredByClients) {
        if (printed.has(line)) continue;
        printed.add(line);
        out.note(`  ${line}`);
      }
      for (const line of await waitingCalls(client, watched)) {
        if (printed.has(line)) continue;
        printed.add(line);
        out.note(`  ${line}`);
      }
      out.progress(progressOf(watched));
      last = watched;
      const decided = await look?.(watched);
      if (decided) {
        out.progress(undefined);
        out.result(decided.join('\n'), { ...watched.run, decided });
        return exit.pass;
      }
      if (timeoutMs === undefined && onlyClients(watched, scoredByClients)) break;
    }
    if (!last)
      throw new CliError(
        `Run ${runId} was not read within the --timeout.`,
        'Give a longer --timeout.',
        exit.incomplete,
      );
    const { run, progress } = last;
    out.result((await linesOf(client, last)).join('\n'), { ...run, progress });
    const isComplete =
      run.status === 'completed' &&
      progress.numErrors === 0 &&
      progress.metrics.every((metric) => missingOf(metric) === 0);
    return isComplete ? exit.pass : exit.incomplete;
  },
};
