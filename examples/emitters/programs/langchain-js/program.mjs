// An agent of LangChain in JavaScript with OpenInference.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as manager from '@langchain/core/callbacks/manager';
import { ChatOpenAI } from '@langchain/openai';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { createAgent, tool } from 'langchain';
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
new LangChainInstrumentation({ tracerProvider: tracing }).manuallyInstrument(manager);

const schema = z.object({ city: z.string() });
const agent = createAgent({
  name: 'weather-agent',
  model: new ChatOpenAI({
    model: 'gpt-4o-mini',
    apiKey: 'local',
    configuration: { baseURL: process.env.MODEL_URL },
  }),
  systemPrompt: 'You say what the weather is.',
  tools: [
    tool(({ city }) => `3 °C in ${city}`, { name: 'weather', description: 'Temperature.', schema }),
    tool(
      ({ city }) => {
        throw new Error(`The station in ${city} is unavailable.`);
      },
      { name: 'wind', description: 'Wind.', schema },
    ),
  ],
});
const question = { role: 'user', content: 'How warm is it in Oslo?' };
const { messages } = await agent.invoke({ messages: [question] });
const second = { messages: [...messages, { role: 'user', content: 'And tomorrow?' }] };
for await (const _ of await agent.stream(second, { streamMode: 'messages' }));
await tracing.shutdown();
