import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { ManagedTable, NameCell, type RowForm, type TableColumn } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { LastResult } from '../../resources/runs/last-result.tsx';
import { type Result, useLatestResults } from '../../resources/runs/latest-results.ts';
import { ResultTrend, UsedBy } from '../../resources/runs/result-trend.tsx';
import { useMay } from '../../resources/session/me.ts';
import { useOwners } from '../../resources/session/owners.ts';
import { testsetDetailsQuery } from '../../resources/testsets/queries.ts';
import type { ListedTestset, Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countText } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';
import { ImportDialog } from './import-dialog.tsx';

const route = getRouteApi('/app/projects/$projectId/testsets');

/** Names that are separated by commas. */
const namesIn = (text: string): string[] =>
  [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean);

type NewTestsetProps = RowForm<ListedTestset> & { projectId: string; onDone: (testset: Testset) => void };

const NewTestset = ({ projectId, dialog, saving, onDone }: NewTestsetProps) => {
  const { values, fieldsOf } = useFields({
    name: '',
    description: '',
    inputs: 'question',
    expected: 'answer',
  });
  const create = useMutation({
    mutationFn: () => {
      const { name, description, inputs, expected } = values;
      const fieldMapping = { inputs: namesIn(inputs), expected: namesIn(expected), metadata: [] };
      const names = [...fieldMapping.inputs, ...fieldMapping.expected];
      const properties = Object.fromEntries(names.map((field) => [field, {}]));
      return api.createTestset(projectId, {
        name,
        description,
        fieldMapping,
        jsonSchema: { type: 'object', properties },
      });
    },
    meta: saving.meta,
    onSuccess: onDone,
  });
  const field = fieldsOf(create.error);
  return (
    <FormDialog
      {...dialog}
      description="It starts without testcases. Its fields can be changed on its page."
      write={create}
    >
      <Input label="Name" required {...field('name')} />
      <Input label="Description" {...field('description')} />
      <Input label="What the system gets" hint="Names of fields, separated by commas." {...field('inputs')} />
      <Input label="What it should answer" {...field('expected')} />
    </FormDialog>
  );
};

const look = 'max-w-56 truncate font-mono text-sm text-soft';

const columnsOf = (
  projectId: string,
  results: readonly Result[] | undefined,
): TableColumn<ListedTestset>[] => [
  {
    head: 'Testset',
    cell: (testset) => (
      <NameCell of={testset} to={paths.testset(projectId, testset.id)}>
        {testset.description}
      </NameCell>
    ),
  },
  {
    head: 'Testcases',
    className: 'tabular-nums',
    cell: ({ numTestcases }) => countText(numTestcases),
  },
  {
    head: 'Last result',
    cell: ({ id }) => (
      <LastResult projectId={projectId} results={results?.filter(({ testsetId }) => testsetId === id)} />
    ),
  },
  {
    head: 'Trend',
    cell: ({ id }) => <ResultTrend results={results?.filter(({ testsetId }) => testsetId === id)} />,
  },
  {
    head: 'Used by',
    cell: ({ id }) => <UsedBy results={results?.filter(({ testsetId }) => testsetId === id)} />,
  },
  {
    head: 'Fields',
    className: look,
    cell: ({ fieldMapping: { inputs, expected } }) => (
      <span title={[...inputs, ...expected].join(', ')}>
        {inputs.join(', ')}
        {expected.length > 0 && ` → ${expected.join(', ')}`}
      </span>
    ),
  },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export const TestsetsPage = () => {
  const { projectId } = route.useParams();
  const navigate = useNavigate();
  const [isImporting, setImporting] = useState(false);
  const results = useLatestResults(projectId);
  const go = (testset: { id: string }) => void navigate(paths.testset(projectId, testset.id));
  return (
    <ManagedTable
      title="Testsets"
      term="testcase"
      noun="testset"
      list={testsetDetailsQuery(projectId)}
      may={useMay().write}
      create={
        <Button look="primary" onClick={() => setImporting(true)}>
          <Upload size={14} aria-hidden /> Import
        </Button>
      }
      empty="A testset is a table of cases for your system, with the expected results. Import a file, paste cells from a spreadsheet, or create one and let a model write drafts."
      page={({ id }) => paths.testset(projectId, id)}
      columns={columnsOf(projectId, results)}
      owners={useOwners(projectId, 'testsets')}
      fixed
      form={(form) => <NewTestset projectId={projectId} onDone={go} {...form} />}
    >
      <ImportDialog
        projectId={projectId}
        open={isImporting}
        onClose={() => setImporting(false)}
        onDone={({ testset, runId }) => {
          if (runId) void navigate(paths.run(projectId, runId));
          else go(testset);
        }}
      />
    </ManagedTable>
  );
};
