import { CircleCheck, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Annotation, Reply, Thread } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { useMay, useNames } from '../session/me.ts';
import { isTemporary } from './annotation-writes.ts';
import { Comment, Writing } from './comment.tsx';
import { deleteLater, usePendingDeletions } from './pending-deletions.ts';
import type { RecordWrites } from './use-record-writes.ts';

type AnnotationThreadProps = {
  annotation: Annotation;
  thread: Thread | undefined;
  /** Target of the annotation, where its place on the page does not show it. */
  about: ReactNode;
  writes: RecordWrites;
};

/** An annotation with its replies. A resolved one is folded. */
export const AnnotationThread = ({ annotation, thread, about, writes }: AnnotationThreadProps) => {
  const { id, recordId, userId, madeBy, rating, comment, createdAt } = annotation;
  const may = useMay();
  const hidden = usePendingDeletions();
  const [isReplying, setReplying] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const replies = thread?.replies.filter((reply) => !hidden.has(reply.id)) ?? [];
  const resolvedAt = thread?.resolvedAt;
  if (resolvedAt && !isUnfolded)
    return (
      <ResolvedThread thread={thread} at={resolvedAt} comment={comment} onShow={() => setUnfolded(true)} />
    );
  return (
    <li className="flex flex-col gap-2">
      <Comment
        id={id}
        what="annotation"
        userId={userId}
        madeBy={madeBy}
        createdAt={createdAt}
        rating={rating}
        about={about}
        comment={comment}
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
          !isTemporary(id) && (
            <ResolveButton
              isResolved={Boolean(resolvedAt)}
              canResolve={Boolean(comment) || replies.length > 0}
              onResolve={(isResolved) => {
                if (isResolved) setUnfolded(false);
                writes.resolve(recordId, id, isResolved);
              }}
            />
          )
        }
      />
      {(replies.length > 0 || isReplying) && (
        <ul aria-label="Replies" className="ml-3 flex flex-col gap-2 border-l pl-4">
          {replies.map((reply) => (
            <ReplyItem key={reply.id} reply={reply} recordId={recordId} writes={writes} />
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

type ResolveButtonProps = {
  isResolved: boolean;
  canResolve: boolean;
  onResolve: (isResolved: boolean) => void;
};

const ResolveButton = ({ isResolved, canResolve, onResolve }: ResolveButtonProps) => {
  if (isResolved)
    return <IconButton icon={RotateCcw} size={12} label="Reopen" onClick={() => onResolve(false)} />;
  if (!canResolve) return null;
  return <IconButton icon={CircleCheck} size={12} label="Resolve" onClick={() => onResolve(true)} />;
};

type ReplyItemProps = { reply: Reply; recordId: string; writes: RecordWrites };

const ReplyItem = ({ reply, recordId, writes }: ReplyItemProps) => (
  <li>
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
);

type ResolvedThreadProps = { thread: Thread; at: string; comment: string; onShow: () => void };

const ResolvedThread = ({ thread, at, comment, onShow }: ResolvedThreadProps) => {
  const nameOf = useNames();
  return (
    <li className="flex items-center gap-2 text-soft">
      <CircleCheck size={14} className="shrink-0 text-pass" aria-hidden />
      <span className="min-w-0 flex-1 truncate">
        Resolved by {nameOf(thread.resolvedByUserId)} <Time at={at} />
        {comment && `: ${comment}`}
      </span>
      <Button look="quiet" onClick={onShow}>
        Show
      </Button>
    </li>
  );
};
