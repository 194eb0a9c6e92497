import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useMe } from '../session/who.ts';
import type { RecordAssignment, RecordDetail, RecordTag } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { say, sayProgress, sayUndo, sayUnfinished } from '../ui/toast.tsx';
import { showRecords } from './use-record-writes.ts';
import { writeEach } from './write-each.ts';

/** One thing that is done to many records, and how it is told. */
type Deed = {
  /** `Tagging`, `Tagged`: before a number of records. */
  doing: string;
  did: string;
  /** Answers who did it: it may be there already, done by somebody else since the record was read. */
  send: (recordId: string) => Promise<{ by: string | null }>;
  /** How a record is shown once it is done. */
  change: (record: RecordDetail) => RecordDetail;
  /** Takes it back. */
  undo?: Deed;
};

/**
 * Does the same to each of many records: tells how far it is, counts what was refused in the words of the first refusal, and
 * offers to take back what was done, and only that.
 */
export const useBulkWrites = () => {
  const queries = useQueryClient();
  const meId = useMe().user.id;

  const perform = async (deed: Deed, ids: readonly string[], total = ids.length): Promise<void> => {
    const { doing, did, send, change, undo } = deed;
    const progress = sayProgress();
    const own: string[] = [];
    const sendOne = async (id: string) => {
      const { by } = await send(id);
      if (by === meId) own.push(id);
    };
    const { done, errors } = await writeEach(ids, sendOne, (finished) =>
      progress.update(`${doing} ${finished.toLocaleString('en')} of ${countOf(ids.length, 'record')}…`),
    );
    progress.close();
    showRecords(queries, new Set(done), change);
    const takeBack = undo && own.length > 0 ? () => void perform(undo, own) : undefined;
    const had = total - ids.length + done.length - own.length;
    if (errors.length > 0)
      return sayUnfinished(
        `${did} ${own.length.toLocaleString('en')} of ${countOf(ids.length, 'record')}; ${errors.length.toLocaleString('en')} could not be: ${errors[0]!.message}`,
        takeBack,
      );
    const title = `${did} ${countOf(own.length, 'record')}${had > 0 ? `; ${had.toLocaleString('en')} ${had === 1 ? 'was' : 'were'} already` : ''}.`;
    if (takeBack) sayUndo(title, takeBack);
    else say(title);
  };

  return {
    tag: (records: readonly RecordDetail[], text: string) => {
      const without = records.filter(({ tags }) => !tags.includes(text));
      const deed: Deed = {
        doing: 'Tagging',
        did: 'Tagged',
        send: async (id) => {
          const { userId } = await api.post<RecordTag>(`/records/${id}/tags`, { text });
          return { by: userId };
        },
        change: (record) => ({ ...record, tags: [...new Set([...record.tags, text])] }),
        undo: {
          doing: 'Taking the tag off',
          did: 'Took the tag off',
          send: async (id) => {
            await api.delete(`/records/${id}/tags/${encodeURIComponent(text)}`);
            return { by: meId };
          },
          change: (record) => ({ ...record, tags: record.tags.filter((tag) => tag !== text) }),
        },
      };
      return perform(deed, idsOf(without), records.length);
    },
    assign: (records: readonly RecordDetail[], userId: string) => {
      const without = records.filter(({ assigneeUserIds }) => !assigneeUserIds.includes(userId));
      const deed: Deed = {
        doing: 'Assigning',
        did: 'Assigned',
        send: async (id) => {
          const { assignedByUserId } = await api.post<RecordAssignment>(`/records/${id}/assignees`, {
            assigneeUserId: userId,
          });
          return { by: assignedByUserId };
        },
        change: (record) => ({
          ...record,
          assigneeUserIds: [...new Set([...record.assigneeUserIds, userId])],
        }),
        undo: {
          doing: 'Unassigning',
          did: 'Unassigned',
          send: async (id) => {
            await api.delete(`/records/${id}/assignees/${userId}`);
            return { by: meId };
          },
          change: (record) => ({
            ...record,
            assigneeUserIds: record.assigneeUserIds.filter((user) => user !== userId),
          }),
        },
      };
      return perform(deed, idsOf(without), records.length);
    },
  };
};

const idsOf = (records: readonly RecordDetail[]): string[] => records.map(({ id }) => id);
