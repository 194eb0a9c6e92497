import { useQuery } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { apiData, apiList } from '../../api.ts';
import type { Annotation } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { membersQuery, useMay, useMe } from '../session/me.ts';
import { AnnotationThread } from './annotation-thread.tsx';
import { opinionOf } from './annotation-writes.ts';
import { Writing } from './comment.tsx';
import { usePendingDeletions } from './pending-deletions.ts';
import { type AnnotationTarget, targetKey } from './target.ts';
import { TargetLink } from './target-link.tsx';
import type { RecordWrites } from './use-record-writes.ts';

const thumbs = [
  { value: true, label: 'Thumbs up', icon: ThumbsUp },
  { value: false, label: 'Thumbs down', icon: ThumbsDown },
];

type ThumbsProps = { rating: boolean | null | undefined; onRate: (rating: boolean) => void };

const Thumbs = ({ rating, onRate }: ThumbsProps) => (
  <fieldset className="flex gap-1" aria-label="Your opinion">
    {thumbs.map(({ value, label, icon: Icon }) => (
      <Button
        key={label}
        aria-pressed={rating === value}
        aria-keyshortcuts={value ? '+' : '-'}
        onClick={() => onRate(value)}
        className="aria-pressed:bg-selected"
      >
        <Icon size={14} aria-hidden /> {label}
      </Button>
    ))}
  </fieldset>
);

type AnnotationsProps = {
  recordId: string;
  writes: RecordWrites;
  /**
   * A span or a passage: only its annotations are shown, and new ones belong to it. Undefined: the record with all of its
   * annotations.
   */
  on?: AnnotationTarget;
};

type OpinionProps = {
  recordId: string;
  data: readonly Annotation[] | undefined;
  writes: RecordWrites;
  on: AnnotationTarget | undefined;
};

/** The user's thumb and comment. A comment waits for a thumb and is sent with it. */
const useOpinion = ({ recordId, data, writes, on }: OpinionProps) => {
  const me = useMe().user;
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
  return { field, own, asks, rate, comment };
};

/**
 * Thumbs and comments of everyone. A thumb without a comment is the user's latest opinion: another thumb changes it, and a comment joins
 * it. A comment is sent only with a thumb.
 */
export const Annotations = ({ recordId, writes, on }: AnnotationsProps) => {
  const { data: all, error } = useQuery(apiData('listAnnotations', recordId));
  const key = targetKey(on ?? {});
  const data = on ? all?.filter((annotation) => targetKey(annotation) === key) : all;
  const { data: threads = [], isLoading: areThreadsLoading } = useQuery(apiList('listThreads', recordId));
  const hidden = usePendingDeletions();
  const may = useMay();
  // With the names of the authors, whose lines would otherwise change their height.
  const { isLoading: areNamesLoading } = useQuery({
    ...membersQuery,
    enabled: may.read && data !== undefined && data.length > 0,
  });
  const { field, own, asks, rate, comment } = useOpinion({ recordId, data, writes, on });
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
  if (!data || areThreadsLoading || areNamesLoading) return <Skeleton lines={2} />;
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
          <Thumbs rating={own?.rating} onRate={rate} />
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
