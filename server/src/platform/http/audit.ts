import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Fragment, Sql } from '../db/database.ts';
import { elements, members, type RawJson } from '../json/json.ts';
import { parseAsWritten } from '../json/parse-as-written.ts';
import { newUuid } from './ids.ts';
import { type Place, placeNames, projectsOf } from './places.ts';
import type { Scope } from './scope.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Details of a write in the audit log: `settings` keeps the resource before and after, `rows` the number of rows and their ids.
     * Default: by the route's tag.
     */
    audit?: 'settings' | 'rows';
    /** Finds the resource that a write changes, as JSON text. Default: the answer of the GET of the same path. */
    auditedAs?: FindAudited;
    /** Returns what names the project of a write whose path does not: something in its body, or the id in its answer. */
    concerns?: (request: FastifyRequest, answeredId: string | null) => Place;
  }
  interface FastifyInstance {
    /** The reader of each GET path of a resource. */
    readers: Map<string, FindAudited>;
  }
}

/** Finds a resource by the parameters of its path, as JSON text. */
export type FindAudited = (sql: Sql, scope: Scope, params: unknown) => PromiseLike<{ body: string }[]>;

/** Author of a write: a member by key or session, an address alone, or the service itself. */
export type Actor = Pick<Scope, 'organizationId'> & Partial<Omit<Scope, 'organizationId'>>;

export type AuditEvent = {
  operation: string;
  resource: string;
  resourceId?: string | null;
  projectId?: bigint | string | null | Fragment;
  failed?: boolean;
  details?: object | null;
  before?: RawJson | null;
  after?: RawJson | null;
};

/**
 * Adds an entry to the audit log, in the transaction of the write, with the time of the database. The chain includes it after the commit, with salted hashes in
 * place of `before` and `after`, which can be erased without a break.
 */
export const insertAuditEvent = (tx: Sql, actor: Actor, event: AuditEvent) => {
  const { projectId: given = null } = event;
  const { before = null, after = null } = event;
  const salt = before === null && after === null ? null : randomBytes(16);
  const hashOf = (text: RawJson | null) =>
    text === null || !salt ? null : createHash('sha256').update(salt).update(text).digest();
  const project = typeof given === 'object' && given ? given : tx`${given?.toString() ?? null}::text::bigint`;
  return tx`
  insert into audit_event (id, organization_id, at, operation, resource, resource_id, project_id, member_id, key_id,
    sign_in_id, address, failed, details, before, after, salt, before_hash, after_hash)
  values (dated_now(${newUuid()}), ${actor.organizationId}, now(), ${event.operation},
    ${event.resource}, ${event.resourceId ?? null}, ${project},
    ${actor.memberId ?? null}, ${actor.keyId ?? null}, ${actor.signInId ?? null}, ${actor.address ?? null},
    ${event.failed ?? false}, ${event.details ? JSON.stringify(event.details) : null}::text::json,
    ${before}::text::json, ${after}::text::json, ${salt}, ${hashOf(before)}, ${hashOf(after)})`;
};

/** Groups of operations on settings of a team. All others write data, and the log keeps no copy of it. */
const settingsTags = new Set([
  'Alerts',
  'API keys',
  'Attachments',
  'Decisions',
  'Members',
  'Metric groups',
  'Metrics',
  'Monitors',
  'Projects',
  'Providers',
  'Runs',
  'Schedules',
  'Systems',
  'Testsets',
  'Views',
]);

/** Groups whose resources hold texts of people: a deletion erases them from the log, so its own entry has none. */
const erasedTags = new Set(['Attachments', 'Projects', 'Runs', 'Testsets']);

/** Longest text of a resource in an entry, in characters. */
const maxText = 65_536;

const secretName = /secret|password|authorization|api[-_]?key|^key$|token$/i;
const mayHoldSecret = /"[^"]*(secret|password|authorization|api[-_]?key|"key|token|headers)[^"]*"\s*:/i;

/** Matches names of secrets, and the values of headers. */
const redactSecrets = (name: string, value: unknown): unknown => {
  if (typeof value === 'string') return secretName.test(name) ? '[SECRET]' : value;
  if (name !== 'headers' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((header) => [header, '[SECRET]']));
};

/** Returns the text of a resource as the log keeps it: without secrets, and not longer than `maxText`. */
export const auditText = (text: RawJson | null | undefined): RawJson | null => {
  if (text == null) return null;
  if (text.length > maxText) return JSON.stringify({ tooLong: text.length });
  return mayHoldSecret.test(text) ? JSON.stringify(parseAsWritten(text), redactSecrets) : text;
};

/** Names the fields of a value that the log would not keep as they are. */
export const redactedNames = (value: unknown): string[] => {
  const names: string[] = [];
  JSON.stringify(value, (name, given: unknown) => {
    if (redactSecrets(name, given) !== given) names.push(name);
    return given;
  });
  return names;
};

export const textOf = (json: RawJson | undefined): string | null =>
  json === undefined ? null : json.startsWith('"') ? (JSON.parse(json) as string) : json;

/** Number of rows of a write, and the first and last of their ids, in their order. */
export const rangeOf = (ids: readonly (string | null)[]) =>
  ids.length === 0 ? null : { count: ids.length, firstId: ids[0], lastId: ids.at(-1) };

/** Reads the rows that an answer lists, as ids or as items with ids. The answer is cut as text: it may have 15 MB. */
const rowsOf = (answer: Map<string, RawJson>): object | null => {
  const [ids, items, count] = ['ids', 'items', 'count'].map((name) => answer.get(name));
  if (ids?.startsWith('[')) return rangeOf(elements(ids).map(textOf));
  if (count !== undefined) return { count: Number(count) };
  if (!items?.startsWith('[')) return null;
  const all = elements(items);
  const idOf = (item: RawJson | undefined) =>
    item?.startsWith('{') ? textOf(members(item).get('id')) : null;
  return all.length === 0 ? null : { count: all.length, firstId: idOf(all[0]), lastId: idOf(all.at(-1)) };
};

/** Number of rows that a body changes, by ids or items. */
const rowsAsked = (body: unknown): object | null => {
  const { ids, items } = (body ?? {}) as { ids?: unknown; items?: unknown };
  if (Array.isArray(ids)) return rangeOf(ids as string[]);
  return Array.isArray(items) ? { count: items.length } : null;
};

/** Returns the SQL of the project that a write belongs to; null if it names none. `answeredId` is the id in its answer. */
export const projectOf = (tx: Sql, request: FastifyRequest, answeredId: string | null): Fragment => {
  const params = request.params as Record<string, string>;
  const kind = placeNames.find((name) => params[name] !== undefined);
  const place = kind
    ? { kind, id: params[kind]! }
    : request.routeOptions.config.concerns?.(request, answeredId);
  const select = place && projectsOf(place);
  return select ? tx`(${select(tx, request.scope.organizationId)})` : tx`null::bigint`;
};

/** Returns the reader of the resource that a write changes; undefined if it creates one or nothing reads it alone. */
export const findChanged = ({ method, routeOptions, server }: FastifyRequest): FindAudited | undefined =>
  routeOptions.config.auditedAs ?? (method === 'POST' ? undefined : server.readers.get(routeOptions.url!));

/**
 * Runs the `work` of a write and adds its entry to the audit log, in the same transaction. The entry is sent after the work and
 * not awaited: it is sent with the commit, which fails if the entry does.
 */
export const audited = async (
  tx: Sql,
  request: FastifyRequest,
  work: () => Promise<string>,
): Promise<string> => {
  const { scope, routeOptions } = request;
  const params = request.params as Record<string, string>;
  // A directory's requests (SCIM) are not part of the document.
  const { operationId = `${request.method} ${routeOptions.url}`, tags: [resource = 'Members'] = [] } =
    (routeOptions.schema ?? {}) as { operationId?: string; tags?: string[] };
  const { audit = settingsTags.has(resource) ? 'settings' : 'rows' } = routeOptions.config;
  const find = audit === 'settings' ? findChanged(request) : undefined;
  const read = async () => auditText((await find?.(tx, scope, params))?.[0]?.body);
  const isDeletion = request.method === 'DELETE';

  const before = await read();
  // After a deletion, the path has no resource.
  const [gone] = isDeletion
    ? await tx<{ id: string | null }[]>`select ${projectOf(tx, request, null)}::text as id`
    : [];
  const answer = await work();
  const given = answer.startsWith('{') ? members(answer) : new Map<string, RawJson>();
  const id = textOf(given.get('id'));
  const after =
    audit === 'rows' || isDeletion
      ? null
      : find
        ? await read()
        : given.has('success')
          ? null
          : auditText(answer);
  const event = insertAuditEvent(
    tx,
    { address: request.ip, ...scope },
    {
      operation: operationId,
      resource,
      resourceId: id ?? Object.values(params).at(-1) ?? null,
      projectId: gone ? gone.id : projectOf(tx, request, id),
      details: audit === 'rows' ? (rowsOf(given) ?? rowsAsked(request.body)) : null,
      before: isDeletion && erasedTags.has(resource) ? null : before,
      after,
    },
  ).execute();
  event.catch(() => {});
  return answer;
};
