import { type Command, takeArguments } from '../command.ts';
import { CliError } from '../errors.ts';

/** Describes a program of the service. bin/dokima.js starts it before this file is loaded, if nothing follows its name. */
const program = (name: string, summary: string, about: string): Command => ({
  name,
  summary,
  about: `${about}\nSettings are environment variables: docs/settings.md lists them.`,
  run: async (_context, args) => {
    takeArguments(name, args);
    throw new CliError(
      `dokima ${name} takes no options.`,
      'Its settings are environment variables: docs/settings.md',
    );
  },
});

export const serve = program(
  'serve',
  'Start the service with its web pages; dokima without a command does the same.',
  'The data is in .dokima of the current directory, or in the PostgreSQL database of DATABASE_URL. Ctrl-C stops the service.',
);

export const worker = program(
  'worker',
  'Start a process that only scores, beside a service on the same PostgreSQL database.',
  'It needs DATABASE_URL, and the DOKIMA_SECRET of the service.',
);
