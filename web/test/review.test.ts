import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../server/test/fixtures.ts';
import { newTraceId, post, requestOf } from '../../server/test/otlp.ts';
import { agentTrace } from './agent-trace.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
});
afterAll(() => site.close());

const guidelines = '## How to score\n\n- **5** is perfect';

/** A project with a queue of so many records that people score. */
const newQueue = async (count: number, fields: Record<string, unknown> = {}, reviewers = 1) => {
  const project = await createProject(site.api);
  const metric = await createMetric(site.api, project.id, {
    name: 'Tone',
    evalType: 'human',
    outputType: 'int',
    guidelines,
    ...fields,
  });
  const settings = { numReviewers: reviewers, reviewRule: 'latest' };
  await ok(site.api('PATCH', `/metrics/${metric.id}/settings`, settings));
  const run = await createRun(site.api, project.id, [metric.id]);
  const items = Array.from({ length: count }, (_, i) => ({
    inputs: { question: `Question ${i + 1}` },
    expected: { answer: 'Paris' },
    outputs: { answer: `Answer ${i + 1}, which is ${'long '.repeat(200)}` },
  }));
  const { ids } = await ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  return {
    projectId: project.id as string,
    ids: ids as string[],
    configId: run.metricVersionIds[0] as string,
  };
};
const recordAt = (who: Visitor, id: string) => who.page.getByRole('article', { name: `Record ${id}` });

describe('the page of a record that is being reviewed', () => {
  it.each(['annotator', 'member'] as const)(
    'shows no verdict to the role %s before their own score, and all after it',
    async (role) => {
      const who = await site.member(role);
      const { projectId, ids, configId } = await newQueue(2);
      const [id] = ids as [string];
      const judge = await createMetric(site.api, projectId, {
        name: 'Judge of tone',
        evalType: 'ai',
        outputType: 'boolean',
        promptTemplate: '{{ outputs }}',
      });
      const { data } = await ok(site.api('GET', `/metrics/${judge.id}/versions`));
      const score = { binaryScore: false, reasoning: 'The answer is rude.' };
      await ok(site.api('PUT', `/records/${id}/scores/${data[0].id}`, { score }));
      const comment = 'I find it rude too.';
      await ok(site.api('POST', `/records/${id}/annotations`, { rating: false, comment }), 201);
      const { page } = who;
      await page.goto(`/projects/${projectId}/review`);
      const answers: string[] = [];
      page.on('response', async (response) => {
        if (response.url().includes(`/records/${id}`)) answers.push(await response.text());
      });
      await recordAt(who, id).getByRole('link', { name: id }).click();
      await page.getByText('You have yet to score this record.').waitFor();
      await page.getByText('Judge of tone').waitFor();
      await page.getByRole('heading', { name: 'Annotations' }).waitFor();
      for (const words of [score.reasoning, comment]) {
        expect(await page.getByText(words).count()).toBe(0);
        // Nor does the browser know it.
        expect(answers.join()).not.toContain(words);
      }
      expect(answers.length).toBeGreaterThan(0);
      await page.getByRole('link', { name: 'Score it in the review queue' }).click();
      await recordAt(who, id).waitFor();
      await page.keyboard.press('4');
      await page.keyboard.press('Enter');
      await recordAt(who, ids[1]!).waitFor();
      expect((await ok(site.api('GET', `/records/${id}`))).scoreStates).toContainEqual(
        expect.objectContaining({ metricConfigId: configId, state: 'scored' }),
      );
      await page.goto(`/projects/${projectId}/records/${id}`);
      await page.getByText(score.reasoning).waitFor();
      await page.getByText(comment).waitFor();
      expect(who.complaints.filter((line) => !line.includes('403'))).toEqual([]);
    },
  );
});

describe('a session of review', () => {
  it('of 50 records works without the mouse, each score stored, progress shown', async () => {
    const { page } = visitor;
    const { projectId, ids, configId } = await newQueue(50);
    await page.goto(`/projects/${projectId}/review`);
    await page.getByRole('heading', { name: 'How to score' }).waitFor();
    await page.getByText('50 records waiting').waitFor();
    for (const [i, id] of ids.entries()) {
      await recordAt(visitor, id).waitFor();
      await page.keyboard.press(String((i % 5) + 1));
      if (i % 10 === 0) {
        await page.keyboard.press('c');
        await page.keyboard.type(`Because of ${i}.`);
        await page.keyboard.press('Escape');
      }
      await page.keyboard.press('Enter');
    }
    await page.getByRole('heading', { name: 'No records to review' }).waitFor();
    await page.getByText('50 reviewed by you, 0 records waiting').waitFor();
    const { data } = await ok(site.api('GET', `/runs/${ids[0]!.split('-')[0]}/records?limit=100`));
    expect(data.map(({ scores }: { scores: { score: object }[] }) => scores[0]!.score)).toEqual(
      ids.map((_, i) => ({
        intScore: (i % 5) + 1,
        ...(i % 10 === 0 && { reasoning: `Because of ${i}.` }),
      })),
    );
    expect(configId).toBeTruthy();
  }, 120_000);

  it('what is being written outlives a reload and a refusal', async () => {
    const { page } = visitor;
    const { projectId, ids } = await newQueue(1);
    await page.goto(`/projects/${projectId}/review`);
    await recordAt(visitor, ids[0]!).waitFor();
    await page.getByLabel('Reason (optional)').fill('half a reason');
    await page.reload();
    const why = page.getByLabel('Reason (optional)');
    await why.waitFor();
    expect(await why.inputValue()).toBe('half a reason');
    await page.route('**/records/*/reviews', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            json: { code: 'VALIDATION_ERROR', message: 'Not now.', details: { issues: [] } },
          })
        : route.continue(),
    );
    await page.getByRole('heading', { name: 'Tone' }).click();
    await page.keyboard.press('4');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor();
    expect(await why.inputValue()).toBe('half a reason');
    await page.unroute('**/records/*/reviews');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No records to review' }).waitFor();
  });

  it('shows who disagrees with whom, on which records and in which words', async () => {
    const { projectId, ids } = await newQueue(2, {}, 2);
    const others = [visitor, await site.member('member')];
    for (const [i, who] of others.entries()) {
      for (const [j, id] of ids.entries()) {
        const task = await (
          await who.context.request.post(`/api/v2/projects/${projectId}/reviews/next`, {
            headers: { 'x-requested-with': 'Dokima' },
          })
        ).json();
        expect(task.review.recordId).toBe(id);
        // Both say 3 of the second.
        const intScore = j === 1 ? 3 : i === 0 ? 1 : 5;
        const { status } = await who.context.request
          .post(`/api/v2/records/${id}/reviews/${task.review.metricConfigId}`, {
            headers: { 'x-requested-with': 'Dokima' },
            data: { score: { intScore, reasoning: `Person ${i} says so.` } },
          })
          .then((answer) => ({ status: answer.status() }));
        expect(status).toBeLessThan(300);
      }
    }
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/review`);
    await page.getByRole('link', { name: 'Disagreements' }).click();
    await page.getByRole('row', { name: /Person \d+ and Person \d+ 1 record 1 record/ }).waitFor();
    await page.getByText('Records on which reviewers differ (n = 1)').waitFor();
    await page.getByRole('link', { name: ids[0]!, exact: true }).waitFor();
    await page.getByText('Person 1 says so.').waitFor();
    expect(await page.getByRole('link', { name: ids[1]!, exact: true }).count()).toBe(0);
  });

  it('fits a phone: nothing is wider than the screen, and the buttons that score are in reach', async () => {
    const { projectId, ids } = await newQueue(2);
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/projects/${projectId}/review`);
    await recordAt(visitor, ids[0]!).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    for (const name of ['3', 'Submit & next']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect(box!.y + box!.height).toBeLessThanOrEqual(844);
      expect(box!.height).toBeGreaterThanOrEqual(28);
    }
    // The bar at the foot says how many wait.
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByText('2 to review')
      .filter({ visible: true })
      .waitFor();
    await page.getByRole('button', { name: '3', exact: true }).click();
    await page.getByRole('button', { name: /Submit & next/ }).click();
    await recordAt(visitor, ids[1]!).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    // One run alone: another has nothing, and its cross leads back to all.
    const empty = await ok(site.api('POST', `/projects/${projectId}/runs`, { metricIds: [] }), 201);
    await page.goto(`/projects/${projectId}/review?run=${empty.id}`);
    await page.getByRole('heading', { name: 'No records to review' }).waitFor();
    await page.getByRole('link', { name: 'Show the records of every run' }).click();
    await recordAt(visitor, ids[1]!).waitFor();
    await page.goto(`/projects/${projectId}/review?run=${ids[1]!.split('-')[0]}`);
    await recordAt(visitor, ids[1]!).waitFor();
    await page.getByText('1 record waiting').waitFor();
  });
});

it('a record of an agent is scored beside its conversation and its tools, and an annotator sees its timeline', async () => {
  const { id: projectId } = await createProject(site.api);
  const metric = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'int' });
  await post(
    site.app,
    site.organization.key,
    requestOf(agentTrace(newTraceId()), { 'dokima.project_id': projectId }),
  );
  const { data: runs } = await ok(site.api('GET', `/projects/${projectId}/runs`));
  const traced = runs.find(({ numRecords }: { numRecords: number }) => numRecords > 0);
  await ok(site.api('POST', `/runs/${traced.id}/metrics`, { metricIds: [metric.id] }));
  const who = await site.member('annotator');
  await who.page.goto(`/projects/${projectId}/review`);
  const article = recordAt(who, `${traced.id}-1`);
  await article.getByText('forecast').first().waitFor();
  // The key leads to the record and back; keys of the score still work.
  await who.page.keyboard.press('v');
  await article.getByText('Inputs', { exact: true }).waitFor();
  await who.page.keyboard.press('v');
  await article.getByRole('article', { name: 'User' }).first().waitFor();
  await who.page.keyboard.press('5');
  await who.page.getByRole('button', { name: '5', pressed: true }).waitFor();
  await who.page.keyboard.press('t');
  await who.page.getByRole('treegrid').waitFor();
  // What a span holds may be a verdict: it is not opened for people who only review.
  const rows = who.page.getByRole('treegrid').getByRole('row');
  await rows.nth(1).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(2);
  expect(new URL(who.page.url()).searchParams.has('span')).toBe(false);
  expect(await who.page.getByRole('complementary', { name: /^Span/ }).count()).toBe(0);
  // Arrows move in the tree and neither undo nor skip; Enter is still the one that submits.
  await who.page.keyboard.press('ArrowLeft');
  await who.page.keyboard.press('ArrowRight');
  await article.waitFor();
  await who.page.keyboard.press('Enter');
  await who.page.getByRole('heading', { name: 'No records to review' }).waitFor();
});

it('no page has complained', () => {
  expect(visitor.complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
});
