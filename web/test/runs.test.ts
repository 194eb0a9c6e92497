// Longer than 400 lines: a run from its start to its comparison, on one site.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, openEndpoint, type Reply } from '../../server/test/endpoint.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { openOpenAiServer } from '../../server/test/model-server.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
let answer: (asked: Asked) => Reply | Promise<Reply>;

beforeAll(async () => {
  site = await openSite({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  visitor = await site.member('member');
  endpoint = await openEndpoint((asked) => answer(asked));
});
afterAll(async () => {
  await site.close();
  await endpoint.close();
});

const outputs = { body: JSON.stringify({ outputs: { answer: 'Paris' } }) };

/** A door that answers stand before until it is opened. */
const openableDoor = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

const createWorld = async (testcases: number) => {
  const { id: projectId } = await createProject(site.api);
  const metric = await createMetric(site.api, projectId, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const testset = await createTestset(site.api, projectId, {
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: ['topic'] },
  });
  const items = Array.from({ length: testcases }, (_, i) => ({
    jsonData: { question: `Question ${i}`, answer: 'Paris', topic: i % 2 ? 'odd' : 'even' },
  }));
  const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const ids: string[] = made.items.map(({ id }: { id: string }) => id);
  const runOf = (scores: boolean[]) =>
    createRunOf(
      site.api,
      projectId,
      [metric],
      scores.map((score, i) => ({
        testcaseId: ids[i]!,
        inputs: { question: `Question ${i}` },
        scores: { [metric.id]: score },
      })),
      { testsetId: testset.id },
    );
  return { projectId, metric, testset, ids, runOf };
};

describe('the page of a run', () => {
  it('leaves everything in its place when the numbers of its metrics come', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld(3);
    const { run } = await runOf([true, false, true]);
    const { open, opened } = openableDoor();
    const isSummary = (url: URL) => url.pathname.endsWith(`/runs/${run.id}/summary`);
    await page.route(isSummary, async (route) => {
      await opened;
      await route.fallback();
    });
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    const place = async () => {
      const above = page.getByRole('term').filter({ hasText: 'Testset' });
      return Object.values((await above.boundingBox())!).map(Math.round);
    };
    const failures = page.getByRole('link', { name: 'All failures' });
    await page.getByRole('link', { name: 'Testset', exact: true }).waitFor();
    expect(await page.getByRole('table', { name: 'Metrics of the run' }).count()).toBe(0);
    // The warnings above the metrics have a height that is not known before, so what stands below comes after them.
    expect(await failures.count()).toBe(0);
    const before = await place();
    open();
    await page.getByRole('table', { name: 'Metrics of the run' }).waitFor();
    await failures.waitFor();
    await page.unroute(isSummary);
    expect(await place()).toEqual(before);
  });
});

describe('a run that the service executes', () => {
  it('is started in the browser and followed by events; what failed is shown, and called again', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const testset = await createTestset(site.api, projectId);
    await createTestcases(site.api, testset.id, 3);
    const { open, opened } = openableDoor();
    answer = async ({ text }) => {
      await opened;
      return text.includes('q1') ? { status: 422, body: '{"detail":"no q1"}' } : outputs;
    };
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'eventsource') asked.push(new URL(request.url()).pathname);
    });
    await page.goto(`/projects/${projectId}/runs/new`);
    await page.getByLabel('Testset').selectOption({ label: 'Testset' });
    await page.getByLabel('Type of system').selectOption({ label: 'An HTTP endpoint' });
    await page.getByLabel('URL').fill(endpoint.url);
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByText('0 of 3 responses').waitFor();
    const runId = new URL(page.url()).pathname.split('/').at(-1)!;
    open();
    // Sooner than the page would ask by itself.
    await page.getByText('2 of 3 responses, 1 failed').waitFor({ timeout: 25_000 });
    await page.getByRole('button', { name: 'Show the failed calls' }).click();
    await page.getByRole('row', { name: new RegExp(`${testset.id}-2 1 1 .*422`) }).waitFor();
    answer = () => outputs;
    await page.getByRole('button', { name: 'Retry failed calls' }).click();
    await page.getByText('3 of 3 responses').waitFor();
    const summary = await ok(site.api('GET', `/runs/${runId}/details`)).then(({ executions }) => executions);
    expect(summary).toMatchObject({ numExecutions: 3, done: 3, failed: 0 });
    expect(asked).toContain(`/api/v2/runs/${runId}/details`);
  });

  it('is tried with the first testcases before it starts', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const testset = await createTestset(site.api, projectId);
    await createTestcases(site.api, testset.id, 2);
    answer = () => ({ status: 422, body: 'not like this' });
    await page.goto(`/projects/${projectId}/runs/new?testset=${testset.id}`);
    await page.getByLabel('Type of system').selectOption({ label: 'An HTTP endpoint' });
    await page.getByLabel('URL').fill(endpoint.url);
    await page.getByRole('button', { name: 'Try 3' }).click();
    const result = page.getByRole('status', { name: 'Results of the calls' });
    await result.getByText(/-1: the call failed: the endpoint answers 422: not like this/).waitFor();
    answer = () => outputs;
    await page.getByRole('button', { name: 'Try 3' }).click();
    await result.getByText(`The system answered testcase ${testset.id}-1`).waitFor();
    await result.getByText(`The system answered testcase ${testset.id}-2`).waitFor();
    await result.getByText('Paris').first().waitFor();
    // The answer was to another URL.
    await page.getByLabel('URL').fill(`${endpoint.url}/elsewhere`);
    await result.waitFor({ state: 'detached' });
    expect((await ok(site.api('GET', `/projects/${projectId}/runs`))).data).toEqual([]);
    expect((await ok(site.api('GET', `/projects/${projectId}/systems`))).data).toEqual([]);
  });

  it('whose calls all failed is not shown as completed; equal errors are one line with their number', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const testset = await createTestset(site.api, projectId);
    await createTestcases(site.api, testset.id, 3);
    answer = () => ({ status: 422, body: 'not like this' });
    const runOf = async (config: object) => {
      const system = await ok(site.api('POST', `/projects/${projectId}/systems`, { config }), 201);
      return createRun(site.api, projectId, [], {
        testsetId: testset.id,
        systemVersionId: system.productionVersion.id,
        execute: true,
      });
    };
    const run = await runOf({ endpoint: endpoint.url });
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByText('Failed with 3 errors').waitFor();
    const errors = page.getByRole('list', { name: 'Errors of calls' });
    await expect
      .poll(() => errors.getByRole('listitem').allInnerTexts())
      .toEqual(['3 failed: the endpoint answers 422: not like this']);
    await page.goto(`/projects/${projectId}/runs`);
    const row = page.getByRole('row', { name: new RegExp(`Run ${run.id}`) });
    await row.getByText('with 3 errors').waitFor();
    await row.getByText('Failed', { exact: true }).waitFor();
    expect(await row.getByText('Completed').count()).toBe(0);

    answer = () => ({ status: 500, body: 'boom' });
    const retried = await runOf({ endpoint: `${endpoint.url}?again` });
    await page.goto(`/projects/${projectId}/runs/${retried.id}`);
    await errors.getByText(/^3 waiting, attempt \d: the endpoint answers 500: boom$/).waitFor();
    await page.getByRole('button', { name: 'Cancel calls' }).click();
    await errors.getByRole('listitem').first().waitFor({ state: 'detached' });
  });

  it('is cancelled, and what is there stays', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const testset = await createTestset(site.api, projectId);
    await createTestcases(site.api, testset.id, 2);
    const { open, opened } = openableDoor();
    answer = async () => {
      await opened;
      return outputs;
    };
    const config = { endpoint: endpoint.url };
    const system = await ok(site.api('POST', `/projects/${projectId}/systems`, { config }), 201);
    const run = await createRun(site.api, projectId, [], {
      testsetId: testset.id,
      systemVersionId: system.productionVersion.id,
      execute: true,
    });
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('button', { name: 'Cancel calls' }).click();
    await page.getByText('0 of 2 responses, 2 cancelled').waitFor();
    open();
    expect(
      await ok(site.api('GET', `/runs/${run.id}/details`)).then(({ executions }) => executions),
    ).toMatchObject({ cancelled: 2 });
  });
});

describe('a new run', () => {
  it('says for each metric how small a difference it would show, and what a given one needs', async () => {
    const { page } = visitor;
    const { projectId, metric, testset, runOf } = await createWorld(60);
    await runOf(Array.from({ length: 60 }, (_, i) => i < 30));
    const plan = await ok(
      site.api(
        'GET',
        `/projects/${projectId}/plan?metricId=${metric.id}&testsetId=${testset.id}&difference=0.1&measure=pass`,
      ),
    );
    await page.goto(`/projects/${projectId}/runs/new?testset=${testset.id}`);
    // One sentence; the statistics behind it are folded.
    const best = Math.round(100 * plan.minimumDetectable);
    await page.getByText(`With 60 testcases it can show differences above ${best} points.`).waitFor();
    await page.getByText('What it can show, by metric').click();
    await page.getByLabel(/Smallest change that you care about/).fill('10');
    const shown = `${(100 * plan.minimumDetectable).toFixed(1)} points with n = 60 n = ${plan.numNeeded}`;
    await page.getByRole('row', { name: new RegExp(`Right.*${shown}`) }).waitFor();
    await page.getByRole('checkbox', { name: 'Right' }).uncheck();
    expect(await page.getByText(shown).count()).toBe(0);
  });

  it('half filled in outlives a reload, but for the header with a key in it', async () => {
    const { page } = visitor;
    const { projectId, testset } = await createWorld(1);
    await page.goto(`/projects/${projectId}/runs/new?testset=${testset.id}`);
    const radio = page.getByRole('radio', { name: /Dokima calls my prompt or endpoint/ });
    expect(await radio.isChecked()).toBe(true);
    await page.getByLabel('Type of system').selectOption('endpoint');
    await page.getByLabel('URL').fill('https://support.example.com/answer');
    await page.getByLabel('Authorization header').fill('Bearer secret');
    await page.reload();
    await expect.poll(() => page.getByLabel('URL').inputValue()).toBe('https://support.example.com/answer');
    expect(await page.getByLabel('Authorization header').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Start over' }).click();
    expect(await page.getByLabel('URL').count()).toBe(0);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('secret');
  });

  it('begins with the newest version; what is changed in it becomes a new version, and production stays where it is', async () => {
    const { page } = visitor;
    const { projectId, testset } = await createWorld(1);
    answer = () => ({ body: JSON.stringify({ answer: 'Yes.' }) });
    const config = { endpoint: endpoint.url, headers: { authorization: 'Bearer kept' } };
    const system = await ok(
      site.api('POST', `/projects/${projectId}/systems`, { name: 'replies', config }),
      201,
    );
    await page.goto(`/projects/${projectId}/runs/new?testset=${testset.id}`);
    const url = page.getByLabel('URL');
    await expect.poll(() => url.inputValue()).toBe(endpoint.url);
    await url.focus();
    await page.keyboard.press('End');
    await page.keyboard.type('?experiment');
    await page.getByText('The run gets a new version of replies.').waitFor();
    expect(await url.inputValue()).toBe(`${endpoint.url}?experiment`);
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await expect.poll(() => url.inputValue()).toBe(endpoint.url);
    await url.fill(`${endpoint.url}?experiment`);
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('heading', { name: /^Run \d+/ }).waitFor();
    const after = await ok(site.api('GET', `/systems/${system.id}`));
    expect(after.versions.length).toBe(2);
    expect(after.productionVersion.id).toBe(system.productionVersion.id);
    // What the form does not show is kept.
    const made = after.versions.find(({ id }: { id: string }) => id !== system.productionVersion.id);
    expect((await ok(site.api('GET', `/systems/versions/${made.id}`))).config).toEqual({
      ...config,
      endpoint: `${endpoint.url}?experiment`,
    });
  });

  it('of one testcase names no impossible difference, and waits for code with the lines to send', async () => {
    const { page } = visitor;
    const { projectId, testset, runOf } = await createWorld(1);
    await runOf([true]);
    await ok(
      site.api('POST', `/projects/${projectId}/systems`, { config: { rules: 'of my own code' } }),
      201,
    );
    await page.goto(`/projects/${projectId}/runs/new?testset=${testset.id}`);
    await page.getByRole('note', { name: 'What to expect' }).waitFor();
    // The form begins with what the pages can call. The service can't call the only system, so it begins with a new prompt.
    expect(await page.getByRole('radio', { name: /^Dokima calls/ }).isChecked()).toBe(true);
    expect(await page.getByLabel('System version').inputValue()).toBe('');
    expect(await page.getByText(/\d{3,}(\.\d)? points/).count()).toBe(0);
    await page.getByRole('radio', { name: /I send them from my code/ }).check();
    await page.getByRole('button', { name: 'Start run' }).click();
    const lines = page.getByRole('region', { name: 'Waiting for records' });
    await lines.getByText(`dokima.list_testcases("${testset.id}")`).waitFor();
  });

  it('takes a few of many metrics: none at first, then those that are chosen', async () => {
    const { page } = visitor;
    const { projectId, metric } = await createWorld(1);
    for (let i = 0; i < 5; i++)
      await createMetric(site.api, projectId, {
        name: `Other ${i}`,
        evalType: 'human',
        outputType: 'boolean',
      });
    await page.goto(`/projects/${projectId}/runs/new`);
    await page.getByRole('radio', { name: /I send them from my code/ }).check();
    await page.getByText('6 of 6 chosen').waitFor();
    await page.getByRole('button', { name: 'None' }).click();
    await page.getByRole('checkbox', { name: 'Right' }).check();
    await page.getByText('1 of 6 chosen').waitFor();
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('heading', { name: /^Run \d+/ }).waitFor();
    const runId = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await ok(site.api('GET', `/runs/${runId}`))).metricIds).toEqual([metric.id]);
  });
});

describe('a run', () => {
  it('opens each metric to its distribution, and is sliced by a field of its testcases, which the address keeps', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld(20);
    const { run } = await runOf(Array.from({ length: 20 }, (_, i) => i % 2 === 0));
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('button', { name: 'Right' }).click();
    await page.getByRole('img', { name: 'Scores of Right, n = 20. Fail: 10, Pass: 10' }).waitFor();
    await page.getByLabel('Slice by').selectOption({ label: 'topic (metadata)' });
    await page.getByRole('row', { name: /^even 10 100\.0 % 72\.2–100\.0, n = 10/ }).waitFor();
    await page.getByRole('row', { name: /^odd 10 0\.0 %/ }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /^odd 10 0\.0 %/ }).waitFor();
  });

  it('shows what failed before anything is searched, each leading to its record', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld(3);
    const { run, recordIds } = await runOf([true, false, true]);
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('link', { name: new RegExp(`${recordIds[1]} Question 1 .*Fail Right`) }).click();
    await page.getByRole('article', { name: `Record ${recordIds[1]}` }).waitFor();
  });
});

describe('runs of several systems', () => {
  it('are distinguished in the list, on their page and where they are compared', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const metric = await createMetric(site.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const runOf = async (name: string) => {
      const body = { name, config: {} };
      const system = await ok(site.api('POST', `/projects/${projectId}/systems`, body), 201);
      const systemVersionId = system.productionVersion.id;
      return (await createRun(site.api, projectId, [metric.id], { systemVersionId })).id;
    };
    const [small, large] = [await runOf('Small model'), await runOf('Large model')];
    await page.goto(`/projects/${projectId}/runs`);
    const list = page.getByRole('table', { name: 'Runs' });
    await list.getByRole('row', { name: new RegExp(`Run ${small} .*Small model, Version 1`) }).waitFor();
    await list.getByRole('row', { name: new RegExp(`Run ${large} .*Large model, Version 1`) }).waitFor();
    await page.goto(`/projects/${projectId}/runs/${small}`);
    await page.getByRole('definition').filter({ hasText: 'Small model, Version 1' }).waitFor();
    await page.goto(`/projects/${projectId}/compare?runs=${small},${large}`);
    const heading = `Run ${large} (Large model, Version 1) against run ${small} (Small model, Version 1)`;
    await page.getByRole('heading', { name: heading }).waitFor();
  });
});

describe('scores that only clients give', () => {
  it('can be neither cancelled nor retried; those of a judge can', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const heuristic = { evalType: 'heuristic', outputType: 'boolean' };
    const sent = await createMetric(site.api, projectId, { ...heuristic, name: 'Sent' });
    const unscoredRun = async (metricIds: string[]) => {
      const run = await createRun(site.api, projectId, metricIds);
      await createRecord(site.api, run.id);
      const { id } = await createRecord(site.api, run.id);
      const items = [{ recordId: id, metricConfigId: run.metricVersionIds[0], reason: 'The system failed.' }];
      await ok(site.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
      return run.id as string;
    };
    const buttons = page.getByRole('button', { name: /^(Retry failed scores|Cancel scoring)$/ });
    await page.goto(`/projects/${projectId}/runs/${await unscoredRun([sent.id])}`);
    await page.getByText('0 of 2 scored, 1 pending, 1 unscored').waitFor();
    expect(await buttons.count()).toBe(0);

    const judge = await createMetric(site.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ outputs.a }}',
    });
    const scored = await unscoredRun([sent.id, judge.id]);
    await ok(site.api('POST', `/runs/${scored}/cancel`, {}));
    await page.goto(`/projects/${projectId}/runs/${scored}`);
    await page.getByRole('button', { name: 'Retry failed scores' }).waitFor();
  });
});

describe('the list of runs', () => {
  it('shows each status within its column, and no more scores made than there will be', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const right = await createMetric(site.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const tone = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const waiting = await createRunOf(site.api, projectId, [tone], [{ scores: {} }]);
    const { run, recordIds } = await createRunOf(
      site.api,
      projectId,
      [right],
      [{ scores: { [right.id]: true } }],
    );
    // By a metric that the run was not started with.
    const score = { score: { binaryScore: true } };
    const configId = waiting.configIds[0];
    await ok(site.api('PUT', `/records/${recordIds[0]}/scores/${configId}`, score));
    await page.goto(`/projects/${projectId}/runs`);
    await page.getByRole('row', { name: new RegExp(`Run ${run.id} .* 2 of 2`) }).waitFor();
    const row = page.getByRole('row', { name: new RegExp(`Run ${waiting.run.id} `) });
    const status = await row.getByText('Waiting for reviewers').elementHandle();
    expect(await status!.evaluate((badge) => badge.scrollWidth - badge.clientWidth)).toBe(0);
  });
});

describe('runs compared', () => {
  it('gives the verdict in words with its interval, and each testcase that changed with both answers', async () => {
    const { page } = visitor;
    const { projectId, metric, runOf } = await createWorld(60);
    const before = await runOf(Array.from({ length: 60 }, (_, i) => i < 30));
    const after = await runOf(Array.from({ length: 60 }, (_, i) => i > 0 && i < 50));
    await page.goto(`/projects/${projectId}/runs`);
    for (const { run } of [after, before])
      await page.getByRole('checkbox', { name: `Choose run ${run.id}` }).check();
    await page.getByRole('link', { name: 'Compare 2 runs' }).waitFor();
    // Without the mouse: the last box still has the focus.
    await page.keyboard.press('c');
    const [a, b] = [before.run.id, after.run.id];
    const { pairs } = await ok(site.api('GET', `/runs/compare?runs=${a},${b}&measure=pass`));
    const said = pairs[0].metrics[0];
    expect(said).toMatchObject({ verdict: 'better', wins: 20, losses: 1, ties: 39 });
    const table = page.getByRole('table', { name: `Run ${b} against run ${a}` });
    const low = (100 * said.interval.low).toFixed(1);
    await table
      .getByRole('row', {
        name: new RegExp(`Right Better 50\\.0 % 81\\.7 % \\+31\\.7 points \\+${low} to .*, n = 60`),
      })
      .waitFor();
    await table.getByText(said.sentence).waitFor();
    await table.getByText('21 changed: 20 better, 1 worse, 39 same.').waitFor();
    const items = page.getByRole('listitem').filter({ hasText: /(better|worse)/ });
    await expect.poll(() => items.count()).toBe(10);
    await items.first().getByText('Question 0').waitFor();
    // Tried once: no 100.0 % of anything.
    const sides = items.first().locator('p', { hasText: /^Run/ });
    await expect
      .poll(() => sides.allInnerTexts())
      .toEqual([expect.stringContaining('Pass'), expect.stringContaining('Fail')]);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => items.count()).toBe(20);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => items.count()).toBe(21);
    expect(new URL(page.url()).searchParams.get('runs')).toBe(`${a},${b}`);
    expect(metric.id).toBe(said.metricId);
  });

  it('says how well the judge is calibrated, what missing scores can change, and what a watched test needs', async () => {
    const { page } = visitor;
    const { projectId, ids } = await createWorld(60);
    const judge = await createMetric(site.api, projectId, {
      name: 'Judged',
      evalType: 'ai',
      outputType: 'boolean',
      evalModelName: 'fake/judge',
      promptTemplate: 'Is {{ outputs.answer }} right?',
    });
    const runs: string[] = [];
    for (const passes of [20, 45]) {
      // The judge has not scored the last testcase.
      const records = ids.map((testcaseId, i) => ({
        testcaseId,
        scores: { [judge.id]: i === 59 ? null : i < passes },
      }));
      runs.push((await createRunOf(site.api, projectId, [judge], records)).run.id);
    }
    await page.goto(`/projects/${projectId}/compare?runs=${runs}`);
    await page
      .getByText(
        "choose it on the judge's page, or in its settings. The interval does not include the judge’s errors.",
      )
      .waitFor();
    await page.getByText('"better" holds whatever they are').waitFor();
    const judged = page.getByRole('row').filter({ hasText: 'or in its settings' });
    await judged.getByText('Statistics').click();
    await judged.getByText(/Cohen’s h/).waitFor();
    await page.getByRole('combobox', { name: 'Comparison type' }).selectOption('sequential');
    await page.getByText(/decided after \d+ testcases/).waitFor();
    await page.getByRole('combobox', { name: 'Comparison type' }).selectOption('planned');
    const looks = page.getByRole('table', { name: 'Planned looks' });
    await looks.getByRole('row', { name: /3 of 4 45 .* Better at 60 testcases/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('looks')).toContain('15,30,45,60');
    await page.getByRole('combobox', { name: 'Looks after' }).selectOption('30,60');
    await looks.getByRole('row', { name: /1 of 2 30 / }).waitFor();
    expect(new URL(page.url()).searchParams.get('looks')).toContain('30,60');
    await page.reload();
    await looks.getByRole('row', { name: /1 of 2 30 / }).waitFor();
    await page.getByRole('combobox', { name: 'Comparison type' }).selectOption('fixed');
    await looks.waitFor({ state: 'detached' });
  });

  it('of one testcase has no decimals; its sentence is read on a phone without scrolling', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createWorld(1);
    const [before, after] = [await runOf([false]), await runOf([true])];
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/projects/${projectId}/compare?runs=${before.run.id},${after.run.id}`);
    const table = page.getByRole('table', { name: `Run ${after.run.id} against run ${before.run.id}` });
    await table.getByRole('row', { name: /Right Cannot tell 0 % 100 % \+100 points/ }).waitFor();
    const sentence = (await table.locator('p').boundingBox())!;
    expect(sentence.x + sentence.width).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('a run whose metric nothing here scores', () => {
  it('says so, and how its scores come', async () => {
    const { id: projectId } = await createProject(site.api);
    const outside = await createMetric(site.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const tone = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const { run } = await createRunOf(site.api, projectId, [outside, tone], [{ scores: {} }]);
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    const said = `A client must send the scores of ${outside.name}, for example dokima score ${run.id}.`;
    await page.getByText(said, { exact: true }).waitFor();
  });
});

describe('a run with scores that no one will give', () => {
  it('is complete, and says how many are unscored and why', async () => {
    const { id: projectId } = await createProject(site.api);
    const metric = await createMetric(site.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const { run, recordIds } = await createRunOf(
      site.api,
      projectId,
      [metric],
      [{ scores: { [metric.id]: true } }, { scores: {} }],
    );
    const item = { recordId: recordIds[1], metricConfigId: run.metricVersionIds[0], reason: 'no grade' };
    await ok(site.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: [item] }));
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByText('1 of 2 scored, 1 unscored').waitFor();
    const problems = page.getByRole('list', { name: 'Scoring problems' });
    expect(await problems.textContent()).toBe(`${metric.name}: no grade`);
    expect(await page.getByText('A client must send').count()).toBe(0);
  });
});

describe('a run whose judge can not be asked', () => {
  it('says why and what to do', async () => {
    const { id: projectId } = await createProject(site.api);
    const metric = await createMetric(site.api, projectId, {
      name: 'Judged',
      evalType: 'ai',
      outputType: 'boolean',
      evalModelName: 'gpt-4o',
      promptTemplate: '{{ allOutputs }}',
    });
    const run = await createRun(site.api, projectId, [metric.id]);
    const record = { inputs: {}, expected: {}, outputs: { answer: 'Paris' } };
    await ok(site.api('POST', `/runs/${run.id}/records`, record), 201);
    const { page } = visitor;
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    const problems = page.getByRole('list', { name: 'Scoring problems' });
    await problems.getByText(/Judged: no provider 'openai' .*set OPENAI_API_KEY/).waitFor();
  });
});

describe('a simulation', () => {
  it('says its cost before it starts, shows each persona with each scenario, and opens the conversations of a cell', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const users = await openOpenAiServer();
    users.answer(({ system, messages }) => {
      if (messages.length < 2) return { reply: 'Where is my parcel?' };
      return { reply: system.includes('Impatient') ? 'Forget it. [DONE]' : 'Thanks! [GOAL REACHED]' };
    });
    answer = () => ({ body: JSON.stringify({ answer: 'It comes on **Friday**.' }) });
    await ok(
      site.api('POST', '/providers', {
        name: 'users',
        kind: 'openai-compatible',
        baseUrl: users.url,
        apiKey: 'k',
      }),
      201,
    );
    await createMetric(site.api, projectId, {
      name: 'Goal',
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: "function score(inputs, outputs) { return outputs.stop === 'goalReached'; }",
    });
    await ok(site.api('POST', `/projects/${projectId}/systems`, { config: { endpoint: endpoint.url } }), 201);
    await page.goto(`/projects/${projectId}/runs`);
    await page.getByRole('link', { name: 'New simulation' }).first().click();
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
    await fill('Persona 1', 'Impatient');
    await page.getByRole('button', { name: 'Add persona' }).click();
    await fill('Persona 2', 'Patient');
    await fill('Traits 2', 'Has all day.');
    await fill('Scenario 1', 'Late parcel');
    await fill('Goal 1', 'Know the day.');
    await fill('User model', 'users/small');
    // The newest version that can be called is chosen.
    await page.getByLabel('URL').waitFor();
    await page.getByLabel('Repeats per testcase').fill('2');
    await page.getByRole('checkbox', { name: 'Goal' }).check();
    // One conversation, message by message, before all of them: nothing of it is stored.
    await page.getByRole('button', { name: 'Try one conversation' }).click();
    const tried = page.getByRole('region', { name: 'Conversation on trial' });
    await tried.getByText('The user gives up').waitFor();
    expect(await tried.getByRole('listitem').allInnerTexts()).toEqual([
      'Simulated user\nWhere is my parcel?',
      'System\nIt comes on **Friday**.',
      'Simulated user\nForget it.',
    ]);
    const numAsked = users.received.length;
    await page.getByRole('button', { name: 'Estimate the cost' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start the simulation?' });
    await dialog.getByText('4 conversations, at most 40 calls of the user and 40 of the system.').waitFor();
    expect(users.received.length).toBe(numAsked);
    // The estimate stores nothing: people may think better of it.
    const storedNow = async (path: string) =>
      (await ok(site.api('GET', `/projects/${projectId}/${path}`))).data;
    expect(await storedNow('testsets')).toEqual([]);
    expect((await storedNow('systems')).length).toBe(1);
    await dialog.getByRole('button', { name: 'Start simulation' }).click();
    const table = page.getByRole('table', { name: 'Pass rates by persona and scenario' });
    await table.getByRole('row', { name: /^Impatient 0 of 2/ }).waitFor({ timeout: 60_000 });
    await table.getByRole('row', { name: /^Patient 2 of 2/ }).waitFor();
    await page.getByRole('link', { name: 'Replay' }).waitFor();
    await table.getByRole('link', { name: '0 of 2' }).click();
    // Only the table of records shows the messages in a row.
    await page.getByRole('row').filter({ hasText: '[{"role":"user"' }).nth(1).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Simulate again' }).click();
    await expect.poll(() => page.getByLabel('Persona 2', { exact: true }).inputValue()).toBe('Patient');
    await users.close();
  });

  it('shows what was said in a conversation that broke off, and what its user cost', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const users = await openOpenAiServer();
    users.answer({ reply: 'And when?' });
    await ok(
      site.api('POST', '/providers', {
        name: 'askers',
        kind: 'openai-compatible',
        baseUrl: users.url,
        apiKey: 'k',
        prices: { small: { input: 1000, output: 1000 } },
      }),
      201,
    );
    answer = ({ text }) =>
      JSON.parse(text).messages.length > 1
        ? { status: 400, body: 'no' }
        : { body: JSON.stringify({ answer: 'I will look.' }) };
    const versionOf = async (body: object) =>
      (await ok(site.api('POST', `/projects/${projectId}/systems`, body), 201)).productionVersion.id;
    const testset = await createTestset(site.api, projectId, {
      jsonSchema: { type: 'object' },
      fieldMapping: { inputs: ['persona', 'scenario', 'opening'], expected: [], metadata: [] },
    });
    const jsonData = { persona: 'Calm', scenario: 'Late', opening: 'Where is it?' };
    await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData }] }), 201);
    const user = { promptTemplate: 'You are {{ inputs.persona }}', modelName: 'askers/small' };
    const run = await createRun(site.api, projectId, [], {
      testsetId: testset.id,
      execute: true,
      systemVersionId: await versionOf({ name: 'Bot', config: { endpoint: endpoint.url } }),
      simulation: { userVersionId: await versionOf({ name: 'User', config: user }) },
    });
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByText(/simulated users \$/).waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Show the failed calls' }).click();
    await page.getByText('3 messages until then').click();
    await page.getByText('I will look.').waitFor();
    await users.close();
  });
});

it('no page has complained', () => {
  expect(visitor.complaints).toEqual([]);
});
