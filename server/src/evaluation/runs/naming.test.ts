import { describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { runKeys } from './run-keys.ts';

const { app, own } = await openApp();
const projectId: string = (await createProject(own.api)).id;

const getDetails = (id: string) => ok(own.api('GET', `/runs/${id}/details`));

const list = async (project: string, query: Record<string, string>): Promise<string[]> => {
  const { data } = await ok(own.api('GET', `/projects/${project}/run-details?${new URLSearchParams(query)}`));
  return data.map(({ id }: { id: string }) => id);
};

describe('the title of a run', () => {
  it('is made of its number, system, version and testset until it has a name', async () => {
    const testset = await createTestset(own.api, projectId, { name: 'Tickets' });
    const system = await ok(
      own.api('POST', `/projects/${projectId}/systems`, { name: 'Helper', config: { model: 'm' } }),
      201,
    );
    const run = await createRun(own.api, projectId, [], {
      testsetId: testset.id,
      systemVersionId: system.productionVersion.id,
    });
    expect(await getDetails(run.id)).toMatchObject({
      name: null,
      title: `Run ${run.id} · Helper, Version 1 · Tickets`,
    });
    const named = await ok(own.api('PATCH', `/runs/${run.id}/details`, { name: ' Shorter prompt ' }));
    expect(named).toMatchObject({ name: 'Shorter prompt', title: 'Shorter prompt', tags: [] });
    const tagged = await ok(own.api('PATCH', `/runs/${run.id}/details`, { tags: ['nightly'] }));
    expect(tagged).toMatchObject({ name: 'Shorter prompt', tags: ['nightly'] });
    const unnamed = await ok(own.api('PATCH', `/runs/${run.id}/details`, { name: null }));
    expect(unnamed.title).toMatch(/^Run /);
  });

  it('can be given at the start, with tags', async () => {
    const run = await createRun(own.api, projectId, [], { name: 'Baseline', tags: ['main', 'v1'] });
    expect(await getDetails(run.id)).toMatchObject({
      name: 'Baseline',
      title: 'Baseline',
      tags: ['main', 'v1'],
    });
  });

  it('404 for the run of another organization, 400 for a tag with a comma', async () => {
    const run = await createRun(own.api, projectId, []);
    const other = await app.organization();
    expect((await other.api('PATCH', `/runs/${run.id}/details`, { name: 'x' })).status).toBe(404);
    expect((await own.api('PATCH', `/runs/${run.id}/details`, { tags: ['a,b'] })).status).toBe(400);
  });
});

describe('a run in a list', () => {
  it('says how its notes begin', async () => {
    const { id } = await createRun(own.api, projectId, []);
    const notes = `mark: main\n${'a shorter prompt '.repeat(20)}`;
    await ok(own.api('PATCH', `/runs/${id}/details`, { notes }));
    expect(await getDetails(id)).toMatchObject({ marks: [], verdicts: [], notesStart: notes.slice(0, 200) });
  });

  it('is found by the words of its title, notes, tags and marks, whatever their case', async () => {
    const project = (await createProject(own.api)).id;
    const a = await createRun(own.api, project, [], { name: 'Nightly 100% build', tags: ['release'] });
    const b = await createRun(own.api, project, []);
    await ok(own.api('PATCH', `/runs/${b.id}/details`, { notes: 'the nightly of Friday' }));
    expect(await list(project, { q: 'NIGHTLY' })).toEqual([b.id, a.id]);
    expect(await list(project, { q: 'nightly friday' })).toEqual([b.id]);
    expect(await list(project, { q: '100%' })).toEqual([a.id]);
    expect(await list(project, { q: '1%0' })).toEqual([]);
    expect(await list(project, { q: 'release' })).toEqual([a.id]);
    await ok(own.api('PATCH', `/runs/${b.id}/details`, { marks: ['stable/v2'] }));
    expect(await list(project, { q: 'stable nightly' })).toEqual([b.id]);
    expect(await list(project, { q: `run ${b.id}` })).toEqual([b.id]);
  });

  it('is filtered by tag, testset, metric, system, status, kind and scores; pages of a filter are whole', async () => {
    const project = (await createProject(own.api)).id;
    const metric = await createMetric(own.api, project, { evalType: 'human', outputType: 'boolean' });
    const testset = await createTestset(own.api, project);
    const system = await ok(own.api('POST', `/projects/${project}/systems`, { config: {} }), 201);
    const plain = await createRun(own.api, project, [], { tags: ['a'] });
    const scored = await createRun(own.api, project, [metric.id], {
      testsetId: testset.id,
      systemVersionId: system.productionVersion.id,
    });
    const record = await createRecord(own.api, scored.id);
    const config = scored.metricVersionIds[0];
    await ok(own.api('PUT', `/records/${record.id}/scores/${config}`, { score: { binaryScore: true } }));
    await post(app, own.key, requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': project }));
    expect(await list(project, { tag: 'a' })).toEqual([plain.id]);
    expect(await list(project, { testsetId: testset.id })).toEqual([scored.id]);
    expect(await list(project, { metricId: metric.id })).toEqual([scored.id]);
    expect(await list(project, { systemId: system.id })).toEqual([scored.id]);
    expect(await list(project, { status: 'pending' })).toEqual([plain.id]);
    expect(await list(project, { scored: 'true' })).toEqual([scored.id]);
    expect(await list(project, { kind: 'evaluation' })).toEqual([scored.id, plain.id]);
    const [traces, ...more] = await list(project, { kind: 'traces' });
    expect(more).toEqual([]);
    expect(await getDetails(traces!)).toMatchObject({ kind: 'traces' });
    const third = await createRun(own.api, project, []);
    const path = `/projects/${project}/runs?status=pending&limit=1`;
    const first = await ok(own.api('GET', path));
    expect(first.data[0].id).toBe(third.id);
    const next = await ok(own.api('GET', `${path}&cursor=${first.nextCursor}`));
    expect(next).toMatchObject({ hasMore: false, data: [{ id: plain.id }] });
  });
});

describe('a search of runs', () => {
  it('has the words of each group, which find just its runs; unknown filters are refused with a suggestion', async () => {
    const { id } = await createProject(own.api);
    const testset = await createTestset(own.api, id, { name: 'Mails: "old"' });
    const metric = await createMetric(own.api, id, {
      name: 'Polite',
      evalType: 'human',
      outputType: 'boolean',
    });
    const system = await ok(
      own.api('POST', `/projects/${id}/systems`, { name: 'Helper', config: { model: 'm' } }),
      201,
    );
    const first = await createRun(own.api, id, [metric.id], { name: 'Short one', tags: ['nightly', 'v 1'] });
    const second = await createRun(own.api, id, [], {
      testsetId: testset.id,
      systemVersionId: system.productionVersion.id,
    });
    const record = await createRecord(own.api, first.id);
    const score = `/records/${record.id}/scores/${first.metricVersionIds[0]}`;
    await ok(own.api('PUT', score, { score: { binaryScore: true } }));
    await ok(own.api('PATCH', `/runs/${second.id}/details`, { marks: ['main'], notes: 'a shorter prompt' }));
    await ok(own.api('PUT', `/runs/${second.id}/verdicts/rules`, { outcome: 'pass' }));
    const groups = (by: string, more = '') =>
      ok(own.api('GET', `/projects/${id}/runs/groups?by=${by}&${more}`));
    const keys = Object.keys(runKeys).filter((key) => key !== 'after' && key !== 'before');
    for (const by of keys) {
      const found = await groups(by);
      expect([by, found.n, found.partial]).toEqual([by, 2, false]);
      for (const { words, n } of found.groups)
        expect([words, (await list(id, { q: words })).length]).toEqual([words, n]);
    }
    expect((await groups('tag')).groups.map(({ value }: { value: string | null }) => value)).toEqual([
      'nightly',
      null,
      'v 1',
    ]);
    expect(await groups('status', 'q=metric:polite')).toMatchObject({
      n: 1,
      groups: [{ value: 'completed', passRate: null }],
    });
    // The rate of a group is over the records of its runs that fit.
    const rated = await groups('tag', `rateOf=${metric.id}`);
    expect(
      rated.groups.map(
        ({ value, passRate }: { value: string; passRate: { n: number; estimate: number } }) => [
          value,
          passRate.n,
          passRate.estimate,
        ],
      ),
    ).toEqual([
      ['nightly', 1, 1],
      [null, 0, null],
      ['v 1', 1, 1],
    ]);
    const other = await groups('kind', `rateOf=polite&q=${encodeURIComponent('-tag:nightly')}`);
    expect(other.groups[0].passRate).toMatchObject({ n: 0, interval: null });
    expect((await own.api('GET', `/projects/${id}/runs/groups?by=tag&rateOf=Rude`)).status).toBe(400);
    // Nothing is left out when just as many runs exist as are read.
    expect(await groups('kind', 'newest=2')).toMatchObject({ n: 2, partial: false });
    expect(await groups('kind', 'newest=1')).toMatchObject({ n: 1, partial: true });
    expect(await list(id, { q: `testset:${testset.id} prompt` })).toEqual([second.id]);
    expect(await list(id, { q: 'short -tag:nightly' })).toEqual([second.id]);
    expect(await list(id, { q: 'system:~help version:"version 1" after:2020-01-01' })).toEqual([second.id]);
    expect(await list(id, { q: '-prompt' })).toEqual([first.id]);
    const refused = await own.api('GET', `/projects/${id}/runs?q=testst:x`);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('Did you mean testset:?'),
    ]);
    expect((await own.api('GET', `/projects/${id}/runs/groups?by=notes`)).status).toBe(400);
  });
});
