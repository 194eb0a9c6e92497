import { Type } from 'typebox';
import { findProject, requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { lastUuid } from '../../platform/http/pagination.ts';
import { answerRoute, getRoute, listRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { findDecision, listDecisions } from './queries.ts';
import { readAgainstDecision, registerDecision, waiveDecision } from './register.ts';
import { decision } from './resource.ts';
import {
  DecisionCreate,
  DecisionReading,
  ListedDecision,
  RegisteredDecision,
  Waiver,
  WaiverCreate,
} from './schema.ts';

const tags = ['Decisions'];

export const decisionRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  writeRoute(app, deps, 'POST', '/projects/:projectId/decisions', {
    operationId: 'createDecision',
    summary: 'Register a decision before its run.',
    description:
      'The question, the rules, and the testset, metrics and baseline as they are. The audit log holds it, so that nothing changes it later.',
    tags,
    of: project,
    body: DecisionCreate,
    status: 201,
    response: ref(RegisteredDecision),
    read: (body, raw) => ({ ...body, rules: JSON.parse(freeForm(raw, ['rules']).rules!) as unknown }),
    work: async (tx, scope, projectId, body) => {
      bodyOf(await findProject(tx, scope, projectId), 'project', String(projectId));
      return registerDecision(tx, scope, projectId, body);
    },
  });

  listRoute(app, deps, '/projects/:projectId/decisions', {
    operationId: 'listDecisions',
    summary: 'List the registered decisions of a project, newest first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(ListedDecision),
    first: lastUuid,
    rows: (sql, scope, projectId, before, count) => listDecisions(sql, scope, projectId, before, count),
  });

  getRoute(app, deps, '/projects/:projectId/decisions/:decisionId', {
    operationId: 'getDecision',
    summary: 'Get a registered decision.',
    tags,
    of: decision,
    response: ref(RegisteredDecision),
    find: (sql, scope, { projectId, decisionId }) => findDecision(sql, scope, projectId, decisionId),
  });

  answerRoute(app, 'GET', '/projects/:projectId/decisions/:decisionId/reading', {
    operationId: 'readDecision',
    summary: 'Hold a run against a registered decision: deviations in words, and waivers.',
    tags,
    of: decision,
    query: Type.Object({ runId: Type.String({ description: 'Run that is held against it.' }) }),
    response: ref(DecisionReading),
    answer: async ({ scope, key: { projectId, decisionId }, query: { runId } }) => {
      await requireReadableProject(db, scope, projectId);
      return readAgainstDecision(db, scope, projectId, { decisionId, runId });
    },
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/decisions/:decisionId/waivers', {
    operationId: 'waiveDecision',
    summary: 'Record who ships a run in spite of the verdict, and why.',
    tags,
    of: decision,
    body: WaiverCreate,
    status: 201,
    response: ref(Waiver),
    work: (tx, scope, { projectId, decisionId }, body) =>
      waiveDecision(tx, scope, projectId, decisionId, body),
  });
};
