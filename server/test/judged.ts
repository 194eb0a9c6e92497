import { expect } from 'vitest';
import { createMetric, createProject, createRun, ok } from './fixtures.ts';
import type { Client } from './harness.ts';
import { addRecords } from './reviews.ts';

/** Waits until a run is completed. */
export const completed = (api: Client, runId: string) =>
  expect
    .poll(async () => (await ok(api('GET', `/runs/${runId}`))).status, { timeout: 60_000 })
    .toBe('completed');

/**
 * A judge by a model, and the run in which it and people scored records with the outputs `answer-0`, `answer-1` and so on. The prompt names
 * the project, so that no verdict of another project is used again.
 */
export const createJudged = async (
  api: Client,
  { records, isGood, model }: { records: number; isGood: (answer: number) => boolean; model: string },
) => {
  const projectId: string = (await createProject(api)).id;
  const judge = await createMetric(api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: `Project ${projectId}: is {{ outputs.text }} right? {{ guidelines }}`,
    evalModelName: model,
  });
  const people = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(api, projectId, [judge.id, people.id]);
  const recordIds = await addRecords(api, run.id, records, (i) => ({
    inputs: { question: i },
    outputs: { text: `answer-${i}` },
  }));
  const items = recordIds.map((recordId, i) => ({
    recordId,
    metricConfigId: run.metricVersionIds[1],
    score: { binaryScore: isGood(i) },
  }));
  await ok(api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
  await completed(api, run.id);
  return { projectId, judgeId: judge.id as string, peopleId: people.id as string, run, recordIds };
};
