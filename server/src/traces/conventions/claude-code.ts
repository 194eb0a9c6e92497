import type { Attributes } from './attribute.ts';
import { type Message, readMessages } from './messages.ts';

/** A line before each message that Claude Code adds to its context: `[USER]`, `[USER PROMPT]`, `[TOOL RESULT: toolu_1]`. */
const label = /^\[(?:USER|USER PROMPT|TOOL RESULT: ([^\]\n]+))\]\n/gm;

/** The messages that were added to the context of Claude Code's request; none where it is not written so. */
export const contextMessages = (context: unknown): Message[] => {
  if (typeof context !== 'string') return [];
  const labels = [...context.matchAll(label)];
  if (labels[0]?.index !== 0) return [];
  return labels.flatMap(({ index, 0: { length }, 1: toolCallId }, i) => {
    const content = context.slice(index + length, labels[i + 1]?.index).trim();
    if (toolCallId === undefined) return [{ role: 'user', content }];
    return readMessages(
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: toolCallId, content }] }],
      'user',
    );
  });
};

/** The input of a tool of Claude Code's without the line that says so. */
export const toolInput = (input: unknown): unknown =>
  typeof input === 'string' ? input.replace(/^\[TOOL INPUT: [^\]\n]*\]\n/, '') : input;

/** What a tool of Claude Code's answered, likewise. */
export const toolOutput = (output: unknown): unknown =>
  typeof output === 'string' ? output.replace(/^\[TOOL RESULT: [^\]\n]*\]\n/, '') : output;

/**
 * Whether a call of a model is none of the conversation's: Claude Code's own, such as for the title of a session. What a
 * sub-agent in the background asks belongs to it, although no turn of the user's is under way.
 */
export const isAside = (attributes: Attributes): boolean =>
  attributes.get('llm_request.context') === 'standalone' && !attributes.has('agent_id');
