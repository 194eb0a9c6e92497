import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chunk, usageChunk } from './streaming-model.ts';

/** Stand-ins for model providers that speak their HTTP, with the successes and failures of real ones. */

export type Behaviour = {
  /** Text of the model's reply. An object is sent as its JSON. */
  reply?: string | object;
  /** Name and usage as answered. Default `<model>-2025-01-01`, 100 and 20 tokens. */
  model?: string;
  usage?: { input: number; output: number } | null;
  /** OpenAI's `content_filter`, `length` … */
  finish?: string;
  /** Answers with this status, and `body` as its body. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Answers 400 to a request that holds one of these parameters. `json_schema` is a kind of response_format. */
  refuses?: ('json_schema' | 'response_format' | 'temperature' | 'top_p' | 'max_tokens' | 'system')[];
  /** The words of that 400. Default names the parameter. */
  refusal?: string;
  /** Answers only after this. */
  after?: Promise<unknown>;
  /** Breaks the connection after half of the answer. */
  cut?: true;
  /** Sends this many bytes of an answer that never makes sense. */
  bytes?: number;
};

export type Received = {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  system: string;
  /** The user's and the model's messages in turn. */
  messages: string[];
};

export type ModelServer = {
  /** Base URL as a provider is configured with it. */
  url: string;
  received: Received[];
  /** What to answer from now on; a list is gone through once and its last entry repeated. */
  answer(behaviour: Behaviour | Behaviour[] | ((request: Received) => Behaviour)): void;
  /** The list of models that it answers from now on; 404 until then. */
  list(models: (object | null)[]): void;
  /** Bytes of the last answer that left for the client. */
  bytesSent(): number;
  close(): Promise<void>;
};

type Dialect = {
  path: string;
  read(body: Record<string, unknown>): Pick<Received, 'system' | 'messages'>;
  answer(text: string, model: string, behaviour: Behaviour): object;
  error(message: string): object;
};

type Message = { role: string; content: string | { text: string }[] };
const textOf = ({ content }: Message) =>
  typeof content === 'string' ? content : content.map((part) => part.text).join('');

/** OpenAI's Chat Completions, as Ollama, vLLM and llama.cpp speak it too. */
const openai: Dialect = {
  path: '/chat/completions',
  read: (body) => {
    const messages = body.messages as Message[];
    const isSystem = ({ role }: Message) => role === 'system' || role === 'developer';
    return {
      system: messages.filter(isSystem).map(textOf).join('\n'),
      messages: messages.filter((message) => !isSystem(message)).map(textOf),
    };
  },
  answer: (text, model, { usage = { input: 100, output: 20 }, finish = 'stop' }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
    ...(usage && {
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      },
    }),
  }),
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
};

/** Anthropic's Messages. */
const anthropic: Dialect = {
  path: '/messages',
  read: (body) => ({
    system: (body.system as { text: string }[]).map(({ text }) => text).join('\n'),
    messages: (body.messages as Message[]).map(textOf),
  }),
  answer: (text, model, { usage, finish = 'end_turn' }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: finish,
    stop_sequence: null,
    usage: { input_tokens: usage?.input ?? 100, output_tokens: usage?.output ?? 20 },
  }),
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

const refusedParameter = (body: Record<string, unknown>, refuses: Behaviour['refuses'] = []) =>
  refuses.find((name) =>
    name === 'system'
      ? (body.messages as Message[]).some(({ role }) => role === 'system' || role === 'developer')
      : name === 'json_schema'
        ? (body.response_format as { type?: string } | undefined)?.type === 'json_schema'
        : body[name] !== undefined,
  );

/** Sends as fast as the client reads, until it has had enough. */
const sendMany = (response: ServerResponse, bytes: number) => {
  const chunk = Buffer.alloc(65_536, 'x');
  const chunks = function* () {
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  };
  return pipeline(Readable.from(chunks()), response).catch(() => {});
};

/** The reply as a model writes it: word by word, and the tokens last. */
const streamWords = (response: ServerResponse, reply: string) => {
  const words = reply.split(/(?<= )/).map((content) => chunk({ content }));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of [...words, chunk({}, 'stop'), usageChunk(100, 20)])
    response.write(`data: ${JSON.stringify(part)}\n\n`);
  response.end('data: [DONE]\n\n');
};

/** An embedding for tests: how often each word comes, by the remainder of its letters' sum. */
const wordsOf = (text: string): number[] => {
  const vector = new Array<number>(257).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [])
    vector[[...word].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % vector.length]! += 1;
  return vector;
};

const open = async (dialect: Dialect): Promise<ModelServer> => {
  let behave: (request: Received) => Behaviour = () => ({ reply: '{}' });
  const received: Received[] = [];
  let lastAnswer: ServerResponse | undefined;
  let listed: (object | null)[] | undefined;

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    lastAnswer = response;
    let text = '';
    for await (const chunk of request) text += chunk;
    const send = (status: number, body: string, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    if (request.url?.startsWith('/v1/models') && listed)
      return send(200, JSON.stringify({ object: 'list', data: listed }));
    if (request.url === '/v1/embeddings') {
      const { input, model } = JSON.parse(text) as { input: string[]; model: string };
      received.push({
        path: request.url,
        headers: request.headers,
        body: { input, model },
        system: '',
        messages: input,
      });
      const data = input.map((one, index) => ({ object: 'embedding', index, embedding: wordsOf(one) }));
      return send(
        200,
        JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 12, total_tokens: 12 } }),
      );
    }
    if (request.url !== `/v1${dialect.path}`) return send(404, '{"error":{"message":"unknown path"}}');
    const body = JSON.parse(text);
    const question: Received = { path: request.url, headers: request.headers, body, ...dialect.read(body) };
    received.push(question);
    const behaviour = behave(question);
    await behaviour.after;
    if (behaviour.status) return send(behaviour.status, behaviour.body ?? '', behaviour.headers);
    if (behaviour.body !== undefined) return send(200, behaviour.body, behaviour.headers);
    if (behaviour.bytes) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return sendMany(response, behaviour.bytes);
    }
    const refused = refusedParameter(body, behaviour.refuses);
    if (refused) {
      const message =
        behaviour.refusal ?? `Unsupported parameter: '${refused}' is not supported with this model.`;
      return send(400, JSON.stringify(dialect.error(message)));
    }
    const { reply = '{}' } = behaviour;
    if (body.stream && dialect === openai)
      return streamWords(response, typeof reply === 'string' ? reply : JSON.stringify(reply));
    const answer = JSON.stringify(
      dialect.answer(
        typeof reply === 'string' ? reply : JSON.stringify(reply),
        behaviour.model ?? `${body.model}-2025-01-01`,
        behaviour,
      ),
    );
    if (!behaviour.cut) return send(200, answer);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.write(answer.slice(0, answer.length / 2), () => response.destroy());
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    answer: (behaviour) => {
      if (typeof behaviour === 'function') behave = behaviour;
      else {
        const left = [behaviour].flat();
        behave = () => (left.length > 1 ? left.shift()! : left[0]!);
      }
    },
    list: (models) => {
      listed = models;
    },
    bytesSent: () => lastAnswer?.socket?.bytesWritten ?? 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export const openOpenAiServer = (): Promise<ModelServer> => open(openai);
export const openAnthropicServer = (): Promise<ModelServer> => open(anthropic);

/** A gullible judge that obeys its instructions about marked text: it gives any answer that a text outside the marks asks for. */
export const gullible =
  (honest: object) =>
  ({ messages }: Received): Behaviour => {
    let readable = messages[0]!;
    const [mark] = [
      ...readable.matchAll(/marks of this message are (<untrusted-\w+>) and (<\/untrusted-\w+>)/g),
    ].slice(-1);
    if (mark) {
      const [, open, close] = mark as unknown as [string, string, string];
      for (let start = readable.indexOf(open); start >= 0; start = readable.indexOf(open)) {
        const end = readable.indexOf(close, start);
        readable = readable.slice(0, start) + (end < 0 ? '' : readable.slice(end + close.length));
      }
    }
    const order = /ANSWER (\{.*?\})/.exec(readable);
    return { reply: order?.[1] ?? honest };
  };
