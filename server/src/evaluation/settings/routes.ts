import { type App, bodyOf } from '../../platform/http/http.ts';
import { getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { ForgetKeys } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Masking } from '../masking/masking.ts';
import { requireSound } from '../masking/routes.ts';
import { updateRestricted } from '../projects/access-queries.ts';
import { requireProject } from '../projects/queries.ts';
import { project } from '../resources.ts';
import { findProjectSettings, findSearchIndex, upsertProjectSettings } from './queries.ts';
import { ProjectSettings, ProjectSettingsUpdate, SearchIndex } from './schema.ts';

const tags = ['Projects'];

export const settingsRoutes = (
  app: App,
  deps: RouteDeps & { masking: Masking; forgetKeys: ForgetKeys },
): void => {
  const { masking, forgetKeys } = deps;
  getRoute(app, deps, '/projects/:projectId/settings', {
    operationId: 'getProjectSettings',
    summary: 'Get who sees a project, how long it keeps data, what it masks, and whether it is indexed.',
    tags,
    of: project,
    response: ref(ProjectSettings),
    find: findProjectSettings,
  });

  getRoute(app, deps, '/projects/:projectId/search-index', {
    operationId: 'getSearchIndex',
    summary: "Get how far a project's search index is.",
    tags,
    of: project,
    response: ref(SearchIndex),
    find: findSearchIndex,
  });

  writeRoute(app, deps, 'PATCH', '/projects/:projectId/settings', {
    operationId: 'updateProjectSettings',
    summary: 'Change the settings of a project.',
    description:
      'Admins of the project only. Changes the settings that the body names; masking is replaced whole, and holds for data that arrives from now on.',
    tags,
    of: project,
    config: { projectAdmin: true },
    body: ProjectSettingsUpdate,
    response: ref(ProjectSettings),
    read: (settings) => {
      if (settings.masking) requireSound(settings.masking, '/masking');
      return settings;
    },
    onSend: async function (request, reply, payload) {
      masking.forget();
      return forgetKeys.call(this, request, reply, payload);
    },
    work: async (tx, scope, projectId, { restricted, ...settings }) => {
      await requireProject(tx, scope, projectId);
      if (restricted !== undefined) await updateRestricted(tx, scope, projectId, restricted);
      if (Object.keys(settings).length > 0) await upsertProjectSettings(tx, scope, projectId, settings);
      return bodyOf(await findProjectSettings(tx, scope, projectId), 'project', String(projectId));
    },
  });
};
