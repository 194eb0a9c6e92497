import { finished } from 'node:stream/promises';
import { type Command, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { startOwnService } from '../files/own-service.ts';

/** Describes a program of the service. bin/dokima.js starts it itself, if its arguments are complete; otherwise this explains them. */
const program = (name: string, summary: string, about: string, ...takes: string[]): Command => ({
  name,
  summary,
  ...(takes.length > 0 && { takes: takes.join(' ') }),
  about: `${about}\nSettings are environment variables: docs/settings.md lists them.`,
  run: async (_context, args) => {
    takeArguments(name, args, ...takes);
    throw new CliError(
      `dokima ${name} takes no options.`,
      'Its settings are environment variables: docs/settings.md',
    );
  },
});

const served = program(
  'serve',
  'Start the service with its web pages; dokima without a command does the same.',
  `The data is in .dokima of the current directory, or in the PostgreSQL database of DATABASE_URL. Ctrl-C stops the service.
With --temporary the service is for the program that starts it, as evaluate() does. It prints {"url": …, "apiKey": …} as one line, and
ends when its standard input ends. Nothing of it stays.`,
);

export const serve: Command = {
  ...served,
  options: {
    temporary: {
      type: 'boolean',
      about: 'Keep the data in a temporary directory, and end with the program that started it.',
    },
  },
  run: async (context, args, values) => {
    if (!values.flag('temporary')) return served.run(context, args, values);
    takeArguments('serve', args);
    const { out, stdin, signal, environment } = context;
    // A ready metric may be code, which workers run.
    const { url, apiKey, closed, end } = await startOwnService(environment, {
      settings: { DOKIMA_WORKERS: '1' },
    });
    try {
      out.raw(`${JSON.stringify({ url, apiKey })}\n`);
      const ended = finished(stdin.resume(), { signal }).catch(() => {});
      await Promise.race([ended, closed]);
    } finally {
      await end();
    }
    return exit.pass;
  },
};

export const worker = program(
  'worker',
  'Start a process that only scores, beside a service on the same PostgreSQL database.',
  'It needs DATABASE_URL, and the DOKIMA_SECRET of the service.',
);

export const backup = program(
  'backup',
  'Write everything that the service stores to a file; - is standard output.',
  'Run it with the settings of the service, which may run at the same time. docs/operations.md says what the file holds.',
  'FILE',
);

export const restore = program(
  'restore',
  'Read a backup into an unused database; - is standard input.',
  'Run it with the settings of the service that is to have the data. The database may be of the other engine.',
  'FILE',
);

export const examine = program(
  'examine',
  'Examine the database, the disk, the clock and the queues of a service; for its operator.',
  'Run it with the settings of the service. It says what is wrong, and what to do. dokima doctor is for clients.',
);
