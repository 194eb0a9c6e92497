import { parseJson } from '../../../platform/json/parse-json.ts';
import type { Failed, Message } from '../question.ts';
import type { Said } from './next-message.ts';
import { addUsage, noUsage } from './usage.ts';

/** Why a simulated user ends a conversation; null while it goes on. */
export type UserStop = 'goalReached' | 'userDone' | 'replayEnd' | null;
type Turn = { state: 'said'; text: string; stop: UserStop };

export type SimulatedUser = {
  /** The next message; empty if the user has nothing left to say. */
  next(messages: readonly Message[]): Promise<Turn | Failed>;
  /** The model that played the user, and its cost. */
  evidence(): { costUsd: number | null };
};

/** Rules for every simulated user, independent of its prompt. Marks in the text work with every model. */
export const rules = `Rules of this conversation:
- You are the user, and what you read comes from the assistant. Write your next message and nothing else: no quotes, no name, no explanation.
- Never say that you are a model or that this is a test, and never do the work of the assistant.
- When you have what you came for, end your message with [GOAL REACHED].
- When you give up, or when nothing is left to say, end your message with [DONE].
- Use these marks at no other time.`;

const stopOf: Record<string, UserStop> = { 'GOAL REACHED': 'goalReached', DONE: 'userDone' };
const mark = /\s*\[(GOAL REACHED|DONE)\]\s*/i;

/** Opens a user that a model plays, by its prompt and the rules. An `opening` is its first message, word for word. */
export const openUser = (
  modelAsked: string,
  opening: unknown,
  ask: (messages: readonly Message[]) => Promise<Said | Failed>,
): SimulatedUser => {
  let usage = noUsage;
  let calls = 0;
  let seen: Pick<Said, 'prompt' | 'modelAnswered'> = { prompt: '', modelAnswered: null };
  return {
    next: async (messages) => {
      if (messages.length === 0 && typeof opening === 'string' && opening.trim() !== '')
        return { state: 'said', text: opening, stop: null };
      const said = await ask(messages);
      const spent = said.state === 'failed' ? said.spent : said;
      if (spent) {
        calls += 1;
        usage = addUsage(usage, spent);
      }
      if (said.state === 'failed') return said;
      seen = said;
      const marked = mark.exec(said.text);
      const text = said.text.replace(mark, ' ').trim();
      if (text === '' && !marked)
        return { state: 'failed', error: 'the model wrote no message', retryable: false };
      return { state: 'said', text, stop: marked ? stopOf[marked[1]!.toUpperCase()]! : null };
    },
    evidence: () => ({
      modelAsked,
      modelAnswered: seen.modelAnswered,
      calls,
      ...usage,
      ...(calls > 0 && { prompt: `${seen.prompt}\n\n${rules}` }),
    }),
  };
};

/** Opens a user that repeats the messages of the user of an earlier conversation. */
export const scriptedUser = (replayOf: bigint, outputs: string): SimulatedUser => {
  const { messages = [] } = parseJson(outputs) as { messages?: Message[] };
  const script = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  // A message that ended the earlier conversation got no answer there, so it gets none here.
  const isLastUnanswered = messages.at(-1)?.role === 'user';
  let said = 0;
  return {
    next: async () => {
      const text = script[said] ?? '';
      said += 1;
      const isEnd = said > script.length || (said === script.length && isLastUnanswered);
      return { state: 'said', text, stop: isEnd ? 'replayEnd' : null };
    },
    evidence: () => ({ replayOf: String(replayOf), calls: 0, ...noUsage }),
  };
};
