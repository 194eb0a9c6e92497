import type { JsonObject } from '../../../../client/src/main.ts';
import { isObject, listAt, numberIn, objectAt, type TraceSpan, textOf } from '../rows.ts';

type Part = JsonObject;
type Message = { role: string; parts: Part[] };

/** Returns the text of a message or result. A picture or sound becomes a line with its path. */
export const textIn = (content: unknown): string => {
  if (!Array.isArray(content)) return textOf(content) ?? '';
  return content
    .filter(isObject)
    .map((part) =>
      part.type === 'text'
        ? (textOf(part.text) ?? '')
        : `[${textOf(part.type)} ${textOf(objectAt(part, 'source').path)}]`,
    )
    .join('\n');
};

const textPart = (content: string): Part[] => (content === '' ? [] : [{ type: 'text', content }]);

const roles: Record<string, string> = { system: 'system', user: 'user', agent: 'assistant' };

const spokenBy = (step: JsonObject): Message => {
  const reasoning = textOf(step.reasoning_content);
  return {
    role: roles[textOf(step.source) ?? ''] ?? 'user',
    parts: [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
      ...textPart(textIn(step.message)),
      ...listAt(step, 'tool_calls').map((call) => ({
        type: 'tool_call',
        id: call.tool_call_id,
        name: call.function_name,
        arguments: call.arguments,
      })),
    ],
  };
};

type Result = {
  callId: string | undefined;
  text: string;
  error: string | undefined;
  subagents: JsonObject[];
};

/** Returns the results of a step. A result without an id belongs to the step's only call. */
const resultsOf = (step: JsonObject): Result[] => {
  const calls = listAt(step, 'tool_calls');
  const results = listAt(objectAt(step, 'observation'), 'results');
  const only = calls.length === 1 && results.length === 1 ? textOf(calls[0]!.tool_call_id) : undefined;
  return results.map((result) => ({
    callId: textOf(result.source_call_id) ?? only,
    text: textIn(result.content),
    // Dokima wrote the first until the schema was seen to refuse it.
    error: textOf(result.error) ?? textOf(objectAt(result, 'extra').error),
    subagents: listAt(result, 'subagent_trajectory_ref'),
  }));
};

const answerOf = ({ callId, text }: Result): Message => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', ...(callId !== undefined && { id: callId }), response: text }],
});

const usageOf = (step: JsonObject): Record<string, number> => {
  const metrics = objectAt(step, 'metrics');
  const named = {
    'gen_ai.usage.input_tokens': metrics.prompt_tokens,
    'gen_ai.usage.output_tokens': metrics.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': metrics.cached_tokens,
    'gen_ai.usage.cost': metrics.cost_usd,
  };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => {
      const number = numberIn(value);
      return number === undefined ? [] : [[name, number]];
    }),
  );
};

/** Returns the start of each step. A step without a time begins a millisecond after the one before. */
const timesOf = (steps: JsonObject[], startMs: number): number[] => {
  const given = steps.map(({ timestamp }) => Date.parse(textOf(timestamp) ?? ''));
  const first = given.find((time) => !Number.isNaN(time));
  let last = (first ?? startMs) - 1;
  return given.map((time) => {
    last = Number.isNaN(time) ? last + 1 : Math.max(time, last + 1);
    return last;
  });
};

const isModelCall = (step: JsonObject): boolean =>
  step.source === 'agent' && step.llm_call_count !== 0 && step.is_copied_context !== true;

/** A step of a trajectory, and when it began and ended. */
type Timed = { step: JsonObject; key: string; parent: string; start: number; end: number };

const modelSpan = (
  { step, key, parent, start, end }: Timed,
  model: string | undefined,
  messages: { since: readonly Message[]; said: Message },
): TraceSpan => ({
  key,
  parent,
  name: `chat ${model ?? ''}`.trim(),
  startMs: start,
  endMs: end,
  attributes: {
    'gen_ai.operation.name': 'chat',
    ...(model !== undefined && { 'gen_ai.request.model': model }),
    'gen_ai.input.messages': JSON.stringify(messages.since),
    'gen_ai.output.messages': JSON.stringify([messages.said]),
    ...usageOf(step),
  },
});

/** Returns a span for each tool call of a step, and below it the spans of the sub-agents that it started. */
const toolSpans = (trajectory: JsonObject, { step, key, parent, start, end }: Timed): TraceSpan[] => {
  const results = resultsOf(step);
  const calls = step.is_copied_context === true ? [] : listAt(step, 'tool_calls');
  return calls.flatMap((call, j) => {
    const id = textOf(call.tool_call_id);
    const result = results.find(({ callId }) => callId === id);
    const callKey = `${key} tool ${j}`;
    const name = textOf(call.function_name) ?? 'tool';
    const span: TraceSpan = {
      key: callKey,
      parent,
      name: `execute_tool ${name}`,
      endMs: end,
      // After the model's call, which begins with the step, and one after the other.
      startMs: start + (j + 1) / 1_000,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        ...(id !== undefined && { 'gen_ai.tool.call.id': id }),
        'gen_ai.tool.call.arguments': JSON.stringify(call.arguments ?? {}),
        ...(result && { 'gen_ai.tool.call.result': result.text }),
      },
      ...(result?.error !== undefined && { error: result.error }),
    };
    const ofSubAgents = (result?.subagents ?? []).flatMap(({ trajectory_id }) => {
      const sub = listAt(trajectory, 'subagent_trajectories').find(
        (one) => one.trajectory_id === trajectory_id,
      );
      return sub ? spansOf(sub, start, `${callKey} ${textOf(trajectory_id)}`, callKey) : [];
    });
    return [span, ...ofSubAgents];
  });
};

/**
 * Returns the spans of a trajectory: the agent, a span for each call of its model with the messages since the last one, a span for
 * each tool call, and below it the sub-agents that it started.
 */
export const spansOf = (
  trajectory: JsonObject,
  startMs: number,
  key = 'agent',
  parent: string | undefined = undefined,
): TraceSpan[] => {
  const steps = listAt(trajectory, 'steps');
  const agent = objectAt(trajectory, 'agent');
  const times = timesOf(steps, startMs);
  const inner: TraceSpan[] = [];
  let since: Message[] = [];
  for (const [i, step] of steps.entries()) {
    const start = times[i]!;
    const timed: Timed = { step, key: `${key} ${i}`, parent: key, start, end: times[i + 1] ?? start + 1 };
    const said = spokenBy(step);
    if (isModelCall(step)) {
      const model = textOf(step.model_name) ?? textOf(agent.model_name);
      inner.push(modelSpan(timed, model, { since, said }));
      since = [];
    } else if (said.parts.length > 0) since.push(said);
    inner.push(...toolSpans(trajectory, timed));
    since.push(...resultsOf(step).map(answerOf));
  }
  const name = textOf(agent.name) ?? 'agent';
  const begin = times[0] ?? startMs;
  const endMs = inner.reduce((latest, span) => Math.max(latest, span.endMs), begin);
  const root: TraceSpan = {
    key,
    parent,
    name: `invoke_agent ${name}`,
    startMs: begin,
    endMs,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
  };
  return [root, ...inner];
};
