import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api.ts';
import { paths } from '../paths.ts';
import { JudgeSpending } from '../rescoring/judge-spending.tsx';
import { judgeBudgetQuery, rescoringsQuery } from '../rescoring/queries.ts';
import { RescoringsOfRun } from '../rescoring/rescorings-of-run.tsx';
import { RunActions } from '../rescoring/run-actions.tsx';
import { useMay } from '../session/who.ts';
import { SystemOf } from '../systems/system-of.tsx';
import { testsetsQuery } from '../testsets/queries.ts';
import type { Run } from '../types.ts';
import { countOf, Time } from '../ui/bits.tsx';
import { Button, buttonClass, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { Failures } from './failures.tsx';
import { useRunProgress } from './follow-run.ts';
import { Notes } from './notes.tsx';
import {
  executionsQuery,
  failuresQuery,
  progressQuery,
  runQuery,
  slicesQuery,
  summaryQuery,
} from './queries.ts';
import { RunMetrics } from './run-metrics.tsx';
import { RunSlices } from './slices.tsx';
import { RunStatus, recordsText } from './status.tsx';
import { useExport } from './use-export.ts';
import { Executions, Scoring } from './work.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/$runId');

/**
 * Which parts of the page are as tall as they will be. What stands below a part comes with it, not before: nobody knows how many
 * failures or slices there are until they are there, and what somebody reads or writes must not move.
 */
const useKnown = (run: Run, projectId: string, by: string) => {
  const work = [
    useQuery(progressQuery(run.id)),
    useQuery(executionsQuery(run.id)),
    useQuery(judgeBudgetQuery(run.id)),
  ].filter(({ isPending }) => isPending).length;
  const hasScores = run.metricIds.length > 0 && run.numRecords > 0;
  const { isPending: areFailuresPending } = useInfiniteQuery({
    ...failuresQuery(run, projectId),
    enabled: hasScores,
  });
  const failures = work === 0 && !(hasScores && areFailuresPending);
  const { isPending: areSlicesPending } = useQuery({ ...slicesQuery(run, by), enabled: hasScores });
  const slices = failures && !(hasScores && areSlicesPending);
  const { isPending: areRescoringsPending } = useQuery(rescoringsQuery(run.id));
  const rescorings = slices && !areRescoringsPending;
  // What has been shown stays: the first record of a run must not take away the notes that somebody is writing.
  const [wholeId, setWholeId] = useState<string>();
  if (rescorings && wholeId !== run.id) setWholeId(run.id);
  const isWhole = wholeId === run.id;
  return {
    hasScores,
    work: work === 0 || isWhole,
    failures: failures || isWhole,
    slices: slices || isWhole,
    rescorings: rescorings || isWhole,
    /** Changes whenever something above what is still to come does. */
    step: [work, failures, slices].join(' '),
  };
};

export const RunPage = () => {
  const { projectId, runId } = route.useParams();
  const { data: run } = useSuspenseQuery(runQuery(runId));
  const { by = 'tag' } = route.useSearch();
  const progress = useRunProgress(run);
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { data: summary } = useQuery({ ...summaryQuery(run), placeholderData: keepPreviousData });
  const known = useKnown(run, projectId, by);
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
          <Link {...paths.compare(projectId, [runId])} className={buttonClass()}>
            Compare
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
      <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
        <Fact name="Status">
          <RunStatus run={run} />
        </Fact>
        <Fact name="Records">{recordsText(run)}</Fact>
        <Fact name="Started">
          {/* As wide before it is known as after: what stands beside it stays where it is. */}
          <span className="min-w-20">{summary && <Time at={summary.createdAt} />}</span>
        </Fact>
        {run.testsetId && (
          <Fact name="Testset">
            <Link {...paths.testset(projectId, run.testsetId)} className="text-accent underline">
              <bdi>{testset?.name ?? run.testsetId}</bdi>
            </Link>
          </Fact>
        )}
        {run.systemVersionId && (
          <Fact name="System">
            <SystemOf projectId={projectId} run={run} className="max-w-96 truncate" />
          </Fact>
        )}
      </dl>
      <div className="mb-5">
        <Executions run={run} />
        <Scoring run={run} projectId={projectId} progress={progress} />
        <JudgeSpending runId={runId} />
      </div>
      {known.work && <RunMetrics run={run} projectId={projectId} />}
      {known.work && known.hasScores && <Failures run={run} projectId={projectId} />}
      {known.failures && known.hasScores && (
        <RunSlices
          run={run}
          projectId={projectId}
          by={by}
          onBy={(next) => void navigate({ ...paths.run(projectId, runId, next), replace: true })}
        />
      )}
      {known.slices && <RescoringsOfRun runId={runId} projectId={projectId} />}
      {known.rescorings && (
        <Section title="Notes">
          <Notes runId={runId} />
        </Section>
      )}
      {/* Another one at each step: the next part takes its place, and it moves nowhere. */}
      {!known.rescorings && <Skeleton key={known.step} lines={6} />}
      <Confirm
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete run ${runId}?`}
        action="Delete the run"
        busy={remove.isPending}
        onConfirm={remove.mutate}
      >
        It takes {countOf(run.numRecords, 'record')} along, with scores and annotations. This can’t be undone.
        {remove.error && <ErrorNote error={remove.error} />}
      </Confirm>
    </Page>
  );
};

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="flex min-h-6 items-center">{children}</dd>
  </div>
);
