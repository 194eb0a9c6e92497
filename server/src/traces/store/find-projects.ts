import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { fields } from '../conventions/fields.ts';
import type { ProjectSpan } from './find-sources.ts';
import { findDefaultProject, findProjects } from './queries.ts';
import type { Span } from './span.ts';
import { attributeOf } from './span-row.ts';

const noProject =
  'no project: set the resource attribute dokima.project_id (or scorecard.project_id), or use a key with a default project';

/**
 * Returns the function that finds the project of each span: the one that it or its resource names, else the key's default.
 * Calls `reject` for each span without one. Asks the database once for each project of a request.
 */
export const projectFinder = (tx: Sql, scope: Scope, reject: (reason: string) => void) => {
  const known = new Map<string, bigint | undefined>();
  let byDefault: { id: bigint | undefined } | undefined;

  const findNamed = async (names: string[]) => {
    const ids = names.filter((name) => /^[1-9]\d{0,17}$/.test(name)).map(BigInt);
    const found = ids.length > 0 ? await findProjects(tx, scope, ids) : [];
    for (const name of names) known.set(name, undefined);
    for (const { id } of found) known.set(String(id), id);
  };

  return async (spans: Span[]): Promise<ProjectSpan[]> => {
    const names = spans.map((span) => attributeOf(span, fields.projectId)?.trim());
    const unknown = new Set(names.filter((name) => name !== undefined && !known.has(name)) as string[]);
    if (unknown.size > 0) await findNamed([...unknown]);
    if (names.includes(undefined)) byDefault ??= { id: (await findDefaultProject(tx, scope))[0]?.id };
    return spans.flatMap((span, i) => {
      const name = names[i];
      const projectId = name === undefined ? byDefault?.id : known.get(name);
      if (projectId !== undefined) return [{ span, projectId }];
      reject(name === undefined ? noProject : `there is no project ${JSON.stringify(name.slice(0, 40))}`);
      return [];
    });
  };
};
