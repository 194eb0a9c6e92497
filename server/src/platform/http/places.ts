import type { Fragment, Sql } from '../db/database.ts';
import { ApiError } from '../errors.ts';
import { isUuid, numericId, recordKey, testcaseKey } from './ids.ts';

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
  reportLinkId: byUuid('report_link'),
  reviewSampleId: throughParent('review_sample', 'run'),
  attachmentId: byUuid('attachment'),
  sealId: byUuid('seal'),
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
