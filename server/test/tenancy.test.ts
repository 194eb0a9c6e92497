import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../src/db/database.ts';
import type { App } from '../src/http.ts';
import { describeApi } from '../src/openapi.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import { type Answer, type Client, engine, type Organization, startApp, type TestApp } from './harness.ts';
import { createMonitor } from './monitors.ts';
import { newTraceId, post, requestOf, spanId } from './otlp.ts';
import { rowsOf, tenantTables } from './rows.ts';
import { createRunOf } from './scored-runs.ts';

/**
 * Every operation × every id × a key of another organization: the same 404 as for an id that nobody has, and nothing
 * written. The table below is held against the service's own OpenAPI document: an operation without a case fails.
 */

const unknown = {
  number: '999999999',
  child: '999999999-1',
  uuid: '01890000-0000-7000-8000-000000000000',
  text: 'nobody-has-this',
};

/** Ids of one organization's things, by the name that they have in paths. */
type World = Record<string, string>;

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const createWorld = async ({ api, memberId, key: secret }: Organization): Promise<World> => {
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

const unknownOf = (name: string, id: string): string => {
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
const cases: Record<string, Case> = {
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
const bySignature = ['uploadAttachment', 'downloadAttachment'];
/** About the person themselves, by password, link or session, never by an id: sessions.test.ts. */
const bySession = ['signIn', 'signOut', 'changePassword', 'findSignInLink', 'redeemSignInLink'];
/**
 * A tag is no id, and a session is whatever a client calls one: neither is unknown when it is sent in a write. The gallery's
 * templates belong to the product.
 */
const notAnId: Record<string, string[]> = {
  deleteRecordTag: ['text'],
  initiateAttachment: ['sessionId'],
  getMetricTemplate: ['templateId'],
};
const adminOnly = [
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
const conflicting = ['discardRescoring'];

type Operation = { operationId: string; method: Parameters<Client>[0]; template: string };

let app: TestApp;
let operations: Operation[];
let owner: Organization;
let stranger: Organization;
let theirs: World;
let own: World;

beforeAll(async () => {
  app = await startApp();
  const { paths } = app.app.swagger() as unknown as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase() as Operation['method'],
      template: path.replace('/api/v2', ''),
    })),
  );
  owner = await app.organization();
  stranger = await app.organization();
  theirs = await createWorld(owner);
  own = await createWorld(stranger);
});
afterAll(() => app.close());

const call = (api: Client, { operationId, method, template }: Operation, ids: World): Promise<Answer> => {
  const { path: renamed, body, query } = cases[operationId]!;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[renamed?.[name] ?? name]!),
  );
  return api(method, query ? `${path}?${query(ids)}` : path, body?.(ids));
};

/** The names of the ids that an operation is given, in its path, its query or its body. */
const idsOf = ({ operationId, template }: Operation): string[] => {
  const renamed = cases[operationId]?.path;
  const asked = new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => renamed?.[name!] ?? name!));
  const watched = new Proxy({} as World, { get: (_, name: string) => asked.add(name) && '' });
  cases[operationId]?.body?.(watched);
  cases[operationId]?.query?.(watched);
  return [...asked].filter((name) => !notAnId[operationId]?.includes(name));
};

describe('another organization’s ids', () => {
  it('each operation of the document has a case, and each case an operation', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      [...Object.keys(cases), ...bySignature, ...bySession].sort(),
    );
  });

  it('no route escapes the document, and with it this test', async () => {
    const api = Fastify();
    await describeApi(api as unknown as App);
    const answer = async () => 'hidden';
    expect(() => api.get('/api/v2/bare', answer)).toThrow('GET /api/v2/bare needs a schema');
    expect(() => api.get('/api/v2/x', { schema: { operationId: 'x', hide: true } }, answer)).toThrow(
      'needs a schema',
    );
    const inScope = api.register(async (scope) => scope.post('/bare', answer), { prefix: '/api/v2' });
    await expect(inScope).rejects.toThrow('POST /api/v2/bare needs a schema');
  });

  it('give the same 404 as unknown ones, in every operation and place, and nothing is written', async () => {
    const before = await rowsOf(app.db, owner.organizationId);
    const differences: string[] = [];
    for (const operation of operations.filter(({ operationId }) => cases[operationId])) {
      for (const name of idsOf(operation)) {
        const id = theirs[name]!;
        const missing = unknownOf(name, id);
        const foreign = await call(stranger.api, operation, { ...own, [name]: id });
        const nobody = await call(stranger.api, operation, { ...own, [name]: missing });
        if (nobody.status !== 404)
          differences.push(`${operation.operationId} ${name}: unknown is ${nobody.status}`);
        if (
          foreign.status !== nobody.status ||
          foreign.text.replaceAll(id, missing) !== nobody.text.replaceAll(id, missing)
        ) {
          differences.push(`${operation.operationId} ${name}: ${foreign.text} but unknown ${nobody.text}`);
        }
      }
    }
    expect(differences).toEqual([]);
    expect(await rowsOf(app.db, owner.organizationId)).toBe(before);
  });

  it('are seen in no list', async () => {
    for (const path of ['/projects', '/members', '/keys']) {
      const { text } = await stranger.api('GET', `${path}?limit=100`);
      for (const id of [theirs.memberId, theirs.keyId, owner.memberId]) expect(text).not.toContain(id);
    }
  });
});

describe('roles', () => {
  const keyOf = async (role: string) => {
    const member = await ok(
      owner.api('POST', '/members', { name: role, email: `${role}@example.org`, role }),
      201,
    );
    const key = `ak_of_a_${role}_${'x'.repeat(20)}`;
    await app.db.transaction(system, async (tx) => {
      const { insertKey } = await import('../src/keys/queries.ts');
      const { newUuid } = await import('../src/ids.ts');
      const scope = { organizationId: owner.organizationId, memberId: member.id };
      await insertKey(tx, scope, newUuid(), key, { name: role, access: 'full', expiresAt: null });
    });
    return owner.as(key);
  };

  it('a viewer and a read-only key read everything and write nothing', async () => {
    const viewer = await keyOf('viewer');
    const { key } = await ok(owner.api('POST', '/keys', { name: 'read', access: 'read' }), 201);
    for (const api of [viewer, owner.as(key)]) {
      for (const operation of operations.filter(({ operationId }) => cases[operationId])) {
        const { status } = await call(api, operation, theirs);
        expect(`${operation.operationId} ${status}`).toBe(
          `${operation.operationId} ${operation.method === 'GET' ? 200 : 403}`,
        );
      }
    }
  });

  it('a member does not do what is for admins', async () => {
    const member = await keyOf('member');
    for (const operation of operations.filter(({ operationId }) => adminOnly.includes(operationId))) {
      expect((await call(member, operation, theirs)).status).toBe(403);
    }
  });

  it('a member sees and revokes only their own keys', async () => {
    const member = await owner.api('GET', '/keys?limit=100');
    expect(member.body.data.length).toBeGreaterThan(2);
    const plain = owner.as(`ak_of_a_member_${'x'.repeat(20)}`);
    expect((await ok(plain('GET', '/keys'))).data).toHaveLength(1);
    expect((await plain('DELETE', `/keys/${theirs.keyId}`)).status).toBe(404);
  });

  it('each operation succeeds for its owner, so that the 404s above prove something', async () => {
    const last = [
      'deleteAnnotation',
      'deleteRecord',
      'deleteRun',
      'deleteSystem',
      'deleteMetric',
      'deleteTestset',
      'deleteProject',
    ];
    const place = ({ operationId }: Operation) => {
      if (last.includes(operationId)) return 2 + last.indexOf(operationId);
      return /^(delete|revoke|unassign)/.test(operationId) ? 1 : 0;
    };
    const inOrder = operations
      .filter(({ operationId }) => cases[operationId])
      .sort((a, b) => place(a) - place(b));
    const failures: string[] = [];
    for (const operation of inOrder) {
      const { status, text } = await call(owner.api, operation, theirs);
      if (status >= 300 && !(status === 409 && conflicting.includes(operation.operationId)))
        failures.push(`${operation.operationId} ${text}`);
    }
    expect(failures).toEqual([]);
  });
});

describe.runIf(engine === 'server')('row-level security, the second wall', () => {
  it('is on and forced for every table of tenants’ rows', async () => {
    const tables = (await app.db.read(system, tenantTables)).map(({ name }) => name);
    const walled = await app.db.read(
      system,
      (sql) => sql<{ name: string }[]>`
        select relname as name from pg_class
        where relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = pg_class.oid)`,
    );
    expect(walled.map(({ name }) => name)).toEqual(expect.arrayContaining([...tables, 'organization']));
  });

  it('hides and protects another organization’s rows even where a statement names no organization', async () => {
    const before = await rowsOf(app.db, stranger.organizationId);
    const tables = await app.db.read(system, tenantTables);
    await app.db.transaction(owner, async (tx) => {
      for (const { name } of tables) {
        const foreign = await tx`select from ${tx(name)} where organization_id = ${stranger.organizationId}`;
        expect(foreign).toHaveLength(0);
        expect(
          (
            await tx`update ${tx(name)} set organization_id = organization_id where organization_id = ${stranger.organizationId}`
          ).count,
        ).toBe(0);
      }
      await tx`delete from project`;
      await tx`delete from member`;
    });
    expect(await rowsOf(app.db, stranger.organizationId)).toBe(before);
  });

  it('refuses a row in another organization’s name', async () => {
    const insert = app.db.transaction(
      owner,
      (tx) => tx`insert into project (organization_id, name) values (${stranger.organizationId}, 'planted')`,
    );
    await expect(insert).rejects.toThrow('row-level security');
  });
});
