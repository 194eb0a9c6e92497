import { expect } from 'vitest';
import { openEndpoint } from '../../server/test/endpoint.ts';
import type { Terminal } from './terminal.ts';

const count = 60;

/**
 * Makes a baseline of 60 right answers, and a run whose first `stopAfter` calls are answered, the others only after `goOn`. The server
 * needs a worker, and must be allowed to call private addresses.
 */
export const openGrowing = async (
  { client, dokima }: Terminal,
  {
    stopAfter,
    isRight = () => false,
    trials = 1,
  }: { stopAfter: number; isRight?: (call: number) => boolean; trials?: number },
) => {
  let [called, answered, isBaseline] = [0, count, true];
  const end = Promise.withResolvers<void>();
  const system = await openEndpoint(async () => {
    const call = ++called;
    if (call > answered) await end.promise;
    return { body: JSON.stringify({ outputs: { isRight: isBaseline || isRight(call) } }) };
  });
  const project = await client.createProject({ name: 'Growing', description: '' });
  const { id: testsetId } = await client.createTestset(project.id, {
    name: 'T',
    description: '',
    jsonSchema: {},
    fieldMapping: { inputs: ['q'], expected: [], metadata: [] },
  });
  const items = Array.from({ length: count }, (_, q) => ({ jsonData: { q } }));
  await client.createTestcases(testsetId, { items });
  const metric = await client.createMetric(project.id, {
    name: 'Correct',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'export function score(inputs, outputs) { return outputs.isRight; }',
  });
  const { productionVersion } = await client.upsertSystem(project.id, { config: { endpoint: system.url } });
  const start = (ofEach: number) =>
    client.createRun(project.id, {
      metricIds: [metric.id],
      testsetId,
      execute: true,
      systemVersionId: productionVersion.id,
      trials: ofEach,
    });
  const baseline = await start(1);
  expect((await dokima(['watch', baseline.id])).code).toBe(0);
  [called, answered, isBaseline] = [0, stopAfter, false];
  const run = await start(trials);
  return {
    projectId: project.id,
    baselineId: baseline.id,
    runId: run.id,
    goOn: () => end.resolve(),
    close: async () => {
      end.resolve();
      await system.close();
    },
  };
};
