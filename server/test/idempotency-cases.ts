import { createAlert } from './alerting.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import type { Organization } from './harness.ts';
import { comparableRuns } from './preferences.ts';
import { createRunOf } from './scored-runs.ts';
import { createSealable, createSealed } from './seals.ts';
import { createTrial } from './trials.ts';

/** What idempotency.test.ts sends to each POST. */

/** A record of nothing. */
export const content = { inputs: {}, expected: {}, outputs: {} };
/** A decision, but for its testset and metrics. */
const decided = { question: 'q', owner: 'o', rules: {}, minTestcases: 1 };
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

type World = Awaited<ReturnType<typeof createWorld>>;
/** An organization with the resources that the cases name. */
const createWorld = async ({ api, memberId }: Organization) => {
  const project = await createProject(api);
  const testset = await createTestset(api, project.id);
  const [testcase] = await createTestcases(api, testset.id, 1);
  const fresh = { items: [{ jsonData: { question: 'f' } }] };
  await ok(api('POST', `/testsets/${testset.id}/fresh-testcases/bulk-create`, fresh), 201);
  const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const config = { endpoint: 'https://example.com' };
  const sampled = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const made = await ok(api('POST', `/projects/${project.id}/systems`, { config }), 201);
  const run = await createRun(api, project.id, [metric.id], { testsetId: testset.id });
  const record = await createRecord(api, run.id);
  const alert = await createAlert(api, project.id, 'https://no-such-host.invalid/');
  const delivery = await ok(api('POST', `/alerts/${alert.id}/test`));
  const mailing = { kind: 'email', url: undefined, recipients: ['outside@example.net'] };
  const mailAlert = await createAlert(api, project.id, '', mailing);
  const annotation = await ok(api('POST', `/records/${record.id}/annotations`, { rating: true }), 201);
  const code = {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score() { return true }',
  };
  const rescored = await createMetric(api, project.id, code);
  const scoredRun = await createRun(api, project.id, [
    rescored.id,
    (await createMetric(api, project.id, code)).id,
  ]);
  await createRecord(api, scoredRun.id);
  const rescoringPath = await createRescoring(api, scoredRun.id, rescored.id);
  await ok(api('POST', `/runs/${scoredRun.id}/cancel`, { of: 'proposals', metricId: rescored.id }));
  const judge = await createMetric(api, project.id, code);
  const people = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const labelled = { scores: { [judge.id]: true, [people.id]: true } };
  await createRunOf(api, project.id, [judge, people], [labelled, labelled]);
  await ok(api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
  await ok(api('POST', `/metrics/${judge.id}/trials`, { kind: 'drift' }), 201);
  const file = {
    sessionId: 's',
    filePath: 'f',
    sha256: emptySha256,
    sizeBytes: 0,
    contentType: 'text/plain',
  };
  const tried = await createTrial(api, project.id);
  const comparedRunIds = await comparableRuns(api, project.id, [
    ['1', '2', '3'],
    ['4', '5', '6'],
  ]);
  const compared = { criterion: 'C', runIds: comparedRunIds };
  const study = await ok(api('POST', `/projects/${project.id}/preference-studies`, compared), 201);
  // Two, so that an undo that is done twice shows.
  for (const pairNumber of [1, 2])
    await ok(api('POST', `/preference-studies/${study.id}/preferences`, { pairNumber, choice: 'tie' }));
  const attachment = await ok(api('POST', '/attachments', file), 201);
  const link = attachment.uploadUrl.slice(attachment.uploadUrl.indexOf('/attachments'));
  const deciding = { ...decided, testsetId: testset.id, metricIds: [metric.id] };
  const decision = await ok(api('POST', `/projects/${project.id}/decisions`, deciding), 201);
  const sealable = await createSealable(api, project.id);
  const sealed = await createSealed(api, project.id);
  await ok(api('PUT', link, undefined, { headers: { 'content-type': 'text/plain' }, raw: '' }));
  return {
    alertId: alert.id as string,
    deliveryId: delivery.id as string,
    mailAlertId: mailAlert.id as string,
    compared,
    preferenceStudyId: study.id as string,
    memberId,
    file,
    projectId: project.id,
    testsetId: testset.id,
    testcaseId: testcase.id,
    metricId: metric.id,
    sampledMetricId: sampled.id,
    judgeId: judge.id,
    tried,
    systemId: made.id,
    systemVersionId: made.productionVersion.id,
    runId: run.id,
    scoredRun,
    rescoringPath,
    configId: run.metricVersionIds[0],
    recordId: record.id,
    annotationId: annotation.id,
    attachmentId: attachment.id,
    decisionId: decision.id as string,
    sealable,
    sealId: sealed.sealId,
    openedSealId: (await createSealed(api, project.id)).sealId,
    lookedVersionId: await sealed.nextVersion(),
  };
};

type Request = [path: string, body?: unknown];

/** The body of each POST of the document. */
const cases: Record<string, (world: World) => Request> = {
  createProject: () => ['/projects', { name: 'P', description: '' }],
  createTestset: ({ projectId }) => [
    `/projects/${projectId}/testsets`,
    { name: 'T', description: '', jsonSchema: {}, fieldMapping: { inputs: [], expected: [], metadata: [] } },
  ],
  createView: ({ projectId }) => [
    `/projects/${projectId}/views`,
    { name: 'V', shared: true, search: '', display: {} },
  ],
  createTestcases: ({ testsetId }) => [
    `/testsets/${testsetId}/testcases`,
    { items: [{ jsonData: {} }, { jsonData: {} }] },
  ],
  deleteTestcases: ({ testcaseId }) => ['/testcases/bulk-delete', { ids: [testcaseId] }],
  createMetric: ({ projectId }) => [
    `/projects/${projectId}/metrics`,
    { name: 'M', evalType: 'human', outputType: 'int' },
  ],
  createMetricGroup: ({ projectId, metricId }) => [
    `/projects/${projectId}/metric-groups`,
    { name: 'G', metricIds: [metricId] },
  ],
  upsertSystem: ({ projectId }) => [`/projects/${projectId}/systems`, { config: { new: 1 } }],
  upsertSystemVersion: ({ systemId }) => [`/systems/${systemId}/versions`, { config: { new: 2 } }],
  createRun: ({ projectId, metricId, testsetId, systemVersionId }) => [
    `/projects/${projectId}/runs`,
    { metricIds: [metricId], testsetId, systemVersionId, execute: true },
  ],
  extendTrial: ({ rescoringPath }) => [`${rescoringPath}/extend`],
  addRunMetrics: ({ runId, sampledMetricId }) => [`/runs/${runId}/metrics`, { metricIds: [sampledMetricId] }],
  createFreshTestcases: ({ testsetId }) => [
    `/testsets/${testsetId}/fresh-testcases/bulk-create`,
    { items: [{ jsonData: { question: 'f' } }] },
  ],
  drawFreshTestcases: ({ testsetId }) => [`/testsets/${testsetId}/fresh-testcases/draw`, { numTestcases: 1 }],
  deleteFreshTestcases: ({ testsetId }) => [
    `/testsets/${testsetId}/fresh-testcases/bulk-delete`,
    { numbers: [1] },
  ],
  createSnapshot: ({ testsetId }) => [`/testsets/${testsetId}/snapshots`, { name: 'S' }],
  restoreSnapshot: ({ testsetId }) => [`/testsets/${testsetId}/snapshots/1/restore`],
  createTrial: ({ tried: { metricId } }) => [
    `/metrics/${metricId}/trials`,
    { kind: 'succession', candidates: [{ evalModelName: 'none/other' }] },
  ],
  decideTrial: ({ tried: { metricId, trialNumber, candidateId } }) => [
    `/metrics/${metricId}/trials/${trialNumber}/decide`,
    { decision: 'adopted', metricConfigId: candidateId, evenIfNotShown: true },
  ],
  cancelRun: ({ scoredRun }) => [`/runs/${scoredRun.id}/cancel`, {}],
  retryRun: ({ runId }) => [`/runs/${runId}/retry`, {}],
  createTestcaseFromRecord: ({ recordId, testsetId }) => [`/records/${recordId}/testcase`, { testsetId }],
  createRecord: ({ runId }) => [`/runs/${runId}/records`, content],
  createRecords: ({ runId }) => [
    `/runs/${runId}/records/bulk-create`,
    { items: [content, content, content] },
  ],
  upsertScores: ({ runId, recordId, configId }) => [
    `/runs/${runId}/scores/bulk-upsert`,
    { items: [{ recordId, metricConfigId: configId, score: { binaryScore: true } }] },
  ],
  nextReview: ({ projectId }) => [`/projects/${projectId}/reviews/next`],
  undoReview: ({ projectId }) => [`/projects/${projectId}/reviews/undo`],
  submitReview: ({ recordId, configId }) => [
    `/records/${recordId}/reviews/${configId}`,
    { score: { binaryScore: true } },
  ],
  submitReviews: ({ recordId, configId }) => [
    `/records/${recordId}/reviews`,
    { reviews: [{ metricConfigId: configId, score: { binaryScore: true } }] },
  ],
  skipReview: ({ recordId, configId }) => [`/records/${recordId}/reviews/${configId}/skip`],
  assignReviews: ({ projectId, memberId }) => [
    `/projects/${projectId}/reviews/assign`,
    { userIds: [memberId] },
  ],
  leaveReviews: ({ projectId }) => [`/projects/${projectId}/reviews/leave`],
  createReviewSample: ({ runId, sampledMetricId }) => [
    `/runs/${runId}/review-samples`,
    { metricId: sampledMetricId, share: 1 },
  ],
  createRecordTag: ({ recordId }) => [`/records/${recordId}/tags`, { text: 'new' }],
  assignRecordUser: ({ recordId, memberId }) => [
    `/records/${recordId}/assignees`,
    { assigneeUserId: memberId },
  ],
  createReply: ({ recordId, annotationId }) => [
    `/records/${recordId}/annotations/${annotationId}/replies`,
    { comment: 'Yes.' },
  ],
  createMonitor: ({ projectId, metricId }) => [
    `/projects/${projectId}/monitors`,
    { name: 'M', metricIds: [metricId], samplingRate: 1 },
  ],
  createAnnotation: ({ recordId }) => [`/records/${recordId}/annotations`, { rating: true }],
  initiateAttachment: ({ file }) => ['/attachments', { ...file, filePath: 'g' }],
  commitAttachment: ({ attachmentId }) => [`/attachments/${attachmentId}/commit`],
  createSchedule: ({ projectId, judgeId }) => [
    `/projects/${projectId}/schedules`,
    { name: 'S', cron: '0 2 * * *', task: { kind: 'drift', metricId: judgeId } },
  ],
  createLook: ({ runId }) => [`/runs/${runId}/looks`, { baselineRunIds: [], alpha: 0.05, per: 'year' }],
  createSeal: ({ sealable: { testset, sealing } }) => [`/testsets/${testset.id}/seals`, sealing],
  createSealedLook: ({ sealId, lookedVersionId }) => [
    `/seals/${sealId}/looks`,
    { systemVersionId: lookedVersionId },
  ],
  openSeal: ({ openedSealId }) => [`/seals/${openedSealId}/open`],
  createDecision: ({ projectId, testsetId, metricId }) => [
    `/projects/${projectId}/decisions`,
    { ...decided, testsetId, metricIds: [metricId] },
  ],
  waiveDecision: ({ projectId, decisionId, runId }) => [
    `/projects/${projectId}/decisions/${decisionId}/waivers`,
    { runId, reason: 'r' },
  ],
  createPreferenceStudy: ({ projectId, compared }) => [`/projects/${projectId}/preference-studies`, compared],
  submitPreference: ({ preferenceStudyId }) => [
    `/preference-studies/${preferenceStudyId}/preferences`,
    { pairNumber: 3, choice: 'tie' },
  ],
  undoPreference: ({ preferenceStudyId }) => [`/preference-studies/${preferenceStudyId}/preferences/undo`],
  retryAlertDelivery: ({ alertId, deliveryId }) => [`/alerts/${alertId}/deliveries/${deliveryId}/retry`],
  askAddressOwner: ({ mailAlertId }) => [
    `/alerts/${mailAlertId}/confirmations`,
    { address: 'outside@example.net' },
  ],
  createProvider: () => ['/providers', { name: 'own', kind: 'openai' }],
  createMember: () => ['/members', { name: 'N', email: 'n@example.org', role: 'viewer' }],
};

export const operationIds = Object.keys(cases);

/** These only add rows beside what a world has, and nothing goes on after them: any number of them may share one world. */
const adding = new Set([
  'createProject',
  'createTestset',
  'createView',
  'createTestcases',
  'createMetric',
  'createMetricGroup',
  'upsertSystem',
  'upsertSystemVersion',
  'createTestcaseFromRecord',
  'createRecord',
  'createRecords',
  'createRecordTag',
  'assignRecordUser',
  'createReply',
  'createAnnotation',
  'initiateAttachment',
  'createProvider',
  'createMember',
]);

/** Returns what gives two equal organizations and the request that does an operation in each. */
export const twoOrganizations = (newOrganization: () => Promise<Organization>) => {
  const newPair = () =>
    Promise.all(
      [1, 2].map(async () => {
        const organization = await newOrganization();
        return { organization, world: await createWorld(organization) };
      }),
    );
  let shared: ReturnType<typeof newPair> | undefined;
  return async (operationId: string) => {
    const isAdding = adding.has(operationId);
    if (isAdding) shared ??= newPair();
    const pair = await (isAdding ? shared! : newPair());
    return pair.map(({ organization, world }) => ({ organization, request: cases[operationId]!(world) }));
  };
};
