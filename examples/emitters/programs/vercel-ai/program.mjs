// An agent of the Vercel AI SDK with its own telemetry.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenTelemetry } from '@ai-sdk/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { registerTelemetry, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';

/** Writes session and user on each span. */
const session = {
  onStart: (span) => span.setAttributes({ 'session.id': 'session-1', 'user.id': 'user-1' }),
  onEnd: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
};
const tracing = new NodeTracerProvider({
  spanProcessors: [session, new SimpleSpanProcessor(new OTLPTraceExporter())],
});
tracing.register();
registerTelemetry(new OpenTelemetry());

const inputSchema = z.object({ city: z.string() });
const { chatModel } = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env.MODEL_URL,
  apiKey: 'local',
  includeUsage: true,
});
const agent = new ToolLoopAgent({
  id: 'weather-agent',
  model: chatModel('gpt-4o-mini'),
  instructions: 'You say what the weather is.',
  tools: {
    weather: tool({ inputSchema, execute: async ({ city }) => `3 °C in ${city}` }),
    wind: tool({
      inputSchema,
      execute: async ({ city }) => {
        throw new Error(`The station in ${city} is unavailable.`);
      },
    }),
  },
});
const question = { role: 'user', content: 'How warm is it in Oslo?' };
const first = await agent.generate({ messages: [question] });
const messages = [question, ...first.response.messages, { role: 'user', content: 'And tomorrow?' }];
const second = await agent.stream({ messages });
await second.text;
await tracing.shutdown();
