import { describe, expect, it } from 'vitest';
import { exportLines, importLines, importNew, type Row, rowsOfPart } from '../../test/archive-lines.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../test/fixtures.ts';
import type { Client } from '../../test/harness.ts';
import { openApp } from '../../test/opened.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan, toProtobuf } from '../../test/otlp.ts';
import { addRecords, createReviewers, submit } from '../../test/reviews.ts';
import { createDrift, createTrial } from '../../test/trials.ts';
import { system } from '../platform/db/database.ts';
import { storeDrifts } from '../scoring/trials/store-drift.ts';

// That the API says the same of a project before and after is shown by cli/test/archive.test.ts, for every GET.

const { app, own } = await openApp();

const partOf = async (projectId: string, part: string, api: Client = own.api): Promise<Row[]> =>
  rowsOfPart(await exportLines(api, projectId), part);
/** Rows without the columns that differ in another project. */
const withoutIds = (rows: Row[]) =>
  rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id' && !/_id$/.test(name))),
  );
const runsOf = async (projectId: string) => (await ok(own.api('GET', `/projects/${projectId}/runs`))).data;
const recordsOf = async (projectId: string) =>
  (await ok(own.api('GET', `/projects/${projectId}/records?limit=100`))).data;

describe('traces', () => {
  const send = (spans: TestSpan[], projectId: string) =>
    post(app, own.key, toProtobuf(requestOf(spans, { 'dokima.project_id': projectId })));
  const treeOf = async (recordId: string) => (await ok(own.api('GET', `/records/${recordId}/spans`))).data;

  it('come back byte for byte, whatever their attributes hold', async () => {
    const { id: projectId } = await createProject(own.api);
    const attributes = {
      whole: -(2n ** 63n) + 1n,
      negative: -(2n ** 63n),
      half: 0.5,
      b: 1,
      a: 2,
      '': 'empty',
      ['__proto__']: 'own',
      constructor: { prototype: [] },
      text: '\u0000"\\\u2028\u{1f600}</script>',
      deep: [[{ list: [true, false, [], {}, ''] }]],
    };
    const traceId = newTraceId();
    const events = [{ name: 'e\u0000', attributes: { x: 1.25, '2': 'b', '1': 'a' } }];
    const links = [
      {
        traceId: 'ab'.repeat(16),
        spanId: 'cd'.repeat(8),
        traceState: 'l=1',
        attributes: [],
        droppedAttributesCount: 2,
      },
    ];
    const counts = { droppedAttributesCount: 3, droppedEventsCount: 4, droppedLinksCount: 5 };
    await send(
      [
        {
          traceId,
          n: 1,
          attributes,
          events,
          status: { code: 2, message: 'broken\u0000' },
          traceState: 'k=v',
        },
        { traceId, n: 2, parent: 1, links, ...counts },
        { traceId, n: 3, parent: 1, startTimeUnixNano: '18446744073709551615', endTimeUnixNano: '0' },
      ],
      projectId,
    );
    const odd = requestOf([{ traceId, n: 4 }], { 'dokima.project_id': projectId });
    // Keys that an object would sort, doubles that are whole, and those that JSON has no number for.
    const doubles = [3, -0, 1e21, 2 ** 70, 1.5e300, 1e-7, Number.NaN, Number.POSITIVE_INFINITY];
    odd.resourceSpans[0]!.scopeSpans[0]!.spans[0]!.attributes = [
      ...['10', '9'].map((key) => ({ key, value: { stringValue: key } })),
      ...doubles.map((doubleValue, i) => ({ key: `d${i}`, value: { doubleValue } })),
    ];
    expect((await post(app, own.key, toProtobuf(odd))).status).toBe(200);

    const before = await exportLines(own.api, projectId);
    const spans = (text: string) => text.split('\n').filter((line) => /"part":"span/.test(line));
    expect(spans(before)).toHaveLength(5);
    expect(before).toContain('"10":"10","9":"9","d0":3.0,"d1":-0.0,"d2":1e+21');
    expect(before).toContain('"whole":-9223372036854775807');
    const importedId = await importNew(own.api, before);
    expect(spans(await exportLines(own.api, importedId))).toEqual(spans(before));
    const [{ id }] = await recordsOf(projectId);
    const [{ id: importedRecordId }] = await recordsOf(importedId);
    const detail = async (of: string, n: number) =>
      (await own.api('GET', `/projects/${of}/traces/${traceId}/spans/${spanId(n)}`)).text;
    for (const n of [1, 2, 3, 4])
      expect(await detail(importedId, n)).toBe(
        (await detail(projectId, n)).replace(`"${id}"`, `"${importedRecordId}"`),
      );
  });

  it('go on: spans that come later join the imported record of their session, and the run of their day', async () => {
    const { id: projectId } = await createProject(own.api);
    const attributes = { 'session.id': `s${projectId}` };
    await send([{ traceId: newTraceId(), n: 1, attributes }], projectId);
    const importedId = await importNew(own.api, await exportLines(own.api, projectId));
    await send([{ traceId: newTraceId(), n: 2, attributes }], importedId);
    const records = await recordsOf(importedId);
    expect(records).toHaveLength(1);
    expect(await treeOf(records[0].id)).toHaveLength(2);
    await send([{ traceId: newTraceId(), n: 3 }], importedId);
    expect(await runsOf(importedId)).toHaveLength(1);
  });

  it('keep their links: spans of a linked trace show on the record with its link', async () => {
    const { id: projectId } = await createProject(own.api);
    const traceId = newTraceId();
    const link = { 'dokima.otel_link_id': `l${projectId}` };
    const run = await createRun(own.api, projectId, []);
    await createRecord(own.api, run.id, { otelLinkId: `l${projectId}` });
    await send(
      [
        { traceId, n: 1, attributes: link },
        { traceId, n: 2, parent: 1 },
      ],
      projectId,
    );
    const importedId = await importNew(own.api, await exportLines(own.api, projectId));
    const [record] = await recordsOf(importedId);
    expect(await treeOf(record.id)).toHaveLength(2);
    await send([{ traceId, n: 3, parent: 1 }], importedId);
    expect(await treeOf(record.id)).toHaveLength(3);
    expect(await recordsOf(importedId)).toHaveLength(1);
  });
});

describe('a drift trial', () => {
  it('whose run was deleted comes back with the drift that it found, and names the records by their new ids', async () => {
    const { id: projectId } = await createProject(own.api);
    const { metricId } = await createTrial(own.api, projectId);
    const { path, runId } = await createDrift(own.api, metricId);
    await storeDrifts(app.db);
    await ok(own.api('DELETE', `/runs/${runId}`));
    // The drift still names the records of a pinned run that is deleted.
    const pinnedIds = (await partOf(projectId, 'pinned_label')).map(({ run_id }) => run_id);
    const [kept, gone] = new Set(pinnedIds);
    await ok(own.api('DELETE', `/runs/${gone}`));
    const before = await ok(own.api('GET', path));
    const [{ drift }] = before.candidates;
    expect(drift.broken.join()).toContain(`${gone}-`);

    const importedId = await importNew(own.api, await exportLines(own.api, projectId));
    const [tried] = await partOf(importedId, 'pinned_label');
    const restored = await ok(own.api('GET', path.replace(metricId, tried!.metric_id)));
    const here = (await partOf(importedId, 'run')).find(({ kind }) => kind !== 'trial')!;
    const renamed = (ids: string[]) =>
      ids.filter((id) => id.startsWith(`${kept}-`)).map((id) => id.replace(kept, here.id));
    expect(restored).toMatchObject({
      state: 'ready',
      sentence: before.sentence,
      candidates: [
        { runId: null, drift: { ...drift, broken: renamed(drift.broken), mended: renamed(drift.mended) } },
      ],
    });
    expect(restored.candidates[0].drift.broken).not.toEqual([]);
  });
});

describe('scores', () => {
  const code = 'function score() { return true }';
  /** A run of code and of people. */
  const createPlace = async () => {
    const { id: projectId } = await createProject(own.api);
    const fields = { evalType: 'heuristic', outputType: 'boolean', guidelines: code };
    const machine = await createMetric(own.api, projectId, fields);
    const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    await ok(own.api('PATCH', `/metrics/${people.id}/settings`, { numReviewers: 2, reviewRule: 'latest' }));
    const run = await createRun(own.api, projectId, [machine.id, people.id]);
    const recordIds = await addRecords(own.api, run.id, 4);
    const [codeId, peopleId] = run.metricVersionIds as [string, string];
    return { projectId, runId: run.id as string, recordIds, codeId, peopleId };
  };

  it('come back in every state, with evidence to the digit, history and reviews', async () => {
    const { projectId, runId, recordIds, codeId, peopleId } = await createPlace();
    const [one, two] = await createReviewers(own, 2);
    await app.db.transaction(system, async (tx) => {
      const of = (n: number) => tx`run_id = ${runId} and n = ${n} and metric_config_id = ${codeId}`;
      const evidence = '{"10":1.10,"9":12345678901234567890,"prompt":"\\u0000","__proto__":{}}';
      const score = '{"binaryScore":false,"reasoning":"no","x":1.0}';
      await tx`update score set state = 'failed', reason = 'broke', last_error = 'broke', attempts = 3 where ${of(1)}`;
      await tx`update score set state = 'unscored', reason = 'no_majority' where ${of(2)}`;
      await tx`
        update score set state = 'scored', score = ${score}::text::json, value = 0, evidence = ${evidence}::text::json,
          input_hash = decode(${'ab'.repeat(32)}, 'hex'), cost_usd = 0.25, input_tokens = 7, output_tokens = 3 where ${of(3)}`;
    });
    const put = (score: object) => ok(own.api('PUT', `/records/${recordIds[2]}/scores/${codeId}`, { score }));
    await put({ binaryScore: true, reasoning: 'a person knows better' });
    await put({ binaryScore: 'perhaps' });
    await submit(one!, { configId: peopleId }, recordIds[0]!);
    await submit(two!, { configId: peopleId }, recordIds[0]!, { binaryScore: false });
    await submit(one!, { configId: peopleId }, recordIds[1]!);

    const before = await exportLines(own.api, projectId);
    expect(before).toContain('"10":1.10,"9":12345678901234567890,"prompt":"\\u0000","__proto__":{}');
    const importedId = await importNew(own.api, before);
    for (const part of ['score', 'score_history', 'review_score'])
      expect(withoutIds(await partOf(importedId, part))).toEqual(withoutIds(rowsOfPart(before, part)));
    expect(rowsOfPart(before, 'score')).toHaveLength(8);
    expect(rowsOfPart(before, 'score_history')).toHaveLength(2);
    const [, second] = (await recordsOf(importedId)).toReversed().slice(1);
    expect((await ok(own.api('GET', `/records/${second.id}`))).scoreStates[0].validationErrors).toHaveLength(
      1,
    );
    // What a file says of a hash is not an answer of a model: it stands for no equal question.
    const [run] = await runsOf(importedId);
    const hashed = await app.db.read(
      system,
      (sql) => sql`select from score where run_id = ${run.id} and input_hash is not null`,
    );
    expect(hashed).toHaveLength(0);
  });

  it('that are pending are due when the import is complete, and not before; a retry takes up what failed', async () => {
    const { projectId, runId, recordIds, codeId } = await createPlace();
    await app.db.transaction(system, async (tx) => {
      await tx`update score set state = 'failed', due_at = null where run_id = ${runId} and n = 1 and metric_config_id = ${codeId}`;
      await tx`update score set state = 'unscored', due_at = null where run_id = ${runId} and n = 2 and metric_config_id = ${codeId}`;
      await tx`
        insert into record_tag (id, organization_id, run_id, n, text, source)
        select gen_random_uuid(), organization_id, run_id, 1, 'tag ' || i, 'otel' from run, generate_series(1, 3000) i
        cross join lateral (select id as run_id) r where id = ${runId}`;
    });
    await ok(own.api('PUT', `/records/${recordIds[2]}/scores/${codeId}`, { score: { binaryScore: true } }));
    const archive = await exportLines(own.api, projectId);
    const { id: importedId } = await createProject(own.api);
    const lines = archive.split('\n');
    const due = async () =>
      app.db.read(
        system,
        (sql) => sql`
          select from score join run on run.id = score.run_id
          where run.project_id = ${importedId} and due_at is not null`,
      );
    const cut = lines.slice(
      0,
      lines.findIndex((line) => line.includes('"part":"end"')),
    );
    expect((await importLines(own.api, importedId, `${cut.join('\n')}\n`)).status).toBe(400);
    expect((await runsOf(importedId))[0].numRecords).toBe(4);
    expect(await due()).toHaveLength(0);
    await ok(importLines(own.api, importedId, archive));
    expect(await due()).toHaveLength(1);
    const [run] = await runsOf(importedId);
    expect((await ok(own.api('POST', `/runs/${run.id}/retry`, { of: 'scores' }))).numScores).toBe(2);
  });

  it('keep reviewers blind: others’ reviews of a pending score are exported for those who reviewed it, and for admins', async () => {
    const { projectId, recordIds, peopleId } = await createPlace();
    const [one, two] = await createReviewers(own, 2);
    await submit(one!, { configId: peopleId }, recordIds[0]!);
    const seen = async (api: Client) =>
      (await partOf(projectId, 'review_score', api)).map(({ member_id }) => member_id);
    expect(await seen(two!.api)).toEqual([]);
    expect(await seen(one!.api)).toEqual([one!.id]);
    expect(await seen(own.api)).toEqual([one!.id]);
    await submit(two!, { configId: peopleId }, recordIds[0]!);
    expect(await seen(two!.api)).toEqual([one!.id, two!.id]);
  });
});

describe('samples', () => {
  it('keep their places: a further draw extends a sample in the order that it had', async () => {
    const { id: projectId } = await createProject(own.api);
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, projectId, []);
    const fields = (i: number) => ({ inputs: { kind: i % 2 === 0 ? 'even' : 'odd' } });
    const recordIds = await addRecords(own.api, run.id, 10, fields);
    const draw = (runId: string, metricId: string, size: number) =>
      ok(
        own.api('POST', `/runs/${runId}/review-samples`, {
          metricId,
          size,
          seed: 3,
          stratifyBy: { inputField: 'kind' },
        }),
        201,
      );
    await draw(run.id, metric.id, 4);
    await addRecords(own.api, run.id, 2);
    await draw(run.id, metric.id, 6);
    await ok(own.api('DELETE', `/records/${recordIds[9]}`));
    const importedId = await importNew(own.api, await exportLines(own.api, projectId));
    const [importedRun] = await runsOf(importedId);
    const [importedMetric] = (await ok(own.api('GET', `/projects/${importedId}/metrics`))).data;
    await draw(run.id, metric.id, 9);
    await draw(importedRun.id, importedMetric.id, 9);
    for (const part of ['review_stratum', 'review_sample_record'])
      expect(withoutIds(await partOf(importedId, part))).toEqual(withoutIds(await partOf(projectId, part)));
    const strata = await partOf(importedId, 'review_stratum');
    expect(strata.filter((row) => Number(row.num_drawn) > 0)).not.toHaveLength(0);
  });
});

describe('what comes after an import', () => {
  it('finds the records by their text', async () => {
    const { id: projectId } = await createProject(own.api);
    const run = await createRun(own.api, projectId, []);
    await addRecords(own.api, run.id, 3, (i) => ({ outputs: { text: i === 1 ? 'Needle' : 'straw' } }));
    const importedId = await importNew(own.api, await exportLines(own.api, projectId));
    const { data } = await ok(own.api('GET', `/projects/${importedId}/records?text=needle`));
    expect(data.map(({ outputs }: { outputs: { text: string } }) => outputs.text)).toEqual(['Needle']);
  });

  it('gets numbers after the highest that there were, though the last ones are gone', async () => {
    const { id: projectId } = await createProject(own.api);
    const testset = await createTestset(own.api, projectId);
    const items = [1, 2, 3].map((i) => ({ jsonData: { question: `${i}` } }));
    const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    await ok(own.api('POST', '/testcases/bulk-delete', { ids: [made.items[2].id] }));
    const run = await createRun(own.api, projectId, [], { testsetId: testset.id });
    const recordIds = await addRecords(own.api, run.id, 3);
    await ok(own.api('DELETE', `/records/${recordIds[2]}`));
    const importedId = await importNew(own.api, await exportLines(own.api, projectId));
    const [importedRun] = await runsOf(importedId);
    expect((await createRecord(own.api, importedRun.id)).id).toBe(`${importedRun.id}-4`);
    const [{ id: testsetId }] = (await ok(own.api('GET', `/projects/${importedId}/testsets`))).data;
    const [next] = (
      await ok(own.api('POST', `/testsets/${testsetId}/testcases`, { items: items.slice(0, 1) }), 201)
    ).items;
    expect(next.id).toBe(`${testsetId}-4`);
  });

  it('takes the shortest texts that the API takes', async () => {
    const { api } = own;
    const { id: projectId } = await ok(api('POST', '/projects', { name: '', description: '' }), 201);
    const metric = await createMetric(api, projectId, {
      evalType: 'human',
      outputType: 'boolean',
      name: '',
      guidelines: '',
    });
    const testset = await createTestset(api, projectId, { name: '', description: '' });
    await ok(api('POST', `/projects/${projectId}/systems`, { name: '', description: '', config: {} }), 201);
    const run = await createRun(api, projectId, [metric.id], { testsetId: testset.id, notes: '' });
    await createRecord(api, run.id);
    const archive = await exportLines(api, projectId);
    const again = await exportLines(api, await importNew(api, archive));
    for (const part of ['metric', 'testset', 'system', 'run']) {
      expect(rowsOfPart(again, part).map(({ name }) => name)).toEqual(
        rowsOfPart(archive, part).map(({ name }) => name),
      );
    }
  });
});
