// Longer than 400 lines: the routes of a resource beside each other, each in the same order of steps.
import type { Readable } from 'node:stream';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type Static, type TObject, type TSchema, type TString, Type } from 'typebox';
import type { Sql, Statement } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { ref } from '../named-schema.ts';
import type { FindAudited } from './audit.ts';
import { type App, bodyOf, requireOne } from './http.ts';
import { pathParam, Success, successBody } from './openapi.ts';
import { type Cut, PageQuery, type PageRow, pageOf } from './pagination.ts';
import { type ReadOptions, type ReadRows, readTexts } from './read-texts.ts';
import { clientLeaves } from './reply.ts';
import type { RouteDeps } from './route-deps.ts';
import type { ForgetKeys, Scope } from './scope.ts';

/** A resource that a path names: its parameters, and the function that reads its key from them. */
export type Resource<Params extends TObject, Key> = {
  /** Name of the resource in a 404. */
  name: string;
  params: Params;
  /** Reads the key. Throws 404 when an id is ill-formed. */
  keyOf: (params: Static<Params>) => Key;
  /** The id as it was sent, for a 404. */
  idOf: (params: Static<Params>) => string;
};

/** A resource that one parameter names, such as `resource('runId', 'run', numericId)`. */
export const resource = <Param extends string, Key>(
  param: Param,
  name: string,
  parse: (name: string, id: string) => Key,
): Resource<TObject<{ [P in Param]: TString }>, Key> => {
  const idOf = (params: unknown) => (params as Record<Param, string>)[param];
  return {
    name,
    params: Type.Object({ [param]: pathParam(name) } as { [P in Param]: TString }),
    keyOf: (params) => parse(name, idOf(params)),
    idOf,
  };
};

/** For a route without a resource in its path: it acts on the organization of the request. */
export const ownOrganization: Resource<TObject<Record<never, never>>, undefined> = {
  name: 'organization',
  params: Type.Object({}),
  keyOf: () => undefined,
  idOf: () => '',
};

/** Documentation of a route in the API's document. */
type Described = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  /** Empty for an operation that needs no key. */
  security?: [];
  /** Answers beside the usual ones, by their status. */
  others?: Record<number, TSchema>;
};

/** A request, read as its route describes it. */
export type Asked<Params extends TObject, Key, Query> = {
  scope: Scope;
  key: Key;
  params: Static<Params>;
  query: Query;
  request: FastifyRequest;
  /** Returns a signal that is aborted when the client leaves. */
  leaves: () => AbortSignal;
  /** Reads rows with long texts for the answer. */
  readTexts: <Row extends object>(
    db: Pick<RouteDeps['db'], 'read'>,
    statement: (sql: Sql) => Statement<Row>,
    options?: ReadOptions,
  ) => Promise<Row[]>;
  /** Takes the memory of an answer of so many bytes. */
  holdAnswer: FastifyReply['holdAnswer'];
};

/** Returns the schema of a route. A path without parameters has none. */
const schemaOf = <Params extends TObject>(
  { others, ...described }: Described,
  of: Resource<Params, unknown>,
  { response, ...more }: { body?: TSchema; querystring?: TSchema; response: Record<number, TSchema> },
) => ({
  ...described,
  ...(Object.keys(of.params.properties).length > 0 && { params: of.params }),
  ...more,
  response: { ...response, ...others },
});

const askedOf = <Params extends TObject, Key, Query>(
  request: FastifyRequest,
  reply: FastifyReply,
  of: Resource<Params, Key>,
): Asked<Params, Key, Query> => {
  const params = request.params as Static<Params>;
  return {
    scope: request.scope,
    key: of.keyOf(params),
    params,
    query: request.query as Query,
    request,
    leaves: () => clientLeaves(reply),
    readTexts: (db, statement, options) =>
      readTexts(reply, (statement) => db.read(request.scope, statement), statement, options),
    holdAnswer: (bytes, kind) => reply.holdAnswer(bytes, kind),
  };
};

/** Finds a resource by its key, as JSON text. */
type FindByKey<Key> = (sql: Sql, scope: Scope, key: Key) => PromiseLike<{ body: string }[]>;

/** Rights that the route needs, a checker of its body that replaces the schema, and a hook that runs after it. */
type Guarded = {
  config?: FastifyContextConfig;
  validatorCompiler?: FastifySchemaCompiler<TSchema>;
  onSend?: ForgetKeys;
};

type GetRoute<Params extends TObject, Key, Row extends { body: string }> = Described &
  Pick<Guarded, 'config'> & {
    of: Resource<Params, Key>;
    response: TSchema;
    /** Reads the answer as JSON text; no row is a 404. */
    find: (sql: Sql, scope: Scope, key: Key) => Statement<Row>;
    /** How it is read: `lookUp` is for a few rows by their keys. */
    by?: 'read' | 'lookUp';
  };

/** Adds the route that reads a resource, or one part of it, by one statement. */
export const getRoute = <Params extends TObject, Key, Row extends { body: string }>(
  app: App,
  { db }: Pick<RouteDeps, 'db'>,
  path: string,
  { of, response, find, by = 'read', config = {}, ...described }: GetRoute<Params, Key, Row>,
): void => {
  app.readers.set(`${app.prefix}${path}`, (sql, scope, params) =>
    find(sql, scope, of.keyOf(params as Static<Params>)),
  );
  app.get(
    path,
    { config, schema: schemaOf(described, of, { response: { 200: response } }) },
    async (request, reply) => {
      const { scope, key, params } = askedOf(request, reply, of);
      const read: ReadRows = (statement) => db[by](scope, statement);
      const found = await readTexts(reply, read, (sql) => find(sql, scope, key));
      return reply.json(bodyOf(found, of.name, of.idOf(params)));
    },
  );
};

type AnswerRoute<Params extends TObject, Key, Query extends TObject, Body extends TSchema> = Described &
  Guarded & {
    of: Resource<Params, Key>;
    query?: Query;
    body?: Body;
    status?: 200 | 201;
    response: TSchema;
    /** Returns the answer as JSON text. Throws 404 when the resource does not exist. */
    answer: (asked: Asked<Params, Key, Static<Query>>, body: Static<Body>) => Promise<string>;
    /** The same answer as server-sent events, for clients that accept these. */
    events?: {
      description: string;
      answer: (asked: Asked<Params, Key, Static<Query>>, body: Static<Body>) => Promise<Readable>;
    };
  };

const eventStream = 'text/event-stream';

/** Returns the schema of an answer that comes as JSON or as server-sent events. */
const jsonOrEvents = (json: TSchema, description: string): TSchema => ({
  content: {
    'application/json': { schema: json },
    [eventStream]: { schema: Type.String({ description }) },
  },
});

/** Adds a route with a computed answer that stores nothing: an analysis, an estimate, a preview, a test. */
export const answerRoute = <
  Params extends TObject,
  Key,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>(
  app: App,
  method: 'GET' | 'POST',
  path: string,
  route: AnswerRoute<Params, Key, Query, Body>,
): void => {
  const { of, query, body, status = 200, response, answer, events, config = {}, ...rest } = route;
  const { onSend, validatorCompiler, ...described } = rest;
  app.route({
    method,
    url: path,
    config,
    ...(onSend && { onSend }),
    ...(validatorCompiler && { validatorCompiler }),
    schema: schemaOf(described, of, {
      ...(body && { body }),
      ...(query && { querystring: query }),
      response: { [status]: events ? jsonOrEvents(response, events.description) : response },
    }),
    handler: async (request, reply) => {
      const asked = askedOf<Params, Key, Static<Query>>(request, reply, of);
      const given = request.body as Static<Body>;
      if (events && request.headers.accept?.startsWith(eventStream))
        return reply.events(await events.answer(asked, given));
      return reply.json(await answer(asked, given), status);
    },
  });
};

/** Rows that PostgreSQL does not return as finished text need `itemsOf`, which converts them to items. `text` is the column of long texts. */
type ItemsOf<Row> = Row extends PageRow
  ? { itemsOf?: never; text?: never }
  : { itemsOf: (rows: Row[]) => PageRow[]; text?: string };

type ListRoute<
  Params extends TObject,
  Key,
  Parent extends object,
  Row extends object,
  Query extends TObject,
  Input,
> = Described &
  Pick<Guarded, 'config'> & {
    /** The resource that the list belongs to. */
    of: Resource<Params, Key>;
    /** Finds that resource. Called only for an empty page, because an item proves that it exists; no row is a 404. */
    parent?: (sql: Sql, scope: Scope, key: Key) => Statement<Parent>;
    /** Query parameters, when the list has more than those of a page. */
    query?: Query;
    item: TSchema;
    /** The key before the first item, in the order of the list. */
    first: string;
    /** Reads the arguments of `rows` from the query, before the page is read. Default: the query. */
    read?: (asked: Asked<Params, Key, Static<Query>>) => Input | Promise<Input>;
    /** Reads at most `count` items after the key `after`. */
    rows: (sql: Sql, scope: Scope, key: Key, after: string, count: number, input: Input) => Statement<Row>;
  };

/** Adds the route that lists the items of a resource, page by page. */
export const listRoute = <
  Params extends TObject,
  Key,
  Parent extends object,
  Row extends object = PageRow,
  Query extends TObject = typeof PageQuery,
  Input = Static<Query>,
>(
  app: App,
  { db, page }: Pick<RouteDeps, 'db' | 'page'>,
  path: string,
  route: ListRoute<Params, Key, Parent, Row, Query, Input> & ItemsOf<Row>,
): void => {
  const { of, parent, query, item, first, read, rows, config = {}, itemsOf, text, ...rest } = route;
  const toItems = itemsOf ?? ((found: Row[]) => found as unknown as PageRow[]);
  app.get(
    path,
    {
      config,
      schema: schemaOf(rest as Described, of, {
        querystring: query ?? PageQuery,
        response: { 200: pageOf(item) },
      }),
    },
    async (request, reply) => {
      const asked = askedOf<Params, Key, Static<Query>>(request, reply, of);
      const { scope, key, params } = asked;
      const input = read ? await read(asked) : (asked.query as Input);
      return page(
        request,
        reply,
        first,
        async (after, count) => {
          const readRows: ReadRows = (statement) => db.read(scope, statement);
          const statement = (sql: Sql) => rows(sql, scope, key, after, count, input);
          const isText = !itemsOf || text !== undefined;
          const found: (Row & Cut)[] = await (isText
            ? readTexts(reply, readRows, statement, { text, isPage: true })
            : readRows(statement));
          return toItems(found).map((item, i) => ({ ...item, isCut: found[i]?.isCut ?? null }));
        },
        async () =>
          parent &&
          requireOne(await db.lookUp(scope, (sql) => parent(sql, scope, key)), of.name, of.idOf(params)),
      );
    },
  );
};

type SearchRoute<Params extends TObject, Key, Query extends TObject, Input> = Described &
  Pick<Guarded, 'config'> & {
    of: Resource<Params, Key>;
    query?: Query;
    item: TSchema;
    /** The key before the first item, in the order of the search. */
    first: string | ((input: Input) => string);
    /** Reads the arguments of the search from the query. Throws 404 if a named resource does not exist. */
    read: (asked: Asked<Params, Key, Static<Query>>) => Promise<Input>;
    /** Finds at most `count` items after the key `after`. */
    find: (
      input: Input,
      after: string,
      count: number,
      asked: Asked<Params, Key, Static<Query>>,
    ) => Promise<PageRow[]>;
    /** Called if a page is empty. Throws 404 if a resource that the search names does not exist. */
    whenEmpty?: (asked: Asked<Params, Key, Static<Query>>, input: Input) => Promise<unknown>;
  };

/** Adds a route that searches page by page, if one statement is not enough. */
export const searchRoute = <Params extends TObject, Key, Input, Query extends TObject = typeof PageQuery>(
  app: App,
  { page }: Pick<RouteDeps, 'page'>,
  path: string,
  route: SearchRoute<Params, Key, Query, Input>,
): void => {
  const { of, query, item, first, read, find, whenEmpty, config = {}, ...described } = route;
  app.get(
    path,
    {
      config,
      schema: schemaOf(described, of, {
        querystring: query ?? PageQuery,
        response: { 200: pageOf(item) },
      }),
    },
    async (request, reply) => {
      const asked = askedOf<Params, Key, Static<Query>>(request, reply, of);
      const input = await read(asked);
      return page(
        request,
        reply,
        typeof first === 'string' ? first : first(input),
        (after, count) => find(input, after, count, asked),
        async () => whenEmpty?.(asked, input),
      );
    },
  );
};

/** Adds to the configuration of a route how its resource is read for the audit log. */
const auditedBy = <Params extends TObject, Key>(
  of: Resource<Params, Key>,
  config: FastifyContextConfig,
  find: FindByKey<Key> | undefined,
): FastifyContextConfig => {
  if (!find) return config;
  const auditedAs: FindAudited = (sql, scope, params) => find(sql, scope, of.keyOf(params as Static<Params>));
  return { ...config, auditedAs };
};

type DeleteRoute<Params extends TObject, Key> = Described &
  Guarded & {
    of: Resource<Params, Key>;
    /** Finds it for the audit log. Default: the answer of the GET of the same path. */
    auditedAs?: FindByKey<Key>;
    /** Deletes the resource; no deleted row is a 404. */
    remove: (tx: Sql, scope: Scope, key: Key) => PromiseLike<{ count: number }>;
  };

/** Adds the route that deletes a resource. */
export const deleteRoute = <Params extends TObject, Key>(
  app: App,
  { write }: Pick<RouteDeps, 'write'>,
  path: string,
  { of, remove, config: given = {}, onSend, auditedAs, ...described }: DeleteRoute<Params, Key>,
): void => {
  const config = auditedBy(of, given, auditedAs);
  app.delete(
    path,
    {
      config,
      ...(onSend && { onSend }),
      schema: schemaOf(described, of, { response: { 200: ref(Success) } }),
    },
    (request, reply) => {
      const params = request.params as Static<Params>;
      const key = of.keyOf(params);
      return write(request, reply, 200, async (tx, scope) => {
        const { count } = await remove(tx, scope, key);
        if (count === 0) throw notFound(of.name, of.idOf(params));
        return successBody;
      });
    },
  );
};

type WriteRoute<Params extends TObject, Key, Query extends TObject, Body extends TSchema, Input> = Described &
  Guarded & {
    of: Resource<Params, Key>;
    query?: Query;
    body?: Body;
    /** Finds the resource that is changed, for the audit log. Default: the answer of the GET of the same path. */
    auditedAs?: FindByKey<Key>;
    /** 201 when it creates something. */
    status?: 200 | 201;
    response: TSchema;
    /** Reads and checks the argument of `work` before the transaction, from the body, its text and the query. Default: the body. */
    read?: (
      body: Static<Body>,
      rawBody: string,
      asked: Asked<Params, Key, Static<Query>>,
    ) => Input | Promise<Input>;
    /** Makes the change, in one transaction, and returns the answer as JSON text. */
    work: (tx: Sql, scope: Scope, key: Key, input: Input) => Promise<string>;
  };

/** Adds a route that changes a resource, or adds something to it. */
export const writeRoute = <
  Params extends TObject,
  Key,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  Input = Static<Body>,
>(
  app: App,
  { write }: Pick<RouteDeps, 'write'>,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  route: WriteRoute<Params, Key, Query, Body, Input>,
): void => {
  const { of, query, body, status = 200, response, read, work, onSend, auditedAs, ...rest } = route;
  const { config: given = {}, validatorCompiler, ...described } = rest;
  const config = auditedBy(of, given, auditedAs);
  app.route({
    method,
    url: path,
    config,
    ...(onSend && { onSend }),
    ...(validatorCompiler && { validatorCompiler }),
    schema: schemaOf(described, of, {
      ...(body && { body }),
      ...(query && { querystring: query }),
      response: { [status]: response },
    }),
    handler: async (request, reply) => {
      const asked = askedOf<Params, Key, Static<Query>>(request, reply, of);
      const given = request.body as Static<Body>;
      const input = read ? await read(given, request.rawBody, asked) : (given as Input);
      return write(request, reply, status, (tx, scope) => work(tx, scope, asked.key, input));
    },
  });
};
