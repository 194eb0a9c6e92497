import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAlert } from './alerting.ts';
import { openEndpoint, type Reply } from './endpoint.ts';
import { createMetric, createProject, createRun, createTestcases, createTestset, ok } from './fixtures.ts';
import { type Client, engine } from './harness.ts';
import { createJudged } from './judged.ts';
import { openOpenAiServer } from './model-server.ts';
import { createMonitor } from './monitors.ts';
import { newTraceId, requestOf } from './otlp.ts';
import { comparableRuns } from './preferences.ts';
import { addRecords } from './reviews.ts';
import { callService, createStorage, endServices, type Service, startService } from './service.ts';
import { until } from './until.ts';

const key = `ak_${'killed-work-'.repeat(3)}`;
const never = new Promise<never>(() => {});

let storage: Awaited<ReturnType<typeof createStorage>>;
let service: Service;
let models: Awaited<ReturnType<typeof openOpenAiServer>>;
let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
/** What the system under test answers; receivers of alerts are it too. */
let answer: (text: string) => Reply | Promise<Reply>;

const start = async () => {
  service = await startService({
    ...storage.settings,
    DOKIMA_BOOTSTRAP_API_KEY: key,
    DOKIMA_WORKERS: '1',
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_JUDGE_MODEL: 'local/judge',
    DOKIMA_SECRET: 'a secret for tests, nothing else',
  });
};

const api: Client = async (method, path, body, { headers = {} } = {}) => {
  const answer = await callService({ url: service.url, key }, method, path, body, headers);
  return { ...answer, text: JSON.stringify(answer.body), headers: {} };
};

beforeAll(async () => {
  storage = await createStorage();
  models = await openOpenAiServer();
  endpoint = await openEndpoint(({ text }) => answer(text));
  await start();
  const local = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(api('POST', '/providers', local), 201);
});
afterAll(async () => {
  await endServices();
  await Promise.all([models.close(), endpoint.close()]);
  await storage.remove();
});

/** On a server the leases of a process that died end after a minute, because another may hold them. */
const endLeases = async () => {
  if (engine !== 'server') return;
  const sql = postgres(storage.settings.DATABASE_URL!, { max: 1, onnotice: () => {} });
  await sql`update score_lease set until = now()`;
  for (const table of ['execution', 'preference_pair', 'alert_delivery'])
    await sql`update ${sql(table)} set due_at = now() where state = 'pending' and fence > 0`;
  await sql.end();
};

/** Waits for this many requests to the endpoint. */
const arrived = (count: number) => until(async () => endpoint.received.length >= count || undefined);
const passes = { reasoning: 'r', binaryScore: true };
const holdModels = () => models.answer({ after: never });
const list = async (path: string) =>
  (await ok(api('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`))).data;
const summaryOf = (runId: string) =>
  ok(api('GET', `/runs/${runId}/details`)).then(({ executions }) => executions);

const createSystem = async (projectId: string, config: object = { endpoint: endpoint.url }) =>
  ok(
    api('POST', `/projects/${projectId}/systems`, { name: `S${JSON.stringify(config).length}`, config }),
    201,
  );

/** A system of a project, a testset of three cases, and a metric of people. */
const createExecuted = async () => {
  const { id: projectId } = await createProject(api);
  const testset = await createTestset(api, projectId);
  const testcases = await createTestcases(api, testset.id, 3);
  const system = await createSystem(projectId);
  const metric = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
  return { projectId, testsetId: testset.id, testcases, system, metricId: metric.id };
};

/** Starts work of a kind. Resolves when a process is in the middle of it, to what checks that the next process ended it, once. */
type Kind = () => Promise<() => Promise<void>>;

const kinds: Record<string, Kind> = {
  'conversations with a simulated user': async () => {
    const { projectId, testsetId, testcases, system } = await createExecuted();
    const user = await createSystem(projectId, {
      promptTemplate: 'Ask {{ inputs.question }}',
      modelName: 'local/user',
    });
    models.answer(({ messages }) => ({ reply: `question ${messages.length}` }));
    // The process dies while each system answers for the second time.
    answer = (text) => (JSON.parse(text).messages.length < 3 ? { body: '{"answer":"first"}' } : never);
    const run = await createRun(api, projectId, [], {
      testsetId,
      systemVersionId: system.productionVersion.id,
      execute: true,
      simulation: { userVersionId: user.productionVersion.id, maxTurns: 2 },
    });
    await arrived(6);
    return async () => {
      answer = (text) => ({ body: `{"answer":"reply to ${JSON.parse(text).messages.length}"}` });
      await expect.poll(() => summaryOf(run.id)).toMatchObject({ done: 3, pending: 0, failed: 0 });
      const records = await list(`/runs/${run.id}/records`);
      expect(records.map(({ testcaseId }: { testcaseId: string }) => testcaseId).sort()).toEqual(
        testcases.map(({ id }: { id: string }) => id).sort(),
      );
      // The conversation that died left nothing in the record.
      for (const { outputs } of records) {
        expect(outputs).toMatchObject({ turns: 2, stop: 'maxTurns' });
        expect(outputs.messages.map(({ content }: { content: string }) => content)).toEqual([
          expect.any(String),
          'reply to 1',
          expect.any(String),
          'reply to 3',
        ]);
      }
    };
  },

  'pairs of a preference study': async () => {
    const { id: projectId } = await createProject(api);
    const runIds = await comparableRuns(api, projectId, [
      ['1', '2', '3'],
      ['4', '5', '6'],
    ]);
    holdModels();
    const body = { criterion: 'better', runIds, judge: { modelName: 'local/judge' } };
    const study = await ok(api('POST', `/projects/${projectId}/preference-studies`, body), 201);
    await until(async () => models.received.length > 0 || undefined);
    return async () => {
      models.answer({ reply: { reasoning: 'R', intScore: 1 } });
      await expect
        .poll(async () => (await ok(api('GET', `/preference-studies/${study.id}`))).judge)
        .toMatchObject({ scored: 3, pending: 0, unscored: 0 });
    };
  },

  'the verdicts of a succession': async () => {
    models.answer({ reply: passes });
    const { judgeId, peopleId } = await createJudged(api, {
      records: 20,
      isGood: () => true,
      model: 'local/old',
    });
    await ok(api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId }));
    holdModels();
    const body = {
      kind: 'succession',
      candidates: [{ evalModelName: 'local/new' }, { evalModelName: 'local/other' }],
    };
    models.received.length = 0;
    const trial = await ok(api('POST', `/metrics/${judgeId}/trials`, body), 201);
    await until(async () => models.received.length > 0 || undefined);
    return async () => {
      models.answer({ reply: passes });
      const path = `/metrics/${judgeId}/trials/${trial.number}`;
      await expect.poll(async () => (await ok(api('GET', path))).state).toBe('ready');
      for (const { runId } of trial.candidates) {
        const run = await ok(api('GET', `/runs/${runId}`));
        expect(run).toMatchObject({ numRecords: 20, numScores: 20, status: 'completed' });
      }
      expect(await list(`/trials?metricId=${judgeId}`)).toHaveLength(1);
    };
  },

  'a drift trial, whose result is stored': async () => {
    models.answer({ reply: passes });
    const { projectId, judgeId, peopleId } = await createJudged(api, {
      records: 20,
      isGood: () => true,
      model: 'local/judge',
    });
    answer = () => ({ body: '{}' });
    await ok(api('PUT', `/metrics/${judgeId}/pinned-set`, { against: peopleId }));
    const alert = await createAlert(api, projectId, endpoint.url, { events: ['drift.found'] });
    holdModels();
    models.received.length = 0;
    const trial = await ok(api('POST', `/metrics/${judgeId}/trials`, { kind: 'drift' }), 201);
    await until(async () => models.received.length > 0 || undefined);
    return async () => {
      models.answer({ reply: { reasoning: 'r', binaryScore: false } });
      const path = `/metrics/${judgeId}/trials/${trial.number}`;
      await expect.poll(async () => (await ok(api('GET', path))).candidates[0].drift).not.toBeNull();
      await expect
        .poll(async () =>
          (await list(`/alerts/${alert.id}/deliveries`)).map(({ state }: { state: string }) => state),
        )
        .toEqual(['delivered']);
    };
  },

  'a run that a schedule started': async () => {
    const { projectId, testsetId, system, metricId } = await createExecuted();
    const task = { kind: 'run', testsetId, systemId: system.id, metricIds: [metricId] };
    const body = { name: 'Nightly', cron: '0 2 * * *', timeZone: 'UTC', task };
    const { id } = await ok(api('POST', `/projects/${projectId}/schedules`, body), 201);
    answer = () => never;
    await ok(api('PATCH', `/schedules/${id}`, { runNow: true }));
    await arrived(1);
    return async () => {
      answer = () => ({ body: '{"answer":"a"}' });
      const runs = () => list(`/projects/${projectId}/run-details`);
      await expect.poll(runs).toMatchObject([{ numRecords: 3 }]);
      const [{ nextAt, lastRunId }] = await list(`/projects/${projectId}/schedules`);
      expect(lastRunId).toBe((await runs())[0].id);
      expect(nextAt).toContain('T02:00:00');
    };
  },

  'a schedule whose press was answered a moment ago': async () => {
    const { projectId, testsetId, system, metricId } = await createExecuted();
    const task = { kind: 'run', testsetId, systemId: system.id, metricIds: [metricId] };
    const body = { name: 'Nightly', cron: '0 2 * * *', timeZone: 'UTC', task };
    const { id } = await ok(api('POST', `/projects/${projectId}/schedules`, body), 201);
    answer = () => ({ body: '{"answer":"a"}' });
    await ok(api('PATCH', `/schedules/${id}`, { runNow: true }));
    return async () => {
      const runs = () => list(`/projects/${projectId}/run-details`);
      await expect.poll(runs).toMatchObject([{ numRecords: 3 }]);
    };
  },

  'a message of an alert': async () => {
    const { id: projectId } = await createProject(api);
    const ids: unknown[] = [];
    answer = (text) => {
      ids.push(JSON.parse(text));
      return never;
    };
    const alert = await createAlert(api, projectId, endpoint.url, { events: ['run.completed'] });
    const metric = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(api, projectId, [metric.id]);
    const [recordId] = await addRecords(api, run.id, 1);
    const score = { score: { binaryScore: true } };
    await ok(api('PUT', `/records/${recordId}/scores/${run.metricVersionIds[0]}`, score));
    await until(async () => ids.length > 0 || undefined);
    return async () => {
      answer = (text) => {
        ids.push(JSON.parse(text));
        return { body: '{}' };
      };
      await expect
        .poll(async () =>
          (await list(`/alerts/${alert.id}/deliveries`)).map(({ state }: { state: string }) => state),
        )
        .toEqual(['delivered']);
      expect(ids).toHaveLength(2);
      expect(ids[1]).toEqual(ids[0]);
    };
  },

  'a monitor whose traces have just come': async () => {
    const { id: projectId } = await createProject(api);
    const guidelines = 'const score = () => true;';
    const metric = await createMetric(api, projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines,
    });
    const monitor = await createMonitor(api, projectId, [metric.id]);
    const spans = Array.from({ length: 5 }, () => ({ traceId: newTraceId(), n: 1 }));
    const sent = await fetch(`${service.url}/otel/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(spans, { 'dokima.project_id': projectId })),
    });
    expect(sent.status).toBe(200);
    return async () => {
      const read = () => ok(api('GET', `/monitors/${monitor.id}`));
      await expect
        .poll(read)
        .toMatchObject({ results: { numDrawn: 5, metrics: [{ states: { scored: 5 } }] } });
      const records = await list(`/projects/${projectId}/records`);
      expect(records).toHaveLength(5);
    };
  },

  'an archive that is imported': async () => {
    const { id: source } = await createProject(api);
    const run = await createRun(api, source, []);
    for (let i = 0; i < 5; i++)
      await addRecords(api, run.id, 1_000, (j) => ({ inputs: { i, j }, outputs: { text: 'x'.repeat(300) } }));
    const archiveOf = async (projectId: string) => {
      const got = await fetch(`${service.url}/api/v2/projects/${projectId}/archive`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return got.text();
    };
    const archive = await archiveOf(source);
    const { id: target } = await createProject(api);
    const send = (body: ReadableStream | string) =>
      fetch(`${service.url}/api/v2/projects/${target}/archive`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
        body,
        duplex: 'half',
      } as RequestInit);
    const half = archive.slice(0, archive.length / 2);
    const slowly = Readable.from(
      (async function* () {
        yield half;
        await never;
      })(),
    );
    send(Readable.toWeb(slowly) as ReadableStream).catch(() => {});
    const stateOf = () => ok(api('GET', `/projects/${target}/import`));
    await until(
      async () => (await api('GET', `/projects/${target}/import`)).body.rows?.record > 0 || undefined,
    );
    return async () => {
      expect((await stateOf()).completedAt).toBeNull();
      expect((await send(archive)).status).toBe(200);
      expect((await stateOf()).completedAt).not.toBeNull();
      const lines = (text: string) =>
        Object.fromEntries(
          [...Map.groupBy(text.trim().split('\n'), (line) => JSON.parse(line).part)].map(([part, all]) => [
            part,
            all.length,
          ]),
        );
      expect(lines(await archiveOf(target))).toEqual(lines(archive));
    };
  },

  'a project that is deleted': async () => {
    const { id: projectId } = await createProject(api);
    const run = await createRun(api, projectId, []);
    for (let i = 0; i < 5; i++) await addRecords(api, run.id, 1_000, (j) => ({ inputs: { i, j } }));
    const deleting = api('DELETE', `/projects/${projectId}`);
    // On a server the answer comes with the end of the work.
    if (engine === 'embedded') await ok(deleting);
    else deleting.catch(() => {});
    return async () => {
      const { status } = await api('GET', `/projects/${projectId}`);
      if (engine === 'server' && status === 200) await ok(api('DELETE', `/projects/${projectId}`));
      expect((await api('GET', `/projects/${projectId}`)).status).toBe(404);
      await until(
        async () =>
          (await (await fetch(`${service.url}/metrics`)).text()).includes('dokima_deletions_under_way 0') ||
          undefined,
      );
    };
  },

  'texts, counts and the audit log of new records': async () => {
    const { id: projectId } = await createProject(api);
    const run = await createRun(api, projectId, []);
    await addRecords(api, run.id, 700, (i) => ({ inputs: { i }, outputs: { text: `killed ${i} early` } }));
    return async () => {
      await expect
        .poll(async () => (await ok(api('GET', '/audit-events/verify'))).unchained, { timeout: 60_000 })
        .toBe(0);
      expect(await ok(api('GET', '/audit-events/verify'))).toMatchObject({ intact: true, breaks: [] });
      const found = await list(`/projects/${projectId}/records?q=${encodeURIComponent('"killed 5 early"')}`);
      expect(found).toHaveLength(1);
    };
  },

  'drafts of testcases': async () => {
    const { projectId, testsetId } = await createExecuted();
    holdModels();
    models.received.length = 0;
    const body = { description: 'Returns of a shop', numTestcases: 2 };
    const asked = api('POST', `/testsets/${testsetId}/drafts`, body).then(
      () => 'answered',
      () => 'broken off',
    );
    await until(async () => models.received.length > 0 || undefined);
    return async () => {
      expect(await asked).toBe('broken off');
      models.answer({ reply: { testcases: ['{"question":"q"}'] } });
      const again = await ok(api('POST', `/testsets/${testsetId}/drafts`, body));
      expect(again).toMatchObject({ error: null });
      expect(await list(`/testsets/${testsetId}/testcases`)).toHaveLength(3);
      expect(await list(`/projects/${projectId}/run-details`)).toEqual([]);
    };
  },

  'a file that is uploaded': async () => {
    const bytes = Buffer.alloc(300_000, 'f');
    const file = {
      sessionId: 'session',
      filePath: '/a.txt',
      contentType: 'text/plain',
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
    const { id: projectId } = await createProject(api);
    const declared = await ok(api('POST', '/attachments', { ...file, projectId }), 201);
    const half = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 200_000);
        await never;
      })(),
    );
    fetch(declared.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: Readable.toWeb(half) as ReadableStream,
      duplex: 'half',
    } as RequestInit).catch(() => {});
    const directory = join(storage.settings.DOKIMA_DATA_DIR, 'attachments');
    const files = async () =>
      (await readdir(directory, { recursive: true })).filter((name) => name.includes('/'));
    await until(async () => (await files().catch(() => [])).length > 0 || undefined);
    return async () => {
      expect((await ok(api('GET', `/attachments/${declared.id}`))).status).toBe('pending');
      const { uploadUrl } = await ok(api('POST', '/attachments', { ...file, projectId }), 201);
      expect((await fetch(uploadUrl, { method: 'PUT', body: bytes })).status).toBe(200);
      expect((await ok(api('GET', `/attachments/${declared.id}`))).status).toBe('uploaded');
      // The half that was written lies apart, and a job removes it.
      const places = (await files()).map((name) => (name.startsWith('partial/') ? 'apart' : 'whole'));
      expect(places.sort()).toEqual(['apart', 'whole']);
    };
  },
};

it.each(Object.keys(kinds))('kill -9 during %s: the next process ends it, once', async (name) => {
  endpoint.received.length = 0;
  models.received.length = 0;
  const ended = await kinds[name]!();
  await service.end('SIGKILL');
  await endLeases();
  await start();
  await ended();
});
