import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Page } from '../api.ts';
import { metricsQuery } from '../metrics/queries.ts';
import { useMay } from '../session/who.ts';
import type { Execution, ExecutionSummary, Run, RunProgress } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { Progress } from '../ui/progress.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { say, sayError } from '../ui/toast.tsx';
import { executionsQuery, progressQuery, runQuery } from './queries.ts';

/** Cancels or takes up again what machines do for a run, and says for how much of it. */
const useChange = (runId: string, path: string, done: (n: number) => string) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.post<{ changed: number }>(`/runs/${runId}/${path}`, path === 'scores/retry' ? {} : undefined),
    onSuccess: ({ changed }) => {
      say(done(changed));
      for (const { queryKey } of [runQuery(runId), progressQuery(runId), executionsQuery(runId)])
        void queries.invalidateQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: [`/runs/${runId}/executions`] });
      void queries.invalidateQueries({ queryKey: [`/runs/${runId}/summary`] });
    },
    onError: sayError,
  });
};

const failedShown = 20;

/** The calls that were given up, each with what the system or the way to it said. */
const FailedExecutions = ({ runId }: { runId: string }) => {
  const { data, error } = useQuery({
    queryKey: [`/runs/${runId}/executions`, 'failed'],
    queryFn: ({ signal }) =>
      api.get<Page<Execution>>(`/runs/${runId}/executions`, { state: 'failed', limit: failedShown }, signal),
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  return (
    <>
      <Table label="Calls that failed" head={['Testcase', 'Trial', 'Attempts', 'Error']}>
        {data.data.map(({ testcaseId, trial, attempts, error: why }) => (
          <Row key={`${testcaseId} ${trial}`}>
            <Cell className="font-mono text-sm whitespace-nowrap">{testcaseId}</Cell>
            <Cell>{trial}</Cell>
            <Cell>{attempts}</Cell>
            <Cell className="max-w-xl break-words">{why}</Cell>
          </Row>
        ))}
      </Table>
      {data.hasMore && <p className="mt-1 text-sm text-soft">The first {failedShown} are shown.</p>}
    </>
  );
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

/** What the system took, as far as it said. */
const costOf = ({ medianLatencyMs, p95LatencyMs, inputTokens, outputTokens, costUsd }: ExecutionSummary) =>
  [
    medianLatencyMs !== null && `median ${seconds(medianLatencyMs)}`,
    p95LatencyMs !== null && `95 % within ${seconds(p95LatencyMs)}`,
    inputTokens !== null && `${inputTokens.toLocaleString('en')} tokens in`,
    outputTokens !== null && `${outputTokens.toLocaleString('en')} out`,
    costUsd !== null && `$${costUsd.toFixed(4)}`,
  ].filter(Boolean);

/** The calls of the system that the service makes itself. */
export const Executions = ({ run }: { run: Run }) => {
  const { data } = useQuery(executionsQuery(run.id));
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const cancel = useChange(run.id, 'executions/cancel', (n) => `${countOf(n, 'call')} cancelled.`);
  const retry = useChange(run.id, 'executions/retry', (n) => `${countOf(n, 'call')} made again.`);
  if (!data || data.total === 0) return null;
  const { total, done, pending, failed, cancelled } = data;
  const givenUp = failed + cancelled;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-20 text-soft">Calls</span>
        <Progress
          label="Calls of the system"
          total={total}
          parts={[
            { label: 'made', n: done, fill: 'done' },
            { label: 'failed', n: failed, fill: 'wrong' },
            { label: 'cancelled', n: cancelled, fill: 'left' },
          ]}
        />
        <span>
          {done.toLocaleString('en')} of {total.toLocaleString('en')} made
          {failed > 0 && `, ${failed.toLocaleString('en')} failed`}
          {cancelled > 0 && `, ${cancelled.toLocaleString('en')} cancelled`}
        </span>
        <span className="text-sm text-soft">{costOf(data).join(', ')}</span>
        {failed > 0 && (
          <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the errors' : 'Show the errors'}
          </Button>
        )}
        {may.write && pending > 0 && (
          <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the calls
          </Button>
        )}
        {may.write && givenUp > 0 && (
          <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
            Call again
          </Button>
        )}
      </div>
      {isOpen && <FailedExecutions runId={run.id} />}
    </div>
  );
};

const sumOf = (progress: RunProgress | undefined, state: 'pending' | 'scored' | 'unscored' | 'failed') =>
  progress?.metrics.reduce((sum, metric) => sum + metric[state], 0) ?? 0;

/** The scores: how many are there, are still to come, went wrong; with what can be done about it. */
export const Scoring = ({
  run,
  projectId,
  progress,
}: {
  run: Run;
  projectId: string;
  progress: RunProgress | undefined;
}) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const may = useMay();
  const cancel = useChange(run.id, 'scores/cancel', (n) => `${countOf(n, 'score')} will not be made.`);
  const retry = useChange(run.id, 'scores/retry', (n) => `${countOf(n, 'score')} tried again.`);
  const [pending, scored, unscored, failed] = (['pending', 'scored', 'unscored', 'failed'] as const).map(
    (state) => sumOf(progress, state),
  ) as [number, number, number, number];
  const byPeople = new Set(metrics.filter(({ evalType }) => evalType === 'human').map(({ id }) => id));
  const forMachines =
    progress?.metrics.some(({ metricId, pending: n }) => n > 0 && !byPeople.has(metricId)) ?? false;
  const total = pending + scored + unscored + failed;
  const nameOf = (id: string) => metrics.find((metric) => metric.id === id)?.name ?? `Metric ${id}`;
  const problems = progress?.metrics.filter(({ problem }) => problem !== null) ?? [];
  // What machines here are not making, people do not and no budget stops is left to clients.
  const isIdle = progress?.working === false && progress.stoppedBy === null;
  const fromClients = metrics.filter(
    ({ id }) =>
      isIdle && !byPeople.has(id) && progress.metrics.some((one) => one.metricId === id && one.pending > 0),
  );
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      <span className="w-20 text-soft">Scores</span>
      <Progress
        label="Scores"
        total={total}
        parts={[
          { label: 'made', n: scored, fill: 'done' },
          { label: 'failed', n: failed, fill: 'wrong' },
          { label: 'unscored', n: unscored, fill: 'left' },
        ]}
      />
      {!progress && <span className="skeleton h-4 w-32" />}
      <span hidden={!progress}>
        {scored.toLocaleString('en')} of {total.toLocaleString('en')} made
        {pending > 0 && `, ${pending.toLocaleString('en')} to come`}
        {failed > 0 && `, ${failed.toLocaleString('en')} failed`}
        {unscored > 0 && `, ${unscored.toLocaleString('en')} unscored`}
      </span>
      {may.write && forMachines && (
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel scoring
        </Button>
      )}
      {may.write && failed + unscored > 0 && (
        <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
          Try again
        </Button>
      )}
      {fromClients.length > 0 && (
        <p className="basis-full text-sm break-words text-soft">
          Nothing here scores {fromClients.map(({ name }) => name).join(', ')}: a client gives the scores, or{' '}
          <code>dokima score {run.id}</code>.
        </p>
      )}
      {problems.length > 0 && (
        <ul aria-label="What keeps scores from being made" className="basis-full text-sm text-warn">
          {problems.map(({ metricId, metricConfigId, problem }) => (
            <li key={metricConfigId} className="break-words">
              {nameOf(metricId)}: {problem}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
