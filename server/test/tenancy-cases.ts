// Longer than 400 lines: a case for each operation.
import { emptyArchive, ndjson } from './archive-lines.ts';
import type { RequestOptions } from './harness.ts';
import { emptySha256, type World } from './tenancy-world.ts';

/** What tenancy.test.ts sends to each operation. */

const content = { inputs: {}, expected: {}, outputs: {} };
const score = { binaryScore: true };

/**
 * The request of each operation, made from a world's ids. Paths come from the document, where `path` does not put an id of another name in;
 * `query` and `body` name further ids.
 */
type Case = {
  path?: Record<string, string>;
  body?: (ids: World) => unknown;
  query?: (ids: World) => string;
  options?: RequestOptions;
};
const ofTried = { metricId: 'triedMetricId' };
const ofRescored = { metricId: 'rescoredMetricId', trialNumber: 'rescoringNumber' };
const ofSpan = { recordId: 'tracedRecordId', metricConfigId: 'spanConfigId' };
const ofJudge = { metricId: 'judgeMetricId' };

export const cases: Record<string, Case> = {
  listProjects: {},
  createProject: { body: () => ({ name: 'P', description: '' }) },
  getProject: {},
  updateProject: { body: () => ({ name: 'taken over' }) },
  deleteProject: {},
  getProjectAccess: {},
  upsertProjectMember: { path: { userId: 'guestId' }, body: () => ({ role: 'viewer' }) },
  deleteProjectMember: { path: { userId: 'guestId' } },
  getProjectImport: { path: { projectId: 'importedProjectId' } },
  exportProject: {},
  importProject: {
    path: { projectId: 'importedProjectId' },
    options: { raw: emptyArchive, headers: ndjson },
  },
  listTestsets: {},
  listTestsetDetails: {},
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
  groupFailures: { body: ({ metricId }) => ({ metricId }) },
  draftCriteria: { body: ({ runId, metricId }) => ({ runId, metricId, guidelines: 'g', dryRun: true }) },
  draftTestcases: { body: ({ recordId }) => ({ numTestcases: 1, recordIds: [recordId] }) },
  getTestcase: {},
  updateTestcase: { body: () => ({ jsonData: { taken: 'over' } }) },
  deleteTestcases: { body: ({ testcaseId }) => ({ ids: [testcaseId] }) },
  listProviders: {},
  createProvider: { body: () => ({ name: 'own', kind: 'openai' }) },
  updateProvider: { body: () => ({ maxConcurrency: 1 }) },
  deleteProvider: {},
  getPrices: {},
  listJudgeModels: {},
  refreshJudgeModels: {},
  listModelEndings: {},
  testProvider: { body: () => ({ modelName: 'gpt-4o' }) },
  previewMetric: {
    body: ({ recordId }) => ({
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return true }',
      recordId,
    }),
  },
  getScore: {},
  addRunMetrics: { body: ({ labelMetricId }) => ({ metricIds: [labelMetricId] }) },
  retryRun: { body: ({ metricId }) => ({ of: 'scores', metricId }) },
  cancelRun: { body: () => ({}) },
  estimateRun: { body: ({ metricId, testsetId }) => ({ metricIds: [metricId], testsetId }) },
  streamChanges: { query: ({ projectId }) => `projectId=${projectId}&maxSeconds=1` },
  listMetrics: {},
  createMetric: { body: () => ({ name: 'M', evalType: 'human', outputType: 'int' }) },
  getMetric: {},
  updateMetric: { body: () => ({ name: 'taken over', evalType: 'human', outputType: 'boolean' }) },
  deleteMetric: {},
  createMetricGroup: { body: ({ metricId }) => ({ name: 'G', metricIds: [metricId] }) },
  getMetricGroup: {},
  listMetricGroups: {},
  updateMetricGroup: { body: ({ metricId }) => ({ name: 'taken over', metricIds: [metricId] }) },
  deleteMetricGroup: {},
  listMetricVersions: {},
  listMetricTemplates: {},
  listSystems: {},
  upsertSystem: { body: () => ({ config: { taken: 'over' } }) },
  getSystem: {},
  updateSystem: { body: ({ systemVersionId }) => ({ productionVersionId: systemVersionId }) },
  deleteSystem: {},
  getSystemVersion: {},
  upsertSystemVersion: { body: () => ({ config: { taken: 'over' } }) },
  listSystemVersions: {},
  upsertSystemLabel: { body: ({ systemVersionId }) => ({ systemVersionId }) },
  deleteSystemLabel: {},
  getLabelledVersion: {},
  listRuns: {},
  listRunDetails: {},
  getRunDetails: {},
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
  trySystem: { body: ({ systemVersionId, testcaseId }) => ({ systemVersionId, testcaseId }) },
  simulateUser: { body: ({ testcaseId }) => ({ testcaseId, messages: [] }) },
  updateRunDetails: { body: () => ({ name: 'taken over' }) },
  upsertRunVerdict: { body: ({ runId }) => ({ outcome: 'pass', baselineRunId: runId, mark: 'taken' }) },
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
  listReportLinks: {},
  createReportLink: {
    body: ({ comparedRunId, otherComparedRunId }) => ({
      name: 'R',
      runs: [comparedRunId, otherComparedRunId],
      measure: 'pass',
    }),
  },
  deleteReportLink: {},
  exportRecords: {
    query: ({ runId, metricId, assigneeUserId }) =>
      `format=csv&runId=${runId}&metricId=${metricId}&assigneeUserId=${assigneeUserId}`,
  },
  getRecordHistogram: {
    query: ({ runId, metricId, assigneeUserId }) =>
      `runId=${runId}&metricId=${metricId}&assigneeUserId=${assigneeUserId}`,
  },
  groupProjectRecords: {
    query: ({ runId, metricId, assigneeUserId }) =>
      `by=run&runId=${runId}&metricId=${metricId}&assigneeUserId=${assigneeUserId}`,
  },
  listRecordFields: {},
  groupProjectRuns: { query: () => 'by=testset' },
  groupProjectTraces: { query: () => 'by=service' },
  getRecord: {},
  deleteRecord: {},
  upsertScore: { body: () => ({ score }) },
  listSpanScores: { path: { recordId: 'tracedRecordId' } },
  getSpanScore: { path: ofSpan },
  upsertSpanScore: { path: ofSpan, body: () => ({ score }) },
  upsertScores: {
    body: ({ recordId, metricConfigId }) => ({ items: [{ recordId, metricConfigId, score }] }),
  },
  listProjectTags: {},
  getMetricSettings: {},
  updateMetricSettings: { body: () => ({ numReviewers: 1, reviewRule: 'majority' }) },
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
  listSampledRecords: {},
  listReviews: {},
  submitReview: { body: () => ({ score }) },
  submitReviews: { body: ({ metricConfigId }) => ({ reviews: [{ metricConfigId, score }] }) },
  skipReview: {},
  assignReviews: {
    query: ({ runId, metricId }) => `runId=${runId}&metricId=${metricId}`,
    body: ({ assigneeUserId }) => ({ userIds: [assigneeUserId] }),
  },
  leaveReviews: { query: ({ runId, metricId }) => `runId=${runId}&metricId=${metricId}` },
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
  listTraces: {},
  listTraceSessions: {},
  listTraceUsers: {},
  getTrace: {},
  listTraceSpans: {},
  getTraceConversation: {},
  getSpan: {},
  deleteTrace: {},
  listMonitors: {},
  upsertMonitor: { body: ({ metricId }) => ({ description: 'M', metrics: [metricId] }) },
  createMonitor: { body: ({ metricId }) => ({ name: 'M', metricIds: [metricId], samplingRate: 1 }) },
  getMonitor: {},
  updateMonitor: { body: ({ metricId }) => ({ name: 'taken over', metricIds: [metricId] }) },
  deleteMonitor: {},
  askProject: { body: () => ({ question: 'Q?' }) },
  listSchedules: {},
  createSchedule: {
    body: ({ judgeMetricId }) => ({
      name: 'S',
      cron: '0 2 * * *',
      task: { kind: 'drift', metricId: judgeMetricId },
    }),
  },
  updateSchedule: { body: () => ({ name: 'taken over' }) },
  deleteSchedule: {},
  listPreferenceStudies: {},
  estimatePreferenceStudy: {
    body: ({ comparedRunId, otherComparedRunId }) => ({
      criterion: 'C',
      runIds: [comparedRunId, otherComparedRunId],
    }),
  },
  createPreferenceStudy: {
    body: ({ comparedRunId, otherComparedRunId }) => ({
      criterion: 'C',
      runIds: [comparedRunId, otherComparedRunId],
    }),
  },
  getPreferenceStudy: {},
  deletePreferenceStudy: {},
  updatePreferenceJudge: { body: ({ providerName }) => ({ modelName: `${providerName}/judge` }) },
  getNextPreference: {},
  submitPreference: { body: () => ({ pairNumber: 1, choice: 'tie' }) },
  undoPreference: {},
  getPreferenceResult: {},
  listPreferenceComparisons: {},
  listAlarms: { query: () => 'maxErrorRate=0.5&minPassRate=0.5' },
  listAlerts: {},
  createAlert: {
    body: () => ({
      name: 'A',
      kind: 'webhook',
      url: 'https://no-such-host.invalid/',
      events: ['run.completed'],
    }),
  },
  updateAlert: { body: () => ({ name: 'taken over' }) },
  deleteAlert: {},
  testAlert: {},
  listAlertDeliveries: {},
  retryAlertDelivery: {},
  askAddressOwner: { body: ({ mailAddress }) => ({ address: mailAddress }) },
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
  listOrphanAttachments: {},
  listSessionAttachments: {},
  getMe: {},
  updateMyOrganization: { body: () => ({ name: 'Renamed', judgeModelName: 'fake/none' }) },
  listAuditEvents: {},
  getProjectSettings: {},
  getSearchIndex: {},
  updateProjectSettings: {
    body: () => ({
      restricted: true,
      recordDays: 30_000,
      traceDays: null,
      searchIndex: true,
      masking: {
        patterns: ['email'],
        custom: [],
        fields: [],
        hashed: false,
        testcases: false,
        comments: false,
      },
    }),
  },
  previewMasking: { body: () => ({ data: { text: 'a@example.org' } }) },
  previewRetention: {},
  exportAuditEvents: {},
  verifyAuditEvents: {},
  listMembers: {},
  createMember: { body: () => ({ name: 'N', email: 'n@example.org', role: 'viewer' }) },
  getMember: {},
  updateMember: { body: () => ({ name: 'taken over' }) },
  deleteMember: {},
  listScimTokens: {},
  getSingleSignOn: {},
  createScimToken: { body: () => ({ name: 'S' }) },
  deleteScimToken: {},
  listKeys: {},
  createKey: { body: ({ projectId }) => ({ name: 'K', defaultProjectId: projectId }) },
  deleteKey: {},
  createSignInLink: {},
  getTestsetSettings: {},
  updateTestsetSettings: { body: () => ({ groupingField: 'taken over' }) },
  summarizeRun: {},
  compareRuns: { query: ({ runId, otherRunId }) => `runs=${otherRunId},${runId}` },
  calibrateMetric: {
    query: ({ labelMetricId, metricConfigId, runId }) =>
      `against=${labelMetricId}&metricConfigId=${metricConfigId}&runId=${runId}`,
  },
  listTrends: { query: ({ metricId }) => `metricId=${metricId}` },
  getProjectNews: {},
  getSeries: { query: ({ monitorId }) => `monitorId=${monitorId}` },
  planRun: { query: ({ metricId, testsetId }) => `metricId=${metricId}&testsetId=${testsetId}` },
  upsertPinnedSet: { path: ofJudge, body: ({ peopleMetricId }) => ({ against: peopleMetricId }) },
  getPinnedSet: { path: ofJudge },
  deletePinnedSet: { path: ofJudge },
  listTrials: { query: ({ rescoredMetricId, runId }) => `metricId=${rescoredMetricId}&runId=${runId}` },
  getTrial: { path: ofTried },
  getJudgePassport: { path: ofTried },
  getPassportKey: {},
  examineTestset: {},
  createDecision: {
    body: ({ testsetId, metricId }) => ({
      question: 'q',
      owner: 'o',
      testsetId,
      metricIds: [metricId],
      rules: {},
      minTestcases: 1,
    }),
  },
  getDecision: {},
  readDecision: { query: ({ runId }) => `runId=${runId}` },
  waiveDecision: { body: ({ runId }) => ({ runId, reason: 'r' }) },
  estimateTrial: { path: ofTried, body: () => ({ kind: 'battery' }) },
  createTrial: {
    path: { metricId: 'rescorableMetricId' },
    body: ({ rescorableConfigId, runId, recordId }) => ({
      kind: 'rescoring',
      runId,
      metricConfigId: rescorableConfigId,
      recordIds: [recordId],
    }),
  },
  listTrialChanges: { path: ofRescored },
  extendTrial: { path: ofRescored },
  decideTrial: {
    path: ofTried,
    body: ({ candidateId }) => ({ decision: 'adopted', metricConfigId: candidateId, evenIfNotShown: true }),
  },
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
export const bySession = [
  'signIn',
  'signOut',
  'updatePassword',
  'getSignInLink',
  'redeemSignInLink',
  'getAddressQuestion',
  'redeemAddressLink',
  'getSharedReport',
  'getSignInOptions',
  'switchOrganization',
];
/** For the operator's key, which belongs to no organization: organizations.test.ts. */
export const byOperator = [
  'listOrganizations',
  'createOrganization',
  'updateOrganization',
  'createOperatorLink',
];
/**
 * A tag is not an id, and a session is whatever a client calls one: neither is unknown when it is sent in a write. The gallery's
 * templates belong to the product.
 */
export const notAnId: Record<string, string[]> = {
  // A label is a name within a system, made by the first that sets it.
  upsertSystemLabel: ['label'],
  deleteSystemLabel: ['label'],
  // So is a gate within a run.
  upsertRunVerdict: ['gate'],
  deleteRecordTag: ['text'],
  initiateAttachment: ['sessionId'],
  getTrial: ['trialNumber'],
  decideTrial: ['trialNumber'],
  extendTrial: ['rescoringNumber'],
  listTrialChanges: ['rescoringNumber'],
  updatePreferenceJudge: ['providerName'],
};
export const adminOnly = [
  'updateMyOrganization',
  'createProvider',
  'updateProvider',
  'deleteProvider',
  'testProvider',
  'createScimToken',
  'deleteScimToken',
  'createMember',
  'updateMember',
  'deleteMember',
  'createSignInLink',
  'updateProjectSettings',
  'listOrphanAttachments',
  'listAuditEvents',
  'getSingleSignOn',
  'exportAuditEvents',
  'verifyAuditEvents',
];
