import type { FastifyRequest } from 'fastify';
import { authorize, rightsOfRole } from '../../accounts/authorize.ts';
import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { numericId, recordKey, testcaseKey } from '../../platform/http/ids.ts';
import { type Place, projectsOf } from '../../platform/http/places.ts';
import type { Authenticate, Right, Role, Scope } from '../../platform/http/scope.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { decidedByFurther, forAnyWriter, furtherPlaces, placesOf, wordOf } from './places.ts';
import { type FoundAccess, findAccess, findAnyWriting, isInQueue } from './queries.ts';

/**
 * No organization has this id. Every statement in its scope finds the same as for an unknown id, so every operation answers for a hidden
 * project as if it did not exist.
 */
const noOrganization = 0n;

/** Returns the role that is nearest to these rights. */
const roleOf = (rights: ReadonlySet<Right>): Role => {
  if (rights.has('admin')) return 'admin';
  if (rights.has('write')) return 'member';
  return rights.has('read') ? 'viewer' : 'annotator';
};

/** The member's rights in a project; undefined if it is hidden from them. */
const rightsIn = ({ role }: Scope, { restricted, grant }: FoundAccess): Set<Right> | undefined => {
  if (restricted) return grant ? new Set(rightsOfRole[grant]) : undefined;
  return new Set([...rightsOfRole[role], ...(grant ? rightsOfRole[grant] : [])]);
};

const everyRight = new Set(rightsOfRole.admin);

const operationOf = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? '';

const intersection = (sets: Set<Right>[]): Set<Right> =>
  new Set(rightsOfRole.admin.filter((right) => sets.every((set) => set.has(right))));

/** Whether a place is in a run or a testset that is being deleted. Its id is well-formed. */
const isInRoot = (deletions: Deletions, { kind, id }: Place): boolean => {
  if (kind === 'runId') return deletions.isUnderWay('run', numericId('run', id));
  if (kind === 'recordId') return deletions.isUnderWay('run', recordKey(id).runId);
  if (kind === 'testsetId') return deletions.isUnderWay('testset', numericId('testset', id));
  return kind === 'testcaseId' && deletions.isUnderWay('testset', testcaseKey(id).testsetId);
};

/** Finds what decides a member's rights in a project. */
const findRights = (db: Database, deletions: Deletions) => ({
  /** Finds the rights in the projects of a place; undefined if it is unknown or has no project. */
  rightsAt: async (scope: Scope, place: Place): Promise<Set<Right> | 'hidden' | undefined> => {
    const select = projectsOf(place);
    if (!select) return undefined;
    const found = await db.lookUp(scope, (sql) => findAccess(sql, scope, select(sql, scope.organizationId)));
    if (found.length === 0) return undefined;
    const rights = found.map((access) => rightsIn(scope, access));
    return rights.every((set) => set !== undefined) ? intersection(rights) : 'hidden';
  },

  /** Whether people who only review may see the record of the request: it must be in a queue. */
  isForReview: async (scope: Scope, places: Place[]): Promise<boolean> => {
    const record = places.find(({ kind }) => kind === 'recordId');
    if (!record) return true;
    const [found] = await db.lookUp(scope, (sql) => isInQueue(sql, scope, recordKey(record.id)));
    return found!.isInQueue;
  },

  /** Finds a place in something that is being deleted. */
  findGone: async (scope: Scope, places: Place[]): Promise<Place | undefined> => {
    for (const place of places) {
      const select = projectsOf(place);
      if (!select || !deletions.isAny(scope)) continue;
      if (isInRoot(deletions, place)) return place;
      const found = await db.lookUp(scope, (sql) =>
        findAccess(sql, scope, select(sql, scope.organizationId)),
      );
      const isGone = found.every(({ projectId }) => deletions.isUnderWay('project', projectId));
      if (found.length > 0 && isGone) return place;
    }
    return undefined;
  },

  mayWriteSomewhere: async (scope: Scope): Promise<boolean> => {
    const [found] = await db.lookUp(scope, (sql) => findAnyWriting(sql, scope));
    return found!.mayWrite;
  },
});

/** Whether the project decides what the member may do. */
const isNarrowed = ({ isLimited, role }: Scope): boolean => isLimited === true && role !== 'admin';

/** The scope of a request that must find nothing. */
const hidden = (scope: Scope): Scope => ({ ...scope, organizationId: noOrganization });

/** Throws 404 for a place that is hidden or being deleted. */
const requireVisible = (gone: Place | undefined): void => {
  if (gone) throw notFound(wordOf(gone), gone.id);
};

/**
 * Whether the member may see what the path of a request names. Then an unknown id further on gets the answer of a hidden one: the
 * route might answer it otherwise, and so tell which ids exist. If not, the route answers, whatever else the request names.
 */
const seesPath = async (
  rightsAt: ReturnType<typeof findRights>['rightsAt'],
  request: FastifyRequest,
  scope: Scope,
): Promise<boolean> => {
  const above = await Promise.all(placesOf(request).map((place) => rightsAt(scope, place)));
  return above.every((rights) => rights instanceof Set);
};

/**
 * Finds the rights of the member of a request in its project. This costs nothing for members whom no project limits, who are most; for
 * others it is one look-up by keys. The routes do not repeat it.
 */
export const projectAccess = (db: Database, deletions: Deletions) => {
  const { rightsAt, isForReview, findGone, mayWriteSomewhere } = findRights(db, deletions);

  const narrow = async (request: FastifyRequest, scope: Scope): Promise<Scope> => {
    const places = placesOf(request);
    const found = await Promise.all(places.map((place) => rightsAt(scope, place)));
    if (found.includes('hidden')) return hidden(scope);
    const known = found.filter((rights) => rights instanceof Set);
    if (known.length === 0) return scope;
    const rights = intersection(known);
    if (!rights.has('read') && !(await isForReview(scope, places))) return hidden(scope);
    return { ...scope, rights, role: roleOf(rights) };
  };

  const hideGone = async (request: FastifyRequest, scope: Scope): Promise<Scope> => {
    const gone = await findGone(scope, placesOf(request));
    if (gone) return hidden(scope);
    return isNarrowed(scope) ? narrow(request, scope) : scope;
  };

  /** Returns the scope of a request about a project. */
  const scopeFor = (request: FastifyRequest, scope: Scope): Scope | Promise<Scope> => {
    if (deletions.isAny(scope)) return hideGone(request, scope);
    return isNarrowed(scope) ? narrow(request, scope) : scope;
  };

  /** Authorizes a request by its query and body. Throws 404 and 403. */
  const authorizeFurther = async (request: FastifyRequest, scope: Scope): Promise<void> => {
    if (!scope.isLimited && !deletions.isAny(scope)) return;
    const operationId = operationOf(request);
    const places = furtherPlaces(operationId, request);
    requireVisible(await findGone(scope, places));
    if (!scope.isLimited) return;
    const found = await Promise.all(places.map((place) => rightsAt(scope, place)));
    const known = found.filter((rights) => rights instanceof Set);
    for (const rights of known) authorize(request, { ...scope, rights, role: roleOf(rights) });
    const isDecided = found.length > 0 && known.length === found.length;
    // The request names nothing, or something unknown or hidden: the role in the organization decides.
    if (decidedByFurther.has(operationId) && !isDecided) {
      const isAllowed = forAnyWriter.has(operationId) && (await mayWriteSomewhere(scope));
      if (!isAllowed) authorize(request, scope);
    }
    const unseen = places.find((_place, i) => !(found[i] instanceof Set));
    if (unseen && (await seesPath(rightsAt, request, scope))) requireVisible(unseen);
  };

  return {
    scopeFor,

    /**
     * The hook that authorizes a request by its path, before its body is read. The next hook authorizes requests that name their project
     * only in the query or the body.
     */
    authorize: (request: FastifyRequest): void => {
      const { scope } = request;
      if (scope.isLimited && decidedByFurther.has(operationOf(request)))
        authorize(request, { ...scope, rights: everyRight });
      else authorize(request);
      // Without an organization, the answer cannot be kept.
      if (scope.organizationId === noOrganization) delete request.headers['idempotency-key'];
    },

    /** The hook that authorizes a request by its query and body. Throws 404 and 403. */
    authorizeFurther: async (request: FastifyRequest): Promise<void> => {
      if (request.scope) await authorizeFurther(request, request.scope);
    },

    /** Authenticates a stream again. Also rejects if the project has become hidden since. */
    again:
      (authenticate: Authenticate): Authenticate =>
      async (request) => {
        const scope = await scopeFor(request, await authenticate(request));
        if (scope.organizationId !== request.scope.organizationId) throw notFound('project', '');
        await authorizeFurther(request, scope);
        return scope;
      },
  };
};
