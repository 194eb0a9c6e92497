import { readInputs } from '../../engine/templates/read-inputs.ts';
import type { Sql } from '../../platform/db/database.ts';
import { forbidden, invalid, notFound } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { successBody } from '../../platform/http/openapi.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import {
  deleteSystemLabel,
  findVersionDetails,
  findVersionOfSystem,
  type LockedSystem,
  lockSystem,
  updateProtectedLabels,
  updateSystemRow,
  upsertSystemLabel,
} from './queries.ts';
import type { SystemLabelSet } from './schema.ts';

/** A label of a system, as a path names it. */
export type LabelKey = { systemId: string; label: string };

type Config = { promptTemplate?: unknown; messages?: unknown };

/** The templates in a configuration that is a prompt, even if other parts of it are wrong. */
const templatesIn = ({ promptTemplate, messages }: Config): string[] =>
  [promptTemplate, ...(Array.isArray(messages) ? messages.map((message) => message?.content) : [])].filter(
    (template) => typeof template === 'string',
  );

/** Adds to a version the inputs that its prompt reads. */
export const withVariables = (body: string): string => {
  const { config } = parseJson(body) as { config: Config };
  const variables = new Set(templatesIn(config).flatMap(readInputs));
  return `${body.slice(0, -1)},"variables":${JSON.stringify([...variables])}}`;
};

const labelPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const requireOwnLabel = (label: string): void => {
  if (!labelPattern.test(label))
    throw invalid(
      '/label',
      'must be 1 to 64 small letters, digits, dots, _ or -, and begin with a letter or digit',
    );
  if (label === 'latest') throw invalid('/label', 'must not be latest, which is always the newest version');
};

const isAdmin = ({ rights, role }: Scope): boolean => rights?.has('admin') ?? role === 'admin';

/** Throws 403 when the label is protected and the member is not an admin of the project. */
export const requireMayMove = (scope: Scope, { protectedLabels }: LockedSystem, label: string): void => {
  if (protectedLabels.includes(label) && !isAdmin(scope))
    throw forbidden(
      `The label ${label} is protected: only an admin of the project can move it. Ask one to promote the version.`,
    );
};

/** Points a label to a version of the system. Throws 404 for a version of another system, and 403 when the label is protected. */
export const setSystemLabel = async (
  tx: Sql,
  scope: Scope,
  { systemId, label }: LabelKey,
  { systemVersionId: given, protected: isProtected }: SystemLabelSet,
): Promise<string> => {
  requireOwnLabel(label);
  const system = requireOne(await lockSystem(tx, scope, systemId), 'system', systemId);
  requireMayMove(scope, system, label);
  if (isProtected !== undefined) {
    if (!isAdmin(scope)) throw forbidden('Only an admin of the project can protect a label.');
    const others = system.protectedLabels.filter((each) => each !== label);
    await updateProtectedLabels(tx, scope, systemId, isProtected ? [...others, label] : others);
  }
  const wanted = uuidId('system version', given);
  const { id } = requireOne(await findVersionOfSystem(tx, scope, systemId, wanted), 'system version', given);
  if (label === 'production') await updateSystemRow(tx, scope, systemId, { production_version_id: id });
  else await upsertSystemLabel(tx, scope, systemId, label, id);
  return withVariables(bodyOf(await findVersionDetails(tx, scope, id), 'system version', id));
};

/** Removes a label. A system always has a production version. */
export const removeSystemLabel = async (tx: Sql, scope: Scope, { systemId, label }: LabelKey) => {
  requireOwnLabel(label);
  if (label === 'production')
    throw invalid('/label', 'must not be production: point it to another version instead');
  const [system] = await lockSystem(tx, scope, systemId);
  if (system) requireMayMove(scope, system, label);
  const { count } = await deleteSystemLabel(tx, scope, systemId, label);
  if (count === 0) throw notFound('label', label);
  return successBody;
};
