import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, createTestset, ok } from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
let runId: string;
let ids: string[];

const records = 250;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  const { api } = site;
  projectId = (await createProject(api)).id;
  const right = await createMetric(api, projectId, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const tone = await createMetric(api, projectId, { name: 'Tone', evalType: 'human', outputType: 'int' });
  const run = await createRun(api, projectId, [right.id, tone.id]);
  runId = run.id;
  const items = Array.from({ length: records }, (_, i) => ({
    inputs: { question: `Question ${i + 1}` },
    expected: { answer: 'Paris' },
    outputs: { answer: i === 0 ? '# Title\n\n**Paris**, I think' : `Answer ${i + 1}` },
  }));
  ids = (await ok(api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201)).ids;
  const scores = ids.map((recordId, i) => ({
    recordId,
    metricConfigId: run.metricVersionIds[0],
    score: { binaryScore: i % 10 !== 0, reasoning: 'Because.' },
  }));
  await ok(api('POST', `/runs/${runId}/scores/bulk-upsert`, { items: scores }));
});
afterAll(() => site.close());

const open = async (path = '') => {
  const { page } = visitor;
  await page.goto(`/projects/${projectId}/records${path}`);
  await page
    .getByRole('row', { name: /Question/ })
    .first()
    .waitFor();
  return page;
};

/** Waits until the service holds what the page has sent. */
const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 20_000 });
const record = async (id: string) => ok(site.api('GET', `/records/${id}`));

describe('the records table', () => {
  it('draws only the visible rows, reads on while the user scrolls, and reaches the last row', async () => {
    const page = await open();
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    const grid = page.getByRole('grid', { name: 'Records' });
    await expect
      .poll(
        async () => {
          await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
          return page.getByRole('row', { name: /Question 1\b/ }).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await page.getByText(`n = ${records}`, { exact: true }).waitFor();
  });

  it('typed filters narrow it, stand in the URL, and say what they do not understand', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('result:f');
    await page.getByRole('option', { name: 'result:fail', exact: true }).click();
    await page.getByRole('row', { name: /Question 241\b.*Fail/ }).waitFor();
    await page.getByText('n = 25', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('result:fail');
    await page.reload();
    await page.getByText('n = 25', { exact: true }).waitFor();
    const search = page.getByRole('combobox', { name: 'Search records' });
    await search.fill('result:fail "Question 241"');
    await search.press('Enter');
    await page.getByText('n = 1', { exact: true }).waitFor();
    // The name that other tools have for it, as someone types it first.
    await search.fill('status:fail "Question 231"');
    await search.press('Enter');
    await page.getByRole('row', { name: /Question 231\b.*Fail/ }).waitFor();
    await page.getByText('n = 1', { exact: true }).waitFor();
    await search.fill('metric:nonsense');
    await search.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: 'names a metric "nonsense", which this project does not have' })
      .waitFor();
    await search.fill('latncy:>2s');
    await search.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Did you mean latency:?' }).waitFor();
    await search.fill('no one wrote this');
    await search.press('Enter');
    await page.getByRole('heading', { name: 'No matching records' }).waitFor();
    await page.getByRole('button', { name: 'Clear the search', exact: true }).last().click();
    await page.getByRole('row', { name: /Question 250/ }).waitFor();
  });

  it('is sorted by a click on a header, worst first, and Back leads to the order before', async () => {
    const page = await open();
    const search = page.getByRole('combobox', { name: 'Search records' });
    await page.getByRole('button', { name: 'Right', exact: true }).click();
    await expect.poll(() => search.inputValue()).toBe('sort:score.Right');
    await page
      .getByRole('columnheader', { name: 'Right' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await page.getByRole('row').nth(1).filter({ hasText: 'Fail' }).waitFor();
    await page.getByRole('button', { name: 'Right', exact: true }).click();
    await expect.poll(() => search.inputValue()).toBe('sort:-score.Right');
    await page.getByRole('row').nth(1).filter({ hasText: 'Pass' }).waitFor();
    await page.goBack();
    await expect.poll(() => search.inputValue()).toBe('sort:score.Right');
    await search.fill('sort:-cr');
    await page.getByRole('option', { name: 'sort:-created' }).click();
    await page.getByRole('row').nth(1).filter({ hasText: 'Question 250' }).waitFor();
  });

  it('keys of scores and fields are offered, and an opened record is left by Back with the search kept', async () => {
    const page = await open();
    const search = page.getByRole('combobox', { name: 'Search records' });
    await search.fill('score.r');
    await page.getByRole('option', { name: 'score.Right:' }).click();
    await page.getByRole('option', { name: 'score.Right:fail', exact: true }).click();
    await page.getByText('n = 25', { exact: true }).waitFor();
    await search.fill('outputs.');
    await page.getByRole('option', { name: 'outputs.answer:' }).waitFor();
    await search.fill('score.Right:fail inputs.question:~"question 24"');
    await search.press('Enter');
    await page.getByText('n = 1', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Question 241\b/ }).click();
    await page.getByRole('complementary', { name: /^Record/ }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByRole('complementary', { name: /^Record/ }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('q')).toContain('inputs.question');
    await page.getByText('n = 1', { exact: true }).waitFor();
  });

  it('columns are hidden and moved, and are so again after a reload', async () => {
    const page = await open();
    const headers = () => page.getByRole('columnheader').allTextContents();
    expect(await headers()).toContain('inputsquestion');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'inputs question' }).uncheck();
    await page.getByRole('button', { name: 'Move Right up' }).click();
    await page.keyboard.press('Escape');
    const changed = await headers();
    expect(changed).not.toContain('inputsquestion');
    expect(changed.indexOf('Right')).toBeLessThan(changed.indexOf('outputsanswer'));
    await page.reload();
    await page.getByRole('row', { name: /Answer 250/ }).waitFor();
    expect(await headers()).toEqual(changed);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.keyboard.press('Escape');
    expect(await headers()).toContain('inputsquestion');
  });

  it('a column is made wider with the keyboard, and that is kept', async () => {
    const page = await open();
    const handle = page.getByRole('separator', { name: 'Width of question' });
    const before = Number(await handle.getAttribute('aria-valuenow'));
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBeGreaterThan(before);
    await page.reload();
    await handle.waitFor();
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBeGreaterThan(before);
  });

  it('selected rows are tagged together, a range with Shift', async () => {
    const page = await open();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.getByText('3 records selected').waitFor();
    await page.keyboard.press('t');
    await page.getByRole('dialog', { name: 'Tag' }).locator('input:focus').waitFor();
    await page.keyboard.type('look again');
    await page.keyboard.press('Enter');
    await page.getByText('Tagged 3 records.').waitFor();
    for (const id of ids.slice(-3)) expect((await record(id)).tags).toEqual(['look again']);
    await page.getByRole('row', { name: /Question 248\b.*look again/ }).waitFor();
  });
});

describe('a record beside the table', () => {
  it('opens with Enter, follows j and k, stands in the URL, and closes with Escape', async () => {
    const page = await open();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: `Record ${ids.at(-1)}` }).waitFor();
    await page.keyboard.press('j');
    const second = page.getByRole('complementary', { name: `Record ${ids.at(-2)}` });
    await second.getByText('Question 249').waitFor();
    expect(new URL(page.url()).searchParams.get('record')).toBe(ids.at(-2));
    await page.keyboard.press('Escape');
    await second.waitFor({ state: 'detached' });
  });
});

describe('a record', () => {
  const go = async (id: string) => {
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/records/${id}`);
    await page.getByRole('article', { name: `Record ${id}` }).waitFor();
    return page;
  };

  it('shows an answer as Markdown, as text and as what differs from what was expected', async () => {
    const page = await go(ids[0]!);
    const outputs = page.getByRole('region', { name: 'Outputs' });
    await outputs.getByRole('heading', { name: 'Title' }).waitFor();
    await outputs.getByRole('button', { name: 'Text' }).click();
    await outputs.getByText('# Title').waitFor();
    await outputs.getByRole('button', { name: 'Diff' }).click();
    await outputs.getByRole('insertion').first().waitFor();
  });

  it('is scored by keys, and the score is stored as theirs', async () => {
    const page = await go(ids[1]!);
    await page.getByRole('group', { name: 'Score of Tone' }).waitFor();
    await page.keyboard.press('4');
    await page.getByRole('button', { name: '4', pressed: true }).waitFor();
    // The button shows what was chosen before the service has it.
    await expect
      .poll(async () => (await record(ids[1]!)).scoreStates[1])
      .toMatchObject({ metricName: 'Tone', state: 'scored', passed: true, score: { intScore: 4 } });
  });

  it('takes thumbs, a comment, a tag and an assignee from the keyboard, each stored', async () => {
    const id = ids[2]!;
    const page = await go(id);
    await page.getByRole('button', { name: 'Thumbs up' }).waitFor();
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Thumbs up', pressed: true }).waitFor();
    await page.keyboard.press('-');
    await page.getByRole('button', { name: 'Thumbs down', pressed: true }).waitFor();
    // The comment joins the thumb: both are one annotation.
    await page.keyboard.press('c');
    await page.keyboard.type('Not + quite -, see 1 and x');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('listitem').filter({ hasText: 'Not + quite -, see 1 and x' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByLabel('Tag').fill('edge');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the tag edge' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByLabel('Name or e-mail').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Unassign Person/ }).waitFor();
    await eventually(async () => {
      const { tags, assigneeUserIds, annotationCounts } = await record(id);
      return { tags, assignees: assigneeUserIds.length, annotationCounts };
    }).toEqual({
      tags: ['edge'],
      assignees: 1,
      annotationCounts: { positive: 0, negative: 1, commented: 1 },
    });
  });

  it('keeps every digit of its integers: in the table, on its page, in a file, and in a testset', async () => {
    const { page } = visitor;
    const project = await createProject(site.api);
    const testset = await createTestset(site.api, project.id, {
      name: 'Orders',
      jsonSchema: { type: 'object', properties: { order: { type: 'integer' } } },
      fieldMapping: { inputs: ['order'], expected: [], metadata: [] },
    });
    const run = await createRun(site.api, project.id, []);
    const raw =
      '{"inputs":{"order":9007199254740993},"expected":{},"outputs":{"found":{"nearest":-12345678901234567890}}}';
    const { id } = await ok(site.api('POST', `/runs/${run.id}/records`, undefined, { raw }), 201);
    await page.goto(`/projects/${project.id}/records`);
    const row = page.getByRole('row', { name: /9007199254740993 .*-12345678901234567890/ });
    await row.getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'JSONL', exact: true }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    expect(file).toContain('"order":9007199254740993');
    expect(file).toContain('"nearest":-12345678901234567890');
    await page.getByRole('button', { name: 'Add to testset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Testset', { exact: true }).selectOption({ label: 'Orders' });
    await dialog.getByRole('button', { name: 'Add 1 testcase' }).click();
    await eventually(async () => (await site.api('GET', `/testsets/${testset.id}/testcases`)).text).toContain(
      '9007199254740993',
    );
    await page.goto(`/projects/${project.id}/records/${id}`);
    await page.getByText('9007199254740993').first().waitFor();
    await page.getByText('-12345678901234567890').first().waitFor();
  });

  it('an edit that the service refuses is taken back, with its words', async () => {
    const page = await go(ids[3]!);
    await page.route('**/tags', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Not now.', details: {} } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill('refused');
    await page.keyboard.press('Enter');
    await page.getByText('Not now.').first().waitFor();
    await page.getByRole('button', { name: 'Remove the tag refused' }).waitFor({ state: 'detached' });
    await page.unroute('**/tags');
  });

  it('an error that comes again is counted in one message; after the message is closed, the count starts again', async () => {
    const page = await go(ids[3]!);
    await page.route('**/tags', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Never.', details: {} } })
        : route.continue(),
    );
    const addTag = async () => {
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Tag').fill('refused');
      await page.keyboard.press('Enter');
    };
    const messages = page.getByRole('alertdialog', { includeHidden: true }).filter({ hasText: 'Never.' });
    for (const said of ['Never.', 'Never. (2 times)', 'Never. (3 times)']) {
      await addTag();
      await messages.getByText(said, { exact: true }).waitFor();
      expect(await messages.count()).toBe(1);
    }
    await messages.getByRole('button', { name: 'Dismiss', includeHidden: true }).click();
    await messages.waitFor({ state: 'detached' });
    await addTag();
    await messages.getByText('Never.', { exact: true }).waitFor();
    await page.unroute('**/tags');
  });

  it('j goes on to the next, in its run or in the search that it was found by', async () => {
    const page = await go(ids[5]!);
    await page.keyboard.press('j');
    await page.getByRole('article', { name: `Record ${ids[4]}` }).waitFor();
    await page.goto(`/projects/${projectId}/records/${ids[20]}?q=result:fail`);
    await page.getByRole('button', { name: 'Next record (j)' }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('article', { name: `Record ${ids[10]}` }).waitFor();
  });
});

it('no page has complained', () => {
  // A refusal that a test brought about is logged by the browser itself.
  expect(visitor.complaints.filter((text) => !/status of (409|404|400)/.test(text))).toEqual([]);
});
