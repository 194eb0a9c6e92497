// An agent of Mastra with its own telemetry.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';

const inputSchema = z.object({ city: z.string() });
const { chatModel } = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env.MODEL_URL,
  apiKey: 'local',
  includeUsage: true,
});
const weatherAgent = new Agent({
  id: 'weather-agent',
  name: 'weather-agent',
  instructions: 'You say what the weather is.',
  model: chatModel('gpt-4o-mini'),
  tools: {
    weather: createTool({
      id: 'weather',
      description: 'Temperature.',
      inputSchema,
      execute: async ({ city }) => `3 °C in ${city}`,
    }),
    wind: createTool({
      id: 'wind',
      description: 'Wind.',
      inputSchema,
      execute: async ({ city }) => {
        throw new Error(`The station in ${city} is unavailable.`);
      },
    }),
  },
});
const endpoint = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
const mastra = new Mastra({
  agents: { weatherAgent },
  observability: new Observability({
    configs: {
      otel: {
        serviceName: 'weather-agent',
        exporters: [new OtelExporter({ provider: { custom: { endpoint, protocol: 'http/protobuf' } } })],
      },
    },
  }),
});
const agent = mastra.getAgent('weatherAgent');
const tracingOptions = { metadata: { sessionId: 'session-1', userId: 'user-1' } };
const question = { role: 'user', content: 'How warm is it in Oslo?' };
const first = await agent.generate([question], { tracingOptions });
const messages = [question, ...first.response.messages, { role: 'user', content: 'And tomorrow?' }];
const second = await agent.stream(messages, { tracingOptions });
await second.text;
await mastra.shutdown();
