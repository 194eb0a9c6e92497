import { Type } from 'typebox';
import type { Sql } from '../platform/db/database.ts';
import { type App, one } from '../platform/http/http.ts';
import { numericId, uuidId } from '../platform/http/ids.ts';
import { named, pathParam, ref } from '../platform/http/openapi.ts';
import { PageQuery, pageOf } from '../platform/http/pagination.ts';
import type { RouteDeps } from '../platform/http/route-deps.ts';
import type { Scope } from '../platform/http/scope.ts';
import { rowSchema } from './columns.ts';
import { exportRows, firstRow } from './export-rows.ts';
import { importRows } from './import-rows.ts';
import type { Noun, Part } from './part.ts';
import { parts } from './parts.ts';

/** Most rows in one import. */
const maxImportedRows = 1_000;

const RowsImported = Type.Object({
  imported: Type.Integer({
    description: 'How many rows are there now; those that were there already count.',
  }),
  ids: Type.Array(Type.Union([Type.String(), Type.Null()]), {
    description: 'The ids that they have here, in their order; empty where they have none.',
  }),
});

const findOwner = (sql: Sql, scope: Scope, noun: Noun, id: string) => sql<{ id: string }[]>`
  select id::text from ${sql(noun)} where organization_id = ${scope.organizationId} and id::text = ${id}`;

const routesOf = (app: App, { db, page, write }: RouteDeps, part: Part): void => {
  const { noun, path, row, about, columns, tag } = part;
  const Row = named(
    row,
    rowSchema(columns, `One of ${about} as it is stored, for another place to store it.`),
  );
  app.addSchema({ $id: Row.name, ...Row.schema });
  const word = part.operation ?? path.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const param = `${noun}Id`;
  const params = Type.Object({ [param]: pathParam(noun) });
  const idOf = (given: unknown): string => {
    const id = (given as Record<string, string>)[param]!;
    return noun === 'monitor' ? uuidId(noun, id) : String(numericId(noun, id));
  };

  app.get(
    `/${noun}s/:${param}/export/${path}`,
    {
      schema: {
        operationId: `export${word}`,
        summary: `List of a ${noun} ${about}, as they are stored.`,
        tags: [tag],
        params,
        querystring: PageQuery,
        response: { 200: pageOf(ref(Row)) },
      },
    },
    (request, reply) => {
      const { scope } = request;
      const id = idOf(request.params);
      return page(
        request,
        reply,
        firstRow,
        (after, count) => db.read(scope, (sql) => exportRows(sql, scope, part, id, after, count)),
        async () => one(await db.read(scope, (sql) => findOwner(sql, scope, noun, id)), noun, id),
      );
    },
  );

  const items = Type.Array(Row.schema, {
    minItems: 1,
    maxItems: maxImportedRows,
    description: `The rows as export${word} gave them, with the ids that things have here, 1 to ${maxImportedRows}.`,
  });
  app.post(
    `/${noun}s/:${param}/import/${path}`,
    {
      schema: {
        operationId: `import${word}`,
        summary: `Store for a ${noun} ${about} as they were in another project, all or none, while this one is being imported.`,
        tags: [tag],
        params,
        body: Type.Object({ items }, { additionalProperties: false }),
        response: { 201: RowsImported },
      },
    },
    (request, reply) => {
      const id = idOf(request.params);
      const body = request.body as { items: Record<string, unknown>[] };
      return write(request, reply, 201, (tx, scope) =>
        importRows(tx, scope, part, id, body, request.rawBody),
      );
    },
  );
};

/** How an archive of a project takes along what no request could make anew. */
export const transferRoutes = (app: App, deps: RouteDeps): void => {
  for (const part of parts) routesOf(app, deps, part);
};
