import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api, type Page } from '../api.ts';
import { useMe } from '../session/who.ts';
import { isStoring, shownAtOnce, untilStored } from '../shown-at-once.ts';
import { type AnnotationTarget, targetKey } from '../traces/target.ts';
import type { Annotation, RecordDetail, Reply, ScoreState, Thread } from '../types.ts';
import { sayError, sayUndo } from '../ui/toast.tsx';
import { annotationsQuery, recordQuery, scoreQuery, threadsQuery } from './queries.ts';

/** The value fields of a score, one of which is given. */
export type ScoreFields = { binaryScore?: boolean; intScore?: number; floatScore?: number };

/** How what is shown of a record changes. */
type Change = {
  record?: (record: RecordDetail) => RecordDetail;
  annotations?: (annotations: Annotation[]) => Annotation[];
  threads?: (threads: Thread[]) => Thread[];
};

/** A list as it is kept: a page of the table, or page after page. */
type Records = Page<RecordDetail> | InfiniteData<Page<RecordDetail>>;

const recordsOf = (list: Records): RecordDetail[] =>
  'pages' in list ? list.pages.flatMap((page) => page.data) : list.data;

/** A page that holds none of the records stays the same object, so that nothing of it is drawn anew. */
const changeList = <List extends Records>(
  list: List,
  ids: ReadonlySet<string>,
  change: (record: RecordDetail) => RecordDetail,
): List => {
  if (!recordsOf(list).some(({ id }) => ids.has(id))) return list;
  if ('pages' in list) return { ...list, pages: list.pages.map((page) => changeList(page, ids, change)) };
  return { ...list, data: list.data.map((record) => (ids.has(record.id) ? change(record) : record)) };
};

const lists = { predicate: ({ queryKey }: { queryKey: QueryKey }) => isRecordList(queryKey) };
const isRecordList = (key: QueryKey) => /^\/projects\/\d+\/records$/.test(String(key[0]));

/** Changes records wherever they are shown: on their pages and in every list that holds them. */
export const showRecords = (
  queries: QueryClient,
  ids: ReadonlySet<string>,
  change: (record: RecordDetail) => RecordDetail,
): void => {
  for (const id of ids) queries.setQueryData(recordQuery(id).queryKey, (held) => held && change(held));
  queries.setQueriesData<Records>(lists, (list) => list && changeList(list, ids, change));
};

const show = (queries: QueryClient, id: string, { record, annotations, threads }: Change): void => {
  if (record) showRecords(queries, new Set([id]), record);
  if (annotations) queries.setQueryData(annotationsQuery(id).queryKey, (held) => held && annotations(held));
  if (threads) queries.setQueryData(threadsQuery(id).queryKey, (held) => held && threads(held));
};

/** What is shown of a record now; called, it is shown again. */
const remember = (queries: QueryClient, id: string): (() => void) => {
  const record = queries.getQueryData(recordQuery(id).queryKey);
  const listed = queries
    .getQueriesData<Records>(lists)
    .flatMap(([, list]) => (list ? recordsOf(list) : []))
    .find((each) => each.id === id);
  const annotations = queries.getQueryData(annotationsQuery(id).queryKey);
  const threads = queries.getQueryData(threadsQuery(id).queryKey);
  return () => {
    const before = record ?? listed;
    show(queries, id, {
      ...(before && { record: () => before }),
      ...(annotations && { annotations: () => annotations }),
      ...(threads && { threads: () => threads }),
    });
  };
};

/** Reads a record again, so that what is shown of it is what is stored. */
export const refreshRecord = async (queries: QueryClient, id: string): Promise<void> => {
  await untilStored(queries);
  const record = await api.get<RecordDetail>(`/records/${id}`);
  // It may not know what has been written since.
  if (isStoring(queries)) return refreshRecord(queries, id);
  queries.setQueryData(recordQuery(id).queryKey, record);
  show(queries, id, { record: () => record });
};

type Write = { id: string; change: Change; send: () => Promise<unknown> };

const scored = (
  state: ScoreState,
  score: ScoreFields,
  threshold: number | undefined,
  userId: string,
): ScoreState => {
  const { validationErrors: _, ...rest } = state;
  const value = Number(score.binaryScore ?? score.intScore ?? score.floatScore);
  const now = new Date().toISOString();
  return {
    ...rest,
    state: 'scored',
    score,
    passed: value >= (threshold ?? 1),
    reason: null,
    scoredByUserId: userId,
    updatedAt: now,
  };
};

let temporaryIds = 0;
/** Until the service gives an id. crypto.randomUUID is missing in pages that are served without TLS. */
const temporary = (): string => `new ${++temporaryIds}`;
export const isTemporary = (id: string): boolean => id.startsWith('new ');

/** What one person says of a record, or of the span or passage that it names. */
type NewAnnotation = AnnotationTarget & { rating: boolean; comment?: string };

const newAnnotation = (recordId: string, userId: string, annotation: NewAnnotation): Annotation => ({
  id: temporary(),
  recordId,
  comment: '',
  ...annotation,
  spanId: annotation.spanId ?? null,
  userId,
  createdAt: new Date().toISOString(),
});

/** A person's thumb without a word on something: it changes instead of piling up. */
export const opinionOf = (
  userId: string,
  annotations: readonly Annotation[],
  on: AnnotationTarget = {},
): Annotation | undefined =>
  annotations.findLast(
    (each) => each.userId === userId && each.comment === '' && targetKey(each) === targetKey(on),
  );

let lastRating: Promise<unknown> = Promise.resolve();
const storeRating = async (
  id: string,
  userId: string,
  rating: boolean,
  on?: AnnotationTarget,
): Promise<unknown> => {
  const { data } = await api.get<{ data: Annotation[] }>(`/records/${id}/annotations`);
  const own = opinionOf(userId, data, on);
  return own
    ? api.patch(`/records/${id}/annotations/${own.id}`, { rating })
    : api.post(`/records/${id}/annotations`, { ...on, rating });
};

/**
 * Shows a change at once and sends it; when the service refuses, what was shown before is shown again, and the refusal in the
 * service's words.
 */
export const useRecordWrites = () => {
  const meId = useMe().user.id;
  const queries = useQueryClient();
  const { mutate, mutateAsync } = useMutation({
    mutationKey: shownAtOnce,
    mutationFn: ({ send }: Write) => send(),
    onMutate: async ({ id, change }) => {
      // A read that began before the write would bring back what it changes.
      await Promise.all(
        [recordQuery(id), annotationsQuery(id), threadsQuery(id)].map(({ queryKey }) =>
          queries.cancelQueries({ queryKey }),
        ),
      );
      const undo = remember(queries, id);
      show(queries, id, change);
      return undo;
    },
    onError: (error, _write, undo) => {
      undo?.();
      sayError(error);
    },
    // Not waited for: a refusal gives back at once what was written, whatever the next read takes.
    onSettled: (_data, _error, { id, change }) => {
      if (change.record) void refreshRecord(queries, id).catch(() => {});
      void untilStored(queries).then(() => {
        if (change.annotations) void queries.invalidateQueries({ queryKey: annotationsQuery(id).queryKey });
        if (change.threads) void queries.invalidateQueries({ queryKey: threadsQuery(id).queryKey });
      });
    },
  });

  const addTag = (id: string, text: string) =>
    mutateAsync({
      id,
      change: { record: (record) => ({ ...record, tags: [...new Set([...record.tags, text])] }) },
      send: () => api.post(`/records/${id}/tags`, { text }),
    });
  const assign = (id: string, userId: string) =>
    mutateAsync({
      id,
      change: {
        record: (record) => ({
          ...record,
          assigneeUserIds: [...new Set([...record.assigneeUserIds, userId])],
        }),
      },
      send: () => api.post(`/records/${id}/assignees`, { assigneeUserId: userId }),
    });
  const at = (id: string, annotationId: string) => `/records/${id}/annotations/${annotationId}`;
  /** Changes a thread, which is there only once somebody answered or settled. */
  const inThread = (annotationId: string, change: (thread: Thread) => Thread) => (threads: Thread[]) => {
    const empty: Thread = { annotationId, resolvedAt: null, resolvedByUserId: null, replies: [] };
    const known = threads.some((thread) => thread.annotationId === annotationId);
    return (known ? threads : [...threads, empty]).map((thread) =>
      thread.annotationId === annotationId ? change(thread) : thread,
    );
  };

  return {
    addTag,
    removeTag: (id: string, text: string) => {
      mutate({
        id,
        change: { record: (record) => ({ ...record, tags: record.tags.filter((tag) => tag !== text) }) },
        send: () => api.delete(`/records/${id}/tags/${encodeURIComponent(text)}`),
      });
      sayUndo(`Took the tag ${text} off.`, () => void addTag(id, text).catch(() => {}));
    },
    assign,
    unassign: (id: string, userId: string) => {
      mutate({
        id,
        change: {
          record: (record) => ({
            ...record,
            assigneeUserIds: record.assigneeUserIds.filter((user) => user !== userId),
          }),
        },
        send: () => api.delete(`/records/${id}/assignees/${userId}`),
      });
      sayUndo('Unassigned.', () => void assign(id, userId).catch(() => {}));
    },
    setScore: (id: string, state: ScoreState, score: ScoreFields, threshold: number | undefined) => {
      const { metricConfigId } = state;
      mutate(
        {
          id,
          change: {
            record: (record) => ({
              ...record,
              scoreStates: record.scoreStates.map((each) =>
                each.metricConfigId === metricConfigId ? scored(each, score, threshold, meId) : each,
              ),
            }),
          },
          send: () => api.put(`/records/${id}/scores/${metricConfigId}`, { score }),
        },
        {
          onSuccess: () => queries.invalidateQueries({ queryKey: scoreQuery(id, metricConfigId).queryKey }),
        },
      );
    },
    rate: (id: string, rating: boolean, on?: AnnotationTarget) =>
      mutate({
        id,
        change: {
          annotations: (list) => {
            const own = opinionOf(meId, list, on);
            if (!own) return [...list, newAnnotation(id, meId, { ...on, rating })];
            return list.map((each) => (each === own ? { ...own, rating } : each));
          },
        },
        // One after the other: the second changes what the first has made.
        send: () => {
          lastRating = lastRating.catch(() => {}).then(() => storeRating(id, meId, rating, on));
          return lastRating;
        },
      }),
    annotate: (id: string, annotation: NewAnnotation) =>
      mutateAsync({
        id,
        change: {
          annotations: (list) => [...list, newAnnotation(id, meId, annotation)],
        },
        send: () => api.post(`/records/${id}/annotations`, annotation),
      }),
    updateAnnotation: (id: string, annotationId: string, changes: { rating?: boolean; comment?: string }) =>
      mutateAsync({
        id,
        change: {
          annotations: (list) =>
            list.map((each) => (each.id === annotationId ? { ...each, ...changes } : each)),
        },
        send: () => api.patch(at(id, annotationId), changes),
      }),
    deleteAnnotation: (id: string, annotationId: string) =>
      mutateAsync({
        id,
        change: { annotations: (list) => list.filter((each) => each.id !== annotationId) },
        send: () => api.delete(at(id, annotationId)),
      }),
    resolve: (id: string, annotationId: string, resolved: boolean) =>
      mutate({
        id,
        change: {
          threads: inThread(annotationId, (thread) => ({
            ...thread,
            resolvedAt: resolved ? new Date().toISOString() : null,
            resolvedByUserId: resolved ? meId : null,
          })),
        },
        send: () => api.put(`${at(id, annotationId)}/resolution`, { resolved }),
      }),
    reply: (id: string, annotationId: string, comment: string) =>
      mutateAsync({
        id,
        change: {
          threads: inThread(annotationId, (thread) => {
            const createdAt = new Date().toISOString();
            const reply: Reply = {
              id: temporary(),
              annotationId,
              comment,
              userId: meId,
              createdAt,
              updatedAt: null,
            };
            return { ...thread, replies: [...thread.replies, reply] };
          }),
        },
        send: () => api.post(`${at(id, annotationId)}/replies`, { comment }),
      }),
    updateReply: (id: string, { id: replyId, annotationId }: Reply, comment: string) =>
      mutateAsync({
        id,
        change: {
          threads: inThread(annotationId, (thread) => ({
            ...thread,
            replies: thread.replies.map((each) => (each.id === replyId ? { ...each, comment } : each)),
          })),
        },
        send: () => api.patch(`${at(id, annotationId)}/replies/${replyId}`, { comment }),
      }),
    deleteReply: (id: string, { id: replyId, annotationId }: Reply) =>
      mutateAsync({
        id,
        change: {
          threads: inThread(annotationId, (thread) => ({
            ...thread,
            replies: thread.replies.filter((each) => each.id !== replyId),
          })),
        },
        send: () => api.delete(`${at(id, annotationId)}/replies/${replyId}`),
      }),
  };
};

export type RecordWrites = ReturnType<typeof useRecordWrites>;
