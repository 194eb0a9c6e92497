import { useQuery } from '@tanstack/react-query';
import { Select } from '../../ui/field.tsx';
import { JudgeShield } from '../judges/corrected-rate.tsx';
import { metricsQuery } from '../metrics/queries.ts';
import { GroupBy } from './group-by.tsx';
import type { GroupsQuery } from './groups.ts';
import { GroupsTable } from './groups-table.tsx';
import { withoutFiltersBy } from './search.ts';

/** The field by which the rows of a search are grouped, and the metric whose pass rate each group has. */
export type Grouped = { group?: string | undefined; rate?: string | undefined };

type GroupRowsByProps = {
  projectId: string;
  groupings: readonly string[];
  grouped: Grouped;
  /** The user is about to choose: what can be chosen is read. */
  onWant?: () => void;
  onChange: (grouped: Grouped) => void;
};

/** Chooses what the rows are grouped by, and the metric whose pass rate each group has. */
export const GroupRowsBy = ({
  projectId,
  groupings,
  onWant,
  grouped: { group = '', rate = '' },
  onChange,
}: GroupRowsByProps) => {
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled: group !== '' });
  return (
    <>
      <GroupBy
        groupings={groupings}
        group={group}
        {...(onWant && { onWant })}
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

type GroupedProps = {
  projectId: string;
  /** What is grouped, such as `Records`. */
  of: string;
  q: string;
  grouped: Grouped & { group: string };
  query: (grouped: GroupsAsked) => GroupsQuery;
  /** What a value is called on the pages, where that differs. */
  nameOf?: (by: string, value: string) => string | undefined;
  onSearch: (q: string) => void;
};

/** What is read of groups: the field, the metric of the rates, and how many rows and groups. */
export type GroupsAsked = { by: string; most: number; rateOf?: string; newest?: number };

/** The groups of the search. Choosing one shows its rows. */
export const GroupedRows = ({
  projectId,
  of,
  q,
  grouped: { group: by, rate },
  query,
  nameOf,
  onSearch,
}: GroupedProps) => {
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled: rate !== undefined });
  return (
    <GroupsTable
      of={of}
      by={by}
      query={(newest) =>
        query({ by, most: 100, ...(rate && { rateOf: rate }), ...(newest !== undefined && { newest }) })
      }
      metric={rate && metrics.find(({ id }) => id === rate)?.name}
      judge={
        rate !== undefined &&
        metrics.some(({ id, evalType }) => id === rate && evalType === 'ai') && (
          <JudgeShield projectId={projectId} metricId={rate} />
        )
      }
      {...(nameOf && { nameOf })}
      onOpen={(words) => onSearch([withoutFiltersBy(q, by), words].filter(Boolean).join(' '))}
    />
  );
};
