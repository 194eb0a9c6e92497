import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forPrograms } from '../../server/test/programs.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const bin = fileURLToPath(new URL('../bin/dokima.js', import.meta.url));

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it.each(['legacy', 'auto'] as const)('serves the official client of MCP on stdio: %s', async (mode) => {
  const project = await terminal.client.createProject({ name: `By ${mode}`, description: '' });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const env = { ...forPrograms(), DOKIMA_URL: terminal.url, DOKIMA_API_KEY: terminal.key };
  const transport = new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'], env });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('compare_runs');
  const { content } = await client.callTool({ name: 'list_projects', arguments: {} });
  expect((content as unknown as [{ text: string }])[0].text).toContain(`project ${project.id}: "By ${mode}"`);
  const run = await terminal.client.createRun(project.id, { metricIds: [] });
  const rawBody = '{"inputs":{"order":9007199254740993},"expected":{},"outputs":{"price":1.10,"many":1E400}}';
  const stored = await terminal.client.send({
    method: 'POST',
    path: `/api/v2/runs/${run.id}/records`,
    rawBody,
  });
  const recordId = /"id":"([^"]+)"/.exec(stored)![1]!;
  const read = await client.callTool({ name: 'read_record', arguments: { recordId } });
  const { text } = (read.content as unknown as [{ text: string }])[0];
  for (const number of ['9007199254740993', '1.10', '1E400']) expect(text).toContain(number);
  await client.close();
});

it('says on stderr that a key is missing', async () => {
  const said = await terminal.dokima(['mcp'], { stdin: '' });
  expect(said).toMatchObject({ code: 0, out: '' });
});
