import { describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import type { Organization } from '../../../test/harness.ts';
import { createMonitor } from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { comparableRuns } from '../../../test/preferences.ts';
import { submit } from '../../../test/reviews.ts';
import { tenantTables } from '../../../test/rows.ts';
import { createRunOf } from '../../../test/scored-runs.ts';
import { createSealed } from '../../../test/seals.ts';
import { createTrial } from '../../../test/trials.ts';
import { until } from '../../../test/until.ts';
import { countDueHour } from '../../insights/series/count-hours.ts';
import { markChangedHours } from '../../insights/series/mark-hours.ts';
import { system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { listDeletions } from '../deletions/queries.ts';

const { app, own } = await openApp();

describe('POST and GET', () => {
  it('201 is readable at once, alone and in the list', async () => {
    const project = await ok(
      own.api('POST', '/projects', { name: 'Capitals', description: 'First "steps" \u{1f600}' }),
      201,
    );
    expect(project).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Capitals',
      description: 'First "steps" \u{1f600}',
    });
    expect(await ok(own.api('GET', `/projects/${project.id}`))).toEqual(project);
    expect((await ok(own.api('GET', '/projects?limit=100'))).data).toContainEqual(project);
  });

  it('of an import it is made once, however often and at the same time it is asked for', async () => {
    const body = { name: 'Imported', description: '', importKey: 'an archive' };
    const made = await Promise.all([1, 2, 3].map(() => ok(own.api('POST', '/projects', body), 201)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const stranger = await app.organization();
    expect((await ok(stranger.api('POST', '/projects', body), 201)).id).not.toBe(made[0].id);
  });

  it.each([
    [{ description: '' }, '/name', 'is required'],
    [{ name: 'P' }, '/description', 'is required'],
    [{ name: 1, description: '' }, '/name', 'must be a string'],
    [{ name: 'a\0b', description: '' }, '/name', 'must be Unicode text without NUL characters'],
  ])('400 for %j', async (body, path, message) => {
    const answer = await own.api('POST', '/projects', body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues).toEqual([{ path, message }]);
  });

  it.each(['999999999', '0', '01', '-1', '1.0', 'x', '9'.repeat(30), '..%2f1', '1%00'])(
    '404 for the id %s',
    async (id) => {
      const { status, body } = await own.api('GET', `/projects/${id}`);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    },
  );
});

describe('PATCH /projects/:projectId', () => {
  it('changes what is sent and nothing else; null empties', async () => {
    const { id } = await createProject(own.api);
    expect(await ok(own.api('PATCH', `/projects/${id}`, { name: 'New' }))).toEqual({
      id,
      name: 'New',
      description: '',
    });
    expect(await ok(own.api('PATCH', `/projects/${id}`, { description: null }))).toEqual({
      id,
      name: 'New',
      description: null,
    });
    expect(await ok(own.api('GET', `/projects/${id}`))).toEqual({ id, name: 'New', description: null });
  });

  it.each([[{}], [{ title: 'x' }], [{ name: 1 }], [[]]])('400 for %j', async (body) => {
    const { id } = await createProject(own.api);
    expect((await own.api('PATCH', `/projects/${id}`, body)).status).toBe(400);
  });
});

/** How many rows each of the organization's tables has; those of the organization itself aside. */
const countRows = async ({
  organizationId,
}: Pick<Organization, 'organizationId'>): Promise<Record<string, number>> => {
  const itself = ['member', 'api_key', 'idempotency_key', 'provider', 'sign_in', 'sign_in_link'];
  itself.push(
    'scim_token',
    'member_group',
    'member_group_member',
    'audit_event',
    'audit_chain',
    'model_list',
  );
  const tables = await app.db.read(system, tenantTables);
  return app.db.transaction(system, async (tx) => {
    const counts: Record<string, number> = {};
    for (const { name } of tables.filter(({ name }) => !itself.includes(name))) {
      // A change of the list of projects is a change of the organization.
      const ofProjects = name === 'change' ? tx`and project_id is not null` : tx``;
      const [row] = await tx<{ n: number }[]>`
        select count(*)::int as n from ${tx(name)} where organization_id = ${organizationId} ${ofProjects}`;
      counts[name] = row!.n;
    }
    return counts;
  });
};

/** The organization that holds the sealed testcases of another. */
const findVault = async ({ organizationId }: Organization): Promise<{ organizationId: bigint }> => {
  const [vault] = await app.db.read(
    system,
    (sql) => sql<{ organizationId: bigint }[]>`
      select id as "organizationId" from organization where vault_of = ${organizationId}`,
  );
  return vault!;
};

describe('DELETE /projects/:projectId', () => {
  it('takes a project of 20,000 records and 5 metrics, and leaves nothing of it in any table', async () => {
    const owner = await app.organization();
    const { api } = owner;
    const project = await createProject(api);
    const testset = await createTestset(api, project.id);
    const [testcase] = await createTestcases(api, testset.id, 100);
    await ok(api('POST', `/projects/${project.id}/systems`, { config: { a: 1 } }), 201);
    const made = await ok(api('POST', `/projects/${project.id}/systems`, { config: { a: 2 } }), 201);
    const metricIds: string[] = [];
    for (let i = 0; i < 5; i++)
      metricIds.push((await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' })).id);
    const items = Array.from({ length: 1_000 }, (_, i) => ({
      inputs: { i },
      expected: {},
      outputs: { text: 'x'.repeat(200) },
    }));
    for (let run = 0; run < 4; run++) {
      const { id, metricVersionIds } = await createRun(api, project.id, metricIds, {
        testsetId: testset.id,
        systemVersionId: made.productionVersion.id,
      });
      for (let batch = 0; batch < 5; batch++)
        await ok(api('POST', `/runs/${id}/records/bulk-create`, { items }), 201);
      const record = await createRecord(api, id, { testcaseId: testcase.id });
      await ok(api('POST', `/records/${record.id}/tags`, { text: 'tag' }), 201);
      for (const binaryScore of [true, false]) {
        await ok(
          api('PUT', `/records/${record.id}/scores/${metricVersionIds[0]}`, { score: { binaryScore } }),
        );
      }
      const annotation = await ok(api('POST', `/records/${record.id}/annotations`, { rating: true }), 201);
      const replies = `/records/${record.id}/annotations/${annotation.id}/replies`;
      await ok(api('POST', replies, { comment: 'Yes.' }), 201);
      await ok(api('POST', `/records/${record.id}/assignees`, { assigneeUserId: owner.memberId }), 201);
    }
    const asked = await ok(api('POST', `/projects/${project.id}/reviews/next`));
    await submit({ api }, { configId: asked.review.metricConfigId }, asked.review.record.id);
    await ok(api('POST', `/projects/${project.id}/reviews/next`));
    const sampled = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
    const [newest] = (await ok(api('GET', `/projects/${project.id}/runs?limit=1`))).data;
    await ok(api('POST', `/runs/${newest.id}/review-samples`, { metricId: sampled.id, size: 10 }), 201);
    const prompt = { promptTemplate: 'Answer.', modelName: 'fake/system' };
    const system = await ok(
      api('POST', `/projects/${project.id}/systems`, { name: 'S', config: prompt }),
      201,
    );
    await ok(
      api('PUT', `/systems/${system.id}/labels/staging`, { systemVersionId: system.productionVersion.id }),
    );
    const executed = { testsetId: testset.id, systemVersionId: system.productionVersion.id, execute: true };
    await createRun(api, project.id, metricIds, executed);
    await createMonitor(api, project.id, [metricIds[0]!]);
    const view = { name: 'V', shared: true, search: '', display: {} };
    await ok(api('POST', `/projects/${project.id}/views`, view), 201);
    const group = { name: 'G', metricIds: [metricIds[0]!] };
    await ok(api('POST', `/projects/${project.id}/metric-groups`, group), 201);
    await ok(api('PUT', `/projects/${project.id}/members/${owner.memberId}`, { role: 'admin' }));
    const linked = { 'dokima.otel_link_id': 'link' };
    const spans = [
      { traceId: newTraceId(), n: 1 },
      { traceId: newTraceId(), n: 1, attributes: linked },
    ];
    await post(app, owner.key, requestOf(spans, { 'dokima.project_id': project.id }));
    await ok(api('PATCH', `/projects/${project.id}/settings`, { traceDays: 7 }));
    const judge = await createMetric(api, project.id, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return true }',
    });
    const people = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
    const labelled = { scores: { [judge.id]: true, [people.id]: true } };
    const unjudged = { scores: { [people.id]: true } };
    const scored = [labelled, labelled, unjudged];
    const { run: scoredRun } = await createRunOf(api, project.id, [judge, people], scored);
    await createRescoring(api, scoredRun.id, judge.id);
    await ok(api('PATCH', `/runs/${scoredRun.id}/details`, { judgeBudgetUsd: 1, marks: ['main'] }));
    await ok(api('PUT', `/runs/${scoredRun.id}/verdicts/dokima.yaml`, { outcome: 'pass' }));
    await ok(api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
    await ok(api('POST', `/metrics/${judge.id}/trials`, { kind: 'drift' }), 201);
    await createTrial(api, project.id);
    const sealed = await createSealed(api, project.id);
    const looked = { systemVersionId: await sealed.nextVersion() };
    await ok(api('POST', `/seals/${sealed.sealId}/looks`, looked), 201);
    const vault = await findVault(owner);
    const compared = { criterion: 'C', runIds: await comparableRuns(api, project.id, [['1'], ['2']]) };
    const study = await ok(api('POST', `/projects/${project.id}/preference-studies`, compared), 201);
    await ok(api('POST', `/preference-studies/${study.id}/preferences`, { pairNumber: 1, choice: 'tie' }));
    // No worker runs here, so no score is leased.
    await app.db.transaction(
      owner,
      (tx) => tx`
        insert into score_lease (run_id, id, organization_id, queue, lane, numbers, until)
        values (${scoredRun.id}, ${newUuid()}, ${owner.organizationId}, 'score', 'code', '{1}', now())`,
    );
    // Texts and numbers are indexed in the background: here, of every record at once.
    await app.db.transaction(owner, async (tx) => {
      await tx`
        insert into record_number (organization_id, project_id, run_id, n, field, value)
        select organization_id, project_id, run_id, n, 'outputs.n', n from record where project_id = ${project.id}`;
      await tx`
        insert into record_shape (organization_id, project_id, shape, fields)
        values (${owner.organizationId}, ${project.id}, 1, '{outputs}')`;
    });
    // Its alert has delivered what it had to, so that no process sends anything.
    const alertId = newUuid();
    await app.db.transaction(owner, async (tx) => {
      await tx`
        insert into alert (id, organization_id, project_id, name, kind, target, events)
        values (${alertId}, ${owner.organizationId}, ${project.id}, 'A', 'email', 'a@example.com', '{gate.failed}')`;
      await tx`
        insert into alert_delivery (id, organization_id, alert_id, event, about, message, state, due_at, ended_at)
        values (${newUuid()}, ${owner.organizationId}, ${alertId}, 'gate.failed', 'gate', '{}', 'delivered', null, now())`;
    });
    await app.db.transaction(
      owner,
      (tx) => tx`
        insert into schedule (id, organization_id, project_id, name, cron, time_zone, task, paused)
        values (${newUuid()}, ${owner.organizationId}, ${project.id}, 'S', '0 2 * * *', 'UTC', '{}', true)`,
    );
    await app.db.transaction(
      owner,
      (tx) => tx`
        insert into run_simulation (run_id, organization_id, max_turns)
        values (${scoredRun.id}, ${owner.organizationId}, 5)`,
    );
    // The chore that counts records runs where workers do.
    await markChangedHours(app.db);
    await app.db.transaction(system, (tx) => tx`update series_hour set due_at = now()`);
    while (await countDueHour(app.db));
    // It is not imported, so nothing is known of an import.
    await app.db.transaction(owner, async (tx) => {
      await tx`
        insert into project_import (project_id, organization_id, digest, counts)
        values (${project.id}, ${owner.organizationId}, '', '{}')`;
      await tx`
        insert into import_id (organization_id, project_id, kind, given, id)
        values (${owner.organizationId}, ${project.id}, 'run', '1', '2')`;
    });
    await app.db.transaction(owner, async (tx) => {
      const of = tx`from run_metric where run_id = ${scoredRun.id}::text::bigint`;
      await tx`insert into judge_payment (run_id, lease_id, organization_id, number)
        values (${scoredRun.id}, ${newUuid()}, ${owner.organizationId}, 1)`;
      await tx`insert into record_quote (metric_config_id, run_id, n, quote, organization_id)
        select metric_config_id, run_id, 1, 'x', organization_id ${of}`;
      await tx`insert into span_score (organization_id, run_id, n, metric_config_id, otel_trace_id, span_id, state)
        select organization_id, run_id, 1, metric_config_id, '\\x01', '\\x01', 'unscored' ${of}`;
      await tx`insert into span_score_history (organization_id, run_id, n, metric_config_id, otel_trace_id, span_id, state, scored_at)
        select organization_id, run_id, 1, metric_config_id, '\\x01', '\\x01', 'unscored', now() ${of}`;
      await tx`insert into report_link (id, organization_id, project_id, member_id, hash, name, run_ids, comparison, expires_at)
        values (${newUuid()}, ${owner.organizationId}, ${project.id}, ${owner.memberId}, '\\x01', 'L',
          array[${scoredRun.id}::text::bigint], '{}', now() + interval '1 day')`;
      await tx`insert into waiting_event (id, organization_id, project_id, anywhere, name, trace_id, content)
        values (${newUuid()}, ${owner.organizationId}, ${project.id}, false, 'x', '\\x01', '{}')`;
    });
    await ok(api('POST', `/testsets/${testset.id}/snapshots`, { name: 'S' }), 201);
    await ok(api('PUT', `/testcases/${testcase.id}`, { jsonData: { i: 'changed' } }));
    await app.db.transaction(owner, async (tx) => {
      await tx`insert into fresh_testcase (organization_id, testset_id, n, json_data)
        values (${owner.organizationId}, ${testset.id}::text::bigint, 1, '{}')`;
      await tx`insert into look (organization_id, testset_id, n, run_id, metric_config_id, kind)
        values (${owner.organizationId}, ${testset.id}::text::bigint, 1, ${scoredRun.id}::text::bigint, ${newUuid()}, 'compare')`;
    });
    const full = await countRows(owner);
    // Everything that a project can hold was there, so that the zeros below prove something. Files belong to sessions, addresses to the
    // organization.
    const { attachment, deletion, deleted_file: _, mail_address: __, ...ofProject } = full;
    expect(Object.entries(ofProject).filter(([, n]) => n === 0)).toEqual([]);
    expect({ record: full.record, score: full.score, attachment, deletion }).toEqual({
      record: 20_060,
      score: 100_110,
      attachment: 0,
      deletion: 0,
    });

    const started = performance.now();
    await ok(api('DELETE', `/projects/${project.id}`));
    await until(async () => (await app.db.read(owner, listDeletions)).length === 0);
    const seconds = (performance.now() - started) / 1000;
    // Some 2 s on either engine; without its indexes a table is scanned once a row, and it takes minutes.
    expect(seconds).toBeLessThan(90);

    // A change tells those who watch a project that it went: ids alone, which the next purge of changes takes.
    const { change: ___, ...left } = await countRows(owner);
    expect(Object.entries(left).filter(([, n]) => n > 0)).toEqual([]);
    const { change: ____, ...leftInVault } = await countRows(vault);
    expect(Object.entries(leftInVault).filter(([, n]) => n > 0)).toEqual([]);
    expect((await api('GET', `/projects/${project.id}`)).status).toBe(404);
    expect((await api('DELETE', `/projects/${project.id}`)).status).toBe(404);
  });

  it('leaves other projects alone', async () => {
    const [kept, gone] = [await createProject(own.api), await createProject(own.api)];
    const run = await createRun(own.api, kept.id, []);
    const record = await createRecord(own.api, run.id);
    await ok(own.api('DELETE', `/projects/${gone.id}`));
    await ok(own.api('GET', `/records/${record.id}`));
  });

  it('while records are being created answers each of them with 201 or 404, and leaves none behind', async () => {
    const owner = await app.organization();
    const { api } = owner;
    const project = await createProject(api);
    const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(api, project.id, [metric.id]);
    await createRecord(api, run.id);
    const record = { inputs: {}, expected: {}, outputs: {} };
    const creating = Array.from({ length: 60 }, (_, i) =>
      i === 20 ? api('DELETE', `/projects/${project.id}`) : api('POST', `/runs/${run.id}/records`, record),
    );
    const statuses = new Set((await Promise.all(creating)).map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 201, 404].includes(status))).toEqual([]);
    expect(Object.values(await countRows(owner)).every((n) => n === 0)).toBe(true);
  });
});
