import { parseJson } from '../../platform/json/parse-json.ts';
import {
  type Attributes,
  first,
  firstAmount,
  firstKey,
  firstText,
  isObject,
  type Json,
  member,
  type Readable,
  toJson,
  unflatten,
  valueAt,
} from './attribute.ts';
import { contextMessages, toolInput, toolOutput } from './claude-code.ts';
import { fields, flattened, type Operation, operationNames, operations } from './fields.ts';
import { toolMessage, unwrapRun } from './langchain.ts';
import { type Message, readMessages } from './messages.ts';

export type { Json, Readable } from './attribute.ts';
export { isAside } from './claude-code.ts';
export type { Operation } from './fields.ts';
export type { Message, ToolCall } from './messages.ts';

/** What a span does; null when nothing says so. */
export const operationOf = ({ name, attributes }: Readable): Operation | null => {
  for (const [key, values] of operations) {
    const value = valueAt(attributes, key);
    if (typeof value === 'string' && Object.hasOwn(values, value)) return values[value]!;
  }
  if (Object.hasOwn(operationNames, name)) return operationNames[name]!;
  // Instrumentations of models that name no operation: a completion was counted or written.
  return first(attributes, [
    'gen_ai.completion.0.role',
    'gen_ai.completion.0.content',
    'llm.completions.0.content',
  ]) === undefined
    ? null
    : 'chat';
};

export const modelOf = (attributes: Attributes): string | null => firstText(attributes, fields.model) ?? null;

/** Attributes that come with an answer which stands in others than one of `fields`. */
const answerSigns = ['ai.response.toolCalls', 'retrieval.documents.0.document.content'];

/** Whether a span holds something that went in, or came out: cheap, for choosing between spans. */
export const hasContent = ({ attributes, events }: Readable, side: 'input' | 'output'): boolean => {
  const keys =
    side === 'input'
      ? [...fields.inputMessages, ...fields.input]
      : [...fields.outputMessages, ...fields.output];
  if (first(attributes, keys) !== undefined) return true;
  if (side === 'output' && first(attributes, answerSigns) !== undefined) return true;
  return (
    flattened[side].some((prefix) =>
      ['role', 'content', 'message.role', 'message.content'].some((end) =>
        attributes.has(`${prefix}.0.${end}`),
      ),
    ) || events.some(({ name }) => eventSides[side].has(name))
  );
};

/** The old GenAI conventions wrote each message as an event of the span; the current ones may write all into one. */
const eventRoles: Record<string, string> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};
const eventSides = {
  input: new Set([
    ...Object.keys(eventRoles),
    'gen_ai.content.prompt',
    'gen_ai.client.inference.operation.details',
  ]),
  output: new Set([
    'gen_ai.choice',
    'gen_ai.content.completion',
    'gen_ai.client.inference.operation.details',
    'tool.output',
  ]),
};

const eventMessages = ({ events }: Readable, side: 'input' | 'output'): Message[] =>
  events.flatMap(({ name, attributes }) => {
    if (!eventSides[side].has(name)) return [];
    if (name === 'gen_ai.client.inference.operation.details') return attributeMessages(attributes, side);
    if (name === 'gen_ai.content.prompt')
      return readMessages(toJson(attributes.get('gen_ai.prompt')), 'user');
    if (name === 'gen_ai.content.completion')
      return readMessages(toJson(attributes.get('gen_ai.completion')), 'assistant');
    const body = Object.fromEntries([...attributes].map(([key, value]) => [key, toJson(value)]));
    return readMessages(
      // A choice's own `index` and `finish_reason` stand beside the message.
      { ...body, ...(eventRoles[name] === 'tool' && body.id !== undefined && { tool_call_id: body.id }) },
      eventRoles[name] ?? 'assistant',
    );
  });

const attributeMessages = (attributes: Attributes, side: 'input' | 'output'): Message[] => {
  const role = side === 'input' ? 'user' : 'assistant';
  const whole = first(attributes, side === 'input' ? fields.inputMessages : fields.outputMessages);
  const system = side === 'input' ? first(attributes, fields.systemInstructions) : undefined;
  const before = system === undefined ? [] : readMessages(toJson(system), 'system');
  if (whole !== undefined) return [...before, ...readMessages(toJson(whole), role)];
  for (const prefix of flattened[side]) {
    const nested = unflatten(attributes, prefix);
    const read = nested === undefined ? [] : readMessages(nested, role);
    // OpenInference writes the role alone of a message that it can't read.
    if (read.some((message) => Object.keys(message).length > 2 || message.content !== ''))
      return [...before, ...read];
  }
  if (side === 'output') return vercelAnswer(attributes);
  return [...before, ...contextMessages(attributes.get('new_context'))];
};

/** Before version 7 the Vercel AI SDK wrote an answer's text and its tool calls apart. */
const vercelAnswer = (attributes: Attributes): Message[] => {
  const text = firstText(attributes, ['ai.response.text', 'ai.response.object', 'response.model_output']);
  const calls = toJson(attributes.get('ai.response.toolCalls'));
  if (text === undefined && !Array.isArray(calls)) return [];
  return readMessages(
    { role: 'assistant', content: text ?? '', ...(Array.isArray(calls) && { tool_calls: calls }) },
    'assistant',
  );
};

/** The messages that went into a span, or came out of it. */
export const messagesOf = (span: Readable, side: 'input' | 'output'): Message[] => {
  const found = attributeMessages(span.attributes, side);
  return found.some(({ role }) => role !== 'system') ? found : [...found, ...eventMessages(span, side)];
};

/** What went into a span, or came out of it, where that is no list of messages. */
export const plainValueOf = (span: Readable, side: 'input' | 'output'): unknown => {
  const value = first(span.attributes, fields[side]);
  // Braintrust writes every value as JSON, text with its quotes too.
  if (plainKeyOf(span, side)?.endsWith('_json')) return unquoted(value);
  return (
    unwrapRun(value) ?? (side === 'output' ? unflatten(span.attributes, 'retrieval.documents') : undefined)
  );
};

/** The attribute that `plainValueOf` reads. */
export const plainKeyOf = (span: Readable, side: 'input' | 'output'): string | undefined =>
  firstKey(span.attributes, fields[side]);

const isMessage = (value: Json): boolean =>
  isObject(value) &&
  typeof member(value, 'role') === 'string' &&
  ['content', 'parts', 'tool_calls'].some((name) => Object.hasOwn(value, name));

/**
 * The messages of a plain value that is made of them: a list or one of them (Langfuse), an agent's state or a model's request
 * (`{ "messages": […] }`: LangGraph, LangSmith), a model's answer (`{ "choices": […] }`, LangChain's `{ "generations": […] }`).
 */
export const plainMessagesOf = (span: Readable, side: 'input' | 'output'): Message[] => {
  const value = toJson(plainValueOf(span, side));
  const isMade = Array.isArray(value)
    ? value.length > 0 && value.every(isMessage)
    : isMessage(value) ||
      (isObject(value) &&
        ['messages', 'choices', 'generations'].some((name) => Array.isArray(member(value, name))));
  return isMade ? readMessages(value, side === 'input' ? 'user' : 'assistant') : [];
};

/** A result that is text may be written as JSON, quotes and all. */
const unquoted = (value: unknown): Json => {
  if (typeof value !== 'string' || !/^".*"$/s.test(value)) return toJson(value);
  try {
    return parseJson(value) as Json;
  } catch {
    return value;
  }
};

/** The tool that a span ran. */
export type ToolRun = { id: string | null; name: string; arguments: Json; result: Json };

export const toolRunOf = (span: Readable): ToolRun => {
  const { attributes, events } = span;
  const output = events.find(({ name }) => name === 'tool.output');
  const result = unwrapRun(
    toolOutput(first(attributes, fields.toolResult)) ??
      output?.attributes.get('output') ??
      output?.attributes.get('content'),
  );
  const answer = toolMessage(result);
  return {
    id: firstText(attributes, fields.toolCallId) ?? answer?.toolCallId ?? null,
    name: firstText(attributes, fields.toolName) ?? span.name,
    arguments: toJson(unwrapRun(toolInput(first(attributes, fields.toolArguments)))),
    result: answer ? answer.content : unquoted(result),
  };
};

/** What a span says of cost and failure; null where it does not say. */
export type Usage = {
  provider: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  cachedInputTokens: number | null;
  reasoningTokens: number | null;
  costUsd: number | null;
};

export const usageOf = (attributes: Attributes): Usage => ({
  provider: firstText(attributes, fields.provider) ?? null,
  inputTokens: firstAmount(attributes, fields.inputTokens) ?? null,
  outputTokens: firstAmount(attributes, fields.outputTokens) ?? null,
  cachedInputTokens: firstAmount(attributes, fields.cachedInputTokens) ?? null,
  reasoningTokens: firstAmount(attributes, fields.reasoningTokens) ?? null,
  costUsd: firstAmount(attributes, fields.costUsd) ?? null,
});

export const agentNameOf = (span: Readable): string =>
  firstText(span.attributes, fields.agentName) ?? span.name;

/** Whether the span failed: its status says so, or its own attributes do. */
export const isFailed = (status: number, attributes: Attributes): boolean =>
  status === 2 || attributes.get('success') === false || attributes.get('success') === 'false';

/** Why it failed: from the status, an exception's event or an attribute; null when nothing says why. */
export const errorOf = (statusMessage: string, { attributes, events }: Readable): string | null => {
  if (statusMessage) return statusMessage;
  const exception = events.find(({ name }) => name === 'exception');
  return (
    (exception && firstText(exception.attributes, ['exception.message', 'exception.type'])) ??
    firstText(attributes, fields.error) ??
    null
  );
};
