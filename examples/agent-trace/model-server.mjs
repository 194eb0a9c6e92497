import { createServer } from 'node:http';

/**
 * Speaks OpenAI's chat API and always plays the same part: it asks for the weather, asks again when that failed, and then
 * answers. So the agents beside it run without a key and without the internet.
 */
const answerTo = (messages) => {
  const results = messages.filter(({ role }) => role === 'tool');
  const last = JSON.stringify(results.at(-1)?.content ?? '');
  if (results.length > 0 && !last.includes('unavailable')) {
    return { role: 'assistant', content: 'It is 3 °C in Oslo.' };
  }
  const call = { name: 'weather', arguments: '{"city":"Oslo"}' };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${results.length + 1}`, type: 'function', function: call }],
  };
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { model, messages } = JSON.parse(body);
  const message = answerTo(messages);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      id: 'chatcmpl-local',
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model,
      choices: [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }],
      usage: {
        prompt_tokens: 40 + 10 * messages.length,
        completion_tokens: 12,
        total_tokens: 52 + 10 * messages.length,
      },
    }),
  );
});
const port = Number(process.env.MODEL_PORT ?? 4010);
server.listen(port, '127.0.0.1', () => console.log(`Model: http://127.0.0.1:${server.address().port}/v1`));
