import { Type } from 'typebox';
import { lockMember } from '../../accounts/members/queries.ts';
import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { recordIdOf, recordKey, uuidId } from '../../platform/http/ids.ts';
import { pathParam, ref, wholeOf } from '../../platform/http/openapi.ts';
import { getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { lockRecord } from '../records/queries.ts';
import { record } from '../resources.ts';
import { deleteAssignment, listAssignments, upsertAssignment } from './queries.ts';
import { AssigneeCreate, AssigneesDeleted, RecordAssignment } from './schema.ts';

const tags = ['Assignees'];
const assigneeParams = Type.Object({ recordId: pathParam('record'), assigneeUserId: pathParam('user') });

export const assigneeRoutes = (app: App, deps: RouteDeps): void => {
  const { write } = deps;
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
      one(await lockRecord(tx, scope, key), 'record', recordIdOf(key));
      one(await lockMember(tx, scope, assigneeId), 'user', assigneeId);
      return bodyOf(await upsertAssignment(tx, scope, key, assigneeId), 'user', assigneeId);
    },
  });

  app.delete(
    '/records/:recordId/assignees/:assigneeUserId',
    {
      schema: {
        operationId: 'unassignRecordUser',
        summary: 'Remove the assignment of a record to a user.',
        description: 'It is not an error if there is none.',
        tags,
        params: assigneeParams,
        response: { 200: AssigneesDeleted },
      },
    },
    (request, reply) => {
      const { recordId, assigneeUserId } = request.params;
      const key = recordKey(recordId);
      const assigneeId = uuidId('user', assigneeUserId);
      return write(request, reply, 200, async (tx, scope) => {
        one(await lockRecord(tx, scope, key), 'record', recordId);
        one(await lockMember(tx, scope, assigneeId), 'user', assigneeUserId);
        const { count } = await deleteAssignment(tx, scope, key, assigneeId);
        return `{"deleted":${count}}`;
      });
    },
  );
};
