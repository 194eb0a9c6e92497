import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { MetricChoice } from '../metrics/metric-choice.tsx';
import { metricsQuery } from '../metrics/queries.ts';
import { BudgetField } from '../rescoring/budget-field.tsx';
import { testsetsQuery } from '../testsets/queries.ts';

type RunDialogProps = {
  projectId: string;
  /** One run is started for each. */
  versions: readonly { id: string; name: string }[];
  /** Chosen at first. */
  testsetId?: string;
  metricIds?: readonly string[];
  onClose: () => void;
};

/** Runs versions on a whole testset: one opens its run, several open their comparison. */
export const RunDialog = (props: RunDialogProps) => {
  const { projectId, versions, onClose } = props;
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const [testset, setTestset] = useState(props.testsetId ?? '');
  const [picked, setPicked] = useState<ReadonlySet<string> | undefined>(
    props.metricIds && new Set(props.metricIds),
  );
  const [budget, setBudget] = useState('');
  const navigate = useNavigate();
  const testsetId = testset || (testsets[0]?.id ?? '');
  const chosen = picked ?? new Set(metrics.map(({ id }) => id));
  const metricIds = metrics.map(({ id }) => id).filter((id) => chosen.has(id));
  const start = useMutation({
    mutationFn: async () => {
      const runIds: string[] = [];
      for (const { id, name } of versions) {
        const body = { name: name.slice(0, 200), testsetId, metricIds, systemVersionId: id, execute: true };
        const run = await api.createRun(projectId, {
          ...body,
          ...(budget && { judgeBudgetUsd: Number(budget) }),
        });
        runIds.push(run.id);
      }
      return runIds;
    },
    meta: { refreshes: [keyOf('listRunDetails', projectId)] },
    onSuccess: (runIds) =>
      navigate(runIds.length === 1 ? paths.run(projectId, runIds[0]!) : paths.compare(projectId, runIds)),
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Run on a testset"
      description={
        versions.length === 1
          ? 'Dokima calls the version with each testcase and scores its answers.'
          : `Starts ${versions.length} runs, one for each version, and opens their comparison.`
      }
      write={start}
      action={versions.length === 1 ? 'Start run' : `Start ${versions.length} runs`}
      disabled={testsetId === ''}
    >
      <Select
        label="Testset"
        value={testsetId}
        onChange={setTestset}
        options={
          testsets.length > 0
            ? testsets.map(({ id, name }) => ({ value: id, label: name }))
            : [{ value: '', label: 'This project has no testset yet' }]
        }
      />
      <MetricChoice projectId={projectId} metrics={metrics} chosen={chosen} onChange={setPicked} />
      <BudgetField
        projectId={projectId}
        testsetId={testsetId}
        metricIds={metricIds}
        value={budget}
        onChange={setBudget}
      />
    </FormDialog>
  );
};
