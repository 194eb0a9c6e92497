import { type TSchema, Type } from 'typebox';
import type { Sql, Statement } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import { PageQuery, type PageRow, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireReadableProject } from './queries.ts';

const params = Type.Object({ projectId: pathParam('project') });

type ProjectList = {
  operationId: string;
  summary: string;
  tags: string[];
  /** Schema of one item. */
  item: TSchema;
  /** The key before the first item, in the order of the list. */
  first: string;
  /** Reads at most `count` items after the key `after`. */
  rows: (sql: Sql, scope: Scope, projectId: bigint, after: string, count: number) => Statement<PageRow>;
};

/** Adds the route that lists one kind of resource of a project, page by page: 404 when the project is not there. */
export const projectList = (
  app: App,
  { db, page }: RouteDeps,
  path: `/projects/:projectId/${string}`,
  { item, first, rows, ...described }: ProjectList,
): void => {
  app.get(
    path,
    { schema: { ...described, params, querystring: PageQuery, response: { 200: pageOf(item) } } },
    (request, reply) => {
      const { scope } = request;
      const projectId = numericId('project', request.params.projectId);
      return page(
        request,
        reply,
        first,
        (after, count) => db.read(scope, (sql) => rows(sql, scope, projectId, after, count)),
        () => requireReadableProject(db, scope, projectId),
      );
    },
  );
};
