import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type ModelServer, openAnthropicServer, openOpenAiServer } from '../../../test/model-server.ts';
import { openAllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { subkey } from '../../platform/secret.ts';
import { openModelLists } from './model-lists.ts';
import { openProvidersOf } from './providers-of.ts';

let app: TestApp;
let openai: ModelServer;
let anthropic: ModelServer;
let own: Organization;
let projectId: string;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const patient = { timeout: 30_000, interval: 50 };
const openService = () =>
  startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true', DOKIMA_JUDGE_MODEL: '' });
const addProviders = async ({ api }: Organization) => {
  const local = { name: 'local', kind: 'openai-compatible', baseUrl: openai.url, apiKey: 'k' };
  await ok(api('POST', '/providers', local), 201);
  const claude = { name: 'claude', kind: 'anthropic', baseUrl: anthropic.url, apiKey: 'k' };
  await ok(api('POST', '/providers', claude), 201);
};

beforeAll(async () => {
  openai = await openOpenAiServer();
  anthropic = await openAnthropicServer();
  openai.list([
    { id: 'old', shutdown_date: inDays(59) },
    { id: 'gone', shutdown_date: Math.floor(Date.now() / 1000) - 86_400 },
    { id: 'later', deprecation: inDays(90) },
    { id: 'steady', created: 1_700_000_000 },
    { id: 'odd', shutdown_date: 'some day' },
    null,
    { id: 7 },
  ]);
  app = await openService();
});
beforeEach(async () => {
  own = await app.organization();
  await addProviders(own);
  projectId = (await createProject(own.api)).id;
});
afterAll(() => Promise.all([app.close(), openai.close(), anthropic.close()]));

const judge = { evalType: 'ai', outputType: 'boolean', promptTemplate: '{{ outputs.answer }}' };

describe('the models that can judge', () => {
  it('are what the providers list, with the ends that they announce', async () => {
    expect(await ok(own.api('GET', '/judge-models'))).toEqual({
      defaultModelName: null,
      own: false,
      providers: [],
    });
    const { providers } = await ok(own.api('POST', '/judge-models/refresh'));
    expect(providers).toMatchObject([
      { provider: 'claude', error: 'the list of models answered with status 404', models: [] },
      {
        provider: 'local',
        error: null,
        models: [
          { name: 'local/old', endsOn: inDays(59) },
          { name: 'local/gone', endsOn: inDays(-1) },
          { name: 'local/later', endsOn: inDays(90) },
          { name: 'local/steady', endsOn: null },
          { name: 'local/odd', endsOn: null },
        ],
      },
    ]);
    expect((await ok(own.api('GET', '/judge-models'))).providers).toEqual(providers);
  });

  it('keep the list of the last reading when a provider fails, and lose it with the provider', async () => {
    await ok(own.api('POST', '/judge-models/refresh'));
    const { data } = await ok(own.api('GET', '/providers'));
    const [local, claude] = data;
    const elsewhere = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' };
    await ok(own.api('PATCH', `/providers/${local.id}`, elsewhere));
    await ok(own.api('DELETE', `/providers/${claude.id}`));
    const { providers } = await ok(own.api('POST', '/judge-models/refresh'));
    expect(providers).toMatchObject([{ provider: 'local', error: expect.stringContaining('ECONNREFUSED') }]);
    expect(providers[0].models).toHaveLength(5);
  });

  it('are read by workers, for organizations that have judges', async () => {
    await createMetric(own.api, projectId, { ...judge, evalModelName: 'local/old' });
    const idle = await app.organization();
    await addProviders(idle);
    const key = subkey(Buffer.from('a secret for tests, nothing else'), 'provider');
    const lists = openModelLists({
      db: app.db,
      providersOf: openProvidersOf({}, app.db, key),
      network: { allowedAddresses: openAllowedAddresses('true') },
    });
    await lists.readStale(new AbortController().signal);
    lists.close();
    expect((await ok(own.api('GET', '/judge-models'))).providers).toHaveLength(2);
    expect((await ok(idle.api('GET', '/judge-models'))).providers).toEqual([]);
  });
});

describe('the default model', () => {
  it('is waited for: without one, a judge that names no model fails, says what to do, and takes the first default', async () => {
    const metric = await createMetric(own.api, projectId, judge);
    expect(metric).toMatchObject({ evalModelName: 'default', temperature: 0 });
    const preview = { ...judge, record: { outputs: { answer: 'a' } } };
    const reason = expect.stringContaining('choose a default judge model in Settings → Providers');
    expect(await ok(own.api('POST', `/projects/${projectId}/metrics/preview`, preview))).toMatchObject({
      state: 'failed',
      reason,
    });
    const run = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, run.id, { outputs: { answer: 'a' } });
    const state = async () => (await ok(own.api('GET', `/records/${record.id}`))).scoreStates[0];
    await expect.poll(state, patient).toMatchObject({ state: 'failed', reason });

    await ok(own.api('PATCH', '/organization', { judgeModelName: 'fake/judge' }));
    expect((await ok(own.api('GET', `/metrics/${metric.id}`))).evalModelName).toBe('fake/judge');
    await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'scores' }));
    await expect.poll(state, patient).toMatchObject({ state: 'scored' });
  });

  it('is that of the organization; metrics that exist keep theirs', async () => {
    const set = async (judgeModelName: string | null) => {
      const changed = await ok(own.api('PATCH', '/organization', { judgeModelName }));
      expect(changed.judgeModelName).toBe(judgeModelName);
      return ok(own.api('GET', '/judge-models'));
    };
    expect(await set('local/steady')).toMatchObject({ defaultModelName: 'local/steady', own: true });
    const metric = await createMetric(own.api, projectId, judge);
    expect(metric.evalModelName).toBe('local/steady');
    await set('local/later');
    expect((await ok(own.api('GET', `/metrics/${metric.id}`))).evalModelName).toBe('local/steady');
    expect(await set(null)).toMatchObject({ defaultModelName: null, own: false });
    expect((await ok(own.api('GET', `/metrics/${metric.id}`))).evalModelName).toBe('local/steady');
    const another = await app.organization();
    expect((await ok(another.api('GET', '/judge-models'))).defaultModelName).toBe(null);
  });
});

describe('the end of a model', () => {
  it('is warned of from 60 days before, with the metrics that it judges', async () => {
    const metrics = await Promise.all(
      ['old', 'gone', 'later', 'steady', 'unknown'].map((model) =>
        createMetric(own.api, projectId, { ...judge, evalModelName: `local/${model}` }),
      ),
    );
    const endings = (page = '') => ok(own.api('GET', `/projects/${projectId}/model-endings${page}`));
    expect((await endings()).data).toEqual([]);
    await ok(own.api('POST', '/judge-models/refresh'));
    const found = [
      {
        modelName: 'local/gone',
        endsOn: inDays(-1),
        daysLeft: expect.any(Number),
        metricIds: [metrics[1].id],
      },
      { modelName: 'local/old', endsOn: inDays(59), daysLeft: 59, metricIds: [metrics[0].id] },
    ];
    expect((await endings()).data).toEqual(found);
    const first = await endings('?limit=1');
    const rest = await endings(`?limit=1&cursor=${first.nextCursor}`);
    expect([first.data, rest.data]).toEqual([[found[0]], [found[1]]]);
    expect([first.hasMore, rest.hasMore]).toEqual([true, false]);
  });

  it('is warned of on a run by the models that the run has, whatever the metrics have now', async () => {
    const metric = await createMetric(own.api, projectId, { ...judge, evalModelName: 'local/old' });
    await ok(own.api('POST', '/judge-models/refresh'));
    const run = await createRun(own.api, projectId, [metric.id]);
    await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...judge, evalModelName: 'local/steady' }));
    const endingsOf = async (id: string) => (await ok(own.api('GET', `/runs/${id}/details`))).modelEndings;
    expect(await endingsOf(run.id)).toMatchObject([
      { modelName: 'local/old', daysLeft: 59, metricIds: [metric.id] },
    ]);
    expect((await ok(own.api('GET', `/projects/${projectId}/model-endings`))).data).toEqual([]);
    const later = await createRun(own.api, projectId, [metric.id]);
    expect(await endingsOf(later.id)).toEqual([]);
  });
});
