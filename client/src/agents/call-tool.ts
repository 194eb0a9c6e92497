import { DokimaError } from '../errors.ts';
import { RulesError } from '../gate/rules-error.ts';
import type { Operations } from '../generated.ts';
import { createTools } from './create-tools.ts';
import { lookTools } from './look-tools.ts';
import { seriesTools } from './series-tools.ts';
import { type Arguments, dataNote, type Tool, ToolError } from './tool.ts';
import { verdictTools } from './verdict-tools.ts';
import { writeTools } from './write-tools.ts';

/** The tools of the MCP server, of `dokima mcp` and of the pages' Ask. */
export const tools: readonly Tool[] = [
  ...verdictTools,
  ...seriesTools,
  ...lookTools,
  ...createTools,
  ...writeTools,
];

/** Instructions for models that apply to all tools. */
export const instructions =
  'Dokima evaluates AI systems. Begin with list_projects and list_project, which give ids. Every answer says how sure it is: report intervals and counts with the figures, and "cannot tell" as it stands. Do not compute a verdict from your own counts.';

export const inputSchemaOf = ({ properties, required }: Tool) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false,
});

/** Returns the schema of a tool's structured answer; undefined for a tool that answers in text alone. */
export const outputSchemaOf = ({ result }: Tool) => result && { type: 'object' as const, properties: result };

/** Returns what makes the answers of this process hard to imitate for a text in them. */
const newNonce = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

const problemOf = (error: unknown): string | undefined => {
  if (error instanceof ToolError || error instanceof RulesError) return error.message;
  if (!(error instanceof DokimaError)) return undefined;
  const issues = (error.details.issues ?? []) as { path: string; message: string }[];
  return [error.message, ...issues.map(({ path, message }) => `${path} ${message}`)].join('\n');
};

/** Calls a tool by its name and returns its answer. An error that the caller can fix is an answer too; any other error is thrown. */
export const callTool = async (
  client: Operations,
  name: string,
  args: Arguments,
): Promise<{ text: string; data?: Record<string, unknown>; isError: boolean }> => {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return { text: `There is no tool ${JSON.stringify(name)}.`, isError: true };
  const unknown = Object.keys(args).find((key) => !Object.hasOwn(tool.properties, key));
  const context = { client, nonce: newNonce(), now: Date.now() };
  try {
    if (unknown)
      throw new ToolError(
        `${name} has no argument ${unknown}. It has: ${Object.keys(tool.properties).join(', ')}.`,
      );
    const missing = tool.required.filter((key) => args[key] === undefined || args[key] === null);
    if (missing.length > 0)
      throw new ToolError(
        missing.map((key) => `${key} is missing: ${tool.properties[key]!.description}`).join('\n'),
      );
    const answer = await tool.answer(context, args);
    const { text, data } = typeof answer === 'string' ? { text: answer, data: undefined } : answer;
    return {
      text: text.includes(`<data-${context.nonce}>`) ? `${dataNote(context)}\n${text}` : text,
      ...(data && { data }),
      isError: false,
    };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    return { text: problem, isError: true };
  }
};
