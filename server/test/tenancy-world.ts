import { expect } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { createAlert } from './alerting.ts';
import { emptyArchive, importLines } from './archive-lines.ts';
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
import type { Organization, TestApp } from './harness.ts';
import { createMonitor } from './monitors.ts';
import { newTraceId, post, requestOf, spanId } from './otlp.ts';
import { comparableRuns } from './preferences.ts';
import { createRunOf } from './scored-runs.ts';
import { createSealable, createSealed } from './seals.ts';
import { createTrial } from './trials.ts';

/** The world of tenancy.test.ts: an organization with one resource of each kind. */

const unknown = {
  number: '999999999',
  child: '999999999-1',
  uuid: '01890000-0000-7000-8000-000000000000',
  text: 'no-one-has-this',
};

/** Ids of one organization's things, by the name that they have in paths. */
export type World = Record<string, string>;

export const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const createWorld = async (
  app: TestApp,
  { api, memberId, key: secret }: Organization,
): Promise<World> => {
  const project = await createProject(api);
  const imported = await createProject(api);
  await ok(importLines(api, imported.id, emptyArchive));
  const testset = await createTestset(api, project.id);
  const [testcase] = await createTestcases(api, testset.id, 1);
  const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const sampled = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const config = { promptTemplate: 'You are a user.', modelName: 'fake/user' };
  const systemName = `System of ${project.id}`;
  const label = `staging-${project.id}`;
  const made = await ok(api('POST', `/projects/${project.id}/systems`, { name: systemName, config }), 201);
  await ok(api('PUT', `/systems/${made.id}/labels/${label}`, { systemVersionId: made.productionVersion.id }));
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
  const gate = 'dokima.yaml';
  await ok(api('PUT', `/runs/${run.id}/verdicts/${gate}`, { outcome: 'pass', mark: 'main' }));
  const labelMetric = await createMetric(api, project.id, { evalType: 'human', outputType: 'int' });
  const sessionId = `session-of-${memberId}-${project.id}`;
  const record = await createRecord(api, run.id, { sessionId });
  const rescoring = await createRescoring(api, run.id, rescored.id);
  // No worker runs here: the stream of its progress would never end.
  await ok(api('POST', `/runs/${run.id}/cancel`, { of: 'scores' }));
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
    api('POST', '/members', { name: 'M', email: `m-${project.id}@example.org`, role: 'member' }),
    201,
  );
  const invited = { name: 'G', email: `g-${project.id}@example.org`, role: 'viewer' };
  const guest = await ok(api('POST', '/members', invited), 201);
  await ok(api('PUT', `/projects/${project.id}/members/${guest.id}`, { role: 'annotator' }));
  const key = await ok(api('POST', '/keys', { name: 'K' }), 201);
  const provider = await ok(
    api('POST', '/providers', { name: `theirs-${project.id}`, kind: 'openai', apiKey: 'sk-theirs' }),
    201,
  );
  const scim = await ok(api('POST', '/scim-tokens', { name: 'S' }), 201);
  await ok(api('PATCH', '/organization', { reportLinks: true }));
  const view = await ok(
    api('POST', `/projects/${project.id}/views`, { name: 'V', shared: true, search: '', display: {} }),
    201,
  );
  const group = await ok(
    api('POST', `/projects/${project.id}/metric-groups`, { name: 'G', metricIds: [metric.id] }),
    201,
  );
  const traceId = newTraceId();
  // Of its own number, so that no other organization has a span of that id.
  const n = Number(project.id);
  const traces = await post(app, secret, requestOf([{ traceId, n }], { 'dokima.project_id': project.id }));
  expect(traces.status).toBe(200);
  const ofSpans = await createMetric(api, project.id, {
    evalType: 'human',
    outputType: 'boolean',
    spans: 'latency:>=0',
  });
  const { data: configs } = await ok(api('GET', `/metrics/${ofSpans.id}/versions`));
  const traced = await ok(api('GET', `/projects/${project.id}/traces/${traceId}/spans/${spanId(n)}`));
  const spanPath = `/records/${traced.recordId}/scores/${configs[0].id}/spans/${spanId(n)}`;
  await ok(api('PUT', spanPath, { score: { binaryScore: true } }));
  const file = { sessionId, filePath: 'f', sha256: emptySha256, sizeBytes: 0, contentType: 'text/plain' };
  const attachment = await ok(api('POST', '/attachments', file), 201);
  await ok(api('POST', '/attachments', { ...file, sessionId: `unused-${sessionId}` }), 201);
  const tried = await createTrial(api, project.id);
  const snapshot = await ok(api('POST', `/testsets/${testset.id}/snapshots`, {}), 201);
  const monitor = await createMonitor(api, project.id, [metric.id]);
  const alert = await createAlert(api, project.id, 'https://no-such-host.invalid/');
  const delivery = await ok(api('POST', `/alerts/${alert.id}/test`));
  const mailAddress = `outside-${project.id}@example.net`;
  // By hand, because this service has no mail server.
  await app.db.transaction(
    system,
    (tx) =>
      tx`update alert set kind = 'email', secret = null, target = ${mailAddress} where id = ${alert.id}`,
  );
  const nightly = { name: 'S', cron: '0 2 * * *', task: { kind: 'drift', metricId: judge.id } };
  const schedule = await ok(api('POST', `/projects/${project.id}/schedules`, nightly), 201);
  const compared = await comparableRuns(api, project.id, [['1'], ['2']]);
  const study = await ok(
    api('POST', `/projects/${project.id}/preference-studies`, { criterion: 'C', runIds: compared }),
    201,
  );
  const reportLink = await ok(
    api('POST', `/projects/${project.id}/report-links`, { name: 'R', runs: compared, measure: 'pass' }),
    201,
  );
  const decided = {
    question: 'q',
    owner: 'o',
    testsetId: testset.id,
    metricIds: [metric.id],
    rules: {},
    minTestcases: 1,
  };
  const decision = await ok(api('POST', `/projects/${project.id}/decisions`, decided), 201);
  const sealable = await createSealable(api, project.id);
  const sealed = await createSealed(api, project.id);
  const lookedVersionId = await sealed.nextVersion();
  await ok(api('POST', `/seals/${sealed.sealId}/looks`, { systemVersionId: lookedVersionId }), 201);
  const link = attachment.uploadUrl.slice(attachment.uploadUrl.indexOf('/attachments'));
  await ok(api('PUT', link, undefined, { headers: { 'content-type': 'text/plain' }, raw: '' }));
  return {
    projectId: project.id,
    importedProjectId: imported.id,
    testsetId: testset.id,
    testcaseId: testcase.id,
    snapshotNumber: String(snapshot.number),
    metricId: metric.id,
    labelMetricId: labelMetric.id,
    judgeMetricId: judge.id,
    peopleMetricId: people.id,
    triedMetricId: tried.metricId,
    trialNumber: tried.trialNumber,
    candidateId: tried.candidateId,
    systemId: made.id,
    systemName,
    label,
    gate,
    systemVersionId: made.productionVersion.id,
    runId: run.id,
    otherRunId: otherRun.id,
    recordId: record.id,
    metricConfigId: run.metricVersionIds[0],
    rescorableMetricId: rescorable.id,
    rescorableConfigId: run.metricVersionIds[2],
    rescoredMetricId: rescored.id,
    rescoringNumber: rescoring.split('/').at(-1)!,
    assigneeUserId: memberId,
    annotationId: annotation.id,
    replyId: reply.id,
    sampledMetricId: sampled.id,
    strataMetricId: metric.id,
    reviewSampleId: sample.id,
    userId: member.id,
    guestId: guest.id,
    keyId: key.id,
    providerId: provider.id,
    providerName: provider.name,
    tokenId: scim.id,
    attachmentId: attachment.id,
    viewId: view.id,
    reportLinkId: reportLink.id,
    decisionId: decision.id,
    sealId: sealed.sealId,
    sealableTestsetId: sealable.testset.id,
    sealableTestcaseId: sealable.testcases[0].id,
    sealableMetricId: sealable.sealing.metricIds[0]!,
    calledVersionId: sealable.sealing.baselineVersionId,
    lookedVersionId,
    openedSealId: (await createSealed(api, project.id)).sealId,
    metricGroupId: group.id,
    sessionId,
    traceId,
    spanId: spanId(n),
    tracedRecordId: traced.recordId,
    spanConfigId: configs[0].id,
    monitorId: monitor.id,
    alertId: alert.id,
    mailAddress,
    scheduleId: schedule.id,
    preferenceStudyId: study.id,
    comparedRunId: compared[0]!,
    otherComparedRunId: compared[1]!,
    deliveryId: delivery.id,
    text: 'tag',
  };
};

export const unknownOf = (name: string, id: string): string => {
  if (name === 'sessionId' || name === 'text') return unknown.text;
  if (name === 'traceId' || name === 'spanId' || name === 'decisionId') return 'e'.repeat(id.length);
  if (/^\d+$/.test(id)) return unknown.number;
  return /^\d+-\d+$/.test(id) ? unknown.child : unknown.uuid;
};
