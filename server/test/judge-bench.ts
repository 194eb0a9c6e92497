import { afterAll, beforeEach } from 'vitest';
import { type AllowedAddresses, openAllowedAddresses } from '../src/engine/models/allowed-addresses.ts';
import { type Models, openModels } from '../src/engine/models/ask.ts';
import { loadPrices } from '../src/engine/models/price-list.ts';
import type { ProviderConfig } from '../src/engine/models/provider.ts';
import { openProviderHealth } from '../src/engine/models/provider-health.ts';
import { openRenderer } from '../src/engine/templates/template.ts';
import { type JudgeOptions, openJudge } from '../src/scoring/judges/judge.ts';
import type { JudgeConfig } from '../src/scoring/judges/judge-prompt.ts';
import { asker } from './asker.ts';
import { type Behaviour, openAnthropicServer, openOpenAiServer } from './model-server.ts';

/** A judge for one test file, with a model server of each dialect behind it. It forgets between tests. */
export const openBench = async () => {
  const openai = await openOpenAiServer();
  const anthropic = await openAnthropicServer();
  const renderer = openRenderer();
  const prices = await loadPrices();
  const opened: Models[] = [];
  const open = (options: { timeoutMs?: number; allowedAddresses?: AllowedAddresses } = {}) => {
    const { timeoutMs = 10_000, allowedAddresses = openAllowedAddresses('true') } = options;
    const health = openProviderHealth();
    const models = openModels({
      health,
      prices: () => prices,
      allowedAddresses,
      providersOf: async () => providers,
      clock: Date.now,
    });
    opened.push(models);
    return openJudge({ renderer, models, timeoutMs });
  };
  let judge = open();
  beforeEach(() => {
    judge = open();
    openai.received.length = 0;
    anthropic.received.length = 0;
  });
  afterAll(async () => {
    for (const { close } of opened) close();
    await Promise.all([openai.close(), anthropic.close(), renderer.close()]);
  });

  const apiKey = 'sk-very-secret-key';
  const providers: ProviderConfig[] = [
    { name: 'openai', kind: 'openai', baseUrl: openai.url, apiKey, maxConcurrency: 4 },
    { name: 'anthropic', kind: 'anthropic', baseUrl: anthropic.url, apiKey, maxConcurrency: 4 },
    { name: 'local', kind: 'openai-compatible', baseUrl: openai.url, apiKey, maxConcurrency: 4 },
  ];
  const config: JudgeConfig = {
    outputType: 'boolean',
    promptTemplate: 'Is {{outputs.answer}} the answer to {{inputs.question}}? {{guidelines}}',
    guidelines: 'Be exact.',
    evalModelName: 'local/tiny',
    temperature: 0,
    judgeRepeats: 1,
  };
  const data = {
    inputs: '{"question":"2 + 2?"}',
    outputs: '{"answer":"4"}',
    expected: '{}',
    guidelines: '',
  };
  const ask = (
    changes: Partial<JudgeConfig> = {},
    outputs: Record<string, unknown> = { answer: '4' },
    options: Partial<JudgeOptions> = {},
  ) =>
    judge.judge({ ...config, ...changes }, { ...data, outputs: JSON.stringify(outputs) }, providers, {
      ...asker,
      ...options,
    });
  /** Judges while the servers behave like this. */
  const askOf = (behaviour: Behaviour | Behaviour[], changes: Partial<JudgeConfig> = {}) => {
    openai.answer(behaviour);
    anthropic.answer(behaviour);
    return ask(changes);
  };
  return { openai, anthropic, open, judge: () => judge, apiKey, providers, config, data, ask, askOf };
};

export const yes = { reasoning: 'It is.', binaryScore: true };
export const no = { reasoning: 'It is not.', binaryScore: false };
