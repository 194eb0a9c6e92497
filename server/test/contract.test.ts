import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodyLimitBytes } from '../src/platform/http/http.ts';
import { conformance, type Document, operationFor } from './conformance.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import type { Answer, Client } from './harness.ts';
import { openApp } from './opened.ts';

const contract = JSON.parse(
  await readFile(new URL('./contract/openapi.json', import.meta.url), 'utf8'),
) as Document;

/** Statuses that can't be brought about by a request alone; errors.test.ts shows the first. */
const exempt = new Set(['429', '500']);
const conforms = conformance(contract);
const seen = new Set<string>();

const { own } = await openApp();
/** Like the harness's client; every answer is held against the contract and its operation and status noted. */
let api: Client;

const watching =
  (client: Client): Client =>
  async (...request) => {
    const answer = await client(...request);
    const [method, path] = request;
    conforms(method, path, answer);
    const operation = operationFor(contract, method, path);
    if (operation) seen.add(`${operation.operationId} ${answer.status}`);
    return answer;
  };

beforeAll(async () => {
  api = watching(own.api);
});

const status = async (answer: Promise<Answer>) => (await answer).status;
const unknownUuid = '01890000-0000-7000-8000-000000000000';
const config = { model: 'm', temperature: 0 };

/** Everything that the paths of the contract name. */
const createWorld = async () => {
  const project = await createProject(api);
  const testset = await createTestset(api, project.id);
  const [testcase] = await createTestcases(api, testset.id, 2);
  const metric = await createMetric(api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
  const system = await ok(api('POST', `/projects/${project.id}/systems`, { config }), 201);
  const run = await createRun(api, project.id, [metric.id], { testsetId: testset.id });
  const record = await createRecord(api, run.id, {
    testcaseId: testcase.id,
    otelLinkId: 'o',
    sessionId: 's',
  });
  const file = {
    sessionId: 's',
    filePath: 'f',
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  };
  const attachment = await ok(
    api('POST', '/attachments', { ...file, sizeBytes: 0, contentType: 'text/plain', metadata: {} }),
    201,
  );
  const link = attachment.uploadUrl.slice(attachment.uploadUrl.indexOf('/attachments'));
  await ok(own.api('PUT', link, undefined, { headers: { 'content-type': 'text/plain' }, raw: '' }));
  return {
    project,
    testset,
    testcase,
    metric,
    system,
    run,
    record,
    attachment,
    configId: run.metricVersionIds[0],
  };
};

describe('the contract', () => {
  it('each 2xx of each operation is seen', async () => {
    const { project, testset, testcase, metric, system, run, record, attachment, configId } =
      await createWorld();
    const kind = { evalType: 'heuristic', outputType: 'boolean' };
    const score = { binaryScore: true, reasoning: 'r' };
    for (const path of [
      '/projects',
      ...['testsets', 'metrics', 'runs', 'systems'].map((resource) => `/projects/${project.id}/${resource}`),
    ]) {
      await ok(api('GET', path));
    }
    await ok(api('GET', `/testsets/${testset.id}`));
    await ok(api('PATCH', `/testsets/${testset.id}`, { name: 'New', jsonSchema: { required: ['missing'] } }));
    await ok(api('GET', `/testsets/${testset.id}/testcases`));
    await ok(api('GET', `/testcases/${testcase.id}`));
    const replaced = await ok(api('PUT', `/testcases/${testcase.id}`, { jsonData: { question: 'q' } }));
    expect(replaced.validationErrors).toHaveLength(1);
    await ok(api('GET', `/metrics/${metric.id}`));
    await ok(api('PATCH', `/metrics/${metric.id}`, { ...kind, guidelines: 'new' }));
    const group = await ok(
      api('POST', `/projects/${project.id}/metric-groups`, { name: 'G', metricIds: [metric.id] }),
      201,
    );
    await ok(api('GET', `/projects/${project.id}/metric-groups`));
    await ok(api('GET', `/metric-groups/${group.id}`));
    await ok(api('PATCH', `/metric-groups/${group.id}`, { name: 'New' }));
    await ok(api('GET', `/runs/${run.id}`));
    await ok(api('PUT', `/records/${record.id}/scores/${configId}`, { score }));
    await ok(api('GET', `/runs/${run.id}/records?tags=none`));
    const { data } = await ok(api('GET', `/runs/${run.id}/records`));
    expect(data).toEqual([
      { ...record, scores: [{ recordId: record.id, metricConfigId: configId, score, userId: own.memberId }] },
    ]);
    await ok(own.api('POST', `/records/${record.id}/annotations`, { rating: false }), 201);
    expect((await ok(api('GET', `/records/${record.id}/annotations`))).data).toHaveLength(1);
    await ok(api('POST', `/records/${record.id}/tags`, { text: 't' }), 201);
    expect((await ok(api('GET', `/records/${record.id}/tags`))).data).toHaveLength(1);
    expect(await ok(api('DELETE', `/records/${record.id}/tags/t`))).toEqual({ deleted: 1 });
    await ok(api('POST', `/records/${record.id}/assignees`, { assigneeUserId: own.memberId }), 201);
    expect((await ok(api('GET', `/records/${record.id}/assignees`))).data).toHaveLength(1);
    expect(await ok(api('DELETE', `/records/${record.id}/assignees/${own.memberId}`))).toEqual({
      deleted: 1,
    });
    await ok(api('GET', `/systems/${system.id}`));
    const version = await ok(
      api('POST', `/systems/${system.id}/versions`, { config: { model: 'n' }, name: 'v2' }),
    );
    await ok(api('GET', `/systems/versions/${version.id}`));
    const patched = await ok(api('PATCH', `/systems/${system.id}`, { productionVersionId: version.id }));
    expect(patched.productionVersion).toEqual(version);
    await ok(api('GET', `/attachments/${attachment.id}`));
    await ok(api('POST', `/attachments/${attachment.id}/commit`));
    await ok(api('GET', '/sessions/s/attachments'));
    const gone = [
      `/attachments/${attachment.id}`,
      `/records/${record.id}`,
      `/metric-groups/${group.id}`,
      `/metrics/${metric.id}`,
      `/systems/${system.id}`,
    ];
    for (const path of gone) expect(await ok(api('DELETE', path))).toEqual({ success: true });
    await ok(api('POST', '/testcases/bulk-delete', { ids: [testcase.id] }));
    await ok(api('DELETE', `/testsets/${testset.id}`));
  });

  const operations = Object.entries(contract.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase() as Parameters<Client>[0],
      template,
      operation,
    })),
  );

  /** Returns a path of unknown ids. */
  const unknownPath = (template: string) =>
    template
      .replace(/\{(projectId|testsetId|metricId|metricGroupId|runId)\}/g, '999999999')
      .replace(/\{(testcaseId|recordId)\}/g, '999999999-1')
      .replace(/\{text\}/g, 'unknown')
      // Any other id of a session is a session without attachments.
      .replace(/\{sessionId\}/g, 'a%00b')
      .replace(/\{\w+\}/g, unknownUuid);

  /** A body that the operation takes, so that only the id is wrong. */
  const bodies: Record<string, unknown> = {
    createTestset: {
      name: 'T',
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: [], expected: [], metadata: [] },
    },
    updateTestset: {},
    createTestcases: { items: [{ jsonData: {} }] },
    updateTestcase: { jsonData: {} },
    createMetric: { name: 'M', evalType: 'human', outputType: 'int' },
    updateMetric: { evalType: 'human', outputType: 'int' },
    createMetricGroup: { name: 'G', metricIds: [] },
    updateMetricGroup: {},
    createRun: { metricIds: [] },
    createRecord: { inputs: {}, expected: {}, outputs: {} },
    createRecordTag: { text: 't' },
    assignRecordUser: { assigneeUserId: unknownUuid },
    upsertSystem: { config: {} },
    updateSystem: {},
    upsertSystemVersion: { config: {} },
    upsertScore: { score: {} },
    deleteTestcases: { ids: ['999999999-1'] },
  };

  it.each(operations.filter(({ operation }) => operation.responses['404']))(
    '$name: 404 for an unknown id',
    async (op) => {
      expect(await status(api(op.method, unknownPath(op.template), bodies[op.name]))).toBe(404);
    },
  );

  it.each(operations)('$name: 401 without a key', async ({ method, template }) => {
    const anonymous = watching(own.as(undefined));
    expect(await status(anonymous(method, unknownPath(template)))).toBe(401);
  });

  it.each(operations)('$name: 400 for a URL that cannot be percent-decoded', async ({ method, template }) => {
    expect(await status(api(method, `${unknownPath(template)}?x=%zz`))).toBe(400);
  });

  const tooLarge = `"${'x'.repeat(bodyLimitBytes)}"`;

  it.each(operations.filter(({ operation }) => operation.responses['413']))(
    '$name: 413 above 15 MB',
    async (op) => {
      const answer = await api(op.method, unknownPath(op.template), undefined, { raw: tooLarge });
      expect(answer.body).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        details: { limitBytes: bodyLimitBytes },
      });
    },
  );

  it('every status that it declares has been seen', () => {
    const declared = operations.flatMap(({ name, operation }) =>
      Object.keys(operation.responses)
        .filter((code) => !exempt.has(code))
        .map((code) => `${name} ${code}`),
    );
    expect(declared.filter((pair) => !seen.has(pair))).toEqual([]);
    expect(operations).toHaveLength(48);
  });
});

describe('the check itself', () => {
  const metric = {
    id: '1',
    name: 'M',
    description: null,
    evalType: 'human',
    guidelines: '',
    outputType: 'boolean',
  };
  const record = { id: '1-1', runId: '1', inputs: {}, expected: {}, outputs: {}, scores: [] };
  const answer = (body: unknown): Answer => ({ status: 200, body, text: '', headers: {} });
  const page = (data: unknown[]) => answer({ data, nextCursor: '', hasMore: false });

  it.each([
    ['a metric', 'GET', '/metrics/1', answer, metric],
    ['a record in a page', 'GET', '/runs/1/records', (body: unknown) => page([body]), record],
  ] as const)('refuses %s with a field too many or too few', (_name, method, path, wrap, body) => {
    expect(() => conforms(method, path, wrap(body))).not.toThrow();
    expect(() => conforms(method, path, wrap({ ...body, extra: 1 }))).toThrow();
    for (const field of Object.keys(body)) {
      const { [field]: _, ...rest } = body as Record<string, unknown>;
      expect(() => conforms(method, path, wrap(rest))).toThrow();
    }
  });

  it('refuses a status that is not declared', () => {
    expect(() => conforms('GET', '/metrics/1', { ...answer({}), status: 418 })).toThrow('does not declare');
  });
});
