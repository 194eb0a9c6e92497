import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { createClient } from '../../../client/src/main.ts';
import type { Command, Context } from '../command.ts';
import { defaultUrl, requireUrl, writeConfig } from '../config.ts';
import { CliError, exit } from '../errors.ts';

const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Reads one line of stdin. On a terminal it asks for the line and does not show what is typed. */
const readKey = async ({ stdin, out, signal }: Context): Promise<string> => {
  if (stdin.isTTY) out.note('API key (it is not shown):');
  const lines = createInterface({ input: stdin, output: silent(), terminal: stdin.isTTY === true });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    signal.throwIfAborted();
  }
};

export const login: Command = {
  name: 'login',
  takes: '[URL]',
  summary: 'Save the address of a service and a key for it.',
  about: `Reads the key from stdin, so that no process list and no shell history shows it. Saves both to
$XDG_CONFIG_HOME/dokima/config.json (by default below ~/.config), which only you can read. DOKIMA_URL and DOKIMA_API_KEY take
precedence.`,
  examples: ['dokima login http://localhost:3000', 'dokima login https://dokima.example.com < key.txt'],
  run: async (context, args, values) => {
    const { environment, out, signal } = context;
    if (args.length > 1) throw new CliError(`Unexpected argument '${args[1]}'.`, 'See dokima login --help');
    const url = requireUrl(args[0] ?? values.text('url') ?? environment.DOKIMA_URL ?? defaultUrl);
    const apiKey = await readKey(context);
    if (!apiKey.startsWith('ak_')) {
      throw new CliError(
        'This is not an API key: keys begin with ak_.',
        'The server prints a key at its first start.',
      );
    }
    const me = await createClient({ baseUrl: url, apiKey }).getMe({ signal });
    const path = await writeConfig(environment, { url, apiKey });
    const text = `Logged in to ${url} as ${me.user.name} of ${me.organization.name}. Saved in ${path}.`;
    out.result(text, { url, user: me.user, organization: me.organization, savedIn: path });
    return exit.pass;
  },
};
