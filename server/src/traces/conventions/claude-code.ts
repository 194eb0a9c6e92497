import type { Attributes } from './attribute.ts';
import { type Message, readMessages } from './messages.ts';

/** The line before each message in the context of Claude Code: `[USER]`, `[USER PROMPT]`, `[TOOL RESULT: toolu_1]`. */
const label = /^\[(?:USER|USER PROMPT|TOOL RESULT: ([^\]\n]+))\]\n/gm;

/** Reads the messages that were added to the context of a request by Claude Code; none for any other text. */
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

/** Removes the label from the input of a tool of Claude Code. */
export const toolInput = (input: unknown): unknown =>
  typeof input === 'string' ? input.replace(/^\[TOOL INPUT: [^\]\n]*\]\n/, '') : input;

/** Removes the label from the output of a tool of Claude Code. */
export const toolOutput = (output: unknown): unknown =>
  typeof output === 'string' ? output.replace(/^\[TOOL RESULT: [^\]\n]*\]\n/, '') : output;

/** Sources of asides that version 2.1.332 makes within a turn. */
const asideSource =
  /^(?:generate_session|rename_generate|prompt_suggestion|away_summary|tool_use_summary|agent_(?:summary|namer|classifier)|auto_(?:mode|dream)|extract_memories|insights|compact|feedback|side_question|model_validation|resume_cache|subagent_config|artifact_comment|ship_pr|web_(?:fetch_apply|search_tool)|hook_prompt|mcp_datetime)/;

/**
 * Tells whether a call of a model is an aside, not part of the conversation: Claude Code makes some for itself, such as for the
 * title of a session. The calls of a sub-agent in the background are part of the conversation.
 */
export const isAside = (attributes: Attributes): boolean =>
  (attributes.get('llm_request.context') === 'standalone' && !attributes.has('agent_id')) ||
  asideSource.test(String(attributes.get('query_source_safe') ?? attributes.get('query_source')));

/** Tells whether a span is the execution of the tool whose span is its parent, which does not say that it failed. */
export const isToolExecution = ({ name }: { name: string }): boolean => name === 'claude_code.tool.execution';
