import { Readable, Writable } from 'node:stream';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';

export const mcp: Command = {
  name: 'mcp',
  looksAs: 'mcp',
  summary: 'Give a coding agent the tools of the service, by the Model Context Protocol on stdin and stdout.',
  about: `An agent starts this command itself. The tools are those of the service's own address /mcp, with the rights of your key. It ends when
the agent closes stdin.`,
  examples: ['claude mcp add dokima -- dokima mcp'],
  run: async ({ client, stdin, out, signal }, args) => {
    takeArguments('mcp', args);
    const operations = await client();
    // Loaded here, so that no other command waits for it.
    const [{ serveStdio, StdioServerTransport }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('../../../client/src/agents/mcp-server.ts'),
    ]);
    const stdout = new Writable({
      write: (chunk, _encoding, done) => {
        out.raw(String(chunk));
        done();
      },
    });
    const input = Readable.from(stdin, { objectMode: false });
    const handle = serveStdio(() => mcpServer(operations), {
      transport: new StdioServerTransport(input, stdout),
      onerror: (error) => out.note(`dokima mcp: ${error.message}`),
    });
    await new Promise<void>((done) => {
      input.once('end', done).once('error', () => done());
      signal.addEventListener('abort', () => done());
    });
    await handle.close();
    return exit.pass;
  },
};
