import { useQueryClient } from '@tanstack/react-query';
import { api, keyOf } from '../../api.ts';
import type { ScoreState } from '../../types.ts';
import { sayUndo } from '../../ui/toast.tsx';
import { type PassRule, passesBy, type ScoreFields } from '../metrics/pass-rule.ts';
import { useMe } from '../session/me.ts';
import { annotationWrites, threadWrites } from './annotation-writes.ts';
import { type OptimisticWrite, useOptimisticWrite } from './optimistic-write.ts';
import { withAssignee, withoutAssignee, withoutTag, withTag } from './record-changes.ts';

const scored = (state: ScoreState, score: ScoreFields, rule: PassRule, userId: string): ScoreState => {
  const { validationErrors: _, ...rest } = state;
  const now = new Date().toISOString();
  return {
    ...rest,
    state: 'scored',
    score,
    passed: passesBy(score, rule),
    reason: null,
    scoredByUserId: userId,
    madeBy: 'person',
    updatedAt: now,
  };
};

/** Writes of the tags and the assignees of records. A removal can be undone for a moment. */
const tagAndAssigneeWrites = ({ mutate, mutateAsync }: OptimisticWrite) => {
  const addTag = (id: string, text: string) =>
    mutateAsync({
      id,
      change: { record: withTag(text) },
      send: () => api.createRecordTag(id, { text }),
    });
  const assign = (id: string, userId: string) =>
    mutateAsync({
      id,
      change: { record: withAssignee(userId) },
      send: () => api.assignRecordUser(id, { assigneeUserId: userId }),
    });
  return {
    addTag,
    removeTag: (id: string, text: string) => {
      mutate({
        id,
        change: { record: withoutTag(text) },
        send: () => api.deleteRecordTag(id, text),
      });
      sayUndo(`Removed the tag ${text}.`, () => void addTag(id, text).catch(() => {}));
    },
    assign,
    unassign: (id: string, userId: string) => {
      mutate({
        id,
        change: { record: withoutAssignee(userId) },
        send: () => api.unassignRecordUser(id, userId),
      });
      sayUndo('Unassigned.', () => void assign(id, userId).catch(() => {}));
    },
  };
};

/** Writes to records with optimistic updates: a refused write is undone and its error shown. */
export const useRecordWrites = () => {
  const meId = useMe().user.id;
  const queries = useQueryClient();
  const write = useOptimisticWrite();
  return {
    ...tagAndAssigneeWrites(write),
    ...annotationWrites(write, meId),
    ...threadWrites(write, meId),
    setScore: (id: string, state: ScoreState, score: ScoreFields, rule: PassRule) => {
      const { metricConfigId } = state;
      write.mutate(
        {
          id,
          change: {
            record: (record) => ({
              ...record,
              scoreStates: record.scoreStates.map((each) =>
                each.metricConfigId === metricConfigId ? scored(each, score, rule, meId) : each,
              ),
            }),
          },
          send: () => api.upsertScore(id, metricConfigId, { score }),
        },
        {
          onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('getScore', id, metricConfigId) }),
        },
      );
    },
  };
};

export type RecordWrites = ReturnType<typeof useRecordWrites>;
