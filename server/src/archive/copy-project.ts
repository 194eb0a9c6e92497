import { Readable } from 'node:stream';
import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import type { Masking } from '../evaluation/masking/masking.ts';
import { findProject } from '../evaluation/projects/queries.ts';
import type { SchemaChecker } from '../evaluation/testsets/json-schema.ts';
import type { Database } from '../platform/db/database.ts';
import { bodyOf } from '../platform/http/http.ts';
import type { Scope } from '../platform/http/scope.ts';
import { exportProject } from './export-project.ts';
import { importProject } from './import-project.ts';

type Deps = { db: Database; store: AttachmentStore; schemas: SchemaChecker; masking: Masking };
/** A project as a scope sees it. */
export type ProjectPlace = { scope: Scope; projectId: bigint };

const bytesOf = async function* (lines: AsyncIterable<string | Buffer>) {
  for await (const line of lines) yield Buffer.from(line);
};

/** Copies a project into an empty one, of any organization, as an archive does. Throws notFound. */
export const copyProject =
  (deps: Deps) =>
  async (from: ProjectPlace, to: ProjectPlace): Promise<void> => {
    const { db, store } = deps;
    const found = await db.read(from.scope, (sql) => findProject(sql, from.scope, from.projectId));
    const head = JSON.parse(bodyOf(found, 'project', String(from.projectId)));
    const exporting = { db, store, holdPage: async () => {} };
    const lines = exportProject(exporting, from.scope, from.projectId, head);
    await importProject(deps, to.scope, to.projectId, Readable.from(bytesOf(lines)));
  };
export type CopyProject = ReturnType<typeof copyProject>;
