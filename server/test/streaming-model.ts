import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One chunk of a streamed reply, as OpenAI's Chat Completions send it. */
export const chunk = (delta: object, finish: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'small-2025',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** The chunk with the tokens, which comes last. */
export const usageChunk = (input: number, output: number) => ({
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
});

/** A provider on loopback that streams the chunks that `chunks` gives for the body of a request. */
export const openStreaming = async (chunks: (body: string) => object[]) => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of chunks(body)) response.write(`data: ${JSON.stringify(each)}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
