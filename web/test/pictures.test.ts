import { glob, readFile, stat, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, namePeople, ok } from '../../server/test/fixtures.ts';
import { openOpenAiServer } from '../../server/test/model-server.ts';
import { newTraceId, post, requestOf } from '../../server/test/otlp.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { seedDemo } from '../../server/test/seed-demo.ts';
import { agentTrace } from './agent-trace.ts';
import { modelOfTutorial } from './no-code.ts';
import { settled, siteMap } from './screens/look.ts';
import { openSite, type Site } from './site.ts';
import { createTwoWeeks } from './two-weeks.ts';

// The pictures of the guide show the demo project, which every reader has. `DOKIMA_PICTURES=1` takes them again:
// DOKIMA_PICTURES=1 npx vitest run --project web web/test/pictures.test.ts

const docs = new URL('../../docs/', import.meta.url);
const project = '/projects/$projectId';

type Ids = Record<string, string>;
type Picture = {
  route: string;
  query?: string;
  /** Project whose ids stand for the parameters; the demo unless another is named. */
  of?: 'first' | 'judged' | 'replies' | 'traced' | 'weeks';
  /** What the reader clicks before. */
  act?: (page: Page) => Promise<void>;
};

/** Each picture in docs/images: the page that it shows. */
const pictures: Record<string, Picture> = {
  home: { route: project },
  runs: { route: `${project}/runs` },
  run: { route: `${project}/runs/$runId` },
  compare: { route: `${project}/compare`, query: '?runs=1,2' },
  record: { route: `${project}/records/$recordId` },
  review: { route: `${project}/review` },
  testset: { route: `${project}/testsets/$testsetId` },
  metric: { route: `${project}/metrics/new` },
  failures: {
    route: `${project}/runs/$runId`,
    of: 'first',
    act: async (page) => {
      await page.getByRole('button', { name: 'Group failures' }).click();
      await page.getByRole('list', { name: 'Groups of failures' }).waitFor();
      await page.getByRole('heading', { name: 'Failures' }).evaluate((head) => head.scrollIntoView());
    },
  },
  judge: { route: `${project}/metrics/$metricId/judge`, of: 'judged' },
  timeline: { route: `${project}/records/$recordId`, query: '?tab=timeline', of: 'traced' },
  monitor: { route: `${project}/monitors/$monitorId`, of: 'weeks' },
  dashboard: { route: `${project}/dashboard`, query: '?range=7d&by=model', of: 'weeks' },
  playground: {
    route: `${project}/playground`,
    of: 'replies',
    act: async (page) => {
      const message = 'Answer this mail to our shop in one short sentence: {{ inputs.mail }}';
      await page.getByLabel('Model of A').fill('openai/gpt-4.1-mini');
      await page.getByLabel('Message 1', { exact: true }).fill(message);
      await page.getByRole('button', { name: 'Copy variant A' }).click();
      const b = page.getByRole('region', { name: 'Variant B' });
      await b
        .getByLabel('Message 1', { exact: true })
        .fill(`${message} Then say what we do next, and by when.`);
      await page.getByLabel('Examples').selectOption('Mails to the shop');
      await page.getByRole('checkbox', { name: 'Says what comes next' }).check();
      await page.getByRole('button', { name: 'Ask 2 variants about 10 examples' }).click();
      await page.getByText(/of 10 pass; \d+ better/).waitFor();
      await page.getByText('Examples', { exact: true }).evaluate((label) => label.scrollIntoView());
    },
  },
  drafts: {
    route: `${project}/testsets/$testsetId/drafts`,
    of: 'replies',
    act: async (page) => {
      const about =
        'Mails to a shop for lamps: orders, returns, damage, invoices. Some are angry, some are vague.';
      await page.getByLabel('What they should be about').fill(about);
      await page.getByLabel('Number', { exact: true }).fill('25');
      await page.getByRole('button', { name: 'Write 25 drafts' }).click();
      await page.getByRole('button', { name: 'Accept all (25)' }).waitFor();
    },
  },
};
const demo: Ids = { projectId: '1', runId: '2', recordId: '2-1', testsetId: '1' };

/** A judge that is wrong about every eighth answer, and 60 labels of people. */
const createJudged = async ({ api }: Site): Promise<Ids> => {
  const { id: projectId } = await createProject(api);
  await ok(api('PATCH', `/projects/${projectId}`, { name: 'Support answers' }));
  const judge = await createMetric(api, projectId, {
    name: 'Correct',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'openai/gpt-4.1-mini',
    promptTemplate: 'Is {{ outputs.answer }} right?',
    guidelines: 'Passes if the answer is right.',
  });
  const people = await createMetric(api, projectId, {
    name: 'Correct, by people',
    evalType: 'human',
    outputType: 'boolean',
  });
  await namePeople(api, judge.id, people.id);
  const records = Array.from({ length: 200 }, (_, i) => {
    const right = i % 5 > 1;
    const said = i % 8 === 1 ? !right : right;
    return {
      outputs: { answer: `Answer ${i}` },
      scores: { [judge.id]: said, [people.id]: i < 60 ? right : null },
    };
  });
  await createRunOf(api, projectId, [judge, people], records);
  return { projectId, metricId: judge.id };
};

/** The project of the tutorial without code: mails, a judge, and the model that answers them. */
const createReplies = async ({ api }: Site, baseUrl: string): Promise<Ids> => {
  const prices = { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } };
  const provider = { name: 'openai', kind: 'openai-compatible', baseUrl, apiKey: 'k', prices };
  await ok(api('POST', '/providers', provider), 201);
  await ok(api('PATCH', '/organization', { judgeModelName: 'openai/gpt-4.1-mini' }));
  const { id: projectId } = await createProject(api);
  await ok(api('PATCH', `/projects/${projectId}`, { name: 'Replies' }));
  const testset = await createTestset(api, projectId, {
    name: 'Mails to the shop',
    jsonSchema: { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] },
    fieldMapping: { inputs: ['mail'], expected: [], metadata: [] },
  });
  const mails = [
    'Where is order 1042? I ordered two weeks ago.',
    'The lamp came broken. I want my money back.',
    'Can I still change the address of my order?',
    'I need an invoice with our VAT number.',
    'Your lamp flickers. What now?',
    'Do you ship to Iceland?',
    'I returned the lamp in May and heard nothing.',
    'Is the lamp safe for a nursery?',
    'My parcel is at the wrong post office.',
    'Which bulb fits the small lamp?',
  ];
  const items = mails.map((mail) => ({ jsonData: { mail } }));
  await ok(api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  await createMetric(api, projectId, {
    name: 'Says what comes next',
    evalType: 'ai',
    outputType: 'boolean',
    guidelines:
      'Passes if the answer says what the shop does next, and by when. Fails if one of the two is missing.',
    promptTemplate: '{{ guidelines }} {{ allInputs }} {{ allOutputs }}',
  });
  return { projectId, testsetId: testset.id };
};

/** A trace of a small agent whose tool fails once. */
const createTraced = async ({ api, app, organization }: Site): Promise<Ids> => {
  const { id: projectId } = await createProject(api);
  await ok(api('PATCH', `/projects/${projectId}`, { name: 'Weather agent' }));
  const traceId = newTraceId();
  const resource = { 'dokima.project_id': projectId, 'service.name': 'weather' };
  await post(app, organization.key, requestOf(agentTrace(traceId), resource));
  const { data } = await ok(api('GET', `/projects/${projectId}/spans?traceId=${traceId}`));
  return { projectId, recordId: data[0].recordId };
};

describe('the pictures', () => {
  it.skipIf(!process.env.DOKIMA_PICTURES)('are taken (skipped without DOKIMA_PICTURES)', async () => {
    const site = await openSite({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
    const models = await openOpenAiServer();
    models.answer(modelOfTutorial);
    await seedDemo(site.app.db, site.organization);
    const pending = async () => {
      const { body } = await site.api('GET', '/runs/2/summary');
      return body.metrics
        .slice(0, 3)
        .some(({ states }: { states: { pending: number } }) => states.pending > 0);
    };
    await expect.poll(pending).toBe(false);
    const { page, context, complaints } = await site.member('admin');
    const session = await context.newCDPSession(page);
    const weeks: Ids = await createTwoWeeks(site);
    await ok(site.api('PATCH', `/projects/${weeks.projectId}`, { name: 'Support bot' }));
    const first: Ids = { ...demo, runId: '1' };
    const worlds = {
      first,
      judged: await createJudged(site),
      traced: await createTraced(site),
      weeks,
      replies: await createReplies(site, models.url),
    };
    for (const [name, { route, query = '', of, act }] of Object.entries(pictures)) {
      const ids = of ? worlds[of] : demo;
      await page.goto(route.replaceAll(/\$(\w+)/g, (_, id: string) => ids[id]!) + query);
      await settled(page);
      await act?.(page);
      await settled(page);
      const clip = { x: 0, y: Number(await page.evaluate('scrollY')), width: 1280, height: 680, scale: 1 };
      const taken = await session.send('Page.captureScreenshot', { format: 'webp', quality: 58, clip });
      await writeFile(new URL(`images/${name}.webp`, docs), Buffer.from(taken.data, 'base64'));
    }
    expect(complaints).toEqual([]);
    await Promise.all([site.close(), models.close()]);
  });

  it('show pages that exist, are named in the guide, and are small', async () => {
    const screens = (await siteMap()).map((path) => path.replace(/\/$/, ''));
    for (const { route } of Object.values(pictures)) expect(screens).toContain(route);

    const named = new Set<string>();
    for await (const page of glob('**/*.md', { cwd: docs })) {
      const text = await readFile(new URL(page, docs), 'utf8');
      for (const [, name] of text.matchAll(/!\[[^\]]+\]\((?:\.\.\/)*images\/(\w+)\.webp\)/g))
        named.add(name!);
    }
    expect([...named].sort()).toEqual(Object.keys(pictures).sort());
    for (const name of named)
      expect((await stat(new URL(`images/${name}.webp`, docs))).size, name).toBeLessThan(80_000);
  });
});
