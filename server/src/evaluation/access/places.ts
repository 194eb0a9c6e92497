import type { FastifyRequest } from 'fastify';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { isUuid, numericId, recordKey, testcaseKey } from '../../platform/http/ids.ts';

/** A thing that a request names and by which its project is found. */
export type Place = { kind: string; id: string };

/** Selects the ids of the projects that contain a thing. */
type Select = (sql: Sql, organizationId: bigint) => Fragment;

const byId =
  (table: string, id: bigint | string): Select =>
  (sql, organizationId) =>
    sql`select project_id from ${sql(table)} where organization_id = ${organizationId} and id = ${id}`;
const byUuid = (table: string) => (id: string) => (isUuid(id) ? byId(table, id) : undefined);

/** The version's or the sample's project is that of its parent. */
const throughParent =
  (table: string, parent: string) =>
  (id: string): Select | undefined =>
    isUuid(id)
      ? (sql, organizationId) => sql`
          select parent.project_id from ${sql(table)} child join ${sql(parent)} parent on parent.id = child.${sql(`${parent}_id`)}
          where child.organization_id = ${organizationId} and child.id = ${id}`
      : undefined;

const selectors: Record<string, (id: string) => Select | undefined> = {
  projectId: (id) => {
    const projectId = numericId('project', id);
    return (sql) => sql`select ${projectId}::bigint`;
  },
  runId: (id) => byId('run', numericId('run', id)),
  recordId: (id) => byId('run', recordKey(id).runId),
  metricId: (id) => byId('metric', numericId('metric', id)),
  metricGroupId: (id) => byId('metric_group', numericId('metric group', id)),
  testsetId: (id) => byId('testset', numericId('testset', id)),
  testcaseId: (id) => byId('testset', testcaseKey(id).testsetId),
  systemId: byUuid('system'),
  systemVersionId: throughParent('system_version', 'system'),
  monitorId: byUuid('monitor'),
  alertId: byUuid('alert'),
  scheduleId: byUuid('schedule'),
  preferenceStudyId: byUuid('preference_study'),
  viewId: byUuid('saved_view'),
  reviewSampleId: throughParent('review_sample', 'run'),
  attachmentId: byUuid('attachment'),
};

/** The parameters of paths that name something of a project. */
export const placeNames = Object.keys(selectors);

/** Returns how the projects of a place are found; undefined for an ill-formed id, which the route answers with 404. */
export const projectsOf = ({ kind, id }: Place): Select | undefined => {
  try {
    return selectors[kind]?.(id);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
};

/** Parameters that name something of the organization, or something within what another parameter names. */
export const notPlaces: readonly string[] = [
  'organizationId',
  'userId',
  'keyId',
  'providerId',
  'tokenId',
  'annotationId',
  'replyId',
  'metricConfigId',
  'assigneeUserId',
  'sessionId',
  'text',
  'traceId',
  'spanId',
  'deliveryId',
  'trialNumber',
  'systemName',
  'label',
  'gate',
];

/** The places that the path of a request names. */
export const placesOf = ({ params }: FastifyRequest): Place[] =>
  Object.entries((params ?? {}) as Record<string, string>)
    .filter(([kind]) => kind in selectors)
    .map(([kind, id]) => ({ kind, id }));

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');

/** Fields of queries and bodies that name several places, or one by another name. */
const otherNames: Record<string, Record<string, (value: unknown) => Place[]>> = {
  compareRuns: { runs: (value) => runsOf(value) },
  listChangedTestcases: { runs: (value) => runsOf(value) },
  deleteTestcases: { ids: (value) => texts(value).map((id) => ({ kind: 'testcaseId', id })) },
  createKey: { defaultProjectId: (value) => texts(value).map((id) => ({ kind: 'projectId', id })) },
};
const runsOf = (value: unknown): Place[] =>
  texts(value)
    .flatMap((runs) => runs.split(','))
    .map((id) => ({ kind: 'runId', id }));

/** The places that the query and the body of a request name. */
export const furtherPlaces = (operationId: string, { query, body }: FastifyRequest): Place[] => {
  const fields = {
    ...(query as object),
    ...(body && typeof body === 'object' && !Array.isArray(body) ? body : {}),
  };
  return Object.entries(fields).flatMap(([name, value]) => {
    if (typeof value === 'string' && name in selectors) return [{ kind: name, id: value }];
    return otherNames[operationId]?.[name]?.(value) ?? [];
  });
};

/** Operations whose query or body, but not path, can name a project: the query and body decide who may do them. */
export const decidedByFurther: ReadonlySet<string> = new Set([
  'compareRuns',
  'listChangedTestcases',
  'listTrials',
  'deleteTestcases',
  'createKey',
  'deleteKey',
  'initiateAttachment',
]);
/** Those of these operations that need no named project: anyone who may write in some project may do them. */
export const forAnyWriter: ReadonlySet<string> = new Set(['createKey', 'deleteKey', 'initiateAttachment']);

/** Returns the name of a place's resource in a 404. */
export const wordOf = ({ kind }: Place): string =>
  kind.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
