import { Type } from 'typebox';
import { requireProject, requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project, record } from '../../evaluation/resources.ts';
import type { SchemaChecker } from '../../evaluation/testsets/json-schema.ts';
import { Testcase } from '../../evaluation/testsets/schema.ts';
import { checkDocuments, createTestcases } from '../../evaluation/testsets/write-testcases.ts';
import { notFound } from '../../platform/errors.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { numericId, recordKey } from '../../platform/http/ids.ts';
import { pathParam, Success, successBody } from '../../platform/http/openapi.ts';
import { wholeRow } from '../../platform/http/read-texts.ts';
import { answerRoute, type Resource, searchRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { omit } from '../../platform/omit.ts';
import { readTime } from '../../platform/validation.ts';
import { deleteTrace } from '../store/delete-traces.ts';
import { testcaseOfRecord } from '../store/testcase-of-record.ts';
import { spanSummary } from './format.ts';
import { findTrace } from './list-traces.ts';
import { latestSpan, oneTrace, type SpanFilter, searchSpans } from './read-queries.ts';
import {
  readConversation,
  readSpan,
  readTree,
  recordSource,
  spanDetail,
  type TraceKey,
  traceSource,
} from './read-traces.ts';
import {
  Conversation,
  ConversationQuery,
  RecordSpans,
  Span,
  SpanDetail,
  SpanSearch,
  TestcaseFromRecord,
  Trace,
  TreeQuery,
} from './schema.ts';

const tags = ['Traces'];
const traceParams = Type.Object({ projectId: pathParam('project'), traceId: pathParam('trace') });
const spanParams = Type.Object({
  projectId: pathParam('project'),
  traceId: pathParam('trace'),
  spanId: pathParam('span'),
});

/** OpenTelemetry's id in lower case; 404 when it can't be one. */
const otelId = (what: string, id: string, digits: number): string => {
  if (id.length !== digits || !/^[0-9a-f]+$/i.test(id)) throw notFound(what, id);
  return id.toLowerCase();
};

const trace: Resource<typeof traceParams, TraceKey> = {
  name: 'trace',
  params: traceParams,
  keyOf: ({ projectId, traceId }) => ({
    projectId: numericId('project', projectId),
    traceId: otelId('trace', traceId, 32),
  }),
  idOf: ({ traceId }) => traceId,
};
const span: Resource<typeof spanParams, TraceKey & { spanId: string }> = {
  name: 'span',
  params: spanParams,
  keyOf: ({ spanId, ...rest }) => ({ ...trace.keyOf(rest), spanId: otelId('span', spanId, 16) }),
  idOf: ({ spanId }) => spanId,
};

const filterOf = ({ traceId, startedAfter, startedBefore, ...plain }: SpanSearch): SpanFilter => ({
  ...omit(plain, 'limit', 'cursor'),
  ...(traceId !== undefined && { traceId: traceId.toLowerCase() }),
  ...(startedAfter !== undefined && { startedAfter: readTime('/startedAfter', startedAfter) }),
  ...(startedBefore !== undefined && { startedBefore: readTime('/startedBefore', startedBefore) }),
});

export const traceRoutes = (app: App, deps: RouteDeps & { schemas: SchemaChecker }): void => {
  const { db } = deps;
  answerRoute(app, 'GET', '/records/:recordId/spans', {
    operationId: 'listRecordSpans',
    summary: 'List the spans of a record as a tree: the first 10,000 by start.',
    tags,
    of: record,
    query: TreeQuery,
    response: RecordSpans,
    answer: async (asked) => {
      const { recordId } = asked.params;
      const source = await recordSource(db, asked.scope, recordKey(recordId), recordId);
      return JSON.stringify(await readTree(db, asked, source, asked.query.limit));
    },
  });

  answerRoute(app, 'GET', '/records/:recordId/conversation', {
    operationId: 'getRecordConversation',
    summary: 'Get the conversation of a record, from the spans of its models, tools and agents.',
    tags,
    of: record,
    query: ConversationQuery,
    response: Conversation,
    answer: async (asked) => {
      const { recordId } = asked.params;
      const source = await recordSource(db, asked.scope, recordKey(recordId), recordId);
      return JSON.stringify(await readConversation(db, asked, source, asked.query.spans));
    },
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/testcase', {
    operationId: 'createTestcaseFromRecord',
    summary: 'Create a testcase from a record: its inputs, and its outputs as the expected output.',
    tags: ['Testsets'],
    of: record,
    body: TestcaseFromRecord,
    status: 201,
    response: ref(Testcase),
    read: async (body, _, { scope, key, params }) => {
      const testsetId = numericId('testset', body.testsetId);
      await recordSource(db, scope, key, params.recordId);
      const document = await db.transaction(scope, (tx) => testcaseOfRecord(tx, scope, key, testsetId));
      return { testsetId, document, errors: await checkDocuments(deps, scope, testsetId, [document]) };
    },
    work: async (tx, scope, _, { testsetId, document, errors }) => {
      const made = await createTestcases(tx, scope, testsetId, [document], errors);
      return made.slice('{"items":['.length, -']}'.length);
    },
  });

  searchRoute(app, deps, '/projects/:projectId/spans', {
    operationId: 'listSpans',
    summary: 'Search the spans of a project, latest start first.',
    tags,
    of: project,
    query: SpanSearch,
    item: ref(Span),
    first: latestSpan,
    read: async ({ query }) => filterOf(query),
    find: async (filter, before, count, { scope, key, readTexts }) => {
      const rows = await readTexts(db, (sql) => searchSpans(sql, scope, key, filter, before, count), {
        text: wholeRow,
        kind: 'values',
      });
      return rows.map((row) => ({
        key: row.key,
        body: JSON.stringify({ ...spanSummary(row), recordId: row.recordId }),
      }));
    },
    whenEmpty: ({ scope, key }) => requireReadableProject(db, scope, key),
  });

  answerRoute(app, 'GET', '/projects/:projectId/traces/:traceId', {
    operationId: 'getTrace',
    summary: 'Get a trace with its sums and the scores of its record.',
    tags,
    of: trace,
    response: ref(Trace),
    answer: async ({ scope, params, key }) => {
      await requireReadableProject(db, scope, key.projectId);
      return requireOne(
        await findTrace(db, scope, oneTrace(key.projectId, key.traceId)),
        'trace',
        params.traceId,
      ).body;
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/traces/:traceId/spans', {
    operationId: 'listTraceSpans',
    summary: 'List the spans of a trace as a tree: the first 10,000 by start.',
    tags,
    of: trace,
    query: TreeQuery,
    response: RecordSpans,
    answer: async (asked) => {
      const { scope, params, key, query } = asked;
      await requireReadableProject(db, scope, key.projectId);
      const source = await traceSource(db, scope, key, params.traceId);
      return JSON.stringify(await readTree(db, asked, source, query.limit));
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/traces/:traceId/conversation', {
    operationId: 'getTraceConversation',
    summary: 'Get the conversation of a trace, from the spans of its models, tools and agents.',
    tags,
    of: trace,
    query: ConversationQuery,
    response: Conversation,
    answer: async (asked) => {
      const { scope, params, key, query } = asked;
      await requireReadableProject(db, scope, key.projectId);
      const source = await traceSource(db, scope, key, params.traceId);
      return JSON.stringify(await readConversation(db, asked, source, query.spans));
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/traces/:traceId/spans/:spanId', {
    operationId: 'getSpan',
    summary: 'Get a span with all its data.',
    tags,
    of: span,
    response: ref(SpanDetail),
    answer: async ({ scope, params, key: { projectId, traceId, spanId }, holdAnswer }) => {
      await requireReadableProject(db, scope, projectId);
      return spanDetail(
        requireOne(
          await readSpan(db, { scope, holdAnswer }, { projectId, traceId }, spanId),
          'span',
          params.spanId,
        ),
      );
    },
  });

  writeRoute(app, deps, 'DELETE', '/projects/:projectId/traces/:traceId', {
    operationId: 'deleteTrace',
    summary: 'Delete a trace and its spans.',
    description:
      'A record that was created from this trace alone is deleted too, unless someone has reviewed, annotated or scored it.',
    tags,
    of: trace,
    response: ref(Success),
    work: async (tx, scope, { projectId, traceId }) => {
      await requireProject(tx, scope, projectId);
      if (!(await deleteTrace(tx, scope, projectId, traceId))) throw notFound('trace', traceId);
      return successBody;
    },
  });
};
