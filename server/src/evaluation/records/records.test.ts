import { describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createScoredRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { readRecord } from './create-records.ts';
import { groupCreates } from './group-creates.ts';

const { app, own } = await openApp();

type Listed = { data: { id: string }[] };
const idsOf = ({ data }: Listed) => data.map((record) => record.id);
const content = { inputs: {}, expected: {}, outputs: {} };

describe('POST /runs/:runId/records', () => {
  it('201 is readable at once, by id and in the list', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const record = await createRecord(own.api, run.id);
    expect(idsOf(await ok(own.api('GET', `/runs/${run.id}/records`)))).toContain(record.id);
    expect(await ok(own.api('GET', `/records/${record.id}`))).toMatchObject(record);
  });

  it('creates that arrive together each get their own record', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        own.api('POST', `/runs/${run.id}/records`, { ...content, outputs: { i } }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(300);
    answers.forEach((answer, i) => {
      expect(answer.body.outputs).toEqual({ i });
    });
    expect((await ok(own.api('GET', `/runs/${run.id}`))).numRecords).toBe(301);
  });

  it('one that comes after a write that took an hour does not wait for others to come', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const scope = { ...own, role: 'admin', access: 'full', keyId: null, signInId: null } as const;
    let hours = 0;
    const create = groupCreates(app.db, () => hours++ * 3_600_000);
    const records = [readRecord(content, JSON.stringify(content))];
    const created = { operation: 'createRecord', records } as const;
    // The first is written alone, the others together: after these, as many are waited for.
    await Promise.all([1, 2, 3].map(() => create(scope, BigInt(run.id), created)));
    expect(JSON.parse(await create(scope, BigInt(run.id), created)).id).toBe(`${run.id}-5`);
  });

  it('one that names an unknown testcase keeps none of those beside it from being made', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        own.api(
          'POST',
          `/runs/${run.id}/records`,
          i % 4 === 3 ? { ...content, testcaseId: '1-999999' } : content,
        ),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map((_, i) => (i % 4 === 3 ? 404 : 201)));
  });

  it('notes the revision of the testcase, and outlives the testset', async () => {
    const { id: projectId } = await createProject(own.api);
    const testset = await createTestset(own.api, projectId);
    const [testcase] = await createTestcases(own.api, testset.id, 1);
    const run = await createRun(own.api, projectId, [], { testsetId: testset.id });
    const first = await createRecord(own.api, run.id, { testcaseId: testcase.id });
    await ok(own.api('PUT', `/testcases/${testcase.id}`, { jsonData: { question: 'changed' } }));
    const second = await createRecord(own.api, run.id, { testcaseId: testcase.id });
    await ok(own.api('DELETE', `/testsets/${testset.id}`));
    for (const [record, testcaseRevision] of [[first, 1] as const, [second, 2] as const]) {
      const detail = await ok(own.api('GET', `/records/${record.id}`));
      expect(detail).toMatchObject({ testcaseId: testcase.id, testcaseRevision });
    }
  });

  it('404 for a testcase of another project', async () => {
    const elsewhere = await createTestset(own.api, (await createProject(own.api)).id);
    const [testcase] = await createTestcases(own.api, elsewhere.id, 1);
    const { run } = await createScoredRun(own.api, 1);
    const answer = await own.api('POST', `/runs/${run.id}/records`, { ...content, testcaseId: testcase.id });
    expect(answer.status).toBe(404);
  });
});

describe('POST /runs/:runId/records/bulk-create', () => {
  it('201 makes JSON items in order', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const items = Array.from({ length: 1000 }, (_, i) => ({ ...content, outputs: { i } }));
    const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    expect(ids).toHaveLength(1000);
    expect((await ok(own.api('GET', `/records/${ids[517]}`))).outputs).toEqual({ i: 517 });
  });

  it('201 makes NDJSON lines in order', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const raw = `${[0, 1, 2].map((i) => JSON.stringify({ ...content, outputs: { i } })).join('\r\n')}\n`;
    const headers = { 'content-type': 'application/x-ndjson' };
    const { ids } = await ok(
      own.api('POST', `/runs/${run.id}/records/bulk-create`, undefined, { raw, headers }),
      201,
    );
    expect((await ok(own.api('GET', `/records/${ids[2]}`))).outputs).toEqual({ i: 2 });
  });

  it('400 with every problem of every line, and nothing made', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const raw = `{"inputs":{},"expected":{},"outputs":{}}\n{"inputs":[],"extra":1}\nnot json\n`;
    const headers = { 'content-type': 'application/x-ndjson' };
    const { status, body } = await own.api('POST', `/runs/${run.id}/records/bulk-create`, undefined, {
      raw,
      headers,
    });
    expect(status).toBe(400);
    expect(body.details.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
      '/items/1/expected',
      '/items/1/extra',
      '/items/1/inputs',
      '/items/1/outputs',
      '/items/2',
    ]);
    expect((await ok(own.api('GET', `/runs/${run.id}`))).numRecords).toBe(1);
  });

  it('404 and nothing made when one item names an unknown testcase', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const items = [content, { ...content, testcaseId: '1-999999' }];
    expect((await own.api('POST', `/runs/${run.id}/records/bulk-create`, { items })).status).toBe(404);
    expect((await ok(own.api('GET', `/runs/${run.id}`))).numRecords).toBe(1);
  });

  it('201 stores the scores that records bring, to the digit, and leaves the others pending', async () => {
    const { run, configId } = await createScoredRun(own.api, 1);
    const score = '{"binaryScore":true,"weight":1.10}';
    const item = (scores: string) => `{"inputs":{},"expected":{},"outputs":{},"scores":[${scores}]}`;
    const brought = `{"metricConfigId":"${configId}","score":${score}}`;
    const raw = `{"items":[${item(brought)},${item('')},${item(`${brought},${brought}`)}]}`;
    const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, undefined, { raw }), 201);
    const states = [];
    for (const id of ids) {
      const { text, body } = await own.api('GET', `/records/${id}`);
      states.push([body.scoreStates[0].state, body.scoreStates.length, text.includes(score)]);
    }
    expect(states).toEqual([
      ['scored', 1, true],
      ['pending', 1, false],
      ['scored', 1, true],
    ]);
  });

  it('calls of one record each that arrive together: each record has its own scores, from who sent it', async () => {
    const { run, configId } = await createScoredRun(own.api, 1);
    const other = await own.person();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const scores = [
          { metricConfigId: configId, score: { binaryScore: i % 3 === 0, reasoning: `r${i}` } },
        ];
        const unknown = i % 10 === 9 && { testcaseId: '1-999999' };
        const items = [{ ...content, outputs: { i }, scores, ...unknown }];
        const { api } = i % 2 === 0 ? own : other;
        return api('POST', `/runs/${run.id}/records/bulk-create`, { items });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 10 === 9 ? 404 : 201)));
    const made = answers.flatMap(({ body }, i) => (body.ids ? [{ id: body.ids[0], i }] : []));
    expect(new Set(made.map(({ id }) => id)).size).toBe(54);
    const { data } = await ok(own.api('GET', `/runs/${run.id}/records?limit=100`));
    const stored = new Map<string, (typeof data)[number]>(
      data.map((each: { id: string }) => [each.id, each]),
    );
    for (const { id, i } of made) {
      const { outputs, scores } = stored.get(id)!;
      expect(outputs).toEqual({ i });
      expect(scores).toMatchObject([
        {
          userId: i % 2 === 0 ? own.memberId : other.id,
          score: { binaryScore: i % 3 === 0, reasoning: `r${i}` },
        },
      ]);
    }
    const { data: events } = await ok(own.api('GET', '/audit-events?operation=createRecords&limit=100'));
    const inRun = events.filter(({ details }: { details: { firstId?: string } }) =>
      details.firstId?.startsWith(`${run.id}-`),
    );
    const count = (id: string) =>
      inRun
        .filter(({ userId }: { userId: string }) => userId === id)
        .reduce((sum: number, { details }: { details: { count: number } }) => sum + details.count, 0);
    // One more is the record of the fixture.
    expect([count(own.memberId), count(other.id)]).toEqual([1 + 30, 24]);
  });

  it('a score that comes with its record is not a person’s, unless people score its metric or it is replaced', async () => {
    const project = await createProject(own.api);
    const metrics = [];
    for (const evalType of ['heuristic', 'human'])
      metrics.push(await createMetric(own.api, project.id, { evalType, outputType: 'boolean' }));
    const run = await createRun(
      own.api,
      project.id,
      metrics.map(({ id }) => id),
    );
    const scores = run.metricVersionIds.map((metricConfigId: string) => ({
      metricConfigId,
      score: { binaryScore: true },
    }));
    const items = Array.from({ length: 2 }, () => ({ inputs: {}, expected: {}, outputs: {}, scores }));
    const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const sent = async () =>
      (
        await app.db.read(
          own,
          (sql) => sql<{ evalType: string; sent: boolean }[]>`
            select config.eval_type as "evalType", score.sent from score
            join metric_config config on config.id = score.metric_config_id
            where score.run_id = ${run.id} order by 1, score.n`,
        )
      ).map(({ evalType, sent }) => `${evalType} ${sent}`);
    expect(await sent()).toEqual(['heuristic true', 'heuristic true', 'human false', 'human false']);
    for (const { metricConfigId, score } of scores)
      await ok(own.api('PUT', `/records/${ids[1]}/scores/${metricConfigId}`, { score }));
    expect(await sent()).toEqual(['heuristic true', 'heuristic false', 'human false', 'human false']);
  });

  it("404 for a brought score of another organization's configuration, and nothing made", async () => {
    const { run } = await createScoredRun(own.api, 1);
    const { configId } = await createScoredRun((await app.organization()).api, 1);
    const items = [{ ...content, scores: [{ metricConfigId: configId, score: { binaryScore: true } }] }];
    expect((await own.api('POST', `/runs/${run.id}/records/bulk-create`, { items })).status).toBe(404);
    expect((await ok(own.api('GET', `/runs/${run.id}`))).numRecords).toBe(1);
  });

  it('one that names an unknown testcase makes nothing, and keeps none of those beside it from being made', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const items = [content, content];
    const isWrong = (i: number) => i % 4 === 3;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        own.api('POST', `/runs/${run.id}/records/bulk-create`, {
          items: isWrong(i) ? [...items, { ...content, testcaseId: '1-999999' }] : items,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (isWrong(i) ? 404 : 201)));
    expect((await ok(own.api('GET', `/runs/${run.id}`))).numRecords).toBe(1 + 9 * 2);
    const ids = answers.flatMap(({ body }) => body.ids ?? []);
    const { data: events } = await ok(own.api('GET', '/audit-events?operation=createRecords&limit=100'));
    const ofRun = events.filter(({ details }: { details: { firstId: string } }) =>
      ids.includes(details.firstId),
    );
    expect(ofRun.map(({ details }: { details: { count: number } }) => details.count)).toEqual(
      Array(9).fill(2),
    );
  });

  it('400 for 1,001 items', async () => {
    const { run } = await createScoredRun(own.api, 1);
    const items = Array.from({ length: 1001 }, () => content);
    expect((await own.api('POST', `/runs/${run.id}/records/bulk-create`, { items })).status).toBe(400);
  });
});

describe('GET /runs/:runId/records', () => {
  it('keeps records that carry every tag, repeated or joined with commas', async () => {
    const { run, recordIds } = await createScoredRun(own.api, 3);
    const [both, onlyA] = recordIds;
    for (const [id, text] of [
      [both, 'a'],
      [both, 'b'],
      [onlyA, 'a'],
    ]) {
      await ok(own.api('POST', `/records/${id}/tags`, { text }), 201);
    }
    const list = async (query: string) => idsOf(await ok(own.api('GET', `/runs/${run.id}/records?${query}`)));
    expect(await list('tags=a')).toEqual([both, onlyA]);
    expect(await list('tags=a&tags=b')).toEqual([both]);
    expect(await list('tags=a,b')).toEqual([both]);
    expect(await list('tags=a&tags=a')).toEqual([both, onlyA]);
    expect(await list('tags=a,unused')).toEqual([]);
  });
});

describe('GET /projects/:projectId/records', () => {
  it('lists across runs, newest first, page by page', async () => {
    const { project, run, recordIds } = await createScoredRun(own.api, 3);
    const later = await createRun(own.api, project.id, []);
    const last = await createRecord(own.api, later.id);
    const first = await ok(own.api('GET', `/projects/${project.id}/records?limit=2`));
    const second = await ok(
      own.api('GET', `/projects/${project.id}/records?limit=2&cursor=${first.nextCursor}`),
    );
    expect([...idsOf(first), ...idsOf(second)]).toEqual([last.id, ...recordIds.toReversed()]);
    expect(second).toMatchObject({ hasMore: false, nextCursor: '' });
    const ofRun = await ok(own.api('GET', `/projects/${project.id}/records?runId=${run.id}`));
    expect(idsOf(ofRun)).toEqual(recordIds.toReversed());
  });

  it('narrows by result of a metric, tag, assignee, text and time', async () => {
    const { project, metric, run, recordIds, configId } = await createScoredRun(own.api, 4);
    const [passing, failing, misfit, waiting] = recordIds;
    for (const [id, binaryScore] of [
      [passing, true],
      [failing, false],
      [misfit, 'x'],
    ]) {
      await ok(own.api('PUT', `/records/${id}/scores/${configId}`, { score: { binaryScore } }));
    }
    await ok(own.api('POST', `/records/${failing}/tags`, { text: 'money' }), 201);
    await ok(own.api('POST', `/records/${waiting}/assignees`, { assigneeUserId: own.memberId }), 201);
    const spoken = await createRecord(own.api, run.id, { outputs: { answer: '100% Größe_"x"' } });
    const list = async (query: string) =>
      idsOf(await ok(own.api('GET', `/projects/${project.id}/records?${query}`)));
    expect(await list('result=pass')).toEqual([passing]);
    expect(await list(`result=fail&metricId=${metric.id}`)).toEqual([failing]);
    expect(await list('result=unscored')).toEqual([misfit]);
    expect(await list('result=pending')).toEqual([spoken.id, waiting]);
    expect(await list('result=failed')).toEqual([]);
    expect(await list('tags=money')).toEqual([failing]);
    expect(await list(`assigneeUserId=${own.memberId}`)).toEqual([waiting]);
    for (const text of ['100% gr', 'größe_', '_"X"']) {
      expect(await list(`text=${encodeURIComponent(text)}`)).toEqual([spoken.id]);
    }
    expect(await list('text=1002')).toEqual([]);
    expect(await list('createdAfter=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await list('createdBefore=2999-01-01T00:00:00Z')).toHaveLength(5);
  });

  it.each([
    ['Python', 'caf\\u00e9 \\ud83d\\ude00', 'café 😀'],
    ['Python, in another case', '\\u00c9COLE', 'école'],
    ['Go', '\\u003ca href=x\\u003e \\u0026 é', '<a href=x> & é'],
    ['Gson', 'it\\u0027s \\u003cb\\u003e\\u003d', "it's <b>="],
    ['Swift', 'http:\\/\\/é', 'http://é'],
    ['PHP', 'http:\\/\\/\\u00e9 <b>', 'http://é <b>'],
    ['.NET', '\\u0022a\\u0022 \\u002B\\u0027\\u00E9\\\\', '"a" +\'é\\'],
    ['JavaScript', '\\"%_\\\\\\n/\\u007f'.replace('\\u007f', '\x7f'), '"%_\\\n/\x7f'],
  ])('finds text as %s writes it in JSON', async (_writer, sent, text) => {
    const { project, run } = await createScoredRun(own.api, 1);
    const raw = `{"inputs":{},"expected":{},"outputs":{"a":"${sent}"}}`;
    const record = await ok(own.api('POST', `/runs/${run.id}/records`, undefined, { raw }), 201);
    const found = await ok(
      own.api('GET', `/projects/${project.id}/records?text=${encodeURIComponent(text)}`),
    );
    expect(idsOf(found)).toEqual([record.id]);
  });

  it('finds text to the letter, in no more time where much of a record nearly fits', async () => {
    const { project, run } = await createScoredRun(own.api, 1);
    const all = '.*+?^$|()[]{}\\#_% ***=(?i)';
    const many = await createRecord(own.api, run.id, { inputs: { a: 'a'.repeat(3_000_000), all } });
    const find = async (text: string) =>
      idsOf(
        await ok(own.api('GET', `/projects/${project.id}/records?text=${encodeURIComponent(text)}`)),
      ).includes(many.id);
    expect([await find(all), await find('***=(?I)'), await find('a.a'), await find('[a]')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const before = performance.now();
    expect(await find(`${'a'.repeat(999)}b`)).toBe(false);
    // Backtracking would take years; a busy machine takes a second.
    expect(performance.now() - before).toBeLessThan(30_000);
  });

  it('400 for a time that the calendar does not have', async () => {
    const { project } = await createScoredRun(own.api, 1);
    for (const time of ['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', 'yesterday']) {
      expect((await own.api('GET', `/projects/${project.id}/records?createdAfter=${time}`)).status).toBe(400);
    }
  });
});

describe('DELETE /records/:recordId', () => {
  it('takes the record out of its run, and its number is not given again', async () => {
    const { run, recordIds } = await createScoredRun(own.api, 2);
    await ok(own.api('DELETE', `/records/${recordIds[1]}`));
    expect((await own.api('GET', `/records/${recordIds[1]}`)).status).toBe(404);
    expect((await own.api('DELETE', `/records/${recordIds[1]}`)).status).toBe(404);
    expect((await createRecord(own.api, run.id)).id).not.toBe(recordIds[1]);
    expect((await ok(own.api('GET', `/runs/${run.id}`))).numRecords).toBe(2);
  });
});

describe('GET /records/:recordId', () => {
  it('counts what people said of it', async () => {
    const { recordIds } = await createScoredRun(own.api, 2);
    const annotate = (body: unknown) => own.api('POST', `/records/${recordIds[0]}/annotations`, body);
    await ok(annotate({ rating: true }), 201);
    await ok(annotate({ rating: true, comment: 'Right.' }), 201);
    await ok(annotate({ rating: false, comment: 'Wrong.' }), 201);
    const counts = async (id: string) => (await ok(own.api('GET', `/records/${id}`))).annotationCounts;
    expect(await counts(recordIds[0]!)).toEqual({ positive: 2, negative: 1, commented: 2 });
    expect(await counts(recordIds[1]!)).toEqual({ positive: 0, negative: 0, commented: 0 });
  });
});

describe('GET /projects/:projectId/tags', () => {
  it('lists the tags of every run, those of most records first', async () => {
    const { project, metric, recordIds } = await createScoredRun(own.api, 2);
    const other = await createRecord(own.api, (await createRun(own.api, project.id, [metric.id])).id);
    for (const [id, text] of [
      [recordIds[0], 'rare'],
      [recordIds[1], 'usual'],
      [other.id, 'usual'],
    ])
      await ok(own.api('POST', `/records/${id}/tags`, { text }), 201);
    await ok(
      own.api('POST', `/records/${(await createScoredRun(own.api, 1)).recordIds[0]}/tags`, { text: 'x' }),
      201,
    );
    expect((await ok(own.api('GET', `/projects/${project.id}/tags`))).data).toEqual([
      { text: 'usual', numRecords: 2 },
      { text: 'rare', numRecords: 1 },
    ]);
  });

  it('pages give each tag once, also those with as many records and a text of several words', async () => {
    const { project, recordIds } = await createScoredRun(own.api, 3);
    const texts = ['a b c', '7', ' é', 'usual', '12 x', 'a  b'];
    for (const text of texts) await ok(own.api('POST', `/records/${recordIds[0]}/tags`, { text }), 201);
    for (const id of recordIds) await ok(own.api('POST', `/records/${id}/tags`, { text: 'usual' }), 201);
    const path = `/projects/${project.id}/tags`;
    const paged: { text: string; numRecords: number }[] = [];
    for (let cursor = ''; ; ) {
      const { data, nextCursor, hasMore } = await ok(own.api('GET', `${path}?limit=2&cursor=${cursor}`));
      paged.push(...data);
      if (!hasMore) break;
      cursor = nextCursor;
    }
    expect(paged[0]).toEqual({ text: 'usual', numRecords: 3 });
    expect(paged.map(({ text }) => text).sort()).toEqual(texts.map((text) => text.trim()).sort());
    expect(paged).toEqual((await ok(own.api('GET', path))).data);
  });
});
