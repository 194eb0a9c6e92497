import { parseAsWritten } from '../../platform/json/parse-as-written.ts';
import { isObject, type Json, member } from './attribute.ts';
import type { Message, ToolCall } from './messages.ts';

/** Name of the tool by which agents of smolagents answer. */
const finalTool = 'final_answer';

/** Returns an answer with the text that it gives by its only call, of the tool for the final answer. Returns any other message as it is. */
export const withFinalAnswer = (message: Message): Message => {
  const [call, ...others] = message.toolCalls ?? [];
  if (message.content !== '' || call?.name !== finalTool || others.length > 0) return message;
  const answer = isObject(call.arguments) ? member(call.arguments, 'answer') : undefined;
  return typeof answer === 'string' ? { ...message, content: answer } : message;
};

/** Returns the value of a Python literal of texts, numbers, lists and dictionaries; undefined for any other text. */
const fromPython = (text: string): Json | undefined => {
  const asJson = text.replaceAll(
    /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\b(True|False|None)\b/g,
    (_, single?: string, double?: string, word?: string) =>
      word === undefined
        ? JSON.stringify((single ?? double ?? '').replaceAll(/\\(['"\\])/g, '$1').replaceAll('\\n', '\n'))
        : { True: 'true', False: 'false', None: 'null' }[word]!,
  );
  try {
    return parseAsWritten(asJson) as Json;
  } catch {
    return undefined;
  }
};

const callsIn = (text: string): ToolCall[] => {
  const listed = fromPython(text.replace(/^Calling tools:\n/, ''));
  return (Array.isArray(listed) ? listed : []).flatMap((item) => {
    const called = isObject(item) ? member(item, 'function') : undefined;
    if (!isObject(item) || !isObject(called)) return [];
    const [id, name] = [member(item, 'id'), member(called, 'name')];
    return typeof name === 'string'
      ? [{ id: typeof id === 'string' ? id : null, name, arguments: member(called, 'arguments') ?? null }]
      : [];
  });
};

/**
 * Returns a message of smolagents' memory as one of a conversation: it has calls of tools and their results as texts, with the roles
 * `tool-call` and `tool-response`. Returns any other message as it is.
 */
export const fromMemory = (message: Message): Message => {
  if (message.role === 'tool-response')
    return { ...message, role: 'tool', content: message.content.replace(/^Observation:\n/, '') };
  if (message.role !== 'tool-call') return message;
  const toolCalls = callsIn(message.content);
  if (toolCalls.length === 0) return { ...message, role: 'assistant' };
  return withFinalAnswer({ role: 'assistant', content: '', toolCalls });
};

/** Returns the answer at the end of a stream's steps, which are Python's text of objects. Returns any other value as it is. */
export const finalAnswerOf = (value: unknown): unknown => {
  if (typeof value !== 'string' || !value.startsWith('ToolCall(')) return value;
  const literal = /FinalAnswerStep\(output=(.*)\)$/s.exec(value)?.[1];
  const answer = literal === undefined ? undefined : fromPython(literal);
  return typeof answer === 'string' ? answer : value;
};

/** Returns the task of an agent's run, `{ task, stream, reset, … }`. Returns any other value as it is. */
export const taskOf = (value: unknown): unknown => {
  const isRun =
    isObject(value as Json) &&
    ['task', 'stream', 'reset'].every((name) => Object.hasOwn(value as object, name));
  return isRun ? (value as { task: unknown }).task : value;
};
