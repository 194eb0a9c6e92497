import type { Client, RecordDetail } from '../../../client/src/main.ts';
import { type ExportedRun, numberOfScore, textOfPart } from './run-of.ts';

// Agent Trajectory Interchange Format: a trajectory is a conversation in steps. The rewards are no part of it, so they are its `extra`.
const version = 'ATIF-v1.8';

type Entry = Awaited<ReturnType<Client['getRecordConversation']>>['data'][number];
type Result = { source_call_id: string | null; content: string };
type Step = {
  source: 'system' | 'user' | 'agent';
  message: string;
  timestamp?: string;
  model_name?: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: object }[];
  observation?: { results: Result[] };
};

const argumentsOf = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };

/** Turns messages into steps: what a tool answers is observed in the step that called it. */
const stepsOf = (entries: Entry[]): Step[] => {
  const steps: Step[] = [];
  for (const { role, content, toolCalls, toolCallId, reasoning, time, modelName } of entries) {
    const last = steps.at(-1);
    if (role === 'tool' && last?.source === 'agent') {
      last.observation ??= { results: [] };
      const called = last.tool_calls?.some(({ tool_call_id }) => tool_call_id === toolCallId);
      last.observation.results.push({ source_call_id: called ? toolCallId! : null, content });
      continue;
    }
    const isAgent = role === 'assistant' || role === 'tool';
    const source = isAgent ? 'agent' : role === 'system' ? 'system' : 'user';
    steps.push({
      source,
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
    });
  }
  return steps;
};

const scoresOf = ({ scoreStates }: RecordDetail) =>
  Object.fromEntries(
    scoreStates.flatMap(({ metricName, score }) => {
      const { binaryScore } = (score ?? {}) as { binaryScore?: boolean | null };
      const value = binaryScore ?? numberOfScore(score);
      return value === undefined ? [] : [[metricName, value]];
    }),
  );

const trajectoryOf = async (client: Client, { run }: ExportedRun, record: RecordDetail, model: string) => {
  const { inputs, expected, outputs, measures } = record;
  const found = await client.getRecordConversation(record.id);
  const main = found.data.filter(({ agentSpanId }) => agentSpanId === null);
  const steps: Step[] =
    main.length > 0
      ? stepsOf(main)
      : [
          { source: 'user', message: textOfPart(inputs) },
          { source: 'agent', message: textOfPart(outputs) },
        ];
  return {
    schema_version: version,
    session_id: record.sessionId ?? record.id,
    trajectory_id: record.id,
    agent: { name: run.title, version: run.systemVersionId ?? 'unknown', model_name: model },
    steps: steps.map((step, i) => ({ step_id: i + 1, ...step })),
    final_metrics: {
      ...(measures?.inputTokens != null && { total_prompt_tokens: measures.inputTokens }),
      ...(measures?.outputTokens != null && { total_completion_tokens: measures.outputTokens }),
      ...(measures?.costUsd != null && { total_cost_usd: measures.costUsd }),
      total_steps: steps.length,
    },
    extra: {
      dokima: { run: run.id, testcase: record.testcaseId, inputs, expected, outputs },
      rewards: scoresOf(record),
    },
  };
};

/** Yields a trajectory a line for each record of a run. */
export async function* trajectoriesOf(
  client: Client,
  exported: ExportedRun,
  model: string,
): AsyncGenerator<string> {
  for await (const record of exported.records())
    yield `${JSON.stringify(await trajectoryOf(client, exported, record, model))}\n`;
}
