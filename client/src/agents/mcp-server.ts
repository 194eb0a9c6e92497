import { Server } from '@modelcontextprotocol/server';
import type { Operations } from '../generated.ts';
import { callTool, inputSchemaOf, instructions, outputSchemaOf, tools } from './call-tool.ts';

/** Returns a server of the Model Context Protocol whose tools ask through a client. It serves one connection or request. */
export const mcpServer = (client: Operations): Server => {
  const server = new Server(
    { name: 'dokima', title: 'Dokima', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchemaOf(tool),
      ...(tool.result && { outputSchema: outputSchemaOf(tool)! }),
      annotations: { readOnlyHint: tool.reads, destructiveHint: false, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { text, data, isError } = await callTool(client, params.name, params.arguments ?? {});
    return { content: [{ type: 'text', text }], ...(data && { structuredContent: data }), isError };
  });
  return server;
};
