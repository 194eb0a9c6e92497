import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api.ts';
import { paths } from '../paths.ts';
import { flatRecord } from '../records/export.ts';
import { JudgeSpending } from '../rescoring/judge-spending.tsx';
import { RescoringsOfRun } from '../rescoring/rescorings-of-run.tsx';
import { RunActions } from '../rescoring/run-actions.tsx';
import { useMay } from '../session/who.ts';
import { testsetsQuery } from '../testsets/queries.ts';
import { Button, buttonClass, IconButton } from '../ui/button.tsx';
import { toCsv } from '../ui/csv.ts';
import { Confirm } from '../ui/dialog.tsx';
import { download } from '../ui/download.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { sayError } from '../ui/toast.tsx';
import { Notes } from './notes.tsx';
import { readRunRecords, runQuery } from './queries.ts';
import { RunProgress, RunStatus } from './status.tsx';
import { RunMetrics, RunSlices } from './summary.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/$runId');

type Format = 'csv' | 'jsonl' | 'parquet';

const useExport = (projectId: string, runId: string) => {
  const [progress, setProgress] = useState<number>();
  const start = async (format: Format) => {
    const records = await readRunRecords(projectId, runId, setProgress);
    const name = `run-${runId}.${format}`;
    if (format === 'csv') download(name, [toCsv(records.map(flatRecord))], 'text/csv;charset=utf-8');
    else if (format === 'jsonl')
      download(
        name,
        [records.map((record) => `${JSON.stringify(record)}\n`).join('')],
        'application/x-ndjson',
      );
    else {
      const { toParquet } = await import('../ui/parquet.ts');
      download(name, [toParquet(records.map(flatRecord))], 'application/vnd.apache.parquet');
    }
  };
  return {
    progress,
    start: (format: Format) =>
      void start(format)
        .catch(sayError)
        .finally(() => setProgress(undefined)),
  };
};

export const RunPage = () => {
  const { projectId, runId } = route.useParams();
  const { data: run } = useSuspenseQuery(runQuery(runId));
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const may = useMay();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const exporting = useExport(projectId, runId);
  const remove = useMutation({
    mutationFn: () => api.delete(`/runs/${runId}`),
    onSuccess: async () => {
      await navigate(paths.runs(projectId));
      await queries.invalidateQueries({ queryKey: [`/projects/${projectId}/runs`] });
    },
  });
  const testset = testsets.find(({ id }) => id === run.testsetId);
  return (
    <Page
      crumbs={
        <Link {...paths.runs(projectId)} className="hover:underline">
          Runs
        </Link>
      }
      title={`Run ${runId}`}
      actions={
        <>
          <Link {...paths.records(projectId, { q: `run:${runId}` })} className={buttonClass('primary')}>
            Open records
          </Link>
          <Link {...paths.records(projectId, { q: `run:${runId} result:fail` })} className={buttonClass()}>
            Failures
          </Link>
          <Menu
            align="end"
            trigger={
              <Button disabled={exporting.progress !== undefined}>
                <Download size={14} aria-hidden />
                {exporting.progress === undefined ? 'Export' : `Read ${exporting.progress}…`}
              </Button>
            }
          >
            <MenuItem onSelect={() => exporting.start('csv')}>CSV</MenuItem>
            <MenuItem onSelect={() => exporting.start('jsonl')}>JSONL</MenuItem>
            <MenuItem onSelect={() => exporting.start('parquet')}>Parquet</MenuItem>
          </Menu>
          {may.write && <RunActions run={run} projectId={projectId} />}
          {may.write && (
            <IconButton label="Delete the run" onClick={() => setDeleting(true)}>
              <Trash2 size={14} />
            </IconButton>
          )}
        </>
      }
    >
      <dl className="mb-6 flex flex-wrap gap-x-8 gap-y-2">
        <Fact name="Status">
          <RunStatus run={run} />
        </Fact>
        <Fact name="Records">
          {run.numRecords.toLocaleString('en')}
          {run.numExpectedRecords !== null && ` of ${run.numExpectedRecords.toLocaleString('en')}`}
        </Fact>
        <Fact name="Scores">
          <RunProgress run={run} />
        </Fact>
        {run.testsetId && (
          <Fact name="Testset">
            <Link {...paths.testset(projectId, run.testsetId)} className="text-accent underline">
              {testset?.name ?? run.testsetId}
            </Link>
          </Fact>
        )}
        {run.systemVersionId && (
          <Fact name="System version">
            <span className="font-mono text-sm">{run.systemVersionId.slice(-8)}</span>
          </Fact>
        )}
      </dl>
      <JudgeSpending runId={runId} />
      <Section title="Metrics">
        <RunMetrics run={run} projectId={projectId} />
      </Section>
      {run.metricIds.length > 0 && run.numRecords > 0 && <RunSlices run={run} projectId={projectId} />}
      <RescoringsOfRun runId={runId} projectId={projectId} />
      <Section title="Notes">
        <Notes runId={runId} />
      </Section>
      <Confirm
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete run ${runId}?`}
        action="Delete the run"
        busy={remove.isPending}
        onConfirm={remove.mutate}
      >
        Its {run.numRecords.toLocaleString('en')} records go with it, and their scores and annotations. This
        can’t be undone.
        {remove.error && <ErrorNote error={remove.error} />}
      </Confirm>
    </Page>
  );
};

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="flex h-6 items-center">{children}</dd>
  </div>
);
