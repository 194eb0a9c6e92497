import { describe, expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { purgeIdempotencyKeys } from '../src/platform/http/idempotency.ts';
import { repeats } from './depth.ts';
import { operationsOf } from './document.ts';
import { createProject, createRecord, createRun, createScoredRun, ok } from './fixtures.ts';
import type { Organization } from './harness.ts';
import { content, operationIds, twoOrganizations } from './idempotency-cases.ts';
import { openApp } from './opened.ts';
import { countRows } from './rows.ts';

const { app, own } = await openApp({
  DOKIMA_PUBLIC_URL: 'http://dokima.test',
  DOKIMA_SMTP_URL: 'smtp://127.0.0.1:9',
  DOKIMA_MAIL_FROM: 'dokima@example.com',
});

const twins = repeats(20);
const worldsOf = twoOrganizations(() => app.organization());
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
let last = 0;
const newKey = () => `key-${++last}`;

/** Their answers must not be kept: they hold a key or a link itself. */
const refusing = ['createAlert', 'createKey', 'createSignInLink', 'createScimToken', 'createReportLink'];
/** They come without a key, so there is no organization to keep their answers for: sessions.test.ts. */
const signingIn = [
  'signIn',
  'getSignInLink',
  'redeemSignInLink',
  'getAddressQuestion',
  'redeemAddressLink',
  'getSharedReport',
];
/** The operator belongs to no organization: organizations.test.ts. */
const operating = ['createOrganization', 'createOperatorLink'];
/** They write nothing: each call computes, or asks a model, whose answer may differ. */
const asking = [
  'estimateRun',
  'estimateTrial',
  'testProvider',
  'refreshJudgeModels',
  'testAlert',
  'simulateUser',
  'previewMetric',
  'askProject',
  'exportDecision',
  'draftTestcases',
  'draftCriteria',
  'groupFailures',
  'estimatePreferenceStudy',
  'previewMasking',
  'trySystem',
];

const newRun = async (): Promise<string> =>
  (await createRun(own.api, (await createProject(own.api)).id, [])).id;

/** How many rows in each table come, or go, with `work`. */
const rowsMade = async ({ organizationId }: Organization, work: () => Promise<void>) => {
  const before = await countRows(app.db, organizationId);
  await work();
  // The stored answers are not rows of what was made.
  const { idempotency_key: _, ...after } = await countRows(app.db, organizationId);
  const changed = Object.entries(after).filter(([name, n]) => n !== before[name]);
  return Object.fromEntries(changed.map(([name, n]) => [name, n - before[name]!]));
};

describe('Idempotency-Key', () => {
  it('each POST of the document has a case here', () => {
    const posts = operationsOf(app.app)
      .filter(({ method }) => method === 'POST')
      .map(({ operationId }) => operationId);
    expect(posts.sort()).toEqual(
      [...operationIds, ...refusing, ...signingIn, ...operating, ...asking].sort(),
    );
  });

  it.each(operationIds)(
    `%s: ${twins} at once do what one does, and all get its answer`,
    async (operationId) => {
      const [one, other] = await worldsOf(operationId);
      const { organization: alone, request: single } = one!;
      const expected = await rowsMade(alone, async () => {
        expect((await alone.api('POST', ...single)).status).toBeLessThan(300);
      });
      const key = newKey();
      const { organization: together, request } = other!;
      const [path, body] = request;
      const made = await rowsMade(together, async () => {
        const answers = await Promise.all(
          Array.from({ length: twins }, () => together.api('POST', path, body, withKey(key))),
        );
        const different = new Set(answers.map(({ status, text }) => `${status} ${text}`));
        expect([...different]).toHaveLength(1);
        expect(answers[0]!.status).toBeLessThan(300);
        const later = await together.api('POST', path, body, withKey(key));
        expect(later.text).toBe(answers[0]!.text);
        const replayed = [...answers, later].filter(
          ({ headers }) => headers['idempotent-replayed'] === 'true',
        );
        expect(replayed).toHaveLength(twins);
      });
      expect(made).toEqual(expected);
    },
  );

  it('createAlert: 400, because its answer is stored nowhere', async () => {
    const { id } = await createProject(own.api);
    const body = {
      name: 'A',
      kind: 'webhook',
      url: 'https://no-such-host.invalid/',
      events: ['run.completed'],
    };
    const answer = await own.api('POST', `/projects/${id}/alerts`, body, withKey(newKey()));
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues[0].path).toBe('/Idempotency-Key');
  });

  it.each([
    ['createKey', () => '/keys', { name: 'K' }],
    ['createScimToken', () => '/scim-tokens', { name: 'S' }],
    ['createSignInLink', () => `/members/${own.memberId}/sign-in-links`, undefined],
  ])('%s: 400, because its answer is stored nowhere', async (_operationId, path, body) => {
    const made = await rowsMade(own, async () => {
      const answer = await own.api('POST', path(), body, withKey(newKey()));
      expect(answer.status).toBe(400);
      expect(answer.body.details.issues[0].path).toBe('/Idempotency-Key');
    });
    expect(made).toEqual({});
  });

  it('is ignored where nothing is written, and the document takes none where answers are not kept', async () => {
    const projectId = (await createProject(own.api)).id;
    const estimate = { metricIds: [], numRecords: 1 };
    await ok(own.api('POST', `/projects/${projectId}/runs/estimate`, estimate, withKey(newKey())));
    const keyless = operationsOf(app.app).filter(
      ({ method, parameters }) =>
        method === 'POST' && !parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(keyless.map(({ operationId }) => operationId).sort()).toEqual(
      [...refusing, ...signingIn, ...operating, ...asking].sort(),
    );
  });

  it('the document says of each POST that keeps its answer that a replay has a header', () => {
    type Responses = Record<string, { headers?: Record<string, unknown> }>;
    const paths = app.app.swagger().paths as Record<
      string,
      { post?: { operationId: string; responses: Responses } }
    >;
    const told = Object.values(paths)
      .flatMap(({ post }) => post ?? [])
      .filter(({ responses }) =>
        Object.values(responses).some(({ headers }) => headers && 'Idempotent-Replayed' in headers),
      );
    expect(told.map(({ operationId }) => operationId).sort()).toEqual([...operationIds].sort());
  });

  it('409 for another body or path, and nothing is made', async () => {
    const runId = await newRun();
    const key = newKey();
    await ok(own.api('POST', `/runs/${runId}/records`, content, withKey(key)), 201);
    const made = await rowsMade(own, async () => {
      for (const [path, body] of [
        [`/runs/${runId}/records`, { ...content, outputs: { other: 1 } }],
        ['/projects', { name: 'P', description: '' }],
      ] as const) {
        const answer = await own.api('POST', path, body, withKey(key));
        expect(answer).toMatchObject({
          status: 409,
          body: { code: 'CONFLICT', details: { idempotencyKey: key } },
        });
      }
    });
    expect(made).toEqual({});
  });

  it('of another organization is another key', async () => {
    const key = newKey();
    const body = { name: 'P', description: '' };
    const mine = await ok(own.api('POST', '/projects', body, withKey(key)), 201);
    const other = await app.organization();
    const theirs = await ok(other.api('POST', '/projects', { ...body, name: 'Q' }, withKey(key)), 201);
    expect(theirs).toMatchObject({ name: 'Q' });
    expect(theirs.id).not.toBe(mine.id);
  });

  it('is free again after a failed attempt, one that failed half-way too', async () => {
    const runId = await newRun();
    const key = newKey();
    expect((await own.api('POST', '/runs/999999999/records', content, withKey(key))).status).toBe(404);
    expect((await own.api('POST', `/runs/${runId}/records`, { inputs: {} }, withKey(key))).status).toBe(400);
    const items = [content, { ...content, testcaseId: '999999999-1' }];
    const made = await rowsMade(own, async () => {
      const halfWay = await own.api('POST', `/runs/${runId}/records/bulk-create`, { items }, withKey(key));
      expect(halfWay.status).toBe(404);
    });
    expect(made).toEqual({});
    await ok(own.api('POST', `/runs/${runId}/records`, content, withKey(key)), 201);
  });

  it('is kept for 24 hours, then forgotten, by the purge as well', async () => {
    const key = newKey();
    const body = { name: 'P', description: '' };
    const age = (interval: string) =>
      app.db.transaction(
        own,
        (tx) =>
          tx`update idempotency_key set created_at = now() - ${interval}::text::interval where key = ${key}`,
      );
    const first = await ok(own.api('POST', '/projects', body, withKey(key)), 201);
    await age('23 hours 59 minutes');
    await app.db.transaction(system, (tx) => purgeIdempotencyKeys(tx));
    expect(await ok(own.api('POST', '/projects', body, withKey(key)), 201)).toEqual(first);

    await age('24 hours 1 second');
    const second = await ok(own.api('POST', '/projects', { ...body, name: 'Q' }, withKey(key)), 201);
    expect(second.id).not.toBe(first.id);

    await age('24 hours 1 second');
    await app.db.transaction(system, (tx) => purgeIdempotencyKeys(tx));
    const kept = await app.db.read(own, (sql) => sql`select 1 from idempotency_key where key = ${key}`);
    expect(kept).toEqual([]);
  });

  it.each([
    ['', 400],
    ['x'.repeat(256), 400],
    ['with space', 400],
    ['x'.repeat(255), 201],
  ])('%j: %i', async (key, status) => {
    expect((await own.api('POST', '/projects', { name: 'P', description: '' }, withKey(key))).status).toBe(
      status,
    );
  });
});

describe('otelLinkId', () => {
  const linked = { ...content, otelLinkId: 'trace-1' };
  const numberOf = async (runId: string) => (await ok(own.api('GET', `/runs/${runId}`))).numRecords;

  it('sent twice returns the first record, as it was made', async () => {
    const runId = await newRun();
    const first = await createRecord(own.api, runId, { otelLinkId: 'trace-1' });
    expect(await createRecord(own.api, runId, { otelLinkId: 'trace-1', outputs: { later: 1 } })).toEqual(
      first,
    );
    expect(await numberOf(runId)).toBe(1);
  });

  it('sent many times at once, alone, in bulk and with keys, makes one record', async () => {
    const runId = await newRun();
    const before = await numberOf(runId);
    const sent = Array.from({ length: twins }, async (_, i) => {
      const options = i % 3 === 0 ? withKey(newKey()) : undefined;
      if (i % 2 === 0) return (await ok(own.api('POST', `/runs/${runId}/records`, linked, options), 201)).id;
      const items = [linked];
      return (await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }, options), 201))
        .ids[0];
    });
    expect(new Set(await Promise.all(sent)).size).toBe(1);
    expect(await numberOf(runId)).toBe(before + 1);
  });

  it('twice within one bulk call gives the same id in both places', async () => {
    const runId = await newRun();
    const before = await numberOf(runId);
    const items = [linked, content, linked];
    const { ids } = await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201);
    expect(ids[2]).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
    expect(await numberOf(runId)).toBe(before + 2);
  });

  it('of another answer refuses the whole bulk call, so that no score counts for another answer', async () => {
    const runId = await newRun();
    const bulk = (items: object[] | string) =>
      typeof items === 'string'
        ? own.api('POST', `/runs/${runId}/records/bulk-create`, undefined, { raw: items })
        : own.api('POST', `/runs/${runId}/records/bulk-create`, { items });
    const other = { ...linked, outputs: { second: 1 } };
    const within = await bulk([content, linked, other]);
    expect(within).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        details: { path: '/items/2/otelLinkId', itemPath: '/items/1', field: 'outputs' },
      },
    });
    expect(await numberOf(runId)).toBe(0);

    const text = (outputs: string) =>
      `{"items":[{"otelLinkId":"trace-1","inputs":{"a":1.10,"b":{}},"expected":{},"outputs":${outputs}}]}`;
    const [id] = (await ok(bulk(text('{"n":9007199254740993,"m":1}')), 201)).ids;
    expect((await ok(bulk(text('{ "m":1, "n":9007199254740993 }')), 201)).ids).toEqual([id]);
    for (const outputs of [
      '{"n":9007199254740992,"m":1}',
      '{"n":9007199254740993}',
      '{"n":"9007199254740993","m":1}',
    ]) {
      const later = await bulk(text(outputs));
      expect(later).toMatchObject({ status: 409, body: { details: { recordId: id, field: 'outputs' } } });
      expect(later.body.message).toContain(`belongs to the record ${id}, which has other outputs`);
    }
    expect((await bulk([{ ...linked, inputs: {} }])).body.details.field).toBe('inputs');
    expect(await numberOf(runId)).toBe(1);
  });

  it('two different scores of one record by one configuration are a 400, in one item and under one link', async () => {
    const { run, configId } = await createScoredRun(own.api, 1);
    const score = (binaryScore: boolean, metricConfigId = configId) => ({
      metricConfigId,
      score: { binaryScore },
    });
    const item = (otelLinkId: string | undefined, ...scores: object[]) => ({
      inputs: {},
      expected: {},
      outputs: {},
      ...(otelLinkId !== undefined && { otelLinkId }),
      scores,
    });
    const bulk = (...items: object[]) => own.api('POST', `/runs/${run.id}/records/bulk-create`, { items });
    const refused = (path: string) => ({ status: 400, body: { details: { issues: [{ path }] } } });
    expect(await bulk(item(undefined, score(true), score(false, configId.toUpperCase())))).toMatchObject(
      refused('/items/0/scores/1'),
    );
    expect(await bulk(item('a', score(true)), item('a', score(false)))).toMatchObject(
      refused('/items/1/scores/0'),
    );
    expect(await numberOf(run.id)).toBe(1);
    await ok(bulk(item('a', score(true)), item('a', score(true)), item('b', score(false))), 201);
    await ok(bulk(item(undefined, score(true)), item(undefined, score(false))), 201);
    expect(await numberOf(run.id)).toBe(5);
  });

  it.each(['', ' \t'])('%j links nothing: each create makes a record', async (otelLinkId) => {
    const runId = await newRun();
    const unlinked = { ...content, otelLinkId };
    await ok(own.api('POST', `/runs/${runId}/records`, unlinked), 201);
    const items = [unlinked, unlinked];
    const { ids } = await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201);
    expect(new Set(ids).size).toBe(2);
    expect(await numberOf(runId)).toBe(3);
    expect((await ok(own.api('GET', `/records/${ids[0]}`))).otelLinkId).toBeNull();
  });

  it('in another run is another record', async () => {
    const [one, two] = [await newRun(), await newRun()];
    const first = await createRecord(own.api, one, { otelLinkId: 'trace-1' });
    expect((await createRecord(own.api, two, { otelLinkId: 'trace-1' })).id).not.toBe(first.id);
  });
});
