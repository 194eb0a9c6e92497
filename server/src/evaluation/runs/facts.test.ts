import { describe, expect, it } from 'vitest';
import { createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { app, own } = await openApp();
const projectId: string = (await createProject(own.api)).id;

const newRun = async (project = projectId): Promise<string> => (await createRun(own.api, project, [])).id;
const detailOf = (id: string) => ok(own.api('GET', `/runs/${id}/details`));
const mark = (id: string, marks: string[]) => own.api('PATCH', `/runs/${id}/details`, { marks });
const decide = (id: string, verdict: object, gate = 'dokima.yaml') =>
  own.api('PUT', `/runs/${id}/verdicts/${encodeURIComponent(gate)}`, verdict);
const list = async (project: string, query: string, path = 'run-details'): Promise<string[]> => {
  const { data } = await ok(own.api('GET', `/projects/${project}/${path}?${query}`));
  return data.map(({ id }: { id: string }) => id);
};

describe('the origin of a run', () => {
  it('is given at its creation, and finds it', async () => {
    const origin = 'promptfoo: eval-1, gpt';
    const run = await createRun(own.api, projectId, [], { origin });
    const other = await createRun(own.api, projectId, [], { origin: `${origin} 2` });
    expect((await detailOf(run.id)).origin).toBe(origin);
    expect((await detailOf(await newRun())).origin).toBeNull();
    const query = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;
    expect(await list(projectId, query('origin', origin), 'runs')).toEqual([run.id]);
    expect(await list(projectId, query('q', 'promptfoo eval-1'))).toEqual([other.id, run.id]);
  });
});

describe('the marks of a run', () => {
  it('are replaced as a whole, and stay when other things change', async () => {
    const id = await newRun();
    await ok(mark(id, ['main', 'v1']));
    expect((await detailOf(id)).marks.sort()).toEqual(['main', 'v1']);
    await ok(own.api('PATCH', `/runs/${id}/details`, { name: 'x' }));
    await ok(own.api('PATCH', `/runs/${id}/details`, { notes: 'mark: no' }));
    expect((await detailOf(id)).marks.sort()).toEqual(['main', 'v1']);
    expect((await ok(mark(id, ['v1', 'v2']))).marks.sort()).toEqual(['v1', 'v2']);
    expect((await ok(mark(id, []))).marks).toEqual([]);
  });

  it('find runs, newest first, in both lists; a mark that begins another one is not it', async () => {
    const project = (await createProject(own.api)).id;
    const ids = [await newRun(project), await newRun(project), await newRun(project)];
    await ok(mark(ids[0]!, ['main']));
    await ok(mark(ids[1]!, ['mainline']));
    await ok(mark(ids[2]!, ['release', 'main']));
    await ok(own.api('PATCH', `/runs/${ids[1]}/details`, { notes: 'mark: main' }));
    for (const path of ['runs', 'run-details'])
      expect(await list(project, 'mark=main', path)).toEqual([ids[2], ids[0]]);
    expect((await own.api('GET', `/projects/${project}/runs?mark=a%20b`)).status).toBe(400);
  });

  it('400 for a mark with a space and for one that is repeated, 404 for the run of another organization', async () => {
    const id = await newRun();
    expect((await mark(id, ['a b'])).status).toBe(400);
    expect((await mark(id, ['a', 'a'])).status).toBe(400);
    const other = await app.organization();
    expect((await other.api('PATCH', `/runs/${id}/details`, { marks: ['a'] })).status).toBe(404);
    expect((await detailOf(id)).marks).toEqual([]);
  });
});

describe('PUT /runs/:runId/verdicts/:gate', () => {
  it('keeps one verdict of each gate, the newest first, and marks a run that passes', async () => {
    const [before, id] = [await newRun(), await newRun()];
    const reason = 'Right is worse than run 1';
    await ok(decide(id, { outcome: 'worse', baselineRunId: before, against: `run ${before}`, reason }));
    await ok(decide(id, { outcome: 'incomplete' }, 'ci/nightly gate.yaml'));
    const { verdicts } = await detailOf(id);
    const other = { gate: 'ci/nightly gate.yaml', outcome: 'incomplete', baselineRunId: null, against: null };
    expect(verdicts).toMatchObject([
      { ...other, reason: null, decidedAt: expect.any(String) },
      { gate: 'dokima.yaml', outcome: 'worse', baselineRunId: before, against: `run ${before}`, reason },
    ]);
    const again = await ok(decide(id, { outcome: 'pass', mark: 'main' }));
    expect(again).toMatchObject({ outcome: 'pass', baselineRunId: null, reason: null });
    expect(await detailOf(id)).toMatchObject({
      marks: ['main'],
      verdicts: [{ gate: 'dokima.yaml', outcome: 'pass' }, other],
    });
    await ok(own.api('DELETE', `/runs/${before}`));
    expect((await detailOf(id)).verdicts).toHaveLength(2);
  });

  it('is a query: all runs of a mark, of a gate, of an outcome, and of all together', async () => {
    const project = (await createProject(own.api)).id;
    const ids: string[] = [];
    for (const [outcome, gate, marks] of [
      ['pass', 'a.yaml', ['main']],
      ['worse', 'a.yaml', ['main']],
      ['worse', 'b.yaml', []],
      ['pass', 'b.yaml', ['main']],
    ] as const) {
      const id = await newRun(project);
      ids.push(id);
      await ok(mark(id, [...marks]));
      await ok(decide(id, { outcome }, gate));
    }
    const [first, second, third, fourth] = ids;
    await newRun(project);
    expect(await list(project, 'gate=a.yaml')).toEqual([second, first]);
    expect(await list(project, 'outcome=worse')).toEqual([third, second]);
    expect(await list(project, 'mark=main&outcome=pass')).toEqual([fourth, first]);
    expect(await list(project, 'mark=main&gate=a.yaml&outcome=worse')).toEqual([second]);
    // The outcome is that of the gate that is named.
    await ok(decide(second!, { outcome: 'pass' }, 'b.yaml'));
    expect(await list(project, 'gate=a.yaml&outcome=pass')).toEqual([first]);
    const page = await ok(own.api('GET', `/projects/${project}/run-details?outcome=pass&limit=2`));
    expect(page).toMatchObject({ data: [{ id: fourth }, { id: second }], hasMore: true });
    expect(await list(project, `outcome=pass&cursor=${page.nextCursor}`)).toEqual([first]);
  });

  it('400 for a mark without a pass, 404 for a baseline of another project, and nothing stored', async () => {
    const id = await newRun();
    const elsewhere = await newRun((await createProject(own.api)).id);
    expect((await decide(id, { outcome: 'worse', mark: 'main' })).status).toBe(400);
    expect((await decide(id, { outcome: 'pass', baselineRunId: elsewhere })).status).toBe(404);
    expect((await decide(id, { outcome: 'PASS' })).status).toBe(400);
    expect(await detailOf(id)).toMatchObject({ marks: [], verdicts: [] });
  });
});
