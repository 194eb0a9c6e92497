import { Readable } from 'node:stream';
import { invalid } from '../../platform/errors.ts';
import { weights } from '../../platform/http/byte-budget.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { ApiErrorBody } from '../../platform/http/openapi.ts';
import { lastUuid } from '../../platform/http/pagination.ts';
import { answerRoute, listRoute, ownOrganization } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { readTime } from '../../platform/validation.ts';
import { verifyChain } from './chain.ts';
import { exportBytes, exportEvents } from './export.ts';
import { type AuditFilter, listEvents } from './queries.ts';
import {
  AuditEvent,
  AuditEventQuery,
  AuditExportQuery,
  type AuditFilters,
  AuditVerification,
  AuditVerifyQuery,
} from './schema.ts';

const tags = ['Audit log'];
const config = { admin: true };

const filterOf = (query: AuditFilters): AuditFilter => ({
  after: query.createdAfter === undefined ? null : readTime('/createdAfter', query.createdAfter),
  before: query.createdBefore === undefined ? null : readTime('/createdBefore', query.createdBefore),
  userId: query.userId === undefined ? null : uuidId('member', query.userId),
  operation: query.operation ?? null,
  resource: query.resource ?? null,
  resourceId: query.resourceId ?? null,
  projectId: query.projectId === undefined ? null : numericId('project', query.projectId),
  failed: query.failed ?? null,
});

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' };

export const auditRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  listRoute(app, deps, '/audit-events', {
    config,
    operationId: 'listAuditEvents',
    summary: 'List the audit log: every write and sign-in, newest first.',
    description: 'Admins only.',
    tags,
    of: ownOrganization,
    query: AuditEventQuery,
    item: ref(AuditEvent),
    others: { 403: ref(ApiErrorBody) },
    first: lastUuid,
    read: ({ query }) => filterOf(query),
    rows: (sql, scope, _, before, count, filter) => listEvents(sql, scope, filter, before, count),
  });

  app.get(
    '/audit-events/export',
    {
      config,
      schema: {
        operationId: 'exportAuditEvents',
        summary: 'Export the audit log as NDJSON or CSV, newest first.',
        description: 'Admins only.',
        tags,
        querystring: AuditExportQuery,
        response: {
          200: {
            description: 'The entries.',
            content: {
              'application/x-ndjson': { schema: { description: 'One AuditEvent per line.' } },
              'text/csv': { schema: { description: 'A header and one line per entry.' } },
            },
          },
          403: ref(ApiErrorBody),
        },
      },
    },
    async (request, reply) => {
      const { scope, query, log } = request;
      const { format = 'ndjson' } = query;
      const hold = await reply.holdStream(exportBytes);
      const holdPage = (bytes: number) => hold(weights.answer * bytes);
      const lines = Readable.from(exportEvents({ db, holdPage }, scope, filterOf(query), format));
      lines.once('error', (err) => log.error({ err }, 'an export of the audit log broke off'));
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="audit-events.${format}"`)
        .send(lines);
    },
  );

  answerRoute(app, 'GET', '/audit-events/verify', {
    config,
    operationId: 'verifyAuditEvents',
    summary: 'Check that no entry of the audit log was changed or removed.',
    description: 'Admins only.',
    tags,
    of: ownOrganization,
    query: AuditVerifyQuery,
    response: ref(AuditVerification),
    others: { 403: ref(ApiErrorBody) },
    answer: async ({ scope, query: { place, hash } }) => {
      if ((place === undefined) !== (hash === undefined))
        throw invalid(place === undefined ? '/place' : '/hash', 'is required: place and hash go together');
      const noted = place === undefined || hash === undefined ? undefined : { place, hash };
      return JSON.stringify(await verifyChain(db, scope, noted));
    },
  });
};
