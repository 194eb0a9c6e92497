import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, createTestset, ok } from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
});
afterAll(() => site.close());

const total = 40;

/** A project with a metric that never changes and one whose scores each run gives, with reasoning. */
const createWorld = async () => {
  const { id: projectId } = await createProject(site.api);
  const metric = (name: string) =>
    createMetric(site.api, projectId, { name, evalType: 'heuristic', outputType: 'boolean' });
  const [steady, right] = [await metric('Polite'), await metric('Right')];
  const testset = await createTestset(site.api, projectId, {
    name: 'Capitals',
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: ['topic'] },
  });
  const items = Array.from({ length: total }, (_, i) => ({
    jsonData: { question: `Question ${i}`, answer: `Answer ${i}`, topic: i % 2 ? 'odd' : 'even' },
  }));
  const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const runOf = async (isRight: (i: number) => boolean, fields: Record<string, unknown> = {}) => {
    const run = await createRun(site.api, projectId, [steady.id, right.id], {
      testsetId: testset.id,
      ...fields,
    });
    const records = made.items.map(({ id }: { id: string }, i: number) => ({
      testcaseId: id,
      inputs: { question: `Question ${i}` },
      expected: { answer: `Answer ${i}` },
      outputs: { answer: `The capital is ${isRight(i) ? 'Paris' : 'London'} today` },
    }));
    const { ids } = await ok(
      site.api('POST', `/runs/${run.id}/records/bulk-create`, { items: records }),
      201,
    );
    const scores = ids.flatMap((recordId: string, i: number) => [
      { recordId, metricConfigId: run.metricVersionIds[0], score: { binaryScore: true } },
      {
        recordId,
        metricConfigId: run.metricVersionIds[1],
        score: { binaryScore: isRight(i), reasoning: isRight(i) ? 'It is Paris.' : 'It is not London.' },
      },
    ]);
    await ok(site.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: scores }));
    return run.id as string;
  };
  return { projectId, testset, right, runOf };
};

describe('the list of runs', () => {
  it('is searched, filtered by a tag and sorted by a rate; a run is renamed on its page', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld();
    const good = await runOf(() => true, { name: 'Nightly of Monday', tags: ['nightly'] });
    const bad = await runOf((i) => i < 5);
    await ok(site.api('PATCH', `/runs/${bad}/details`, { notes: 'A shorter prompt', marks: ['main'] }));
    await page.goto(`/projects/${projectId}/runs`);
    const table = page.getByRole('table', { name: 'Runs' });
    const names = () => table.getByRole('link').allInnerTexts();
    await expect.poll(names).toEqual([`Run ${bad} · Capitals`, 'Nightly of Monday']);
    await table.getByRole('row', { name: /main A shorter prompt/ }).waitFor();
    await page.getByLabel('Sort by').selectOption({ label: 'Best Right' });
    await expect.poll(names).toEqual(['Nightly of Monday', `Run ${bad} · Capitals`]);
    await page.getByLabel('Search runs').fill('shorter');
    await page.getByLabel('Search runs').press('Enter');
    await expect.poll(names).toEqual([`Run ${bad} · Capitals`]);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.keyboard.press('Escape');
    await table.getByRole('button', { name: 'nightly', exact: true }).click();
    await expect.poll(names).toEqual(['Nightly of Monday']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('tag:nightly');
    // A click on a value writes the same words, and takes them out again.
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const filters = page.getByRole('complementary', { name: 'Filters of runs' });
    await filters.getByRole('button', { name: 'tag', exact: true }).click();
    await filters.getByRole('button', { name: /^nightly 1/, pressed: true }).click();
    await expect.poll(async () => (await names()).length).toBe(2);
    await filters.getByRole('button', { name: /^Completed/ }).click();
    await expect.poll(() => page.getByLabel('Search runs').inputValue()).toBe('status:completed');
    await filters.getByRole('button', { name: 'Close (Esc)' }).click();
    await page.getByLabel('Group by').fill('tag');
    await page.getByLabel('Group by').press('Enter');
    await page.getByRole('row', { name: /^none 1/ }).click();
    await expect.poll(names).toEqual([`Run ${bad} · Capitals`]);
    expect(new URL(page.url()).searchParams.get('q')).toBe('status:completed -tag:*');
    // Older links have filters in place of words.
    await page.goto(`/projects/${projectId}/runs?tag=nightly`);
    await expect.poll(names).toEqual(['Nightly of Monday']);

    await page.goto(`/projects/${projectId}/runs/${good}`);
    await page.getByRole('button', { name: 'Name, tags and marks' }).click();
    await page.getByLabel('Name', { exact: true }).fill('The baseline');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'The baseline' }).waitFor();
  });
});

describe('a run like an earlier one', () => {
  it('has its testset, system and metrics filled in; a testset leads to its own run', async () => {
    const { page } = visitor;
    const { projectId, testset, right } = await createWorld();
    const version = async (prompt: string): Promise<string> => {
      const config = { promptTemplate: prompt, modelName: 'fake/model' };
      const system = await ok(
        site.api('POST', `/projects/${projectId}/systems`, { name: `S ${prompt.length}`, config }),
        201,
      );
      return system.productionVersion.id;
    };
    const start = (systemVersionId: string) =>
      createRun(site.api, projectId, [right.id], { testsetId: testset.id, systemVersionId });
    const first = await start(await version('Answer in one long sentence'));
    const earlier = await ok(site.api('GET', `/runs/${first.id}/details`));
    const { id } = await start(await version('Answer in one short sentence.'));
    await page.goto(`/projects/${projectId}/runs/${id}`);
    await page.getByRole('button', { name: /Version 1/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Answer in one short sentence.').waitFor();
    await dialog.getByLabel('Compare with the system of').selectOption({ label: earlier.title });
    await dialog.locator('del', { hasText: 'long' }).waitFor();
    await dialog.locator('ins', { hasText: 'short' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Run again' }).click();
    await expect.poll(() => page.getByLabel('Testset').inputValue()).toBe(testset.id);
    expect(await page.getByRole('radio', { name: /Dokima calls my prompt or endpoint/ }).isChecked()).toBe(
      true,
    );
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await expect.poll(() => prompt.inputValue()).toBe('Answer in one short sentence.');
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('fake/model');
    await expect.poll(() => page.getByRole('checkbox', { name: /^Right/ }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: /^Polite/ }).isChecked()).toBe(false);

    await page.goto(`/projects/${projectId}/testsets/${testset.id}`);
    await page.getByRole('link', { name: 'Run', exact: true }).click();
    await expect.poll(() => page.getByLabel('Testset').inputValue()).toBe(testset.id);
  });
});

describe('two runs compared', () => {
  it('opens on the metric that changed most, the worst first, with what was expected, why, and the words that differ', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld();
    const before = await runOf((i) => i === 7);
    const after = await runOf((i) => i < 7);
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}`);
    const cards = page.getByRole('listitem').filter({ hasText: /(better|worse)/ });
    await expect.poll(() => cards.count()).toBe(8);
    // What limits both metrics is said once.
    expect(await page.getByText('below 100').allTextContents()).toEqual([
      expect.stringMatching(/^every metric: only 40 testcases/),
    ]);
    const first = cards.first();
    await first.getByText('Question 7', { exact: true }).waitFor();
    await expect.poll(() => first.locator('del').allInnerTexts()).toEqual(['Paris']);
    expect(await first.locator('ins').allInnerTexts()).toEqual(['London']);
    await first.getByText('It is not London.').waitFor();
    await first.getByText('Answer 7', { exact: true }).waitFor();
    await page.keyboard.press('w');
    await expect.poll(() => cards.count()).toBe(1);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await first.getByRole('button', { expanded: true }).waitFor();
    await first.getByRole('heading', { name: 'Inputs' }).waitFor();
    const testcases = page.getByRole('group', { name: 'Testcases' });
    await testcases.getByRole('button', { name: 'Better 7' }).click();
    await expect.poll(() => cards.count()).toBe(7);
  });
});

describe('a baseline with further runs of its version', () => {
  it('has their scores as trials on the comparison and on its report', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld();
    const system = await ok(
      site.api('POST', `/projects/${projectId}/systems`, {
        name: 'Bot',
        config: { endpoint: 'https://bot.example.org' },
      }),
      201,
    );
    const at = { systemVersionId: system.productionVersion.id };
    const again = await runOf((i) => i < 20, at);
    const before = await runOf((i) => i < 30, at);
    const after = await runOf((i) => i < 5);
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}`);
    const row = page.getByRole('row', { name: /^Right/ }).first();
    await row.getByText('75.0 %').waitFor();
    await page.getByRole('button', { name: 'Pool the baseline' }).click();
    await expect.poll(() => page.getByRole('menuitemcheckbox').allInnerTexts()).toEqual([`Run ${again}`]);
    await page.getByRole('menuitemcheckbox').click();
    await row.getByText('62.5 %').waitFor();
    await page.keyboard.press('Escape');
    const note = page.getByText(`Scores of run ${again} count as further trials of run ${before}.`);
    await note.waitFor();
    await page.getByRole('link', { name: 'Report' }).click();
    await page
      .getByRole('row', { name: /^Right/ })
      .first()
      .getByText('62.5 %')
      .waitFor();
    await note.waitFor();
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}&looks=20,40`);
    await page.getByRole('table', { name: 'Planned looks' }).getByText('2 of 2').first().waitFor();
    await page.getByRole('link', { name: 'Report' }).click();
    await page.getByRole('heading', { name: 'Not measured' }).waitFor();
    await page.getByRole('table', { name: 'Planned looks' }).getByText('2 of 2').first().waitFor();
    await page.getByText('looks are planned for verdicts alone').waitFor();
  });
});

describe('three runs compared', () => {
  it('are ranked in groups, in a matrix, by slice, as a file and as a report', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld();
    const [a, b, c] = [
      await runOf((i) => i < 5, { name: 'Old' }),
      await runOf((i) => i < 36),
      await runOf((i) => i > 2, { name: 'New' }),
    ];
    await page.goto(`/projects/${projectId}/compare?runs=${a},${b},${c}`);
    const board = page.getByRole('table', { name: 'Leaderboard' });
    await board.getByRole('row', { name: /^New 92\.5 % .* A$/ }).waitFor();
    await board.getByRole('row', { name: new RegExp(`^Run ${b} · Capitals 90\\.0 % .* A$`) }).waitFor();
    await board.getByRole('row', { name: /^Old 12\.5 % .* B$/ }).waitFor();
    await page.getByText(new RegExp(`^First place: best of 3 is run ${c}: it shows 92\\.5 %`)).waitFor();
    const matrix = page.getByRole('table', { name: 'Differences of all pairs' });
    await matrix.getByRole('button', { name: /\+2\.5 points cannot tell/ }).click();
    await page.getByRole('table', { name: `Run ${c} against run ${b}` }).waitFor();
    await page.getByLabel('Slice by').selectOption({ label: 'topic (metadata)' });
    await page.getByRole('button', { name: 'odd', exact: true }).click();
    await page.getByText('here those of the slice').waitFor();
    expect(new URL(page.url()).searchParams.get('value')).toBe('odd');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv).toMatch(new RegExp(`^${a},${c},metadata.topic=odd,Right,better,`, 'm'));

    await page.getByRole('link', { name: 'Report' }).click();
    await page.getByText(`Is Run ${b}, or New better than Old?`).waitFor();
    await page
      .getByText(/^New is better on Right, compared with Old; no difference can be shown on Polite/)
      .waitFor();
    await page.getByText(`Right in run ${c}: 3 of 40 testcases got worse, 35 got better`).waitFor();
    await page.getByText('The latency, tokens, cost of at least one of these runs.').waitFor();
    const { pairs } = await ok(site.api('GET', `/runs/compare?runs=${a},${b},${c}&measure=pass`));
    const shown = pairs.filter(({ before }: { before: string }) => before === a);
    const said = new Set<string>(
      shown.flatMap(({ metrics }: { metrics: { warnings: string[] }[] }) =>
        metrics.flatMap(({ warnings }) => warnings),
      ),
    );
    expect(said.size).toBeGreaterThan(0);
    for (const sentence of said)
      await expect.poll(() => page.getByText(`: ${sentence}.`, { exact: false }).count()).toBe(1);
    await page.getByLabel('Compare by').selectOption('By mean score');
    await page.getByText('Metrics are compared by their mean score.').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Main' }).first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });

    await ok(site.api('PATCH', '/organization', { reportLinks: true }));
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('textbox', { name: 'For' }).fill('The board');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByText(/shared-report#/).textContent();
    const token = link!.slice(link!.indexOf('#'));
    await page.getByRole('button', { name: 'Done' }).click();
    const guest = await site.visitor();
    const asked: string[] = [];
    guest.page.on('request', (request) => asked.push(request.url()));
    await guest.page.goto(`/shared-report${token}`);
    await guest.page.getByText(/^New is better on Right, compared with Old/).waitFor();
    // The report alone: nothing leads into the project, no other operation is asked, and no address has the token.
    expect(await guest.page.getByRole('link').count()).toBe(0);
    expect(asked.filter((url) => url.includes('/api/v2/'))).toEqual([
      expect.stringMatching(/report-links\/read$/),
    ]);
    expect(await guest.page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('Opened 1 time').waitFor();
    await page.getByRole('button', { name: 'Revoke The board' }).click();
    await page.getByText('Opened 1 time').waitFor({ state: 'detached' });
    await guest.page.reload();
    await guest.page.getByText('This link shows no report, or no longer.').waitFor();
    expect(guest.complaints.filter((text) => !/401/.test(text))).toEqual([]);
  });
});

it('no page has complained', () => {
  expect(visitor.complaints).toEqual([]);
});
