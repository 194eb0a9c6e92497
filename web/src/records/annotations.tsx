import { useQuery } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp, Trash2 } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useMay, useMe, useNames } from '../session/who.ts';
import { type AnnotationTarget, targetKey } from '../traces/target.ts';
import { TargetLink } from '../traces/target-link.tsx';
import type { Annotation } from '../types.ts';
import { Avatar, Time } from '../ui/bits.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { useKeys } from '../ui/keys.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { annotationsQuery } from './queries.ts';
import type { RecordWrites } from './use-record-writes.ts';

/** What is being written about something outlives a look at something else. */
const drafts = new Map<string, string>();

type AnnotationsProps = {
  recordId: string;
  writes: RecordWrites;
  /** A span or a passage: only what was said of it is shown, and what is written is on it. None: the record with all in it. */
  on?: AnnotationTarget;
};

/** Thumbs and comments of everybody. A thumb without a word is one's own latest opinion, so it changes instead of piling up. */
export const Annotations = ({ recordId, writes, on }: AnnotationsProps) => {
  const { data: all, error } = useQuery(annotationsQuery(recordId));
  const key = `${recordId} ${targetKey(on ?? {})}`;
  const isOnIt = (annotation: Annotation) => targetKey(annotation) === targetKey(on ?? {});
  const data = on ? all?.filter(isOnIt) : all;
  const me = useMe().user;
  const may = useMay();
  const field = useRef<HTMLTextAreaElement>(null);
  const [comment, setComment] = useState(drafts.get(key) ?? '');
  const [rating, setRating] = useState(true);
  const write = (text: string) => {
    drafts.set(key, text);
    setComment(text);
  };
  const own = data?.findLast(
    (annotation) => annotation.userId === me.id && annotation.comment === '' && isOnIt(annotation),
  );
  const rate = (value: boolean) => {
    if (own?.rating === value) return;
    void (
      own
        ? writes.updateAnnotation(recordId, own, { rating: value })
        : writes.annotate(recordId, { ...on, rating: value })
    ).catch(() => {});
  };
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (!comment.trim()) return;
    // A refused comment stays in the field.
    await writes.annotate(recordId, { ...on, rating, comment: comment.trim() }).then(
      () => write(''),
      () => {},
    );
  };
  useKeys(
    {
      '+': () => rate(true),
      '-': () => rate(false),
      c: () => field.current?.focus(),
    },
    may.write && data !== undefined,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit();
    if (event.key === 'Escape') {
      event.preventDefault();
      field.current?.blur();
    }
  };
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={2} />;
  const thumbs = [
    { value: true, label: 'Thumbs up', icon: ThumbsUp },
    { value: false, label: 'Thumbs down', icon: ThumbsDown },
  ];
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-2">
        {data.map((annotation) => (
          <Comment
            key={annotation.id}
            annotation={annotation}
            {...(!on && { about: <TargetLink annotation={annotation} /> })}
            {...(may.write &&
              (annotation.userId === me.id || may.administer) && {
                onDelete: () => writes.deleteAnnotation(recordId, annotation.id),
              })}
          />
        ))}
      </ul>
      {may.write && (
        <>
          <fieldset className="flex gap-1" aria-label="Your opinion">
            {thumbs.map(({ value, label, icon: Icon }) => (
              <Button
                key={label}
                aria-pressed={own?.rating === value}
                onClick={() => rate(value)}
                className="aria-pressed:bg-selected"
              >
                <Icon size={14} aria-hidden /> {label}
              </Button>
            ))}
          </fieldset>
          <form onSubmit={submit} className="flex flex-col gap-2">
            <TextArea
              ref={field}
              label="Comment"
              hideLabel
              rows={2}
              placeholder="Comment"
              value={comment}
              onChange={(event) => write(event.target.value)}
              onKeyDown={onKeyDown}
            />
            {comment.trim() && (
              <div className="flex items-center justify-end gap-3">
                {thumbs.map(({ value, label }) => (
                  <label key={label} className="flex items-center gap-1">
                    <input
                      type="radio"
                      name="rating"
                      checked={rating === value}
                      onChange={() => setRating(value)}
                    />
                    {label}
                  </label>
                ))}
                <Button type="submit" look="primary">
                  Comment
                </Button>
              </div>
            )}
          </form>
        </>
      )}
    </div>
  );
};

type CommentProps = {
  annotation: Annotation;
  /** What it is on, where that is not plain from where it stands. */
  about?: ReactNode;
  onDelete?: () => void;
};

const Comment = ({ annotation, about, onDelete }: CommentProps) => {
  const nameOf = useNames();
  const name = nameOf(annotation.userId);
  const Thumb = annotation.rating ? ThumbsUp : ThumbsDown;
  return (
    <li className="group flex gap-2">
      <Avatar name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <span className="font-medium">{name}</span>
          <Thumb
            size={12}
            className={annotation.rating ? 'text-pass' : 'text-fail'}
            aria-label={annotation.rating ? 'thumbs up' : 'thumbs down'}
          />
          <span className="text-sm text-soft">
            <Time at={annotation.createdAt} />
          </span>
          {onDelete && (
            <IconButton label="Delete this annotation" onClick={onDelete} className="-my-1 ml-auto">
              <Trash2 size={12} />
            </IconButton>
          )}
        </div>
        {about}
        {annotation.comment && (
          <p className="break-words whitespace-pre-wrap" dir="auto">
            {annotation.comment}
          </p>
        )}
      </div>
    </li>
  );
};
