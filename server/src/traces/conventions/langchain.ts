import { firstMember, isObject, type Json, member, toJson } from './attribute.ts';
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

const kinds = new Set(['human', 'ai', 'AIMessageChunk', 'system', 'tool', 'function', 'chat']);

const classes = new Set(['HumanMessage', 'AIMessage', 'AIMessageChunk', 'SystemMessage', 'ToolMessage']);

/**
 * Returns a value that is one of LangChain's messages: as a constructor, `{ lc, id, kwargs }`, as `{ type, data }`, or as its
 * fields, `{ type, content }`. LangSmith puts it under `output`. Undefined for any other value.
 */
export const langchainMessage = (value: Json): Json | undefined => {
  if (!isObject(value)) return undefined;
  const output = member(value, 'output');
  if (output !== undefined && Object.keys(value).length === 1) return langchainMessage(output);
  const fields = firstMember(value, ['kwargs', 'data']) ?? value;
  if (!isObject(fields) || member(fields, 'content') === undefined) return undefined;
  // In JavaScript only the class tells the kind.
  const id = member(value, 'id');
  if (Array.isArray(id) && classes.has(String(id.at(-1)))) return value;
  const kind = member(fields, 'type') ?? member(value, 'type');
  return typeof kind === 'string' && kinds.has(kind) ? value : undefined;
};

/** Reads a tool's result that LangChain has put into a message; undefined for any other value. */
export const toolMessage = (value: unknown): Message | undefined => {
  const message = langchainMessage(toJson(value));
  const [read] = message === undefined ? [] : readMessages(message, 'tool');
  return read?.role === 'tool' ? read : undefined;
};
