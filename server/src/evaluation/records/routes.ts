import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/http.ts';
import { idempotencyKey } from '../../platform/http/idempotency.ts';
import { oldestFirst } from '../../platform/http/pagination.ts';
import {
  answerRoute,
  deleteRoute,
  getRoute,
  listRoute,
  searchRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { ValueGroups } from '../groups/schema.ts';
import { maskRecord } from '../masking/mask-data.ts';
import type { Masking } from '../masking/masking.ts';
import { requireReadableProject } from '../projects/queries.ts';
import { project, record, run } from '../resources.ts';
import { findRunId } from '../runs/queries.ts';
import { openOutputTypes } from '../scores/output-types.ts';
import { countRecordsOverTime } from './count-over-time.ts';
import { type Create, createRecords, readRecord, withBroughtScores } from './create-records.ts';
import { exportRoute } from './export/route.ts';
import { groupCreates } from './group-creates.ts';
import { groupByQuery } from './group-records.ts';
import { listFields } from './list-fields.ts';
import { deleteRecord, findRecord, listRecords, lockTracesOfRecord } from './queries.ts';
import { readQuery, requireFilterIds } from './read-query.ts';
import { readRecords } from './read-records.ts';
import { requireOneScore } from './require-same-answers.ts';
import {
  ProjectRecordsQuery,
  Record,
  RecordCreate,
  RecordDetail,
  RecordFields,
  RecordGroupsQuery,
  RecordHistogram,
  RecordHistogramQuery,
  RecordListQuery,
  RecordsCreate,
  RecordsCreated,
  RecordWithScores,
} from './schema.ts';
import { firstKey, searchRecords } from './search-records.ts';

const tags = ['Records'];

export const recordRoutes = (app: App, deps: RouteDeps & { masking: Masking }): void => {
  const { db, write, masking } = deps;
  const createGrouped = groupCreates(db);
  const outputTypes = openOutputTypes(db);
  // An answer kept under an Idempotency-Key commits with its own records, so such a create is not grouped.
  const create = async (request: FastifyRequest, reply: FastifyReply, runId: bigint, created: Create) =>
    idempotencyKey(request)
      ? write(request, reply, 201, (tx, scope) => createRecords(tx, scope, runId, created))
      : reply.json(await createGrouped(request.scope, runId, created), 201);

  listRoute(app, deps, '/runs/:runId/records', {
    operationId: 'listRecords',
    summary: 'List the records of a run with all their scores, oldest first.',
    tags,
    of: run,
    parent: findRunId,
    query: RecordListQuery,
    item: ref(RecordWithScores),
    first: oldestFirst,
    rows: (sql, scope, runId, after, count, { tags = [] }) =>
      listRecords(sql, scope, runId, [...new Set(tags)], after, count),
  });

  app.post(
    '/runs/:runId/records',
    {
      schema: {
        operationId: 'createRecord',
        summary: 'Create a record in a run, with a pending score for each of its metrics.',
        tags,
        params: run.params,
        body: RecordCreate,
        response: { 201: ref(Record) },
      },
    },
    async (request, reply) => {
      const runId = run.keyOf(request.params);
      const given = readRecord(request.body, request.rawBody);
      const record = maskRecord(await masking.of(request.scope, { runId }), given);
      return create(request, reply, runId, { operation: 'createRecord', records: [record] });
    },
  );

  app.post(
    '/runs/:runId/records/bulk-create',
    {
      schema: {
        operationId: 'createRecords',
        summary: 'Create up to 1,000 records in a run, all or none.',
        description: 'From JSON, or from NDJSON with one record a line.',
        tags,
        params: run.params,
        body: RecordsCreate,
        consumes: ['application/json', 'application/x-ndjson'],
        response: { 201: RecordsCreated },
      },
      config: { ndjson: true },
      // A body in NDJSON is not parsed as a whole; read-records.ts checks each line against its schema.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      const runId = run.keyOf(request.params);
      const given = readRecords(request);
      requireOneScore(given);
      const masker = await masking.of(request.scope, { runId });
      const masked = given.map((record) => maskRecord(masker, record));
      const configIds = new Set(masked.flatMap(({ scores = [] }) => scores.map(({ configId }) => configId)));
      const types = await outputTypes(request.scope, runId, [...configIds]);
      const records = withBroughtScores(masked, types);
      return create(request, reply, runId, { operation: 'createRecords', records });
    },
  );

  searchRoute(app, deps, '/projects/:projectId/records', {
    operationId: 'listProjectRecords',
    summary: 'List the records of all runs of a project, newest first.',
    description: 'Filters narrow the list.',
    tags,
    of: project,
    query: ProjectRecordsQuery,
    item: ref(RecordDetail),
    read: ({ scope, key, query }) => readQuery(db, scope, key, query),
    first: ({ sort }) => firstKey(sort),
    find: ({ sort, ...filter }, after, count, { scope, key, query, readTexts }) => {
      return searchRecords(
        { db, readPage: (statement) => readTexts(db, statement) },
        scope,
        key,
        filter,
        after,
        count,
        query.cursor ? 0 : query.offset,
        sort,
      );
    },
    whenEmpty: async ({ scope, key, query }) => {
      await requireReadableProject(db, scope, key);
      await requireFilterIds(db, scope, query);
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/records/histogram', {
    operationId: 'getRecordHistogram',
    summary: 'Count the records of a project over time.',
    description: 'The filters are those of the list.',
    tags,
    of: project,
    query: RecordHistogramQuery,
    response: ref(RecordHistogram),
    answer: async ({ scope, key, query, leaves }) => {
      await requireReadableProject(db, scope, key);
      const filter = await readQuery(db, scope, key, query);
      await requireFilterIds(db, scope, query);
      const { buckets = 60 } = query;
      return JSON.stringify(
        await countRecordsOverTime(db, scope, key, filter, buckets, { signal: leaves() }),
      );
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/records/groups', {
    operationId: 'groupProjectRecords',
    summary: 'Count the records of a project by the value of a field.',
    description: 'The filters are those of the list. Each group has the filter that finds its records.',
    tags,
    of: project,
    query: RecordGroupsQuery,
    response: ref(ValueGroups),
    answer: async ({ scope, key, query, leaves }) => {
      await requireReadableProject(db, scope, key);
      const filter = await readQuery(db, scope, key, query);
      await requireFilterIds(db, scope, query);
      const groups = await groupByQuery(db, scope, key, filter, query, leaves());
      return JSON.stringify(groups);
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/records/fields', {
    operationId: 'listRecordFields',
    summary: 'List the fields that records of a project have.',
    tags,
    of: project,
    response: ref(RecordFields),
    answer: async ({ scope, key }) => {
      await requireReadableProject(db, scope, key);
      return JSON.stringify({ fields: await listFields(db, scope, key) });
    },
  });

  exportRoute(app, deps);

  getRoute(app, deps, '/records/:recordId', {
    operationId: 'getRecord',
    summary: 'Get a record with the state of each of its scores.',
    tags,
    of: record,
    response: ref(RecordDetail),
    find: findRecord,
  });

  deleteRoute(app, deps, '/records/:recordId', {
    config: { ignoresBody: true },
    operationId: 'deleteRecord',
    summary: 'Delete a record and its scores, tags and annotations.',
    tags,
    of: record,
    remove: async (tx, scope, key) => {
      await lockTracesOfRecord(tx, scope, key);
      return deleteRecord(tx, scope, key);
    },
  });
};
