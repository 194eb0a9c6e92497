import { isObject, type Json, member, toJson } from './attribute.ts';
import { type Message, readMessages } from './messages.ts';

const runParts = ['inputs', 'outputs', 'output'] as const;

/**
 * What a run of LangChain got or gave, where OpenLLMetry writes all that its callback was told, `{ inputs, tags, metadata,
 * kwargs }` or `{ outputs, kwargs }`; any other value as it is.
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

/** A tool's result that LangChain has put into a message, in either of the forms that it writes those; else undefined. */
export const toolMessage = (value: unknown): Message | undefined => {
  const read = toJson(value);
  return isObject(read) && isToolMessage(read) ? readMessages(read, 'tool')[0] : undefined;
};
