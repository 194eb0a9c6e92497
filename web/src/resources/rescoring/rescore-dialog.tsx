import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DokimaError } from '../../../../client/src/errors.ts';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import type { Metric } from '../../types.ts';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { timeText } from '../../ui/time.tsx';
import { metricsQuery } from '../metrics/queries.ts';

type RescoreDialogProps = {
  projectId: string;
  runId: string;
  /** The records of the run to re-score; all of them when left out. */
  recordIds?: string[];
  onClose: () => void;
};

const openRescoringOf = (error: Error | null): number | undefined => {
  const { trialNumber } = (error instanceof DokimaError && error.details) || {};
  return typeof trialNumber === 'number' ? trialNumber : undefined;
};

type Issue = ReturnType<typeof issuesOf>;

type ChooseConfigurationProps = {
  metricId: string | undefined;
  /** Empty for the current configuration. */
  value: string;
  error: string | undefined;
  onChange: (configId: string) => void;
};

/** Chooses the configuration of a metric that scores. */
const ChooseConfiguration = ({ metricId, ...field }: ChooseConfigurationProps) => {
  const { data: versions } = useQuery({
    ...apiQuery('listMetricVersions', metricId ?? '', { limit: 100 }),
    enabled: metricId !== undefined,
  });
  return (
    <Select
      label="Configuration"
      {...field}
      options={[
        { value: '', label: 'Current' },
        ...(versions?.data ?? []).map(({ id, createdAt, current }) => ({
          value: id,
          label: `${id.slice(-8)}, ${timeText(createdAt)}${current ? ', current' : ''}`,
        })),
      ]}
    />
  );
};

/** What the form says about the sample: whether to draw one, and its numbers as they were typed. */
type Sampling = { isSampled: boolean; size: string; seed: string };

type SampleFieldsProps = { sampling: Sampling; issue: Issue; onChange: (sampling: Sampling) => void };

/** Chooses between all records and a random sample of them. */
const SampleFields = ({ sampling, issue, onChange }: SampleFieldsProps) => (
  <fieldset className="flex flex-col gap-2">
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        checked={sampling.isSampled}
        onChange={(event) => onChange({ ...sampling, isSampled: event.target.checked })}
      />
      Start with a random sample
    </label>
    {sampling.isSampled && (
      <div className="grid grid-cols-2 gap-3">
        <Input
          label="Records"
          type="number"
          min={1}
          max={500}
          required
          value={sampling.size}
          error={issue('/sample/size')}
          onChange={(size) => onChange({ ...sampling, size })}
        />
        <Input
          label="Seed"
          type="number"
          min={0}
          required
          hint="The same seed samples the same records."
          value={sampling.seed}
          error={issue('/sample/seed')}
          onChange={(seed) => onChange({ ...sampling, seed })}
        />
      </div>
    )}
  </fieldset>
);

/** Machines score it again, and by record: a rescoring says nothing about spans. */
const isRescored = ({ evalType, spans }: Metric): boolean => evalType !== 'human' && !spans;

/** Starts a rescoring, whose scores count only once they have been compared and adopted. */
export const RescoreDialog = ({ projectId, runId, recordIds, onClose }: RescoreDialogProps) => {
  const { data: run } = useQuery(apiQuery('getRun', runId));
  const { data: all = [] } = useQuery(metricsQuery(projectId));
  const metrics = all.filter((each) => run?.metricIds.includes(each.id) && isRescored(each));
  const [chosen, setChosen] = useState<string>();
  const metricId = chosen ?? metrics[0]?.id;
  const [configId, setConfigId] = useState('');
  const [sampling, setSampling] = useState<Sampling>({ isSampled: !recordIds, size: '20', seed: '1' });
  const { isSampled, size, seed } = sampling;
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: () =>
      api.createTrial(metricId ?? '', {
        kind: 'rescoring',
        runId,
        ...(configId && { metricConfigId: configId }),
        ...(recordIds && { recordIds }),
        ...(isSampled && { sample: { size: Number(size), seed: Number(seed) } }),
      }),
    meta: { refreshes: [keyOf('listTrials')] },
    onSuccess: (made) => navigate(paths.trial(projectId, made.metricId, made.number)),
  });
  const other = openRescoringOf(begin.error);
  const issue = issuesOf(begin.error);
  const dialog = {
    open: true,
    onClose,
    title: recordIds ? `Re-score ${countOf(recordIds.length, 'record')}` : 'Re-score the run',
    description: 'New scores are proposed beside the current ones. Compare them, then adopt or discard them.',
  };
  if (run && metrics.length === 0)
    return (
      <Dialog {...dialog}>
        <p className="text-soft">No metric of this run is scored by code or by a model.</p>
      </Dialog>
    );
  return (
    <FormDialog
      {...dialog}
      write={begin}
      action={isSampled ? 'Score the sample' : 'Re-score'}
      disabled={metricId === undefined}
      errorAction={
        other !== undefined && (
          <Link {...paths.trial(projectId, metricId ?? '', other)} className="underline">
            Open it
          </Link>
        )
      }
    >
      <Select
        label="Metric"
        value={metricId ?? ''}
        error={issue('/runId')}
        onChange={(value) => {
          setChosen(value);
          setConfigId('');
        }}
        options={metrics.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ChooseConfiguration
        metricId={metricId}
        value={configId}
        error={issue('/metricConfigId')}
        onChange={setConfigId}
      />
      <SampleFields sampling={sampling} issue={issue} onChange={setSampling} />
    </FormDialog>
  );
};
