import { buffer } from 'node:stream/consumers';
import { type Attached, type AttachedFile, attachmentIds } from '../../engine/models/media.ts';
import type { Database } from '../../platform/db/database.ts';
import { findAttachedFiles } from './queries.ts';
import type { AttachmentStore } from './store.ts';

/** The project of the texts, or a run of it. */
export type AttachedPlace = { projectId: bigint } | { runId: bigint };

/**
 * Finds the attachments that JSON texts name, if they belong to a session of the project: a record must not show a file that the project's
 * members could not open. Undefined if the texts name none.
 */
export type AttachedReader = (
  scope: { organizationId: bigint },
  place: AttachedPlace,
  texts: readonly string[],
) => Promise<Attached | undefined>;

export const openAttachedReader =
  (db: Database, store: Pick<AttachmentStore, 'read'>): AttachedReader =>
  async ({ organizationId }, place, texts) => {
    const ids = attachmentIds(texts);
    if (ids.length === 0) return undefined;
    const rows = await db.read({ organizationId }, (sql) =>
      findAttachedFiles(sql, organizationId, place, ids),
    );
    return new Map(
      rows.map(({ id, ...file }): [string, AttachedFile] => [
        id,
        {
          ...file,
          read: async () => {
            const bytes = await store.read(id);
            return bytes && buffer(bytes);
          },
        },
      ]),
    );
  };
