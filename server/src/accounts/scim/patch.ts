import { invalidValue, ScimError } from './scim-error.ts';
import { completed, pathOf, readText, type ScimUser, setAttribute, setAttributes } from './user.ts';

type Operation = { op: 'add' | 'replace' | 'remove'; path: string | undefined; value: unknown };

/** Reads the operations of a PATCH: RFC 7644, 3.5.2. Entra ID writes `op` with a capital. */
export const readOperations = (body: unknown): Operation[] => {
  const { Operations, operations = Operations } = (body ?? {}) as Record<string, unknown>;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > 1_000)
    throw new ScimError(400, 'Operations must be a list of 1 to 1,000 operations.', 'invalidSyntax');
  return operations.map((operation) => {
    const { op, path, value } = (operation ?? {}) as Record<string, unknown>;
    const name = typeof op === 'string' ? op.toLowerCase() : undefined;
    if (name !== 'add' && name !== 'replace' && name !== 'remove')
      throw new ScimError(400, 'op must be add, replace or remove.', 'invalidSyntax');
    if (path !== undefined && typeof path !== 'string')
      throw new ScimError(400, 'path must be a text.', 'invalidPath');
    return { op: name, path, value };
  });
};

/** Returns the user after the operations. */
export const patchUser = (before: ScimUser, body: unknown): ScimUser => {
  const user = { ...before };
  for (const { op, path, value } of readOperations(body)) {
    if (path === undefined) {
      if (op === 'remove' || typeof value !== 'object' || value === null)
        throw new ScimError(400, 'An operation without a path needs an object as value.', 'invalidPath');
      setAttributes(user, value as Record<string, unknown>);
    } else if (op !== 'remove') setAttribute(user, pathOf(path), value);
    else if (['externalid', 'displayname', 'name.givenname', 'name.familyname'].includes(pathOf(path)))
      setAttribute(user, pathOf(path), pathOf(path) === 'displayname' ? user.userName : '');
  }
  return completed(user);
};

/** Changes of the operations to a group. `members` is undefined if they only add and remove members. */
export type GroupChanges = {
  name?: string;
  externalId?: string | null;
  /** The members after a replacement, before the others are added and removed. */
  members?: string[];
  add: string[];
  remove: string[];
};

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => {
    const id = (item as { value?: unknown } | null)?.value ?? item;
    if (typeof id === 'string') return [id];
    throw new ScimError(
      400,
      'members must be a list of objects with the id of a user as value.',
      'invalidValue',
    );
  });

/** Reads the name of a group. Throws 400. */
export const groupName = (value: unknown): string => {
  if (
    typeof value !== 'string' ||
    value === '' ||
    value.length > 500 ||
    value.includes('\0') ||
    !value.isWellFormed()
  )
    throw invalidValue('displayName must be a text of 1 to 500 characters.');
  return value;
};

/** Reads the id that the directory gives a group. Throws 400. */
export const groupExternalId = (value: unknown): string | null =>
  value === null || value === undefined ? null : readText('externalId', value);

/** Returns the changes of a PATCH to a group. */
export const readGroupChanges = (body: unknown): GroupChanges => {
  const changes: GroupChanges = { add: [], remove: [] };
  const set = (path: string, value: unknown) => {
    if (path === 'displayname') changes.name = groupName(value);
    if (path === 'externalid') changes.externalId = groupExternalId(value);
    if (path === 'members') Object.assign(changes, { members: idsOf(value ?? []), add: [], remove: [] });
  };
  for (const { op, path, value } of readOperations(body)) {
    const at = path?.toLowerCase().replace('urn:ietf:params:scim:schemas:core:2.0:group:', '');
    if (at === undefined) {
      const values = Object.entries((value ?? {}) as Record<string, unknown>);
      for (const [name, item] of values) {
        if (op === 'add' && name.toLowerCase() === 'members') changes.add.push(...idsOf(item));
        else set(name.toLowerCase(), item);
      }
      continue;
    }
    const [, one] = /^members\[value eq "([^"]+)"\]$/.exec(at) ?? [];
    if (one) changes[op === 'remove' ? 'remove' : 'add'].push(one);
    else if (op === 'add' && at === 'members') changes.add.push(...idsOf(value));
    else if (op === 'remove' && at === 'members') {
      if (value === undefined) set('members', []);
      else changes.remove.push(...idsOf(value));
    } else if (op !== 'remove') set(at, value);
  }
  return changes;
};
