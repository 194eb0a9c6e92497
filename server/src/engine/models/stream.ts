import type { LanguageModel } from 'ai';
import { type ProviderConfig, secretsOf } from './provider.ts';
import { ReplyFailed } from './provider-error.ts';

type ProviderModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;
type Streamed = Awaited<ReturnType<ProviderModel['doStream']>>;
type Generated = Awaited<ReturnType<ProviderModel['doGenerate']>>;

/** Length of the longest end of the text that is a beginning of the secret. */
const beginningAtEnd = (text: string, secret: string): number => {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
};

/**
 * Passes text on without the provider's secrets, even if a secret comes in several parts: text that may begin a secret waits for the next
 * part.
 */
export const withheld = (provider: ProviderConfig, onText: (delta: string) => void) => {
  const secrets = secretsOf(provider);
  let waiting = '';
  return {
    push: (delta: string) => {
      waiting = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), waiting + delta);
      const kept = Math.max(0, ...secrets.map((secret) => beginningAtEnd(waiting, secret)));
      const passed = waiting.slice(0, waiting.length - kept);
      waiting = waiting.slice(passed.length);
      if (passed !== '') onText(passed);
    },
    end: () => {
      if (waiting !== '') onText(waiting);
    },
  };
};

/** Reads a streamed reply to its end, and returns it in the same form as a reply that is not streamed. Throws the error of the stream. */
export const collect = async (
  { stream, request }: Streamed,
  text: ReturnType<typeof withheld>,
): Promise<Pick<Generated, 'content' | 'usage' | 'request' | 'response' | 'finishReason'>> => {
  const content: Generated['content'] = [];
  let response: Generated['response'];
  let finish: Pick<Generated, 'usage' | 'finishReason'> | undefined;
  for await (const part of stream) {
    if (part.type === 'error')
      throw part.error instanceof Error
        ? part.error
        : new ReplyFailed({ error: part.error }, 'the reply ended with an error');
    if (part.type === 'text-delta') {
      content.push({ type: 'text', text: part.delta });
      text.push(part.delta);
    } else if (part.type === 'reasoning-delta') content.push({ type: 'reasoning', text: part.delta });
    else if (part.type === 'tool-call') content.push(part);
    else if (part.type === 'response-metadata') response = { ...response, ...part };
    else if (part.type === 'finish') finish = part;
  }
  text.end();
  if (!finish) throw new Error('the stream ended before the reply was complete');
  return { content, ...finish, ...(request && { request }), ...(response && { response }) };
};
