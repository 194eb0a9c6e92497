import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../server/test/fixtures.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ DOKIMA_WORKERS: '1' });
});
afterAll(() => site.close());

it('a successor is tried, shown to decide alike, and adopted, in clicks', async () => {
  const { page, complaints } = await site.member('member');
  const { id: projectId } = await createProject(site.api);
  const judge = await createMetric(site.api, projectId, {
    ...{ name: 'Correct', evalType: 'ai', outputType: 'boolean', evalModelName: 'fake/judge' },
    promptTemplate: 'Is {{ outputs.answer }} right?',
  });
  const people = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const records = Array.from({ length: 400 }, (_, i) => ({
    inputs: { i },
    outputs: { answer: `answer ${i}` },
    scores: { [people.id]: i % 2 === 0 },
  }));
  const { run } = await createRunOf(site.api, projectId, [judge, people], records);
  await expect
    .poll(async () => (await ok(site.api('GET', `/runs/${run.id}`))).status, { timeout: 60_000 })
    .toBe('completed');
  await ok(site.api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id, size: 400 }));

  await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
  await page.getByText('No trial yet.').waitFor();
  await page.getByRole('button', { name: 'Try successors' }).click();
  // The stand-in gives one verdict for one prompt, so the same model decides alike.
  await page.getByLabel('Models').fill('fake/judge');
  await page.getByRole('button', { name: 'Start the trial' }).click();
  await page.getByRole('table', { name: 'Successors' }).getByText('equivalent', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Adopt fake/judge' }).click();
  await page.getByRole('button', { name: 'Adopt', exact: true }).click();
  // What is behind an open dialog is hidden from roles.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Adopt fake/judge' }).waitFor({ state: 'detached' });
  const [trial] = (await ok(site.api('GET', `/metrics/${judge.id}/judge-trials`))).data;
  expect(trial.adopted).not.toBeNull();
  expect(complaints).toEqual([]);
}, 120_000);
