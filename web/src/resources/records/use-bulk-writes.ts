import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { mapConcurrently } from '../../../../client/src/concurrency.ts';
import { api } from '../../api.ts';
import type { RecordDetail } from '../../types.ts';
import { errorText } from '../../ui/error-text.ts';
import { countOf } from '../../ui/format.ts';
import { say, sayProgress, sayUndo, sayUnfinished } from '../../ui/toast.tsx';
import { useMe } from '../session/me.ts';
import { showRecords } from './record-cache.ts';
import { type RecordChange, withAssignee, withoutAssignee, withoutTag, withTag } from './record-changes.ts';
import { type GivenScore, LaterScore, scoreLists, takeBackScore, writeScore } from './take-back-score.ts';

/** Few at once: the service answers each write once it is committed, and others are waiting too. */
const concurrency = 4;

/** One write to many records, with its messages. */
type BulkWrite = {
  /** `Tagging`, `Tagged`: followed by a number of records. */
  doing: string;
  did: string;
  /** Returns the member who did it: someone else may have done it since the record was read. */
  send: (recordId: string) => Promise<{ by: string | null }>;
  change: RecordChange;
  undo?: BulkWrite;
  /** Lists that are read again when it is done: the change says less than the service's answer. */
  refreshes?: readonly QueryKey[];
};

const tagging = (text: string, meId: string): BulkWrite => ({
  doing: 'Tagging',
  did: 'Tagged',
  send: async (id) => ({ by: (await api.createRecordTag(id, { text })).userId }),
  change: withTag(text),
  undo: {
    doing: 'Removing the tag from',
    did: 'Removed the tag from',
    send: async (id) => {
      await api.deleteRecordTag(id, text);
      return { by: meId };
    },
    change: withoutTag(text),
  },
});

const assigning = (userId: string, meId: string): BulkWrite => ({
  doing: 'Assigning',
  did: 'Assigned',
  send: async (id) => ({
    by: (await api.assignRecordUser(id, { assigneeUserId: userId })).assignedByUserId,
  }),
  change: withAssignee(userId),
  undo: {
    doing: 'Unassigning',
    did: 'Unassigned',
    send: async (id) => {
      await api.unassignRecordUser(id, userId);
      return { by: meId };
    },
    change: withoutAssignee(userId),
  },
});

const scoring = (given: GivenScore, meId: string): BulkWrite => {
  const what = `${given.label} by ${given.metricName}`;
  /** Whether each record that was written waited for people before. */
  const waited = new Map<string, boolean>();
  return {
    doing: `Scoring ${what}:`,
    did: `Scored ${what}:`,
    send: async (id) => {
      const { had, waitedForPeople } = await writeScore(id, given, meId);
      waited.set(id, waitedForPeople);
      return { by: had ? null : meId };
    },
    change: (record) => record,
    refreshes: scoreLists,
    undo: {
      doing: `Taking back ${what}:`,
      did: `Took back ${what}:`,
      send: async (id) => {
        await takeBackScore(id, given, meId, waited.get(id) ?? false);
        return { by: meId };
      },
      change: (record) => record,
      refreshes: scoreLists,
    },
  };
};

/** Most records that a message names. */
const mostNamed = 5;

/** Says what failed: the first error, and the records whose score has changed since. */
const failureText = (errors: readonly Error[]): string => {
  const later = errors.filter((error) => error instanceof LaterScore);
  const failed = errors.filter((error) => !(error instanceof LaterScore));
  const named = later.slice(0, mostNamed).map(({ recordId }) => recordId);
  const more = later.length - named.length;
  return [
    ...(failed[0] ? [`${failed.length.toLocaleString('en')} failed: ${errorText(failed[0])}`] : []),
    ...(later.length > 0
      ? [
          `${countOf(later.length, 'record')} left, scored again since: ${named.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`,
        ]
      : []),
  ].join('; ');
};

/**
 * Writes the same to many records: shows the progress, counts the refused writes with the first error, and offers to undo what
 * this member did.
 */
export const useBulkWrites = () => {
  const queries = useQueryClient();
  const meId = useMe().user.id;

  const perform = async (write: BulkWrite, ids: readonly string[], total = ids.length): Promise<void> => {
    const { doing, did, send, change, undo, refreshes = [] } = write;
    const progress = sayProgress();
    const own: string[] = [];
    const done = new Set<string>();
    const errors: Error[] = [];
    await mapConcurrently(ids, concurrency, async (id) => {
      try {
        const { by } = await send(id);
        done.add(id);
        if (by === meId) own.push(id);
      } catch (error) {
        errors.push(error as Error);
      }
      const finished = (done.size + errors.length).toLocaleString('en');
      progress.update(`${doing} ${finished} of ${countOf(ids.length, 'record')}…`);
    });
    progress.close();
    showRecords(queries, done, change);
    for (const queryKey of refreshes) void queries.invalidateQueries({ queryKey });
    const takeBack = undo && own.length > 0 ? () => void perform(undo, own) : undefined;
    const had = total - ids.length + done.size - own.length;
    if (errors.length > 0)
      return sayUnfinished(
        `${did} ${own.length.toLocaleString('en')} of ${countOf(ids.length, 'record')}; ${failureText(errors)}`,
        takeBack,
      );
    const title = `${did} ${countOf(own.length, 'record')}${had > 0 ? `; ${had.toLocaleString('en')} ${had === 1 ? 'was' : 'were'} already` : ''}.`;
    if (takeBack) sayUndo(title, takeBack);
    else say(title);
  };

  return {
    tag: (records: readonly RecordDetail[], text: string) => {
      const without = records.filter(({ tags }) => !tags.includes(text));
      return perform(tagging(text, meId), idsOf(without), records.length);
    },
    assign: (records: readonly RecordDetail[], userId: string) => {
      const without = records.filter(({ assigneeUserIds }) => !assigneeUserIds.includes(userId));
      return perform(assigning(userId, meId), idsOf(without), records.length);
    },
    score: (records: readonly RecordDetail[], given: GivenScore) =>
      perform(scoring(given, meId), idsOf(records)),
  };
};

const idsOf = (records: readonly RecordDetail[]): string[] => records.map(({ id }) => id);
