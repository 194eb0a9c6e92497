import { useQuery } from '@tanstack/react-query';
import { runSearchKeys } from '../../../../client/src/search-keys.ts';
import { apiQuery } from '../../api.ts';
import type { RunsSearch } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { statusNames } from '../../resources/runs/status.tsx';
import { FilterButton, type useFilterPanel } from '../../resources/search/filter-panel.tsx';
import { GroupRowsBy, type GroupsAsked } from '../../resources/search/grouped.tsx';
import type { GroupsQuery } from '../../resources/search/groups.ts';
import { SearchBar } from '../../resources/search/search-bar.tsx';
import type { ListedRun } from '../../types.ts';
import { optionsOf, Select } from '../../ui/field.tsx';

/** Columns to sort by, beside the metrics. */
export const sortings = { '': 'Newest first', name: 'Name', status: 'Status' } as const;

/** The kinds to choose. The traces of a day are not an evaluation: without a choice they are shown only if there are no evaluations. */
const kinds = {
  '': 'Evaluations',
  traces: 'Traces of a day',
  trial: 'Trials of judges',
  any: 'Any kind',
} as const;

/** What runs are filtered and grouped by. */
export const runGroupings = [
  'testset',
  'status',
  'system',
  'version',
  'tag',
  'mark',
  'outcome',
  'metric',
  'origin',
];

/** The kind that the service is asked for; undefined for any. */
export const kindOf = (kind: string | undefined): ListedRun['kind'] | undefined =>
  kind === 'any' ? undefined : ((kind || 'evaluation') as ListedRun['kind']);

/** Reads the groups of a search by a field. */
export const runGroupsQuery = (
  projectId: string,
  { q, kind }: Pick<RunsSearch, 'q' | 'kind'>,
  asked: GroupsAsked,
): GroupsQuery => ({
  ...apiQuery('groupProjectRuns', projectId, { ...asked, kind: kindOf(kind), ...(q && { q }) }),
  staleTime: 15_000,
});

/** A status as the table calls it. */
export const nameOfValue = (by: string, value: string): string | undefined =>
  by === 'status' ? statusNames[value as keyof typeof statusNames] : undefined;

type ToolbarProps = {
  projectId: string;
  search: RunsSearch;
  set: (change: RunsSearch) => void;
  panel: ReturnType<typeof useFilterPanel>;
  problems: readonly string[];
};

/** The search, the kind, the groups and the order of the runs. */
export const RunsToolbar = ({ projectId, search, set, panel, problems }: ToolbarProps) => {
  const { q = '', kind = '', sort = '', group, rate } = search;
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  return (
    <>
      <FilterButton panel={panel} />
      <SearchBar
        q={q}
        onSearch={(next) => set({ q: next })}
        projectId={projectId}
        of="runs"
        placeholder="Name, notes, or testset:Mails tag:nightly status:completed"
        known={{ keys: runSearchKeys, fields: [], sorts: [] }}
        problems={problems}
      />
      <div className="w-36">
        <Select
          label="Kind"
          hideLabel
          value={kind}
          onChange={(value) => set({ kind: value })}
          options={optionsOf(kinds)}
        />
      </div>
      <GroupRowsBy
        projectId={projectId}
        groupings={runGroupings}
        grouped={{ group, rate }}
        onChange={(next) => set({ group: next.group ?? '', rate: next.rate ?? '' })}
      />
      <div className="w-40">
        <Select
          label="Sort by"
          hideLabel
          value={sort}
          onChange={(value) => set({ sort: value })}
          options={[
            ...optionsOf(sortings),
            ...metrics.map(({ id, name }) => ({ value: id, label: `Best ${name}` })),
          ]}
        />
      </div>
    </>
  );
};
