import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDecisionFile } from '../../client/src/decision-file/file.ts';
import {
  createMetric,
  createProject,
  createRun,
  createTestset,
  namePeople,
  ok,
} from '../../server/test/fixtures.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site, type Visitor } from './site.ts';

// Notes of the pages of runs beside their numbers: on judges, on missing scores, on the gate.

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite({ DOKIMA_WORKERS: '1' });
  visitor = await site.member('member');
});
afterAll(() => site.close());

const count = 60;

/** A project with a judge, a metric that people score, and testcases. */
const createWorld = async (judges = 1) => {
  const { id: projectId } = await createProject(site.api);
  const judged = await Promise.all(
    Array.from({ length: judges }, (_, i) =>
      createMetric(site.api, projectId, {
        name: `Judged ${i + 1}`,
        evalType: 'ai',
        outputType: 'boolean',
        evalModelName: 'fake/judge',
        promptTemplate: 'Is {{ outputs.answer }} right?',
      }),
    ),
  );
  const people = await createMetric(site.api, projectId, {
    name: 'People',
    evalType: 'human',
    outputType: 'boolean',
  });
  for (const { id } of judged) await namePeople(site.api, id, people.id);
  const testset = await createTestset(site.api, projectId, {
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: ['document'] },
  });
  const items = Array.from({ length: count }, (_, i) => ({
    jsonData: { question: `q${i}`, answer: 'a', document: `d${i % 10}` },
  }));
  const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const ids: string[] = made.items.map(({ id }: { id: string }) => id);
  /** A run in which people scored the first `labels` records. */
  const runOf = async (human: (i: number) => boolean, verdict: (i: number) => boolean, labels: number) => {
    const records = ids.map((testcaseId, i) => ({
      testcaseId,
      scores: {
        ...Object.fromEntries(judged.map(({ id }) => [id, verdict(i)])),
        [people.id]: i < labels ? human(i) : null,
      },
    }));
    const { run } = await createRunOf(site.api, projectId, [...judged, people], records);
    return run.id as string;
  };
  return { projectId, judged, people, testset, ids, runOf };
};

it('lists registered decisions, holds a run against one, and gives the file that anyone can verify', async () => {
  const { page } = visitor;
  const { projectId, judged, testset, ids } = await createWorld();
  const answer = async (passing: number) => {
    const records = ids.map((testcaseId, i) => ({
      testcaseId,
      scores: { [judged[0]!.id]: i % 10 < passing },
    }));
    return (await createRunOf(site.api, projectId, [judged[0]!], records, { testsetId: testset.id })).run
      .id as string;
  };
  await page.goto(`/projects/${projectId}/gate`);
  await page.getByRole('link', { name: 'Registered decisions' }).click();
  await page.getByRole('heading', { name: 'No registered decision yet' }).waitFor();
  const baselineRunId = await answer(8);
  const metricIds = [judged[0]!.id];
  const asked = { question: 'Is the short prompt as good?', owner: 'Ada', minTestcases: count };
  const rules = { metrics: { 'Judged 1': { nonInferiority: { margin: 0.1 } } } };
  const body = { ...asked, testsetId: testset.id, metricIds, baselineRunId, rules };
  await ok(site.api('POST', `/projects/${projectId}/decisions`, body), 201);
  const runId = await answer(9);
  await page.reload();
  await page.getByRole('link', { name: asked.question }).click();
  await page.getByRole('heading', { name: asked.question }).waitFor();
  await page.getByText('"margin": 0.1').waitFor();
  await page.getByRole('combobox', { name: 'Run' }).waitFor();
  await page.getByText('As registered.').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export signed file' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`decision-run-${runId}.json`);
  const opened = openDecisionFile(await readFile(await file.path()));
  expect(opened).toMatchObject({
    state: 'whole',
    file: { statement: { predicate: { numbers: { outcome: 'pass' } } } },
  });
});

describe('the page of a run', () => {
  it('groups its failures, whose groups become a slice, a testset and a metric; shows testcases that a model wrote apart', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const metric = await createMetric(site.api, projectId, {
      name: 'Right',
      evalType: 'heuristic',
      outputType: 'boolean',
    });
    const testset = await createTestset(site.api, projectId, {
      fieldMapping: { inputs: ['question'], expected: [], metadata: ['origin'] },
    });
    const questionOf = (i: number) =>
      i % 2 === 0 ? `Refund of a lamp, order ${i}?` : `Delivery to Oslo, order ${i}?`;
    const items = Array.from({ length: 20 }, (_, i) => ({
      jsonData: { question: questionOf(i), ...(i >= 15 && { origin: 'generated' }) },
    }));
    const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const records = made.items.map(({ id }: { id: string }, i: number) => ({
      testcaseId: id,
      inputs: { question: questionOf(i) },
      scores: { [metric.id]: i >= 15 },
    }));
    const { run } = await createRunOf(site.api, projectId, [metric], records, { testsetId: testset.id });
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    const written = page.getByRole('table', { name: 'Testcases from a model' });
    await written.getByText('+100.0 points').waitFor();
    await page.getByText('5 of 20 records whose testcase a model wrote').waitFor();
    await page.getByRole('button', { name: 'Group failures' }).click();
    const groups = page.getByRole('list', { name: 'Groups of failures' });
    await groups.getByText('refund, lamp').waitFor();
    await groups.getByText('53.3 %').waitFor();
    await groups.getByRole('button', { name: 'Use refund, lamp' }).click();
    await page.getByRole('menuitem', { name: 'Tag as a slice' }).click();
    await page.getByText('Tagged 8 records.').waitFor();
    const { data } = await ok(site.api('GET', `/projects/${projectId}/records?tags=refund lamp`));
    expect(data).toHaveLength(8);
    await groups.getByRole('button', { name: 'Use refund, lamp' }).click();
    await page.getByRole('menuitem', { name: 'Add to a testset' }).click();
    const adding = page.getByRole('dialog', { name: 'Add 8 records to a testset' });
    await adding.getByLabel('Name of the testset').fill('Refunds');
    await adding.getByRole('button', { name: 'Add 8 testcases' }).click();
    await page.getByText('Added 8 testcases to Refunds.').waitFor();
    const testsets = (await ok(site.api('GET', `/projects/${projectId}/testsets`))).data;
    const refunds = testsets.find(({ name }: { name: string }) => name === 'Refunds');
    const added = (await ok(site.api('GET', `/testsets/${refunds.id}/testcases`))).data;
    expect(added.map(({ jsonData }: { jsonData: unknown }) => jsonData)).toEqual(
      expect.arrayContaining(Array.from({ length: 8 }, (_, i) => ({ question: questionOf(2 * i) }))),
    );
    expect(added).toHaveLength(8);
    await groups.getByRole('button', { name: 'Use refund, lamp' }).click();
    await page.getByRole('menuitem', { name: 'Make a metric' }).click();
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('refund, lamp');
    await page.goBack();
    await groups.getByRole('button', { name: 'Use refund, lamp' }).click();
    await page.getByRole('menuitem', { name: 'Write testcases like these' }).click();
    await page.getByRole('heading', { name: 'Testcases from a model' }).waitFor();
  });

  it('says beside the number of a judge how well it is calibrated, with a link to its page', async () => {
    const { page } = visitor;
    const { projectId, judged, runOf } = await createWorld();
    const human = (i: number) => i % 3 > 0;
    const row = page.getByRole('row', { name: /Judged 1/ });
    const unchecked = await runOf(human, human, 0);
    await page.goto(`/projects/${projectId}/runs/${unchecked}`);
    await row.getByRole('link', { name: 'Unusable: not validated yet' }).waitFor();
    const checked = await runOf(human, (i) => (i % 10 === 0 ? !human(i) : human(i)), count);
    await page.goto(`/projects/${projectId}/runs/${checked}`);
    const summary = await ok(site.api('GET', `/runs/${checked}/summary`));
    const { judge } = summary.metrics.find((one: { judge: unknown }) => one.judge !== null);
    expect(judge).toMatchObject({ state: 'calibrated', numLabels: count });
    const link = row.getByRole('link', {
      name: judge.grade === 'mayGateAlone' ? 'May gate alone' : 'Use with correction',
    });
    expect(await link.getAttribute('href')).toContain(`/metrics/${judged[0]!.id}/judge?config=`);
    await page.getByRole('button', { name: 'Judged 1' }).click();
    await page.getByText(`${judge.sentence.slice(1)}. The intervals do not include its errors.`).waitFor();
  });

  it('says on the comparison and on the report whether the judge errs otherwise on the two runs', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld();
    const human = (i: number) => i % 3 > 0;
    const [before, after] = [
      await runOf(human, human, count),
      await runOf(human, (i) => human(i) || i % 2 > 0, count),
    ];
    const said =
      /the judge errs otherwise on the two runs \(p [^)]*\): .* specificity 1\.00 on \d+ and 0\.5\d? on \d+ labels/;
    for (const view of ['compare', 'report']) {
      await page.goto(`/projects/${projectId}/${view}?runs=${before},${after}`);
      await page.getByText(said).waitFor();
    }
  });

  it('shows the marks and the newest verdict of the gate', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld();
    const run = await runOf(
      () => true,
      () => true,
      0,
    );
    await page.goto(`/projects/${projectId}/runs/${run}`);
    await page.getByRole('term').filter({ hasText: 'Records' }).waitFor();
    expect(
      await page
        .getByRole('term')
        .filter({ hasText: /^(Gate|Marks?)$/ })
        .count(),
    ).toBe(0);
    const why = 'Right is worse than run 12';
    await ok(site.api('PATCH', `/runs/${run}/details`, { marks: ['main', 'v1.2'] }));
    const verdict = { outcome: 'worse', against: 'run 12 (latest:main)', reason: why };
    await ok(site.api('PUT', `/runs/${run}/verdicts/dokima.yaml`, verdict));
    await page.reload();
    const fact = (name: string) => page.locator('div').filter({ has: page.locator('dt', { hasText: name }) });
    await fact('Marks').last().getByText('v1.2', { exact: true }).waitFor();
    const gate = fact('Gate').last();
    await gate.getByText('against run 12 (latest:main)').waitFor();
    expect(await gate.getByText('Worse', { exact: true }).getAttribute('title')).toContain(why);
  });
});

describe('a run without scores', () => {
  it('is not shown as completed: nothing scored, or no score of one metric', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const metricOf = (field: string) =>
      createMetric(site.api, projectId, {
        name: `Has ${field}`,
        evalType: 'heuristic',
        outputType: 'boolean',
        guidelines: `function score(inputs, outputs, expected) { return exact(outputs.${field}, 1); }`,
      });
    const [there, missing] = [await metricOf('there'), await metricOf('missing')];
    const runOf = async (metricIds: string[]) => {
      const run = await createRun(site.api, projectId, metricIds);
      const record = { inputs: {}, expected: {}, outputs: { there: 1 } };
      await ok(site.api('POST', `/runs/${run.id}/records`, record), 201);
      const status = async () => (await ok(site.api('GET', `/runs/${run.id}`))).status;
      await expect.poll(status, { timeout: 30_000 }).toBe('completed');
      return run.id;
    };
    const [good, partly, nothing] = [
      await runOf([there.id]),
      await runOf([there.id, missing.id]),
      await runOf([missing.id]),
    ];
    for (const list of [`/projects/${projectId}/runs`, `/projects/${projectId}`]) {
      await page.goto(list);
      const row = (id: string) => page.getByRole('row', { name: new RegExp(`Run ${id} `) });
      await row(nothing).getByText('nothing scored').waitFor();
      await row(partly).getByText('1 of 2 metrics without a score').waitFor();
      await row(good).getByText('Completed').waitFor();
      const colour = (id: string) =>
        row(id)
          .getByText('Completed', { exact: true })
          .evaluate((badge) => getComputedStyle(badge).color);
      expect(await colour(nothing)).toBe(await colour(partly));
      expect(await colour(nothing)).not.toBe(await colour(good));
    }
    await page.goto(`/projects/${projectId}/runs/${nothing}`);
    await page.getByText('Completed, nothing scored').waitFor();
    await page
      .getByText('Has missing: No field outputs.missing')
      .or(page.getByText(/Has missing: .*outputs\.missing/))
      .waitFor();
    await page.goto(`/projects/${projectId}/runs/${partly}`);
    await page.getByText('Completed, 1 of 2 metrics without a score').waitFor();
  });
});

describe('two runs compared', () => {
  it('as people judge: the corrected difference, adjusted for the number of judges, and what more labels would do', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld(2);
    // The judge passes more of the second run; people pass fewer.
    const before = await runOf(
      (i) => i % 10 < 8,
      (i) => i % 4 < 2,
      40,
    );
    const after = await runOf(
      (i) => i % 10 < 4,
      (i) => i % 4 < 3,
      40,
    );
    const { pairs } = await ok(site.api('GET', `/runs/compare?runs=${before},${after}&measure=pass`));
    const { corrected, verdict } = pairs[0].metrics[0];
    expect([verdict, corrected.verdict, corrected.tests]).toEqual(['better', 'worse', 2]);
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}`);
    const points = (value: number) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(1)}`.replace('-', '−');
    const band = ({ low, high }: { low: number; high: number }) => `${points(low)} to ${points(high)} points`;
    const said =
      `${points(corrected.difference)} points, ${band(corrected.interval)}: worse (among 2 tests: 97.5 % interval ` +
      `${band(corrected.simultaneousInterval)}, p ${corrected.adjustedP.toPrecision(2)} by Holm). ` +
      `40 testcases labelled in both runs; ${corrected.moreLabels}.`;
    const row = page.getByRole('row').filter({ hasText: 'As people judge' }).first();
    await row.getByRole('definition').filter({ hasText: said }).waitFor();
    // What is true of both judges stands once, above the table.
    await page
      .getByText(/the judge is not shown to be better than chance/)
      .first()
      .waitFor();
  });

  it('the test for growing runs says that it does not know groups', async () => {
    const { page } = visitor;
    const { projectId, testset, runOf } = await createWorld();
    await ok(site.api('PATCH', `/testsets/${testset.id}/settings`, { groupingField: 'document' }));
    const runs = [
      await runOf(
        () => true,
        (i) => i % 4 > 0,
        0,
      ),
      await runOf(
        () => true,
        (i) => i % 5 > 0,
        0,
      ),
    ];
    await page.goto(`/projects/${projectId}/compare?runs=${runs}`);
    await page.getByRole('combobox', { name: 'Comparison type' }).selectOption('sequential');
    await page.getByText(/the sequential test does not know groups of testcases/).waitFor();
  });
});

it('no page has complained', () => {
  expect(visitor.complaints).toEqual([]);
});
