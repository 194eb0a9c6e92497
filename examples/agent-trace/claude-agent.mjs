import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

let tries = 0;
const weather = tool('weather', 'Weather of a city.', { city: z.string() }, async ({ city }) => {
  tries++;
  return {
    isError: tries === 1,
    content: [
      { type: 'text', text: tries === 1 ? 'The weather service is unavailable.' : `3 °C in ${city}` },
    ],
  };
});

// The SDK runs Claude Code, which reads its settings, including OpenTelemetry's, from the environment. See README.md.
const turns = query({
  prompt: 'How warm is it in Oslo?',
  options: {
    systemPrompt: 'You say what the weather is.',
    mcpServers: { weather: createSdkMcpServer({ name: 'weather', tools: [weather] }) },
    allowedTools: ['mcp__weather__weather'],
    settingSources: [],
  },
});
for await (const message of turns) if (message.type === 'result') console.log(message.result ?? message);
