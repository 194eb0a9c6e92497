import type { Budget, Failed, Usage } from '../../../engine/models/ask.ts';
import type { RawJson } from '../../../platform/json/json.ts';
import { askPrompt, type PromptDeps, plainText } from '../ask-prompt.ts';
import type { Message } from '../question.ts';
import { messagesOf, type PromptSystem } from '../system-config.ts';

/** A message of a simulated user, with its prompt and its cost. */
export type Said = { state: 'answered'; text: string; prompt: string; modelAnswered: string | null } & Usage;

/** The user that a prompt describes. `rules` follow the prompt. */
export type DescribedUser = {
  organizationId: bigint;
  system: PromptSystem;
  inputs: RawJson;
  expected: RawJson;
  rules?: string;
};

/**
 * The conversation as the simulated user sees it: its own messages are the model's replies, the system's messages are the prompts. Turns
 * alternate, and begin and end with a prompt, as models require.
 */
export const turnsOf = (messages: readonly Message[]): string[] => {
  const turns: string[] = [];
  for (const { role, content } of messages) {
    // A user does not see tool and system messages.
    if (role !== 'user' && role !== 'assistant') continue;
    const isOwn = role === 'user';
    if (turns.length === 0 && isOwn) turns.push('(The conversation begins.)');
    if ((turns.length % 2 === 0) === isOwn) turns.push(`${turns.pop()}\n\n${content}`);
    else turns.push(content);
  }
  if (turns.length === 0) turns.push('(The conversation begins: write your first message.)');
  else if (turns.length % 2 === 0) turns.push('(There is no answer yet: go on.)');
  return turns;
};

/** Returns the next message of a simulated user. */
export const nextMessage = async (
  deps: PromptDeps,
  { organizationId, system, inputs, expected, rules }: DescribedUser,
  messages: readonly Message[],
  wish: Omit<Budget, 'timeoutMs'>,
): Promise<Said | Failed> => {
  const data = { inputs, outputs: '{}', expected, guidelines: '' };
  const prompt = { organizationId, system, messages: messagesOf(system), data };
  const { outcome } = await askPrompt(
    deps,
    prompt,
    (rendered) => ({
      system: [plainText(rendered), rules].filter(Boolean).join('\n\n'),
      messages: turnsOf(messages),
    }),
    wish,
  );
  if (outcome.state === 'failed') return outcome;
  const { text, modelAnswered } = outcome.reply;
  return { state: 'answered', text, prompt: outcome.prompt, modelAnswered, ...outcome.usage };
};
