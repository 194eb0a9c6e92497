import { isUniqueViolation, type Sql } from '../../platform/db/database.ts';
import { conflict } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { requireProject } from '../projects/queries.ts';
import { requireMayMove } from './labels.ts';
import {
  describeSystemVersion,
  findSystem,
  findSystemVersion,
  findVersionByConfig,
  findVersionOfSystem,
  insertSystem,
  insertSystemVersion,
  lockSystem,
  lockSystemByName,
  type SystemChanges,
  updateSystemRow,
} from './queries.ts';
import type { SystemUpdate } from './schema.ts';

/** Name and note that people give to a version. They are not part of its configuration. */
type Told = { name?: string | undefined; note?: string | undefined };

/** Finds the version of a locked system with this configuration, or makes it. */
const upsertVersion = async (
  tx: Sql,
  scope: Scope,
  systemId: string,
  config: RawJson,
  told: Told,
): Promise<{ id: string; isNew: boolean }> => {
  const [existing] = await findVersionByConfig(tx, scope, systemId, config);
  if (existing) {
    if (told.name !== undefined || told.note !== undefined)
      await describeSystemVersion(tx, scope, existing.id, told);
    return { id: existing.id, isNew: false };
  }
  const id = newUuid();
  await insertSystemVersion(tx, scope, systemId, {
    id,
    name: told.name ?? null,
    note: told.note ?? '',
    config,
  });
  return { id, isNew: true };
};

/**
 * Creates the project's system of this name, or adds a version to it. A new configuration becomes the production version; a configuration
 * that a version already has adds no version.
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
    await insertSystemVersion(tx, scope, id, { id: versionId, name: null, note: '', config });
    return bodyOf(await findSystem(tx, scope, id), 'system', id);
  }
  const [system] = await lockSystemByName(tx, scope, projectId, name);
  if (!system) throw conflict('Another request deleted or renamed the system. Try again.', { name });
  const version = await upsertVersion(tx, scope, system.id, config, {});
  if (version.isNew) requireMayMove(scope, system, 'production');
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
  const system = requireOne(await lockSystem(tx, scope, systemId), 'system', systemId);
  const changes: SystemChanges = {};
  if (body.name !== undefined) changes.name = body.name;
  if (body.description !== undefined) changes.description = body.description;
  if (body.productionVersionId !== undefined) {
    const versionId = uuidId('system version', body.productionVersionId);
    const found = await findVersionOfSystem(tx, scope, systemId, versionId);
    if (versionId !== system.productionVersionId) requireMayMove(scope, system, 'production');
    changes.production_version_id = requireOne(found, 'system version', body.productionVersionId).id;
  }
  if (Object.keys(changes).length > 0) {
    await updateSystemRow(tx, scope, systemId, changes).catch((error) => {
      if (!isUniqueViolation(error, 'system_name')) throw error;
      throw conflict(`Another system of this project has the name '${body.name}'.`, { name: body.name });
    });
  }
  return bodyOf(await findSystem(tx, scope, systemId), 'system', systemId);
};

/** Finds the system's version with this configuration, or makes it. The production version stays as it is. */
export const upsertSystemVersion = async (
  tx: Sql,
  scope: Scope,
  systemId: string,
  { config, ...told }: Told & { config: RawJson },
): Promise<string> => {
  requireOne(await lockSystem(tx, scope, systemId), 'system', systemId);
  const version = await upsertVersion(tx, scope, systemId, config, told);
  return bodyOf(await findSystemVersion(tx, scope, version.id), 'system version', version.id);
};
