import type { TraceSpan } from './rows.ts';

/** What a tool says of the call that gave an answer. Undefined for what it does not say. */
export type Call = {
  name: string;
  startMs: number;
  endMs: number;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  costUsd?: number | undefined;
};

/** Returns a call as the root span of its record, from which the service takes latency, tokens and cost. */
export const callSpan = ({ name, startMs, endMs, inputTokens, outputTokens, costUsd }: Call): TraceSpan => {
  const amounts = {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cost': costUsd,
  };
  const known = Object.entries(amounts).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return {
    key: 'call',
    parent: undefined,
    name,
    startMs,
    endMs,
    attributes: { 'gen_ai.operation.name': 'chat', ...Object.fromEntries(known) },
  };
};

/** Returns a tool that a call used, as a span below it. */
export const toolSpan = (
  call: TraceSpan,
  key: string,
  name: string,
  args: string,
  result?: string,
): TraceSpan => ({
  key,
  parent: call.key,
  name: `execute_tool ${name}`,
  startMs: call.startMs,
  endMs: call.startMs,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.arguments': args,
    ...(result !== undefined && { 'gen_ai.tool.call.result': result }),
  },
});
