import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Select } from '../../ui/field.tsx';

/** The number of a snapshot, and a split; empty for the testset as it is, and for all of it. */
export type Part = { snapshot?: string; split?: string };

type ChoosePartProps = {
  testsetId: string;
  part: Part;
  /** Whether Dokima calls the system: records that a client sends are about the testset as it is. */
  isCalled: boolean;
  set: (change: Part) => void;
};

/** Chooses a split and a snapshot, of a testset that has some. */
export const ChoosePart = ({ testsetId, part, isCalled, set }: ChoosePartProps) => {
  const { data: counts } = useQuery(apiQuery('getTestsetCounts', testsetId));
  const { data: snapshots } = useQuery(apiQuery('listSnapshots', testsetId, { limit: 100 }));
  const splits = counts?.splits ?? [];
  const older = (snapshots?.data ?? []).filter(({ current }) => !current);
  return (
    <div className="mt-2 flex flex-wrap gap-3">
      {splits.length > 0 && (
        <div className="w-56">
          <Select
            label="Split"
            value={part.split ?? ''}
            onChange={(split) => set({ split })}
            options={[
              { value: '', label: 'All testcases' },
              ...splits.map(({ split, numTestcases }) => ({
                value: split,
                label: `${split} (${numTestcases.toLocaleString('en')})`,
              })),
            ]}
          />
        </div>
      )}
      {isCalled && older.length > 0 && (
        <div className="w-72">
          <Select
            label="Snapshot"
            value={part.snapshot ?? ''}
            onChange={(snapshot) => set({ snapshot })}
            options={[
              { value: '', label: 'The testset as it is' },
              ...older.map(({ number, name, numTestcases }) => ({
                value: String(number),
                label: `${number}${name === '' ? '' : ` (${name})`}: ${numTestcases.toLocaleString('en')} testcases`,
              })),
            ]}
          />
        </div>
      )}
    </div>
  );
};

/** The part as a body of the API has it. */
export const partOf = ({ snapshot, split }: Part): { snapshot?: number; split?: string } => ({
  ...(snapshot && { snapshot: Number(snapshot) }),
  ...(split && { split }),
});
