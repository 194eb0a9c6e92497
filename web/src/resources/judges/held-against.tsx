import type { Metric } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useNamePeople } from './people.ts';

type Props = {
  projectId: string;
  judge: Metric;
  /** Metrics that people score. */
  people: readonly Metric[];
  peopleMetricId: string | null;
  disabled?: boolean;
};

/** Chooses the human metric whose scores are the truth about a judge. */
export const HeldAgainst = ({ projectId, judge, people, peopleMetricId, disabled = false }: Props) => {
  const name = useNamePeople(projectId, judge, peopleMetricId);
  return (
    <div className="w-64">
      <Select
        label="Held against"
        disabled={disabled || name.isPending}
        value={peopleMetricId ?? ''}
        options={[
          ...(peopleMetricId === null ? [{ value: '', label: 'Not chosen' }] : []),
          ...people.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(id) => {
          const chosen = people.find((one) => one.id === id);
          if (chosen) name.mutate(chosen);
        }}
      />
      {name.error && <ErrorNote error={name.error} />}
    </div>
  );
};
