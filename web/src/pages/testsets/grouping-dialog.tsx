import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, apiQuery } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import type { Testset } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';

/** Chooses the grouping field: testcases with the same value in it, such as the same document, depend on each other. */
export const GroupingDialog = ({ testset, onClose }: { testset: Testset; onClose: () => void }) => {
  const query = apiQuery('getTestsetSettings', testset.id);
  const { data } = useQuery(query);
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<string>();
  const field = chosen ?? data?.groupingField ?? '';
  const { inputs, expected, metadata } = testset.fieldMapping;
  const fields = [
    ...new Set([...metadata, ...inputs, ...expected, ...(data?.groupingField ? [data.groupingField] : [])]),
  ];
  const save = useMutation({
    mutationFn: async () => {
      const now = requireAsRead(await api.getTestsetSettings(testset.id), data!, ['groupingField']);
      return api.updateTestsetSettings(
        testset.id,
        { groupingField: field || null },
        { ifMatch: etagOf(now) },
      );
    },
    onSuccess: (changed) => {
      queries.setQueryData(query.queryKey, changed);
      for (const name of ['summarizeRun', 'compareRuns', 'listTrends'])
        void queries.invalidateQueries({ queryKey: [name] });
      say('Saved. From now on, intervals count groups.');
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Grouping of testcases"
      description="Ten questions about one document are not ten independent facts. With a grouping field, intervals and comparisons count groups. Intervals are often two to three times as wide. Choose it before you look at results."
      write={save}
      action="Save"
      disabled={!data}
    >
      <Select
        label="Testcases that share this field form a group"
        value={field}
        options={[
          { value: '', label: 'No groups: testcases are independent' },
          ...fields.map((name) => ({ value: name, label: name })),
        ]}
        onChange={setChosen}
      />
    </FormDialog>
  );
};
