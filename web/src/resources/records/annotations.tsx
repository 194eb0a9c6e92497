import { useQuery } from '@tanstack/react-query';
import { CircleCheck, RotateCcw, ThumbsDown, ThumbsUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { apiData, apiList } from '../../api.ts';
import type { Annotation, Thread } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useMay, useMe, useNames } from '../session/me.ts';
import { isTemporary, opinionOf } from './annotation-writes.ts';
import { Comment, Writing } from './comment.tsx';
import { deleteLater, usePendingDeletions } from './pending-deletions.ts';
import { type AnnotationTarget, targetKey } from './target.ts';
import { TargetLink } from './target-link.tsx';
import type { RecordWrites } from './use-record-writes.ts';

const thumbs = [
  { value: true, label: 'Thumbs up', icon: ThumbsUp },
  { value: false, label: 'Thumbs down', icon: ThumbsDown },
];

type AnnotationsProps = {
  recordId: string;
  writes: RecordWrites;
  /**
   * A span or a passage: only its annotations are shown, and new ones belong to it. Undefined: the record with all of its
   * annotations.
   */
  on?: AnnotationTarget;
};

/**
 * Thumbs and comments of everyone. A thumb without a comment is the user's latest opinion: another thumb changes it, and a comment joins
 * it. A comment is sent only with a thumb.
 */
export const Annotations = ({ recordId, writes, on }: AnnotationsProps) => {
  const { data: all, error } = useQuery(apiData('listAnnotations', recordId));
  const key = targetKey(on ?? {});
  const data = on ? all?.filter((annotation) => targetKey(annotation) === key) : all;
  const { data: threads = [] } = useQuery(apiList('listThreads', recordId));
  const hidden = usePendingDeletions();
  const me = useMe().user;
  const may = useMay();
  const field = useRef<HTMLTextAreaElement>(null);
  /** Whether a comment was not sent because it has no thumb. */
  const [asks, setAsks] = useState(false);
  const answer = useRef<boolean>(undefined);
  const own = data && opinionOf(me.id, data, on);
  const rate = (value: boolean) => {
    const form = field.current?.form;
    if (asks && field.current?.value.trim() && form) {
      answer.current = value;
      form.requestSubmit();
    } else if (own?.rating !== value) writes.rate(recordId, value, on);
    setAsks(false);
  };
  const comment = (text: string) => {
    const rating = answer.current ?? own?.rating;
    answer.current = undefined;
    setAsks(rating === undefined);
    return rating === undefined ? undefined : writes.comment(recordId, { ...on, rating, comment: text });
  };
  useKeys(
    'A record',
    {
      '+': ['Thumbs up', () => rate(true)],
      '-': ['Thumbs down', () => rate(false)],
      c: ['Write a comment', () => field.current?.focus()],
    },
    may.review && data !== undefined,
  );
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={2} />;
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {data
          .filter(({ id }) => !hidden.has(id))
          .map((annotation) => (
            <AnnotationThread
              key={annotation.id}
              annotation={annotation}
              thread={threads.find(({ annotationId }) => annotationId === annotation.id)}
              about={!on && <TargetLink annotation={annotation} />}
              writes={writes}
            />
          ))}
      </ul>
      {may.review && (
        <>
          <fieldset className="flex gap-1" aria-label="Your opinion">
            {thumbs.map(({ value, label, icon: Icon }) => (
              <Button
                key={label}
                aria-pressed={own?.rating === value}
                aria-keyshortcuts={value ? '+' : '-'}
                onClick={() => rate(value)}
                className="aria-pressed:bg-selected"
              >
                <Icon size={14} aria-hidden /> {label}
              </Button>
            ))}
          </fieldset>
          {asks && (
            <p role="alert" className="text-sm text-fail">
              Choose thumbs up or thumbs down. The comment is sent with it.
            </p>
          )}
          <Writing
            label="Comment"
            draft={`comment ${recordId} ${key}`}
            action="Comment"
            field={field}
            onSubmit={comment}
          />
        </>
      )}
    </div>
  );
};

type AnnotationThreadProps = {
  annotation: Annotation;
  thread: Thread | undefined;
  /** Target of the annotation, where its place on the page does not show it. */
  about: ReactNode;
  writes: RecordWrites;
};

/** An annotation with its replies. A resolved one is folded. */
const AnnotationThread = ({ annotation, thread, about, writes }: AnnotationThreadProps) => {
  const { id, recordId, userId, rating, comment, createdAt } = annotation;
  const nameOf = useNames();
  const may = useMay();
  const hidden = usePendingDeletions();
  const [isReplying, setReplying] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const replies = thread?.replies.filter((reply) => !hidden.has(reply.id)) ?? [];
  const resolvedAt = thread?.resolvedAt;
  if (resolvedAt && !isUnfolded)
    return (
      <li className="flex items-center gap-2 text-soft">
        <CircleCheck size={14} className="shrink-0 text-pass" aria-hidden />
        <span className="min-w-0 flex-1 truncate">
          Resolved by {nameOf(thread.resolvedByUserId)} <Time at={resolvedAt} />
          {comment && `: ${comment}`}
        </span>
        <Button look="quiet" onClick={() => setUnfolded(true)}>
          Show
        </Button>
      </li>
    );
  return (
    <li className="flex flex-col gap-2">
      <Comment
        id={id}
        what="annotation"
        {...{ userId, createdAt, rating, about, comment }}
        onEdit={(text) => writes.updateAnnotation(recordId, id, { comment: text })}
        onDelete={() =>
          deleteLater(
            id,
            replies.length > 0 ? 'The annotation and its replies are deleted.' : 'The annotation is deleted.',
            () => writes.deleteAnnotation(recordId, id),
          )
        }
        {...(may.review && { onReply: () => setReplying(true) })}
        actions={
          may.review &&
          !isTemporary(id) &&
          (resolvedAt ? (
            <IconButton
              icon={RotateCcw}
              size={12}
              label="Reopen"
              onClick={() => writes.resolve(recordId, id, false)}
            />
          ) : (
            (comment || replies.length > 0) && (
              <IconButton
                icon={CircleCheck}
                size={12}
                label="Resolve"
                onClick={() => {
                  setUnfolded(false);
                  writes.resolve(recordId, id, true);
                }}
              />
            )
          ))
        }
      />
      {(replies.length > 0 || isReplying) && (
        <ul aria-label="Replies" className="ml-2.5 flex flex-col gap-2 border-l pl-4">
          {replies.map((reply) => (
            <li key={reply.id}>
              <Comment
                id={reply.id}
                what="reply"
                userId={reply.userId}
                createdAt={reply.createdAt}
                edited={reply.updatedAt !== null}
                comment={reply.comment}
                onEdit={(text) => writes.updateReply(recordId, reply, text)}
                onDelete={() =>
                  deleteLater(reply.id, 'The reply is deleted.', () => writes.deleteReply(recordId, reply))
                }
              />
            </li>
          ))}
          {isReplying && (
            <li>
              <Writing
                label="Reply"
                draft={`reply ${id}`}
                action="Reply"
                autoFocus
                onSubmit={(text) => writes.reply(recordId, id, text).then(() => setReplying(false))}
                onCancel={() => setReplying(false)}
              />
            </li>
          )}
        </ul>
      )}
    </li>
  );
};
