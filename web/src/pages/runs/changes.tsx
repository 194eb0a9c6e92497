import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { apiPages } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chips.tsx';
import { listKeys, useKeys } from '../../ui/keys.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';
import { type CardSide, ChangeCard } from './change-card.tsx';
import type { Compared } from './compared-facts.tsx';
import type { Move } from './compared-labels.tsx';
import { type Measure, wordsFor } from './compared-words.ts';

/** Few per page: each change is shown with both its records. */
const changesPage = 10;

const kinds = {
  changed: { change: ['better', 'worse'], order: 'worst' },
  worse: { change: ['worse'], order: 'worst' },
  better: { change: ['better'], order: 'best' },
  same: { change: ['same'], order: 'testcase' },
} as const;
type Kind = keyof typeof kinds;

/** Writes the score of one side. With a single trial there is no share, only pass or fail. */
const sideText = (metric: Compared, measure: Measure) => {
  const words = wordsFor(metric.outputType, measure, metric.n);
  return (side: CardSide): string => {
    if (!words.isShare || side?.trials !== 1) return words.value(side?.mean ?? null);
    return side.mean === 1 ? 'Pass' : 'Fail';
  };
};

type ChangesProps = {
  projectId: string;
  before: string;
  after: string;
  metric: Compared;
  measure: Measure;
  /** Only testcases that moved from one label to another. */
  move: Move | undefined;
  onMove: (move: Move | undefined) => void;
};

const changesQuery = ({
  before,
  after,
  metric,
  measure,
  move,
  kind,
}: Omit<ChangesProps, 'projectId' | 'onMove'> & { kind: Kind }) => {
  const { change, order } = kinds[kind];
  return apiPages('listChangedTestcases', {
    runs: [before, after],
    metricId: metric.metricId,
    measure,
    ...(move ? { labelBefore: move.from, labelAfter: move.to } : { change: [...change] }),
    order,
    limit: changesPage,
    records: true,
  });
};

/** Brings the list into view when a move is chosen: the table of moves is above, often by more than a screen. */
const useInView = (move: Move | undefined) => {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (move) top.current?.scrollIntoView({ block: 'center' });
  }, [move]);
  return top;
};

/** The testcases of two runs by how their score of one metric changed, the largest losses first. */
export const Changes = ({ projectId, before, after, metric, measure, move, onMove }: ChangesProps) => {
  const [kind, setKind] = useState<Kind>('changed');
  const list = useInfiniteQuery(changesQuery({ before, after, metric, measure, move, kind }));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string>();
  const top = useInView(move);
  const changes = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const toggle = (id: string) => setOpen(toggled(open, id));
  useKeys('Changes', {
    ...listKeys({
      what: 'testcase',
      opening: 'Open or close',
      step: (by) => {
        const place = changes.findIndex(({ id }) => id === focused) + by;
        setFocused(changes[Math.max(0, Math.min(changes.length - 1, place))]?.id);
      },
      open: () => focused !== undefined && toggle(focused),
    }),
    w: ['Only worse', () => setKind('worse')],
    b: ['Only better', () => setKind('better')],
    a: ['All that changed', () => setKind('changed')],
  });
  return (
    <Section
      title={
        <>
          Testcases by <bdi>{metric.metricName}</bdi>, run {after} against run {before}
        </>
      }
    >
      <div ref={top} className="mb-3">
        <Which metric={metric} kind={kind} onChoose={setKind} move={move} onMove={onMove} />
      </div>
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={6} />}
      {list.isSuccess && changes.length === 0 && (
        <p className="text-soft">{kind === 'changed' ? 'No testcase has changed.' : 'None.'}</p>
      )}
      <ul className="flex flex-col gap-3">
        {changes.map((each) => (
          <ChangeCard
            key={each.id}
            projectId={projectId}
            change={each}
            before={before}
            after={after}
            configIds={metric.metricConfigIds}
            value={sideText(metric, measure)}
            isOpen={open.has(each.id)}
            isFocused={each.id === focused}
            onToggle={() => {
              setFocused(each.id);
              toggle(each.id);
            }}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          More
        </Button>
      )}
    </Section>
  );
};

/** Which testcases are listed: those that moved between two labels, or a kind of change. */
const Which = ({ move, onMove, ...kinds }: KindChipsProps & Pick<ChangesProps, 'move' | 'onMove'>) =>
  move ? (
    <Chip pressed onClick={() => onMove(undefined)}>
      From <bdi>{move.from}</bdi> to <bdi>{move.to}</bdi> <X size={14} aria-label="Show all changes" />
    </Chip>
  ) : (
    <KindChips {...kinds} />
  );

type KindChipsProps = { metric: Compared; kind: Kind; onChoose: (kind: Kind) => void };

const KindChips = ({ metric, kind, onChoose }: KindChipsProps) => (
  <Chips
    label="Testcases"
    value={kind}
    onChange={onChoose}
    options={[
      { value: 'changed', label: 'Changed', count: metric.wins + metric.losses },
      { value: 'worse', label: 'Worse', count: metric.losses },
      { value: 'better', label: 'Better', count: metric.wins },
      { value: 'same', label: 'Same', count: metric.ties },
    ]}
  />
);
