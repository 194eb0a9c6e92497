import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { choose, openSite, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

it('the audit log shows what a write changed, filters, and checks the chain; members do not see it', async () => {
  const project = await createProject(site.api);
  await ok(site.api('PATCH', `/projects/${project.id}`, { name: 'Renamed' }));
  const { page, complaints } = await site.member('admin');
  await page.goto('/');
  await page.getByRole('button', { name: /^You:/ }).click();
  await page.getByRole('menuitem', { name: 'Audit log' }).click();
  await page.getByRole('button', { name: 'Update project' }).first().click();
  await page.locator('ins').filter({ hasText: 'Renamed' }).first().waitFor();
  await choose(page.getByLabel('Group'), 'Sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Update project' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Verify integrity' }).click();
  await page.getByRole('status').filter({ hasText: 'The chain is intact' }).waitFor();
  expect(complaints).toEqual([]);

  const { page: other } = await site.member('member');
  await other.goto('/');
  await other.getByRole('button', { name: /^You:/ }).click();
  await other.getByRole('menuitem', { name: 'Members' }).waitFor();
  expect(await other.getByRole('menuitem', { name: 'Audit log' }).count()).toBe(0);
});

it('the settings of a project preview masking, store it, and say what the next purge deletes', async () => {
  const project = await createProject(site.api);
  const { page, complaints } = await site.member('admin');
  await page.goto(`/projects/${project.id}/settings`);
  await page.getByLabel('E-mail addresses').check();
  await page.getByLabel('Own patterns').fill('EMPLOYEE EMP-[0-9]+');
  await page
    .getByLabel('Try it: an object as JSON')
    .fill('{"inputs": {"q": "ada@example.org EMP-7", "n": 9007199254740993, "p": 1.10}}');
  await page.getByRole('button', { name: 'Show what would be stored' }).click();
  await page.getByText('[EMAIL] [EMPLOYEE]').waitFor();
  const shown = await page.getByRole('status').filter({ hasText: '[EMAIL]' }).innerText();
  expect(shown).toContain('"n": 9007199254740993,\n    "p": 1.10');
  await page.getByRole('button', { name: 'Save masking' }).click();
  await expect
    .poll(async () => (await ok(site.api('GET', `/projects/${project.id}/settings`))).masking.patterns)
    .toEqual(['email']);
  await page.getByLabel('Delete records after days').fill('30');
  await page.getByRole('status').filter({ hasText: 'the next purge deletes 0 records' }).waitFor();
  await page.getByRole('button', { name: 'Save retention' }).click();
  await expect
    .poll(async () => (await ok(site.api('GET', `/projects/${project.id}/settings`))).recordDays)
    .toBe(30);
  expect(complaints).toEqual([]);
});
