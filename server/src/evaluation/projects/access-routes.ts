import { type Static, Type } from 'typebox';
import { rightsOfRole } from '../../accounts/authorize.ts';
import { lockMember } from '../../accounts/members/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { pathParam, Success, successBody } from '../../platform/http/openapi.ts';
import { answerRoute, deleteRoute, type Resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { ForgetKeys, Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { project } from '../resources.ts';
import {
  deleteProjectMember,
  type FoundProject,
  findProjectAccess,
  upsertProjectMember,
} from './access-queries.ts';
import { ProjectAccess, ProjectMemberUpdate } from './access-schema.ts';
import { requireProject } from './queries.ts';

const tags = ['Projects'];
const memberParams = Type.Object({ projectId: pathParam('project'), userId: pathParam('member') });
const projectMember: Resource<typeof memberParams, { projectId: bigint; userId: string }> = {
  name: 'member',
  params: memberParams,
  keyOf: ({ projectId, userId }) => ({
    projectId: numericId('project', projectId),
    userId: uuidId('member', userId),
  }),
  idOf: ({ userId }) => userId,
};

/** The access of a project as JSON text. People who only review do not learn who the others are. */
const accessBody = (found: FoundProject[], scope: Scope, id: string): string => {
  const { body, name, isReviewed, isWatched, numToReview } = requireOne(found, 'project', id);
  const uses = [...(isReviewed ? ['review'] : []), ...(isWatched ? ['production'] : [])];
  const rights = [...(scope.rights ?? rightsOfRole[scope.role])];
  const shown = rights.includes('read') ? body : `${body.slice(0, body.indexOf(','))}, "members" : []`;
  const toReview = rights.includes('review') ? numToReview : 0;
  return `${shown},"projectName":${JSON.stringify(name)},"rights":${JSON.stringify(rights)},"uses":${JSON.stringify(uses)},"numToReview":${toReview}}`;
};

export const accessRoutes = (app: App, deps: RouteDeps & { forgetKeys: ForgetKeys }): void => {
  const { db, forgetKeys } = deps;
  const guarded = { config: { projectAdmin: true }, onSend: forgetKeys, tags };

  answerRoute(app, 'GET', '/projects/:projectId/access', {
    operationId: 'getProjectAccess',
    summary: 'Get who may do what in a project, yourself included.',
    tags,
    of: project,
    response: ref(ProjectAccess),
    answer: async ({ scope, params }) => {
      const { projectId } = params as Static<typeof project.params>;
      const id = numericId('project', projectId);
      const found = await db.lookUp(scope, (sql) => findProjectAccess(sql, scope, id));
      return accessBody(found, scope, projectId);
    },
  });

  writeRoute(app, deps, 'PUT', '/projects/:projectId/members/:userId', {
    operationId: 'upsertProjectMember',
    summary: 'Give a member a role in a project.',
    description: 'Admins of the project only.',
    ...guarded,
    of: projectMember,
    body: ProjectMemberUpdate,
    response: ref(Success),
    work: async (tx: Sql, scope, { projectId, userId }, { role }) => {
      await requireProject(tx, scope, projectId);
      requireOne(await lockMember(tx, scope, userId), 'member', userId);
      await upsertProjectMember(tx, scope, projectId, userId, role);
      return successBody;
    },
  });

  deleteRoute(app, deps, '/projects/:projectId/members/:userId', {
    operationId: 'deleteProjectMember',
    summary: 'Remove the role that a project gives a member.',
    description: 'Admins of the project only.',
    ...guarded,
    of: projectMember,
    remove: async (tx, scope, { projectId, userId }) => {
      await requireProject(tx, scope, projectId);
      return deleteProjectMember(tx, scope, projectId, userId);
    },
  });
};
