import { isUniqueViolation, type Sql } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { bodyOf } from '../../platform/http/http.ts';
import { newUuid, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { requireProject } from '../projects/queries.ts';
import {
  findSystem,
  findSystemVersion,
  findVersionByConfig,
  findVersionOfSystem,
  insertSystem,
  insertSystemVersion,
  lockSystem,
  lockSystemByName,
  renameSystemVersion,
  type SystemChanges,
  updateSystemRow,
} from './queries.ts';
import type { SystemUpdate } from './schema.ts';

/** The version of a locked system that has this configuration; made when there is none. */
const upsertVersion = async (
  tx: Sql,
  scope: Scope,
  systemId: string,
  config: RawJson,
  name: string | undefined,
): Promise<{ id: string; isNew: boolean }> => {
  const [existing] = await findVersionByConfig(tx, scope, systemId, config);
  if (existing) {
    if (name !== undefined) await renameSystemVersion(tx, scope, existing.id, name);
    return { id: existing.id, isNew: false };
  }
  const id = newUuid();
  await insertSystemVersion(tx, scope, systemId, { id, name: name ?? null, config });
  return { id, isNew: true };
};

/**
 * Takes the project's system of that name, or makes it. A new configuration becomes a version and the production version;
 * one that a version has already adds none.
 */
export const upsertSystem = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { name = 'Default system', description, config }: { name?: string; description?: string; config: RawJson },
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  const versionId = newUuid();
  const id = newUuid();
  const made = await insertSystem(tx, scope, projectId, {
    id,
    name,
    description: description ?? '',
    versionId,
  });
  if (made.count === 1) {
    await insertSystemVersion(tx, scope, id, { id: versionId, name: null, config });
    return bodyOf(await findSystem(tx, scope, id), 'system', id);
  }
  const [system] = await lockSystemByName(tx, scope, projectId, name);
  if (!system) throw conflict('Another request deleted or renamed the system. Try again.', { name });
  const version = await upsertVersion(tx, scope, system.id, config, undefined);
  const changes: SystemChanges = {
    ...(version.isNew && { production_version_id: version.id }),
    ...(description !== undefined && { description }),
  };
  if (Object.keys(changes).length > 0) await updateSystemRow(tx, scope, system.id, changes);
  return bodyOf(await findSystem(tx, scope, system.id), 'system', system.id);
};

/** Changes a system. Throws 409 when the name is another system's, 404 for a version of another system. */
export const updateSystem = async (
  tx: Sql,
  scope: Scope,
  systemId: string,
  body: SystemUpdate,
): Promise<string> => {
  const [system] = await lockSystem(tx, scope, systemId);
  if (!system) throw notFound('system', systemId);
  const changes: SystemChanges = {};
  if (body.name !== undefined) changes.name = body.name;
  if (body.description !== undefined) changes.description = body.description;
  if (body.productionVersionId !== undefined) {
    const versionId = uuidId('system version', body.productionVersionId);
    const [version] = await findVersionOfSystem(tx, scope, systemId, versionId);
    if (!version) throw notFound('system version', body.productionVersionId);
    changes.production_version_id = version.id;
  }
  if (Object.keys(changes).length > 0) {
    await updateSystemRow(tx, scope, systemId, changes).catch((error) => {
      if (!isUniqueViolation(error, 'system_name')) throw error;
      throw conflict(`Another system of this project has the name '${body.name}'.`, { name: body.name });
    });
  }
  return bodyOf(await findSystem(tx, scope, systemId), 'system', systemId);
};

/** The system's version with this configuration, made when there is none; production stays as it is. */
export const upsertSystemVersion = async (
  tx: Sql,
  scope: Scope,
  systemId: string,
  config: RawJson,
  name: string | undefined,
): Promise<string> => {
  const [system] = await lockSystem(tx, scope, systemId);
  if (!system) throw notFound('system', systemId);
  const version = await upsertVersion(tx, scope, systemId, config, name);
  return bodyOf(await findSystemVersion(tx, scope, version.id), 'system version', version.id);
};
