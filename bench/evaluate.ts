import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { metrics, recordCount } from './dataset.ts';
import { difference, median, medianProcessor, type Processor, time } from './measure.ts';
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

type Spent = { seconds: number[]; cpu: Processor[] };

/**
 * The time until five code metrics have given 50,000 scores in the sandbox: from the first request with records, and from the
 * moment that stored records get the metrics.
 */
export const evaluate: Benchmark = async ({ engine, connect, processor }) => {
  const bodies = recordBatches();
  const whole: Spent = { seconds: [], cpu: [] };
  const stored: Spent = { seconds: [], cpu: [] };
  const spend = async (spent: Spent, work: () => Promise<void>) => {
    const before = await processor();
    spent.seconds.push(await time(work));
    const after = await processor();
    if (before && after) spent.cpu.push(difference(before, after));
  };
  for (let round = 0; round < rounds; round++) {
    // New connections for each round: the service closes those that are idle while a round is scored.
    const connections = await connect(2);
    const run = await createRun(connections[0]!, (outputType) => codes[outputType]);
    await spend(whole, async () => {
      await sendRecords(connections, run, bodies);
      await completed(connections[0]!, run);
    });
    const later = { ...run, runId: await createRunWithoutMetrics(connections[0]!, run) };
    await sendRecords(connections, later, bodies);
    const added = JSON.stringify({ metricIds: run.metricIds });
    await spend(stored, async () => {
      await connections[0]!.send('POST', `/api/v2/runs/${later.runId}/metrics`, added);
      await completed(connections[0]!, later);
    });
  }
  const measurement = (work: string, spent: Spent) => {
    const seconds = median(spent.seconds);
    return {
      work,
      engine,
      seconds,
      count: recordCount * metrics.length,
      unit: 'scores',
      cpu: medianProcessor(spent.cpu),
      target: engine === 'server' ? { text: '≤ 6 s', met: seconds <= 6 } : undefined,
    };
  };
  return [
    measurement('ingest 10,000 records and evaluate with 5 code metrics', whole),
    measurement('evaluate 10,000 stored records with 5 code metrics', stored),
  ];
};
