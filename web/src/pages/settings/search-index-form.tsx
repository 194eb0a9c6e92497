import { useMutation, useQuery } from '@tanstack/react-query';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, apiQuery, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { ProjectSettings, SearchIndex } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';

/** From here on the API counts no further. */
const mostWaiting = 10_000;

const stateText = ({ active, numWaiting }: SearchIndex): string => {
  if (!active) return 'Records are not indexed: a search reads them one by one.';
  if (numWaiting === 0) return 'All records are in the index.';
  if (numWaiting === 1) return 'One record waits for the index. A search finds it too.';
  const count = `${numWaiting >= mostWaiting ? 'At least ' : ''}${numWaiting.toLocaleString('en')}`;
  return `${count} records wait for the index. A search finds them too, but reads them one by one.`;
};

const choices = [
  { value: 'null', label: 'From the first search on' },
  { value: 'true', label: 'Always' },
  { value: 'false', label: 'Never' },
] as const;
type Choice = (typeof choices)[number]['value'];
const settingOf = { null: null, true: true, false: false };

export const SearchIndexForm = ({ projectId, stored }: { projectId: string; stored: ProjectSettings }) => {
  const may = useMay();
  const index = useQuery(apiQuery('getSearchIndex', projectId));
  const save = useMutation({
    mutationFn: (choice: Choice) =>
      api.updateProjectSettings(projectId, { searchIndex: settingOf[choice] }, { ifMatch: etagOf(stored) }),
    meta: { refreshes: [keyOf('getProjectSettings', projectId), keyOf('getSearchIndex', projectId)] },
  });
  return (
    <div className="flex max-w-2xl flex-col gap-3">
      <Select
        label="Index records for search"
        hint="The index takes about half of the processor time of new records, and makes searches of many records fast."
        disabled={!may.administerProject || save.isPending}
        options={choices}
        value={String(stored.searchIndex) as Choice}
        onChange={(choice) => save.mutate(choice)}
      />
      {index.data && (
        <p role="status" className="text-soft">
          {stateText(index.data)}
        </p>
      )}
      {save.error && <ErrorNote error={save.error} />}
    </div>
  );
};
