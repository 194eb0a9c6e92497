// Longer than 400 lines: one table, in everything that people do with it.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../../server/src/platform/db/database.ts';
import { createMetric, createProject, createRun, createTestset, ok } from '../../server/test/fixtures.ts';
import { choose, openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  page = visitor.page;
});
afterAll(() => site.close());

type World = { projectId: string; runId: string; configId: string; ids: string[] };

/** A project of one run, question after question, a minute apart from each other; every tenth fails. */
const createWorld = async (count: number): Promise<World> => {
  const { api, app } = site;
  const { id: projectId } = await createProject(api);
  const fields = { name: 'Right', evalType: 'heuristic', outputType: 'boolean' };
  const metric = await createMetric(api, projectId, fields);
  const run = await createRun(api, projectId, [metric.id]);
  const configId = run.metricVersionIds[0];
  const ids: string[] = [];
  for (let from = 0; from < count; from += 1_000) {
    const items = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => ({
      inputs: { question: `Question ${from + i + 1}.` },
      expected: {},
      outputs: { answer: `Answer ${from + i + 1}` },
      scores: [
        { metricConfigId: configId, score: { binaryScore: (from + i) % 10 > 0, reasoning: 'Because.' } },
      ],
    }));
    ids.push(...(await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201)).ids);
  }
  await app.db.transaction(
    system,
    (tx) => tx`
      update record set created_at = '2026-03-01T00:00:00Z'::timestamptz + (n - 1) * interval '1 minute'
      where run_id = ${run.id}::text::bigint`,
  );
  return { projectId, runId: run.id, configId, ids };
};

const open = async ({ projectId }: World, q = '') => {
  await page.goto(`/projects/${projectId}/records${q && `?q=${encodeURIComponent(q)}`}`);
  await page
    .getByRole('row', { name: /Question/ })
    .first()
    .waitFor();
};
const question = (n: number) => page.getByRole('row', { name: `Question ${n}.` });
const total = (n: number) => page.getByText(`n = ${n.toLocaleString('en')}`, { exact: true });
const grid = () => page.getByRole('grid', { name: 'Records' });
const searched = () => new URL(page.url()).searchParams.get('q');

it('shows records that are too large for a hundred of them to come at once', async () => {
  const { id: projectId } = await createProject(site.api);
  const run = await createRun(site.api, projectId, []);
  const text = 'x'.repeat(2_000_000);
  for (let n = 1; n <= 12; n++) {
    const inputs = { question: `Question ${n}.`, text };
    await ok(site.api('POST', `/runs/${run.id}/records`, { inputs, expected: {}, outputs: {} }), 201);
  }
  await page.goto(`/projects/${projectId}/records`);
  await page.getByRole('row', { name: 'Question 12.' }).waitFor();
  await page.getByRole('row', { name: 'Question 1.' }).waitFor();
});

describe('a long table', () => {
  it('is as long as the search finds records, and shows any place of it without what lies between', async () => {
    const world = await createWorld(3_000);
    await open(world);
    await total(3_000).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => /\/records\?/.test(request.url()) && asked.push(request.url()));
    await grid().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await question(1).waitFor();
    expect(await question(1).getAttribute('aria-rowindex')).toBe('3001');
    await grid().evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await question(1_490).waitFor();
    expect(asked.length).toBeLessThan(8);
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await open(world, 'result:fail');
    await total(300).waitFor();
    await grid().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await question(1).waitFor();
    expect(await grid().getAttribute('aria-rowcount')).toBe('301');
  });

  it('reads nothing while its scroll bar is dragged, and has its rows where the drag ends', async () => {
    const world = await createWorld(3_000);
    await open(world);
    await total(3_000).waitFor();
    const asked = new Set<string>();
    page.on('request', (request) => {
      const place = /\/records\?.*\b((?:offset|cursor)=[^&]+)/.exec(request.url())?.[1];
      if (place) asked.add(place);
    });
    // Each frame leaves all rows of the one before, first down and then up again.
    const last = await grid().evaluate(async (element) => {
      for (let i = 0; i < 80; i++) {
        element.scrollBy(0, i < 40 ? 2_000 : -1_000);
        await new Promise(requestAnimationFrame);
      }
      return Math.floor(element.scrollTop / 33);
    });
    await question(3_000 - last - 5).waitFor();
    // At most two pages where the drag began and where it ended.
    expect(asked.size).toBeLessThanOrEqual(4);
  });

  it('is shown before it is counted, and a count that no page waits for is given up', async () => {
    const world = await createWorld(150);
    const counts: string[] = [];
    // The first is never answered.
    await page.route('**/records/histogram?*', async (route) => {
      if (counts.push(route.request().url()) > 1) await route.continue();
    });
    // Not one that the page before had under way.
    const givenUp = page.waitForEvent('requestfailed', (request) => request.url() === counts[0]);
    await open(world, 'result:pass');
    await question(150).waitFor();
    await page.getByText('Counting…').waitFor();
    await page.getByRole('combobox', { name: 'Search records' }).fill('result:fail');
    await page.keyboard.press('Enter');
    await givenUp;
    await total(15).waitFor();
    await page.unroute('**/records/histogram?*');
  });

  it('a range is selected over records that were never visible', async () => {
    const world = await createWorld(500);
    await open(world);
    await total(500).waitFor();
    await page.getByRole('checkbox', { name: `Select ${world.ids.at(-1)}` }).click();
    await grid().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await question(1).waitFor();
    await page
      .getByRole('checkbox', { name: `Select ${world.ids[0]}`, exact: true })
      .click({ modifiers: ['Shift'] });
    await page.getByText('500 records selected').waitFor();
  });
});

describe('records over time', () => {
  const group = () => page.getByRole('group', { name: 'Records over time' });

  it('a stretch is drawn with the mouse: it stands in the search, narrows the table, and is taken away again', async () => {
    const world = await createWorld(100);
    await open(world);
    const chart = await group().getByRole('img').boundingBox();
    const { x, y, width, height } = chart!;
    await page.mouse.move(x + width * 0.26, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.74, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(searched).toMatch(/^after:\S+ before:\S+$/);
    const [, from, to] = /^after:(\S+) before:(\S+)$/.exec(searched()!)!;
    const inside = Array.from(
      { length: 100 },
      (_, i) => Date.parse('2026-03-01T00:00:00Z') + i * 60_000,
    ).filter((time) => time >= Date.parse(from!) && time < Date.parse(to!));
    expect(inside.length).toBeGreaterThan(40);
    expect(inside.length).toBeLessThan(60);
    await total(inside.length).waitFor();
    await page.getByRole('button', { name: 'Clear the time range' }).click();
    await total(100).waitFor();
    expect(searched()).toBeNull();
  });

  it('its edges are moved with the arrow keys, and other filters stay', async () => {
    const world = await createWorld(100);
    await open(world, 'result:pass');
    const from = group().getByRole('slider', { name: 'From' });
    await from.focus();
    await page.keyboard.press('PageUp');
    await expect.poll(searched).toMatch(/^result:pass after:\S+$/);
    await expect.poll(() => from.getAttribute('aria-valuenow')).toBe('10');
    await group().getByRole('slider', { name: 'To' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(searched).toMatch(/^result:pass after:\S+ before:\S+$/);
    await from.focus();
    await page.keyboard.press('Home');
    await expect.poll(searched).toMatch(/^result:pass before:\S+$/);
  });
});

describe('saved views', () => {
  it('a value is chosen by a click, both ways; a path becomes a column, and groups have rates', async () => {
    const world = await createWorld(40);
    await open(world);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const filters = page.getByRole('complementary', { name: 'Filters of records' });
    const value = (name: RegExp) => filters.getByRole('button', { name });
    await value(/^fail\s*4$/).click();
    await page.waitForURL(/q=score\.Right/);
    expect(searched()).toBe('score.Right:fail');
    await total(4).waitFor();
    // The others stay to choose from; another takes its place, and a typed filter is shown as chosen.
    await value(/^pass\s*36$/).click();
    await total(36).waitFor();
    await page.getByRole('combobox', { name: 'Search records' }).fill('-score.Right:pass');
    await page.keyboard.press('Enter');
    await total(4).waitFor();
    expect(await value(/^Leave out pass$/).getAttribute('aria-pressed')).toBe('true');
    await value(/^Leave out pass$/).click();
    await total(40).waitFor();
    await filters.getByRole('button', { name: 'Close (Esc)' }).click();

    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Column from a path').fill('latency');
    expect(await dialog.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Column from a path').fill('outputs.deep.amount');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('deep.amount').waitFor();
    await page.keyboard.press('Escape');
    await grid()
      .getByRole('columnheader', { name: /deep\.amount/ })
      .waitFor({ state: 'attached' });
    await page.getByLabel('Group by').hover();
    await choose(page.getByLabel('Group by'), 'run');
    await page.getByLabel('Pass rate of').selectOption({ label: 'Right' });
    const groups = page.getByRole('table', { name: 'Groups by run' });
    await groups.getByText('90.0 %').waitFor();
    await groups.getByText('n = 40').waitFor();
    await groups.getByRole('button', { name: world.runId }).click();
    await total(40).waitFor();
    expect(searched()).toBe(`run:${world.runId}`);
  });

  it('a search is saved with its columns, shown again, shared, deleted and brought back', async () => {
    const world = await createWorld(20);
    await open(world, 'result:fail');
    await page.getByRole('button', { name: 'Tall rows' }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('What failed');
    await page.getByRole('checkbox', { name: 'Share with everyone in the project' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const button = page.getByRole('button', { name: 'What failed' });
    await button.waitFor();

    await page.getByRole('button', { name: 'Dense rows' }).click();
    await open(world);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'What failed' }).click();
    await total(2).waitFor();
    expect(searched()).toBe('result:fail');
    expect(await page.getByRole('button', { name: 'Tall rows' }).getAttribute('aria-pressed')).toBe('true');

    const views = async () => (await ok(site.api('GET', `/projects/${world.projectId}/views`))).data;
    expect(await views()).toMatchObject([{ name: 'What failed', shared: true, search: 'result:fail' }]);
    const remove = async () => {
      await button.click();
      await page.getByRole('menuitem', { name: 'Manage views…' }).click();
      await page.getByRole('button', { name: 'Delete What failed' }).click();
      await page.getByText('Deleted What failed.').waitFor();
      await page.keyboard.press('Escape');
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await button.waitFor();
    expect(await views()).toHaveLength(1);

    // What is deleted stays away when the list is read again, as it is after a change.
    await button.click();
    await page.getByRole('menuitem', { name: 'Manage views…' }).click();
    const rename = async (from: string, to: string) => {
      await page.getByRole('button', { name: `Change ${from}` }).click();
      const form = page.getByRole('dialog', { name: `Change ${from}` });
      expect(await form.getByRole('checkbox', { name: /Share/ }).isChecked()).toBe(true);
      await form.getByLabel('Name').fill(to);
      await page.keyboard.press('Enter');
      await form.waitFor({ state: 'hidden' });
    };
    await rename('What failed', 'Failures');
    const row = page.getByRole('row', { name: /Failures.*result:fail/ });
    await row.waitFor();
    const again = page.waitForResponse((answer) => /\/views$/.test(answer.url()) && answer.ok());
    await page.getByRole('button', { name: 'Delete Failures' }).click();
    await again;
    await page.getByText('Deleted Failures.').waitFor();
    expect(await row.count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(views).toEqual([]);
    await page.getByRole('button', { name: 'Dense rows' }).click();
  });
});

describe('selected records', () => {
  const select = async (world: World, count: number) => {
    await open(world);
    for (const id of world.ids.slice(-count))
      await page.getByRole('checkbox', { name: `Select ${id}` }).click();
    return page.getByRole('toolbar', { name: 'Selected records' });
  };

  it('become testcases of a new testset, fields named and chosen', async () => {
    const world = await createWorld(20);
    const toolbar = await select(world, 3);
    await toolbar.getByRole('button', { name: 'Add to testset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the testset').fill('From records');
    await dialog.getByLabel('Use of outputs answer').selectOption('Expected');
    await dialog.getByLabel('Name of outputs answer').fill('ideal');
    await dialog.getByRole('button', { name: 'Add 3 testcases' }).click();
    await page.getByText('Added 3 testcases to From records.').waitFor();
    const [testset] = (await ok(site.api('GET', `/projects/${world.projectId}/testsets`))).data;
    expect(testset).toMatchObject({
      name: 'From records',
      fieldMapping: { inputs: ['question'], expected: ['ideal'], metadata: [] },
    });
    const { data } = await ok(site.api('GET', `/testsets/${testset.id}/testcases`));
    expect(data.map(({ jsonData }: { jsonData: unknown }) => jsonData)).toEqual(
      [18, 19, 20].map((n) => ({ question: `Question ${n}.`, ideal: `Answer ${n}` })),
    );
  });

  it('that do not fit the schema of a testset are named with what is wrong', async () => {
    const world = await createWorld(5);
    const testset = await createTestset(site.api, world.projectId, {
      name: 'Strict',
      jsonSchema: { type: 'object', required: ['difficulty'] },
    });
    const toolbar = await select(world, 1);
    await toolbar.getByRole('button', { name: 'Add to testset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Testset', { exact: true }).selectOption('Strict');
    await dialog.getByRole('button', { name: 'Add 1 testcase' }).click();
    await page
      .getByRole('dialog')
      .getByText(/difficulty/)
      .waitFor();
    await page.getByRole('dialog').getByText(world.ids.at(-1)!).waitFor();
    expect((await ok(site.api('GET', `/testsets/${testset.id}/testcases`))).data).toHaveLength(1);
  });

  it('are added all or none: what was written is taken back when a later part is refused', async () => {
    const world = await createWorld(150);
    await open(world);
    await total(150).waitFor();
    await page.getByRole('checkbox', { name: /^Select all/ }).click();
    await page.getByText('150 records selected').waitFor();
    let calls = 0;
    await page.route('**/testcases', (route) =>
      route.request().method() === 'POST' && ++calls > 1
        ? route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Not now.', details: {} } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Add to testset' }).click();
    await page.getByRole('dialog').getByLabel('Name of the testset').fill('Half');
    await page.getByRole('dialog').getByRole('button', { name: 'Add 150 testcases' }).click();
    await page.getByText('Not now.').waitFor();
    await page.unroute('**/testcases');
    expect((await ok(site.api('GET', `/projects/${world.projectId}/testsets`))).data).toEqual([]);
  });

  const tagAll = async (toolbar: Locator, text: string) => {
    await toolbar.getByRole('button', { name: 'Tag' }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill(text);
    await page.keyboard.press('Enter');
  };
  const tagged = async ({ projectId }: World, text: string): Promise<string[]> => {
    const found = await ok(site.api('GET', `/projects/${projectId}/records?tags=${text}`));
    return found.data.map(({ id }: { id: string }) => id).sort();
  };

  it('keep a tag that someone else gave them before mine is undone', async () => {
    const world = await createWorld(5);
    const taggedByOther = world.ids.at(-1)!;
    const toolbar = await select(world, 3);
    await page.route(`**/records/${taggedByOther}/tags`, async (route) => {
      await ok(site.api('POST', `/records/${taggedByOther}/tags`, { text: 'odd' }), 201);
      await route.continue();
    });
    await tagAll(toolbar, 'odd');
    await page.getByText('Tagged 2 records; 1 was already.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Removed the tag from 2 records.').waitFor();
    expect(await tagged(world, 'odd')).toEqual([taggedByOther]);
    await page.unroute(`**/records/${taggedByOther}/tags`);
  });

  it('are tagged and assigned together; Undo takes it back from those alone that had it not before', async () => {
    const world = await createWorld(5);
    const [, , had, ...others] = world.ids as [string, string, string, string, string];
    await ok(site.api('POST', `/records/${had}/tags`, { text: 'odd' }), 201);
    const toolbar = await select(world, 3);
    await tagAll(toolbar, 'odd');
    await page.getByText('Tagged 2 records; 1 was already.').waitFor();
    expect(await tagged(world, 'odd')).toEqual([had, ...others].sort());
    await page.getByRole('row', { name: /Question 5\..*odd/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Removed the tag from 2 records.').waitFor();
    expect(await tagged(world, 'odd')).toEqual([had]);

    await toolbar.getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('dialog').getByLabel('Name or e-mail').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Assigned 3 records.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Unassigned 3 records.').waitFor();
    const { assigneeUserIds } = await ok(site.api('GET', `/records/${had}`));
    expect(assigneeUserIds).toEqual([]);
  });

  it('that refuse a tag are counted once for all, in the service’s words, and the others keep theirs', async () => {
    const world = await createWorld(30);
    const toolbar = await select(world, 20);
    const refused = new Set(world.ids.slice(-7));
    const isRefused = (url: string) => refused.has(/records\/([\d-]+)\/tags$/.exec(url)?.[1] ?? '');
    await page.route('**/tags', (route) =>
      isRefused(route.request().url())
        ? route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Not now.', details: {} } })
        : route.continue(),
    );
    await tagAll(toolbar, 'half');
    await page.getByText('Tagged 13 of 20 records; 7 failed: Not now.').waitFor();
    await page.unroute('**/tags');
    expect(await tagged(world, 'half')).toEqual(world.ids.slice(10, 23).sort());
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Removed the tag from 13 records.').waitFor();
    expect(await tagged(world, 'half')).toEqual([]);
  });

  it.each(['CSV', 'JSONL', 'Parquet'])('are exported as %s', async (format) => {
    const world = await createWorld(5);
    const toolbar = await select(world, 2);
    await toolbar.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format, exact: true }).click(),
    ]);
    const bytes = await readFile(await file.path());
    if (format === 'Parquet') expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
    else for (const id of world.ids.slice(-2)) expect(bytes.toString()).toContain(id);
    // Whole words: a part of a UUID may look like the id.
    expect(bytes.toString('latin1')).not.toMatch(new RegExp(`(?<![\\w-])${world.ids[0]}(?![\\w-])`));
  });
});

describe('what others do', () => {
  it('is seen without reloading: a score, a tag, and new records above the others', async () => {
    const world = await createWorld(30);
    await open(world);
    const { api } = site;
    const score = { binaryScore: false, reasoning: 'On second thought.' };
    await ok(api('PUT', `/records/${world.ids.at(-1)}/scores/${world.configId}`, { score }));
    await page.getByRole('row', { name: /Question 30\..*Fail/ }).waitFor();
    await ok(api('POST', `/records/${world.ids.at(-2)}/tags`, { text: 'seen' }), 201);
    await page.getByRole('row', { name: /Question 29\..*seen/ }).waitFor();
    const content = { inputs: { question: 'Question new.' }, expected: {}, outputs: {} };
    await ok(api('POST', `/runs/${world.runId}/records`, content), 201);
    await page.getByRole('row', { name: /Question new\./ }).waitFor();
    await total(31).waitFor();
  });

  it('moves nothing under someone’s eyes: new records are counted, and come when they are asked for', async () => {
    const world = await createWorld(30);
    await open(world);
    await page.keyboard.press('j');
    const content = { inputs: { question: 'Question new.' }, expected: {}, outputs: {} };
    await ok(site.api('POST', `/runs/${world.runId}/records`, content), 201);
    const button = page.getByRole('button', { name: 'Show 1 new record' });
    await button.waitFor();
    expect(await page.getByRole('row', { name: /Question new\./ }).count()).toBe(0);
    await button.click();
    await page.getByRole('row', { name: /Question new\./ }).waitFor();
    await button.waitFor({ state: 'detached' });
  });
});

describe('columns and scores', () => {
  it('a column is moved with Shift and an arrow key, and by dragging its header', async () => {
    const world = await createWorld(5);
    await open(world);
    const headers = () => page.getByRole('columnheader').allTextContents();
    const before = await headers();
    expect(before.slice(1, 5)).toEqual(['Record', 'Run', 'inputsquestion', 'outputsanswer']);
    await page.getByRole('separator', { name: 'Width of question' }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    expect((await headers()).slice(3, 5)).toEqual(['outputsanswer', 'inputsquestion']);
    await page.keyboard.press('Shift+ArrowLeft');
    expect((await headers()).slice(3, 5)).toEqual(['inputsquestion', 'outputsanswer']);
    const header = (name: string) => page.getByRole('columnheader', { name });
    await header('Right').dragTo(header('Run'));
    expect((await headers()).slice(1, 4)).toEqual(['Record', 'Right', 'Run']);
  });

  it('begins with the fields that most records have, not with those of the newest', async () => {
    const world = await createWorld(5);
    const odd = { inputs: { input: 'Odd one.' }, expected: {}, outputs: { output: 'Odd answer.' } };
    await ok(site.api('POST', `/runs/${world.runId}/records`, odd), 201);
    await open(world);
    const headers = await page.getByRole('columnheader').allTextContents();
    // Records of two shapes have a summary first, so that no row is blank.
    const leading = ['Record', 'Run', 'Summary', 'Right'];
    expect(headers.slice(1, 5)).toEqual(leading);
    await page.getByRole('gridcell', { name: 'Odd one. → Odd answer.' }).waitFor();
    expect(headers).toEqual(expect.arrayContaining(['inputsquestion', 'inputsinput', 'outputsoutput']));
  });

  it('draws only the visible ones of sixty metrics, and a row is never higher than 190 pixels', async () => {
    const { api } = site;
    const { id: projectId } = await createProject(api);
    const metricIds: string[] = [];
    for (let i = 0; i < 60; i++) {
      const fields = { name: `Metric number ${i}`, evalType: 'human', outputType: 'int' };
      metricIds.push((await createMetric(api, projectId, fields)).id);
    }
    const run = await createRun(api, projectId, metricIds);
    const long = 'A long answer, word after word. 🎉 '.repeat(300);
    const items = [
      { inputs: { question: 'Question ugly.' }, expected: {}, outputs: { answer: long } },
      {
        inputs: { question: 'Question שאלה ארוכה בעברית' },
        expected: {},
        outputs: { answer: `نعم\n${long}` },
      },
    ];
    const { ids } = await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    await page.goto(`/projects/${projectId}/records`);
    const row = page.locator(`#row-${ids[0]}`);
    await row.getByText('Question ugly.').waitFor();
    expect(await row.getByRole('gridcell').count()).toBeLessThan(20);
    await page.getByRole('button', { name: 'Tall rows' }).click();
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(190);
    await grid().evaluate((element) => element.scrollTo(element.scrollWidth, 0));
    await row.getByText(/just now|ago/).waitFor();
    expect(await row.getByRole('gridcell').count()).toBeLessThan(20);
    await page.getByRole('button', { name: 'Dense rows' }).click();
  });

  it('a score says why in short where it stands, and all of it beside the table', async () => {
    const world = await createWorld(5);
    const reasoning = `It is wrong. ${'And it goes on. '.repeat(100)}The end.`;
    const score = { binaryScore: false, reasoning };
    await ok(site.api('PUT', `/records/${world.ids.at(-1)}/scores/${world.configId}`, { score }));
    await open(world);
    await question(5).getByRole('button', { name: 'Fail' }).click();
    const popover = page.getByRole('dialog', { name: 'Right' });
    await popover.getByText(/^It is wrong\./).waitFor();
    expect((await popover.textContent())!.length).toBeLessThan(400);
    await popover.getByRole('button', { name: 'Read all' }).click();
    await page.getByRole('complementary', { name: `Record ${world.ids.at(-1)}` }).waitFor();
  });
});

it('no page has complained', () => {
  // A refusal that a test brought about is logged by the browser itself.
  expect(visitor.complaints.filter((text) => !/status of 503/.test(text))).toEqual([]);
});
