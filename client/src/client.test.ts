import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../server/test/harness.ts';
import { type Client, createClient, DokimaError } from './main.ts';

let app: TestApp;
let url: string;
let dokima: Client;

const open = async (): Promise<Client> => {
  const { key } = await app.organization();
  return createClient({ baseUrl: url, apiKey: key });
};

/** Creates a project with one metric and a testset of `count` testcases. */
const prepare = async (client: Client, count: number) => {
  const project = await client.createProject({ name: 'Project', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const testset = await client.createTestset(project.id, {
    name: 'Cases',
    description: '',
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: ['q'], expected: ['a'], metadata: [] },
  });
  const items = Array.from({ length: count }, (_, q) => ({ jsonData: { q, a: q * 2 } }));
  const testcases = await client.createAllTestcases(testset.id, items);
  return { project, metric, testset, testcases };
};

beforeAll(async () => {
  app = await startApp();
  url = await app.url();
  dokima = await open();
});
afterAll(() => app.close());

describe('operations', () => {
  it('put ids, body and query where the API expects them', async () => {
    const { project, metric } = await prepare(dokima, 0);
    expect(await dokima.getProject(project.id)).toEqual(project);
    const run = await dokima.createRun(project.id, { metricIds: [metric.id] });
    const content = { inputs: { q: 'ä&/?' }, expected: {}, outputs: {} };
    const record = await dokima.createRecord(run.id, content);
    await dokima.createRecordTag(record.id, { text: 'a / b' });
    await dokima.createRecordTag(record.id, { text: 'c' });
    const score = { binaryScore: true, reasoning: '' };
    await dokima.upsertScore(record.id, run.metricVersionIds[0]!, { score });
    const both = await dokima.listRecords(run.id, { tags: ['a / b', 'c'] });
    expect(both.data).toMatchObject([{ id: record.id, inputs: { q: 'ä&/?' }, scores: [{ score }] }]);
    expect((await dokima.listRecords(run.id, { tags: ['a / b', 'd'] })).data).toEqual([]);
    expect(await dokima.deleteRecordTag(record.id, 'a / b')).toEqual({ deleted: 1 });
  });

  it('accept a base URL that ends with /api/v2', async () => {
    const { key } = await app.organization();
    const me = await createClient({ baseUrl: `${url}/api/v2/`, apiKey: key }).getMe();
    expect(me.key!.access).toBe('full');
  });

  it("throw the service's error with its code, details, request id and what to do about it", async () => {
    const error = await dokima.createProject({} as { name: string; description: string }).catch((e) => e);
    expect(error).toBeInstanceOf(DokimaError);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
    expect(error.details.issues.map(({ path }: { path: string }) => path)).toEqual(['/name', '/description']);
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    await expect(createClient({ baseUrl: url, apiKey: 'ak_no' }).getMe()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      fix: expect.stringMatching(/^Send `Authorization: Bearer/),
    });
  });
});

describe('lists', () => {
  it('give the first page with await, every item with for await, and every page with pages()', async () => {
    const { testset, testcases } = await prepare(dokima, 250);
    const ids = testcases.map(({ id }) => id);
    const first = await dokima.listTestcases(testset.id, { limit: 7 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 7));
    const walked: string[] = [];
    for await (const { id } of dokima.listTestcases(testset.id)) walked.push(id);
    expect(walked).toEqual(ids);
    const sizes: number[] = [];
    for await (const page of dokima.listTestcases(testset.id).pages()) sizes.push(page.data.length);
    expect(sizes).toEqual([100, 100, 50]);
    const rest: string[] = [];
    const from = dokima.listTestcases(testset.id, { limit: 90, cursor: first.nextCursor });
    for await (const { id } of from) rest.push(id);
    expect(rest).toEqual(ids.slice(7));
  });

  it('send no request before they are used', async () => {
    let requests = 0;
    const client = createClient({
      baseUrl: url,
      fetch: async () => {
        requests++;
        return new Response('{"data":[],"nextCursor":"","hasMore":false}');
      },
    });
    const list = client.listProjects();
    expect(requests).toBe(0);
    await list;
    expect(requests).toBe(1);
  });
});

describe('bulk calls', () => {
  it('split items that are too many for one request, and keep the order', async () => {
    const { project, metric, testcases } = await prepare(dokima, 130);
    expect(testcases.map(({ jsonData }) => jsonData.q)).toEqual(Array.from({ length: 130 }, (_, q) => q));
    const run = await dokima.createRun(project.id, { metricIds: [metric.id] });
    const items = Array.from({ length: 1_100 }, (_, n) => ({ inputs: { n }, expected: {}, outputs: {} }));
    const ids = await dokima.createAllRecords(run.id, items);
    const metricConfigId = run.metricVersionIds[0]!;
    const scores = ids.map((recordId, n) => ({ recordId, metricConfigId, score: { binaryScore: n } }));
    const stored = await dokima.upsertAllScores(run.id, scores);
    expect(stored.map(({ recordId }) => recordId)).toEqual(ids);
    expect(stored.every(({ validationErrors }) => validationErrors?.length === 1)).toBe(true);
    const numbers: unknown[] = [];
    for await (const { inputs } of dokima.listRecords(run.id)) numbers.push(inputs.n);
    expect(numbers).toEqual(items.map(({ inputs }) => inputs.n));
  });

  it('split items that are together too large for one body', async () => {
    const { project, metric } = await prepare(dokima, 0);
    const run = await dokima.createRun(project.id, { metricIds: [metric.id] });
    const text = 'x'.repeat(1024 * 1024);
    const items = Array.from({ length: 20 }, () => ({ inputs: { text }, expected: {}, outputs: {} }));
    expect(await dokima.createAllRecords(run.id, items)).toHaveLength(20);
  });
});

describe('runAndEvaluate', () => {
  it('records each trial of each testcase, at most `concurrency` at a time', async () => {
    const { project, metric, testset } = await prepare(dokima, 12);
    let underWay = 0;
    let most = 0;
    const { run, recordIds } = await dokima.runAndEvaluate({
      projectId: project.id,
      testsetId: testset.id,
      metricIds: [metric.id],
      concurrency: 3,
      trials: 2,
      system: async ({ q }, { trial }) => {
        most = Math.max(most, ++underWay);
        await new Promise(setImmediate);
        underWay--;
        return { a: Number(q) * 2, trial };
      },
    });
    expect(most).toBe(3);
    expect(run).toMatchObject({ numRecords: 24, testsetId: testset.id });
    const records = new Map<
      string,
      { outputs: Record<string, unknown>; expected: Record<string, unknown> }
    >();
    for await (const record of dokima.listRecords(run.id)) records.set(record.id, record);
    const inOrder = recordIds.map((id) => records.get(id)!);
    expect(inOrder.map(({ outputs }) => outputs.trial)).toEqual(
      Array.from({ length: 24 }, (_, i) => (i % 2) + 1),
    );
    expect(inOrder.every(({ outputs, expected }) => outputs.a === expected.a)).toBe(true);
  });

  it('continues an interrupted run and asks no testcase twice', async () => {
    const { project, metric, testset } = await prepare(dokima, 9);
    const asked: unknown[] = [];
    let runId = '';
    const evaluation = {
      projectId: project.id,
      testsetId: testset.id,
      metricIds: [metric.id],
      concurrency: 1,
      system: async ({ q }: Record<string, unknown>) => {
        if (asked.length === 4) {
          asked.push('failed');
          throw new Error('The system is down.');
        }
        asked.push(q);
        return { q };
      },
      onProgress: (progress: { runId: string }) => {
        runId = progress.runId;
      },
    };
    await expect(dokima.runAndEvaluate(evaluation)).rejects.toThrow('The system is down.');
    const { run, recordIds } = await dokima.runAndEvaluate({ ...evaluation, runId });
    expect(asked).toEqual([0, 1, 2, 3, 'failed', 4, 5, 6, 7, 8]);
    expect(run).toMatchObject({ id: runId, numRecords: 9 });
    expect(new Set(recordIds).size).toBe(9);
  });

  it('with onSystemError: skip, leaves out failed calls and returns them as failures', async () => {
    const { project, metric, testset, testcases } = await prepare(dokima, 3);
    const { run, recordIds, failures } = await dokima.runAndEvaluate({
      projectId: project.id,
      testsetId: testset.id,
      metricIds: [metric.id],
      onSystemError: 'skip',
      system: async ({ q }) => {
        if (q === 1) throw new Error('no answer');
        return {};
      },
    });
    expect(run.numRecords).toBe(2);
    expect(recordIds).toHaveLength(2);
    expect(failures).toMatchObject([{ attempt: { testcase: testcases[1], trial: 1 } }]);
  });

  it('stops when the signal aborts, and keeps the answers so far', async () => {
    const { project, metric, testset } = await prepare(dokima, 9);
    const stop = new AbortController();
    let runId = '';
    const evaluation = dokima.runAndEvaluate({
      projectId: project.id,
      testsetId: testset.id,
      metricIds: [metric.id],
      concurrency: 1,
      signal: stop.signal,
      system: async ({ q }) => {
        if (q === 3) stop.abort(new Error('Ctrl-C'));
        return { q };
      },
      onProgress: (progress) => {
        runId = progress.runId;
      },
    });
    await expect(evaluation).rejects.toThrow('Ctrl-C');
    expect((await dokima.getRun(runId)).numRecords).toBe(4);
  });

  it('watchRun yields each change and ends when the service has nothing more to do', async () => {
    const { project, metric, testset } = await prepare(dokima, 1);
    const { run, recordIds } = await dokima.runAndEvaluate({
      projectId: project.id,
      testsetId: testset.id,
      metricIds: [metric.id],
      system: async () => ({}),
    });
    const seen: string[] = [];
    for await (const { status } of dokima.watchRun(run.id, { everyMs: 5 })) {
      seen.push(status);
      if (status !== 'completed') {
        const score = { binaryScore: true };
        await dokima.upsertScore(recordIds[0]!, run.metricVersionIds[0]!, { score });
      }
    }
    expect(seen).toEqual(['awaiting_scoring', 'completed']);
  });
});

it('uploadFile sends bytes once and returns the attachment', async () => {
  const bytes = new TextEncoder().encode('what the agent wrote');
  const file = { sessionId: 's', filePath: 'out.txt', contentType: 'text/plain', bytes };
  const attachment = await dokima.uploadFile(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(attachment).toMatchObject({ status: 'uploaded', sha256, sizeBytes: bytes.length });
  expect((await dokima.uploadFile(file)).id).toBe(attachment.id);
});
