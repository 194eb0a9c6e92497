import { createServer } from 'node:http';

/**
 * A fake model with OpenAI's chat API and Anthropic's messages API, so that the agents in this folder run without a key and
 * without the internet. It always asks for the weather, asks again if that failed, and then answers.
 */
const answer = 'It is 3 °C in Oslo.';
const input = { city: 'Oslo' };
/** Returns the tool to call next; undefined if the model can answer. Frameworks put prefixes before a tool's name. */
const toolToCall = (names, results) =>
  results.length > 0 && !JSON.stringify(results.at(-1)).includes('unavailable')
    ? undefined
    : names.find((name) => name.endsWith('weather'));

const chatCompletion = ({ model, messages, tools }) => {
  // Smolagents sends results as the user's observations.
  const isResult = ({ role, content }) =>
    role === 'tool' || (role === 'user' && JSON.stringify(content).includes('"Observation:'));
  const results = messages.filter(isResult).map(({ content }) => content);
  // Clients that declare no tools get a tool call too: see instrumented.py.
  const names = tools?.map((tool) => tool.function.name) ?? ['weather'];
  const next = toolToCall(names, results);
  // Smolagents answers by a tool.
  const name = next ?? names.find((each) => each === 'final_answer');
  const call = { name, arguments: JSON.stringify(next ? input : { answer }) };
  const message = name
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `call_${results.length + 1}`, type: 'function', function: call }],
      }
    : { role: 'assistant', content: answer };
  return {
    id: 'chatcmpl-local',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, message, finish_reason: name ? 'tool_calls' : 'stop' }],
    usage: {
      prompt_tokens: 40 + 10 * messages.length,
      completion_tokens: 12,
      total_tokens: 52 + 10 * messages.length,
    },
  };
};

const anthropicMessage = ({ model, messages, tools = [] }) => {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const results = blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => content);
  const name = toolToCall(
    tools.map((tool) => tool.name),
    results,
  );
  return {
    id: `msg_${messages.length}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      name
        ? { type: 'tool_use', id: `toolu_${results.length + 1}`, name, input }
        : { type: 'text', text: answer },
    ],
    stop_reason: name ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 40 + 10 * messages.length, output_tokens: 12 },
  };
};

/** Returns a message as the events of a stream. */
const messageEvents = ({ content: [block], stop_reason, usage, ...message }) => [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta:
      block.type === 'text'
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
  },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
];

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const body = text === '' ? {} : JSON.parse(text);
  const path = request.url.split('?', 1)[0];
  if (path.endsWith('/messages') && body.stream) {
    response.setHeader('content-type', 'text/event-stream');
    for (const event of messageEvents(anthropicMessage(body)))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  if (path.endsWith('/messages')) response.end(JSON.stringify(anthropicMessage(body)));
  else if (path.endsWith('/chat/completions')) response.end(JSON.stringify(chatCompletion(body)));
  else response.writeHead(404).end('{}');
});
const port = Number(process.env.MODEL_PORT ?? 4010);
server.listen(port, '127.0.0.1', () => console.log(`Model: http://127.0.0.1:${server.address().port}/v1`));
