import { useQuery } from '@tanstack/react-query';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { GroupBy } from '../../resources/search/group-by.tsx';
import { GroupsTable } from '../../resources/search/groups-table.tsx';
import { withoutFiltersBy } from '../../resources/search/search.ts';
import { Select } from '../../ui/field.tsx';
import { groupsQuery } from './use-groups.ts';

/** The field by which the records are grouped, and the metric whose pass rate each group has. */
export type Grouped = { group?: string | undefined; rate?: string | undefined };

type GroupRecordsByProps = {
  projectId: string;
  groupings: readonly string[];
  grouped: Grouped;
  /** The user is about to choose: what can be chosen is read. */
  onWant: () => void;
  onChange: (grouped: Grouped) => void;
};

/** Chooses what the records are grouped by, and the metric whose pass rate each group has. */
export const GroupRecordsBy = ({
  projectId,
  groupings,
  onWant,
  grouped: { group = '', rate = '' },
  onChange,
}: GroupRecordsByProps) => {
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled: group !== '' });
  return (
    <>
      <GroupBy
        groupings={groupings}
        group={group}
        onWant={onWant}
        onChange={(by) => onChange({ group: by, rate: by ? rate || undefined : undefined })}
      />
      {group && (
        <div className="w-40">
          <Select
            label="Pass rate of"
            hideLabel
            value={rate}
            onChange={(id) => onChange({ group, rate: id || undefined })}
            options={[
              { value: '', label: 'Pass rate of…' },
              ...metrics.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </div>
      )}
    </>
  );
};

type GroupedRecordsProps = {
  projectId: string;
  q: string;
  grouped: Grouped & { group: string };
  onSearch: (q: string) => void;
};

/** The groups of the search. Choosing one shows its records. */
export const GroupedRecords = ({ projectId, q, grouped: { group, rate }, onSearch }: GroupedRecordsProps) => {
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled: rate !== undefined });
  return (
    <GroupsTable
      of="Records"
      by={group}
      query={(newest) => groupsQuery(projectId, group, q, { rateOf: rate, most: 100, newest })}
      metric={rate && metrics.find(({ id }) => id === rate)?.name}
      onOpen={(words) => onSearch([withoutFiltersBy(q, group), words].filter(Boolean).join(' '))}
    />
  );
};
