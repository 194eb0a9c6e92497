import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp } from '../../../test/harness.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan } from '../../../test/otlp.ts';
import { createReviewers } from '../../../test/reviews.ts';
import { countDueHour } from '../../insights/series/count-hours.ts';
import { markChangedHours } from '../../insights/series/mark-hours.ts';

const app = await startApp({});
afterAll(() => app.close());
let own: Organization;
let api: Client;
let secret: string;
let projectId: string;
beforeEach(async () => {
  own = await app.organization();
  ({ api, key: secret } = own);
  ({ id: projectId } = await createProject(api));
});

const send = async (spans: TestSpan[]) => {
  const { status } = await post(app, secret, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(status).toBe(200);
};
const tool = (traceId: string, n: number, name: string): TestSpan => ({
  traceId,
  n,
  parent: 1,
  name,
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
});
/** A trace with two refunds and a search; returns its record. */
const sendTrace = async (traceId = newTraceId()) => {
  await send([
    { traceId, n: 1 },
    tool(traceId, 2, 'refund'),
    tool(traceId, 3, 'refund'),
    tool(traceId, 4, 'search'),
  ]);
  const span = await ok(api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`));
  return span.recordId as string;
};
const refunds = { evalType: 'human', outputType: 'boolean', spans: 'kind:tool name:refund' };
const configOf = async (fields: Parameters<typeof createMetric>[2] = refunds): Promise<string> => {
  const { id } = await createMetric(api, projectId, fields);
  return (await ok(api('GET', `/metrics/${id}/versions`))).data[0].id;
};
const put = (record: string, config: string, n: number, binaryScore: boolean) =>
  api('PUT', `/records/${record}/scores/${config}/spans/${spanId(n)}`, { score: { binaryScore } });

describe('a metric of spans', () => {
  it('201 echoes its search, and a metric without one has no such field', async () => {
    const metric = await createMetric(api, projectId, refunds);
    expect(metric.spans).toBe('kind:tool name:refund');
    expect(await createMetric(api, projectId, { evalType: 'human', outputType: 'int' })).not.toHaveProperty(
      'spans',
    );
  });

  it('400 names each problem of a search', async () => {
    const { status, body } = await api('POST', `/projects/${projectId}/metrics`, {
      name: 'M',
      ...refunds,
      spans: 'kind:tools nam:x latency:soon',
    });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/kind is one of chat, tool.*Did you mean name:.*latency:>2s/s);
  });

  it('gets a new configuration with another search, and scores records again with null', async () => {
    const { id } = await createMetric(api, projectId, refunds);
    const change = (spans: string | null) =>
      ok(api('PATCH', `/metrics/${id}`, { evalType: 'human', outputType: 'boolean', spans }));
    expect((await change('kind:tool')).spans).toBe('kind:tool');
    expect(await change(null)).not.toHaveProperty('spans');
    expect((await ok(api('GET', `/metrics/${id}/versions`))).data).toHaveLength(3);
  });
});

describe('PUT /records/:recordId/scores/:metricConfigId/spans/:spanId', () => {
  it('200 stores the score, and the record gets the lowest one when each chosen span has one', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    const stateOf = async () => (await ok(api('GET', `/records/${record}`))).scoreStates[0];
    const given = await ok(put(record, config, 2, true));
    expect(given).toMatchObject({
      spanId: spanId(2),
      state: 'scored',
      passed: true,
      score: { binaryScore: true },
    });
    expect(await stateOf()).toMatchObject({
      state: 'unscored',
      reason: expect.stringContaining('1 of 2 spans'),
    });
    await ok(put(record, config, 3, false));
    expect(await stateOf()).toMatchObject({ state: 'scored', passed: false, score: { binaryScore: false } });
    await ok(put(record, config, 3, true));
    expect(await stateOf()).toMatchObject({ state: 'scored', passed: true });
    const { data } = await ok(api('GET', `/records/${record}/span-scores`));
    expect(data.map((score: { spanId: string; passed: boolean }) => [score.spanId, score.passed])).toEqual([
      [spanId(2), true],
      [spanId(3), true],
    ]);
  });

  it('keeps each verdict that is replaced, newest first, for its span alone; one that says the same replaces none', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    for (const passed of [true, false, false, true]) await ok(put(record, config, 2, passed));
    await ok(put(record, config, 3, false));
    const read = (n: number) => api('GET', `/records/${record}/scores/${config}/spans/${spanId(n)}`);
    const { history, updatedAt } = await ok(read(2));
    expect(history.map((one: { score: object; state: string }) => [one.state, one.score])).toEqual([
      ['scored', { binaryScore: false }],
      ['scored', { binaryScore: true }],
    ]);
    expect(history[0].scoredAt >= history[1].replacedAt && updatedAt >= history[0].replacedAt).toBe(true);
    expect((await ok(read(3))).history).toEqual([]);
    // The record's own history has the verdicts of the record alone.
    const { history: ofRecord } = await ok(api('GET', `/records/${record}/scores/${config}`));
    expect(ofRecord.every((one: { score: object | null }) => !('spanId' in (one.score ?? {})))).toBe(true);
  });

  it('404 for a span that the search does not choose, and for a span of another record', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    expect((await put(record, config, 4, true)).status).toBe(404);
    expect((await put(record, config, 9, true)).status).toBe(404);
  });

  it('400 for a metric that scores records; and scores of records are refused for a metric of spans', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    const other = await configOf({ evalType: 'human', outputType: 'boolean' });
    expect((await put(record, other, 2, true)).status).toBe(400);
    const refused = await api('PUT', `/records/${record}/scores/${config}`, { score: { binaryScore: true } });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('scores spans');
    const bulk = { items: [{ recordId: record, metricConfigId: config, score: { binaryScore: true } }] };
    const [runId] = record.split('-');
    expect((await api('POST', `/runs/${runId}/scores/bulk-upsert`, bulk)).status).toBe(400);
    const brought = {
      inputs: {},
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: config, score: {} }],
    };
    const create = { records: [brought] };
    expect((await api('POST', `/runs/${runId}/records/bulk-create`, create)).status).toBe(400);
  });

  it('400 without the trace if two traces of the record have a span of this id', async () => {
    const [first, second] = [newTraceId(), newTraceId()];
    const session = { 'session.id': `session of ${first}` };
    for (const traceId of [first, second])
      await send([{ traceId, n: 1, attributes: session }, { ...tool(traceId, 2, 'refund') }]);
    const { recordId } = await ok(api('GET', `/projects/${projectId}/traces/${first}/spans/${spanId(1)}`));
    const path = `/records/${recordId}/scores/${await configOf()}/spans/${spanId(2)}`;
    const score = { binaryScore: true };
    expect((await api('PUT', path, { score })).status).toBe(400);
    for (const traceId of [first, second]) {
      const binaryScore = traceId === first;
      expect(await ok(api('PUT', path, { score: { binaryScore }, traceId }))).toMatchObject({ traceId });
    }
    const read = await api('GET', path);
    expect([read.status, JSON.stringify(read.body)]).toEqual([400, expect.stringContaining('/traceId')]);
    for (const traceId of [first, second])
      expect(await ok(api('GET', `${path}?traceId=${traceId}`))).toMatchObject({
        traceId,
        passed: traceId === first,
      });
    expect((await api('GET', `${path}?traceId=${newTraceId()}`)).status).toBe(404);
    const annotate = (more: object) =>
      api('POST', `/records/${recordId}/annotations`, { rating: true, spanId: spanId(2), ...more });
    const refused = await annotate({});
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('/traceId'),
    ]);
    expect((await annotate({ traceId: newTraceId() })).status).toBe(400);
    expect((await annotate({ spanId: null, traceId: first })).status).toBe(400);
    expect(await ok(annotate({ traceId: second.toUpperCase() }), 201)).toMatchObject({ traceId: second });
    const tried = await ok(
      api('POST', `/projects/${projectId}/metrics/preview`, {
        evalType: 'heuristic',
        outputType: 'boolean',
        guidelines: 'const score = () => true;',
        recordId,
        spans: 'kind:tool',
        spanId: spanId(2),
        traceId: second,
      }),
    );
    expect(tried.traceId).toBe(second);
    expect(tried.spans.map((span: { traceId: string }) => span.traceId).toSorted()).toEqual(
      [first, second].toSorted(),
    );
  });

  it('shows each turn of a session what its own spans got, and says which scores are of the whole session', async () => {
    const turns = [newTraceId(), newTraceId(), newTraceId()];
    const attributes = { 'session.id': `session of ${turns[0]}` };
    for (const traceId of turns)
      await send([
        { traceId, n: 1, attributes },
        tool(traceId, 2, traceId === turns[2] ? 'search' : 'refund'),
      ]);
    const { recordId } = await ok(api('GET', `/projects/${projectId}/traces/${turns[0]}/spans/${spanId(1)}`));
    const whole = await configOf({ evalType: 'human', outputType: 'boolean' });
    await ok(api('PUT', `/records/${recordId}/scores/${whole}`, { score: { binaryScore: true } }));
    const config = await configOf();
    const score = (turn: number, binaryScore: boolean) =>
      ok(
        api('PUT', `/records/${recordId}/scores/${config}/spans/${spanId(2)}`, {
          score: { binaryScore },
          traceId: turns[turn],
        }),
      );
    type State = { metricConfigId: string; state: string; passed: boolean | null; whose: string };
    const shown = async (of: string) => {
      const { data } = await ok(api('GET', `/projects/${projectId}/traces`));
      return turns.map((turn) => {
        const { scoreStates } = data.find((one: { traceId: string }) => one.traceId === turn);
        const { state, passed, whose } = scoreStates.find((one: State) => one.metricConfigId === of);
        return [state, passed, whose];
      });
    };
    await score(0, true);
    expect(await shown(config)).toEqual(turns.map(() => ['unscored', null, 'record']));
    await score(1, false);
    expect(await shown(config)).toEqual([
      ['scored', true, 'trace'],
      ['scored', false, 'trace'],
      ['unscored', null, 'trace'],
    ]);
    expect(await shown(whole)).toEqual(turns.map(() => ['scored', true, 'record']));

    // Filters, the order, groups and their rates read what the rows show. The record fails, and one of its turns does.
    const { metricId } = (await ok(api('GET', `/records/${recordId}`))).scoreStates.find(
      (one: State) => one.metricConfigId === config,
    );
    const found = async (q: string) => {
      const { data } = await ok(api('GET', `/projects/${projectId}/traces?q=${encodeURIComponent(q)}`));
      return (data as { traceId: string }[]).map(({ traceId }) => turns.indexOf(traceId)).sort();
    };
    for (const [q, expected] of [
      [`score.${metricId}:fail`, [1]],
      [`score.${metricId}:pass`, [0]],
      [`score.${metricId}:unscored`, [2]],
      [`score.${metricId}:>0`, [0]],
      [`score.${metricId}:0`, [1]],
      [`-score.${metricId}:fail`, [0, 2]],
      [`metric:${metricId} result:fail`, [1]],
      [`score.${metricId}:none`, []],
    ] as const)
      expect([q, await found(q)]).toEqual([q, expected]);
    for (const [direction, order] of [
      ['', [1, 0]],
      ['-', [0, 1]],
    ] as const) {
      const path = `/projects/${projectId}/traces?limit=1&sort=${direction}score.${metricId}`;
      const first = await ok(api('GET', path));
      const second = await ok(api('GET', `${path}&cursor=${encodeURIComponent(first.nextCursor)}`));
      const places = [first, second].map(({ data }) => turns.indexOf(data[0].traceId));
      expect([direction, places]).toEqual([direction, order]);
    }
    const { groups } = await ok(
      api('GET', `/projects/${projectId}/traces/groups?by=score.${metricId}&rateOf=${metricId}`),
    );
    type Group = { value: string; n: number; passRate: { estimate: number | null } };
    expect(groups.map(({ value, n, passRate }: Group) => [value, n, passRate.estimate]).sort()).toEqual([
      ['fail', 1, 0],
      ['pass', 1, 1],
      ['unscored', 1, null],
    ]);
    // The list of records still has one record, which fails.
    const { data: failed } = await ok(api('GET', `/projects/${projectId}/records?q=score.${metricId}:fail`));
    expect(failed).toMatchObject([{ id: recordId }]);
  });

  it('scores go with their record', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    await ok(put(record, config, 2, true));
    await ok(api('DELETE', `/records/${record}`));
    expect((await api('GET', `/records/${record}/span-scores`)).status).toBe(404);
  });
});

describe('a rate over spans', () => {
  /** A record of a run whose trace has refunds; people score them. */
  const scored = async (run: { id: string }, config: string, passes: boolean[], testcaseId?: string) => {
    const traceId = newTraceId();
    const link = `link of ${traceId}`;
    const record = await createRecord(api, run.id, {
      inputs: { link },
      otelLinkId: link,
      ...(testcaseId && { testcaseId }),
    });
    await send([
      { traceId, n: 1, attributes: { 'scorecard.otel_link_id': link } },
      ...passes.map((_, i) => tool(traceId, i + 2, 'refund')),
    ]);
    for (const [i, passed] of passes.entries()) await ok(put(record.id, config, i + 2, passed));
    return record.id as string;
  };

  it('counts each span, in the cluster of its record; a record without such a span is not missing', async () => {
    const metric = await createMetric(api, projectId, refunds);
    const run = await createRun(api, projectId, [metric.id]);
    const config = run.metricVersionIds[0]!;
    await scored(run, config, [true]);
    await scored(run, config, [true, false, false]);
    await scored(run, config, [true, true]);
    await scored(run, config, []);
    const { metrics } = await ok(api('GET', `/runs/${run.id}/summary`));
    expect(metrics[0]).toMatchObject({
      numSpans: 6,
      states: { scored: 3, unscored: 0, pending: 0 },
      passRate: {
        estimate: 4 / 6,
        n: 3,
        method: 'cluster-robust wilson (CR2, Satterthwaite)',
        range: null,
        passK: [],
      },
      distribution: [{ numScores: 2 }, { numScores: 4 }],
    });
    expect(metrics[0].passRate.assumption).toContain('spans of a record may depend on each other');
    // CR2 by hand: the residuals' sums by record, each with 1 − its share of the spans.
    const sums = [
      [1, 1],
      [3, 1],
      [2, 2],
    ].map(([size, passes]) => (passes! - (size! * 4) / 6) ** 2 / (1 - size! / 6));
    const error = Math.sqrt(sums.reduce((a, b) => a + b)) / 6;
    expect(metrics[0].passRate.standardError).toBeCloseTo(error, 12);
    // The same rate wherever the records are grouped. Of records, only 1 of 3 passes.
    for (const path of ['records/groups?by=run', 'runs/groups?by=status', 'traces/groups?by=error']) {
      const { groups } = await ok(api('GET', `/projects/${projectId}/${path}&rateOf=${metric.id}`));
      const { passRate } = groups[0];
      expect([path, passRate.n, passRate.estimate]).toEqual([path, 3, 4 / 6]);
      expect(passRate.standardError).toBeCloseTo(error, 12);
    }
    // Series count the same spans, read at once and by the chore.
    const series = async () => {
      const answer = await ok(api('GET', `/projects/${projectId}/series?bucket=day`));
      return { ...answer.groups[0].total.scores[0], unit: answer.metrics[0].unit };
    };
    const live = await series();
    expect(live).toMatchObject({
      unit: 'span',
      states: { scored: 3, unscored: 0, pending: 0 },
      passRate: { n: 6, estimate: 4 / 6 },
      mean: null,
    });
    expect(live.passRate.caveats[0].sentence).toContain('the spans of a record depend on each other');
    await markChangedHours(app.db);
    while (await countDueHour(app.db));
    expect(await series()).toEqual(live);
  });

  it('leaves a record out whose spans are only partly scored, and says that it is missing', async () => {
    const metric = await createMetric(api, projectId, refunds);
    const run = await createRun(api, projectId, [metric.id]);
    const config = run.metricVersionIds[0]!;
    await scored(run, config, [true, true]);
    const partly = await scored(run, config, [false]);
    const { traceId } = (await ok(api('GET', `/records/${partly}/span-scores`))).data[0];
    await send([tool(traceId, 9, 'refund')]);
    await ok(put(partly, config, 2, false));
    const { metrics } = await ok(api('GET', `/runs/${run.id}/summary`));
    expect(metrics[0]).toMatchObject({ numSpans: 2, states: { scored: 1, unscored: 1 } });
    expect(metrics[0].passRate.warnings.join()).toContain('1 of 2 scores is missing');
  });

  it('is compared by record: each counts once, by the mean over its spans, and the answer says so', async () => {
    const metric = await createMetric(api, projectId, refunds);
    const testset = await createTestset(api, projectId);
    const testcases = await createTestcases(api, testset.id, 2);
    const runs = [];
    for (const passes of [
      [[true, true, true], [true]],
      [
        [true, false, false],
        [true, true],
      ],
    ]) {
      const run = await createRun(api, projectId, [metric.id]);
      for (const [i, each] of passes.entries())
        await scored(run, run.metricVersionIds[0]!, each, testcases[i]!.id);
      runs.push(run);
    }
    const { pairs } = await ok(api('GET', `/runs/compare?runs=${runs.map(({ id }) => id)}`));
    const [compared] = pairs[0].metrics;
    expect(compared).toMatchObject({
      paired: true,
      n: 2,
      before: 1,
      after: (1 / 3 + 1) / 2,
    });
    expect(compared.caveats).toContainEqual(expect.objectContaining({ code: 'spanMeans' }));
  });
});

describe('what decides about judges by records', () => {
  it('400 for review samples and rescorings of a metric of spans', async () => {
    const [people, judge] = [
      await createMetric(api, projectId, refunds),
      await createMetric(api, projectId, {
        ...refunds,
        evalType: 'heuristic',
        guidelines: 'const score = () => true;',
      }),
    ];
    const run = await createRun(api, projectId, []);
    const sample = await api('POST', `/runs/${run.id}/review-samples`, { metricId: people.id, share: 1 });
    expect([sample.status, JSON.stringify(sample.body)]).toEqual([
      400,
      expect.stringContaining('scores spans'),
    ]);
    const scored = await createRun(api, projectId, [judge.id]);
    const rescoring = await api('POST', `/metrics/${judge.id}/trials`, {
      kind: 'rescoring',
      runId: scored.id,
    });
    expect([rescoring.status, JSON.stringify(rescoring.body)]).toEqual([
      400,
      expect.stringContaining('scores spans'),
    ]);
    expect((await ok(api('GET', `/projects/${projectId}/reviews/progress`))).queues).toEqual([]);
  });

  it('a judge of spans is compared with people on the same spans, in the clusters of their records', async () => {
    const people = await createMetric(api, projectId, { ...refunds, guidelines: 'Was it right?' });
    const code = { ...refunds, evalType: 'heuristic', guidelines: 'Was it right?' } as const;
    const judge = await createMetric(api, projectId, code);
    const config = async ({ id }: { id: string }) =>
      (await ok(api('GET', `/metrics/${id}/versions`))).data[0].id as string;
    const [ofPeople, ofJudge] = [await config(people), await config(judge)];
    const run = await createRun(api, projectId, [judge.id]);
    // In each record the spans are alike: ten records say as much as ten spans, not as thirty.
    const records = Array.from({ length: 10 }, (_, i) => ({ judged: i < 7, human: i < 6 || i === 9 }));
    for (const { judged, human } of records) {
      const link = newTraceId();
      const { id } = await createRecord(api, run.id, { inputs: { link }, otelLinkId: link });
      await send([
        { traceId: link, n: 1, attributes: { 'scorecard.otel_link_id': link } },
        ...[2, 3, 4].map((n) => tool(link, n, 'refund')),
      ]);
      for (const n of [2, 3, 4]) {
        await ok(put(id, ofJudge, n, judged));
        await ok(put(id, ofPeople, n, human));
      }
    }
    const found = await ok(
      api('GET', `/metrics/${judge.id}/calibration?runId=${run.id}&numPasses=7&numJudged=10&rates=7/10`),
    );
    expect(found).toMatchObject({
      source: 'metric',
      judge: { peopleMetricId: people.id },
      numDisagreements: 6,
    });
    expect(found).toMatchObject({ n: 30, agreement: { estimate: 0.8, n: 30 } });
    // Of records that are all alike: a share of 8 in 10, with its degrees of freedom.
    expect(found.agreement.effectiveN).toBeCloseTo(9, 6);
    expect(found.abstained.share).toMatchObject({ n: 30, effectiveN: 10 });
    expect(found.caveats).toContainEqual(expect.objectContaining({ code: 'spanLabels' }));
    // Thirty alike spans of ten records are known about as well as ten records: Wilson's interval of 21 of 30 is 0.32 wide, of 7 in 10 0.50.
    const [{ total }] = (await ok(api('GET', `/projects/${projectId}/series`))).groups;
    const { passRate } = total.scores.find(
      (each: { metricConfigId: string }) => each.metricConfigId === ofJudge,
    );
    expect(passRate).toMatchObject({ n: 30, estimate: 0.7 });
    expect(passRate.interval.high - passRate.interval.low).toBeGreaterThan(0.42);
    // The run's rate over its spans is corrected: 21 of 30 pass, sensitivity 6/7, specificity 2/3.
    const rate = (0.7 + 2 / 3 - 1) / (6 / 7 + 2 / 3 - 1);
    expect(found.corrected.roganGladen).toMatchObject({ n: 30, estimate: expect.closeTo(rate, 10) });
    expect(found.corrected.roganGladen.effectiveN).toBeCloseTo(10, 6);
    expect(found.corrected.predictionPowered).toMatchObject({ estimate: null, interval: null });
    // Counts alone do not say which spans are of one record.
    expect([found.correctedRate, found.correctedRates[0]]).toMatchObject([
      { estimate: null, interval: null, uncorrected: 0.7, reason: expect.stringContaining('runId') },
      { estimate: null },
    ]);
    expect(found.caveats.map(({ sentence }: { sentence: string }) => sentence).join()).toContain('runId');
    const { data } = await ok(api('GET', `/metrics/${judge.id}/calibration/disagreements?records=true`));
    expect(data).toHaveLength(6);
    expect(data[0]).toMatchObject({
      spanId: spanId(2),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      record: { id: data[0].recordId },
      judge: { passed: true },
      human: { passed: false },
    });
  });
});

describe('GET /metrics/:metricId/agreement of a metric of spans', () => {
  it('compares what each person said last about the same spans, with their records as units', async () => {
    const people = await createMetric(api, projectId, refunds);
    const { id: config } = (await ok(api('GET', `/metrics/${people.id}/versions`))).data[0];
    const reviewers = await createReviewers(own, 2);
    // Ten records of three spans that are alike in what each person says: eight records on which both agree.
    for (let i = 0; i < 10; i++) {
      const traceId = newTraceId();
      await send([{ traceId, n: 1 }, ...[2, 3, 4].map((n) => tool(traceId, n, 'refund'))]);
      const { recordId } = await ok(
        api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`),
      );
      for (const n of [2, 3, 4])
        for (const [j, passed] of [i < 7, i < 6 || i === 9].entries())
          await ok(
            reviewers[j]!.api('PUT', `/records/${recordId}/scores/${config}/spans/${spanId(n)}`, {
              score: { binaryScore: passed },
            }),
          );
    }
    const found = await ok(api('GET', `/metrics/${people.id}/agreement`));
    expect(found).toMatchObject({
      unit: 'span',
      numReviews: 60,
      numRecords: 30,
      numRecordsWithSeveral: 30,
      agreement: { estimate: 0.8, n: 30 },
      pairs: [{ n: 30, agreement: { estimate: 0.8 }, kappa: { n: 30 } }],
    });
    for (const { effectiveN } of [found.agreement, found.alpha, found.ac, found.pairs[0].agreement])
      expect([9, 10].some((n) => Math.abs(effectiveN - n) < 1e-6)).toBe(true);
    expect(found.caveats.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['dependentRecords', 'reviewsSeen']),
    );
  });
});

describe('POST /projects/:projectId/metrics/preview of a metric of spans', () => {
  it('lists the spans that the search chooses, and scores the first or the one that is named', async () => {
    const recordId = await sendTrace();
    const guidelines =
      'function score(inputs, outputs, expected, { span }) { return { score: span.name === "refund", reasoning: span.spanId }; }';
    const preview = (more: object) =>
      api('POST', `/projects/${projectId}/metrics/preview`, {
        evalType: 'heuristic',
        outputType: 'boolean',
        guidelines,
        ...more,
      });
    const chosen = { recordId, spans: 'kind:tool name:refund' };
    expect(await ok(preview(chosen))).toMatchObject({
      score: { binaryScore: true, reasoning: spanId(2) },
      spans: [
        { spanId: spanId(2), name: 'refund' },
        { spanId: spanId(3), name: 'refund' },
      ],
      spanId: spanId(2),
    });
    expect(await ok(preview({ ...chosen, spanId: spanId(3) }))).toMatchObject({ spanId: spanId(3) });
    expect(await ok(preview({ ...chosen, spanId: spanId(4) }))).toMatchObject({
      state: 'unscored',
      spanId: null,
    });
    expect(await ok(preview({ recordId, spans: 'name:none' }))).toMatchObject({
      reason: 'no_span',
      spans: [],
    });
    expect((await preview({ recordId, spans: 'kind:nothing' })).status).toBe(400);
    expect((await preview({ record: {}, spans: 'kind:tool' })).status).toBe(400);
  });
});

describe('what reads scores of records', () => {
  it('reads those of metrics of spans: searches of records and of traces', async () => {
    const { id: metricId } = await createMetric(api, projectId, { ...refunds, name: 'Refund' });
    const config = (await ok(api('GET', `/metrics/${metricId}/versions`))).data[0].id;
    const [bad, good, open] = [await sendTrace(), await sendTrace(), await sendTrace()];
    for (const [record, passed] of [
      [bad, false],
      [good, true],
    ] as const)
      for (const n of [2, 3]) await ok(put(record, config, n, n === 2 || passed));
    await ok(put(open, config, 2, true));
    const found = async (q: string, what: string) =>
      (await ok(api('GET', `/projects/${projectId}/${what}?q=${encodeURIComponent(q)}`))).data
        .map((one: { id?: string; recordId?: string }) => (what === 'traces' ? one.recordId : one.id))
        .sort();
    for (const what of ['records', 'traces']) {
      expect(await found('score.Refund:fail', what)).toEqual([bad]);
      expect(await found('score.Refund:pass', what)).toEqual([good]);
    }
  });
});
