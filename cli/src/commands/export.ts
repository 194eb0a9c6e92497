import { resolve } from 'node:path';
import { countsOfRows, writeArchive } from '../archive.ts';
import { type Command, nothingIsLeft, projectOption, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countsOf } from '../figures.ts';

export const exportCommand: Command = {
  name: 'export',
  waits: nothingIsLeft,
  takes: 'FILE',
  summary: 'Write a whole project to one file, from which dokima import creates an equal project.',
  about: `The archive is JSON lines with everything that the API says about the project: testsets, metrics with all their configurations,
systems, runs, records with scores, evidence, history and reviews, samples, rescorings, pinned sets, traces, annotations, monitors,
saved views, attachments of the records' sessions, and the author and time of each. The imported project has new ids, and its
monitors are paused. - is standard output. docs/cli.md says what the archive does not hold.`,
  options: projectOption,
  examples: ['dokima export -p 12 capitals.ndjson', 'dokima import capitals.ndjson'],
  run: async ({ out, client, directory, signal }, args, values) => {
    const [file] = takeArguments('export', args, 'The file');
    const projectId = values.required('project');
    if (file === '-') {
      const archive = await (await client()).exportProject(projectId, { signal });
      for await (const chunk of archive) await out.bytes(chunk);
      return exit.pass;
    }
    const path = resolve(directory, file!);
    const rows = await writeArchive(await client(), projectId, path, (text) => out.progress(text), signal);
    out.progress(undefined);
    out.result(`${file}: ${countsOf(countsOfRows(rows))}.`, { file, projectId, rows });
    return exit.pass;
  },
};
