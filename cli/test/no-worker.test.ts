import { expect, it, onTestFinished } from 'vitest';
import { openTerminal } from './terminal.ts';

it('watch says that no process scores, and how to start one', async () => {
  const terminal = await openTerminal({ DOKIMA_WORKERS: '0' });
  onTestFinished(() => terminal.close());
  const { client } = terminal;
  const project = await client.createProject({ name: 'P', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'M',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score() { return true; }',
  });
  const run = await client.createRun(project.id, { metricIds: [metric.id] });
  await client.createRecord(run.id, { inputs: {}, expected: {}, outputs: {} });
  // The same for the other commands that wait: they end with 3 after --timeout.
  const late = await terminal.dokima(['rescore', run.id, '--timeout', '1', '--sample', '1']);
  expect([late.code, late.err]).toEqual([3, expect.stringContaining('It was not done within --timeout.')]);
  const heard = Promise.withResolvers<void>();
  const onErr = (text: string) => void (text.includes('No process scores.') && heard.resolve());
  const watching = terminal.dokima(['watch', run.id], { onErr });
  await heard.promise;
  await client.cancelRun(run.id, { of: 'scores' });
  expect((await watching).err).toContain('Start one: npm run worker');
});
