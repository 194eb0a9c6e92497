import { beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const { own } = await openApp();
let projectId: string;
let testsetId: string;
let testcaseIds: string[];
let metric: { id: string; outputType: string };

const count = 60;
const german = (i: number) => i % 3 === 0;

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  const testset = await createTestset(own.api, projectId, {
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: ['language'] },
  });
  testsetId = testset.id;
  const items = Array.from({ length: count }, (_, i) => ({
    jsonData: { question: `q${i}`, answer: 'a', language: german(i) ? 'de' : 'en' },
  }));
  const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  testcaseIds = made.items.map(({ id }: { id: string }) => id);
  metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
});

const runOf = (passes: (i: number) => boolean, ids = testcaseIds, fields: Record<string, unknown> = {}) =>
  createRunOf(
    own.api,
    projectId,
    [metric],
    ids.map((testcaseId, i) => ({
      testcaseId,
      inputs: { question: `q${i}`, part: german(i) ? 1 : 2 },
      scores: { [metric.id]: passes(i) },
    })),
    fields,
  );
const compare = async (ids: string[], query: string) =>
  ok(own.api('GET', `/runs/compare?runs=${ids}${query}`));

describe('GET /runs/compare?by=&value=', () => {
  it('compares the records of one slice, as if the runs had no others', async () => {
    const before = await runOf(() => true);
    const after = await runOf((i) => !german(i) || i % 2 === 0);
    const ids = [before.run.id, after.run.id];
    const whole = (await compare(ids, '')).pairs[0].metrics[0];
    expect(whole).toMatchObject({ n: 60, losses: 10 });
    for (const slice of ['&by=metadata.language&value=de', '&by=inputs.part&value=1']) {
      const found = await compare(ids, slice);
      expect(found.runs).toMatchObject([{ numRecords: 20 }, { numRecords: 20 }]);
      expect(found.pairs[0].metrics[0]).toMatchObject({
        n: 20,
        wins: 0,
        losses: 10,
        ties: 10,
        verdict: 'worse',
      });
    }
    const found = await compare(ids, '&by=metadata.language&value=en');
    expect(found).toMatchObject({ slice: { by: 'metadata.language', value: 'en' } });
    expect(found.pairs[0].metrics[0]).toMatchObject({ n: 40, losses: 0, difference: 0 });
    expect(await compare(ids, '')).toMatchObject({ slice: null });
  });

  it('is that of two runs that have only these records', async () => {
    const before = await runOf((i) => i % 4 > 0);
    const after = await runOf((i) => i % 5 > 0);
    const few = testcaseIds.filter((_, i) => german(i));
    const only = [await runOf((i) => (3 * i) % 4 > 0, few), await runOf((i) => (3 * i) % 5 > 0, few)];
    const slice = (await compare([before.run.id, after.run.id], '&by=metadata.language&value=de')).pairs[0]
      .metrics[0];
    const alone = (
      await compare(
        only.map(({ run }) => run.id),
        '',
      )
    ).pairs[0].metrics[0];
    const figures = ({
      n,
      difference,
      interval,
      p,
      mcnemar,
      wins,
      losses,
      correlation,
      minimumDetectable,
    }: typeof slice) => ({
      n,
      difference,
      interval,
      p,
      mcnemar,
      wins,
      losses,
      correlation,
      minimumDetectable,
    });
    expect(figures(slice)).toEqual(figures(alone));
  });

  it('by tag takes the records of each run that have it; a testcase that has it in one run only is dropped', async () => {
    const before = await runOf(() => true);
    const after = await runOf(() => false);
    for (const [run, places] of [
      [before, [0, 1, 2]],
      [after, [1, 2, 3]],
    ] as const)
      for (const i of places)
        await ok(own.api('POST', `/records/${run.recordIds[i]}/tags`, { text: 'hard' }), 201);
    const { pairs } = await compare([before.run.id, after.run.id], '&by=tag&value=hard');
    expect(pairs[0].metrics[0]).toMatchObject({
      n: 2,
      losses: 2,
      dropped: { onlyBefore: { numTestcases: 1 }, onlyAfter: { numTestcases: 1 } },
    });
  });

  it('no record in the slice is an answer without figures; 400 for one of the two parameters', async () => {
    const ids = [(await runOf(() => true)).run.id, (await runOf(() => true)).run.id];
    const { pairs } = await compare(ids, '&by=metadata.language&value=fr');
    expect(pairs[0].metrics[0]).toMatchObject({ n: 0, difference: null, verdict: 'cannot tell' });
    expect((await own.api('GET', `/runs/compare?runs=${ids}&by=tag`)).status).toBe(400);
    expect((await own.api('GET', `/runs/compare?runs=${ids}&value=hard`)).status).toBe(400);
    expect((await own.api('GET', `/runs/compare?runs=${ids}&by=language&value=de`)).status).toBe(400);
  });
});

describe('GET /runs/compare?slices=true', () => {
  it('names the slice that lost more than the rest, in the pairs of the first run, and leaves prose out', async () => {
    const before = await runOf(() => true);
    const after = await runOf((i) => !german(i) || i % 2 === 0);
    const ids = [before.run.id, after.run.id];
    const { slices } = (await compare(ids, '&slices=true&measure=pass')).pairs[0].metrics[0];
    // The 60 questions are prose: they divide nothing.
    expect(slices).toMatchObject({ fields: ['metadata.language'], numSlices: 2 });
    expect(slices.sentence).toMatch(
      /^lost more than the rest: metadata\.language de: −50\.0 points \(shrunken −50\.0, n = 20\), among 2 slices of one field$/,
    );
    expect(slices.worst[0]).toMatchObject({
      field: 'metadata.language',
      value: 'de',
      n: 20,
      before: 1,
      after: 0.5,
      named: true,
    });
    expect(slices.p).toBeLessThan(0.01);
    // All but one of 20 are lost, and one of 40: the interval of the first would end below −1.
    const lost = await runOf((i) => (german(i) ? i === 0 : i !== 1));
    const { worst } = (await compare([before.run.id, lost.run.id], '&slices=true')).pairs[0].metrics[0]
      .slices;
    expect(worst[0]).toMatchObject({ value: 'de', difference: -0.95, shrunkInterval: { low: -1 } });
    const other = await runOf(() => true);
    const three = await compare([...ids, other.run.id], '&slices=true');
    expect(three.pairs.map(({ metrics }: { metrics: object[] }) => 'slices' in metrics[0]!)).toEqual([
      true,
      true,
      false,
    ]);
    expect((await compare(ids, '')).pairs[0].metrics[0]).not.toHaveProperty('slices');
    const refused = await own.api(
      'GET',
      `/runs/compare?runs=${ids}&slices=true&by=metadata.language&value=de`,
    );
    expect(refused.status).toBe(400);
  });
});

describe('GET /runs/compare?pairs=first&pooled=', () => {
  it('compares each run with the first only, and adjusts for these tests', async () => {
    const runs = [];
    for (const k of [0, 1, 2]) runs.push((await runOf((i) => i % 10 > k)).run.id);
    const all = await compare(runs, '');
    const firsts = await compare(runs, '&pairs=first');
    expect([all.tests, firsts.tests]).toEqual([3, 2]);
    // Rates 0.9, 0.8 and 0.7 of the same testcases.
    expect(all.winners).toHaveLength(1);
    expect(all.winners[0]).toMatchObject({ runId: runs[0], numTries: 3, n: 60, mean: 0.9 });
    expect(all.winners[0].estimate).toBeLessThanOrEqual(0.9);
    expect(all.winners[0].sentence).toMatch(
      /^best of 3 is run \d+: it shows 90\.0 %, but was chosen for it; corrected [89]/,
    );
    expect(
      firsts.pairs.map(({ before, after }: { before: string; after: string }) => [before, after]),
    ).toEqual([
      [runs[0], runs[1]],
      [runs[0], runs[2]],
    ]);
  });

  it('counts other runs of the testset as tries, unless one is better or lacks a testcase', async () => {
    const tried = async (k: number, ids = testcaseIds) =>
      (await runOf((i) => (i * 7) % 10 > k, ids, { testsetId })).run.id;
    const runs = [await tried(1), await tried(2), await tried(3)];
    const winnerOf = async () => (await compare(runs, '')).winners[0];
    const alone = await winnerOf();
    expect(alone).toMatchObject({ runId: runs[0], numTries: 3 });
    await tried(1, testcaseIds.slice(0, -1));
    expect(await winnerOf()).toMatchObject({ numTries: 3 });
    for (let i = 0; i < 3; i++) await tried(2);
    const many = await winnerOf();
    expect(many).toMatchObject({ runId: runs[0], numTries: 6, mean: alone.mean });
    expect(many.sentence).toContain('best of 6 tries on these testcases');
    expect(many.estimate).toBeLessThanOrEqual(alone.estimate);
    await tried(0);
    expect(await winnerOf()).toEqual(alone);
  });

  it('takes the scores of further runs of the baseline as its trials', async () => {
    const [a, b, after] = [
      await runOf(() => true),
      await runOf((i) => i % 2 === 0),
      await runOf((i) => i % 4 === 0),
    ];
    const found = await compare([a.run.id, after.run.id], `&pooled=${b.run.id}`);
    expect(found.pooled).toEqual([b.run.id]);
    expect(found.pairs[0].metrics[0]).toMatchObject({ n: 60, before: 0.75, after: 0.25, difference: -0.5 });
    const twice = await own.api('GET', `/runs/compare?runs=${a.run.id},${after.run.id}&pooled=${a.run.id}`);
    expect(twice.status).toBe(400);
  });
});
