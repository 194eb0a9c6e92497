import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import { groupRecords } from './group-records.ts';
import { readGrouping } from './grouping.ts';
import { indexTexts } from './index-texts.ts';

const { app, own } = await openApp();

const answers = [
  'Yes',
  'yes',
  'no',
  'a "b"',
  '<5',
  '1..2',
  '*',
  '~x',
  null,
  undefined,
  'x'.repeat(300),
  'two\nlines',
];

/** A project of records with these answers in `outputs.the answer`, by turns, the first half of them scored as passed. */
const createAnswers = async (numRecords = 24) => {
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, {
    name: 'Right: or not',
    evalType: 'human',
    outputType: 'boolean',
  });
  const run = await createRun(own.api, project.id, [metric.id]);
  const items = Array.from({ length: numRecords }, (_, i) => ({
    inputs: { asked: Math.floor(i / 4), odd: i % 2 },
    expected: {},
    outputs: {
      'the answer': answers[i % answers.length],
      deep: { amount: i % 3 },
      items: [{ name: `n${i % 2}` }],
    },
  }));
  const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  const metricConfigId = run.metricVersionIds[0];
  const scores = ids.slice(0, numRecords - 4).map((recordId: string, i: number) => ({
    recordId,
    metricConfigId,
    score: { binaryScore: i < numRecords / 2 },
  }));
  await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: scores }));
  return { project, run, metric, ids };
};
const group = (projectId: string, by: string, more = '') =>
  ok(own.api('GET', `/projects/${projectId}/records/groups?by=${encodeURIComponent(by)}&${more}`));
const countOf = async (projectId: string, q: string): Promise<number> =>
  (await ok(own.api('GET', `/projects/${projectId}/records/histogram?q=${encodeURIComponent(q)}`)))
    .numRecords;

describe('GET /projects/:projectId/records/groups', () => {
  it('counts each value, and its words find just these records, whatever the value looks like', async () => {
    const { project, ids } = await createAnswers();
    await ok(own.api('POST', `/records/${ids[0]}/tags`, { text: 'late one' }), 201);
    await ok(own.api('POST', `/records/${ids[0]}/tags`, { text: 'b' }), 201);
    const fields = [
      'outputs."the answer"',
      'outputs.deep.amount',
      'outputs.items.0.name',
      'inputs.odd',
      'score."Right: or not"',
      'tag',
      'run',
      'user',
      'session',
      'testcase',
      'version',
      'model',
      'source',
      'error',
      'metadata.topic',
    ];
    for (const by of fields) {
      const found = await group(project.id, by);
      expect([by, found.n, found.partial, found.manyValues, found.numOthers]).toEqual([
        by,
        24,
        false,
        false,
        0,
      ]);
      for (const { words, n } of found.groups)
        if (words !== null) expect([words, await countOf(project.id, words)]).toEqual([words, n]);
    }
    const { groups } = await group(project.id, 'outputs."the answer"');
    expect(groups[1]).toMatchObject({ value: 'Yes', words: 'outputs."the answer":Yes', n: 4 });
    // A value that a search field cannot hold has no words; a missing one has those for it.
    expect(groups.filter(({ words }: { words: string | null }) => words === null)).toHaveLength(2);
    expect(groups.find(({ value }: { value: string | null }) => value === null)).toMatchObject({
      words: '-outputs."the answer":*',
      n: 4,
    });
    expect((await group(project.id, 'tag')).groups.map(({ value }: { value: string }) => value)).toEqual([
      null,
      'b',
      'late one',
    ]);
  });

  it('counts within the search, gives each group its rate, and inputs that repeat count once', async () => {
    const { project, metric } = await createAnswers();
    const found = await group(
      project.id,
      'inputs.odd',
      `rateOf=${metric.id}&q=${encodeURIComponent('outputs.deep.amount:<2')}`,
    );
    expect(found.n).toBe(16);
    const whole = await group(project.id, 'source', `rateOf=${encodeURIComponent('right: or not')}`);
    // 20 scored records of 10 different inputs: the first 6 passed.
    expect(whole.groups[0].passRate).toMatchObject({ n: 10, estimate: 0.6, method: 'wilson' });
    expect(whole.groups[0].passRate.interval.low).toBeCloseTo(0.3127, 3);
    const none = await group(
      project.id,
      'inputs.asked',
      `rateOf=${metric.id}&most=1&q=${encodeURIComponent('score:pending')}`,
    );
    expect(none.groups[0].passRate).toMatchObject({
      estimate: null,
      interval: null,
      reason: 'no record has a score',
    });
    expect(none).toMatchObject({ n: 4, numOthers: 0 });
  });

  it('says when it leaves records out, and reads the same in slices', async () => {
    const { project } = await createAnswers();
    const scope = { ...own, role: 'admin', access: 'read', keyId: null, signInId: null } as const;
    const grouping = readGrouping('inputs.odd', { metrics: [], members: [] });
    const read = (mostRead: number, sliceSize: number) =>
      groupRecords(app.db, scope, BigInt(project.id), { conditions: [] }, grouping, {
        most: 1,
        rateOf: undefined,
        signal: new AbortController().signal,
        sliceSize,
        mostRead,
      });
    const whole = await read(100, 100);
    expect(whole).toMatchObject({ n: 24, partial: false, numOthers: 12 });
    expect(await read(100, 5)).toEqual(whole);
    expect(await read(24, 12)).toEqual(whole);
    expect(await read(10, 5)).toMatchObject({ n: 10, partial: true, numOthers: 5 });
  });

  it('400 for what is no field, with a suggestion', async () => {
    const { project } = await createAnswers(8);
    for (const [by, said] of [
      ['modell', 'Did you mean model?'],
      ['latency', 'outputs.answer'],
      ['outputs', 'outputs.answer'],
      ['score.Wrong', 'does not have'],
      ['run:3 tag', 'cannot be'],
    ] as const) {
      const answer = await own.api(
        'GET',
        `/projects/${project.id}/records/groups?by=${encodeURIComponent(by)}`,
      );
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain(said);
    }
  });
});

describe('GET /projects/:projectId/records/fields', () => {
  it('lists the paths as a search writes them, without fields that have fields', async () => {
    const { project } = await createAnswers(8);
    const listed = () => ok(own.api('GET', `/projects/${project.id}/records/fields`));
    const fields = [
      'inputs.asked',
      'inputs.odd',
      'outputs.deep.amount',
      'outputs.items',
      'outputs."the answer"',
    ];
    // A project that was never searched has no index.
    expect(await listed()).toEqual({ fields });
    await app.db.transaction(system, (tx) => indexTexts(tx, 10_000, BigInt(project.id)));
    expect(await listed()).toEqual({ fields });
  });
});
