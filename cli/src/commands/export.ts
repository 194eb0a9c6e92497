import { resolve } from 'node:path';
import { writeArchive } from '../archive/write.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countsOf } from '../figures.ts';

export const exportCommand: Command = {
  name: 'export',
  takes: 'FILE',
  summary: 'Write a whole project into one archive, which dokima import makes a project of again.',
  about: `The archive is a zip of JSON lines with everything that the API says of the project: testsets, metrics with all their
configurations, systems, runs, records with scores, evidence, history and reviews, samples, rescorings, pinned sets, traces,
annotations, monitors, saved views, and the attachments of the records' sessions; who made what, and when. What comes back has new
ids, and its monitors are paused. docs/cli.md says what little stays out, and why.`,
  options: projectOption,
  examples: ['dokima export -p 1 capitals.zip', 'dokima import capitals.zip'],
  run: async ({ out, client, directory }, args, values) => {
    const [file] = takeArguments('export', args, 'The file');
    const projectId = values.required('project');
    const counts = await writeArchive(await client(), projectId, resolve(directory, file!), (text) =>
      out.progress(text),
    );
    out.progress(undefined);
    out.result(`${file}: ${countsOf(counts)}.`, { file, projectId, ...counts });
    return exit.pass;
  },
};
