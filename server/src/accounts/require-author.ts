import { forbidden } from '../platform/errors.ts';
import type { Scope } from '../platform/http/scope.ts';

/** Throws 403 unless the member is the author or an admin. `what` names the thing, such as "a view". */
export const requireAuthor = (scope: Scope, authorId: string, what: string): void => {
  if (authorId !== scope.memberId && scope.role !== 'admin')
    throw forbidden(`Only its author or an admin may change ${what}.`);
};
