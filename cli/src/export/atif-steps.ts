import { mapConcurrently } from '../../../client/src/concurrency.ts';
import type { CalledSpan, Client, RecordDetail } from '../../../client/src/main.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';

// Steps of the Agent Trajectory Interchange Format 1.8: what a tool answers is observed in the step that called it.
type Entry = Awaited<ReturnType<Client['getRecordConversation']>>['data'][number];
type Result = {
  source_call_id: string | null;
  content?: string;
  /** The schema refuses fields of its own making elsewhere. */
  extra?: { error: string };
  subagent_trajectory_ref?: { trajectory_id: string }[];
};
type Call = { tool_call_id: string; function_name: string; arguments: object };
export type Step = {
  source: 'system' | 'user' | 'agent';
  message: string;
  timestamp?: string;
  model_name?: string;
  reasoning_content?: string;
  tool_calls?: Call[];
  observation?: { results: Result[] };
  metrics?: Record<string, number>;
  /** No model was called: the step is a tool alone. */
  llm_call_count?: 0;
};
export type SubAgent = { id: string; name: string; model: string | undefined; steps: Step[] };

const argumentsOf = (value: unknown): object => {
  if (typeof value === 'string' && /^\s*\{/.test(value))
    try {
      return argumentsOf(parseAsWritten(value));
    } catch {
      return { value };
    }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };
};

const textOfResult = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const metricsOf = ({ inputTokens, outputTokens, cachedInputTokens, costUsd, costComputed }: SpanDetail) => ({
  ...(inputTokens !== null && { prompt_tokens: inputTokens }),
  ...(outputTokens !== null && { completion_tokens: outputTokens }),
  ...(cachedInputTokens !== null && { cached_tokens: cachedInputTokens }),
  // A price of this service would come back as one that the agent told.
  ...(costUsd !== null && !costComputed && { cost_usd: costUsd }),
});

type SpanDetail = CalledSpan & NonNullable<CalledSpan['call']>;
/** What a record's spans say, by their ids. Tools and calls of models are read whole. */
type Spans = { tree: ReadonlyMap<string, CalledSpan>; details: ReadonlyMap<string, SpanDetail> };

/** Takes the spans of a conversation. A call that is beyond its limits is asked for. */
const spansOf = async (client: Client, projectId: string, spans: readonly CalledSpan[]): Promise<Spans> => {
  const calls = spans.filter(({ operation }) => operation === 'chat' || operation === 'tool');
  const read = await mapConcurrently(calls, 8, async (span) => ({
    ...span,
    ...(span.call ?? (await client.getSpan(projectId, span.traceId, span.spanId))),
  }));
  return {
    tree: new Map(spans.map((span) => [span.spanId, span])),
    details: new Map(read.map((span) => [span.spanId, span])),
  };
};

/** Returns the id of the agent in which a span happened, and of the tool call that is nearest above it. */
const placeOf = (spanId: string, { tree, details }: Spans, agents: ReadonlySet<string>) => {
  let callId: string | undefined;
  for (let at = tree.get(spanId)?.parentSpanId; at; at = tree.get(at)?.parentSpanId) {
    callId ??= details.get(at)?.tool ? at : undefined;
    if (agents.has(at)) return { agent: at, callId };
  }
  return { agent: null, callId };
};

const called = (step: Step, id: string | undefined): Call | undefined =>
  step.tool_calls?.find(({ tool_call_id }) => tool_call_id === id);

/** Turns messages into steps. `unnamed` gets the results that name no call, by the span that gave them. */
const stepsOf = (entries: readonly Entry[], { details }: Spans, unnamed: Map<string, Result>): Step[] => {
  const steps: Step[] = [];
  const measured = new Set<string>();
  for (const entry of entries) {
    const { role, content, toolCalls, toolCallId, reasoning, time, modelName, spanId } = entry;
    const last = steps.findLast((step) => step.source === 'agent');
    if (role === 'tool' && last) {
      const step = steps.findLast((one) => called(one, toolCallId)) ?? last;
      step.observation ??= { results: [] };
      const result = { source_call_id: called(step, toolCallId) ? toolCallId! : null, content };
      step.observation.results.push(result);
      if (result.source_call_id === null) unnamed.set(spanId, result);
      continue;
    }
    const isAgent = role === 'assistant' || role === 'tool';
    const detail = isAgent && !measured.has(spanId) ? details.get(spanId) : undefined;
    const metrics = detail?.operation === 'chat' ? metricsOf(detail) : {};
    if (detail) measured.add(spanId);
    steps.push({
      source: isAgent ? 'agent' : role === 'system' ? 'system' : 'user',
      message: content,
      ...(time && { timestamp: time }),
      ...(isAgent && modelName && { model_name: modelName }),
      ...(isAgent && reasoning && { reasoning_content: reasoning }),
      ...(isAgent &&
        toolCalls?.length && {
          tool_calls: toolCalls.map(({ id, name, arguments: given }, i) => ({
            tool_call_id: id ?? `call_${steps.length + 1}_${i + 1}`,
            function_name: name,
            arguments: argumentsOf(given),
          })),
        }),
      ...(Object.keys(metrics).length > 0 && { metrics }),
    });
  }
  return steps;
};

/** Returns the call of a step that a tool's span carried out: the one with its id, else the first of its name that none did. */
const callOf = (steps: readonly Step[], { tool }: SpanDetail, taken: Set<Call>): [Step, Call] | undefined => {
  for (const isIt of [
    (call: Call) => call.tool_call_id === tool!.id,
    (call: Call) => tool!.id === null && call.function_name === tool!.name,
  ])
    for (const step of steps)
      for (const call of step.tool_calls ?? []) if (!taken.has(call) && isIt(call)) return [step, call];
  return undefined;
};

/** Adds what only the spans of tools say: calls that no message names, results that no message has, and errors. */
const withTools = (
  steps: Step[],
  tools: readonly SpanDetail[],
  unnamed: ReadonlyMap<string, Result>,
): Map<string, [Step, Call]> => {
  const taken = new Set<Call>();
  const bySpan = new Map<string, [Step, Call]>();
  for (const span of tools) {
    const { tool, error, startTime, spanId } = span;
    let found = callOf(steps, span, taken);
    if (!found) {
      const call = {
        tool_call_id: tool!.id ?? `call_${spanId}`,
        function_name: tool!.name,
        arguments: argumentsOf(tool!.arguments ?? {}),
      };
      const step: Step = {
        source: 'agent',
        message: '',
        timestamp: startTime,
        tool_calls: [call],
        llm_call_count: 0,
      };
      const after = steps.findIndex(({ timestamp }) => timestamp !== undefined && timestamp > startTime);
      steps.splice(after === -1 ? steps.length : after, 0, step);
      found = [step, call];
    }
    const [step, { tool_call_id: id }] = found;
    taken.add(found[1]);
    bySpan.set(spanId, found);
    const results = step.observation?.results ?? [];
    let result = results.find(({ source_call_id }) => source_call_id === id) ?? unnamed.get(spanId);
    if (result) result.source_call_id = id;
    const hasResult = tool!.result !== null && tool!.result !== undefined;
    if (!result && (hasResult || error !== null)) {
      result = { source_call_id: id, ...(hasResult && { content: textOfResult(tool!.result) }) };
      step.observation = { results: [...results, result] };
    }
    if (result && error !== null) result.extra = { error };
  }
  return bySpan;
};

/** The steps of an agent, and the call that each span of a tool carried out. */
type Made = { agent: string | null; steps: Step[]; calls: Map<string, [Step, Call]> };

/** Names a sub-agent where it was started: in the result of the tool that did, else in the last step of the agent above. */
const refer = (made: readonly Made[], agent: string, at: ReturnType<typeof placeOf>): void => {
  const above = made.find((one) => one.agent === at.agent)!;
  const started = above.calls.get(at.callId ?? '');
  const step = started?.[0] ?? above.steps.findLast(({ source }) => source === 'agent');
  if (!step) return;
  const id = started?.[1].tool_call_id ?? null;
  step.observation ??= { results: [] };
  let result = step.observation.results.find(({ source_call_id }) => source_call_id === id);
  if (!result) {
    result = { source_call_id: id };
    step.observation.results.push(result);
  }
  result.subagent_trajectory_ref ??= [];
  result.subagent_trajectory_ref.push({ trajectory_id: agent });
};

/** Returns the steps of a record, and those of its sub-agents, each named by the step that started it. */
export const trajectoryOf = async (
  client: Client,
  projectId: string,
  record: RecordDetail,
): Promise<{ steps: Step[]; subAgents: SubAgent[] }> => {
  const { data, agents, spans: found = [] } = await client.getRecordConversation(record.id, { spans: true });
  const spans = await spansOf(client, projectId, found);
  const speak = new Set(data.map(({ agentSpanId }) => agentSpanId));
  const below = agents.filter(
    ({ parentAgentSpanId, spanId }) => parentAgentSpanId !== null || speak.has(spanId),
  );
  const ids = new Set(below.map(({ spanId }) => spanId));
  const tools = [...spans.details.values()].filter(({ tool }) => tool !== null);
  const made: Made[] = [null, ...ids].map((agent) => {
    const said = data.filter(({ agentSpanId }) => agentSpanId === agent);
    const unnamed = new Map<string, Result>();
    const steps = stepsOf(said, spans, unnamed);
    const own = tools.filter(({ spanId }) => placeOf(spanId, spans, ids).agent === agent);
    return { agent, steps, calls: withTools(steps, own, unnamed) };
  });
  const subAgents = below.flatMap(({ name, spanId }, i) => {
    const { steps } = made[i + 1]!;
    if (steps.length === 0) return [];
    refer(made, spanId, placeOf(spanId, spans, ids));
    return [{ id: spanId, name, model: steps.find((step) => step.model_name)?.model_name, steps }];
  });
  return { steps: made[0]!.steps, subAgents };
};
