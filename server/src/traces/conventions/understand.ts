import { parseJson } from '../../platform/json/parse-json.ts';
import {
  type Attributes,
  first,
  firstAmount,
  firstKey,
  firstMember,
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
import { answerOfCrew, questionOfCrew } from './crewai.ts';
import { fields, flattened, type Operation, operationNames, operations } from './fields.ts';
import { langchainMessage, toolMessage, unwrapRun } from './langchain.ts';
import { type Message, readMessages, textOfParts } from './messages.ts';
import { finalAnswerOf, fromMemory, taskOf, withFinalAnswer } from './smolagents.ts';

export type { Json, Readable } from './attribute.ts';
export { isAside, isToolExecution } from './claude-code.ts';
export type { Operation } from './fields.ts';
export type { Message, ToolCall } from './messages.ts';

/** Returns the operation of a span; null if it names none. */
export const operationOf = ({ name, attributes }: Readable): Operation | null => {
  // OpenInference counts LlamaIndex's preparation of a request as a call of the model.
  if (name.endsWith('._prepare_chat_with_tools')) return 'chain';
  // Version 1 of Google's ADK names no operation.
  if (name === 'call_llm' && attributes.has('gcp.vertex.agent.llm_request')) return 'chat';
  for (const [key, values] of operations) {
    const value = valueAt(attributes, key);
    if (typeof value === 'string' && Object.hasOwn(values, value)) return values[value]!;
  }
  if (Object.hasOwn(operationNames, name)) return operationNames[name]!;
  // Some instrumentations of models name no operation; they write completions.
  return first(attributes, [
    'gen_ai.completion.0.role',
    'gen_ai.completion.0.content',
    'llm.completions.0.content',
  ]) === undefined
    ? null
    : 'chat';
};

/** Tells whether a span only says that an agent was made: such a trace has nothing for a record. */
export const isSetUp = ({ attributes }: Readable): boolean =>
  attributes.get('gen_ai.operation.name') === 'create_agent';

export const modelOf = (attributes: Attributes): string | null => firstText(attributes, fields.model) ?? null;

/** Attributes of answers that are not in one of `fields`. */
const answerKeys = ['ai.response.toolCalls', 'retrieval.documents.0.document.content'];

/** Tells whether a span holds inputs or outputs, without reading them. */
export const hasContent = ({ attributes, events }: Readable, side: 'input' | 'output'): boolean => {
  const keys =
    side === 'input'
      ? [...fields.inputMessages, ...fields.input]
      : [...fields.outputMessages, ...fields.output];
  if (first(attributes, keys) !== undefined) return true;
  if (side === 'output' && first(attributes, answerKeys) !== undefined) return true;
  return (
    flattened[side].some((prefix) =>
      ['role', 'content', 'message.role', 'message.content'].some((end) =>
        attributes.has(`${prefix}.0.${end}`),
      ),
    ) || events.some(({ name }) => eventSides[side].has(name))
  );
};

/** The old GenAI conventions write each message as an event of the span; the current ones may write all into one event. */
const eventRoles: Record<string, string> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};
/** Name of the event with the messages of a call of a model, also as a log record of its span. */
export const detailsEvent = 'gen_ai.client.inference.operation.details';
const eventSides = {
  input: new Set([...Object.keys(eventRoles), 'gen_ai.content.prompt', detailsEvent]),
  output: new Set(['gen_ai.choice', 'gen_ai.content.completion', detailsEvent, 'tool.output']),
};

const eventMessages = ({ events }: Readable, side: 'input' | 'output'): Message[] =>
  events.flatMap(({ name, attributes }) => {
    if (!eventSides[side].has(name)) return [];
    if (name === detailsEvent) return attributeMessages(attributes, side);
    if (name === 'gen_ai.content.prompt')
      return readMessages(toJson(attributes.get('gen_ai.prompt')), 'user');
    if (name === 'gen_ai.content.completion')
      return readMessages(toJson(attributes.get('gen_ai.completion')), 'assistant');
    const body = Object.fromEntries([...attributes].map(([key, value]) => [key, toJson(value)]));
    return readMessages(
      // A choice has its `index` and `finish_reason` beside the message.
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
    // OpenInference writes only the role of a message that it can't read.
    const said = read.filter((message) => Object.keys(message).length > 2 || message.content !== '');
    if (said.length > 0) return [...before, ...said];
  }
  if (side === 'output') return vercelAnswer(attributes);
  return [...before, ...contextMessages(attributes.get('new_context'))];
};

/** Before version 7 the Vercel AI SDK wrote an answer's text and its tool calls into two attributes. */
const vercelAnswer = (attributes: Attributes): Message[] => {
  const text = firstText(attributes, ['ai.response.text', 'ai.response.object', 'response.model_output']);
  const calls = toJson(attributes.get('ai.response.toolCalls'));
  if (text === undefined && !Array.isArray(calls)) return [];
  return readMessages(
    { role: 'assistant', content: text ?? '', ...(Array.isArray(calls) && { tool_calls: calls }) },
    'assistant',
  );
};

/** Returns the messages that went into a span, or came out of it. */
export const messagesOf = (span: Readable, side: 'input' | 'output'): Message[] => {
  const found = attributeMessages(span.attributes, side);
  const messages = found.some(({ role }) => role !== 'system')
    ? found
    : [...found, ...eventMessages(span, side)];
  return messages.map((message) => withFinalAnswer(fromMemory(message)));
};

/** Returns the input or output of a span that is not a list of messages. */
export const plainValueOf = (span: Readable, side: 'input' | 'output'): unknown => {
  const key = plainKeyOf(span, side);
  const value = first(span.attributes, fields[side]);
  // Braintrust and OpenLLMetry write every value as JSON, also text with its quotes.
  const isJson = key?.endsWith('_json') || key?.startsWith('traceloop.entity.');
  const read = isJson ? unquotedText(value) : value;
  return (
    (key === 'crew_tasks' || key === 'crewai.crew.tasks' ? questionOfCrew(read) : unwrapped(read)) ??
    (side === 'output' ? unflatten(span.attributes, 'retrieval.documents') : undefined)
  );
};

/** Returns a value without the frame that its framework put around it. */
const unwrapped = (value: unknown): unknown => {
  const read = finalAnswerOf(answerOfCrew(unwrapRun(value)));
  // A look at the text is cheaper than parsing it.
  if (typeof read === 'string' && !/"(?:files|reset|kwargs)"/.test(read)) return read;
  const json = toJson(read);
  if (!isObject(json)) return read;
  const args = namedArguments(json);
  if (args !== json) return args;
  const task = taskOf(json);
  if (task !== json) return task;
  // The answer of Mastra's agents.
  const text = member(json, 'text');
  return typeof text === 'string' && Array.isArray(member(json, 'files')) ? text : read;
};

/**
 * Returns the arguments of a function in Python, `{ args: [], kwargs }`, by their names, or its only one, `{ args: [value], kwargs: {} }`.
 * Returns any other value as it is.
 */
const namedArguments = (value: Json): Json => {
  const args = isObject(value) ? member(value, 'args') : undefined;
  const named = isObject(value) ? member(value, 'kwargs') : undefined;
  if (!Array.isArray(args) || !isObject(named)) return value;
  if (args.length === 0) return named;
  return args.length === 1 && Object.keys(named).length === 0 ? args[0]! : value;
};

/** Returns the attribute that plainValueOf reads. */
export const plainKeyOf = (span: Readable, side: 'input' | 'output'): string | undefined =>
  firstKey(span.attributes, fields[side]);

const isMessage = (value: Json): boolean =>
  isObject(value) &&
  typeof member(value, 'role') === 'string' &&
  ['content', 'parts', 'tool_calls'].some((name) => Object.hasOwn(value, name));

/**
 * Returns the messages of a plain value that consists of them: a message or a list of them (Langfuse), an agent's state or a
 * model's request (`{ "messages": […] }`: LangGraph, LangSmith), a message of LangChain, or a model's answer (`{ "choices": […] }`, LangChain's
 * `{ "generations": […] }`). Returns none for any other value.
 */
export const plainMessagesOf = (span: Readable, side: 'input' | 'output'): Message[] => {
  const given = toJson(plainValueOf(span, side));
  // A stream's answer may be a list of one response.
  const value = Array.isArray(given) && given.length === 1 ? given[0]! : given;
  const role = side === 'input' ? 'user' : 'assistant';
  const message = langchainMessage(value) ?? eventContent(value);
  if (message !== undefined) return readMessages(message, role);
  if (isObject(value) && Array.isArray(member(value, 'contents'))) return geminiRequest(value);
  if (isObject(value) && member(value, 'object') === 'response')
    return readMessages(member(value, 'output') ?? [], role);
  const isMessages = Array.isArray(value)
    ? value.length > 1 && value.every(isMessage)
    : isMessage(value) ||
      (isObject(value) &&
        ['messages', 'choices', 'generations'].some((name) => Array.isArray(member(value, name))));
  return isMessages ? readMessages(value, role) : [];
};

/** Returns the messages of a side of a span, as messages or as a plain value that consists of them. */
export const allMessagesOf = (span: Readable, side: 'input' | 'output'): Message[] => {
  const own = messagesOf(span, side);
  return own.some(({ role }) => role !== 'system') ? own : [...own, ...plainMessagesOf(span, side)];
};

/** Reads a request to Gemini, `{ config: { system_instruction }, contents }`. */
const geminiRequest = (request: { [key: string]: Json }): Message[] => {
  const config = member(request, 'config');
  const system = isObject(config) ? member(config, 'system_instruction') : undefined;
  return [
    ...(system == null ? [] : readMessages(system, 'system')),
    ...readMessages(member(request, 'contents')!, 'user'),
  ];
};

/** Returns the content of an event of Google's ADK, or of the message that starts its run; undefined for any other value. */
const eventContent = (value: Json): Json | undefined => {
  if (!isObject(value)) return undefined;
  const content = firstMember(value, ['new_message', 'content']);
  return isObject(content) && Array.isArray(member(content, 'parts')) ? content : undefined;
};

/** Python's text of an object, which frameworks write when they can't write its fields. */
const dumped =
  /<[\w.]+ object at 0x|^[A-Z]\w*\(\w+=|\["[A-Z]\w+\(_?\w+=|^(?:\{"messages": \[")?\w+='[^']*' \w+=|^\{"init_state": /;

/** Tells whether a span's input or output is such a text, so that a call of a model says more. */
export const isDump = (span: Readable, side: 'input' | 'output'): boolean => {
  const value = first(span.attributes, fields[side]);
  return (
    typeof value === 'string' &&
    dumped.test(value.slice(0, maxDumpStart)) &&
    finalAnswerOf(value) === value &&
    messagesOf(span, side).length === 0
  );
};
const maxDumpStart = 2_000;

/** Reads a text that is written as JSON, with its quotes; returns any other value as it is. */
const unquotedText = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^".*"$/s.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
};

/** A run of a tool, as its span holds it. */
export type ToolRun = { id: string | null; name: string; arguments: Json; result: Json };

/** Returns what a tool returned, without the frame that its framework put around it. */
const resultOf = (result: Json, attributes: Attributes): Json => {
  if (Array.isArray(result)) return textOfParts(result) ?? result;
  if (!isObject(result)) return result;
  // LlamaIndex's ToolOutput.
  const raw = member(result, 'raw_output');
  if (raw !== undefined && member(result, 'tool_name') !== undefined) return raw;
  // Google's ADK puts any value but an object under `result`, and the whole into Gemini's form of a response.
  if (!attributes.has('gcp.vertex.agent.event_id')) return result;
  const response = member(result, 'response');
  const own = isObject(response) ? response : result;
  const value = member(own, 'result');
  return value !== undefined && Object.keys(own).length === 1 ? value : own;
};

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
    arguments: namedArguments(toJson(unwrapRun(toolInput(first(attributes, fields.toolArguments))))),
    result: answer ? answer.content : resultOf(toJson(unquotedText(result)), attributes),
  };
};

/** Provider, tokens and cost of a span; null if it does not report them. */
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

/** Tells whether the span failed, by its status or its attributes. */
export const isFailed = (status: number, attributes: Attributes): boolean =>
  status === 2 || attributes.get('success') === false || attributes.get('success') === 'false';

/** Returns why the span failed, from its status, an exception's event or an attribute; null if it has none. */
export const errorOf = (statusMessage: string, { attributes, events }: Readable): string | null => {
  if (statusMessage) return statusMessage;
  const exception = events.find(({ name }) => name === 'exception');
  return (
    (exception && firstText(exception.attributes, ['exception.message', 'exception.type'])) ??
    firstText(attributes, fields.error) ??
    null
  );
};
