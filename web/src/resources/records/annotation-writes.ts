import { api } from '../../api.ts';
import type { Annotation, Reply, Thread } from '../../types.ts';
import type { OptimisticWrite } from './optimistic-write.ts';
import { type AnnotationTarget, targetKey } from './target.ts';

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

/** Writes to the annotations of records, by a member. */
export const annotationWrites = ({ mutate, mutateAsync }: OptimisticWrite, meId: string) => ({
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
});

/** Changes a thread. A thread without replies that was never resolved is not in the list yet. */
const inThread = (annotationId: string, change: (thread: Thread) => Thread) => (threads: Thread[]) => {
  const empty: Thread = { annotationId, resolvedAt: null, resolvedByUserId: null, replies: [] };
  const known = threads.some((thread) => thread.annotationId === annotationId);
  return (known ? threads : [...threads, empty]).map((thread) =>
    thread.annotationId === annotationId ? change(thread) : thread,
  );
};

/** Writes to the threads below annotations, by a member. */
export const threadWrites = ({ mutate, mutateAsync }: OptimisticWrite, meId: string) => ({
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
});
