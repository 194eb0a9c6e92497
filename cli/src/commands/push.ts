import { ResultsError, readResults } from '../../../client/src/results/read-results.ts';
import { markRun, upload } from '../../../client/src/results/upload.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { resolveAccess } from '../config.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';

export const push: Command = {
  name: 'push',
  waits: 'What was sent is stored. Run the command again to send the rest.',
  takes: 'FILE',
  summary: 'Send a file of results, which evaluate() or tests wrote without a service.',
  about:
    'Each evaluation in the file becomes a run, and its testcases those of a testset. Sending the same file again changes nothing.',
  options: {
    ...projectOption,
    mark: {
      type: 'string',
      multiple: true,
      value: 'MARK',
      about: 'Mark the runs, so that later ones are compared with them. Can be repeated.',
    },
  },
  examples: ['dokima push -p 12 dokima-results/Capitals/20261127-101500123-ab12.jsonl'],
  run: async ({ out, client, environment, inputPath }, args, values) => {
    const [name] = takeArguments('push', args, 'The file') as [string];
    const projectId = values.required('project');
    let read: ReturnType<typeof readResults>;
    try {
      read = readResults(await inputPath(name), { digits: true });
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      const next =
        error.line === undefined || error.line === 1 ? '' : `Correct line ${error.line}, or take it out. `;
      throw new CliError(error.message, `${next}Results of other tools: dokima import --help`);
    }
    if (read.isInterrupted)
      out.note(`The evaluation was interrupted: the file has ${countOf(read.results.length, 'result')}.`);
    const asked = await client();
    const { url } = await resolveAccess(environment, values.text('url'));
    const runs = await upload({ client: asked, url, projectId }, read.session, read.results);
    for (const { runId } of runs) for (const mark of values.all('mark')) await markRun(asked, runId, mark);
    const lines = runs.map(
      (run) => `${run.group}: run ${run.runId}, ${countOf(run.numRecords, 'record')}, ${run.url}`,
    );
    out.result(lines.join('\n'), { runs });
    return exit.pass;
  },
};
