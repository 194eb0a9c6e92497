import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { type Answer, api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import type { JsonObject } from '../../types.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { countText } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { Page } from '../../ui/page.tsx';
import { Part } from '../../ui/part.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { sayError } from '../../ui/toast.tsx';
import { Value } from '../../ui/value.tsx';

const route = getRouteApi('/app/projects/$projectId/preferences/$preferenceStudyId/compare');

type Pair = NonNullable<Answer<'getNextPreference'>['pair']>;
type Choice = 'left' | 'right' | 'tie';
const choices: { choice: Choice; label: string; key: string; cap: string }[] = [
  { choice: 'left', label: 'Left is better', key: 'ArrowLeft', cap: '←' },
  { choice: 'tie', label: 'Tie', key: 't', cap: 't' },
  { choice: 'right', label: 'Right is better', key: 'ArrowRight', cap: '→' },
];

const Content = ({ title, fields }: { title: string; fields: JsonObject }) => (
  <Part title={title}>
    {Object.entries(fields).map(([name, value]) => (
      <Value key={name} name={name} value={value} path={`/${title}/${name}`} />
    ))}
    {Object.keys(fields).length === 0 && <p className="text-soft">Empty.</p>}
  </Part>
);

/** The next pair, and what a member does with it. A preference brings the next pair; undo brings the last one back. */
const usePairs = (id: string) => {
  const queries = useQueryClient();
  const nextQuery = { ...apiQuery('getNextPreference', id), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };
  const next = useQuery(nextQuery);
  const [comment, setComment] = useState('');
  /** Comments that were sent, by the number of their pair: an undone preference shows its comment again. */
  const sent = useRef(new Map<number, string>());
  const refreshes = [
    keyOf('getPreferenceStudy', id),
    keyOf('getPreferenceResult', id),
    keyOf('listPreferenceComparisons', id),
  ];
  const goOn = () => queries.fetchQuery({ ...nextQuery, staleTime: 0 });
  const submit = useMutation({
    mutationFn: ({ pairNumber, choice }: { pairNumber: number; choice: Choice }) => {
      sent.current.set(pairNumber, comment);
      return api.submitPreference(id, { pairNumber, choice, comment: comment.trim() });
    },
    meta: { refreshes },
    onSuccess: () => {
      setComment('');
      return goOn();
    },
  });
  const undo = useMutation({
    mutationFn: () => api.undoPreference(id),
    meta: { refreshes },
    onSuccess: async (taken) => {
      if (taken.pair) {
        setComment(sent.current.get(taken.pair.number) ?? '');
        queries.setQueryData(nextQuery.queryKey, taken);
      } else {
        // A pair whose record was deleted is not shown again.
        await goOn();
      }
    },
    onError: sayError,
  });
  const pair = next.data?.pair;
  const busy = (submit.isPending && submit.variables.pairNumber === pair?.number) || undo.isPending;
  const canUndo = (next.data?.numOwn ?? 0) > 0 && !busy;
  const choose = (choice: Choice) => {
    if (pair && !busy) submit.mutate({ pairNumber: pair.number, choice });
  };
  const takeBack = () => {
    if (canUndo) undo.mutate();
  };
  return { next, comment, setComment, busy, canUndo, choose, takeBack, error: submit.error };
};

/** Two outputs side by side, without the names of their systems. A key chooses, and the next pair comes. */
export const PreferPage = () => {
  const { projectId, preferenceStudyId: id } = route.useParams();
  const may = useMay();
  const study = useQuery(apiQuery('getPreferenceStudy', id));
  const { next, comment, setComment, busy, canUndo, choose, takeBack, error } = usePairs(id);
  const pair = next.data?.pair;
  const field = useRef<HTMLTextAreaElement>(null);
  useKeys(
    'Compare',
    {
      ...Object.fromEntries(choices.map(({ key, label, choice }) => [key, [label, () => choose(choice)]])),
      c: ['Write a comment', () => field.current?.focus()],
      u: ['Undo your last preference', takeBack],
    },
    may.review,
  );
  return (
    <Page
      crumbs={<QuietLink {...paths.preferences(projectId)}>Side by side</QuietLink>}
      title="Which is better?"
      actions={
        next.data && (
          <>
            <span role="status" className="text-soft">
              {countText(next.data.numOwn)} of {countText(next.data.numPairs)} compared by you
            </span>
            {may.review && (
              <Button disabled={!canUndo} onClick={takeBack} title="Undo your last preference (u)">
                <Undo2 size={14} aria-hidden /> Undo
              </Button>
            )}
          </>
        )
      }
      fill
    >
      {study.data && (
        <p className="px-4 pb-2 text-soft">
          <bdi>{study.data.criterion}</bdi>
        </p>
      )}
      {next.error && <ErrorNote error={next.error} />}
      {error && <ErrorNote error={error} />}
      {next.isPending && <Skeleton lines={10} className="border-t px-4 pt-3" />}
      {next.isSuccess && !pair && (
        <Empty
          title="You have compared all pairs"
          action={may.read && <TextLink {...paths.preference(projectId, id)}>See the result</TextLink>}
        >
          Thank you. Others may still be comparing.
        </Empty>
      )}
      {pair && <PairContents key={pair.number} pair={pair} />}
      {pair && may.review && (
        <ChooseBetter ref={field} comment={comment} onComment={setComment} busy={busy} onChoose={choose} />
      )}
    </Page>
  );
};

/** What the two systems were given and what they wrote. */
const PairContents = ({ pair }: { pair: Pair }) => (
  <section
    className="relative min-h-0 flex-1 overflow-auto"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
    tabIndex={0}
    aria-label={`Pair ${pair.number}`}
  >
    <Content title="Inputs" fields={pair.inputs as JsonObject} />
    <div className="grid md:grid-cols-2 md:divide-x">
      <Content title="Left" fields={pair.left as JsonObject} />
      <Content title="Right" fields={pair.right as JsonObject} />
    </div>
    {Object.keys(pair.expected as JsonObject).length > 0 && (
      <Content title="Expected" fields={pair.expected as JsonObject} />
    )}
  </section>
);

type ChooseBetterProps = {
  /** The field of the comment. */
  ref: Ref<HTMLTextAreaElement>;
  comment: string;
  onComment: (comment: string) => void;
  busy: boolean;
  onChoose: (choice: Choice) => void;
};

/** The comment and the three choices. */
const ChooseBetter = ({ ref, comment, onComment, busy, onChoose }: ChooseBetterProps) => {
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <fieldset aria-label="Your preference" className="flex shrink-0 flex-wrap gap-2 border-t bg-surface p-3">
      <div className="w-full">
        <TextArea
          ref={ref}
          label="Comment"
          hideLabel
          rows={1}
          maxLength={10_000}
          placeholder="Why? Optional: c to write, Esc to leave"
          value={comment}
          onChange={onComment}
          onKeyDown={onKeyDown}
        />
      </div>
      {choices.map(({ choice, label, key, cap }) => (
        <button
          key={choice}
          type="button"
          disabled={busy}
          aria-keyshortcuts={key}
          onClick={() => onChoose(choice)}
          className="h-11 flex-1 rounded-md border bg-surface font-medium hover:bg-hover disabled:opacity-60"
        >
          {label}{' '}
          <span className="max-md:hidden">
            <Kbd>{cap}</Kbd>
          </span>
        </button>
      ))}
    </fieldset>
  );
};
