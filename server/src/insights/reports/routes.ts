import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { requireProject } from '../../evaluation/projects/queries.ts';
import { requirePlace } from '../../evaluation/projects/require-place.ts';
import { project } from '../../evaluation/resources.ts';
import { findListedRun } from '../../evaluation/runs/queries.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { ApiError, forbidden, invalid, notFound } from '../../platform/errors.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { type App, bodyOf, publicBodyLimitBytes } from '../../platform/http/http.ts';
import { idempotencyKey } from '../../platform/http/idempotency.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { readTexts } from '../../platform/http/read-texts.ts';
import { deleteRoute, getRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { type Scope, serviceScope } from '../../platform/http/scope.ts';
import { parseAsWritten } from '../../platform/json/parse-as-written.ts';
import { ref } from '../../platform/named-schema.ts';
import { type RecordReading, withWorst } from '../analysis/changed-records.ts';
import { readComparison } from '../analysis/read-comparison.ts';
import type { Ledger } from '../looks/open-ledger.ts';
import {
  areLinksAllowed,
  countLinks,
  countRuns,
  deleteLink,
  findLink,
  insertLink,
  listLinks,
  maxLinks,
  type UsableLink,
  useLink,
} from './queries.ts';
import { ReportLinkCreate, ReportLinkCreated, ReportLinkRead, ReportLinks, SharedReport } from './schema.ts';

type ReportedRun = Static<typeof SharedReport.schema>['details'][number];

const tags = ['Analysis'];
const link = resource('reportLinkId', 'report link', uuidId);

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The one answer for every link that shows nothing: unknown, ended, revoked, or of what is deleted or no longer allowed. */
const linkEnded = () =>
  new ApiError(
    'UNAUTHORIZED',
    'This link shows no report, or no longer. Ask the people who sent it for a new one.',
  );

/** Testcases that lost most, for each metric: the report prints their inputs and answers. */
const mostQuoted = 5;

/** Requires that the admins allow links and that the runs are of the project. Throws 403 and 404. */
const requireShareable = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  runIds: readonly string[],
): Promise<bigint[]> => {
  const [allowed] = await areLinksAllowed(tx, scope);
  if (!allowed?.allowed)
    throw forbidden(
      'Links to reports are off in this organization. An admin can allow them on the page Members.',
    );
  if (new Set(runIds).size < runIds.length) throw invalid('/runs', 'must name each run once');
  const numbers = runIds.map((id) => numericId('run', id));
  for (const [i, number] of numbers.entries()) {
    const [counted] = await countRuns(tx, scope, projectId, [number]);
    if (counted!.n === 0) throw notFound('run', runIds[i]!);
  }
  return numbers;
};

/** Returns the report of a link as JSON text. Throws if one of its runs is gone. */
const readReport = async (
  { db, ledger }: { db: Database; ledger: Ledger },
  used: UsableLink,
  reply: Pick<FastifyReply, 'holdAnswer'>,
): Promise<string> => {
  const scope = serviceScope(used.organizationId);
  const { name, projectName, expiresAt, projectId, runIds, comparison } = used;
  const { runs, measure, looks, weightBy, shares, pooled } = comparison;
  const [counted] = await db.read(scope, (sql) => countRuns(sql, scope, projectId, runIds));
  if (counted!.n < runIds.length) throw linkEnded();
  const isWeighted = weightBy !== undefined || shares !== undefined;
  const compared = await readComparison(db, scope, {
    runs,
    measure,
    pairs: 'first',
    ...(pooled && { pooled }),
    ...(weightBy !== undefined && { weightBy }),
    ...(shares !== undefined && { shares }),
    ...(looks ? { test: 'planned' as const, looks } : !isWeighted && { slices: true, usage: true }),
  });
  ledger.noteComparison(scope, 'report', compared.text, true);
  const reading: RecordReading = {
    db,
    scope,
    readTexts: (from, statement, options) =>
      readTexts(reply, (read) => from.read(scope, read), statement, options),
  };
  const shown = looks
    ? compared.text
    : await withWorst(reading, JSON.parse(compared.text), compared.runs, { measure, count: mostQuoted });
  const details: ReportedRun[] = [];
  for (const id of runs) {
    const [found] = await db.read(scope, (sql) => findListedRun(sql, scope, numericId('run', id)));
    if (!found) throw linkEnded();
    const run = parseAsWritten(found.body) as ReportedRun;
    details.push({
      id: run.id,
      name: run.name,
      title: run.title,
      notesStart: run.notesStart,
      numRecords: run.numRecords,
      createdAt: run.createdAt,
    });
  }
  const head = JSON.stringify({ name, projectName, expiresAt, ...comparison, details });
  return `${head.slice(0, -1)},"comparison":${shown}}`;
};

/** Links that show one report without an account (docs/decisions/0206). */
export const reportRoutes = (
  app: App,
  deps: RouteDeps & { publicUrl: string | undefined; ledger: Ledger },
): void => {
  const { db, publicUrl } = deps;

  getRoute(app, deps, '/projects/:projectId/report-links', {
    operationId: 'listReportLinks',
    summary: 'List the links of a project that show a report without an account.',
    tags,
    of: project,
    response: ref(ReportLinks),
    find: listLinks,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/report-links', {
    config: { limited: true, keyless: true },
    operationId: 'createReportLink',
    summary: 'Make a link that shows the comparison of runs without an account.',
    description: 'Only this answer shows it. An admin allows such links in the settings of the organization.',
    tags,
    of: project,
    body: ReportLinkCreate,
    status: 201,
    response: ref(ReportLinkCreated),
    read: (body, _, { request }) => {
      if (idempotencyKey(request))
        throw invalid('/Idempotency-Key', 'is not accepted here: a new link is shown only once');
      return { body, base: publicUrl ?? `${request.protocol}://${request.host}` };
    },
    work: async (tx, scope, projectId, { body, base }) => {
      await requireProject(tx, scope, projectId);
      const { runs, pooled = [] } = body;
      const runIds = await requireShareable(tx, scope, projectId, [...runs, ...pooled]);
      await requirePlace(tx, scope, projectId, {
        resources: 'report links',
        limit: maxLinks,
        count: countLinks,
      });
      const token = randomBytes(32).toString('base64url');
      const made = bodyOf(
        await insertLink(tx, scope, projectId, { hash: hashToken(token), runIds, body }),
        'report link',
        '',
      );
      return `${made.slice(0, -1)},${JSON.stringify({ url: `${base}/shared-report#${token}` }).slice(1)}`;
    },
  });

  deleteRoute(app, deps, '/report-links/:reportLinkId', {
    operationId: 'deleteReportLink',
    auditedAs: findLink,
    summary: 'Revoke a link to a report at once.',
    tags,
    of: link,
    remove: deleteLink,
  });

  app.post(
    '/report-links/read',
    {
      bodyLimit: publicBodyLimitBytes,
      config: { public: true, rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'getSharedReport',
        summary: 'Get the report that a link shows.',
        description:
          'It is a POST, so that no log contains the token. Every link that shows nothing has the same answer, 401.',
        tags,
        security: [] as [],
        body: ReportLinkRead,
        response: { 200: ref(SharedReport) },
      },
    },
    async (request, reply) => {
      const used = await db.transaction(system, async (tx) => {
        const [found] = await useLink(tx, hashToken(request.body.token));
        if (!found) return undefined;
        await insertAuditEvent(
          tx,
          { organizationId: found.organizationId, address: request.ip },
          {
            operation: 'getSharedReport',
            resource: 'Analysis',
            resourceId: found.id,
            projectId: found.projectId,
          },
        );
        return found;
      });
      if (!used) throw linkEnded();
      const report = await readReport(deps, used, reply).catch((error) => {
        throw error instanceof ApiError && error.code === 'NOT_FOUND' ? linkEnded() : error;
      });
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
      return reply.json(report);
    },
  );
};
