import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import { openApp } from './opened.ts';

const { app, own } = await openApp();
let projectId: string;
let metricId: string;
let task: object;
let runIds: string[];
beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  await ok(own.api('PATCH', '/organization', { reportLinks: true }));
  metricId = (await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' })).id;
  const testset = await createTestset(own.api, projectId);
  const [testcase] = await createTestcases(own.api, testset.id, 1);
  const config = { endpoint: 'https://example.com/answer' };
  const { id: systemId } = await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201);
  task = { kind: 'run', testsetId: testset.id, systemId, metricIds: [metricId] };
  runIds = [];
  for (let i = 0; i < 2; i++) {
    const run = await createRun(own.api, projectId, [metricId], { testsetId: testset.id });
    await createRecord(own.api, run.id, { testcaseId: testcase.id });
    runIds.push(run.id);
  }
});

/** Creates one resource of each kind that has a limit per project, by its name in docs/limits.md. */
const limited: Record<string, { operation: string; table: string; create: () => object }> = {
  alerts: {
    operation: 'createAlert',
    table: 'alert',
    create: () => ({
      name: 'A',
      kind: 'webhook',
      url: 'https://no-such-host.invalid/',
      events: ['run.completed'],
    }),
  },
  schedules: {
    operation: 'createSchedule',
    table: 'schedule',
    create: () => ({ name: 'S', cron: '0 2 * * *', task }),
  },
  monitors: {
    operation: 'createMonitor',
    table: 'monitor',
    create: () => ({ name: 'M', metricIds: [metricId], samplingRate: 1 }),
  },
  'preference studies': {
    operation: 'createPreferenceStudy',
    table: 'preference_study',
    create: () => ({ criterion: 'C', runIds }),
  },
  views: {
    operation: 'createView',
    table: 'saved_view',
    create: () => ({ name: 'V', shared: false, search: '', display: {} }),
  },
  'report links': {
    operation: 'createReportLink',
    table: 'report_link',
    create: () => ({ name: 'R', runs: runIds, measure: 'pass' }),
  },
};

const page = await readFile(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const documented = [...page.matchAll(/^\| ([\w ]+) of a project \| (\d+) \|$/gm)].map(
  ([, resources, limit]) => [resources!, Number(limit)] as const,
);

describe('what a project may have only so many of', () => {
  it('is in docs/limits.md, in the document and in this table', async () => {
    const { paths } = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    };
    const answering = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ responses }) => '422' in responses)
      .map(({ operationId }) => operationId);
    expect(documented.map(([resources]) => resources)).toEqual(Object.keys(limited));
    // A monitor is also made by its name.
    const operations = [...Object.values(limited).map(({ operation }) => operation), 'upsertMonitor'];
    expect(answering.sort()).toEqual(operations.sort());
  });

  it.each(documented)(
    '%s: one after the %i is 422 LIMIT_REACHED, and one before it is made',
    async (resources, limit) => {
      const { table, create } = limited[resources]!;
      const path = `/projects/${projectId}/${resources.replace(' ', '-')}`;
      await ok(own.api('POST', path, create()), 201);
      await app.db.transaction(
        own,
        (tx) => tx`
        insert into ${tx(table)} select (jsonb_populate_record(one, 
          jsonb_build_object('id', gen_random_uuid(), 'hash', '\\x' || md5(random()::text)))).*
        from ${tx(table)} one, generate_series(1, ${limit - 2})
        where one.organization_id = ${own.organizationId}`,
      );
      await ok(own.api('POST', path, create()), 201);
      const refused = await own.api('POST', path, create());
      expect(refused.status).toBe(422);
      expect(refused.body).toEqual({
        code: 'LIMIT_REACHED',
        message: `A project has at most ${limit} ${resources}. Delete one first; docs/limits.md lists the limits.`,
        details: { resources, limit, docs: '/guide/limits#projects' },
      });
    },
  );

  it.each(documented)(
    '%s: creates at the same time take only the places up to %i',
    async (resources, limit) => {
      const { table, create } = limited[resources]!;
      const path = `/projects/${projectId}/${resources.replace(' ', '-')}`;
      await app.db.transaction(
        own,
        (tx) => tx`
      delete from ${tx(table)} where organization_id = ${own.organizationId} and id in (
        select id from ${tx(table)} where organization_id = ${own.organizationId} order by id desc limit 3)`,
      );
      const answers = await Promise.all(Array.from({ length: 12 }, () => own.api('POST', path, create())));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 422)]);
      const [row] = await app.db.transaction(
        own,
        (tx) => tx<{ n: number }[]>`
      select count(*)::int as n from ${tx(table)} where organization_id = ${own.organizationId}`,
      );
      expect(row!.n).toBe(limit);
    },
  );
});
