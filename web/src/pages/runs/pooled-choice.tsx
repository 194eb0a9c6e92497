import { useInfiniteQuery } from '@tanstack/react-query';
import { Layers } from 'lucide-react';
import { runsQuery } from '../../resources/runs/queries.ts';
import type { RunDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Menu, MenuCheck, MenuLabel } from '../../ui/menu.tsx';

/** Returns the further runs of the baseline that an address names, such as `11,10`. */
export const readPooled = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? [];

type PooledChoiceProps = {
  projectId: string;
  /** The first of the runs that are compared. */
  baseline: RunDetail | undefined;
  /** The runs that are compared. */
  runIds: readonly string[];
  pooled: readonly string[];
  onChange: (pooled: readonly string[]) => void;
};

/** Chooses further runs of the baseline, whose scores count as its trials: more trials find smaller differences. */
export const PooledChoice = ({ baseline, pooled, ...props }: PooledChoiceProps) =>
  // Without a testset, or an unknown version, no run is a repetition of another.
  baseline?.testsetId && baseline.systemVersionId ? (
    <Menu
      trigger={
        <Button>
          <Layers size={14} aria-hidden />
          {pooled.length === 0 ? 'Pool the baseline' : `Baseline of ${countOf(pooled.length + 1, 'run')}`}
        </Button>
      }
    >
      <Repetitions baseline={baseline} pooled={pooled} {...props} />
    </Menu>
  ) : null;

const Repetitions = ({
  projectId,
  baseline,
  runIds,
  pooled,
  onChange,
}: PooledChoiceProps & { baseline: RunDetail }) => {
  const { data } = useInfiniteQuery(runsQuery(projectId, { testset: baseline.testsetId! }));
  const repetitions = data?.pages
    .flatMap((page) => page.data)
    .filter(
      ({ id, systemVersionId }) => systemVersionId === baseline.systemVersionId && !runIds.includes(id),
    );
  return (
    <>
      <MenuLabel>
        {repetitions?.length === 0
          ? `No other run of the testset has the version of run ${baseline.id}.`
          : `Runs of the version of run ${baseline.id}: their scores count as its trials`}
      </MenuLabel>
      {repetitions?.map(({ id, name }) => (
        <MenuCheck
          key={id}
          checked={pooled.includes(id)}
          onChange={(isChosen) =>
            onChange(isChosen ? [...pooled, id] : pooled.filter((other) => other !== id))
          }
        >
          Run {id}
          {name && ` · ${name}`}
        </MenuCheck>
      ))}
    </>
  );
};

/** Says which runs count as trials of the baseline. */
export const PooledNote = ({
  baseline,
  pooled,
}: {
  baseline: string;
  pooled: readonly string[] | undefined;
}) =>
  pooled && pooled.length > 0 ? (
    <p className="mb-4 text-sm text-soft">
      Scores of {pooled.length === 1 ? 'run' : 'runs'} {pooled.join(', ')} count as further trials of run{' '}
      {baseline}.
    </p>
  ) : null;
