import { beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';

const { app, own } = await openApp();
const unknown = 'A'.repeat(43);

/** Two runs of one metric on ten testcases, whose second loses three. */
const createPair = async () => {
  const { api } = own;
  const projectId: string = (await createProject(api)).id;
  const metric = await createMetric(api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
  const testset = await createTestset(api, projectId);
  const testcases = await createTestcases(api, testset.id, 10);
  const runs: string[] = [];
  for (const lost of [0, 3]) {
    const run = await createRun(api, projectId, [metric.id], {
      testsetId: testset.id,
      name: `Loses ${lost}`,
    });
    const items = testcases.map(({ id }: { id: string }, i: number) => ({
      testcaseId: id,
      inputs: { question: `q${i}` },
      expected: { answer: `a${i}` },
      outputs: { answer: 'x' },
      scores: [{ metricConfigId: run.metricVersionIds[0], score: { binaryScore: i >= lost } }],
    }));
    await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    runs.push(run.id);
  }
  return { projectId, runs };
};
const share = async ({ projectId, runs }: { projectId: string; runs: string[] }, more: object = {}) => {
  const body = { name: 'For the board', runs, measure: 'pass', ...more };
  const made = await ok(own.api('POST', `/projects/${projectId}/report-links`, body), 201);
  return { ...made, token: made.url.slice(made.url.indexOf('#') + 1) } as {
    id: string;
    url: string;
    token: string;
  };
};
/** What anyone gets who has the token, without any credential. */
const read = async (token: string) => {
  const answer = await app.app.inject({
    method: 'POST',
    url: '/api/v2/report-links/read',
    payload: { token },
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
};
const ended = async (token: string) => {
  const { status, body } = await read(token);
  expect([status, body]).toEqual([401, (await read(unknown)).body]);
};
const allow = (reportLinks: boolean) => ok(own.api('PATCH', '/organization', { reportLinks }));

beforeAll(() => allow(true));

describe('a link to a report', () => {
  it('shows the comparison without an account, is counted and audited, and its token is stored nowhere', async () => {
    const pair = await createPair();
    const { id, token, url } = await share(pair);
    expect(url).toMatch(/^http.*\/shared-report#[\w-]{43}$/);
    const { status, body, headers } = await read(token);
    expect([status, headers['cache-control'], headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex']);
    expect(body).toMatchObject({ name: 'For the board', measure: 'pass', runs: pair.runs });
    expect(body.details.map(({ title }: { title: string }) => title)).toEqual(['Loses 0', 'Loses 3']);
    const [{ metrics }] = body.comparison.pairs;
    expect([metrics[0].losses, metrics[0].worst.length]).toEqual([3, 3]);
    const { data } = await ok(own.api('GET', `/projects/${pair.projectId}/report-links`));
    expect(data).toMatchObject([{ id, numUses: 1, name: 'For the board' }]);
    await ok(own.api('DELETE', `/report-links/${id}`));
    await ended(token);
    const log = await ok(own.api('GET', `/audit-events?projectId=${pair.projectId}&limit=100`));
    const operations = log.data.filter(({ resourceId }: { resourceId: string }) => resourceId === id);
    expect(operations.map(({ operation }: { operation: string }) => operation).sort()).toEqual([
      'createReportLink',
      'deleteReportLink',
      'getSharedReport',
    ]);
    const rows = await app.db.read(
      system,
      (sql) => sql<{ all: string }[]>`
        select (select coalesce(string_agg(t::text, ''), '') from report_link t) ||
          (select coalesce(string_agg(t::text, ''), '') from audit_event t) ||
          (select coalesce(string_agg(t::text, ''), '') from idempotency_key t) as all`,
    );
    expect(rows[0]!.all).not.toContain(token);
  });

  it('ends with its time, its runs, its project, the setting, and the access of who made it; all with one answer', async () => {
    const pair = await createPair();
    const old = await share(pair);
    await app.db.transaction(
      system,
      (tx) => tx`update report_link set expires_at = now() where id = ${old.id}::text::uuid`,
    );
    await ended(old.token);
    const link = await share(pair);
    await allow(false);
    await ended(link.token);
    const refused = await own.api('POST', `/projects/${pair.projectId}/report-links`, {
      name: 'R',
      runs: pair.runs,
      measure: 'pass',
    });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('off in this organization'),
    ]);
    await allow(true);
    expect((await read(link.token)).status).toBe(200);

    const setAuthor = (change: string) =>
      app.db.transaction(system, async (tx) => {
        await tx.unsafe(change.replaceAll('$project', pair.projectId));
      });
    // The author is made someone whom the project does not admit, then someone who has left.
    await setAuthor(`update project set restricted = true where id = $project`);
    await setAuthor(`update member set role = 'member' where id = '${own.memberId}'`);
    await ended(link.token);
    await setAuthor(`update project set restricted = false where id = $project`);
    expect((await read(link.token)).status).toBe(200);
    await setAuthor(`update member set role = 'annotator' where id = '${own.memberId}'`);
    await ended(link.token);
    await setAuthor(`update member set role = 'admin', active = false where id = '${own.memberId}'`);
    await ended(link.token);
    await setAuthor(`update member set active = true where id = '${own.memberId}'`);
    expect((await read(link.token)).status).toBe(200);

    await ok(own.api('DELETE', `/runs/${pair.runs[1]}`));
    await ended(link.token);
    const other = await createPair();
    const last = await share(other, { days: 90 });
    await ok(own.api('DELETE', `/projects/${other.projectId}`));
    await ended(last.token);
  });

  it('is of runs of its project alone, of each once, and of what a comparison takes', async () => {
    const [pair, other] = [await createPair(), await createPair()];
    const path = `/projects/${pair.projectId}/report-links`;
    const status = async (runs: string[], more: object = {}) =>
      (await own.api('POST', path, { name: 'R', runs, measure: 'pass', ...more })).status;
    expect(await status([pair.runs[0]!, other.runs[0]!])).toBe(404);
    expect(await status(pair.runs, { pooled: [other.runs[0]] })).toBe(404);
    expect(await status([pair.runs[0]!, pair.runs[0]!])).toBe(400);
    expect(await status(pair.runs, { days: 91 })).toBe(400);
    const stranger = await app.organization();
    expect((await stranger.api('GET', path)).status).toBe(404);
    const { id } = await share(pair);
    expect((await stranger.api('DELETE', `/report-links/${id}`)).status).toBe(404);
    await allow(true);
  });

  it('is asked for a few times a minute from one address', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await read(unknown)).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
