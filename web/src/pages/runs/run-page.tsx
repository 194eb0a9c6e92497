import { useInfiniteQuery, useQuery, useSuspenseQueries } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { ModelEndingsOfRun } from '../../resources/metrics/model-endings.tsx';
import { useOwnProject } from '../../resources/projects/own-project.ts';
import { judgeBudgetQuery, rescoringsQuery } from '../../resources/rescoring/queries.ts';
import { failuresQuery, slicesQuery } from '../../resources/runs/queries.ts';
import { RunStatus, recordsText } from '../../resources/runs/status.tsx';
import { useMay } from '../../resources/session/me.ts';
import { SystemOf } from '../../resources/systems/system-of.tsx';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Run } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { Fact } from '../../ui/fact.tsx';
import { countOf } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ByOrigin, useByOrigin } from './by-origin.tsx';
import { Failures } from './failures.tsx';
import { useRunProgress } from './follow-run.ts';
import { JudgeSpending } from './judge-spending.tsx';
import { Notes } from './notes.tsx';
import { RescoringsOfRun } from './rescorings-of-run.tsx';
import { RunActions } from './run-actions.tsx';
import { RunMetrics } from './run-metrics.tsx';
import { RenameDialog } from './run-title.tsx';
import { SimulationLinks, SimulationResults, simulationQuery } from './simulation-results.tsx';
import { RunSlices } from './slices.tsx';
import { useExport } from './use-export.ts';
import { VerdictInNotes } from './verdict-in-notes.tsx';
import { VersionDialog } from './version-dialog.tsx';
import { Executions, Scoring } from './work.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/$runId');

/**
 * The parts of the page whose height is final. A part is shown only once all above it are read, so that nothing moves that
 * someone reads or writes.
 */
const useKnown = (run: Run, projectId: string, by: string, isSimulation: boolean) => {
  const work = [
    useQuery(apiQuery('getRunProgress', run.id)),
    useQuery(apiQuery('getExecutionSummary', run.id)),
    useQuery(judgeBudgetQuery(run.id)),
    { isPending: useByOrigin(run).isLoading },
    { isPending: useQuery({ ...simulationQuery(run), enabled: isSimulation }).isLoading },
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
  // A part that was shown stays: the first record of a run must not hide the notes that someone is writing.
  const [wholeId, setWholeId] = useState<string>();
  if (rescorings && wholeId !== run.id) setWholeId(run.id);
  const isWhole = wholeId === run.id;
  return {
    hasScores,
    work: work === 0 || isWhole,
    failures: failures || isWhole,
    slices: slices || isWhole,
    rescorings: rescorings || isWhole,
    /** Changes whenever a part is added. */
    step: [work, failures, slices].join(' '),
  };
};

export const RunPage = () => {
  const { projectId, runId } = route.useParams();
  const [{ data: run }, { data: detail }, { data: noted }] = useSuspenseQueries({
    queries: [apiQuery('getRun', runId), apiQuery('getRunDetails', runId), apiQuery('getRunNotes', runId)],
  });
  useOwnProject(projectId, detail.projectId);
  const { by = 'tag' } = route.useSearch();
  const progress = useRunProgress(run);
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const known = useKnown(run, projectId, by, detail.simulation !== null);
  const may = useMay();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'delete' | 'name' | 'system'>();
  const close = () => setDialog(undefined);
  const exporting = useExport(projectId, runId);
  const testset = testsets.find(({ id }) => id === run.testsetId);
  return (
    <Page
      crumbs={<QuietLink {...paths.runs(projectId)}>Runs</QuietLink>}
      title={<bdi title={detail.title}>{detail.title}</bdi>}
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
          <ExportMenu align="end" disabled={exporting.progress !== undefined} onExport={exporting.start}>
            {exporting.progress === undefined ? 'Export' : `Read ${exporting.progress}…`}
          </ExportMenu>
          {may.write && <RunActions run={run} projectId={projectId} />}
          {may.write && (
            <>
              {detail.simulation ? (
                <SimulationLinks run={detail} projectId={projectId} />
              ) : (
                <Link {...paths.newRun(projectId, undefined, runId)} className={buttonClass()}>
                  Run again
                </Link>
              )}
              <IconButton icon={Pencil} label="Name and tags" onClick={() => setDialog('name')} />
              <IconButton icon={Trash2} label="Delete run" onClick={() => setDialog('delete')} />
            </>
          )}
        </>
      }
    >
      <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
        <Fact name="Status">
          <RunStatus run={run} progress={progress} />
        </Fact>
        <Fact name="Records">{recordsText(run)}</Fact>
        <Fact name="Started">
          <span className="min-w-20">
            <Time at={detail.createdAt} />
          </span>
        </Fact>
        {run.testsetId && (
          <Fact name="Testset">
            <TextLink {...paths.testset(projectId, run.testsetId)}>
              <bdi>{testset?.name ?? run.testsetId}</bdi>
            </TextLink>
          </Fact>
        )}
        {run.systemVersionId && (
          <Fact name="System">
            <button
              type="button"
              onClick={() => setDialog('system')}
              className="max-w-96 truncate text-accent underline"
            >
              <SystemOf projectId={projectId} run={run} />
            </button>
          </Fact>
        )}
        {detail.tags.length > 0 && (
          <Fact name="Tags">
            {detail.tags.map((tag) => (
              <QuietLink key={tag} {...paths.runs(projectId, { tag })}>
                <Badge>
                  <bdi>{tag}</bdi>
                </Badge>
              </QuietLink>
            ))}
          </Fact>
        )}
        <VerdictInNotes notes={noted.notes} />
      </dl>
      <ModelEndingsOfRun projectId={projectId} runId={runId} />
      <div className="mb-5">
        <Executions run={run} />
        <Scoring run={run} projectId={projectId} progress={progress} />
        <JudgeSpending runId={runId} />
      </div>
      {known.work && <RunMetrics run={run} projectId={projectId} />}
      {known.work && known.hasScores && detail.simulation && (
        <SimulationResults run={run} projectId={projectId} />
      )}
      {known.work && known.hasScores && <ByOrigin run={run} />}
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
      {/* A new key at each step: React replaces the placeholder by the next part instead of moving it. */}
      {!known.rescorings && <Skeleton key={known.step} lines={6} />}
      {dialog === 'name' && <RenameDialog run={detail} projectId={projectId} onClose={close} />}
      {dialog === 'system' && <VersionDialog run={detail} projectId={projectId} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          onClose={close}
          title={`Delete run ${runId}?`}
          action="Delete run"
          send={() => api.deleteRun(runId)}
          meta={{ refreshes: [keyOf('listRunDetails', projectId)] }}
          onDone={() => navigate(paths.runs(projectId))}
        >
          Its {countOf(run.numRecords, 'record')} with all scores and annotations are deleted too. This can’t
          be undone.
        </Confirm>
      )}
    </Page>
  );
};
