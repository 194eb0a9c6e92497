import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, createTestset, ok } from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
});
afterAll(() => site.close());

const newTestset = async (): Promise<string> => {
  const fieldMapping = { inputs: ['question'], expected: ['answer'], metadata: [] };
  const testset = await createTestset(site.api, projectId, { fieldMapping });
  const items = [{ jsonData: { question: 'Where?', answer: 'Paris' } }];
  await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  await visitor.page.goto(`/projects/${projectId}/testsets/${testset.id}`);
  await visitor.page.getByRole('gridcell', { name: 'Paris' }).waitFor();
  return testset.id;
};
const answerOf = async (id: string) => (await ok(site.api('GET', `/testcases/${id}-1`))).jsonData.answer;
const banner = (page: Page) => page.getByText('No connection to Dokima.');
const edit = async (page: Page, id: string, text: string) => {
  await page.getByRole('gridcell', { name: 'Paris' }).dblclick();
  await page.getByRole('textbox', { name: `answer of ${id}-1` }).fill(text);
  await page.keyboard.press('Enter');
};
/** As when the service is stopped: nothing that is asked gets an answer. */
const stopAnswers = async ({ context }: Visitor) => {
  const routes = ['**/api/v2/**', '**/healthz'];
  for (const route of routes) await context.route(route, (request) => request.abort('connectionrefused'));
  return async () => {
    for (const route of routes) await context.unroute(route);
  };
};

describe('without a connection', () => {
  it('a banner says so until the service answers again', async () => {
    await newTestset();
    const { page, context } = visitor;
    expect(await banner(page).count()).toBe(0);
    await context.setOffline(true);
    await banner(page).waitFor();
    await context.setOffline(false);
    await banner(page).waitFor({ state: 'detached' });
  });

  it('an edited cell is kept, shown as not saved, and sent when the service answers again', async () => {
    const id = await newTestset();
    const { page } = visitor;
    const answerAgain = await stopAnswers(visitor);
    await edit(page, id, 'Lyon');
    await page.getByText('1 edit not saved yet.').waitFor();
    await banner(page).waitFor();
    await page.getByRole('gridcell', { name: 'Lyon' }).getByTitle('Not saved yet').waitFor();
    expect(await answerOf(id)).toBe('Paris');
    await answerAgain();
    await expect.poll(() => answerOf(id)).toBe('Lyon');
    await page.getByText('1 edit not saved yet.').waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'Lyon' }).waitFor();
    expect(await page.getByTitle('Not saved yet').count()).toBe(0);
  });

  it('an edited cell outlives the page', async () => {
    const id = await newTestset();
    const { page } = visitor;
    const answerAgain = await stopAnswers(visitor);
    await edit(page, id, 'Nice');
    await page.getByText('1 edit not saved yet.').waitFor();
    await page.goto('about:blank');
    await answerAgain();
    await page.goto(`/projects/${projectId}/testsets/${id}`);
    await expect.poll(() => answerOf(id)).toBe('Nice');
  });

  it('an edit does not overwrite what someone else wrote since: the user gets the text back and decides', async () => {
    const id = await newTestset();
    const { page } = visitor;
    const answerAgain = await stopAnswers(visitor);
    await edit(page, id, 'Lyon');
    await page.getByText('1 edit not saved yet.').waitFor();
    await ok(site.api('PUT', `/testcases/${id}-1`, { jsonData: { question: 'Where?', answer: 'Berlin' } }));
    await answerAgain();
    const unsaved = page.getByRole('region', { name: 'Edits that are not saved' });
    await unsaved.getByText('Someone else has changed this field since.').waitFor();
    expect(await unsaved.textContent()).toContain('Lyon');
    expect(await answerOf(id)).toBe('Berlin');
    await unsaved.getByRole('button', { name: 'Save it anyway' }).click();
    await expect.poll(() => answerOf(id)).toBe('Lyon');
    await unsaved.waitFor({ state: 'detached' });
  });
});
