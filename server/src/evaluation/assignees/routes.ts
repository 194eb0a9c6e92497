import { Type } from 'typebox';
import { lockMember } from '../../accounts/members/queries.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { type RecordKey, recordIdOf, recordKey, uuidId } from '../../platform/http/ids.ts';
import { pathParam, wholeOf } from '../../platform/http/openapi.ts';
import { getRoute, type Resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { lockRecord } from '../records/queries.ts';
import { record } from '../resources.ts';
import { deleteAssignment, listAssignments, upsertAssignment } from './queries.ts';
import { AssigneeCreate, AssigneesDeleted, RecordAssignment } from './schema.ts';

const tags = ['Assignees'];
const assigneeParams = Type.Object({ recordId: pathParam('record'), assigneeUserId: pathParam('user') });
const assignee: Resource<typeof assigneeParams, RecordKey & { assigneeUserId: string }> = {
  name: 'user',
  params: assigneeParams,
  keyOf: ({ recordId, assigneeUserId }) => ({
    ...recordKey(recordId),
    assigneeUserId: uuidId('user', assigneeUserId),
  }),
  idOf: ({ assigneeUserId }) => assigneeUserId,
};

export const assigneeRoutes = (app: App, deps: RouteDeps): void => {
  getRoute(app, deps, '/records/:recordId/assignees', {
    operationId: 'listRecordAssignees',
    summary: 'List the assignments of a record, oldest first.',
    tags,
    of: record,
    response: wholeOf(ref(RecordAssignment), 'All assignments of the record.'),
    find: listAssignments,
    by: 'lookUp',
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/assignees', {
    operationId: 'assignRecordUser',
    summary: 'Assign a record to a user.',
    description: 'An existing assignment is returned unchanged.',
    tags,
    of: record,
    body: AssigneeCreate,
    status: 201,
    response: ref(RecordAssignment),
    read: ({ assigneeUserId }) => uuidId('user', assigneeUserId),
    work: async (tx, scope, key, assigneeId) => {
      requireOne(await lockRecord(tx, scope, key), 'record', recordIdOf(key));
      requireOne(await lockMember(tx, scope, assigneeId), 'user', assigneeId);
      return bodyOf(await upsertAssignment(tx, scope, key, assigneeId), 'user', assigneeId);
    },
  });

  writeRoute(app, deps, 'DELETE', '/records/:recordId/assignees/:assigneeUserId', {
    config: { ignoresBody: true },
    operationId: 'unassignRecordUser',
    summary: 'Remove the assignment of a record to a user.',
    description: 'It is not an error if there is none.',
    tags,
    of: assignee,
    response: AssigneesDeleted,
    work: async (tx, scope, { assigneeUserId, ...key }) => {
      requireOne(await lockRecord(tx, scope, key), 'record', recordIdOf(key));
      requireOne(await lockMember(tx, scope, assigneeUserId), 'user', assigneeUserId);
      const { count } = await deleteAssignment(tx, scope, key, assigneeUserId);
      return `{"deleted":${count}}`;
    },
  });
};
