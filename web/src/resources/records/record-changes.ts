import type { RecordDetail } from '../../types.ts';

/** Changes of a record, as an optimistic update shows them. */
export type RecordChange = (record: RecordDetail) => RecordDetail;

export const withTag =
  (text: string): RecordChange =>
  (record) => ({ ...record, tags: [...new Set([...record.tags, text])] });

export const withoutTag =
  (text: string): RecordChange =>
  (record) => ({ ...record, tags: record.tags.filter((tag) => tag !== text) });

export const withAssignee =
  (userId: string): RecordChange =>
  (record) => ({ ...record, assigneeUserIds: [...new Set([...record.assigneeUserIds, userId])] });

export const withoutAssignee =
  (userId: string): RecordChange =>
  (record) => ({ ...record, assigneeUserIds: record.assigneeUserIds.filter((id) => id !== userId) });
