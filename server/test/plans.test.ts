import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAnnotations } from '../src/evaluation/annotations/queries.ts';
import { hasScoreOf, hasText, isAssignedTo, isOfTestcase } from '../src/evaluation/records/condition.ts';
import { isDrawnBy, isOfModel, isOfVersion } from '../src/evaluation/records/origin.ts';
import {
  findByCondition,
  findRecord,
  findText,
  listProjectRecords,
  listRecords,
  newestRecord,
} from '../src/evaluation/records/queries.ts';
import { listSorted } from '../src/evaluation/records/sorted-queries.ts';
import { estimateFitting, sumTallies } from '../src/evaluation/records/tally-queries.ts';
import { listRunDetails } from '../src/evaluation/runs/queries.ts';
import { findScoreColumns } from '../src/insights/analysis/queries.ts';
import { type Fragment, type Sql, system } from '../src/platform/db/database.ts';
import { findGrown } from '../src/platform/db/planner-statistics.ts';
import { lastUuid } from '../src/platform/http/pagination.ts';
import type { Scope } from '../src/platform/http/scope.ts';
import { claimScores } from '../src/scoring/queue/queries.ts';
import { listTrials } from '../src/scoring/trials/queries.ts';
import { listChanges } from '../src/scoring/trials/rescoring/queries.ts';
import { stepThroughGroups } from '../src/traces/read/list-sessions.ts';
import { latestSpan, searchSpans, spansOfTrace } from '../src/traces/read/read-queries.ts';
import { oldTraces } from '../src/traces/retention/purge-traces.ts';
import { findDue, findOldRecords } from '../src/traces/retention/queries.ts';
import { placeInPack, withPacks } from '../src/traces/store/contents.ts';
import { rowsRead } from './explain.ts';
import { createMetric, createProject, createRun, ok } from './fixtures.ts';
import { engine, startApp, type TestApp } from './harness.ts';
import { until } from './until.ts';

type World = {
  app: TestApp;
  scope: Scope;
  projectId: bigint;
  runId: bigint;
  metricId: bigint;
  configId: string;
};

/** The id of the last rescoring of a run that `fill` writes. */
const lastRescoring = (runId: bigint): string =>
  `0190aaaa-0000-7000-8000-${(runId * 20n + 19n).toString(16).padStart(12, '0')}`;

/** Writes twenty rescorings of a run. The last one proposes a score for each tenth record. */
const fillRescorings = async (tx: Sql, runId: string, count: number): Promise<void> => {
  await tx`
    with its as (
      insert into trial (id, organization_id, metric_id, n, kind, run_id, metric_config_id, outcome, ended_at)
      select ('0190aaaa-0000-7000-8000-' || lpad(to_hex(run_id * 20 + i), 12, '0'))::uuid, organization_id, metric_id,
        run_id * 20 + i, 'rescoring', run_id, metric_config_id, 'discarded', now()
      from run_metric, generate_series(0, 19) i
      where run_id = ${runId}::text::bigint
      returning id, organization_id, metric_config_id)
    insert into trial_rescoring (trial_id, organization_id, metric_config_id, extended)
    select id, organization_id, metric_config_id, true from its`;
  await tx`
    insert into proposed_score (organization_id, run_id, n, metric_config_id, trial_id, state, score, value, lane)
    select organization_id, run_id, 10 * i, metric_config_id, ${lastRescoring(BigInt(runId))}::uuid, 'scored',
      '{"binaryScore":true}', 1, 'judge'
    from run_metric, generate_series(1, ${count}::integer / 10) i
    where run_id = ${runId}::text::bigint`;
};

/** Writes the records of a run as bulk creates do, half of them with a score and half of them waiting for a judge. */
const fill = async (tx: Sql, runId: string, count: number): Promise<void> => {
  await tx`
    insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs)
    select organization_id, project_id, id, n, '{"question":"How many apples?"}', '{}',
      ('{"answer":"' || n || ' apples"}')::json
    from run, generate_series(1, ${count}::integer) n
    where id = ${runId}::text::bigint`;
  await tx`
    insert into record_text (organization_id, project_id, run_id, n, shape, content)
    select organization_id, project_id, run_id, n, 0, lower(inputs::text || ' ' || outputs::text)
    from record where run_id = ${runId}::text::bigint`;
  await tx`
    insert into score (organization_id, run_id, n, metric_config_id, state, score, value, lane, due_at)
    select organization_id, run_id, n, metric_config_id,
      case when n % 2 = 0 then 'scored' else 'pending' end,
      case when n % 2 = 0 then '{"binaryScore":true}'::json end, case when n % 2 = 0 then 1 end,
      case when n % 2 = 1 then 'judge' end, case when n % 2 = 1 then now() end
    from run_metric, generate_series(1, ${count}::integer) n
    where run_id = ${runId}::text::bigint`;
  await fillRescorings(tx, runId, count);
  await tx`
    with source as (
      insert into span_source (organization_id, project_id, hash, content)
      select organization_id, project_id, int8send(id), '{}' from run where id = ${runId}::text::bigint
      returning organization_id, project_id, id),
    its as (
      insert into trace (organization_id, project_id, otel_id, num_spans, name, start_ns, user_id)
      select organization_id, project_id, decode(md5(id || ' ' || i), 'hex'), 10, 'agent', i * 1000, 'user ' || i % 5
      from source, generate_series(1, ${count}::integer / 10) i
      returning organization_id, project_id, id),
    contents as (
      insert into span_content (organization_id, trace_id, chunk, packed) select organization_id, id, 0, '' from its)
    insert into span (organization_id, project_id, trace_id, span_id, source_id, name, service, kind, model, failed, start_ns, end_ns,
      chunk, content_bytes, content_hash)
    select its.organization_id, its.project_id, its.id, int8send(i), source.id, 'chat', 'bench', 3, 'gpt', false, its.id * 10 + i,
      its.id * 10 + i + 1, 0, 2, 0
    from its, source, generate_series(1::bigint, 10) i`;
};

/** A database with runs of a size, in one project; another organization has as many. */
const worldOf = async (numRuns: number, recordsEach: number): Promise<World> => {
  const app = await startApp({ DOKIMA_WORKERS: '0' });
  const worlds: {
    own: Awaited<ReturnType<TestApp['organization']>>;
    project: { id: string };
    runs: string[];
  }[] = [];
  for (const own of [await app.organization(), await app.organization()]) {
    const project = await createProject(own.api);
    const metric = await createMetric(own.api, project.id, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Is it right? {{ outputs.answer }}',
    });
    const runs = [];
    for (let i = 0; i < Math.max(1, numRuns); i++)
      runs.push((await createRun(own.api, project.id, [metric.id])).id);
    worlds.push({ own, project, runs });
    await ok(own.api('PATCH', `/projects/${project.id}/settings`, { recordDays: 365, traceDays: 365 }));
  }
  // In one transaction: statistics of the first organization's half alone would mislead the planner.
  await app.db.transaction(system, async (tx) => {
    // Statistics that are made during this count no record: each check of a foreign key would then read all of them.
    await tx`lock table record in share update exclusive mode`;
    for (const { runs } of worlds) for (const runId of runs) await fill(tx, runId, recordsEach);
  });
  await ok(worlds[0]!.own.api('PATCH', `/runs/${worlds[0]!.runs[0]}/details`, { notes: 'Filled.' }));
  const { own, project, runs } = worlds[0]!;
  const { organizationId, memberId } = own;
  const [{ configId, metricId } = {}] = await app.db.read(
    system,
    (sql) => sql<{ configId: string; metricId: bigint }[]>`
      select metric_config_id as "configId", metric_id as "metricId" from run_metric where run_id = ${runs[0]!}::text::bigint`,
  );
  return {
    app,
    scope: { organizationId, memberId, role: 'admin', access: 'full', keyId: null, signInId: null },
    projectId: BigInt(project.id),
    runId: BigInt(runs[Math.floor(runs.length / 2)]!),
    metricId: metricId!,
    configId: configId!,
  };
};

const anyTime = { from: new Date('2000-01-01'), to: new Date('2100-01-01') };
const page = 100;
/** A page of records with the rows that hang on each: score, configuration, tags, assignees, annotations, measures. */
const pageRows = 10 * page;

/** The hottest statements, each with the most rows that it may read, of all tables or of some, however many others there are. */
const statements: Record<string, [most: number, (sql: Sql, world: World) => Fragment, of?: string[]]> = {
  "a page of a run's records": [
    pageRows,
    (sql, { scope, runId }) => listRecords(sql, scope, runId, [], '20', page),
  ],
  "the newest of a project's records": [
    pageRows,
    (sql, { scope, projectId }) =>
      listProjectRecords(
        sql,
        scope,
        projectId,
        { conditions: [] },
        { before: newestRecord, to: undefined },
        page,
      ),
  ],
  "the newest of a project's records with a frequent word": [
    2 * pageRows,
    (sql, { scope, projectId }) =>
      listProjectRecords(
        sql,
        scope,
        projectId,
        { conditions: [hasText('apples')] },
        { before: newestRecord, to: undefined },
        page,
      ),
  ],
  "a project's records by score": [
    pageRows,
    (sql, { scope, projectId, configId }) =>
      listSorted(
        sql,
        scope,
        projectId,
        { conditions: [] },
        { by: { configs: [{ id: configId, threshold: 1, ofSpans: false }] }, descending: false } as never,
        '',
        page,
        0,
      ),
  ],
  'a record': [20, (sql, { scope, runId }) => findRecord(sql, scope, { runId, n: 7 })],
  "a record's annotations": [10, (sql, { scope, runId }) => listAnnotations(sql, scope, { runId, n: 7 })],
  "a project's records over time": [
    pageRows,
    (sql, { scope, projectId }) => sumTallies(sql, scope, projectId, anyTime, new Date(0), 3_600_000),
  ],
  // Three hundred records are drawn, each with its score and its configuration.
  "the failed ones of a project's records over time": [
    2 * pageRows,
    (sql, { scope, projectId, configId }) =>
      estimateFitting(
        sql,
        scope,
        projectId,
        { conditions: [hasScoreOf([{ id: configId, threshold: 1, ofSpans: false, labels: null }], 'fail')] },
        anyTime,
        new Date(0),
        365 * 86_400_000,
      ),
  ],
  // Small tables, of a page or two, are read whole for each run.
  'a page of runs': [
    5_000,
    (sql, { scope, projectId }) =>
      listRunDetails(
        sql,
        scope,
        projectId,
        '999999999',
        20,
        {},
        { testsetId: undefined, metricId: undefined, search: () => sql`` },
      ),
  ],
  'the newest rescorings of a run': [
    50,
    (sql, { scope, runId }) => listTrials(sql, scope, { runId }, lastUuid, 20),
  ],
  'the newest trials of a metric': [
    50,
    (sql, { scope, metricId }) => listTrials(sql, scope, { metricId }, lastUuid, 20),
  ],
  'a page of what a rescoring changes': [
    pageRows,
    (sql, { scope, runId }) =>
      listChanges(sql, scope, { runId, id: lastRescoring(runId) }, undefined, '0', page),
    ['trial', 'proposed_score', 'score'],
  ],
  "a run's scores for its summary": [1_100, (sql, { scope, runId }) => findScoreColumns(sql, scope, runId)],
  'due scores for a worker': [
    300,
    (sql, { runId }) =>
      claimScores(
        sql,
        { id: '0190aaaa-0000-7000-8000-000000000000', queue: 'score', lane: 'judge', runId },
        { limit: page, leaseMs: 1_000 },
      ),
  ],
  'the contents of a trace': [
    60,
    (sql, { scope, projectId, runId }) => {
      const traceId = createHash('md5').update(`${runId} 1`).digest('hex');
      return withPacks(
        sql,
        scope,
        sql`
          select encode(span.span_id, 'hex') as "spanId", ${placeInPack(sql)} from span
          where ${spansOfTrace(projectId, traceId)(sql, scope)} and span.organization_id = ${scope.organizationId}`,
      );
    },
  ],
  "the newest of a project's spans": [
    pageRows,
    (sql, { scope, projectId }) => searchSpans(sql, scope, projectId, {}, latestSpan, page),
  ],
  ...Object.fromEntries(
    ([{ name: 'tool' }, { service: 'none' }, { modelName: 'none' }, { error: true }] as const).map(
      (filter) => [
        `spans whose ${Object.keys(filter)[0]} none has`,
        [
          10,
          (sql: Sql, { scope, projectId }: World) =>
            searchSpans(sql, scope, projectId, filter, latestSpan, page),
        ],
      ],
    ),
  ),
  'spans before the first': [
    10,
    (sql, { scope, projectId }) =>
      searchSpans(sql, scope, projectId, { startedBefore: '1970-01-01T00:00:00Z' }, latestSpan, page),
  ],
  'spans after the last': [
    10,
    (sql, { scope, projectId }) =>
      searchSpans(sql, scope, projectId, { startedAfter: '2000-01-01T00:00:00Z' }, latestSpan, page),
  ],
  'a late page of spans': [
    pageRows,
    (sql, { scope, projectId }) => searchSpans(sql, scope, projectId, {}, '10 0 00', page),
  ],
  'the last trace of each of five users': [
    10,
    (sql, { scope, projectId }) =>
      stepThroughGroups(sql, scope, { column: 'user_id', projectId }, { after: '', count: page }),
  ],
  ...Object.fromEntries(
    Object.entries({
      'that are assigned to someone who has none': ({ scope }: World) => isAssignedTo(scope.memberId),
      'of a version that none has': () => isOfVersion('none'),
      'of a model that none has': () => isOfModel('none'),
      'of a testcase that none has': () => isOfTestcase(999n, 1),
      'of a monitor that is not there': () => isDrawnBy('none'),
      'with a failed score': ({ configId }: World) =>
        hasScoreOf([{ id: configId, threshold: 1, ofSpans: false, labels: null }], 'failed'),
    }).map(([name, condition]) => [
      `records ${name}`,
      [
        10,
        (sql: Sql, world: World) =>
          findByCondition(sql, world.scope, world.projectId, condition(world).find!, page),
        ['record', 'score', 'trace', 'record_assignment', 'monitor_record'],
      ],
    ]),
  ),
  // A purge every minute looks for these.
  'traces that are older than a project keeps them': [10, (sql) => oldTraces(sql)],
  'records that are older than a project keeps them': [10, (sql) => findOldRecords(sql, page), ['record']],
  'what the next purge would delete': [
    10,
    (sql, { scope, projectId }) => findDue(sql, scope, projectId, {}),
    ['record', 'trace'],
  ],
  'records with a word that none has': [10, (sql, { projectId }) => findText(sql, projectId, 'zebra', page)],
};

const readBy = async (world: World, name: string): Promise<number> => {
  const [, statement, of] = statements[name]!;
  return world.app.db.transaction(world.scope, (tx) => rowsRead(tx, statement(tx, world), of));
};

/** Number of scores that PostgreSQL has counted, which it does up to ten seconds after a transaction. */
const countedScores = async ({ app }: World): Promise<number> => {
  const [row] = await app.db.read(
    system,
    (sql) => sql<{ n: number }[]>`
      select pg_stat_get_live_tuples('score'::regclass)::integer as n`,
  );
  return row!.n;
};

describe.each([
  ['that is empty', 0, 0],
  ['that has just received its first large run', 1, 20_000],
  ['with many runs', 100, 500],
])('in a database %s', (_name, numRuns, recordsEach) => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf(numRuns, recordsEach);
    // Statistics that were made while the rows were written count none. The service replaces them when PostgreSQL has counted the rows.
    if (engine === 'server') await until(async () => (await countedScores(world)) >= numRuns * recordsEach);
    await until(async () => (await world.app.db.read(system, findGrown)).length === 0);
  });
  afterAll(() => world.app.close());

  it.each(Object.keys(statements))('reading %s touches few rows', async (name) => {
    const [most] = statements[name]!;
    // Half of this run's table belongs to the other organization: reading all of it is right then.
    const summary = name.includes('summary') ? 2 * recordsEach : 0;
    // A tenth of the records have a proposal, and each proposal is compared with its score.
    const rescoring = name.includes('a rescoring changes') ? recordsEach / 5 : 0;
    expect(await readBy(world, name)).toBeLessThanOrEqual(most + summary + rescoring);
  });
});
