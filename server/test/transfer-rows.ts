import { createMetric, createRecord, createRun, createTestset, ok } from './fixtures.ts';
import type { Client } from './harness.ts';
import { createMonitor } from './monitors.ts';

/** A project that is being imported, with one of everything that the rows of an archive name. */
export type ImportedWorld = Record<
  | 'projectId'
  | 'testsetId'
  | 'testcaseId'
  | 'metricId'
  | 'judgeMetricId'
  | 'configId'
  | 'judgeConfigId'
  | 'runId'
  | 'checkRunId'
  | 'recordId'
  | 'sampleId'
  | 'systemId'
  | 'monitorId'
  | 'annotationId'
  | 'rescoringId'
  | 'userId',
  string
>;

const at = '2026-01-01T00:00:00Z';
const own = '01890000-0000-7000-8000-0000000000aa';
const unknownCost = { costUsd: null, inputTokens: null, outputTokens: null };

/** A path below a noun, one row for it, by operation. */
export const transferRows: Record<string, (world: ImportedWorld) => { path: string; row: object }> = {
  importTestsets: ({ projectId, testsetId }) => ({
    path: `/projects/${projectId}/import/testsets`,
    row: { testsetId, lastTestcaseN: 7, createdAt: at },
  }),
  importTestcases: ({ testsetId }) => ({
    path: `/testsets/${testsetId}/import/testcases`,
    row: { n: 5, revision: 2, jsonData: { a: 1 }, validationErrors: null, createdAt: at, updatedAt: at },
  }),
  importRuns: ({ projectId, runId }) => ({
    path: `/projects/${projectId}/import/runs`,
    row: { runId, numExpectedRecords: 3, createdAt: at },
  }),
  importSystems: ({ projectId, systemId }) => ({
    path: `/projects/${projectId}/import/systems`,
    row: { systemId, createdAt: at },
  }),
  importMonitors: ({ projectId, monitorId }) => ({
    path: `/projects/${projectId}/import/monitors`,
    row: { monitorId, createdAt: at, definedAt: at },
  }),
  importViews: ({ projectId, userId }) => ({
    path: `/projects/${projectId}/import/views`,
    row: { id: own, name: 'V', shared: true, search: '', display: {}, userId, createdAt: at, updatedAt: at },
  }),
  importRecords: ({ runId, recordId, testsetId }) => ({
    path: `/runs/${runId}/import/records`,
    row: { recordId, testsetId, testcaseN: 5, testcaseRevision: 2, createdAt: at },
  }),
  importTags: ({ runId, recordId, userId }) => ({
    path: `/runs/${runId}/import/tags`,
    row: { id: own, recordId, text: 'new', source: 'user', userId, createdAt: at },
  }),
  importAssignments: ({ runId, recordId, userId }) => ({
    path: `/runs/${runId}/import/assignments`,
    row: { id: own, recordId, assigneeUserId: userId, assignedByUserId: userId, createdAt: at },
  }),
  importAnnotations: ({ runId, recordId, userId }) => ({
    path: `/runs/${runId}/import/annotations`,
    row: {
      ...{ id: own, recordId, spanId: null, rating: true, comment: '', passage: null, userId },
      ...{ createdAt: at, updatedAt: at, resolvedAt: at, resolvedByUserId: userId },
    },
  }),
  importReplies: ({ runId, recordId, annotationId, userId }) => ({
    path: `/runs/${runId}/import/replies`,
    row: { id: own, recordId, annotationId, comment: 'Yes.', userId, createdAt: at, updatedAt: null },
  }),
  importRunMetrics: ({ runId, metricId, configId }) => ({
    path: `/runs/${runId}/import/metrics`,
    row: { position: 9, metricId, metricConfigId: configId, sampled: false },
  }),
  importJudging: ({ runId }) => ({
    path: `/runs/${runId}/import/judging`,
    row: { budgetUsd: 2, spentUsd: 0.5, unpriced: 1 },
  }),
  importExecutions: ({ runId, recordId, testcaseId }) => ({
    path: `/runs/${runId}/import/executions`,
    row: {
      ...{ n: 1, testcaseId, trial: 1, state: 'done', attempts: 1, error: null, recordId, latencyMs: 5 },
      ...{ ...unknownCost, evidence: null, updatedAt: at },
    },
  }),
  importSkips: ({ runId, recordId, configId, userId }) => ({
    path: `/runs/${runId}/import/skips`,
    row: { recordId, metricConfigId: configId, userId, skippedAt: at },
  }),
  importSampleOrigins: ({ runId, sampleId, userId }) => ({
    path: `/runs/${runId}/import/sample-origins`,
    row: { sampleId, userId, createdAt: at },
  }),
  importRescorings: ({ runId, recordId, metricId, configId, userId }) => ({
    path: `/runs/${runId}/import/rescorings`,
    row: {
      ...{ id: own, metricId, metricConfigId: configId, recordIds: [recordId], sampleSize: 2 },
      ...{ sampleSeed: '5', extended: true, createdByUserId: userId, createdAt: at, outcome: 'discarded' },
      ...{ endedByUserId: userId, endedAt: at, summary: { numRecords: 1 } },
    },
  }),
  importProposals: ({ runId, recordId, judgeConfigId, rescoringId }) => ({
    path: `/runs/${runId}/import/proposals`,
    row: {
      ...{
        recordId,
        metricConfigId: judgeConfigId,
        rescoringId,
        state: 'scored',
        score: { binaryScore: true },
      },
      ...{ reason: null, attempts: 1, lastError: null, evidence: null, ...unknownCost, createdAt: at },
      ...{ updatedAt: at, applied: null, beforeConfigId: judgeConfigId, beforeState: 'scored' },
      ...{ beforeScore: { binaryScore: false }, beforeReason: null, beforeValue: 0, beforeGiven: false },
    },
  }),
  importPinnedSet: ({ metricId, configId, userId }) => ({
    path: `/metrics/${metricId}/import/pinned-set`,
    row: {
      ...{ metricConfigId: configId, servedModels: ['m'], source: 'metric', automatic: false },
      ...{ pinnedByUserId: userId, pinnedAt: at },
    },
  }),
  importPinnedLabels: ({ judgeMetricId, recordId }) => ({
    path: `/metrics/${judgeMetricId}/import/pinned-labels`,
    row: { recordId, place: 1, humanPassed: true, judgePassed: false },
  }),
  importDriftChecks: ({ judgeMetricId, judgeConfigId, checkRunId }) => ({
    path: `/metrics/${judgeMetricId}/import/drift-checks`,
    row: { runId: checkRunId, metricConfigId: judgeConfigId, forModels: [], createdAt: at },
  }),
  importDraws: ({ monitorId, recordId }) => ({
    path: `/monitors/${monitorId}/import/draws`,
    row: {
      recordId,
      decidedAt: at,
      inclusionProbability: 0.5,
      drawn: true,
      spans: '2',
      ends: '12345678901234567890',
    },
  }),
};

/** A metric with all its configurations, as importMetric takes it. */
export const importedMetric = {
  ...{ name: 'M', description: null, reviewers: 2, rule: 'majority', createdAt: at },
  versions: [1, 2].map((judgeRepeats) => ({
    ...{
      id: `01890000-000${judgeRepeats}-7000-8000-0000000000aa`,
      evalType: 'ai',
      outputType: 'int',
      guidelines: '',
      promptTemplate: 'P',
      evalModelName: 'm',
    },
    ...{ temperature: 0, passingThreshold: 3, judgeRepeats, createdAt: at },
  })),
};

/** Begins the import of a project, and makes what its rows name. */
export const createImportedWorld = async (
  api: Client,
  userId: string,
  project?: { id: string },
): Promise<ImportedWorld> => {
  const source = { name: 'Imported', description: '', importKey: 'rows of an archive' };
  const { id: projectId } = project ?? (await ok(api('POST', '/projects', source), 201));
  const testset = await createTestset(api, projectId);
  const metric = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
  const judge = await createMetric(api, projectId, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score() { return true }',
  });
  const bot = await ok(
    api('POST', `/projects/${projectId}/systems`, { config: { endpoint: 'https://example.com' } }),
    201,
  );
  const configOf = async (id: string) => (await ok(api('GET', `/metrics/${id}/versions`))).data[0].id;
  const run = await createRun(api, projectId, [], { testsetId: testset.id });
  const record = await createRecord(api, run.id);
  const draw = { metricId: metric.id, share: 1 };
  const sample = await ok(api('POST', `/runs/${run.id}/review-samples`, draw), 201);
  const annotation = await ok(api('POST', `/records/${record.id}/annotations`, { rating: true }), 201);
  const world = {
    ...{ projectId, userId, testsetId: testset.id, testcaseId: `${testset.id}-1`, metricId: metric.id },
    ...{
      judgeMetricId: judge.id,
      configId: await configOf(metric.id),
      judgeConfigId: await configOf(judge.id),
    },
    ...{ runId: run.id, recordId: record.id, checkRunId: (await createRun(api, projectId, [])).id },
    ...{ sampleId: sample.id, systemId: bot.id, annotationId: annotation.id },
    monitorId: (await createMonitor(api, projectId, [metric.id])).id,
    rescoringId: '',
  };
  const send = async (operationId: string, changes: Partial<ImportedWorld> = {}) => {
    const { path, row } = transferRows[operationId]!({ ...world, ...changes });
    return ok(api('POST', path, { items: [row] }), 201);
  };
  const judged = { metricId: judge.id, configId: world.judgeConfigId };
  const { ids } = await send('importRescorings', judged);
  await send('importPinnedSet', judged);
  return { ...world, rescoringId: ids[0] };
};
