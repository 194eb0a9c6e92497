/** Finds or makes the version of a system by its name, for the command line and the pages. */
import type { Operations, SystemVersion } from './generated.ts';
import type { JsonObject } from './types.ts';

type Api = Pick<Operations, 'listSystems' | 'getSystemVersion' | 'upsertSystem' | 'upsertSystemVersion'>;

/**
 * Returns the version with this configuration of the system of that name. Creates what does not exist. The production version of an
 * existing system does not change.
 */
export const upsertVersion = async (
  api: Api,
  projectId: string,
  name: string,
  config: JsonObject,
): Promise<SystemVersion> => {
  for await (const system of api.listSystems(projectId)) {
    if (system.name === name) return api.upsertSystemVersion(system.id, { config });
  }
  const { productionVersion } = await api.upsertSystem(projectId, { name, config });
  return api.getSystemVersion(productionVersion.id);
};
