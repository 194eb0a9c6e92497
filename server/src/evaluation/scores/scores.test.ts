import { describe, expect, it } from 'vitest';
import { expectError } from '../../../test/expect-error.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createScoredRun,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';

const { app, own } = await openApp();

const scoresOf = async (runId: string) =>
  (await ok(own.api('GET', `/runs/${runId}/records`))).data.flatMap(
    (record: { scores: unknown[] }) => record.scores,
  );
const stateOf = async (recordId: string) => (await ok(own.api('GET', `/records/${recordId}`))).scoreStates[0];

describe('a new record', () => {
  it('has a pending score for each metric of its run, which the list does not show', async () => {
    const { run, recordIds, configId, metric } = await createScoredRun(own.api, 1);
    expect(await scoresOf(run.id)).toEqual([]);
    expect(await stateOf(recordIds[0]!)).toMatchObject({
      metricId: metric.id,
      metricName: 'Metric',
      metricConfigId: configId,
      state: 'pending',
      passed: null,
      score: null,
      scoredByUserId: null,
    });
  });
});

describe('PUT /records/:recordId/scores/:metricConfigId', () => {
  it.each([
    ['boolean', { binaryScore: true, reasoning: 'r' }, true],
    ['boolean', { binaryScore: false }, false],
    ['int', { intScore: 4 }, true],
    ['int', { intScore: 3, reasoning: '' }, false],
    ['float', { floatScore: 0.9 }, true],
    ['float', { floatScore: 0 }, false],
    ['boolean', { binaryScore: true, reasoning: 'a\0b\ud800c' }, true],
  ])('200 stores a %s score %j, which passes: %s', async (outputType, score, passed) => {
    const { id: projectId } = await createProject(own.api);
    const metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType });
    const run = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, run.id);
    const stored = {
      recordId: record.id,
      metricConfigId: run.metricVersionIds[0],
      score,
      userId: own.memberId,
    };
    const path = `/records/${record.id}/scores/${run.metricVersionIds[0]}`;
    expect(await ok(own.api('PUT', path, { score }))).toEqual(stored);
    expect(await scoresOf(run.id)).toEqual([stored]);
    expect(await stateOf(record.id)).toMatchObject({
      state: 'scored',
      passed,
      score,
      scoredByUserId: own.memberId,
    });
  });

  it.each([
    ['int', { intScore: 6 }, ['/intScore']],
    ['int', { intScore: 2.5 }, ['/intScore']],
    ['int', { binaryScore: true }, ['/intScore', '/binaryScore']],
    ['float', { floatScore: -0.1, reasoning: 7 }, ['/floatScore', '/reasoning']],
    ['boolean', { binaryScore: 'yes' }, ['/binaryScore']],
    ['boolean', { binaryScore: true, intScore: 1 }, ['/intScore']],
    ['boolean', {}, ['/binaryScore']],
  ])(
    '200 stores a %s score %j as it is, with what does not fit, and it passes nothing',
    async (outputType, score, paths) => {
      const { id: projectId } = await createProject(own.api);
      const metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType });
      const run = await createRun(own.api, projectId, [metric.id]);
      const record = await createRecord(own.api, run.id);
      const path = `/records/${record.id}/scores/${run.metricVersionIds[0]}`;
      const stored = await ok(own.api('PUT', path, { score }));
      expect(stored.score).toEqual(score);
      expect(stored.validationErrors.map((error: { path: string }) => error.path)).toEqual(paths);
      expect(await stateOf(record.id)).toMatchObject({
        passed: null,
        validationErrors: stored.validationErrors,
      });
    },
  );

  it('200 stores the score of a human metric as its userId gave it', async () => {
    const { project, recordIds } = await createScoredRun(own.api, 1);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const [configId] = (await createRun(own.api, project.id, [metric.id])).metricVersionIds;
    const path = `/records/${recordIds[0]}/scores/${configId}`;
    const rater = await own.person();
    const score = { binaryScore: true };
    expect((await ok(own.api('PUT', path, { score, userId: rater.id }))).userId).toBe(rater.id);
    expect(await ok(own.api('GET', path))).toMatchObject({ state: 'scored', scoredByUserId: rater.id });
    const [review] = (await ok(own.api('GET', `/records/${recordIds[0]}/reviews/${configId}`))).data;
    expect(review).toMatchObject({ userId: rater.id, score, blind: true });
    // A misfit is stored, but it is not a review.
    await ok(own.api('PUT', path, { score: { intScore: 1 }, userId: own.memberId }));
    expect((await ok(own.api('GET', `/records/${recordIds[0]}/reviews/${configId}`))).data).toHaveLength(1);
  });

  it('400 for a userId of no member, of no score, or of a metric that is not human', async () => {
    const { project, recordIds, configId: codeId } = await createScoredRun(own.api, 1);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const [configId] = (await createRun(own.api, project.id, [metric.id])).metricVersionIds;
    const stranger = await (await app.organization()).person();
    const score = { binaryScore: true };
    const refused = async (config: string, body: object) => {
      const answer = await own.api('PUT', `/records/${recordIds[0]}/scores/${config}`, body);
      expect(JSON.stringify(expectError(answer, 'VALIDATION_ERROR'))).toContain('/userId');
    };
    for (const userId of ['background-job', stranger.id]) await refused(configId, { score, userId });
    await refused(configId, { userId: own.memberId });
    await refused(codeId, { score, userId: own.memberId });
    expect((await ok(own.api('GET', `/records/${recordIds[0]}`))).scores).toEqual([]);
  });

  it('400 for a large score that does not fit into the record with its other scores: it could not be read again', async () => {
    const { project, run, recordIds, configId } = await createScoredRun(own.api, 1);
    const added = await createMetric(own.api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
    const [other] = (await createRun(own.api, project.id, [added.id])).metricVersionIds;
    await app.db.transaction(own, async (tx) => {
      await tx`update score set state = 'scored', score = ('{"a":"' || repeat('x', 98500000) || '"}')::json
        where metric_config_id = ${configId} and organization_id = ${own.organizationId}`;
    });
    const put = (reasoning: string) =>
      own.api('PUT', `/records/${recordIds[0]}/scores/${other}`, { score: { binaryScore: true, reasoning } });
    const refused = expectError(await put('x'.repeat(1_600_000)), 'VALIDATION_ERROR');
    expect(JSON.stringify(refused)).toContain(`of record ${run.id}-1 larger than 100 MB`);
    await ok(put('x'.repeat(1_200_000)));
  });

  it('a second score takes the place of the first', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 1);
    const path = `/records/${recordIds[0]}/scores/${configId}`;
    await ok(own.api('PUT', path, { score: { binaryScore: 'nonsense' } }));
    await ok(own.api('PUT', path, { score: { binaryScore: true } }));
    expect(await scoresOf(run.id)).toEqual([
      {
        recordId: recordIds[0],
        metricConfigId: configId,
        score: { binaryScore: true },
        userId: own.memberId,
      },
    ]);
  });

  it('many at once: each is stored and audited, twice the same one after the other, and an unknown record is 404 alone', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 20);
    const put = (recordId: string, binaryScore: boolean) =>
      own.api('PUT', `/records/${recordId}/scores/${configId}`, { score: { binaryScore } });
    const [first, ...others] = recordIds as [string, ...string[]];
    const answers = await Promise.all([
      put(first, true),
      ...others.map((id) => put(id, true)),
      put(first, false),
      put(`${run.id}-9999`, true),
    ]);
    expectError(answers.pop()!, 'NOT_FOUND');
    for (const { status } of answers) expect(status).toBe(200);
    const { history, score } = await ok(own.api('GET', `/records/${first}/scores/${configId}`));
    expect([score.binaryScore, history.at(0)?.score?.binaryScore].sort()).toEqual([false, true]);
    expect(await scoresOf(run.id)).toHaveLength(20);
    const audited = await app.db.read(
      system,
      (sql) => sql<{ n: number }[]>`
        select count(*)::int as n from audit_event
        where operation = 'upsertScore' and resource_id = ${configId} and member_id = ${own.memberId}
          and project_id = (select project_id from run where id = ${run.id}::text::bigint)`,
    );
    expect(audited[0]!.n).toBe(21);
  });

  it('a configuration that is not among the run’s adds that metric to the record', async () => {
    const { project, run, recordIds } = await createScoredRun(own.api, 1);
    const added = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'int' });
    const [configId] = (await createRun(own.api, project.id, [added.id])).metricVersionIds;
    await ok(own.api('PUT', `/records/${recordIds[0]}/scores/${configId}`, { score: { intScore: 5 } }));
    expect(await scoresOf(run.id)).toEqual([
      { recordId: recordIds[0], metricConfigId: configId, score: { intScore: 5 }, userId: own.memberId },
    ]);
  });

  it('404 for a configuration of another project', async () => {
    const { recordIds } = await createScoredRun(own.api, 1);
    const { configId } = await createScoredRun(own.api, 1);
    const answer = await own.api('PUT', `/records/${recordIds[0]}/scores/${configId}`, {
      score: { binaryScore: true },
    });
    expect(answer.status).toBe(404);
  });

  it('without a score queues it for a human, and leaves one that is there', async () => {
    const { id: projectId } = await createProject(own.api);
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const run = await createRun(own.api, projectId, []);
    const [configId] = (await createRun(own.api, projectId, [metric.id])).metricVersionIds;
    const record = await createRecord(own.api, run.id);
    const path = `/records/${record.id}/scores/${configId}`;
    expect((await ok(own.api('PUT', path, {}))).score).toEqual({});
    expect((await ok(own.api('GET', `/runs/${run.id}`))).status).toBe('awaiting_human_scoring');
    await ok(own.api('PUT', path, { score: { intScore: 4 } }));
    expect((await ok(own.api('PUT', path, {}))).score).toEqual({ intScore: 4 });
  });

  it('400 without a score when the metric is not scored by people', async () => {
    const { recordIds, configId } = await createScoredRun(own.api, 1);
    const { status, body } = await own.api('PUT', `/records/${recordIds[0]}/scores/${configId}`, {});
    expect(status).toBe(400);
    expect(body.details.issues[0].path).toBe('/score');
  });
});

describe('POST /runs/:runId/scores/bulk-upsert', () => {
  const items = (recordIds: string[], configId: string) =>
    recordIds.map((recordId, i) => ({
      recordId,
      metricConfigId: configId,
      score: i === 0 ? { binaryScore: 'x' } : { binaryScore: true },
    }));

  it('stores all, in the order sent, and says what does not fit', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 3);
    const sent = items(recordIds.toReversed(), configId);
    const { items: stored } = await ok(
      own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: sent }),
    );
    expect(stored.map((score: { recordId: string }) => score.recordId)).toEqual(recordIds.toReversed());
    expect(stored[0].validationErrors).toHaveLength(1);
    expect(stored[1]).not.toHaveProperty('validationErrors');
    expect(await scoresOf(run.id)).toHaveLength(3);
  });

  it('404 and nothing stored when one record is of another run', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 2);
    const other = await createScoredRun(own.api, 1);
    const sent = items([...recordIds, other.recordIds[0]!], configId);
    expect((await own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: sent })).status).toBe(404);
    expect(await scoresOf(run.id)).toEqual([]);
  });

  it('a reason in place of a score makes it unscored: the run ends, and it is not a zero', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 4);
    const [first, ...others] = recordIds.map((recordId) => ({ recordId, metricConfigId: configId }));
    const sent = [
      { ...first, score: { binaryScore: true } },
      ...others.map((item, i) => ({ ...item, reason: i < 2 ? 'the grader timed out' : 'no answer' })),
    ];
    const { items: stored } = await ok(
      own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: sent }),
    );
    expect(stored).toEqual(recordIds.map((recordId) => ({ recordId, metricConfigId: configId })));
    expect(await stateOf(recordIds[1]!)).toMatchObject({
      state: 'unscored',
      score: null,
      passed: null,
      reason: 'the grader timed out',
      scoredByUserId: null,
    });
    const { status, progress } = await ok(own.api('GET', `/runs/${run.id}/details`));
    expect(status).toBe('completed');
    expect(progress).toMatchObject({
      working: false,
      numErrors: 0,
      metrics: [{ pending: 0, scored: 1, unscored: 3, reason: '2 of 3: the grader timed out' }],
    });
    const [summary] = (await ok(own.api('GET', `/runs/${run.id}/summary`))).metrics;
    expect(summary).toMatchObject({ states: { scored: 1, unscored: 3 }, passRate: { n: 1, estimate: 1 } });
  });

  it('a reason replaces a score and a score a reason; both stay in the history', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 1);
    const item = { recordId: recordIds[0]!, metricConfigId: configId };
    for (const given of [{ score: { binaryScore: true } }, { reason: 'judged the wrong answer' }])
      await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: [{ ...item, ...given }] }));
    const read = () => ok(own.api('GET', `/records/${item.recordId}/scores/${configId}`));
    expect(await read()).toMatchObject({
      state: 'unscored',
      score: null,
      reason: 'judged the wrong answer',
      history: [{ state: 'scored', score: { binaryScore: true } }],
    });
    await ok(
      own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, {
        items: [{ ...item, score: { binaryScore: false } }],
      }),
    );
    expect(await read()).toMatchObject({ state: 'scored', reason: null, score: { binaryScore: false } });
  });

  it('400 for an item with both a score and a reason, and for one with neither', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 2);
    const sent = recordIds.map((recordId) => ({ recordId, metricConfigId: configId }));
    const items = [{ ...sent[0], score: { binaryScore: true }, reason: 'none' }, sent[1]];
    const { body } = await own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items });
    const message = 'must have either a score or a reason why there is none';
    expect(body.details.issues).toEqual([
      { path: '/items/0', message },
      { path: '/items/1', message },
    ]);
    expect(await scoresOf(run.id)).toEqual([]);
  });

  it('400 when two items name the same record and configuration', async () => {
    const { run, recordIds, configId } = await createScoredRun(own.api, 1);
    const sent = items([recordIds[0]!, recordIds[0]!], configId);
    const { body } = await own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: sent });
    expect(body.details.issues).toEqual([
      { path: '/items/1', message: 'must not repeat a record and configuration' },
    ]);
  });
});

/** JSON of values that do not fit the field of an output type, and of some that do. */
const misfits = {
  boolean: ['1', '0', '"true"', '"True"', '"false"', '"yes"', '"1"', '""', 'null', '[true]', '{}', '1.0'],
  int: ['4.5', '0', '6', '-1', '"4"', '"4/5"', '"four"', '"NaN"', 'true', 'null', '[4]', '{}', '1e400'],
  float: [
    '1.1',
    '-0.1',
    '85',
    '"0.5"',
    '"0,5"',
    '"85%"',
    '"NaN"',
    '"Infinity"',
    'true',
    'null',
    '[0.5]',
    '{}',
    '1e400',
  ],
};
const fits = {
  boolean: ['true', 'false'],
  int: ['4', '4.0', '4e0', '40e-1', '5.0'],
  float: ['0.5', '0', '1', '-0', '1.0', '1e-400', '0.50000000000000000001'],
};
const fields = { boolean: 'binaryScore', int: 'intScore', float: 'floatScore' };

describe.each(['boolean', 'int', 'float'] as const)('a %s metric', (outputType) => {
  const field = fields[outputType];
  const [good] = fits[outputType];
  const others = Object.values(fields).filter((one) => one !== field);
  /** Faults of the whole score: a missing, a misspelt, another or a second value, a reasoning that is no text. */
  const whole = [
    '{}',
    '{"score":1}',
    `{"${field.toUpperCase()}":${good}}`,
    `{"${field}":${good},"${field}":"last"}`,
    ...others.flatMap((other) => [`{"${other}":1}`, `{"${field}":${good},"${other}":null}`]),
    ...['5', 'null', '{}', '["a"]'].map((reasoning) => `{"${field}":${good},"reasoning":${reasoning}}`),
  ];
  const bad = [...misfits[outputType].map((value) => `{"${field}":${value}}`), ...whole];
  const all = [...bad, ...fits[outputType].map((value) => `{"${field}":${value}}`)];

  /** Scores by one of the ways in; each takes the scores as JSON texts. */
  const ways: Record<string, (runId: string, configId: string, scores: string[]) => Promise<void>> = {
    'one by one': async (runId, configId, scores) => {
      for (const [i, score] of scores.entries()) {
        const { id } = await createRecord(own.api, runId, { inputs: { i } });
        const path = `/records/${id}/scores/${configId}`;
        const stored = await ok(own.api('PUT', path, undefined, { raw: `{"score":${score}}` }));
        expect([score, stored.validationErrors !== undefined]).toEqual([score, bad.includes(score)]);
      }
    },
    'with bulk-upsert': async (runId, configId, scores) => {
      const items = scores.map((_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
      const { ids } = await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201);
      const texts = scores.map(
        (score, i) => `{"recordId":"${ids[i]}","metricConfigId":"${configId}","score":${score}}`,
      );
      const path = `/runs/${runId}/scores/bulk-upsert`;
      const stored = await ok(own.api('POST', path, undefined, { raw: `{"items":[${texts}]}` }));
      for (const [i, { validationErrors }] of stored.items.entries())
        expect([scores[i], validationErrors !== undefined]).toEqual([scores[i], bad.includes(scores[i]!)]);
    },
    'with bulk-create': async (runId, configId, scores) => {
      const texts = scores.map(
        (score, i) =>
          `{"inputs":{"i":${i}},"expected":{},"outputs":{},"scores":[{"metricConfigId":"${configId}","score":${score}}]}`,
      );
      const path = `/runs/${runId}/records/bulk-create`;
      await ok(own.api('POST', path, undefined, { raw: `{"items":[${texts}]}` }), 201);
    },
  };

  it.each(Object.keys(ways))(
    'counts each score that does not fit as invalid when they come %s',
    async (way) => {
      const { id: projectId } = await createProject(own.api);
      const metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType });
      const run = await createRun(own.api, projectId, [metric.id]);
      await ways[way]!(run.id, run.metricVersionIds[0], all);
      const { progress } = await ok(own.api('GET', `/runs/${run.id}/details`));
      expect(progress).toMatchObject({
        numErrors: bad.length,
        metrics: [{ invalid: bad.length, pending: 0 }],
      });
      const [{ states, passRate }] = (await ok(own.api('GET', `/runs/${run.id}/summary`))).metrics;
      expect(states).toMatchObject({ scored: all.length - bad.length, unscored: bad.length, pending: 0 });
      expect(passRate.caveats).toContainEqual({
        code: 'invalidScores',
        sentence: expect.stringContaining(`${bad.length} scores do not fit the metric: `),
      });
      const stored = (await own.api('GET', `/runs/${run.id}/records?limit=100`)).text;
      for (const score of all) expect(stored).toContain(`"score":${score}`);
    },
  );

  it.each(['null', '[]', '"x"', '4', '{"floatScore":.5}', '{"floatScore":NaN}'])(
    '400 for %s in place of a score, and nothing is stored',
    async (score) => {
      const { id: projectId } = await createProject(own.api);
      const metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType });
      const run = await createRun(own.api, projectId, [metric.id]);
      const configId = run.metricVersionIds[0];
      const { id } = await createRecord(own.api, run.id);
      const answers = [
        own.api('PUT', `/records/${id}/scores/${configId}`, undefined, { raw: `{"score":${score}}` }),
        own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, undefined, {
          raw: `{"items":[{"recordId":"${id}","metricConfigId":"${configId}","score":${score}}]}`,
        }),
        own.api('POST', `/runs/${run.id}/records/bulk-create`, undefined, {
          raw: `{"items":[{"inputs":{},"expected":{},"outputs":{},"scores":[{"metricConfigId":"${configId}","score":${score}}]}]}`,
        }),
      ];
      for (const answer of answers) expect((await answer).status).toBe(400);
      expect(await ok(own.api('GET', `/runs/${run.id}`))).toMatchObject({ numRecords: 1, numScores: 0 });
    },
  );
});

it('a single create stores no scores, and says so: Ignored-Fields names them', async () => {
  const { run } = await createScoredRun(own.api, 1);
  for (const scores of [[], null, 'x', [{ score: { binaryScore: true } }]]) {
    const body = { inputs: {}, expected: {}, outputs: {}, scores };
    const { status, headers } = await own.api('POST', `/runs/${run.id}/records`, body);
    expect([status, headers['ignored-fields']]).toEqual([201, '/scores']);
  }
});
