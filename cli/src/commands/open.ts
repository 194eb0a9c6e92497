import { spawn } from 'node:child_process';
import { rootOf } from '../../../client/src/http.ts';
import { type Command, projectOption } from '../command.ts';
import { resolveAccess } from '../config.ts';
import { CliError, exit } from '../errors.ts';

/** The program that opens an address in the browser of this system. */
const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

export const open: Command = {
  name: 'open',
  takes: '[RUN]',
  summary: 'Open a project, or one of its runs, in the browser.',
  about: 'Prints the address too. Without a terminal, and with --json, it only prints it.',
  options: projectOption,
  examples: ['dokima open -p 12', 'dokima open 17'],
  run: async ({ out, client, environment, stdin }, args, values) => {
    const [runId, more] = args;
    if (more !== undefined) throw new CliError('open takes one run at most.', 'See dokima open --help');
    const { url } = await resolveAccess(environment, values.text('url'));
    // The run says in which project it is.
    const projectId =
      runId === undefined
        ? values.required('project')
        : (await (await client()).getRunDetails(runId)).projectId;
    const address = `${rootOf(url)}/projects/${projectId}${runId === undefined ? '' : `/runs/${runId}`}`;
    out.result(address, { url: address });
    if (stdin.isTTY && !out.json) {
      const [command, ...words] = openers[process.platform] ?? ['xdg-open'];
      const child = spawn(command!, [...words, address], { stdio: 'ignore', detached: true });
      child.once('error', () => {});
      child.unref();
    }
    return exit.pass;
  },
};
