import { type Static, type TSchema, Type } from 'typebox';
import { checkTemplate } from '../../engine/templates/template.ts';
import type { Issue } from '../../platform/errors.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { oneOf } from '../../platform/one-of.ts';
import { validator } from '../../platform/validation.ts';

const timeoutMs = Type.Integer({ minimum: 1, maximum: 600_000, default: 60_000 });

/** A system that answers over HTTP. */
const EndpointConfig = Type.Object({
  endpoint: Type.String({ pattern: '^https?://', expects: 'a URL that begins with https:// or http://' }),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  timeoutMs: Type.Optional(timeoutMs),
});
const Message = Type.Object({
  role: oneOf(['system', 'user', 'assistant']),
  content: Type.String({ minLength: 1 }),
});
const Tool = Type.Object({
  name: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$', expects: '1 to 64 letters, digits, _ or -' }),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
/** A system that is a prompt for a model: one template, or messages. */
const PromptConfig = Type.Object({
  promptTemplate: Type.Optional(Type.String({ minLength: 1 })),
  messages: Type.Optional(Type.Array(Message, { minItems: 1, maxItems: 100 })),
  tools: Type.Optional(Type.Array(Tool, { maxItems: 128 })),
  outputSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  modelName: Type.String({ minLength: 1 }),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  timeoutMs: Type.Optional(timeoutMs),
});

export type EndpointSystem = Static<typeof EndpointConfig> & { kind: 'endpoint'; timeoutMs: number };
export type PromptSystem = Static<typeof PromptConfig> & { kind: 'prompt'; timeoutMs: number };
export type System = EndpointSystem | PromptSystem;

const problemsOf: Record<System['kind'], (value: unknown) => Issue[]> = {
  endpoint: validator(EndpointConfig as TSchema),
  prompt: validator(PromptConfig as TSchema),
};

/** Headers that belong to the connection, not to the message. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'upgrade', 'te']);

const endpointProblem = ({ endpoint, headers = {} }: EndpointSystem): string | undefined => {
  const url = URL.parse(endpoint);
  if (!url) return 'endpoint must be a URL that begins with https:// or http://';
  if (url.username || url.password) return 'endpoint must not hold a user name or password: use headers';
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.has(name.toLowerCase())) return `headers must not set ${name}`;
    try {
      new Headers({ [name]: value });
    } catch {
      return `headers must hold names and values that HTTP allows, and ${JSON.stringify(name)} does not`;
    }
  }
  return undefined;
};

/** The messages of a prompt as templates. A prompt without messages is one message of the user. */
export const messagesOf = ({ promptTemplate = '', messages }: PromptSystem) =>
  (messages as { role: 'system' | 'user' | 'assistant'; content: string }[] | undefined) ?? [
    { role: 'user' as const, content: promptTemplate },
  ];

/** Models answer a user's message, and some take no other order. */
const orderProblem = (messages: readonly { role: string }[]): string | undefined => {
  const turns = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  const inTurn = turns.every(({ role }, i) => role === (i % 2 === 0 ? 'user' : 'assistant'));
  return inTurn && turns.length % 2 === 1
    ? undefined
    : 'messages must be one of system at most, then user and assistant in turn, and end with user';
};

const promptProblem = (system: PromptSystem): string | undefined => {
  if (system.messages && system.promptTemplate !== undefined)
    return 'messages must not stand beside promptTemplate';
  const messages = messagesOf(system);
  for (const [i, { content }] of messages.entries()) {
    const problem = checkTemplate(content);
    if (problem !== null)
      return `${system.messages ? `messages/${i}/content` : 'promptTemplate'}, ${problem}`;
  }
  const names = system.tools?.map(({ name }) => name) ?? [];
  if (new Set(names).size < names.length) return 'tools must have different names';
  return orderProblem(messages);
};

/**
 * Returns the call of the system that a version's configuration describes, or why the service can't make it. Other fields of the
 * configuration are the team's own.
 */
export const readSystemConfig = (config: RawJson): System | { problem: string } => {
  const given = parseJson(config);
  const fields = Object.keys(given as object);
  // Only if it is a list: in a team's own configuration, `messages` may be anything.
  const hasMessages = Array.isArray((given as { messages?: unknown }).messages);
  const isPrompt = fields.includes('promptTemplate') || hasMessages;
  const kinds = [
    ...(fields.includes('endpoint') ? ['endpoint' as const] : []),
    ...(isPrompt ? ['prompt' as const] : []),
  ];
  const [kind] = kinds;
  if (!kind || kinds.length > 1) {
    return {
      problem: kind
        ? 'its config must have endpoint or a prompt (promptTemplate or messages), not both'
        : 'its config must say how to call it: endpoint, or promptTemplate (or messages) and modelName',
    };
  }
  const [issue] = problemsOf[kind](given);
  if (issue) return { problem: `its config's ${issue.path.slice(1)} ${issue.message}` };
  const system = { timeoutMs: 60_000, ...(given as object), kind } as System;
  const problem = system.kind === 'endpoint' ? endpointProblem(system) : promptProblem(system);
  return problem === undefined ? system : { problem: `its config's ${problem}` };
};
