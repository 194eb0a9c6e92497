import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../api.ts';
import { metricsQuery } from '../metrics/queries.ts';
import { paths } from '../paths.ts';
import { runQuery } from '../runs/queries.ts';
import type { Rescoring } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input, Select } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { rescoringsQuery, versionsQuery } from './queries.ts';

type Props = {
  projectId: string;
  runId: string;
  /** Records of the run that are scored anew; without them all are. */
  recordIds?: readonly string[];
  open: boolean;
  onClose: () => void;
};

/** Begins a rescoring: nothing counts before somebody has looked at the difference and keeps it. */
export const RescoreDialog = ({ open, onClose, recordIds, ...rest }: Props) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={recordIds ? `Rescore ${countOf(recordIds.length, 'record')}` : 'Rescore the run'}
    description="New scores are proposed beside those that are there. You see what they change before you keep or discard them."
  >
    {open && <RescoreForm {...rest} {...(recordIds && { recordIds })} />}
  </Dialog>
);

const openRescoringOf = (error: Error | null): string | undefined => {
  const { rescoringId } = (error instanceof ApiError && error.details) || {};
  return typeof rescoringId === 'string' ? rescoringId : undefined;
};

const RescoreForm = ({ projectId, runId, recordIds }: Omit<Props, 'open' | 'onClose'>) => {
  const { data: run } = useQuery(runQuery(runId));
  const { data: all = [] } = useQuery(metricsQuery(projectId));
  const metrics = all.filter(({ id, evalType }) => run?.metricIds.includes(id) && evalType !== 'human');
  const [chosen, setChosen] = useState<string>();
  const metricId = chosen ?? metrics[0]?.id;
  const { data: versions } = useQuery({ ...versionsQuery(metricId ?? ''), enabled: metricId !== undefined });
  const [configId, setConfigId] = useState('');
  const [isSampled, setSampled] = useState(!recordIds);
  const [size, setSize] = useState('20');
  const [seed, setSeed] = useState('1');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const begin = useMutation({
    mutationFn: () =>
      api.post<Rescoring>(`/runs/${runId}/rescorings`, {
        metricId,
        ...(configId && { metricConfigId: configId }),
        ...(recordIds && { recordIds }),
        ...(isSampled && { sample: { size: Number(size), seed: Number(seed) } }),
      }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries(rescoringsQuery(runId));
      await navigate(paths.rescoring(projectId, runId, id));
    },
  });
  if (run && metrics.length === 0)
    return <p className="text-soft">No metric of this run is scored by code or by a model.</p>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  const other = openRescoringOf(begin.error);
  const issueOf = (path: string) => (begin.error instanceof ApiError ? begin.error.issueOf(path) : undefined);
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Select
        label="Metric"
        value={metricId ?? ''}
        error={issueOf('/metricId')}
        onChange={(event) => {
          setChosen(event.target.value);
          setConfigId('');
        }}
        options={metrics.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Select
        label="Configuration"
        value={configId}
        error={issueOf('/metricConfigId')}
        onChange={(event) => setConfigId(event.target.value)}
        options={[
          { value: '', label: 'The current one' },
          ...(versions?.data ?? []).map(({ id, createdAt, isCurrent }) => ({
            value: id,
            label: `${id.slice(-8)}, ${new Date(createdAt).toLocaleString()}${isCurrent ? ', current' : ''}`,
          })),
        ]}
      />
      <fieldset className="flex flex-col gap-2">
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={isSampled} onChange={(event) => setSampled(event.target.checked)} />
          Try a random sample first
        </label>
        {isSampled && (
          <div className="grid grid-cols-2 gap-3">
            <Input
              label="Records"
              type="number"
              min={1}
              max={500}
              required
              value={size}
              error={issueOf('/sample/size')}
              onChange={(event) => setSize(event.target.value)}
            />
            <Input
              label="Seed"
              type="number"
              min={0}
              required
              hint="The same seed draws the same records."
              value={seed}
              error={issueOf('/sample/seed')}
              onChange={(event) => setSeed(event.target.value)}
            />
          </div>
        )}
      </fieldset>
      {begin.error && (
        <ErrorNote
          error={begin.error}
          action={
            other && (
              <Link {...paths.rescoring(projectId, runId, other)} className="underline">
                Open it
              </Link>
            )
          }
        />
      )}
      <Button
        type="submit"
        look="primary"
        disabled={begin.isPending || metricId === undefined}
        className="self-end"
      >
        {isSampled ? 'Score the sample' : 'Rescore'}
      </Button>
    </form>
  );
};
