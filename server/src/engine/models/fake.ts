import { createHash } from 'node:crypto';
import type { AskOnce } from './question.ts';

/** A number from 0 to 1 that depends on the text alone. */
const share = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

/**
 * A fake model, for trying the product without a key. The same prompt always gets the same made-up verdict, or a text if no verdict is
 * asked for; both say that they are made up.
 */
export const askFake =
  (model: string): AskOnce =>
  async ({ system, messages, schema, onText }) => {
    const hash = share(JSON.stringify([model, system, messages]));
    const field = Object.keys(schema?.properties ?? {}).find((name) => name !== 'reasoning') ?? 'binaryScore';
    const values: Record<string, boolean | number> = {
      binaryScore: hash < 0.5,
      intScore: 1 + Math.floor(hash * 5),
      floatScore: Math.round(hash * 100) / 100,
    };
    const reasoning = 'Made up by the fake provider: no model has read this record.';
    const text = schema ? JSON.stringify({ reasoning, [field]: values[field] }) : reasoning;
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
