import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Page } from '../../../../client/src/types.ts';
import { api, apiQuery, keyOf } from '../../api.ts';
import { isWriting, optimisticKey, untilStored } from '../../optimistic.ts';
import type { Annotation, RecordDetail, Reply, ScoreState, Thread } from '../../types.ts';
import { sayError, sayUndo } from '../../ui/toast.tsx';
import { useMe } from '../session/me.ts';
import { type RecordChange, withAssignee, withoutAssignee, withoutTag, withTag } from './record-changes.ts';
import { type AnnotationTarget, targetKey } from './target.ts';

/** The value fields of a score, one of which is given. */
export type ScoreFields = { binaryScore?: boolean; intScore?: number; floatScore?: number };

/** How an optimistic update changes a record and what is beside it. */
type Change = {
  record?: RecordChange;
  annotations?: (annotations: Annotation[]) => Annotation[];
  threads?: (threads: Thread[]) => Thread[];
};

/** A cached list: a page of the table, or an infinite query. */
type Records = Page<RecordDetail> | InfiniteData<Page<RecordDetail>>;

const recordsOf = (list: Records): RecordDetail[] =>
  'pages' in list ? list.pages.flatMap((page) => page.data) : list.data;

/** A page without any of the records stays the same object, so that it is not rendered again. */
const changeList = <List extends Records>(
  list: List,
  ids: ReadonlySet<string>,
  change: (record: RecordDetail) => RecordDetail,
): List => {
  if (!recordsOf(list).some(({ id }) => ids.has(id))) return list;
  if ('pages' in list) return { ...list, pages: list.pages.map((page) => changeList(page, ids, change)) };
  return { ...list, data: list.data.map((record) => (ids.has(record.id) ? change(record) : record)) };
};

const lists = { queryKey: keyOf('listProjectRecords') };
const recordKey = (id: string) => apiQuery('getRecord', id).queryKey;
const annotationsKey = (id: string) => apiQuery('listAnnotations', id).queryKey;
const threadsKey = (id: string) => apiQuery('listThreads', id).queryKey;

/** Changes records wherever they are cached: by themselves and in every list. */
export const showRecords = (queries: QueryClient, ids: ReadonlySet<string>, change: RecordChange): void => {
  for (const id of ids) queries.setQueryData(recordKey(id), (held) => held && change(held));
  queries.setQueriesData<Records>(lists, (list) => list && changeList(list, ids, change));
};

const show = (queries: QueryClient, id: string, { record, annotations, threads }: Change): void => {
  if (record) showRecords(queries, new Set([id]), record);
  if (annotations)
    queries.setQueryData(annotationsKey(id), (held) => held && { data: annotations(held.data) });
  if (threads) queries.setQueryData(threadsKey(id), (held) => held && { data: threads(held.data) });
};

/** Returns a function that shows a record again as it is cached now. */
const remember = (queries: QueryClient, id: string): (() => void) => {
  const listed = queries
    .getQueriesData<Records>(lists)
    .flatMap(([, list]) => (list ? recordsOf(list) : []))
    .find((each) => each.id === id);
  const record = queries.getQueryData(recordKey(id)) ?? listed;
  const annotations = queries.getQueryData(annotationsKey(id));
  const threads = queries.getQueryData(threadsKey(id));
  return () =>
    show(queries, id, {
      ...(record && { record: () => record }),
      ...(annotations && { annotations: () => annotations.data }),
      ...(threads && { threads: () => threads.data }),
    });
};

/** Reads a record again and shows it wherever it is cached. */
export const refreshRecord = async (queries: QueryClient, id: string): Promise<void> => {
  await untilStored(queries);
  const record = await api.getRecord(id);
  // A write since then may be missing in the answer.
  if (isWriting(queries)) return refreshRecord(queries, id);
  queries.setQueryData(recordKey(id), record);
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
/** An id until the service has given one. crypto.randomUUID is missing in pages without TLS. */
const temporary = (): string => `new ${++temporaryIds}`;
export const isTemporary = (id: string): boolean => id.startsWith('new ');

/** An annotation of a record, or of the span or passage that it names. */
type NewAnnotation = AnnotationTarget & { rating: boolean; comment?: string };
type NewComment = NewAnnotation & { comment: string };

const newAnnotation = (recordId: string, userId: string, annotation: NewAnnotation): Annotation => ({
  id: temporary(),
  recordId,
  comment: '',
  ...annotation,
  spanId: annotation.spanId ?? null,
  userId,
  createdAt: new Date().toISOString(),
});

/** The rating of a member without a comment. There is at most one: a new rating changes it. */
export const opinionOf = (
  userId: string,
  annotations: readonly Annotation[],
  on: AnnotationTarget = {},
): Annotation | undefined =>
  annotations.findLast(
    (each) => each.userId === userId && each.comment === '' && targetKey(each) === targetKey(on),
  );

/** Opinions are stored one after the other: the second one changes the annotation that the first has created. */
let lastOpinion: Promise<unknown> = Promise.resolve();
const storeOpinion = (id: string, userId: string, opinion: NewAnnotation): Promise<unknown> => {
  const { rating, comment, ...on } = opinion;
  lastOpinion = lastOpinion
    .catch(() => {})
    .then(async () => {
      const { data } = await api.listAnnotations(id);
      const own = opinionOf(userId, data, on);
      const said = { rating, ...(comment !== undefined && { comment }) };
      return own ? api.updateAnnotation(id, own.id, said) : api.createAnnotation(id, opinion);
    });
  return lastOpinion;
};
/** The annotations with an opinion: it takes the place of the member's rating without a comment. */
const withOpinion = (userId: string, id: string, opinion: NewAnnotation) => (list: Annotation[]) => {
  const own = opinionOf(userId, list, opinion);
  if (!own) return [...list, newAnnotation(id, userId, opinion)];
  const { rating, comment = '' } = opinion;
  return list.map((each) => (each === own ? { ...own, rating, comment } : each));
};

/** Writes to records with optimistic updates: a refused write is undone and its error shown. */
export const useRecordWrites = () => {
  const meId = useMe().user.id;
  const queries = useQueryClient();
  const { mutate, mutateAsync } = useMutation({
    mutationKey: optimisticKey,
    mutationFn: ({ send }: Write) => send(),
    onMutate: async ({ id, change }) => {
      // A read that began before the write would undo what is shown.
      await Promise.all(
        [recordKey(id), annotationsKey(id), threadsKey(id)].map((queryKey) =>
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
    // Not awaited: a refused comment returns to its field at once, however long the next read takes.
    onSettled: (_data, _error, { id, change }) => {
      if (change.record) void refreshRecord(queries, id).catch(() => {});
      void untilStored(queries).then(() => {
        if (change.annotations) void queries.invalidateQueries({ queryKey: annotationsKey(id) });
        if (change.threads) void queries.invalidateQueries({ queryKey: threadsKey(id) });
      });
    },
  });

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
  /** Changes a thread. A thread without replies that was never resolved is not in the list yet. */
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
          send: () => api.upsertScore(id, metricConfigId, { score }),
        },
        {
          onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('getScore', id, metricConfigId) }),
        },
      );
    },
    rate: (id: string, rating: boolean, on?: AnnotationTarget) =>
      mutate({
        id,
        change: { annotations: withOpinion(meId, id, { ...on, rating }) },
        send: () => storeOpinion(id, meId, { ...on, rating }),
      }),
    comment: (id: string, annotation: NewComment) =>
      mutateAsync({
        id,
        change: { annotations: withOpinion(meId, id, annotation) },
        send: () => storeOpinion(id, meId, annotation),
      }),
    updateAnnotation: (id: string, annotationId: string, changes: { rating?: boolean; comment?: string }) =>
      mutateAsync({
        id,
        change: {
          annotations: (list) =>
            list.map((each) => (each.id === annotationId ? { ...each, ...changes } : each)),
        },
        send: () => api.updateAnnotation(id, annotationId, changes),
      }),
    deleteAnnotation: (id: string, annotationId: string) =>
      mutateAsync({
        id,
        change: { annotations: (list) => list.filter((each) => each.id !== annotationId) },
        send: () => api.deleteAnnotation(id, annotationId),
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
        send: () => api.resolveAnnotation(id, annotationId, { resolved }),
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
        send: () => api.createReply(id, annotationId, { comment }),
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
        send: () => api.updateReply(id, annotationId, replyId, { comment }),
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
        send: () => api.deleteReply(id, annotationId, replyId),
      }),
  };
};

export type RecordWrites = ReturnType<typeof useRecordWrites>;
