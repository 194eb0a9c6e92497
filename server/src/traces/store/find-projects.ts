import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { fields } from '../conventions/fields.ts';
import type { Placed } from './find-sources.ts';
import { findDefaultProject, findOldestProject, findProjects, findTraceProjects } from './queries.ts';
import { attributeOf, type WithSource } from './span-row.ts';

/** What the finder reads of a span or an event. */
type OfTrace = WithSource & { traceId: string };

/** Treatment of spans without a project: the organization's oldest project takes them, or they are refused. */
export type SpansWithoutProject = 'oldest' | 'refuse';

const noProject =
  'no project: set the resource attribute dokima.project_id (or scorecard.project_id), or use a key with a default project';
const unknownProject = (name: string) => `there is no project ${JSON.stringify(name.slice(0, 40))}`;

/** Reports of the finder, each once for a span. */
type Reports = {
  /** The span has no project. */
  reject: (reason: string) => void;
  /** The span is not in the project that it names. */
  warn: (reason: string) => void;
};

/** Returns the projects of traces that spans name: of several, the oldest. */
const namedProjects = (items: Placed<OfTrace>[]): Map<string, bigint> => {
  const found = new Map<string, bigint>();
  for (const { span, projectId } of items) {
    const other = found.get(span.traceId);
    if (other === undefined || projectId < other) found.set(span.traceId, projectId);
  }
  return found;
};

/**
 * Returns the function that finds the project of each span: the one that it or its resource names, else that of its trace, else
 * the key's default, else the oldest of the organization unless `withoutProject` says `refuse`. A name that no project has counts as
 * no name, or is refused. Asks the database once for each project of a request.
 */
export const projectFinder = (
  tx: Sql,
  scope: Scope,
  withoutProject: SpansWithoutProject,
  { reject, warn }: Reports,
) => {
  const known = new Map<string, bigint | undefined>();
  let otherwise: { id: bigint | undefined } | undefined;

  const findNamed = async (names: string[]) => {
    const unknown = [...new Set(names.filter((name) => !known.has(name)))];
    if (unknown.length === 0) return;
    const ids = unknown.filter((name) => /^[1-9]\d{0,17}$/.test(name)).map(BigInt);
    const found = ids.length > 0 ? await findProjects(tx, scope, ids) : [];
    for (const name of unknown) known.set(name, undefined);
    for (const { id } of found) known.set(String(id), id);
  };

  const findOtherwise = async () => {
    const [byDefault] = await findDefaultProject(tx, scope);
    if (byDefault || withoutProject === 'refuse') return byDefault?.id;
    return (await findOldestProject(tx, scope))[0]?.id;
  };

  /** Finds the projects of the traces of spans that name none: first in the same chunk. */
  const findOfTraces = async (spans: OfTrace[], items: Placed<OfTrace>[]) => {
    const ofTrace = namedProjects(items);
    const missing = new Set(spans.map(({ traceId }) => traceId).filter((id) => !ofTrace.has(id)));
    if (missing.size === 0) return ofTrace;
    const found = await findTraceProjects(tx, scope, [...missing]);
    await findNamed(found.map(({ projectId }) => String(projectId)));
    for (const { otelId, projectId } of found)
      if (known.get(String(projectId)) !== undefined) ofTrace.set(otelId, projectId);
    return ofTrace;
  };

  return async <T extends OfTrace>(spans: T[]): Promise<Placed<T>[]> => {
    const names = new Map(spans.map((span) => [span, attributeOf(span, fields.projectId)?.trim()]));
    await findNamed([...names.values()].filter((name) => name !== undefined));
    const named: Placed<T>[] = [];
    const unnamed: T[] = [];
    for (const [span, name] of names) {
      const projectId = name === undefined ? undefined : known.get(name);
      if (projectId !== undefined) named.push({ span, projectId, isNamed: true });
      else if (name !== undefined && withoutProject === 'refuse') reject(unknownProject(name));
      else unnamed.push(span);
    }
    if (unnamed.length === 0) return named;

    const ofTrace = await findOfTraces(unnamed, named);
    if (unnamed.some(({ traceId }) => !ofTrace.has(traceId))) otherwise ??= { id: await findOtherwise() };
    const placed = unnamed.flatMap((span): Placed<T>[] => {
      const projectId = ofTrace.get(span.traceId) ?? otherwise?.id;
      const name = names.get(span);
      const problem = name === undefined ? noProject : unknownProject(name);
      if (projectId === undefined) reject(problem);
      else if (name !== undefined) warn(`${problem}, stored in project ${projectId}`);
      return projectId === undefined ? [] : [{ span, projectId, isNamed: false }];
    });
    return [...named, ...placed];
  };
};
