import type { Client, RecordDetail } from '../../../client/src/main.ts';
import { valueOfScore } from '../../../client/src/score-value.ts';
import { type Step, trajectoryOf } from './atif-steps.ts';
import { type ExportedRun, labelsIn, textOfPart } from './run-of.ts';

// Agent Trajectory Interchange Format: a trajectory is a conversation in steps. The rewards are no part of it, so they are its `extra`.
const version = 'ATIF-v1.8';

const scoresOf = ({ scoreStates }: RecordDetail) =>
  Object.fromEntries(
    scoreStates.flatMap(({ metricName, score }) => {
      const value = valueOfScore(score);
      return value === undefined ? [] : [[metricName, value]];
    }),
  );

const numbered = (steps: Step[]) => steps.map((step, i) => ({ step_id: i + 1, ...step }));

const fileOf = async (client: Client, { run, summary }: ExportedRun, record: RecordDetail, model: string) => {
  const { inputs, expected, outputs, measures } = record;
  const { steps: found, subAgents } = await trajectoryOf(client, run.projectId, record);
  const hasMessages = found.some(({ source }) => source === 'user');
  const hasAnswer = found.some(({ source, message }) => source === 'agent' && message !== '');
  const steps: Step[] = [
    ...(hasMessages ? [] : [{ source: 'user' as const, message: textOfPart(inputs) }]),
    ...found,
    ...(hasAnswer ? [] : [{ source: 'agent' as const, message: textOfPart(outputs) }]),
  ];
  return {
    schema_version: version,
    session_id: record.sessionId ?? record.id,
    trajectory_id: record.id,
    agent: { name: run.title, version: run.systemVersionId ?? 'unknown', model_name: model },
    steps: numbered(steps),
    final_metrics: {
      ...(measures?.inputTokens != null && { total_prompt_tokens: measures.inputTokens }),
      ...(measures?.outputTokens != null && { total_completion_tokens: measures.outputTokens }),
      ...(measures?.costUsd != null && { total_cost_usd: measures.costUsd }),
      total_steps: steps.length,
    },
    extra: {
      dokima: {
        run: run.id,
        testcase: record.testcaseId,
        inputs,
        expected,
        outputs,
        labels: labelsIn(summary),
      },
      rewards: scoresOf(record),
    },
    ...(subAgents.length > 0 && {
      subagent_trajectories: subAgents.map((one) => ({
        schema_version: version,
        trajectory_id: one.id,
        agent: { name: one.name, version: 'unknown', ...(one.model && { model_name: one.model }) },
        steps: numbered(one.steps),
      })),
    }),
  };
};

/** Yields a trajectory a line for each record of a run. */
export async function* trajectoriesOf(
  client: Client,
  exported: ExportedRun,
  model: string,
): AsyncGenerator<string> {
  for await (const record of exported.records())
    yield `${JSON.stringify(await fileOf(client, exported, record, model))}\n`;
}
