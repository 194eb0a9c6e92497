import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createTestcases,
  createTestset,
  namePeople,
  ok,
} from '../../server/test/fixtures.ts';
import { createReviewers, type Reviewer, submit } from '../../server/test/reviews.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let directory: string;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  directory = await mkdtemp(join(tmpdir(), 'dokima-provenance-'));
});
afterAll(async () => {
  await site.close();
  await rm(directory, { recursive: true, force: true });
});

const program = new URL('../../cli/src/main.ts', import.meta.url).pathname;
/** Runs a command line. */
const dokima = async (...words: string[]) => {
  const environment = { DOKIMA_URL: site.url, DOKIMA_API_KEY: site.organization.key, HOME: directory };
  const child = spawn(process.execPath, [program, ...words], {
    cwd: directory,
    env: { ...process.env, ...environment },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
};

const count = 100;

/** A project with a judge, the human metric that is the truth about it, and testcases. */
const createWorld = async () => {
  const projectId: string = (await createProject(site.api)).id;
  const judge = await createMetric(site.api, projectId, {
    name: 'Helpful',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'fake/judge',
    promptTemplate: 'Does {{ outputs.answer }} help?',
  });
  const people = await createMetric(site.api, projectId, {
    name: 'People',
    evalType: 'human',
    outputType: 'boolean',
  });
  await namePeople(site.api, judge.id, people.id);
  const testset = await createTestset(site.api, projectId);
  const testcases = await createTestcases(site.api, testset.id, count);
  const runOf = (metrics: (typeof judge)[], scoresOf: (i: number) => Record<string, boolean>) =>
    createRunOf(
      site.api,
      projectId,
      metrics,
      testcases.map(({ id }: { id: string }, i: number) => ({ testcaseId: id, scores: scoresOf(i) })),
    );
  return { projectId, judge, people, runOf };
};

const gate = async (runId: string, baseline: string, rules: object) => {
  await writeFile(join(directory, 'rules.yaml'), JSON.stringify({ metrics: { Helpful: rules } }));
  return dokima('gate', runId, '--baseline', baseline, '--config', 'rules.yaml');
};

describe('verdicts that a person put right in one of two equal runs', () => {
  it('make no run worse and correct no rate, and the summary says whose they are', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createWorld();
    const passes = (i: number) => i % 2 === 0;
    const made = [];
    for (let i = 0; i < 2; i++) made.push(await runOf([judge], (i) => ({ [judge.id]: passes(i) })));
    const [before, after] = made.map(({ run }) => run.id as string) as [string, string];
    // A worker's verdicts are stored without a user.
    await site.app.db.transaction(site.organization, async (tx) => {
      await tx`update score set scored_by = null where run_id = any(${[before, after]}::bigint[])`;
      await tx`delete from score_history where run_id = any(${[before, after]}::bigint[])`;
    });
    const { recordIds, configIds } = made[1]!;
    const score = { binaryScore: false, reasoning: 'wrong' };
    for (const recordId of recordIds.filter((_, i) => passes(i)).slice(0, 40))
      await ok(site.api('PUT', `/records/${recordId}/scores/${configIds[0]}`, { score }));
    const mixed = "40 scores are a person's in the judge's place";

    const [compared] = (await ok(site.api('GET', `/runs/compare?runs=${before},${after}`))).pairs[0].metrics;
    expect(compared).toMatchObject({ difference: 0, verdict: 'cannot tell' });
    expect(compared.judge.after.correctedRate).toBeNull();
    const [summarized] = (await ok(site.api('GET', `/runs/${after}/summary`))).metrics;
    expect(summarized.passRate.caveats[0]).toMatchObject({ code: 'mixedScorers' });

    const said = await dokima('compare', before, after);
    expect(said.out).toMatch(/^Helpful: .*cannot tell/im);
    expect((await dokima('summary', after)).out).toContain(mixed);
    expect((await gate(after, before, { noRegression: {} })).code).toBe(0);
    const corrected = await gate(after, before, { of: 'corrected', atLeast: 0.3 });
    expect([corrected.code, corrected.out]).toEqual([3, expect.stringContaining('INCOMPLETE')]);

    await page.goto(`/projects/${projectId}/runs/${after}`);
    await page.getByText(mixed, { exact: false }).first().waitFor();
    expect(await page.getByText(/corrected \d/).count()).toBe(0);
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}`);
    await page.getByRole('table', { name: `Run ${after} against run ${before}` }).waitFor();
    expect(await page.getByText(/corrected \d/).count()).toBe(0);
    await page.goto(`/projects/${projectId}/report?runs=${before},${after}`);
    await page
      .getByText(`Run ${after} against Run ${before}: no difference can be shown on Helpful.`)
      .waitFor();
  }, 60_000);
});

describe('a judge that errs otherwise on the two runs', () => {
  it('decides nothing where people have labelled a sample: their difference is the verdict, everywhere', async () => {
    const { page } = visitor;
    const { projectId, judge, people, runOf } = await createWorld();
    const good = (i: number) => i % 3 > 0;
    // It misses one of seven failures of the first run, and half of those of the second.
    const says = (i: number, every: number) => good(i) || Math.floor(i / 3) % every === 0;
    const runs: string[] = [];
    for (const every of [7, 2]) {
      const { run, recordIds } = await runOf([judge], (i) => ({ [judge.id]: says(i, every) }));
      runs.push(run.id);
      const body = { metricId: people.id, size: 80, seed: 1 };
      const sample = await ok(site.api('POST', `/runs/${run.id}/review-samples`, body), 201);
      const { data } = await ok(site.api('GET', `/review-samples/${sample.id}/records?limit=100`));
      const items = data.map(({ recordId }: { recordId: string }) => ({
        recordId,
        metricConfigId: sample.metricConfigId,
        score: { binaryScore: good(recordIds.indexOf(recordId)) },
      }));
      await ok(site.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    }
    const [before, after] = runs as [string, string];

    const [compared] = (await ok(site.api('GET', `/runs/compare?runs=${before},${after}`))).pairs[0].metrics;
    expect([compared.verdict, compared.conclusion]).toEqual([
      'better',
      expect.objectContaining({ basis: 'people', verdict: 'cannot tell' }),
    ]);
    const said = await dokima('compare', before, after);
    expect(said.out).toMatch(/^Helpful: as people would judge it: .*cannot tell/im);
    expect((await gate(after, before, { superiority: {} })).code).not.toBe(0);

    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}`);
    await page.getByText('as people judge').first().waitFor();
    const corrected = page.getByRole('link', { name: /^corrected \d/ }).first();
    expect(await corrected.getAttribute('title')).toMatch(
      /^As people would judge it: .* It assumes that .* and people are right\.$/,
    );
    await page.goto(`/projects/${projectId}/report?runs=${before},${after}`);
    await page
      .getByText(`Run ${after} against Run ${before}: no difference can be shown on Helpful, People.`)
      .waitFor();
    expect(await page.getByText(/is better on/).count()).toBe(0);
    // The interval beside a verdict has the level of the verdict.
    const { metrics } = (await ok(site.api('GET', `/runs/compare?runs=${before},${after}&pairs=first`)))
      .pairs[0];
    const table = page.getByRole('table', { name: `Run ${after} against Run ${before}` });
    for (const { metricName, conclusion } of metrics)
      await table
        .getByRole('row', { name: new RegExp(`^${metricName}\\b`) })
        .getByText(` (${Number((100 * conclusion.level).toFixed(2))} %)`)
        .waitFor();
    await page.goto(`/projects/${projectId}/compare?runs=${before},${after}`);
    const step = metrics.find(({ verdictLevel }: { verdictLevel: number }) => verdictLevel > 0.95);
    await page
      .getByText(`decides at ${Number((100 * step.verdictLevel).toFixed(2))} %: `)
      .first()
      .waitFor();
  }, 60_000);
});

describe('a judge whose people err', () => {
  it('says beside the corrected rate how often they err, and on the page of the judge what that moves', async () => {
    const { page } = visitor;
    const { projectId, judge, people, runOf } = await createWorld();
    await ok(site.api('PATCH', `/metrics/${people.id}/settings`, { numReviewers: 2, reviewRule: 'latest' }));
    const good = (i: number) => i % 4 > 0;
    const made: Awaited<ReturnType<typeof runOf>>[] = [];
    for (const wrong of [0, 5])
      made.push(await runOf([judge, people], (i) => ({ [judge.id]: good(i) !== (i % 10 === wrong) })));
    const [before, { run }] = [made[0]!.run, made[1]!];
    const reviewers = await createReviewers(site.organization, 2);
    const review = async (reviewer: Reviewer, errs: (i: number) => boolean) => {
      for (const { recordIds, configIds } of made)
        for (const [i, recordId] of recordIds.slice(0, 48).entries()) {
          const value = { binaryScore: good(i) !== errs(i), reasoning: '' };
          await submit(reviewer, { configId: configIds[1]! }, recordId, value);
        }
    };
    const corrected = page.getByRole('link', { name: /^corrected \d/ });
    await review(reviewers[0]!, () => false);
    await review(reviewers[1]!, (i) => i % 6 === 1);
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await corrected.waitFor();
    expect(await corrected.getAttribute('title')).toContain(
      'reviewers err independently, on passes as often as on failures (in 9.2 %, by 96 records that several reviewed blindly)',
    );
    const differ =
      /two people differ on 16\.7 % of 96 records that they reviewed blindly, so each errs in about 9\.2 %/i;
    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge?run=${run.id}`);
    await page.getByText(differ).first().waitFor();
    await page.getByText(/^Assumes that the labelled records were chosen at random/i).waitFor();
    await page.goto(`/projects/${projectId}/compare?runs=${before.id},${run.id}`);
    await page.getByText(differ).first().waitFor();
    await page.goto(`/projects/${projectId}/report?runs=${before.id},${run.id}`);
    await page.getByText(differ).first().waitFor();
    const said = (await dokima('summary', run.id)).out;
    expect(said).toMatch(/Helpful: as people would judge it: \d.* if records were chosen/);
    expect(said).toMatch(differ);
    expect((await dokima('compare', before.id, run.id)).out).toMatch(differ);
  }, 60_000);
});

describe('costs whose mean a few records decide', () => {
  it('have a rise that may be too narrow, on the comparison and on the report', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createWorld();
    const runs: string[] = [];
    for (const dear of [10, 30]) {
      const { run } = await runOf([judge], () => ({ [judge.id]: true }));
      runs.push(run.id);
      // What the spans of an agent would tell of each record.
      await site.app.db.transaction(site.organization, async (tx) => {
        await tx`
          insert into record_measure (organization_id, project_id, run_id, n, latency_ms, input_tokens, output_tokens, cost_usd, num_errors)
          select organization_id, project_id, run_id, n, 100, 10, 10, case when n % 50 = 0 then ${dear}::float8 else 0.01 end, 0
          from record where run_id = ${run.id}
          on conflict (run_id, n) do update set cost_usd = excluded.cost_usd, latency_ms = excluded.latency_ms`;
      });
    }
    for (const path of ['compare', 'report']) {
      await page.goto(`/projects/${projectId}/${path}?runs=${runs}`);
      const table = page.getByRole('table', { name: 'Latency, tokens and cost' });
      await table
        .getByText(/^\+\d+\.\d %/)
        .first()
        .waitFor();
      await table.getByText('The differences are skewed', { exact: false }).waitFor();
    }
    expect(await page.getByText('of at least one of these runs').count()).toBe(0);
  }, 60_000);
});

describe('a judge whose people are not known', () => {
  it('says what to do next, in the terminal and on the pages', async () => {
    const { page } = visitor;
    const { projectId, judge, people, runOf } = await createWorld();
    await namePeople(site.api, judge.id, null);
    const both = (i: number) => ({ [judge.id]: i % 4 > 0, [people.id]: i % 2 > 0 });
    const { run } = await runOf([judge, people], both);
    const next = "choose it on the judge's page, or in its settings";
    expect((await dokima('summary', run.id)).out).toContain(next);
    const rules = await dokima('gate', run.id);
    expect(rules.out + rules.err).not.toContain('corrected');
    await page.goto(`/projects/${projectId}/runs/${run.id}`);
    await page.getByRole('link', { name: 'Unusable: not validated yet' }).click();
    await page.getByText('No metric of people is set for this judge').waitFor();
    await page.getByRole('button', { name: 'Use People' }).click();
    await page.getByRole('heading', { name: /by their scores of People \(n = 100\)/ }).waitFor();
    expect((await dokima('summary', run.id)).out).not.toContain(next);
  }, 60_000);
});

it('no page has complained', () => {
  expect(visitor.complaints).toEqual([]);
});
