import { resolve } from 'node:path';
import { countsOfRows, writeArchive } from '../archive.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countsOf } from '../figures.ts';

export const exportCommand: Command = {
  name: 'export',
  takes: 'FILE',
  summary: 'Write a whole project into one archive, which dokima import makes a project of again.',
  about: `The archive holds everything that the API says of the project, as lines of JSON: testsets, metrics with all their
configurations, systems, runs, records with scores, evidence, history and reviews, samples, rescorings, pinned sets, traces,
annotations, monitors, saved views, and the attachments of the records' sessions; who made what, and when. What comes back has new
ids, and its monitors are paused. docs/cli.md says what stays out, and why.`,
  options: projectOption,
  examples: ['dokima export -p 1 capitals.ndjson', 'dokima import capitals.ndjson'],
  run: async ({ out, client, directory, signal }, args, values) => {
    const [file] = takeArguments('export', args, 'The file');
    const projectId = values.required('project');
    const path = resolve(directory, file!);
    const rows = await writeArchive(await client(), projectId, path, (text) => out.progress(text), signal);
    out.progress(undefined);
    out.result(`${file}: ${countsOf(countsOfRows(rows))}.`, { file, projectId, rows });
    return exit.pass;
  },
};
