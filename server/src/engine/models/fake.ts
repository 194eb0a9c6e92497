import { createHash } from 'node:crypto';
import type { AskOnce, Content } from './question.ts';

/** A number from 0 to 1 that depends on the text alone. */
const share = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

/** A walk through a long trace: it lists the spans, reads the first, and quotes its name. */
const walkTurn = (messages: Content[], field: string): object => {
  const said = messages.length > 1 ? String(messages.at(-1)) : '';
  const call = (tool: string, argument: string) => ({
    calls: [{ tool, argument, from: 0 }],
    evidence: [],
    [field]: null,
  });
  if (said === '') return call('list_spans', '');
  const [, listed] = /^1 ([0-9a-f]{16}) /m.exec(said) ?? [];
  if (listed) return call('read_span', listed);
  const [quote = ''] = /"parentSpanId":[^,]*,"name":"(?:[^"\\]|\\.)*"/.exec(said) ?? [];
  const [, spanId = ''] = /^(?:<[^>]*>)?Span ([0-9a-f]{16}),/m.exec(said) ?? [];
  return { calls: [], evidence: [{ spanId, quote }] };
};

/**
 * A fake model, for trying the product without a key. The same prompt always gets the same made-up verdict, or a text if no verdict is
 * asked for; both say that they are made up.
 */
export const askFake =
  (model: string): AskOnce =>
  async ({ system, messages, schema, onText }) => {
    const hash = share(JSON.stringify([model, system, messages]));
    const values: Record<string, boolean | number> = {
      binaryScore: hash < 0.5,
      intScore: 1 + Math.floor(hash * 5),
      floatScore: Math.round(hash * 100) / 100,
    };
    const field = Object.keys(schema?.properties ?? {}).find((name) => name in values) ?? 'binaryScore';
    const reasoning = 'Made up by the fake provider: no model has read this record.';
    const turn = schema?.properties?.calls ? walkTurn(messages, field) : {};
    const text = schema ? JSON.stringify({ reasoning, [field]: values[field], ...turn }) : reasoning;
    for (const word of text.match(/\S+\s*/g) ?? []) onText?.(word);
    return {
      text,
      reasoning: '',
      toolCalls: [],
      modelAnswered: `fake/${model}`,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      billedUsd: null,
      finishReason: 'stop',
      temperatureSent: null,
    };
  };
