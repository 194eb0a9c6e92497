import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { type Cost, medianCost } from './cost.ts';
import { metrics, recordCount } from './dataset.ts';
import { createRun, createRunWithoutMetrics, type Run, recordBatches, sendRecords } from './run.ts';
import type { Benchmark } from './subject.ts';

const rounds = 3;
const pollMs = 100;

const codes: Record<(typeof metrics)[number], string> = {
  boolean:
    'function score(inputs, outputs, expected) { return { score: outputs.answer === expected.answer }; }',
  int: 'function score(inputs) { return { score: 1 + (inputs.difficulty % 5) }; }',
  float:
    "function score(inputs, outputs) { return { score: Math.min(1, outputs.solution.split(' ').length / 100) }; }",
};

const completed = async (connection: Connection, { runId }: Run): Promise<void> => {
  for (;;) {
    const run = JSON.parse((await connection.get(`/api/v2/runs/${runId}`)).toString()) as {
      status: string;
      numScores: number;
    };
    if (run.status === 'completed') {
      if (run.numScores === recordCount * metrics.length) return;
      throw new Error(`Completed with ${run.numScores} scores.`);
    }
    await delay(pollMs);
  }
};

/**
 * The time until five code metrics have given 50,000 scores in the sandbox: from the first request with records, and from the
 * moment that stored records get the metrics.
 */
export const evaluate: Benchmark = async ({ engine, connect, meter, wholeMeter }) => {
  const bodies = recordBatches();
  const whole: Cost[] = [];
  const stored: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    // New connections for each work: the service closes those that are idle while another one is measured.
    const run = await createRun((await connect(1))[0]!, (outputType) => codes[outputType]);
    const evaluated = async () => {
      const clients = await connect(2);
      await sendRecords(clients, run, bodies);
      await completed(clients[0]!, run);
    };
    // What goes on afterwards is the same each time.
    whole.push(await (round === 0 ? wholeMeter : meter)(evaluated));
    const connections = await connect(2);
    const later = { ...run, runId: await createRunWithoutMetrics(connections[0]!, run) };
    await sendRecords(connections, later, bodies);
    const added = JSON.stringify({ metricIds: run.metricIds });
    stored.push(
      await meter(async () => {
        await connections[0]!.send('POST', `/api/v2/runs/${later.runId}/metrics`, added);
        await completed(connections[0]!, later);
      }),
    );
  }
  const measurement = (work: string, costs: Cost[]) => {
    const cost = medianCost(costs);
    return {
      work,
      engine,
      ...cost,
      count: recordCount * metrics.length,
      unit: 'scores',
      target: engine === 'server' ? { text: '≤ 6 s', met: cost.seconds <= 6 } : undefined,
    };
  };
  return [
    measurement('ingest 10,000 records and evaluate with 5 code metrics', whole),
    measurement('evaluate 10,000 stored records with 5 code metrics', stored),
  ];
};
