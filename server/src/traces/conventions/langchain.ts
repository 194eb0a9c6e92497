import { isObject, type Json, member, toJson } from './attribute.ts';
import { type Message, readMessages } from './messages.ts';

const runParts = ['inputs', 'outputs', 'output'] as const;

/**
 * Returns the inputs or outputs of a LangChain run, where OpenLLMetry writes all arguments of the callback, `{ inputs, tags,
 * metadata, kwargs }` or `{ outputs, kwargs }`. Returns any other value as it is.
 */
export const unwrapRun = (value: unknown): unknown => {
  const read = toJson(value);
  if (!isObject(read) || !isObject(member(read, 'kwargs')) || member(read, 'lc') !== undefined) return value;
  const part = runParts.find((name) => member(read, name) !== undefined);
  return part === undefined ? value : member(read, part);
};

const isToolMessage = (value: { [key: string]: Json }): boolean => {
  const inner = member(value, 'kwargs') ?? member(value, 'data');
  return isObject(inner) && member(inner, 'type') === 'tool';
};

/** Reads a tool's result that LangChain has put into a message, in either of its two forms; undefined for any other value. */
export const toolMessage = (value: unknown): Message | undefined => {
  const read = toJson(value);
  return isObject(read) && isToolMessage(read) ? readMessages(read, 'tool')[0] : undefined;
};
