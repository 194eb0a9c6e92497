import type { Question, Reply, ToolCall } from '../../engine/models/question.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { PromptSystem } from './system-config.ts';

const anyObject = { type: 'object', properties: {} };

/** The tools and the form of the answer that a prompt asks for. */
export const askedOf = ({ tools, outputSchema }: PromptSystem): Pick<Question, 'tools' | 'schema'> => ({
  ...(tools && {
    tools: tools.map(({ name, description, parameters = anyObject }) => ({
      name,
      ...(description !== undefined && { description }),
      inputSchema: parameters,
    })),
  }),
  ...(outputSchema && { schema: outputSchema }),
});

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Arguments as the model wrote them; as text if they are not JSON. */
const callText = ({ name, arguments: given }: ToolCall): RawJson =>
  `{"name":${JSON.stringify(name)},"arguments":${parsed(given) === undefined ? JSON.stringify(given) : given}}`;

/**
 * Returns the outputs of a record: the model's JSON object as it wrote it if the prompt has an `outputSchema`, else its text as `answer`,
 * beside the tools that it asks to call. Undefined when the prompt has a schema and the model's text is not an object.
 */
export const outputsOf = (
  { text, toolCalls }: Pick<Reply, 'text' | 'toolCalls'>,
  { outputSchema }: Pick<PromptSystem, 'outputSchema'>,
): RawJson | undefined => {
  const calls = toolCalls.length > 0 ? `"toolCalls":[${toolCalls.map(callText).join(',')}]` : '';
  // A model that asks for a tool has not answered yet.
  if (outputSchema && calls === '') return isObject(parsed(text)) ? text : undefined;
  return `{"answer":${JSON.stringify(text)}${calls && `,${calls}`}}`;
};
