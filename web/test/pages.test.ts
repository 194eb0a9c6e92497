import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRun,
  createScoredRun,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site, type Visitor } from './site.ts';

const run = promisify(execFile);

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
});
afterAll(() => site.close());

describe('project home', () => {
  it('shows how to send the first record, with a key made on the spot, in three languages', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    await page.goto(`/projects/${id}`);
    await page.getByText('Or send the first record from code').click();
    await page.getByRole('button', { name: 'Create a key and fill it in' }).click();
    await page.getByText('The key is filled in.').waitFor();
    const programs: string[] = [];
    for (const language of ['curl', 'Python', 'TypeScript']) {
      await page.getByRole('button', { name: language }).click();
      programs.push((await page.locator('pre').textContent())!);
    }
    const key = /ak_[\w-]+/.exec(programs[0]!)![0];
    for (const program of programs) {
      expect(program).toContain(key);
      expect(program).toContain(`${site.url}/api/v2`);
    }
    expect((await site.organization.as(key)('GET', `/projects/${id}`)).status).toBe(200);
    // They are run as they stand: each starts a run and sends a record.
    const directory = await mkdtemp(join(tmpdir(), 'dokima-first-record-'));
    await writeFile(join(directory, 'first.mts'), programs[2]!);
    await run('sh', ['-c', programs[0]!]);
    await run(process.execPath, [join(directory, 'first.mts')]);
    await rm(directory, { recursive: true });
    const { data: records } = await ok(site.api('GET', `/projects/${id}/records`));
    expect(records.map(({ outputs }: { outputs: unknown }) => outputs)).toEqual([
      { answer: 'Paris' },
      { answer: 'Paris' },
    ]);
  });

  it('lists the latest runs and what is assigned to the person', async () => {
    const { page } = visitor;
    const { project, run, recordIds } = await createScoredRun(site.api, 2);
    const me = await (await visitor.context.request.get('/api/v2/me')).json();
    await ok(site.api('POST', `/records/${recordIds[0]}/assignees`, { assigneeUserId: me.user.id }), 201);
    await page.goto(`/projects/${project.id}`);
    await page.getByRole('row', { name: new RegExp(`Run ${run.id}`) }).waitFor();
    await page
      .getByText('These runs have no scores yet.')
      .or(page.getByText('N/A').first())
      .first()
      .waitFor();
    // A record that someone else assigns appears without a reload.
    await ok(site.api('POST', `/records/${recordIds[1]}/assignees`, { assigneeUserId: me.user.id }), 201);
    await page.getByRole('link', { name: new RegExp(recordIds[1]!) }).waitFor();
    await page.getByRole('link', { name: new RegExp(recordIds[0]!) }).click();
    await page.getByRole('article', { name: `Record ${recordIds[0]}` }).waitFor();
  });
});

describe('what passes, on the home', () => {
  it('has each run in its place: where the latest has no score, none stands there', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    const metric = (name: string) =>
      createMetric(site.api, id, { name, evalType: 'heuristic', outputType: 'boolean' });
    const [whole, part] = [await metric('Whole'), await metric('Part')];
    for (const latest of [false, false, true]) {
      const scores = { [whole.id]: true, [part.id]: latest ? null : true };
      await createRunOf(site.api, id, [whole, part], [{ scores }]);
    }
    await page.goto(`/projects/${id}`);
    const places = async (name: string) => {
      const chart = page.getByRole('img', { name: `Pass rate of ${name}` });
      await chart.waitFor();
      return chart
        .locator('[data-mark=dot]')
        .evaluateAll((dots) => dots.map((each) => (each as HTMLElement).style.left));
    };
    const all = await places('Whole');
    expect(new Set(all).size).toBe(3);
    expect(await places('Part')).toEqual(all.slice(0, 2));
  });
});

describe('runs', () => {
  it('a run is started with a testset and metrics, noted on, and deleted', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    await createTestset(site.api, id);
    const kept = await createMetric(site.api, id, { name: 'Kept', evalType: 'human', outputType: 'boolean' });
    await createMetric(site.api, id, { name: 'Left out', evalType: 'human', outputType: 'boolean' });
    await page.goto(`/projects/${id}/runs`);
    await page.getByRole('link', { name: 'New run' }).click();
    await page.getByLabel('Testset').selectOption({ label: 'Testset' });
    await page.getByRole('radio', { name: /I send them from my code/ }).check();
    await page.getByRole('checkbox', { name: /Left out/ }).uncheck();
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('heading', { name: /^Run \d+/ }).waitFor();
    await page.getByRole('row', { name: /Kept/ }).waitFor();
    const runId = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await ok(site.api('GET', `/runs/${runId}`))).metricIds).toEqual([kept.id]);
    await page.getByRole('textbox', { name: 'Notes' }).fill('A new prompt.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    expect((await ok(site.api('GET', `/runs/${runId}/details`))).notes).toBe('A new prompt.');
    await page.getByRole('button', { name: 'Delete run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete run' }).click();
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    expect((await site.api('GET', `/runs/${runId}`)).status).toBe(404);
  });

  it('opens in its own project when the address names another, as do its records', async () => {
    const { page } = visitor;
    const { project, run, configId, recordIds } = await createScoredRun(site.api, 1);
    const score = { binaryScore: false };
    await ok(site.api('PUT', `/records/${recordIds[0]}/scores/${configId}`, { score }));
    const other = await createProject(site.api);
    await page.goto(`/projects/${other.id}/runs/${run.id}?by=tag`);
    await page.waitForURL(`**/projects/${project.id}/runs/${run.id}?by=tag`);
    await page.getByRole('link', { name: 'All failures' }).waitFor();
    await page.goto(`/projects/${other.id}/records/${recordIds[0]}`);
    await page.waitForURL(`**/projects/${project.id}/records/${recordIds[0]}`);
  });

  it('says how many pass, with the interval and n, and in slices', async () => {
    const { page } = visitor;
    const { project, run, configId, recordIds } = await createScoredRun(site.api, 20);
    const scores = recordIds.map((recordId, i) => ({
      recordId,
      metricConfigId: configId,
      score: { binaryScore: i < 15 },
    }));
    await ok(site.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: scores }));
    for (const recordId of recordIds.slice(0, 4))
      await ok(site.api('POST', `/records/${recordId}/tags`, { text: 'easy' }), 201);
    await page.goto(`/projects/${project.id}/runs/${run.id}`);
    const row = page.getByRole('row', { name: /75\.0 % 53\.1–88\.8, n = 20/ });
    await row.getByRole('link', { name: '5 failures' }).waitFor();
    await page.getByRole('row', { name: /easy 4 100\.0 % .*n = 4/ }).waitFor();
  });

  it('is exported with every record and score', async () => {
    const { page } = visitor;
    const { project, run, configId, recordIds } = await createScoredRun(site.api, 120);
    const score = { binaryScore: false, reasoning: '=SUM("a"), no' };
    await ok(site.api('PUT', `/records/${recordIds[0]}/scores/${configId}`, { score }));
    await page.goto(`/projects/${project.id}/runs/${run.id}`);
    const save = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format, exact: true }).click(),
      ]);
      return readFile(await file.path());
    };
    const csv = (await save('CSV')).toString().trimEnd().split('\r\n');
    expect(csv).toHaveLength(121);
    expect(csv[0]).toContain('score.Metric');
    // What a spreadsheet would run as a formula comes with a quote before it.
    expect(csv[1]).toContain(`Fail,false,"'=SUM(""a""), no"`);
    const lines = (await save('JSONL')).toString().trimEnd().split('\n');
    expect(JSON.parse(lines[0]!).scoreStates[0].score).toEqual(score);
    expect((await save('Parquet')).subarray(0, 4).toString()).toBe('PAR1');
  });
});

describe('testsets', () => {
  const csv = `question,expected_answer,topic,level
"Where, and when?",Paris,geo,1
"Say ""hi""","line one
line two",talk,2
`;

  it('a pasted table becomes a testset, its columns guessed, shown and stored', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    await page.goto(`/projects/${id}/testsets`);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('Paste here').fill(csv);
    await page.getByLabel('Name of the testset').fill('Pasted');
    expect(await page.getByLabel('Use of expected_answer').inputValue()).toBe('expected');
    expect(await page.getByLabel('Type of level').inputValue()).toBe('number');
    await page.getByLabel('Field of expected_answer').fill('answer');
    await page.getByRole('button', { name: 'Import 2 testcases' }).click();
    await page.getByRole('heading', { name: 'Pasted' }).waitFor();
    const testsetId = new URL(page.url()).pathname.split('/').at(-1)!;
    const testset = await ok(site.api('GET', `/testsets/${testsetId}`));
    expect(testset.fieldMapping).toEqual({
      inputs: ['question', 'level'],
      expected: ['answer'],
      metadata: ['topic'],
    });
    const { data } = await ok(site.api('GET', `/testsets/${testsetId}/testcases`));
    expect(data.map(({ jsonData }: { jsonData: unknown }) => jsonData)).toEqual([
      { question: 'Where, and when?', answer: 'Paris', topic: 'geo', level: 1 },
      { question: 'Say "hi"', answer: 'line one\nline two', topic: 'talk', level: 2 },
    ]);
  });

  it('a dropped file adds and replaces by id, and says by line what is wrong', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    const testset = await createTestset(site.api, id);
    await ok(
      site.api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: { question: 'old' } }] }),
      201,
    );
    const rows = [
      { id: `${testset.id}-1`, question: 'replaced', answer: 'a' },
      { question: 'added', answer: 'b' },
      { answer: 'without a question' },
      { id: `${testset.id}-99`, question: 'unknown' },
    ];
    await page.goto(`/projects/${id}/testsets/${testset.id}`);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'cases.jsonl',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n{broken\n`),
    });
    await page.getByText('Line 5:').waitFor();
    await page.getByRole('button', { name: 'Import 4 testcases' }).press('Enter');
    const problems = page.getByRole('alert').filter({ hasText: 'Problems (2)' });
    // In the order of the file, whichever was refused first.
    await problems.getByText(`Line 4: There is no testcase with the id '${testset.id}-99'`).waitFor();
    expect((await problems.getByText(/^Line \d/).allTextContents()).map((text) => text.slice(0, 7))).toEqual([
      'Line 3:',
      'Line 4:',
    ]);
    await page.getByRole('button', { name: 'Open the testset' }).and(page.locator(':focus')).waitFor();
    const { data } = await ok(site.api('GET', `/testsets/${testset.id}/testcases`));
    expect(data.map(({ jsonData }: { jsonData: { question?: string } }) => jsonData.question)).toEqual([
      'replaced',
      'added',
      undefined,
    ]);
  });

  it('a testcase is edited beside the table', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    const testset = await createTestset(site.api, id);
    const items = [{ jsonData: { question: 'before', answer: 'x', list: [1] } }];
    await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    await page.goto(`/projects/${id}/testsets/${testset.id}`);
    await page.getByRole('row', { name: /before/ }).click();
    await page.getByRole('textbox', { name: 'list' }).fill('[1, oops');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'list' }).fill('[1, 2]');
    await page.getByRole('textbox', { name: 'question' }).fill('after');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('row', { name: /after/ }).waitFor();
    const { jsonData } = await ok(site.api('GET', `/testcases/${testset.id}-1`));
    expect(jsonData).toEqual({ question: 'after', answer: 'x', list: [1, 2] });
  });
});

describe('metrics', () => {
  it('a metric is made from a template and changed; every configuration stays', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    await page.goto(`/projects/${id}/metrics`);
    await page.getByRole('link', { name: 'Ready metrics' }).first().click();
    await page.getByRole('searchbox', { name: 'Find a ready metric' }).fill('no more');
    await page.getByRole('button', { name: /^Conciseness.*Needs: .*outputs.*Costs: One question/ }).click();
    const ready = page.getByRole('dialog', { name: 'Conciseness' });
    await ready.getByRole('heading', { name: 'Try it on a record' }).waitFor();
    await ready.getByRole('button', { name: 'Change it first' }).click();
    await page.getByLabel('Name').fill('Helpful');
    await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Helpful', exact: true }).waitFor();
    const metricId = new URL(page.url()).pathname.split('/').at(-1)!;
    await page.getByLabel('Pass mark').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Show changes' }).click();
    await page.getByRole('insertion').filter({ hasText: '5' }).waitFor();
    expect(await ok(site.api('GET', `/metrics/${metricId}`))).toMatchObject({
      name: 'Helpful',
      evalType: 'ai',
      outputType: 'int',
      passingThreshold: 5,
    });
  });

  it('what the API refuses stands at its field', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    await page.goto(`/projects/${id}/metrics/new`);
    await page.getByLabel('Name').fill('Broken');
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await prompt.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{% if %}');
    await page.getByRole('button', { name: 'Create metric' }).click();
    await page.getByRole('alert').first().waitFor();
    expect((await ok(site.api('GET', `/projects/${id}/metrics`))).data).toEqual([]);
  });
});

describe('review', () => {
  it('a queue is scored, skipped and taken back without the mouse', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    const metric = await createMetric(site.api, id, { name: 'Tone', evalType: 'human', outputType: 'int' });
    const run = await createRun(site.api, id, [metric.id]);
    const items = [1, 2].map((i) => ({ inputs: { question: `Question ${i}` }, expected: {}, outputs: {} }));
    const { ids } = await ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const scoreOf = async (recordId: string) =>
      (await ok(site.api('GET', `/records/${recordId}`))).scoreStates[0].score;
    await page.goto(`/projects/${id}/review`);
    const first = page.getByRole('article', { name: `Record ${ids[0]}` });
    const second = page.getByRole('article', { name: `Record ${ids[1]}` });
    await first.waitFor();
    await first.getByRole('region', { name: 'Expected' }).getByText('Empty.').waitFor();
    await page.keyboard.press('s');
    await second.waitFor();
    await page.keyboard.press('4');
    await page.keyboard.press('c');
    await page.keyboard.type('p, f and 1 are letters here');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await first.waitFor();
    expect(await scoreOf(ids[1])).toEqual({ intScore: 4, reasoning: 'p, f and 1 are letters here' });
    await page.keyboard.press('u');
    await second.waitFor();
    await page.getByRole('button', { name: '4', pressed: true }).waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await first.waitFor();
    await page.keyboard.press('5');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No records to review' }).waitFor();
    expect((await scoreOf(ids[1])).intScore).toBe(2);
    expect((await scoreOf(ids[0])).intScore).toBe(5);
  });
});

it('no page has complained', () => {
  expect(visitor.complaints.filter((text) => !/status of (400|404)/.test(text))).toEqual([]);
});
