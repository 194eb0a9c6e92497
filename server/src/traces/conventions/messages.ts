import { firstMember, isObject, type Json, member, toJson } from './attribute.ts';

export type ToolCall = { id: string | null; name: string; arguments: Json };
/** A message of a conversation. A tool's answer has the role `tool`. */
export type Message = {
  role: string;
  content: string;
  reasoning?: string;
  toolCalls?: ToolCall[];
  /** For a tool's answer: the call that it answers, and the tool's name if it is given. */
  toolCallId?: string;
  name?: string;
  /** Parts that are not text (images, files, unknown parts), as they came. */
  media?: Json[];
};

const roles: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  HumanMessage: 'user',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  model: 'assistant',
  developer: 'system',
  function: 'tool',
  Choice: 'assistant',
  Generation: 'assistant',
  ChatGeneration: 'assistant',
  ChatGenerationChunk: 'assistant',
};

const asText = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
const optionalText = (value: Json | undefined): string | undefined =>
  value == null ? undefined : asText(value);

/** Returns the text of a list of text parts; undefined for any other value. */
export const textOfParts = (value: Json | undefined): string | undefined =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((part) => isObject(part) && typeof member(part, 'text') === 'string')
    ? value.map((part) => (part as { text: string }).text).join('')
    : undefined;

/** Returns a tool's output as text: the value of `{ type: 'text', value }`, the text of a list of text parts, else JSON. */
const resultText = (result: Json | undefined): string => {
  const value = typeof result === 'string' && /^\[\s*\{/.test(result) ? toJson(result) : result;
  if (isObject(value) && member(value, 'value') !== undefined && typeof member(value, 'type') === 'string')
    return asText(member(value, 'value'));
  return textOfParts(value) ?? asText(result);
};

/** Parts of a tool's answer that are pictures, sounds and other files, by their type. */
const fileTypes = /^(input_)?(image|audio|video|document|file|media|blob|uri|resource)(_url|-data|-url)?$/;
const isFile = (part: Json): boolean =>
  isObject(part) && fileTypes.test(asText(member(part, 'type'))) && member(part, 'text') === undefined;

/** Returns a tool's answer as text, and its files: without them, the text would contain megabytes of base64. */
const readResult = (result: Json | undefined): { content: string; media: Json[] } => {
  const read = typeof result === 'string' && /^\[\s*\{/.test(result) ? toJson(result) : result;
  const inner = isObject(read) && Array.isArray(member(read, 'value')) ? member(read, 'value') : read;
  const media = Array.isArray(inner) ? inner.filter(isFile) : [];
  if (media.length === 0) return { content: resultText(result), media };
  const rest = (inner as Json[]).filter((part) => !isFile(part));
  return { content: rest.length === 0 ? '' : resultText(rest), media };
};

const readCall = (call: { [key: string]: Json }): ToolCall => {
  const inner = firstMember(call, ['tool_call', 'toolCall']);
  const source = isObject(inner) ? inner : call;
  const called = member(source, 'function');
  const named = isObject(called) ? called : source;
  return {
    id:
      optionalText(firstMember(source, ['id', 'toolCallId', 'tool_call_id', 'call_id', 'toolUseId'])) ?? null,
    name: asText(firstMember(named, ['name', 'toolName', 'tool_name'])),
    arguments: toJson(
      firstMember(named, ['arguments', 'args', 'input', 'parameters', 'server_tool_call']) ?? null,
    ),
  };
};

type Draft = {
  role: string;
  content: string;
  reasoning: string;
  calls: ToolCall[];
  media: Json[];
  results: Message[];
};

/** Adds a part of a message to its draft, by the kind of the part. */
const partReaders: Record<string, (draft: Draft, part: { [key: string]: Json }) => void> = {
  text: (draft, part) => {
    draft.content += asText(firstMember(part, ['text', 'content', 'value', 'refusal']));
  },
  reasoning: (draft, part) => {
    draft.reasoning += asText(
      firstMember(part, ['content', 'text', 'thinking', 'reasoning', 'reasoningText']),
    );
  },
  call: (draft, part) => {
    draft.calls.push(readCall(part));
  },
  result: (draft, part) => {
    const id = optionalText(
      firstMember(part, ['id', 'toolCallId', 'tool_use_id', 'tool_call_id', 'call_id', 'toolUseId']),
    );
    const name = optionalText(firstMember(part, ['name', 'toolName', 'tool_name']));
    const { content, media } = readResult(
      firstMember(part, ['response', 'result', 'output', 'content', 'server_tool_call_response']),
    );
    draft.results.push({
      role: 'tool',
      content,
      ...(media.length > 0 && { media }),
      ...(id !== undefined && { toolCallId: id }),
      ...(name !== undefined && { name }),
    });
  },
};

const partKinds: Record<string, keyof typeof partReaders> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'text',
  reasoning: 'reasoning',
  thinking: 'reasoning',
  tool_call: 'call',
  'tool-call': 'call',
  tool_use: 'call',
  function_call: 'call',
  server_tool_call: 'call',
  tool_call_response: 'result',
  'tool-result': 'result',
  tool_result: 'result',
  function_call_output: 'result',
  server_tool_call_response: 'result',
};

/** Kinds of parts without a `type`: those of Bedrock and Gemini are named by the member that holds the part. */
const keyedKinds: Record<string, keyof typeof partReaders> = {
  text: 'text',
  toolUse: 'call',
  functionCall: 'call',
  function_call: 'call',
  toolResult: 'result',
  functionResponse: 'result',
  function_response: 'result',
  reasoningContent: 'reasoning',
};

/** Returns the member that names the kind of a part without a `type`. */
const kindKeyOf = (part: Json): string | undefined =>
  isObject(part) && member(part, 'type') === undefined
    ? Object.keys(keyedKinds).find((key) => (member(part, key) ?? null) !== null)
    : undefined;

const kindOf = (part: Json): keyof typeof partReaders | undefined => {
  const type = isObject(part) ? member(part, 'type') : undefined;
  if (typeof type === 'string') return Object.hasOwn(partKinds, type) ? partKinds[type] : undefined;
  const key = kindKeyOf(part);
  return key === undefined ? undefined : keyedKinds[key];
};

const readPart = (draft: Draft, part: Json): void => {
  if (typeof part === 'string') {
    draft.content += part;
    return;
  }
  const nested = isObject(part) ? member(part, 'message_content') : undefined;
  const source = isObject(nested) ? nested : part;
  const kind = kindOf(source);
  const key = kindKeyOf(source);
  const inner = isObject(source) && key !== undefined ? member(source, key) : undefined;
  if (kind && isObject(source)) partReaders[kind]!(draft, isObject(inner) ? inner : source);
  else draft.media.push(part);
};

const readContent = (draft: Draft, content: Json | undefined): void => {
  if (content === undefined || content === null) return;
  const read = toJson(content);
  // Text that only looks like a list of parts is text.
  const isParts =
    Array.isArray(read) &&
    (typeof content !== 'string' ||
      read.every((part) => isObject(part) && ('type' in part || kindOf(part) !== undefined)));
  if (isParts) for (const part of read as Json[]) readPart(draft, part);
  else draft.content += asText(content);
};

const roleOf = (message: { [key: string]: Json }, otherwise: string): string => {
  const id = member(message, 'id');
  const className = Array.isArray(id) ? id.at(-1) : undefined;
  const named = className ?? member(message, 'role') ?? undefined;
  const role = named ?? member(message, 'type');
  const isPart = named === undefined && typeof role === 'string' && Object.hasOwn(partKinds, role);
  if (typeof role !== 'string' || isPart || role === 'message') return otherwise;
  return Object.hasOwn(roles, role) ? roles[role]! : role;
};

const isResult = (part: Json): boolean => kindOf(part) === 'result';

/**
 * Returns the number of parts at the beginning of a message that really came last: the Vercel AI SDK writes an agent's final text first,
 * then all calls that led to it. A message that stopped did not end with a call.
 */
const lastWrittenFirst = (message: { [key: string]: Json }, parts: Json[]): number => {
  if (firstMember(message, ['finish_reason', 'finishReason']) !== 'stop') return 0;
  const isText = (part: Json) => ['text', 'reasoning'].includes(kindOf(part) ?? '');
  const end = parts.findIndex((part) => !isText(part));
  const rest = parts.slice(Math.max(end, 0));
  return end > 0 && !rest.some(isText) && rest.some((part) => kindOf(part) === 'call') ? end : 0;
};

/**
 * Returns the parts of an assistant's message step by step: each ends with the answers of its tools. An agent's whole answer may
 * be one message, in which the calls of tools come before the text that they led to.
 */
const stepsOf = (message: { [key: string]: Json }, role: string): Json[][] => {
  const parts = member(message, 'parts');
  if (!Array.isArray(parts) || roleOf(message, role) !== 'assistant') return [];
  const ending = lastWrittenFirst(message, parts);
  const steps: Json[][] = [[]];
  for (const [i, part] of parts.slice(ending).entries()) {
    if (i > 0 && isResult(parts[ending + i - 1]!) && !isResult(part)) steps.push([]);
    steps.at(-1)!.push(part);
  }
  return ending > 0 ? [...steps, parts.slice(0, ending)] : steps;
};

/**
 * Reads one message with the tools' answers in it. They come before a user's message, since some providers send them as its
 * parts, and after an assistant's message, whose tools the provider ran.
 */
const readMessage = (value: Json, role: string): Message[] => {
  if (typeof value === 'string') return value === '' ? [] : [{ role, content: value }];
  if (!isObject(value)) return [];
  const steps = stepsOf(value, role);
  if (steps.length > 1) return steps.flatMap((parts) => readMessage({ ...value, parts }, role));
  const wrapped = firstMember(value, ['message', 'kwargs', 'data', 'prompt', 'completion']);
  // LangChain's generation has its message in the form of a constructor.
  if (isObject(wrapped) && isObject(firstMember(wrapped, ['kwargs', 'data'])))
    return readMessage(wrapped, role);
  const source = isObject(wrapped) ? wrapped : value;
  const draft: Draft = {
    role: roleOf(isObject(wrapped) && !member(wrapped, 'role') ? value : source, role),
    content: '',
    reasoning: optionalText(firstMember(source, ['reasoning_content', 'reasoning'])) ?? '',
    calls: [],
    media: [],
    results: [],
  };
  if (member(source, 'role') === undefined && kindOf(source)) readPart(draft, source);
  else readContent(draft, firstMember(source, ['parts', 'contents', 'content', 'text', 'message']));
  const calls = firstMember(source, ['tool_calls', 'toolCalls']);
  const call = member(source, 'function_call');
  for (const item of Array.isArray(calls) ? calls : [call])
    if (isObject(item)) draft.calls.push(readCall(item));
  const { content, reasoning, media, results } = draft;
  if (results.length > 0 && `${content}${reasoning}` === '' && draft.calls.length + media.length === 0)
    return results;
  const answers = optionalText(firstMember(source, ['tool_call_id', 'toolCallId']));
  const name = draft.role === 'tool' ? optionalText(member(source, 'name')) : undefined;
  const message: Message = {
    role: draft.role,
    content,
    ...(reasoning !== '' && { reasoning }),
    ...(draft.calls.length > 0 && { toolCalls: draft.calls }),
    ...(answers !== undefined && { toolCallId: answers }),
    ...(name !== undefined && { name }),
    ...(media.length > 0 && { media }),
  };
  return draft.role === 'assistant' ? [message, ...results] : [...results, message];
};

/** Reads messages in any of the forms that instrumentations write. A text is one message of `role`. */
export const readMessages = (value: Json, role: string): Message[] => {
  const read = toJson(value);
  if (Array.isArray(read)) {
    // Either one message's parts, `[{ type: 'text', … }]`, or LangChain's list of lists.
    if (
      read.length > 0 &&
      read.every(
        (item) =>
          isObject(item) &&
          !firstMember(item, ['role', 'message', 'kwargs', 'data']) &&
          kindOf(item) !== undefined,
      )
    )
      return readMessage({ content: read }, role);
    return read.flatMap((item) => (Array.isArray(item) ? readMessages(item, role) : readMessage(item, role)));
  }
  if (!isObject(read)) return typeof read === 'string' ? readMessage(read, role) : [];
  const messages = member(read, 'messages');
  const system = member(read, 'system');
  const prompt = member(read, 'prompt');
  if (Array.isArray(messages) || prompt !== undefined)
    return [
      ...(system == null ? [] : readMessages(system, 'system')),
      ...readMessages((Array.isArray(messages) ? messages : prompt) ?? '', role),
    ];
  const answers = firstMember(read, ['choices', 'generations']);
  return Array.isArray(answers) ? readMessages(answers, role) : readMessage(read, role);
};
