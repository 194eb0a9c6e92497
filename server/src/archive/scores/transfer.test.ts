import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { addRecords, createReviewers, submit } from '../../../test/reviews.ts';
import { expectNoChange } from '../../../test/rows.ts';
import { system } from '../../platform/db/database.ts';

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

type Place = { projectId: string; runId: string; recordIds: string[]; configIds: string[] };

const code = 'function score() { return true }';
/** A run of code and of people, two a record; of an import the run has no metric, so that nothing waits yet. */
const createPlace = async (importKey?: string): Promise<Place> => {
  const { id } = importKey
    ? await ok(own.api('POST', '/projects', { name: 'I', description: '', importKey }), 201)
    : await createProject(own.api);
  const machine = await createMetric(own.api, id, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: code,
  });
  const people = await createMetric(own.api, id, { evalType: 'human', outputType: 'boolean' });
  await ok(own.api('PUT', `/metrics/${people.id}/review-settings`, { reviewers: 2, rule: 'latest' }));
  const metricIds = [machine.id, people.id];
  const { metricVersionIds: configIds } = await createRun(own.api, id, metricIds);
  const run = await createRun(own.api, id, importKey ? [] : metricIds);
  return { projectId: id, runId: run.id, recordIds: await addRecords(own.api, run.id, 4), configIds };
};

let from: Place;
let to: Place;
beforeEach(async () => {
  from = await createPlace();
  to = await createPlace(`of ${from.projectId}`);
});

const texts = async (api: Client, runId: string, limit = 100): Promise<string> => {
  const pages: string[] = [];
  for (let cursor = ''; ; ) {
    const { text, body } = await api('GET', `/runs/${runId}/export/scores?limit=${limit}&cursor=${cursor}`);
    const list = text.slice('{"data":['.length, text.lastIndexOf('],"nextCursor"'));
    if (list !== '') pages.push(list);
    if (!body.hasMore) return pages.join(',');
    cursor = body.nextCursor;
  }
};

/** An export's text with the ids of the other place. */
const moved = (text: string): string =>
  [...from.recordIds, ...from.configIds].reduce(
    (result, id, i) => result.replaceAll(`"${id}"`, `"${[...to.recordIds, ...to.configIds][i]}"`),
    text.replaceAll(/"metricId" : "\d+", /g, ''),
  );
const importText = (text: string, api = own.api) =>
  api('POST', `/runs/${to.runId}/import/scores`, undefined, { raw: `{"items":[${text}]}` });
const importItems = (items: object[], { api, runId }: { api?: Client; runId?: string } = {}) =>
  (api ?? own.api)('POST', `/runs/${runId ?? to.runId}/import/scores`, { items });
const item = (changes: object = {}) => ({
  ...{
    recordId: to.recordIds[0],
    metricConfigId: to.configIds[0],
    state: 'scored',
    score: { binaryScore: true },
  },
  ...{
    reason: null,
    scoredByUserId: null,
    evidence: null,
    scoredAt: '2026-01-02T03:04:05.678Z',
    lastError: null,
  },
  ...{ attempts: 1, costUsd: null, inputTokens: null, outputTokens: null, history: [], reviews: [] },
  ...changes,
});
const put = (record: number, config: number, score: object) =>
  ok(own.api('PUT', `/records/${from.recordIds[record]}/scores/${from.configIds[config]}`, { score }));

describe('POST /runs/:runId/import/scores', () => {
  it('stores scores in every state, with evidence, history and reviews, as the export gave them', async () => {
    const [one, two] = await createReviewers(own, 2);
    const ofPeople = { configId: from.configIds[1]! };
    await app.db.transaction(system, async (tx) => {
      const of = (i: number) =>
        tx`run_id = ${from.runId} and n = ${i + 1} and metric_config_id = ${from.configIds[0]!}`;
      const evidence = '{"10":1.10,"9":12345678901234567890,"prompt":"\\u0000","__proto__":{}}';
      const score = '{"binaryScore":false,"reasoning":"no","x":1.0}';
      await tx`update score set state = 'failed', reason = 'broke', last_error = 'broke', attempts = 3 where ${of(0)}`;
      await tx`update score set state = 'unscored', reason = 'no_majority' where ${of(1)}`;
      await tx`
        update score set state = 'scored', score = ${score}::text::json, value = 0, evidence = ${evidence}::text::json,
          input_hash = decode(${'ab'.repeat(32)}, 'hex'), cost_usd = 0.25, input_tokens = 7, output_tokens = 3 where ${of(2)}`;
    });
    await put(2, 0, { binaryScore: true, reasoning: 'a person knows better' });
    await put(2, 0, { binaryScore: 'perhaps' });
    await submit(one!, ofPeople, from.recordIds[0]!);
    await submit(two!, ofPeople, from.recordIds[0]!, { binaryScore: false });
    await submit(one!, ofPeople, from.recordIds[1]!);

    const text = await texts(own.api, from.runId);
    expect((await ok(importText(moved(text)), 201)).imported).toBe(8);
    expect(moved(await texts(own.api, to.runId))).toBe(moved(text));
    expect(text).toContain('"10":1.10,"9":12345678901234567890,"prompt":"\\u0000","__proto__":{}');
    const detail = async ({ recordIds, configIds }: Place, record: number, config: number) => {
      const path = `/records/${recordIds[record]}/scores/${configIds[config]}`;
      return moved((await own.api('GET', path)).text);
    };
    const reviews = async ({ recordIds, configIds }: Place, record: number) => {
      const { text } = await one!.api('GET', `/records/${recordIds[record]}/reviews/${configIds[1]}`);
      return moved(text).replaceAll(/"id" : "[^"]*"/g, '');
    };
    for (const record of [0, 1, 2, 3]) {
      for (const config of [0, 1])
        expect(await detail(to, record, config)).toBe(await detail(from, record, config));
      expect(await reviews(to, record)).toBe(await reviews(from, record));
    }
    expect(
      (await ok(own.api('GET', `/records/${to.recordIds[2]}`))).scoreStates[0].validationErrors,
    ).toHaveLength(1);
  });

  it('leaves what failed or was not scored as it is: only what was pending waits, and a retry takes up the rest', async () => {
    const states = ['failed', 'unscored', 'scored', 'pending'];
    const items = states.map((state, i) =>
      item({ recordId: to.recordIds[i], state, score: state === 'scored' ? { binaryScore: false } : null }),
    );
    await ok(importItems(items), 201);
    const { metrics } = { metrics: (await ok(own.api('GET', `/projects/${to.projectId}/metrics`))).data };
    const machine = metrics.find(({ evalType }: { evalType: string }) => evalType === 'heuristic');
    await ok(own.api('POST', `/runs/${to.runId}/metrics`, { metricIds: [machine.id] }));
    const { data } = await ok(own.api('GET', `/runs/${to.runId}/export/scores`));
    expect(data.map(({ state }: { state: string }) => state)).toEqual(states);
    const due = await app.db.read(
      system,
      (sql) => sql`select from score where run_id = ${to.runId} and due_at is not null`,
    );
    expect(due).toHaveLength(1);
    expect((await ok(own.api('POST', `/runs/${to.runId}/scores/retry`, {}))).changed).toBe(2);
  });

  it('gives no verdict that would stand for an equal question: what a file says of a hash is no answer of a model', async () => {
    await ok(importItems([item({ evidence: { inputHash: 'ab'.repeat(32) } })]), 201);
    const hashed = await app.db.read(
      system,
      (sql) => sql`select from score where run_id = ${to.runId} and input_hash is not null`,
    );
    expect(hashed).toHaveLength(0);
  });

  it('counts what the verdicts cost as spent of the run’s budget, once', async () => {
    const items = [item({ costUsd: 0.5 }), item({ recordId: to.recordIds[1], costUsd: 0.25 })];
    for (const _ of [1, 2]) await ok(importItems(items), 201);
    expect((await ok(own.api('GET', `/runs/${to.runId}/judge-budget`))).spentUsd).toBe(0.75);
  });

  it('changes nothing the second time', async () => {
    const history = [{ ...item(), replacedAt: '2026-01-03T00:00:00.000Z' }].map(
      ({ metricConfigId, state, score, reason, scoredByUserId, evidence, scoredAt, replacedAt }) => ({
        ...{ metricConfigId, state, score, reason, scoredByUserId, evidence, scoredAt, replacedAt },
      }),
    );
    const reviews = [
      {
        userId: own.memberId,
        score: { binaryScore: true },
        blind: true,
        stands: true,
        undoneAt: null,
        submittedAt: '2026-01-01T00:00:00.000Z',
      },
    ];
    const items = [item({ history }), item({ metricConfigId: to.configIds[1], reviews })];
    expect((await ok(importItems(items), 201)).imported).toBe(2);
    await expectNoChange(app.db, own, 201, async () => [await importItems(items)]);
  });

  it('lets an admin alone speak for others, and nobody for those who are no members', async () => {
    const [person] = await createReviewers(own, 1);
    const by = (scoredByUserId: string) => item({ scoredByUserId });
    const review = {
      userId: own.memberId,
      score: { binaryScore: true },
      blind: true,
      stands: true,
      undoneAt: null,
      submittedAt: item().scoredAt,
    };
    await expectNoChange(app.db, own, 403, async () => [
      await importItems([by(own.memberId)], person),
      await importItems([item({ metricConfigId: to.configIds[1], reviews: [review] })], person),
    ]);
    const nobody = '01890000-0000-7000-8000-000000000000';
    await expectNoChange(app.db, own, 404, async () => [
      await importItems([by(nobody)]),
      await importItems([by('somebody')]),
    ]);
    await ok(importItems([by(person!.id)], person), 201);
    await ok(importItems([item({ recordId: to.recordIds[1], scoredByUserId: person!.id })]), 201);
  });

  it('409 for a run whose project is no import, and for one that is complete', async () => {
    const elsewhere = item({ recordId: from.recordIds[0], metricConfigId: from.configIds[0] });
    await expectNoChange(app.db, own, 409, async () => [
      await importItems([elsewhere], { runId: from.runId }),
    ]);
    await ok(own.api('PUT', `/projects/${to.projectId}/import`, { completed: true }));
    await expectNoChange(app.db, own, 409, async () => [await importItems([item()])]);
  });

  it('404 for records and configurations of other projects, and nothing is stored', async () => {
    await expectNoChange(app.db, own, 404, async () => [
      await importItems([item(), item({ recordId: from.recordIds[0] })]),
      await importItems([item(), item({ recordId: to.recordIds[1], metricConfigId: from.configIds[0] })]),
    ]);
  });

  it('400 for whatever no export gives, and nothing is stored', async () => {
    const replaced = { ...item(), replacedAt: item().scoredAt };
    const review = {
      userId: own.memberId,
      score: { binaryScore: true },
      blind: true,
      stands: true,
      undoneAt: null,
      submittedAt: item().scoredAt,
    };
    const wrong = [
      ...[
        { score: null },
        { state: 'failed' },
        { state: 'done' },
        { score: [] },
        { score: 'x' },
        { extra: 1 },
      ],
      ...[
        { attempts: -1 },
        { attempts: 2 ** 31 },
        { costUsd: -1 },
        { inputTokens: 0.5 },
        { reason: 'a\u0000' },
      ],
      ...[
        { scoredAt: 'yesterday' },
        { scoredAt: '2026-02-30T00:00:00Z' },
        { evidence: [] },
        { history: [replaced] },
      ],
      ...[
        { history: {} },
        { reviews: [{ ...review, score: { binaryScore: 1 } }] },
        { reviews: [review, review] },
      ],
      ...[{ reviews: [{ ...review, submittedAt: '9999-99-99' }] }],
    ].map(item);
    const deep = JSON.stringify(item()).replace('true', `${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    await expectNoChange(app.db, own, 400, async () => [
      ...(await Promise.all(wrong.map((one) => importItems([item({ recordId: to.recordIds[1] }), one])))),
      await importText(deep),
      await importItems([item(), item()]),
      await importItems([]),
    ]);
  });
});

describe('GET /runs/:runId/export/scores', () => {
  it('gives every score once, in the order of the records, a page at a time', async () => {
    const whole = await texts(own.api, from.runId);
    expect(await texts(own.api, from.runId, 3)).toBe(whole);
    const recordIds = JSON.parse(`[${whole}]`).map(({ recordId }: { recordId: string }) => recordId);
    expect(recordIds).toEqual(from.recordIds.flatMap((id) => [id, id]));
  });

  it('keeps reviewers blind: of a score that is pending it shows others’ reviews only beside an own one, or to admins', async () => {
    const [one, two] = await createReviewers(own, 2);
    const queue = { configId: from.configIds[1]! };
    await submit(one!, queue, from.recordIds[0]!);
    const seen = async (api: Client) =>
      JSON.parse(`[${await texts(api, from.runId)}]`)
        .flatMap(({ reviews }: { reviews: { userId: string }[] }) => reviews)
        .map(({ userId }: { userId: string }) => userId);
    expect(await seen(two!.api)).toEqual([]);
    expect(await seen(one!.api)).toEqual([one!.id]);
    expect(await seen(own.api)).toEqual([one!.id]);
    await submit(two!, queue, from.recordIds[0]!);
    expect(await seen(two!.api)).toEqual([one!.id, two!.id]);
  });
});
