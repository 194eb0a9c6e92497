import { parseAsWritten } from '../../../../client/src/written-number.ts';
import type { JsonObject } from '../../types.ts';

export const roles = { system: 'System', user: 'User', assistant: 'Assistant' } as const;
export type PromptMessage = { role: keyof typeof roles; content: string };

/** A prompt as it is edited: numbers and JSON as text. */
export type PromptDraft = {
  messages: PromptMessage[];
  modelName: string;
  temperature: string;
  maxOutputTokens: string;
  /** JSON, or empty. */
  tools: string;
  outputSchema: string;
  /** The version has one `promptTemplate`, and keeps it while it has one message of the user. */
  isTemplate: boolean;
  /** Fields that the editor does not show. */
  rest: JsonObject;
};

export const emptyPrompt: PromptDraft = {
  messages: [{ role: 'user', content: '' }],
  modelName: '',
  temperature: '',
  maxOutputTokens: '',
  tools: '',
  outputSchema: '',
  isTemplate: false,
  rest: {},
};

const jsonText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));
const numberText = (value: unknown): string => (value === undefined ? '' : String(value));

/** Returns the configuration of a version as a draft; undefined if it is not a prompt. */
export const draftOf = (config: JsonObject): PromptDraft | undefined => {
  const { promptTemplate, messages, modelName, temperature, maxOutputTokens, tools, outputSchema, ...rest } =
    config;
  const isTemplate = typeof promptTemplate === 'string';
  if (!isTemplate && !Array.isArray(messages)) return undefined;
  return {
    messages: isTemplate
      ? [{ role: 'user', content: promptTemplate }]
      : (messages as PromptMessage[]).map(({ role, content }) => ({ role, content })),
    modelName: typeof modelName === 'string' ? modelName : '',
    temperature: numberText(temperature),
    maxOutputTokens: numberText(maxOutputTokens),
    tools: jsonText(tools),
    outputSchema: jsonText(outputSchema),
    isTemplate,
    rest: rest as JsonObject,
  };
};

/** Whether Dokima can call a version: a prompt, or an endpoint. */
export const canBeCalled = (config: JsonObject): boolean =>
  draftOf(config) !== undefined || 'endpoint' in config;

const parsed = (name: string, text: string): JsonObject => {
  if (text.trim() === '') return {};
  try {
    return { [name]: parseAsWritten(text) };
  } catch {
    throw new Error(`${name} must be JSON.`);
  }
};

/** Returns the configuration that a draft describes. Throws an error for JSON that does not parse. */
export const configOf = (draft: PromptDraft): JsonObject => {
  const { messages, modelName, temperature, maxOutputTokens, tools, outputSchema, isTemplate, rest } = draft;
  const [first] = messages;
  return {
    ...(isTemplate && messages.length === 1 && first!.role === 'user'
      ? { promptTemplate: first!.content }
      : { messages }),
    modelName: modelName.trim(),
    ...(temperature.trim() !== '' && { temperature: Number(temperature) }),
    ...(maxOutputTokens.trim() !== '' && { maxOutputTokens: Number(maxOutputTokens) }),
    ...parsed('tools', tools),
    ...parsed('outputSchema', outputSchema),
    ...rest,
  };
};

/** Returns the inputs that a draft names, in the order of their first use. The service parses; this is for typing. */
export const variablesOf = ({ messages }: PromptDraft): string[] => [
  ...new Set(
    messages.flatMap(({ content }) =>
      [...content.matchAll(/\binputs(?:\.([A-Za-z_]\w*)|\[["']([^"']+)["']\])/g)].map(
        ([, member, item]) => (member ?? item)!,
      ),
    ),
  ),
];

/** Returns a configuration as text to read and to compare: prompts and other long texts with their line breaks. */
export const configText = (config: object): string =>
  Object.entries(config)
    .map(([name, value]) => {
      if (name === 'messages' && Array.isArray(value))
        return value
          .map(({ role, content }) => `${role}:\n${String(content).replaceAll(/^/gm, '  ')}`)
          .join('\n');
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      return text.includes('\n') ? `${name}:\n${text.replaceAll(/^/gm, '  ')}` : `${name}: ${text}`;
    })
    .join('\n');

/** Whether the configuration has messages that are rendered. */
export const isPrompt = (config: object): boolean => {
  const { promptTemplate, messages } = config as JsonObject;
  return typeof promptTemplate === 'string' || Array.isArray(messages);
};

/** Returns in a few words what a configuration calls. */
export const kindOf = (config: object): string => {
  const { endpoint, modelName } = config as JsonObject;
  if (isPrompt(config))
    return `Prompt${typeof modelName === 'string' && modelName ? ` for ${modelName}` : ''}`;
  return typeof endpoint === 'string' ? 'HTTP endpoint' : 'Your own configuration';
};
