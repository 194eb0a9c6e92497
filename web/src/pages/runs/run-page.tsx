import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { snapshotText } from '../../../../client/src/snapshot-words.ts';
import { api, keyOf } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { DecisionLinks, useDecisions } from '../../resources/decisions/decision-links.tsx';
import { ModelEndingsOfRun } from '../../resources/metrics/model-endings.tsx';
import { useOwnProject } from '../../resources/projects/own-project.ts';
import { useFollowedRun } from '../../resources/runs/follow-run.ts';
import { failuresQuery, runQuery, slicesQuery } from '../../resources/runs/queries.ts';
import { RunStatus, recordsText } from '../../resources/runs/status.tsx';
import { formatFilter } from '../../resources/search/search.ts';
import { useMay } from '../../resources/session/me.ts';
import { SystemOf } from '../../resources/systems/system-of.tsx';
import { rescoringsQuery } from '../../resources/trials/queries.ts';
import type { RunDetail } from '../../types.ts';
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
import { JudgeSpending } from './judge-spending.tsx';
import { MarksAndVerdicts } from './marks-and-verdicts.tsx';
import { Notes } from './notes.tsx';
import { RescoringsOfRun } from './rescorings-of-run.tsx';
import { RunActions } from './run-actions.tsx';
import { RunMetrics } from './run-metrics.tsx';
import { RenameDialog } from './run-title.tsx';
import { SimulationLinks, SimulationResults, simulationQuery } from './simulation-results.tsx';
import { RunSlices } from './slices.tsx';
import { useExport } from './use-export.ts';
import { VersionDialog } from './version-dialog.tsx';
import { WaitingForCode } from './waiting-for-code.tsx';
import { Executions, Scoring } from './work.tsx';

const route = getRouteApi('/app/projects/$projectId/runs/$runId');

/** Whether these queries have been read. The page stays as it is shown: a first record must not hide the notes that someone is writing. */
const useAreRead = (runId: string, parts: readonly { isLoading: boolean }[]): boolean => {
  const [readId, setReadId] = useState<string>();
  if (readId !== runId && !parts.some(({ isLoading }) => isLoading)) setReadId(runId);
  return readId === runId;
};

type PartsProps = { run: RunDetail; projectId: string };

const RunButtons = ({
  run,
  projectId,
  onName,
  onDelete,
}: PartsProps & { onName: () => void; onDelete: () => void }) => {
  const { id } = run;
  const may = useMay();
  const exporting = useExport(projectId, id);
  return (
    <>
      <Link {...paths.records(projectId, { q: `run:${id}` })} className={buttonClass()}>
        View records
      </Link>
      <Link {...paths.compare(projectId, [id])} className={buttonClass()}>
        Compare
      </Link>
      <ExportMenu align="end" disabled={exporting.progress !== undefined} onExport={exporting.start}>
        {exporting.progress === undefined ? 'Export' : `Read ${exporting.progress}…`}
      </ExportMenu>
      {may.write && (
        <>
          <RunActions run={run} projectId={projectId} />
          {run.simulation ? (
            <SimulationLinks run={run} projectId={projectId} />
          ) : (
            <Link {...paths.newRun(projectId, undefined, id)} className={buttonClass()}>
              Run again
            </Link>
          )}
          <IconButton icon={Pencil} label="Name, tags and marks" onClick={onName} />
          <IconButton icon={Trash2} label="Delete run" onClick={onDelete} />
        </>
      )}
    </>
  );
};

/** The decisions on the testset of the run that were registered before it. */
const DecisionsOfRun = ({ run, projectId }: PartsProps) => {
  const decisions = useDecisions(
    projectId,
    ({ testset, registeredAt }) =>
      testset.id === run.testset?.id && Date.parse(registeredAt) <= Date.parse(run.createdAt),
  );
  if (decisions.length === 0) return null;
  return (
    <Fact name="Registered decision">
      <DecisionLinks projectId={projectId} runId={run.id} decisions={decisions} />
    </Fact>
  );
};

const RunFacts = ({ run, projectId, onSystem }: PartsProps & { onSystem: () => void }) => (
  <dl className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
    <Fact name="Status">
      <RunStatus run={run} progress={run.progress} />
    </Fact>
    <Fact name="Records">{recordsText(run)}</Fact>
    <Fact name="Started">
      <span className="min-w-20">
        <Time at={run.createdAt} />
      </span>
    </Fact>
    {run.testset && (
      <Fact name="Testset">
        <TextLink {...paths.testset(projectId, run.testset.id)}>
          <bdi>{run.testset.name}</bdi>
        </TextLink>
        {snapshotText(run) !== undefined && (
          <TextLink {...paths.testsetHistory(projectId, run.testset.id)}>
            <bdi>{snapshotText(run)}</bdi>
          </TextLink>
        )}
      </Fact>
    )}
    <DecisionsOfRun run={run} projectId={projectId} />
    {run.systemVersionId && (
      <Fact name="System">
        <button type="button" onClick={onSystem} className="max-w-96 truncate text-accent underline">
          <SystemOf projectId={projectId} run={run} />
        </button>
      </Fact>
    )}
    {run.origin !== null && (
      <Fact name="Origin">
        <bdi className="max-w-96 truncate" title={run.origin}>
          {run.origin}
        </bdi>
      </Fact>
    )}
    {run.tags.length > 0 && (
      <Fact name="Tags">
        {run.tags.map((tag) => (
          <QuietLink key={tag} {...paths.runs(projectId, { q: formatFilter('tag', tag) })}>
            <Badge>
              <bdi>{tag}</bdi>
            </Badge>
          </QuietLink>
        ))}
      </Fact>
    )}
    <MarksAndVerdicts run={run} />
  </dl>
);

/** What the run shows below its metrics. Parts of unknown height come when all above them are read, so that nothing moves. */
const RunResults = ({
  run,
  projectId,
  by,
  weights,
}: PartsProps & { by: string; weights: string | undefined }) => {
  const navigate = useNavigate();
  const hasScores = run.metricIds.length > 0 && run.numRecords > 0;
  // The metrics above, with their warnings, and the slices below are one answer.
  const slices = useQuery({ ...slicesQuery(run, by, weights), enabled: hasScores });
  const above = [
    useByOrigin(run),
    useQuery({ ...simulationQuery(run), enabled: hasScores && run.simulation !== null }),
    useInfiniteQuery({ ...failuresQuery(run, projectId), enabled: hasScores }),
    slices,
  ];
  const rescorings = useQuery(rescoringsQuery(run.id));
  const areFailuresRead = useAreRead(run.id, above);
  const areAllRead = useAreRead(run.id, [...above, rescorings]);
  return (
    <>
      {areFailuresRead && hasScores && (
        <>
          {run.simulation && <SimulationResults run={run} projectId={projectId} />}
          {!weights && <ByOrigin run={run} />}
          <Failures run={run} projectId={projectId} />
        </>
      )}
      {areAllRead && hasScores && (
        <RunSlices
          run={run}
          projectId={projectId}
          by={by}
          weights={weights}
          onBy={(next) => void navigate({ ...paths.run(projectId, run.id, next, weights), replace: true })}
        />
      )}
      {areAllRead ? (
        <>
          <RescoringsOfRun run={run} projectId={projectId} />
          <Section title="Notes">
            <Notes run={run} />
          </Section>
        </>
      ) : (
        // The metrics have their own placeholder. A new key: React replaces this one by the next part instead of moving it.
        !slices.isLoading && <Skeleton key={String(areFailuresRead)} lines={6} />
      )}
    </>
  );
};

export const RunPage = () => {
  const { projectId, runId } = route.useParams();
  const { data: run } = useSuspenseQuery(runQuery(runId));
  useOwnProject(projectId, run.projectId);
  useFollowedRun(run);
  const { by = 'tag', weights } = route.useSearch();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'delete' | 'name' | 'system'>();
  const close = () => setDialog(undefined);
  const parts = { run, projectId };
  return (
    <Page
      crumbs={<QuietLink {...paths.runs(projectId)}>Runs</QuietLink>}
      title={<bdi title={run.title}>{run.title}</bdi>}
      actions={
        <RunButtons {...parts} onName={() => setDialog('name')} onDelete={() => setDialog('delete')} />
      }
    >
      <RunFacts {...parts} onSystem={() => setDialog('system')} />
      <ModelEndingsOfRun {...parts} />
      <WaitingForCode run={run} />
      <div className="mb-6">
        <Executions run={run} />
        <Scoring run={run} />
        <JudgeSpending run={run} />
      </div>
      <RunMetrics {...parts} by={by} weights={weights} />
      <RunResults {...parts} by={by} weights={weights} />
      {dialog === 'name' && <RenameDialog {...parts} onClose={close} />}
      {dialog === 'system' && <VersionDialog {...parts} onClose={close} />}
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
