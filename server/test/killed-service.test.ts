import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom, uniform } from '../src/engine/statistics/random.ts';
import { repeats } from './depth.ts';
import { createMetric, createProject, createRun, ok } from './fixtures.ts';
import { type Client, engine } from './harness.ts';
import { openOpenAiServer } from './model-server.ts';
import { callService, createStorage, endServices, type Service, startService } from './service.ts';

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const replay = `TEST_SEED=${seed} replays the moments`;
const key = `ak_${'killed-service-'.repeat(3)}`;
const patient = { timeout: 60_000, interval: 50 };
const place = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const command = [process.execPath, '--import', place('./hurried.ts'), place('../src/main.ts')];

let storage: Awaited<ReturnType<typeof createStorage>>;
let models: Awaited<ReturnType<typeof openOpenAiServer>>;
let service: Service;
let sql: postgres.Sql;
const start = async () => {
  service = await startService(
    {
      ...storage.settings,
      DOKIMA_BOOTSTRAP_API_KEY: key,
      DOKIMA_WORKERS: '1',
      DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
      DOKIMA_SECRET: 'a secret for tests, nothing else',
    },
    command,
  );
};
const api: Client = async (method, path, body, { headers = {} } = {}) => {
  const answer = await callService({ url: service.url, key }, method, path, body, headers);
  return { ...answer, text: JSON.stringify(answer.body), headers: {} };
};

beforeAll(async () => {
  storage = await createStorage();
  models = await openOpenAiServer();
  models.list([{ id: 'judge' }]);
  models.answer({ reply: { reasoning: 'r', binaryScore: true } });
  if (engine === 'server') sql = postgres(storage.settings.DATABASE_URL!, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await sql?.end();
  await endServices();
  await models?.close();
  await storage?.remove();
});

/** Makes work for the chores: what has ended, and files of a project that is deleted. */
const makeWork = async (runId: string, round: number) => {
  const { id: projectId } = await createProject(api);
  const bytes = Buffer.from(`file ${round}`);
  for (let i = 0; i < 5; i++) {
    const file = {
      projectId,
      sessionId: 's',
      filePath: `/${i}.txt`,
      contentType: 'text/plain',
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
    const { uploadUrl } = await ok(api('POST', '/attachments', file), 201);
    expect((await fetch(uploadUrl, { method: 'PUT', body: bytes })).status).toBe(200);
  }
  await ok(api('DELETE', `/projects/${projectId}`));
  await sql`
    insert into sign_in (id, organization_id, member_id, hash, proven_member_ids, signed_in_at)
    select gen_random_uuid(), organization_id, id, sha256((${round} || ' ' || n)::bytea), '{}', now() - interval '90 days'
    from member, generate_series(1, 2000) n`;
  await sql`
    insert into run_tally (organization_id, run_id, n)
    select organization_id, id, sign from run, generate_series(1, 2000), unnest(array[1, -1]) sign where id = ${runId}`;
  await sql`
    insert into change (organization_id, project_id, resource, noted_at)
    select organization_id, id, 'metrics', now() - interval '2 days' from project, generate_series(1, 2000)`;
  await sql`
    insert into alert_delivery (id, organization_id, alert_id, event, about, message, state, due_at, ended_at)
    select gen_random_uuid(), organization_id, id, 'run.completed', ${round} || ' ' || n, '{}', 'delivered', null, now() - interval '40 days'
    from alert, generate_series(1, 2000) n`;
  await sql`update model_list set read_at = now() - interval '2 days'`;
};

/** Work that the chores have not done yet. */
const readLeft = async () => {
  const [left] = await sql`
    select (select count(*)::int from sign_in where signed_in_at < now() - interval '60 days') as sessions,
      (select count(*)::int from alert_delivery where ended_at < now() - interval '31 days') as deliveries,
      (select count(*)::int from change where noted_at < now() - interval '1 day') as changes,
      (select count(*)::int from (select from run_tally group by run_id having count(*) > 100) long) as runs,
      (select count(*)::int from deleted_file) as files,
      (select count(*)::int from model_list where read_at < now() - interval '1 day') as lists`;
  return left;
};
const nothing = { sessions: 0, deliveries: 0, changes: 0, runs: 0, files: 0, lists: 0 };

// The embedded database has no second session, which makes the work.
it.runIf(engine === 'server')(
  'a service that is killed at any moment loses nothing that it acknowledged, and the next one ends its chores',
  async () => {
    const random = seededRandom(seed);
    await start();
    await ok(
      api('POST', '/providers', {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl: models.url,
        apiKey: 'k',
      }),
      201,
    );
    const { id: projectId } = await createProject(api);
    const code = await createMetric(api, projectId, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'const score = () => true;',
    });
    const judge = await createMetric(api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ outputs.text }}',
      evalModelName: 'local/judge',
    });
    await ok(
      api('POST', `/projects/${projectId}/alerts`, {
        name: 'A',
        kind: 'webhook',
        url: `${models.url}/hook`,
        events: ['run.completed'],
      }),
      201,
    );
    const run = await createRun(api, projectId, [code.id, judge.id]);
    const acknowledged = new Set<string>();
    const createUntilGone = async () => {
      for (;;) {
        const record = { inputs: { n: acknowledged.size }, outputs: { text: 't' }, expected: {} };
        const answer = await api('POST', `/runs/${run.id}/records`, record).catch(() => undefined);
        if (!answer) return;
        expect(answer.status, replay).toBe(201);
        acknowledged.add(answer.body.id);
      }
    };
    for (let round = 1; round <= repeats(6); round++) {
      await makeWork(run.id, round);
      const working = Promise.all([1, 2, 3, 4].map(createUntilGone));
      // Not a wait for something: the moment itself is what is random.
      await wait(uniform(random) * 1_000);
      await service.end('SIGKILL');
      await working;
      await start();
    }
    // As a minute later, when the leases of the process that died end.
    await sql`update score_lease set until = now()`;
    await expect.poll(readLeft, { ...patient, message: replay }).toEqual(nothing);
    const details = () => ok(api('GET', `/runs/${run.id}`));
    await expect
      .poll(async () => (await details()).status, { ...patient, message: replay })
      .toBe('completed');
    const kept = await sql<{ id: string; scored: number }[]>`
      select run_id || '-' || n as id, (
        select count(*)::int from score where score.run_id = record.run_id and score.n = record.n and state = 'scored') as scored
      from record where run_id = ${run.id}`;
    const ids = new Set(kept.map(({ id }) => id));
    expect(
      [...acknowledged].filter((id) => !ids.has(id)),
      replay,
    ).toEqual([]);
    expect(
      kept.filter(({ scored }) => scored !== 2),
      replay,
    ).toEqual([]);
    expect((await details()).numRecords, replay).toBe(kept.length);
    // Dashboards count each record once.
    const counted = async () => {
      const [found] = await sql`
        select coalesce(sum(records), 0)::int as n from series_measure where project_id = ${projectId} and dimension = 'all'`;
      return found!.n;
    };
    await sql`update series_hour set due_at = now()`;
    await expect.poll(counted, { ...patient, message: replay }).toBe(kept.length);
    const directory = join(storage.settings.DOKIMA_DATA_DIR, 'attachments');
    const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(files, replay).toEqual([]);
    await expect
      .poll(async () => (await ok(api('GET', '/audit-events/verify'))).unchained, {
        ...patient,
        message: replay,
      })
      .toBe(0);
    expect(await ok(api('GET', '/audit-events/verify')), replay).toMatchObject({ intact: true });
  },
  300_000,
);
