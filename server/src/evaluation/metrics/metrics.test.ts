import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { app, own } = await openApp({ DOKIMA_JUDGE_MODEL: 'the-default-judge' });
const projectId: string = (await createProject(own.api)).id;

const template = { promptTemplate: 'Is {{outputs.answer}} right?' };

describe('POST /projects/:projectId/metrics', () => {
  it.each([
    [
      'ai',
      'int',
      template,
      { ...template, evalModelName: 'the-default-judge', temperature: 0, passingThreshold: 4 },
    ],
    [
      'ai',
      'float',
      template,
      { ...template, evalModelName: 'the-default-judge', temperature: 0, passingThreshold: 0.9 },
    ],
    ['ai', 'boolean', template, { ...template, evalModelName: 'the-default-judge', temperature: 0 }],
    ['human', 'int', {}, { passingThreshold: 4 }],
    ['human', 'float', {}, { passingThreshold: 0.9 }],
    ['human', 'boolean', {}, {}],
    ['heuristic', 'int', {}, { passingThreshold: 4 }],
    ['heuristic', 'float', {}, { passingThreshold: 0.9 }],
    ['heuristic', 'boolean', {}, {}],
  ])(
    '201 echoes %s %s with its defaults filled in and no field of another variant',
    async (evalType, outputType, sent, filled) => {
      const { id, ...metric } = await createMetric(own.api, projectId, { evalType, outputType, ...sent });
      expect(metric).toEqual({
        name: 'Metric',
        description: null,
        evalType,
        outputType,
        guidelines: '',
        ...filled,
      });
      expect(await ok(own.api('GET', `/metrics/${id}`))).toEqual({ id, ...metric });
    },
  );

  it('400 names each problem of the chosen variant, and of no other', async () => {
    const { status, body } = await own.api('POST', `/projects/${projectId}/metrics`, {
      evalType: 'ai',
      outputType: 'int',
      name: 7,
      temperature: 2.1,
      passingThreshold: 0.5,
    });
    expect(status).toBe(400);
    expect(body.details.issues).toHaveLength(4);
    expect(body.details.issues).toEqual(
      expect.arrayContaining([
        { path: '/promptTemplate', message: 'is required' },
        { path: '/name', message: 'must be a string' },
        { path: '/temperature', message: 'must be a number from 0 to 2' },
        { path: '/passingThreshold', message: 'must be an integer from 1 to 5' },
      ]),
    );
  });

  it('400 says which evalTypes there are', async () => {
    const { body } = await own.api('POST', `/projects/${projectId}/metrics`, {
      name: 'M',
      evalType: 'magic',
      outputType: 'int',
    });
    expect(body.details.issues).toEqual([
      { path: '/evalType', message: 'must be one of "ai", "human", "heuristic"' },
    ]);
  });

  it('keeps a field of another variant out of the metric', async () => {
    const metric = await createMetric(own.api, projectId, {
      evalType: 'human',
      outputType: 'boolean',
      passingThreshold: 3,
    });
    expect(metric).not.toHaveProperty('passingThreshold');
  });

  it("404 when the project is another organization's, as if it did not exist", async () => {
    const other = await app.organization();
    const body = { name: 'M', evalType: 'human', outputType: 'int' };
    const foreign = await other.api('POST', `/projects/${projectId}/metrics`, body);
    const unknown = await other.api('POST', '/projects/999999999/metrics', body);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text.replace('999999999', projectId));
  });

  it('400 names the variables of a prompt that no record can fill, at creation and at a change', async () => {
    const { id } = await createProject(own.api);
    const metric = { name: 'M', evalType: 'ai', outputType: 'boolean' };
    const promptTemplate = 'Is {{ output.answer }} as {{ reference }}? {{ inputs.anything }}';
    const refused = await own.api('POST', `/projects/${id}/metrics`, { ...metric, promptTemplate });
    expect(refused.status).toBe(400);
    expect(refused.body.details.issues).toEqual([
      {
        path: '/promptTemplate',
        message: expect.stringMatching(/^must not use output, reference: no record can fill it/),
      },
    ]);
    const made = await createMetric(own.api, id, { ...metric, promptTemplate: '{{ inputs.anything }}' });
    expect((await own.api('PATCH', `/metrics/${made.id}`, { ...metric, promptTemplate })).status).toBe(400);
  });

  it.each([
    ['{{ outputs.my-key }}', /must not use key: .* write \{\{ outputs\["my-key"\] \}\}/],
    ['{{ inputs.a-long-name }}', /write \{\{ inputs\["a-long-name"\] \}\}/],
    [' \n\t', /^must not be blank/],
  ])('400 says how to write %j', async (promptTemplate, said) => {
    const metric = { name: 'M', evalType: 'ai', outputType: 'boolean', promptTemplate };
    const refused = await own.api('POST', `/projects/${projectId}/metrics`, metric);
    expect(refused.body.details.issues).toEqual([
      { path: '/promptTemplate', message: expect.stringMatching(said) },
    ]);
  });
});

describe('PATCH /metrics/:metricId', () => {
  const versionOf = async (metricId: string): Promise<string> =>
    (await createRun(own.api, projectId, [metricId])).metricVersionIds[0];

  it('keeps the configuration when only the name or description changes', async () => {
    const { id } = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const before = await versionOf(id);
    const kind = { evalType: 'human', outputType: 'int' };
    const renamed = await ok(own.api('PATCH', `/metrics/${id}`, { ...kind, name: 'New', description: 'd' }));
    expect(renamed).toMatchObject({ name: 'New', description: 'd', passingThreshold: 4 });
    expect(await versionOf(id)).toBe(before);
  });

  it('makes a new configuration when scoring changes, and a run keeps the one that it began with', async () => {
    const { id } = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const run = await createRun(own.api, projectId, [id]);
    await ok(
      own.api('PATCH', `/metrics/${id}`, { evalType: 'human', outputType: 'int', passingThreshold: 2 }),
    );
    expect(await versionOf(id)).not.toBe(run.metricVersionIds[0]);
    expect((await ok(own.api('GET', `/runs/${run.id}`))).metricVersionIds).toEqual(run.metricVersionIds);
  });

  it('makes no new configuration when the values sent are those it has', async () => {
    const { id } = await createMetric(own.api, projectId, {
      evalType: 'human',
      outputType: 'float',
      guidelines: 'g',
    });
    const before = await versionOf(id);
    const same = { evalType: 'human', outputType: 'float', guidelines: 'g', passingThreshold: 0.9 };
    await ok(own.api('PATCH', `/metrics/${id}`, same));
    expect(await versionOf(id)).toBe(before);
  });

  it('changes the variant, whose own rules then hold', async () => {
    const { id } = await createMetric(own.api, projectId, {
      evalType: 'human',
      outputType: 'int',
      guidelines: 'g',
    });
    const toAi = { evalType: 'ai', outputType: 'float' };
    const refused = await own.api('PATCH', `/metrics/${id}`, toAi);
    expect(refused.body.details.issues).toEqual([{ path: '/promptTemplate', message: 'is required' }]);
    expect(await ok(own.api('PATCH', `/metrics/${id}`, { ...toAi, ...template }))).toMatchObject({
      ...template,
      guidelines: 'g',
      passingThreshold: 0.9,
      temperature: 0,
    });
  });

  it('400 for guidelines that stay, become code by it, and do not compile', async () => {
    const kind = { evalType: 'human', outputType: 'boolean' };
    const guidelines = 'function score(inputs, outputs, expected) { return {';
    const metric = await createMetric(own.api, projectId, { ...kind, guidelines });
    const becomes = { evalType: 'heuristic', outputType: 'boolean' };
    const { status, body } = await own.api('PATCH', `/metrics/${metric.id}`, becomes);
    expect({ status, path: body.details?.issues[0].path }).toEqual({ status: 400, path: '/guidelines' });
    // Code without the function that is called would never run, and its scores would be waited for.
    const beside = await own.api('PATCH', `/metrics/${metric.id}`, {
      ...becomes,
      guidelines: 'function judge(inputs, outputs) { return true }',
    });
    expect(beside.body.details.issues).toEqual([
      { path: '/guidelines', message: expect.stringContaining('rename judge to score') },
    ]);
    expect(await ok(own.api('GET', `/metrics/${metric.id}`))).toEqual(metric);
    await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...kind, guidelines: 'prose' }));
    await ok(own.api('PATCH', `/metrics/${metric.id}`, becomes));
  });

  it('asks the judge once where as many votes as before could tie', async () => {
    const { id } = await createMetric(own.api, projectId, { evalType: 'ai', outputType: 'int', ...template });
    const repeats = async () => (await ok(own.api('GET', `/metrics/${id}/settings`))).judgeRepeats;
    await ok(own.api('PATCH', `/metrics/${id}/settings`, { judgeRepeats: 2 }));
    await ok(own.api('PATCH', `/metrics/${id}`, { evalType: 'ai', outputType: 'float' }));
    expect(await repeats()).toBe(2);
    await ok(own.api('PATCH', `/metrics/${id}`, { evalType: 'ai', outputType: 'boolean' }));
    expect(await repeats()).toBe(1);
  });

  it('makes changes that come at once one after the other, and keeps what each of them said', async () => {
    const kind = { evalType: 'ai', outputType: 'int' };
    const { id } = await createMetric(own.api, projectId, { ...kind, ...template });
    const patch = (fields: object) => ok(own.api('PATCH', `/metrics/${id}`, { ...kind, ...fields }));
    const last = { guidelines: 'g', temperature: 1, passingThreshold: 2, evalModelName: 'm' };
    for (let round = 0; round < 5; round++) {
      await patch({ guidelines: '', temperature: 0, passingThreshold: 4, evalModelName: 'n' });
      await Promise.all(Object.entries(last).map(([field, value]) => patch({ [field]: value })));
      expect(await ok(own.api('GET', `/metrics/${id}`))).toMatchObject(last);
    }
  });

  it('400 without evalType and outputType', async () => {
    const { id } = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const { status, body } = await own.api('PATCH', `/metrics/${id}`, { name: 'x' });
    expect(status).toBe(400);
    expect(body.details.issues.map((issue: { path: string }) => issue.path)).toEqual([
      '/evalType',
      '/outputType',
    ]);
  });
});

describe('GET /metrics/:metricId/versions', () => {
  it('pages through every configuration once', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    for (const guidelines of ['a', 'b']) {
      await ok(
        own.api('PATCH', `/metrics/${metric.id}`, { evalType: 'human', outputType: 'boolean', guidelines }),
      );
    }
    const path = `/metrics/${metric.id}/versions`;
    const all = (await ok(own.api('GET', path))).data;
    const first = await ok(own.api('GET', `${path}?limit=2`));
    const rest = await ok(own.api('GET', `${path}?limit=2&cursor=${first.nextCursor}`));
    expect([...first.data, ...rest.data]).toEqual(all);
    expect([all.length, rest.nextCursor]).toEqual([3, '']);
  });

  it('lists every configuration, newest first, and says which is current', async () => {
    const project = await createProject(own.api);
    const kind = { evalType: 'human', outputType: 'int' };
    const metric = await createMetric(own.api, project.id, { ...kind, guidelines: 'first' });
    await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...kind, guidelines: 'second' }));
    await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...kind, name: 'Renamed' }));
    const { data } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
    expect(data).toMatchObject([
      { ...kind, guidelines: 'second', passingThreshold: 4, current: true },
      { ...kind, guidelines: 'first', passingThreshold: 4, current: false },
    ]);
    const run = await createRun(own.api, project.id, [metric.id]);
    expect(run.metricVersionIds).toEqual([data[0].id]);
  });
});

describe('DELETE /metrics/:metricId', () => {
  it('hides the metric and keeps the scores that it gave', async () => {
    const { id } = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, projectId, [id]);
    const record = await createRecord(own.api, run.id);
    const score = { binaryScore: true, reasoning: 'because' };
    await ok(own.api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, { score }));
    await ok(own.api('DELETE', `/metrics/${id}`));

    expect((await own.api('GET', `/metrics/${id}`)).status).toBe(404);
    expect((await own.api('DELETE', `/metrics/${id}`)).status).toBe(404);
    expect((await own.api('POST', `/projects/${projectId}/runs`, { metricIds: [id] })).status).toBe(404);
    const { data } = await ok(own.api('GET', `/runs/${run.id}/records`));
    expect(data[0].scores).toMatchObject([
      { recordId: record.id, metricConfigId: run.metricVersionIds[0], score },
    ]);
    expect((await ok(own.api('GET', `/runs/${run.id}`))).metricIds).toEqual([id]);
  });

  it('ends its scoring: new records of its runs wait for no score of it, and none is queued', async () => {
    const { id } = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const other = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, projectId, [id, other.id]);
    await ok(own.api('DELETE', `/metrics/${id}`));

    const [configId, otherConfigId] = run.metricVersionIds;
    const record = await createRecord(own.api, run.id);
    const linked = await createRecord(own.api, run.id, { otelLinkId: 'a' });
    for (const one of [record, linked]) {
      const { scoreStates } = await ok(own.api('GET', `/records/${one.id}`));
      expect(scoreStates).toMatchObject([{ metricConfigId: otherConfigId, state: 'pending' }]);
    }
    const path = `/records/${record.id}/scores/${configId}`;
    const { status, body } = await own.api('PUT', path, {});
    expect({ status, path: body.details?.issues[0].path }).toEqual({ status: 400, path: '/score' });
    await ok(own.api('PUT', path, { score: { binaryScore: true } }));
  });
});
