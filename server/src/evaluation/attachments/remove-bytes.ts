import { type Database, system } from '../../platform/db/database.ts';
import type { AttachmentStore } from './store.ts';

/** Most files whose bytes one round removes. */
const most = 1_000;

/**
 * Removes the bytes of some attachments whose rows were deleted, also with their record, run or project. Rejects if the store does not
 * answer; the next round then removes the rest.
 */
export const removeDeletedBytes = async (
  db: Database,
  store: Pick<AttachmentStore, 'remove'>,
): Promise<void> => {
  const files = await db.read(
    system,
    (sql) => sql<{ id: string }[]>`select id from deleted_file order by id limit ${most}`,
  );
  const removed: string[] = [];
  try {
    for (const { id } of files) {
      await store.remove(id);
      removed.push(id);
    }
  } finally {
    if (removed.length > 0)
      await db.transaction(
        { ...system, frees: true },
        (tx) => tx`delete from deleted_file where id = any(${removed}::uuid[])`,
      );
  }
};
