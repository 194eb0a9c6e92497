import { type Client, DokimaError, type Metric, type Run, type Watched } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, countsOf } from '../figures.ts';
import { bar } from '../output.ts';

type MetricProgress = Watched['progress']['metrics'][number];

const words = ({ status }: Run): string => status.replaceAll('_', ' ');

const progressOf = (run: Run): string => {
  const records = `${bar(run.numRecords, Math.max(run.numRecords, run.numExpectedRecords ?? 0))} records`;
  return `${records}, ${run.numScores} of ${countOf(run.numRecords * run.metricIds.length, 'score')}, ${words(run)}`;
};

/** Scores that no machine gave, or is going to give. */
const missingOf = ({ failed, unscored }: MetricProgress): number => failed + unscored;

/** A deleted metric is not found any more, but its scores are still there. */
const find = async (client: Client, metricId: string): Promise<Metric | undefined> => {
  try {
    return await client.getMetric(metricId);
  } catch (error) {
    if (error instanceof DokimaError && error.status === 404) return undefined;
    throw error;
  }
};

/** Metrics that only somebody else scores: unsaid, a run that waits for them would be watched in silence, for ever. */
const waitsFor = async (client: Client, { run, progress }: Watched): Promise<string[]> => {
  if (run.status !== 'awaiting_scoring' || progress.working || progress.stoppedBy !== null) return [];
  const pending = progress.metrics.filter((metric) => metric.pending > 0);
  const metrics = await Promise.all(pending.map(({ metricId }) => find(client, metricId)));
  return metrics.flatMap((metric) =>
    metric && metric.evalType !== 'human'
      ? `Nothing here scores ${metric.name}: give its scores, as by dokima score ${run.id} -m ${metric.id}.`
      : [],
  );
};

/** What is there of each metric that lacks something, and why. */
const linesOf = async (client: Client, { run, progress }: Watched): Promise<string[]> => {
  const lines = [
    `Run ${run.id}: ${countsOf({ records: run.numRecords, scores: run.numScores })}, ${words(run)}.`,
  ];
  for (const metric of progress.metrics.filter((one) => missingOf(one) > 0)) {
    const name = (await find(client, metric.metricId))?.name ?? `Metric ${metric.metricId}`;
    const counts = [`${metric.failed} failed`, `${metric.unscored} unscored`].filter(
      (text) => !/^0 /.test(text),
    );
    lines.push(`  ${name}: ${counts.join(', ')}${metric.problem === null ? '' : `: ${metric.problem}`}`);
  }
  if (progress.stoppedBy !== null)
    lines.push('The judge budget is used up: raise it, and the scores that are pending are made.');
  return lines;
};

export const watch: Command = {
  name: 'watch',
  takes: 'RUN',
  summary: 'Follow a run until its scores are there.',
  about: `Says what keeps scores from being made as soon as it is known. Ends with 0 when every score is there, with 3 when some failed or could not be
given, when the run waits for people, or when its judge budget is used up.`,
  run: async ({ out, client: open, signal }, args) => {
    const [runId] = takeArguments('watch', args, 'The id of the run');
    const client = await open();
    let last: Watched | undefined;
    const told = new Set<string>();
    for await (const watched of client.watchRunProgress(runId!, { signal })) {
      for (const { problem, pending } of watched.progress.metrics) {
        // Of those that are tried again: what became of the others stands at the end.
        if (problem === null || pending === 0 || told.has(problem)) continue;
        told.add(problem);
        out.note(`  ${problem}`);
      }
      for (const line of await waitsFor(client, watched)) {
        if (told.has(line)) continue;
        told.add(line);
        out.note(`  ${line}`);
      }
      out.progress(progressOf(watched.run));
      last = watched;
    }
    const { run, progress } = last!;
    out.result((await linesOf(client, last!)).join('\n'), { ...run, progress });
    const isWhole = run.status === 'completed' && progress.metrics.every((metric) => missingOf(metric) === 0);
    return isWhole ? exit.pass : exit.incomplete;
  },
};
