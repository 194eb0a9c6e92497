import { expect } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import type { Organization, TestApp } from './harness.ts';
import { createMonitor } from './monitors.ts';
import { newTraceId, post, requestOf, spanId } from './otlp.ts';
import { createRunOf } from './scored-runs.ts';

/** What tenancy.test.ts tries: an organization with one of everything, and what each operation is sent. */

const unknown = {
  number: '999999999',
  child: '999999999-1',
  uuid: '01890000-0000-7000-8000-000000000000',
  text: 'nobody-has-this',
};

/** Ids of one organization's things, by the name that they have in paths. */
export type World = Record<string, string>;

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const createWorld = async (
  app: TestApp,
  { api, memberId, key: secret }: Organization,
): Promise<World> => {
  const project = await createProject(api);
  const source = { name: 'Imported', description: '', importKey: 'the same everywhere' };
  const imported = await ok(api('POST', '/projects', source), 201);
  const testset = await createTestset(api, project.id);
  const [testcase] = await createTestcases(api, testset.id, 1);
  const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const sampled = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const config = { promptTemplate: 'You are a user.', modelName: 'fake/user' };
  const made = await ok(api('POST', `/projects/${project.id}/systems`, { config }), 201);
  const code = {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score() { return true }',
  };
  const rescored = await createMetric(api, project.id, code);
  const rescorable = await createMetric(api, project.id, code);
  const metrics = [metric.id, rescored.id, rescorable.id];
  const run = await createRun(api, project.id, metrics, { testsetId: testset.id });
  const otherRun = await createRun(api, project.id, [metric.id]);
  const labelMetric = await createMetric(api, project.id, { evalType: 'human', outputType: 'int' });
  const sessionId = `session-of-${memberId}`;
  const record = await createRecord(api, run.id, { sessionId });
  const rescoring = await ok(api('POST', `/runs/${run.id}/rescorings`, { metricId: rescored.id }), 201);
  // Nobody scores here: the stream of its progress would never end.
  await ok(api('POST', `/runs/${run.id}/scores/cancel`));
  const draw = { metricId: sampled.id, share: 1, stratifyBy: { metricId: metric.id } };
  const sample = await ok(api('POST', `/runs/${run.id}/review-samples`, draw), 201);
  const judge = await createMetric(api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
  const people = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  await createRunOf(
    api,
    project.id,
    [judge, people],
    [1, 2].map(() => ({ scores: { [judge.id]: true, [people.id]: true } })),
  );
  await ok(api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
  await ok(api('POST', `/records/${record.id}/tags`, { text: 'tag' }), 201);
  await ok(api('POST', `/records/${record.id}/assignees`, { assigneeUserId: memberId }), 201);
  const annotation = await ok(api('POST', `/records/${record.id}/annotations`, { rating: true }), 201);
  const answerPath = `/records/${record.id}/annotations/${annotation.id}/replies`;
  const reply = await ok(api('POST', answerPath, { comment: 'Yes.' }), 201);
  const member = await ok(
    api('POST', '/members', { name: 'M', email: 'm@example.org', role: 'member' }),
    201,
  );
  const key = await ok(api('POST', '/keys', { name: 'K' }), 201);
  const provider = await ok(
    api('POST', '/providers', { name: 'theirs', kind: 'openai', apiKey: 'sk-theirs' }),
    201,
  );
  const view = await ok(
    api('POST', `/projects/${project.id}/views`, { name: 'V', shared: true, search: '', display: {} }),
    201,
  );
  const traceId = newTraceId();
  // Of its own number, so that no other organization has a span of that id.
  const n = Number(project.id);
  const traces = await post(app, secret, requestOf([{ traceId, n }], { 'dokima.project_id': project.id }));
  expect(traces.status).toBe(200);
  const file = { sessionId, filePath: 'f', sha256: emptySha256, sizeBytes: 0, contentType: 'text/plain' };
  const attachment = await ok(api('POST', '/attachments', file), 201);
  const monitor = await createMonitor(api, project.id, [metric.id]);
  const link = attachment.uploadUrl.slice(attachment.uploadUrl.indexOf('/attachments'));
  await ok(api('PUT', link, undefined, { headers: { 'content-type': 'text/plain' }, raw: '' }));
  return {
    projectId: project.id,
    importedProjectId: imported.id,
    testsetId: testset.id,
    testcaseId: testcase.id,
    metricId: metric.id,
    labelMetricId: labelMetric.id,
    judgeMetricId: judge.id,
    peopleMetricId: people.id,
    systemId: made.id,
    systemVersionId: made.productionVersion.id,
    runId: run.id,
    otherRunId: otherRun.id,
    recordId: record.id,
    metricConfigId: run.metricVersionIds[0],
    rescorableMetricId: rescorable.id,
    rescorableConfigId: run.metricVersionIds[2],
    rescoringId: rescoring.id,
    assigneeUserId: memberId,
    annotationId: annotation.id,
    replyId: reply.id,
    sampledMetricId: sampled.id,
    strataMetricId: metric.id,
    reviewSampleId: sample.id,
    memberId: member.id,
    keyId: key.id,
    providerId: provider.id,
    attachmentId: attachment.id,
    viewId: view.id,
    sessionId,
    traceId,
    spanId: spanId(n),
    monitorId: monitor.id,
    text: 'tag',
    templateId: 'correctness',
  };
};

export const unknownOf = (name: string, id: string): string => {
  if (name === 'sessionId' || name === 'text') return unknown.text;
  if (name === 'traceId' || name === 'spanId') return 'e'.repeat(id.length);
  if (/^\d+$/.test(id)) return unknown.number;
  return /^\d+-\d+$/.test(id) ? unknown.child : unknown.uuid;
};

const content = { inputs: {}, expected: {}, outputs: {} };
const score = { binaryScore: true };

/**
 * What each operation is sent, made of a world's ids. Paths come from the document, where `path` does not put an id of another
 * name in; `query` and `body` name further ids.
 */
type Case = {
  path?: Record<string, string>;
  body?: (ids: World) => unknown;
  query?: (ids: World) => string;
};
const ofJudge = { metricId: 'judgeMetricId' };
export const cases: Record<string, Case> = {
  listProjects: {},
  createProject: { body: () => ({ name: 'P', description: '' }) },
  getProject: {},
  updateProject: { body: () => ({ name: 'taken over' }) },
  deleteProject: {},
  getProjectImport: { path: { projectId: 'importedProjectId' } },
  completeProjectImport: { path: { projectId: 'importedProjectId' }, body: () => ({ completed: true }) },
  listTestsets: {},
  createTestset: {
    body: () => ({
      name: 'T',
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: [], expected: [], metadata: [] },
    }),
  },
  getTestset: {},
  updateTestset: { body: () => ({ name: 'taken over' }) },
  deleteTestset: {},
  listTestcases: {},
  createTestcases: { body: () => ({ items: [{ jsonData: {} }] }) },
  getTestcase: {},
  updateTestcase: { body: () => ({ jsonData: { taken: 'over' } }) },
  deleteTestcases: { body: ({ testcaseId }) => ({ ids: [testcaseId] }) },
  listProviders: {},
  createProvider: { body: () => ({ name: 'own', kind: 'openai' }) },
  updateProvider: { body: () => ({ maxConcurrency: 1 }) },
  deleteProvider: {},
  testProvider: { body: () => ({ model: 'gpt-4o' }) },
  getJudgeSettings: {},
  updateJudgeSettings: { body: () => ({ judgeRepeats: 1 }) },
  previewMetric: {
    body: ({ recordId }) => ({
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return true }',
      recordId,
    }),
  },
  getScore: {},
  retryScores: { body: ({ metricId }) => ({ metricId }) },
  cancelScores: {},
  retryScore: {},
  cancelScore: {},
  listRescorings: {},
  createRescoring: {
    body: ({ rescorableMetricId, rescorableConfigId, recordId }) => ({
      metricId: rescorableMetricId,
      metricConfigId: rescorableConfigId,
      recordIds: [recordId],
    }),
  },
  getRescoring: {},
  listRescoringChanges: {},
  extendRescoring: {},
  retryRescoring: {},
  cancelRescoring: {},
  keepRescoring: {},
  discardRescoring: {},
  addRunMetrics: { body: ({ labelMetricId }) => ({ metricIds: [labelMetricId] }) },
  cancelRun: {},
  getJudgeBudget: {},
  updateJudgeBudget: { body: () => ({ budgetUsd: 1 }) },
  estimateRun: { body: ({ metricId, testsetId }) => ({ metricIds: [metricId], testsetId }) },
  getRunProgress: {},
  streamRunProgress: {},
  streamProjectChanges: { query: () => 'maxSeconds=1' },
  listMetrics: {},
  createMetric: { body: () => ({ name: 'M', evalType: 'human', outputType: 'int' }) },
  getMetric: {},
  updateMetric: { body: () => ({ name: 'taken over', evalType: 'human', outputType: 'boolean' }) },
  deleteMetric: {},
  listMetricVersions: {},
  listMetricTemplates: {},
  getMetricTemplate: {},
  listSystems: {},
  upsertSystem: { body: () => ({ config: { taken: 'over' } }) },
  getSystem: {},
  updateSystem: { body: ({ systemVersionId }) => ({ productionVersionId: systemVersionId }) },
  deleteSystem: {},
  getSystemVersion: {},
  upsertSystemVersion: { body: () => ({ config: { taken: 'over' } }) },
  listRuns: {},
  createRun: {
    body: ({ metricId, testsetId, systemVersionId }) => ({
      metricIds: [metricId],
      testsetId,
      systemVersionId,
      execute: true,
    }),
  },
  getRun: {},
  deleteRun: {},
  listExecutions: {},
  getExecutionSummary: {},
  retryExecutions: {},
  cancelExecutions: {},
  simulateUser: { body: ({ testcaseId }) => ({ testcaseId, messages: [] }) },
  getRunNotes: {},
  updateRunNotes: { body: () => ({ notes: 'taken over' }) },
  listRecords: {},
  createRecord: { body: ({ testcaseId }) => ({ ...content, testcaseId }) },
  createRecords: { body: ({ testcaseId }) => ({ items: [{ ...content, testcaseId }] }) },
  listProjectRecords: {
    query: ({ runId, metricId, assigneeUserId }) =>
      `runId=${runId}&metricId=${metricId}&assigneeUserId=${assigneeUserId}`,
  },
  listViews: {},
  createView: { body: () => ({ name: 'V', shared: true, search: '', display: {} }) },
  updateView: { body: () => ({ name: 'taken over' }) },
  deleteView: {},
  countRecordsOverTime: {
    query: ({ runId, metricId, assigneeUserId }) =>
      `runId=${runId}&metricId=${metricId}&assigneeUserId=${assigneeUserId}`,
  },
  getRecord: {},
  deleteRecord: {},
  upsertScore: { body: () => ({ score }) },
  upsertScores: {
    body: ({ recordId, metricConfigId }) => ({ items: [{ recordId, metricConfigId, score }] }),
  },
  listProjectTags: {},
  getReviewSettings: {},
  updateReviewSettings: { body: () => ({ reviewers: 1, rule: 'majority' }) },
  nextReview: { query: ({ runId, metricId }) => `runId=${runId}&metricId=${metricId}` },
  undoReview: { query: ({ runId, metricId }) => `runId=${runId}&metricId=${metricId}` },
  getReviewProgress: { query: ({ runId, metricId }) => `runId=${runId}&metricId=${metricId}` },
  listReviewDisagreements: { query: ({ runId }) => `runId=${runId}` },
  listReviewSamples: {},
  createReviewSample: {
    body: ({ sampledMetricId, strataMetricId }) => ({
      metricId: sampledMetricId,
      share: 1,
      stratifyBy: { metricId: strataMetricId },
    }),
  },
  getReviewSample: {},
  listSampledRecords: {},
  listReviews: {},
  submitReview: { body: () => ({ score }) },
  skipReview: {},
  listRecordTags: {},
  createRecordTag: { body: () => ({ text: 'taken over' }) },
  deleteRecordTag: {},
  listRecordAssignees: {},
  assignRecordUser: { body: ({ assigneeUserId }) => ({ assigneeUserId }) },
  unassignRecordUser: {},
  listAnnotations: {},
  createAnnotation: { body: () => ({ rating: false }) },
  updateAnnotation: { body: () => ({ comment: 'taken over' }) },
  deleteAnnotation: {},
  listThreads: {},
  resolveAnnotation: { body: () => ({ resolved: true }) },
  createReply: { body: () => ({ comment: 'taken over' }) },
  updateReply: { body: () => ({ comment: 'taken over' }) },
  deleteReply: {},
  listRecordSpans: {},
  getRecordConversation: {},
  createTestcaseFromRecord: { body: ({ testsetId }) => ({ testsetId }) },
  listSpans: {},
  getSpan: {},
  deleteTrace: {},
  listMonitors: {},
  createMonitor: { body: ({ metricId }) => ({ name: 'M', metricIds: [metricId], samplingRate: 1 }) },
  getMonitor: {},
  updateMonitor: { body: ({ metricId }) => ({ name: 'taken over', metricIds: [metricId] }) },
  deleteMonitor: {},
  getTraceSettings: {},
  updateTraceSettings: { body: () => ({ retentionDays: 7 }) },
  initiateAttachment: {
    body: ({ sessionId }) => ({
      sessionId,
      filePath: 'g',
      sha256: emptySha256,
      sizeBytes: 0,
      contentType: 'text/plain',
    }),
  },
  getAttachment: {},
  commitAttachment: {},
  deleteAttachment: {},
  listSessionAttachments: {},
  getMe: {},
  listMembers: {},
  createMember: { body: () => ({ name: 'N', email: 'n@example.org', role: 'viewer' }) },
  getMember: {},
  updateMember: { body: () => ({ name: 'taken over' }) },
  deleteMember: {},
  listKeys: {},
  createKey: { body: ({ projectId }) => ({ name: 'K', defaultProjectId: projectId }) },
  revokeKey: {},
  createSignInLink: {},
  getTestsetGrouping: {},
  updateTestsetGrouping: { body: () => ({ field: 'taken over' }) },
  summarizeRun: {},
  compareRuns: { query: ({ runId, otherRunId }) => `runs=${otherRunId},${runId}` },
  calibrateMetric: {
    query: ({ labelMetricId, metricConfigId, runId }) =>
      `against=${labelMetricId}&metricConfigId=${metricConfigId}&runId=${runId}`,
  },
  listTrends: { query: ({ metricId }) => `metricId=${metricId}` },
  planRun: { query: ({ metricId, testsetId }) => `metricId=${metricId}&testsetId=${testsetId}` },
  pinRecords: { path: ofJudge, body: ({ peopleMetricId }) => ({ against: peopleMetricId }) },
  getPinnedSet: { path: ofJudge },
  deletePinnedSet: { path: ofJudge },
  startDriftCheck: { path: ofJudge },
  measureDrift: { path: ofJudge },
  measureAgreement: { query: ({ runId }) => `runId=${runId}` },
  listJudgeDisagreements: {
    query: ({ labelMetricId, metricConfigId }) => `against=${labelMetricId}&metricConfigId=${metricConfigId}`,
  },
  listChangedTestcases: {
    query: ({ runId, otherRunId, metricId }) => `runs=${runId},${otherRunId}&metricId=${metricId}`,
  },
};

/** Reached by a signed link, not by a key: attachments.test.ts shows that a link opens nothing else. */
export const bySignature = ['uploadAttachment', 'downloadAttachment'];
/** About the person themselves, by password, link or session, never by an id: sessions.test.ts. */
export const bySession = ['signIn', 'signOut', 'changePassword', 'findSignInLink', 'redeemSignInLink'];
/**
 * A tag is no id, and a session is whatever a client calls one: neither is unknown when it is sent in a write. The gallery's
 * templates belong to the product.
 */
export const notAnId: Record<string, string[]> = {
  deleteRecordTag: ['text'],
  initiateAttachment: ['sessionId'],
  getMetricTemplate: ['templateId'],
};
export const adminOnly = [
  'createProvider',
  'updateProvider',
  'deleteProvider',
  'testProvider',
  'createMember',
  'updateMember',
  'deleteMember',
  'createSignInLink',
];

/** The rescoring has been kept when its owner comes to this: a 409 has found it as well as a 200 would. */
export const conflicting = ['discardRescoring'];
