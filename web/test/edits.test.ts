import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, createTestset, ok } from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('admin');
  projectId = (await createProject(site.api)).id;
});
afterAll(() => site.close());

const said = 'This was changed elsewhere while you edited it.';
const human = { evalType: 'human', outputType: 'boolean' };
const groupsOf = async () => (await ok(site.api('GET', `/projects/${projectId}/metric-groups`))).data;

describe('what two people edit at the same time', () => {
  it('a dialog says that someone else was faster, and either version can stay', async () => {
    const { page } = visitor;
    const metric = await createMetric(site.api, projectId, { name: 'Kind', ...human });
    const group = await ok(
      site.api('POST', `/projects/${projectId}/metric-groups`, { name: 'Group', metricIds: [metric.id] }),
      201,
    );
    await page.goto(`/projects/${projectId}/metrics`);
    await page.getByText('Groups of metrics').click();
    await page.getByRole('button', { name: 'Change Group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('mine');
    await ok(site.api('PATCH', `/metric-groups/${group.id}`, { description: 'theirs' }));
    await dialog.getByText(said).waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Show the change' }).click();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('theirs');
    await dialog.getByLabel('Description').fill('mine again');
    await ok(site.api('PATCH', `/metric-groups/${group.id}`, { description: 'theirs again' }));
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await groupsOf()).toMatchObject([{ description: 'mine again' }]);
  });

  it('a save from a page that does not know of the change yet is refused, and the page then knows', async () => {
    const { page } = visitor;
    const project = `/projects/${projectId}`;
    await page.goto(`${project}/settings`);
    await page.getByLabel('Description').fill('mine');
    // The page hears nothing of changes, as in a tab that slept.
    await page.route('**/api/v2/events*', (route) => route.abort());
    await page.context().setOffline(true);
    await ok(site.api('PATCH', project, { description: 'theirs' }));
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(said).waitFor();
    expect((await ok(site.api('GET', project))).description).toBe('theirs');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Project saved.').waitFor();
    expect((await ok(site.api('GET', project))).description).toBe('mine');
    expect(await page.getByText(said).count()).toBe(0);
    await page.unroute('**/api/v2/events*');
  });

  it('a draft that waited in the browser says what changed below it', async () => {
    const { page } = visitor;
    const metric = await createMetric(site.api, projectId, { name: 'Polite', ...human });
    const path = `/projects/${projectId}/metrics/${metric.id}`;
    await page.goto(path);
    await page.getByLabel('Name', { exact: true }).fill('Very polite');
    await page.getByText('Unsaved draft').waitFor();
    await page.goto(`/projects/${projectId}/metrics`);
    await ok(site.api('PATCH', `/metrics/${metric.id}`, { ...human, name: 'Courteous' }));
    await page.goto(path);
    await page.getByText(said).waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Show the change' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Courteous');
  });

  it('notes and the name of a run do not overwrite a change that the page has not read, and other fields stay', async () => {
    const { page } = visitor;
    const run = await createRun(site.api, projectId, [], { name: 'First' });
    const details = `/runs/${run.id}/details`;
    const read = () => ok(site.api('GET', details));
    const unheard = async (change: object) => {
      await page.route('**/api/v2/events*', (route) => route.abort());
      await page.context().setOffline(true);
      await ok(site.api('PATCH', details, change));
      await page.context().setOffline(false);
    };
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('textbox', { name: 'Notes' }).fill('mine');
    await unheard({ notes: 'theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(said).waitFor();
    await page.getByText('It now says: “theirs”').waitFor();
    expect((await read()).notes).toBe('theirs');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await read()).notes).toBe('mine');

    await page.getByRole('button', { name: 'Name, tags and marks' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Mine');
    await ok(site.api('PATCH', details, { tags: ['theirs'] }));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ name: 'Mine', tags: ['theirs'] });
    await page.unroute('**/api/v2/events*');
  });

  it('what saves at once, monitors and roles do not overwrite a change that the page has not read', async () => {
    const { page } = visitor;
    const other = { name: 'Other', email: 'other@example.org', role: 'member' };
    const user = await ok(site.api('POST', '/members', other), 201);
    const metric = await createMetric(site.api, projectId, { name: 'Seen', ...human });
    const at = `/projects/${projectId}`;
    const monitor = await ok(
      site.api('POST', `${at}/monitors`, { name: 'Watch', metricIds: [metric.id], samplingRate: 1 }),
      201,
    );
    await ok(site.api('PUT', `${at}/members/${user.id}`, { role: 'viewer' }));
    await page.route('**/api/v2/events*', (route) => route.abort());
    /** What another member writes while the page hears nothing. */
    const unheard = async (method: 'PATCH' | 'PUT', path: string, body: object) => {
      await page.context().setOffline(true);
      await ok(site.api(method, path, body));
      await page.context().setOffline(false);
    };
    const refused = () => page.getByText('Nothing was overwritten').last().waitFor();

    await page.goto(`${at}/metrics/${metric.id}`);
    const rule = page.getByLabel('Score that counts');
    await rule.waitFor();
    await unheard('PATCH', `/metrics/${metric.id}/settings`, { numReviewers: 3 });
    await page.getByLabel('Reviewers per record').selectOption('2');
    await refused();
    expect(await ok(site.api('GET', `/metrics/${metric.id}/settings`))).toMatchObject({ numReviewers: 3 });
    await expect.poll(() => page.getByLabel('Reviewers per record').inputValue()).toBe('3');
    // A change of another setting is saved.
    await unheard('PATCH', `/metrics/${metric.id}/settings`, { numReviewers: 5 });
    await rule.selectOption('majority');
    await page.getByText('Saved.').waitFor();
    expect(await ok(site.api('GET', `/metrics/${metric.id}/settings`))).toMatchObject({
      numReviewers: 5,
      reviewRule: 'majority',
    });

    await page.goto(`${at}/access`);
    const role = page.getByRole('row').getByRole('combobox');
    await role.waitFor();
    await unheard('PUT', `${at}/members/${user.id}`, { role: 'annotator' });
    await role.selectOption('admin');
    await refused();
    await expect.poll(() => role.inputValue()).toBe('annotator');

    await page.goto(`${at}/checks`);
    await page.getByRole('button', { name: 'Change Watch' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Mine');
    await unheard('PATCH', `/monitors/${monitor.id}`, { samplingRate: 0.5 });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(said).waitFor();
    expect(await ok(site.api('GET', `/monitors/${monitor.id}`))).toMatchObject({
      name: 'Watch',
      samplingRate: 0.5,
    });
    await page.unroute('**/api/v2/events*');
  });

  it('two fields of a testcase from two people are both kept', async () => {
    const { page } = visitor;
    const testset = await createTestset(site.api, projectId, {
      jsonSchema: { type: 'object' },
      fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: [] },
    });
    const items = [{ jsonData: { question: 'one', answer: 'two' } }];
    const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const testcase = `/testcases/${made.items[0].id}`;
    await page.goto(`/projects/${projectId}/testsets/${testset.id}`);
    await page.getByRole('gridcell', { name: 'one' }).waitFor();
    // The page hears nothing of the other change.
    await page.route('**/api/v2/events*', (route) => route.abort());
    await page.context().setOffline(true);
    await ok(site.api('PUT', testcase, { jsonData: { question: 'one', answer: 'theirs' } }));
    await page.context().setOffline(false);
    await page.getByRole('gridcell', { name: 'one' }).dblclick();
    await page.getByRole('textbox', { name: 'question' }).fill('mine');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await ok(site.api('GET', testcase))).jsonData)
      .toEqual({ question: 'mine', answer: 'theirs' });
  });
});
