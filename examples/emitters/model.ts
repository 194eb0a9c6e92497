import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * A fake model for agents, so that they run without a key and without the internet. It speaks OpenAI's chat completions and
 * responses, Anthropic's messages and Gemini's generateContent, whole and as streams. It asks for the weather, then for the wind, whose
 * tool fails, and then answers; asked about tomorrow, it answers at once.
 */

type Body = Record<string, unknown>;
/** A request in the form that the script reads: texts of the user, and what tools answered since. */
type Asked = { question: string; numResults: number; numMessages: number; tools: string[]; text: string };
type Reply = { text: string } | { id: string; tool: string; input: object };
export type Usage = {
  input: number;
  cached: number;
  output: number;
  /** Makes the answer's id differ from others of the conversation: LangGraph replaces a message of the same id. */
  call: number;
};
type Dialect = {
  path: RegExp;
  read(body: Body): Asked;
  whole(reply: Reply, usage: Usage, model: string): object;
  /** The events of a stream: an optional name and a value. */
  events(reply: Reply, usage: Usage, model: string, body: Body): [name: string, value: object | string][];
};

export const answers = {
  today: 'It is 3 °C in Oslo. The wind is unknown.',
  tomorrow: 'It will be 5 °C tomorrow.',
};

const replyTo = ({ question, numResults, tools, text }: Asked): Reply => {
  const answer = question.includes('tomorrow') ? answers.tomorrow : answers.today;
  const find = (name: string) => tools.find((tool) => tool.endsWith(name));
  const wanted = question.includes('tomorrow') ? [] : ['weather', 'wind'];
  const tool = wanted[numResults] && find(wanted[numResults]);
  const id = `call_${tool ?? 'final'}_${numResults + 1}`;
  if (tool) return { id, tool, input: { city: 'Oslo' } };
  // Agents of smolagents answer by a tool.
  const final = find('final_answer');
  if (final) return { id, tool: final, input: { answer } };
  // DSPy asks for each field below a heading.
  if (text.includes('[[ ## answer ## ]]'))
    return { text: `[[ ## answer ## ]]\n${answer}\n\n[[ ## completed ## ]]` };
  return { text: answer };
};

const usageOf = ({ numMessages }: Asked): Usage => ({
  input: 100 + 10 * numMessages,
  cached: 64,
  output: 20,
  call: numMessages,
});

const objects = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []);
/** Results that smolagents sends in a message of the user: the next task may follow them. */
const smolagentsResults = ({ role, content }: Body): number => {
  const since = JSON.stringify(content ?? '')
    .split('New task:')
    .at(-1)!;
  return role === 'user' ? (since.match(/Observation:|Error executing tool/g)?.length ?? 0) : 0;
};
const isResult = (message: Body): boolean =>
  message.role === 'tool' ||
  message.type === 'function_call_output' ||
  message.role === 'tool-response' ||
  objects(message.content).some(({ type }) => type === 'tool_result') ||
  objects(message.parts).some(({ functionResponse }) => functionResponse !== undefined) ||
  smolagentsResults(message) > 0;

/** Reads a list of messages in any of the dialects. */
const asked = (messages: Body[], tools: unknown[]): Asked => {
  const last = messages.findLastIndex(
    (message) =>
      message.role === 'user' && !isResult(message) && /Oslo|tomorrow/.test(JSON.stringify(message)),
  );
  const results = messages.slice(last + 1).filter(isResult);
  return {
    question: JSON.stringify(messages[last] ?? ''),
    numResults: results.reduce(
      (sum, message) =>
        sum +
        Math.max(
          objects(message.content).filter(({ type }) => type === 'tool_result').length,
          objects(message.parts).filter(({ functionResponse }) => functionResponse !== undefined).length,
          smolagentsResults(message),
          1,
        ),
      0,
    ),
    numMessages: messages.length,
    tools: tools.filter((tool) => typeof tool === 'string'),
    text: JSON.stringify(messages),
  };
};

const chatUsage = ({ input, cached, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: 0 },
});
const chatMessage = (reply: Reply) =>
  'text' in reply
    ? { role: 'assistant', content: reply.text }
    : {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            index: 0,
            id: reply.id,
            type: 'function',
            function: { name: reply.tool, arguments: JSON.stringify(reply.input) },
          },
        ],
      };
const chatBase = ({ call }: Usage, model: string) => ({ id: `chatcmpl-${call}`, created: 1767268800, model });

const chat: Dialect = {
  path: /\/chat\/completions$/,
  read: ({ messages, tools }) =>
    asked(
      objects(messages),
      objects(tools).map((tool) => (tool.function as Body | undefined)?.name),
    ),
  whole: (reply, usage, model) => ({
    ...chatBase(usage, model),
    object: 'chat.completion',
    choices: [
      { index: 0, message: chatMessage(reply), finish_reason: 'text' in reply ? 'stop' : 'tool_calls' },
    ],
    usage: chatUsage(usage),
  }),
  events: (reply, usage, model, body) => {
    const chunk = (choices: object[], rest = {}): [string, object] => [
      '',
      { ...chatBase(usage, model), object: 'chat.completion.chunk', choices, ...rest },
    ];
    const delta = (value: object, finish_reason: string | null = null) =>
      chunk([{ index: 0, delta: value, finish_reason }]);
    const parts =
      'text' in reply
        ? reply.text.split(/(?<= )/).map((content) => delta({ content }))
        : [delta(chatMessage(reply))];
    const wantsUsage = (body.stream_options as Body | undefined)?.include_usage === true;
    return [
      delta({ role: 'assistant', content: '' }),
      ...parts,
      delta({}, 'text' in reply ? 'stop' : 'tool_calls'),
      ...(wantsUsage ? [chunk([], { usage: chatUsage(usage) })] : []),
      ['', '[DONE]'],
    ];
  },
};

const responseItem = (reply: Reply, call: number) =>
  'text' in reply
    ? {
        id: `msg_${call}`,
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }],
      }
    : {
        id: `fc_${reply.id}`,
        type: 'function_call',
        call_id: reply.id,
        name: reply.tool,
        arguments: JSON.stringify(reply.input),
        status: 'completed',
      };

const responses: Dialect = {
  path: /\/responses$/,
  read: ({ input, tools }) =>
    asked(
      typeof input === 'string' ? [{ role: 'user', content: input }] : objects(input),
      objects(tools).map(({ name }) => name),
    ),
  whole: (reply, { input, cached, output, call }, model) => ({
    id: `resp_${call}`,
    object: 'response',
    created_at: 1767268800,
    status: 'completed',
    model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    output: [responseItem(reply, call)],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  }),
  events: (reply, usage, model) => {
    const response = responses.whole(reply, usage, model);
    const item = responseItem(reply, usage.call);
    const at = { item_id: item.id, output_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [] };
    const said = 'text' in reply ? reply.text : JSON.stringify(reply.input);
    const inner: { type: string; [field: string]: unknown }[] =
      'text' in reply
        ? [
            { type: 'response.content_part.added', ...at, content_index: 0, part },
            { type: 'response.output_text.delta', ...at, content_index: 0, delta: said, logprobs: [] },
            { type: 'response.output_text.done', ...at, content_index: 0, text: said, logprobs: [] },
            { type: 'response.content_part.done', ...at, content_index: 0, part: { ...part, text: said } },
          ]
        : [
            { type: 'response.function_call_arguments.delta', ...at, delta: said },
            { type: 'response.function_call_arguments.done', ...at, arguments: said },
          ];
    const begun = { ...response, status: 'in_progress', output: [], usage: null };
    const empty = 'text' in reply ? { ...item, content: [] } : { ...item, arguments: '' };
    const events: { type: string; [field: string]: unknown }[] = [
      { type: 'response.created', response: begun },
      { type: 'response.output_item.added', output_index: 0, item: empty },
      ...inner,
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    return events.map((event, i) => [event.type, { ...event, sequence_number: i }]);
  },
};

const anthropicBlock = (reply: Reply) =>
  'text' in reply
    ? { type: 'text', text: reply.text }
    : { type: 'tool_use', id: reply.id, name: reply.tool, input: reply.input };
const anthropicUsage = ({ input, cached, output }: Usage) => ({
  input_tokens: input - cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
  output_tokens: output,
});

const anthropic: Dialect = {
  path: /\/messages$/,
  read: ({ messages, tools }) =>
    asked(
      objects(messages),
      objects(tools).map(({ name }) => name),
    ),
  whole: (reply, usage, model) => ({
    id: `msg_${usage.call}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [anthropicBlock(reply)],
    stop_reason: 'text' in reply ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: anthropicUsage(usage),
  }),
  events: (reply, usage, model) => {
    const message = { ...anthropic.whole(reply, usage, model), content: [], stop_reason: null };
    const block = anthropicBlock(reply);
    const delta =
      'text' in reply
        ? { type: 'text_delta', text: reply.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) };
    const stop = { stop_reason: 'text' in reply ? 'end_turn' : 'tool_use', stop_sequence: null };
    const start = 'text' in reply ? { ...block, text: '' } : { ...block, input: {} };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: anthropicUsage(usage) },
      { type: 'message_stop' },
    ].map((event) => [event.type, event] as [string, object]);
  },
};

const gemini: Dialect = {
  path: /:(?:stream)?[gG]enerateContent$/,
  read: ({ contents, tools }) =>
    asked(
      objects(contents),
      objects(tools).flatMap((tool) => objects(tool.functionDeclarations).map(({ name }) => name)),
    ),
  whole: (reply, { input, cached, output, call }, model) => ({
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            'text' in reply
              ? { text: reply.text }
              : { functionCall: { id: reply.id, name: reply.tool, args: reply.input } },
          ],
        },
      },
    ],
    modelVersion: model,
    responseId: `response-${call}`,
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
  }),
  events: (reply, usage, model) => [['', gemini.whole(reply, usage, model)]],
};

const dialects = [chat, responses, anthropic, gemini];

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Answers a call of the model. Returns what it bills; undefined if the path is not of a model. */
const answerCall = async (request: IncomingMessage, response: ServerResponse): Promise<Usage | undefined> => {
  const path = request.url!.split('?', 1)[0]!;
  const dialect = dialects.find((one) => one.path.test(path));
  if (!dialect) return undefined;
  const body = JSON.parse(String(await readBody(request))) as Body;
  const ask = dialect.read(body);
  const reply = replyTo(ask);
  const usage = usageOf(ask);
  const model = String(body.model ?? /models\/([^:]+):/.exec(path)?.[1]);
  const isStream = body.stream === true || path.includes(':stream');
  response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
  if (isStream)
    for (const [name, value] of dialect.events(reply, usage, model, body))
      response.write(
        `${name && `event: ${name}\n`}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`,
      );
  response.end(isStream ? '' : JSON.stringify(dialect.whole(reply, usage, model)));
  return usage;
};

/** A server that is a model, and takes what programs export under /v1/traces. */
export const openServer = (exported: (body: Buffer, headers: IncomingMessage['headers']) => void) => {
  const billed: Usage[] = [];
  const server: Server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') {
      exported(await readBody(request), request.headers);
      response.setHeader('content-type', request.headers['content-type'] ?? 'application/json').end();
      return;
    }
    const usage = await answerCall(request, response);
    if (usage) billed.push(usage);
    else response.writeHead(404).end('{}');
  });
  return { server, billed };
};
