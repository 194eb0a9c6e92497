import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportLines, importLines, importNew, rowsOfPart } from '../../test/archive-lines.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  createTestset,
  ok,
} from '../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../test/harness.ts';
import { createMonitor } from '../../test/monitors.ts';
import { newTraceId, post, requestOf } from '../../test/otlp.ts';
import { addRecords } from '../../test/reviews.ts';
import { countRows, tenantTables } from '../../test/rows.ts';
import { openStore } from '../evaluation/attachments/store.ts';
import { system } from '../platform/db/database.ts';
import type { Scope } from '../platform/http/scope.ts';
import { columnsOf, listColumns } from './columns.ts';
import { exportProject } from './export-project.ts';
import { withChildren } from './part.ts';
import { parts } from './parts.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const scopeOf = ({ organizationId, memberId }: Organization): Scope => ({
  organizationId,
  memberId,
  role: 'admin',
  access: 'full',
  keyId: null,
  signInId: null,
});

/** Tables whose rows are in no archive, and why. */
const leftOut: Record<string, string> = {
  member: 'of the organization',
  api_key: 'of the organization',
  sign_in: 'of the organization',
  sign_in_link: 'of the organization',
  provider: 'of the organization',
  model_list: 'what providers say, who belong to the organization',
  scim_token: 'of the organization',
  report_link: 'a secret of this service',
  member_group: 'of the organization',
  member_group_member: 'of the organization',
  project_member: 'roles are for the project that has them, not for its copy',
  project: 'the header has its name',
  attachment: 'they follow the parts',
  seal: 'its testcases are in the vault, which no archive has',
  sealed_look: 'answers about these testcases',
  fresh_testcase:
    'fresh for runs of this service; a copy of a testset has those that were taken as testcases',
  look: 'verdicts that this service gave; a copy of a testset begins with none',
  deletion: 'of work that is under way',
  deleted_file: 'bytes that are about to be deleted',
  audit_chain: 'of the organization',
  audit_event: 'of the organization',
  record_text: 'made of records',
  span_content: 'its contents are in the lines of spans',
  record_number: 'made of records',
  record_shape: 'made of records',
  number_block: 'numbers that no record has yet',
  record_measure: 'made of traces and calls',
  run_tally: 'made of records and scores',
  record_tally: 'made of records',
  change: 'what changes from now on',
  series_hour: 'made of records',
  series_measure: 'the same',
  series_score: 'the same',
  series_run: 'the same',
  alert: 'an address and a key, which no one else may have',
  alert_delivery: 'of alerts',
  judge_payment: 'of work that is under way',
  mail_address: 'their owners answered this organization, and no other',
  schedule: 'spends money where it is imported, without anyone who asked for it',
  idempotency_key: 'of requests',
  score_lease: 'of work that is under way',
  waiting_event: 'it waits for a trace that is not there',
  project_import: 'of an import',
  import_id: 'of an import',
};

it('every table is a part of an archive, or is left out for a reason', async () => {
  const tables = (await app.db.read(system, tenantTables)).map(({ name }) => name);
  const carried = parts.flatMap(withChildren).map(({ table }) => table);
  expect([...carried, ...Object.keys(leftOut)].sort()).toEqual(tables.sort());
});

it('every column with an id names what it is of, so that an import gives it the new id', async () => {
  const all = parts.flatMap(withChildren);
  const columns = columnsOf(all, await app.db.read(system, (sql) => listColumns(sql, all)));
  const unnamed = [...columns].flatMap(([{ table }, { carried }]) =>
    carried
      .filter(({ type, name }) => ['uuid', 'uuid[]', 'bigint', 'bigint[]'].includes(type) && name !== 'id')
      .filter(({ naming }) => Object.keys(naming).length === 0)
      .map(({ name }) => `${table}.${name}`),
  );
  expect(unnamed).toEqual([
    'review_sample.seed',
    'trace.input_tokens',
    'trace.output_tokens',
    'span.input_tokens',
    'span.output_tokens',
    'monitor_record.spans',
    'trial_rescoring.sample_seed',
  ]);
});

describe('GET /projects/:projectId/archive', () => {
  it('has a header, every row of parts of many pages, and its end, and names only people of its rows', async () => {
    const own = await app.organization();
    await own.person();
    const { id: projectId } = await createProject(own.api);
    const metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    for (let i = 0; i < 130; i++) await createRun(own.api, projectId, i % 2 === 0 ? [metric.id] : []);
    const { data: runs } = await ok(own.api('GET', `/projects/${projectId}/runs?limit=100`));
    for (const run of runs.slice(0, 5)) await addRecords(own.api, run.id, 3);
    await addRecords(own.api, runs[7].id, 500);
    await addRecords(own.api, runs[7].id, 1);
    await app.db.transaction(
      system,
      (tx) => tx`
        insert into record_tag (id, organization_id, run_id, n, text, source, member_id)
        select gen_random_uuid(), organization_id, run_id, n, 'tag ' || i, 'user', ${own.memberId}
        from record, generate_series(1, 5) i where organization_id = ${own.organizationId}`,
    );
    const spans = Array.from({ length: 250 }, (_, n) => ({ traceId: newTraceId(), n: n + 1 }));
    const deep = newTraceId();
    const many = Array.from({ length: 2_300 }, (_, n) => ({ traceId: deep, n: n + 1_000 }));
    for (const part of [spans, many])
      expect((await post(app, own.key, requestOf(part, { 'dokima.project_id': projectId }))).status).toBe(
        200,
      );

    const archive = await exportLines(own.api, projectId);
    const all = rowsOfPart(archive);
    expect(all[0]).toEqual({ part: 'archive', version: 1, projectId, name: 'Project', description: '' });
    const members = rowsOfPart(archive, 'member');
    expect(members.map(({ id }) => id)).toEqual([own.memberId]);
    const { rows } = all.at(-1)!;
    expect(all.at(-1)!.part).toBe('end');
    expect(rows).toMatchObject({ run: 131, record: 767, record_tag: 2_580, span: 2_550, trace: 251 });
    const counted = Object.groupBy(all, ({ part }) => part as string);
    const there = await countRows(app.db, own.organizationId);
    for (const [part, n] of Object.entries(rows)) {
      expect({ part, n: counted[part]!.length }).toEqual({ part, n });
      // Traces that are read together share a source.
      if (part !== 'span_source') expect({ part, n }).toEqual({ part, n: there[part] });
    }
    const importedId = await importNew(own.api, archive);
    expect(rowsOfPart(await exportLines(own.api, importedId)).at(-1)!.rows).toEqual(rows);
  });

  it('has all of what is larger than a page', async () => {
    const own = await app.organization();
    const { id: projectId } = await createProject(own.api);
    const run = await createRun(own.api, projectId, []);
    await addRecords(own.api, run.id, 7);
    await app.db.transaction(
      system,
      (tx) => tx`
        update record set outputs = json_build_object('large', repeat('x', 6000000)) where run_id = ${run.id}`,
    );
    const records = rowsOfPart(await exportLines(own.api, projectId), 'record');
    expect(records.map(({ n, outputs }) => [n, outputs.large.length])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => [n, 6_000_000]),
    );
  });

  it('has all that its rows name, whatever is written while it is read', async () => {
    const own = await app.organization();
    const { api } = own;
    const { id: projectId } = await createProject(api);
    const metric = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
    const code = {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return true }',
    };
    const machine = await createMetric(api, projectId, code);
    const testset = await createTestset(api, projectId);
    const run = await createRun(api, projectId, [metric.id, machine.id], { testsetId: testset.id });
    const [recordId] = await addRecords(api, run.id, 3);
    const send = () =>
      post(app, own.key, requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': projectId }));
    await send();
    await createMonitor(api, projectId, [metric.id]);
    const write = async () => {
      const added = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
      const sampled = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
      await ok(
        api('PATCH', `/metrics/${machine.id}`, { ...code, guidelines: `${code.guidelines} // ${added.id}` }),
      );
      const set = await createTestset(api, projectId);
      const item = { jsonData: { question: 'q' } };
      await ok(api('POST', `/testsets/${set.id}/testcases`, { items: [item] }), 201);
      const config = { promptTemplate: `Answer ${added.id}.`, modelName: 'm' };
      const made = await ok(api('POST', `/projects/${projectId}/systems`, { name: 'S', config }), 201);
      const later = await createRun(api, projectId, [added.id, machine.id], {
        testsetId: set.id,
        systemVersionId: made.productionVersion.id,
      });
      for (const { id } of [run, later]) {
        const record = await createRecord(api, id);
        await ok(api('POST', `/records/${record.id}/tags`, { text: 'late' }), 201);
        await ok(api('POST', `/records/${record.id}/annotations`, { rating: true }), 201);
      }
      const annotation = await ok(api('POST', `/records/${recordId}/annotations`, { rating: true }), 201);
      const replies = `/records/${recordId}/annotations/${annotation.id}/replies`;
      await ok(api('POST', replies, { comment: 'Late.' }), 201);
      await ok(api('POST', `/runs/${run.id}/metrics`, { metricIds: [added.id] }));
      await ok(api('POST', `/runs/${run.id}/review-samples`, { metricId: sampled.id, size: 2 }), 201);
      const rescoring = await createRescoring(api, run.id, machine.id);
      await ok(api('POST', `${rescoring}/decide`, { decision: 'discarded' }));
      await createMonitor(api, projectId, [added.id]);
      expect((await send()).status).toBe(200);
    };
    const store = await openStore(app.config);
    const project = { name: 'P', description: '' };
    let archive = '';
    for await (const text of exportProject({ db: app.db, store }, scopeOf(own), BigInt(projectId), project)) {
      archive += text;
      await write();
    }
    expect(rowsOfPart(archive, 'run').length).toBeGreaterThan(1);
    expect(rowsOfPart(archive, 'review_sample').length).toBeGreaterThan(0);
    const { id: importedId } = await createProject(api);
    await ok(importLines(api, importedId, archive));
  });
});
