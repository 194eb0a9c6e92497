import type { Run } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { bar } from '../output.ts';

const words = ({ status }: Run): string => status.replaceAll('_', ' ');

const progressOf = (run: Run): string => {
  const records = `${bar(run.numRecords, Math.max(run.numRecords, run.numExpectedRecords ?? 0))} records`;
  return `${records}, ${run.numScores} of ${run.numRecords * run.metricIds.length} scores, ${words(run)}`;
};

export const watch: Command = {
  name: 'watch',
  takes: 'RUN',
  summary: 'Follow a run until its scores are there.',
  about: 'Ends with 0 when the run is completed, with 3 when it waits for scores that people give.',
  run: async ({ out, client, signal }, args) => {
    const [runId] = takeArguments('watch', args, 'The id of the run');
    let last: Run | undefined;
    for await (const run of (await client()).watchRun(runId!, { signal })) {
      out.progress(progressOf(run));
      last = run;
    }
    out.result(
      `Run ${last!.id}: ${last!.numRecords} records, ${last!.numScores} scores, ${words(last!)}.`,
      last,
    );
    return last!.status === 'completed' ? exit.pass : exit.incomplete;
  },
};
