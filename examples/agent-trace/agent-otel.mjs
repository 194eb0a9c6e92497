// The same agent in Node. It creates its spans with plain OpenTelemetry and the GenAI semantic conventions.
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const { DOKIMA_URL = 'http://localhost:3000', DOKIMA_API_KEY, DOKIMA_PROJECT_ID } = process.env;
const { MODEL_URL = 'http://127.0.0.1:4010/v1' } = process.env;

const tracing = new NodeTracerProvider({
  resource: resourceFromAttributes({
    'service.name': 'weather-agent-node',
    'dokima.project_id': DOKIMA_PROJECT_ID,
  }),
  spanProcessors: [
    new BatchSpanProcessor(
      new OTLPTraceExporter({
        url: `${DOKIMA_URL}/otel/v1/traces`,
        headers: { authorization: `Bearer ${DOKIMA_API_KEY}` },
      }),
    ),
  ],
});
tracing.register();
const tracer = trace.getTracer('weather-agent');

/** Runs `work` in a span. The span ends with the work and records its failure. */
const inSpan = (name, attributes, work) =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      throw error;
    } finally {
      span.end();
    }
  });

/** Converts messages of OpenAI's API to the form of the conventions. */
const toConvention = (messages) =>
  JSON.stringify(
    messages.map(({ role, content, tool_calls = [], tool_call_id }) => ({
      role,
      parts: [
        ...(content && role !== 'tool' ? [{ type: 'text', content }] : []),
        ...(role === 'tool' ? [{ type: 'tool_call_response', id: tool_call_id, response: content }] : []),
        ...tool_calls.map(({ id, function: { name, arguments: given } }) => ({
          type: 'tool_call',
          id,
          name,
          arguments: JSON.parse(given),
        })),
      ],
    })),
  );

const chat = (messages) =>
  inSpan(
    'chat local-model',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'local',
      'gen_ai.request.model': 'local-model',
      'gen_ai.input.messages': toConvention(messages),
    },
    async (span) => {
      const response = await fetch(`${MODEL_URL}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'local-model', messages }),
      });
      const { choices, usage } = await response.json();
      const { message } = choices[0];
      span.setAttributes({
        'gen_ai.usage.input_tokens': usage.prompt_tokens,
        'gen_ai.usage.output_tokens': usage.completion_tokens,
        'gen_ai.output.messages': toConvention([message]),
      });
      return message;
    },
  );

let calls = 0;
const weather = ({ city }) => {
  calls += 1;
  if (calls === 1) throw new Error('The station is unavailable.');
  return `${city}: 3 °C`;
};

const runTool = async ({ id, function: { name, arguments: given } }) => {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': given,
  };
  // The model gets the error of a failed tool, so that it can call the tool again.
  const content = await inSpan(`execute_tool ${name}`, attributes, async (span) => {
    const result = weather(JSON.parse(given));
    span.setAttribute('gen_ai.tool.call.result', result);
    return result;
  }).catch((error) => error.message);
  return { role: 'tool', tool_call_id: id, content };
};

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather-agent' };
const answer = await inSpan('invoke_agent weather-agent', agent, async (span) => {
  const messages = [
    { role: 'system', content: 'You say what the weather is.' },
    { role: 'user', content: 'How warm is it in Oslo?' },
  ];
  span.setAttribute('gen_ai.input.messages', toConvention(messages));
  for (;;) {
    const message = await chat(messages);
    messages.push(message);
    if (!message.tool_calls?.length) {
      span.setAttribute('gen_ai.output.messages', toConvention([message]));
      return message.content;
    }
    for (const call of message.tool_calls) messages.push(await runTool(call));
  }
});

console.log(answer);
await tracing.shutdown();
