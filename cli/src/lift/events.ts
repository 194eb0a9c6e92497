import { numberIn } from '../../../client/src/tables/score-values.ts';
import { isObject } from '../../../client/src/tables/table.ts';
import type { JsonObject } from '../../../client/src/types.ts';

/** What an agent says of its work, in the lines of JSON that it prints. Undefined for what it does not say. */
export type Said = {
  answer: string;
  costUsd: number | undefined;
  inputTokens: number | undefined;
  cachedTokens: number | undefined;
  outputTokens: number | undefined;
  /** Whether it used a skill or a server that it was given. */
  used: boolean;
  /** Why it gave up: not the task's failure, but the agent's. */
  error: string | undefined;
};

type Reader = { take: (line: string) => void; said: () => Said };

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
const textAt = (value: unknown, ...path: string[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
};
const amountAt = (value: unknown, ...path: string[]): number | undefined => numberIn(at(value, ...path));

const plus = (sum: number | undefined, more: number | undefined): number | undefined =>
  more === undefined ? sum : (sum ?? 0) + more;

/** A call of a tool: its name, and its arguments as text. */
type Call = { tool: string; args: string; server?: string | undefined };

/** Returns the calls of tools in an event of Claude Code, Codex or OpenCode. */
const callsIn = (event: JsonObject): Call[] => {
  const json = (value: unknown) => JSON.stringify(value ?? '');
  if (event.type === 'assistant') {
    const content = at(event, 'message', 'content');
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    return blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, input }) => ({ tool: String(name), args: json(input) }));
  }
  if (event.type === 'tool_use')
    return [{ tool: textAt(event, 'part', 'tool') ?? '', args: json(at(event, 'part', 'state', 'input')) }];
  const item = at(event, 'item');
  if (event.type !== 'item.completed' || !isObject(item)) return [];
  if (item.type === 'mcp_tool_call')
    return [{ tool: String(item.tool), args: json(item.arguments), server: textAt(item, 'server') }];
  return item.type === 'command_execution' ? [{ tool: 'shell', args: json(item.command) }] : [];
};

/** Whether a call is of the skill or the server with that name: the agent's own tool for it, or its files. */
const isUseOf =
  (name: string) =>
  ({ tool, args, server }: Call): boolean =>
    server === name ||
    tool.startsWith(`mcp__${name}__`) ||
    tool.startsWith(`${name}_`) ||
    (/^skill$/i.test(tool) && args.includes(`${name}"`)) ||
    args.replaceAll('\\\\', '/').includes(`skills/${name}/`);

/** What a limit of the user's ended is an attempt at the task. */
const isLimit = (subtype: string | undefined): boolean => subtype?.startsWith('error_max_') ?? false;

/** Returns what each kind of event adds to what the agent has said. */
const readersInto = (said: Said): Record<string, (event: JsonObject) => void> => {
  const add = (costUsd?: number, input?: number, cached?: number, output?: number) => {
    said.costUsd = plus(said.costUsd, costUsd);
    said.inputTokens = plus(said.inputTokens, input);
    said.cachedTokens = plus(said.cachedTokens, cached);
    said.outputTokens = plus(said.outputTokens, output);
  };
  return {
    // Claude Code.
    result: (event) => {
      const usage = at(event, 'usage');
      const cached = amountAt(usage, 'cache_read_input_tokens');
      const input = plus(
        plus(amountAt(usage, 'input_tokens'), amountAt(usage, 'cache_creation_input_tokens')),
        cached,
      );
      add(amountAt(event, 'total_cost_usd'), input, cached, amountAt(usage, 'output_tokens'));
      said.answer = textAt(event, 'result') ?? said.answer;
      if (event.is_error === true && !isLimit(textAt(event, 'subtype')))
        said.error = textAt(event, 'result') ?? textAt(event, 'subtype') ?? 'is_error';
    },
    // Codex.
    'turn.completed': (event) => {
      const usage = at(event, 'usage');
      const amount = (name: string) => amountAt(usage, name);
      add(undefined, amount('input_tokens'), amount('cached_input_tokens'), amount('output_tokens'));
    },
    'item.completed': (event) => {
      if (textAt(event, 'item', 'type') === 'agent_message')
        said.answer = textAt(event, 'item', 'text') ?? '';
    },
    'turn.failed': (event) => {
      said.error = textAt(event, 'error', 'message') ?? 'turn.failed';
    },
    // OpenCode.
    step_finish: (event) => {
      const amount = (...path: string[]) => amountAt(event, 'part', 'tokens', ...path);
      const input = plus(plus(amount('input'), amount('cache', 'read')), amount('cache', 'write'));
      add(
        amountAt(event, 'part', 'cost'),
        input,
        amount('cache', 'read'),
        plus(amount('output'), amount('reasoning')),
      );
    },
    text: (event) => {
      said.answer = textAt(event, 'part', 'text') ?? said.answer;
    },
    // OpenCode says why as an object, Codex as a text.
    error: (event) => {
      const told = textAt(event, 'error', 'data', 'message') ?? textAt(event, 'error', 'name');
      said.error = told ?? textAt(event, 'message') ?? 'error';
    },
    // Any other agent: one object with these names.
    dokima: (event) => {
      add(
        amountAt(event, 'costUsd'),
        amountAt(event, 'inputTokens'),
        undefined,
        amountAt(event, 'outputTokens'),
      );
      said.answer = textAt(event, 'answer') ?? said.answer;
      if (event.used === true) said.used = true;
    },
  };
};

/** Reads what an agent prints, line by line. Lines that are no event are its answer if there is no better one. */
export const readEvents = (names: readonly string[]): Reader => {
  const said: Said = {
    answer: '',
    costUsd: undefined,
    inputTokens: undefined,
    cachedTokens: undefined,
    outputTokens: undefined,
    used: false,
    error: undefined,
  };
  let plain = '';
  const readers = readersInto(said);
  return {
    take: (line) => {
      let event: unknown;
      try {
        event = line.startsWith('{') ? JSON.parse(line) : undefined;
      } catch {
        // It is a line of text that begins with a brace.
      }
      if (!isObject(event)) {
        plain = `${plain}${line}\n`.slice(-20_000);
        return;
      }
      readers[String(event.type)]?.(event);
      if (names.some((name) => callsIn(event).some(isUseOf(name)))) said.used = true;
    },
    said: () => ({ ...said, answer: said.answer || plain.trim() }),
  };
};
