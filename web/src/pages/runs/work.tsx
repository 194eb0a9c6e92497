import { useMutation, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { reasonText } from '../../resources/records/score-value.tsx';
import type { RunProgress } from '../../resources/runs/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { ExecutionSummary, RunDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, durationText, usdText } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';
import type { TermName } from '../../ui/terms.ts';
import { say, sayError } from '../../ui/toast.tsx';
import { Value } from '../../ui/value.tsx';

/** Cancels or retries the work of machines on a run, and says how much of it. */
const useChange = (
  runId: string,
  kind: 'cancelRun' | 'retryRun',
  of: 'executions' | 'scores',
  done: (n: number) => string,
) =>
  useMutation({
    mutationFn: () => api[kind](runId, { of }),
    meta: {
      refreshes: [
        keyOf('getRun', runId),
        keyOf('getRunDetails', runId),
        keyOf('listExecutions', runId),
        keyOf('summarizeRun', runId),
      ],
    },
    onSuccess: (changed) => say(done(of === 'scores' ? changed.numScores : changed.numExecutions)),
    onError: sayError,
  });

const failedShown = 20;

/** What was said in a conversation that broke off. */
const Said = ({ messages }: { messages: unknown }) =>
  Array.isArray(messages) && (
    <details className="mt-1">
      <summary className="cursor-pointer text-soft">{countOf(messages.length, 'message')} until then</summary>
      <Value name="Messages" value={messages} />
    </details>
  );

/** The calls that failed, each with its error. */
const FailedExecutions = ({ runId }: { runId: string }) => {
  const { data, error } = useQuery(
    apiQuery('listExecutions', runId, { state: 'failed', limit: failedShown }),
  );
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  return (
    <>
      <Table label="Calls that failed" head={['Testcase', 'Trial', 'Attempts', 'Error']}>
        {data.data.map(({ testcaseId, trial, numAttempts, lastError, evidence }) => (
          <Row key={`${testcaseId} ${trial}`}>
            <Cell className="font-mono text-sm whitespace-nowrap">{testcaseId}</Cell>
            <Cell>{trial}</Cell>
            <Cell>{numAttempts}</Cell>
            <Cell className="max-w-xl break-words">
              {lastError}
              <Said messages={evidence?.messages} />
            </Cell>
          </Row>
        ))}
      </Table>
      {data.hasMore && <p className="mt-1 text-sm text-soft">The first {failedShown} are shown.</p>}
    </>
  );
};

/** The latency and the cost of the system, if it reports them. */
const costOf = ({ medianLatencyMs, p95LatencyMs, inputTokens, outputTokens, ...costs }: ExecutionSummary) =>
  [
    medianLatencyMs !== null && `median ${durationText(medianLatencyMs)}`,
    p95LatencyMs !== null && `95 % within ${durationText(p95LatencyMs)}`,
    inputTokens !== null && `${inputTokens.toLocaleString('en')} tokens in`,
    outputTokens !== null && `${outputTokens.toLocaleString('en')} out`,
    costs.costUsd !== null && usdText(costs.costUsd),
    costs.userCostUsd !== null && `simulated users ${usdText(costs.userCostUsd)}`,
  ].filter(Boolean);

/** The errors of calls, each once with the number of calls that have it. */
const CallErrors = ({ errors }: Pick<ExecutionSummary, 'errors'>) => (
  <ul aria-label="Errors of calls" className="flex flex-col gap-0.5 text-sm">
    {errors.map(({ state, error, numExecutions, maxAttempts }) => (
      <li
        key={`${state} ${error}`}
        className={`break-words ${state === 'failed' ? 'text-fail' : 'text-warn'}`}
      >
        {numExecutions.toLocaleString('en')} {state === 'failed' ? 'failed' : 'waiting'}
        {state === 'pending' && maxAttempts > 0 && `, attempt ${maxAttempts + 1}`}: {error}
      </li>
    ))}
  </ul>
);

/** The calls that the service makes to the system. */
export const Executions = ({ run }: { run: RunDetail }) => {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const cancel = useChange(run.id, 'cancelRun', 'executions', (n) => `${countOf(n, 'call')} cancelled.`);
  const retry = useChange(run.id, 'retryRun', 'executions', (n) => `Retrying ${countOf(n, 'call')}.`);
  const { numExecutions, done, pending, failed, cancelled, errors } = run.executions;
  if (numExecutions === 0) return null;
  const givenUp = failed + cancelled;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-20 text-soft">Calls</span>
        <Progress
          label="Calls of the system"
          total={numExecutions}
          parts={[
            { label: 'done', n: done, fill: 'done' },
            { label: 'failed', n: failed, fill: 'wrong' },
            { label: 'cancelled', n: cancelled, fill: 'left' },
          ]}
        />
        <span>
          {done.toLocaleString('en')} of {numExecutions.toLocaleString('en')} responses
          {failed > 0 && `, ${failed.toLocaleString('en')} failed`}
          {cancelled > 0 && `, ${cancelled.toLocaleString('en')} cancelled`}
        </span>
        <span className="text-sm text-soft">{costOf(run.executions).join(', ')}</span>
        {failed > 0 && (
          <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the failed calls' : 'Show the failed calls'}
          </Button>
        )}
        {may.write && pending > 0 && (
          <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel calls
          </Button>
        )}
        {may.write && givenUp > 0 && (
          <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
            Retry failed calls
          </Button>
        )}
      </div>
      <CallErrors errors={errors} />
      {isOpen && <FailedExecutions runId={run.id} />}
    </div>
  );
};

type ScoreState = 'pending' | 'scored' | 'unscored' | 'failed';

const sumOf = (metrics: RunProgress['metrics'], state: ScoreState) =>
  metrics.reduce((sum, metric) => sum + metric[state], 0);

/** Why metrics have no score, each reason once with the metrics that have it. */
const Problems = ({ projectId, metrics }: { projectId: string; metrics: RunProgress['metrics'] }) => (
  <ul aria-label="Scoring problems" className="basis-full text-sm text-warn">
    {[...Map.groupBy(metrics, ({ reason }) => reason ?? '')].map(([reason, of]) => (
      <li key={reason} className="break-words">
        {of.map(({ metricName, metricId, metricConfigId }, i) => (
          <Fragment key={metricConfigId}>
            {i > 0 && ', '}
            <TextLink {...paths.metric(projectId, metricId)}>{metricName}</TextLink>
          </Fragment>
        ))}
        : {reasonText(reason)}
      </li>
    ))}
  </ul>
);

/** The scores of the run by state, with the actions on them. */
export const Scoring = ({ run: { id, projectId, progress } }: { run: RunDetail }) => {
  const may = useMay();
  const cancel = useChange(id, 'cancelRun', 'scores', (n) => `${countOf(n, 'score')} cancelled.`);
  const retry = useChange(id, 'retryRun', 'scores', (n) => `Retrying ${countOf(n, 'score')}.`);
  const [pending, scored, unscored, failed] = (['pending', 'scored', 'unscored', 'failed'] as const).map(
    (state) => sumOf(progress.metrics, state),
  ) as [number, number, number, number];
  const total = pending + scored + unscored + failed;
  const waiting = progress.metrics.filter((metric) => metric.pending > 0 && metric.evalType !== 'human');
  const automatic = progress.metrics.filter((metric) => metric.automatic);
  const problems = progress.metrics.filter(({ reason }) => reason !== null);
  // Pending scores that neither machines nor people give, and that no budget stops, come from clients.
  const fromClients = progress.working || progress.stoppedBy !== null ? [] : waiting;
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      <span className="w-20 text-soft">Scores</span>
      <Progress
        label="Scores"
        total={total}
        parts={[
          { label: 'scored', n: scored, fill: 'done' },
          { label: 'failed', n: failed, fill: 'wrong' },
          { label: 'unscored', n: unscored, fill: 'left' },
        ]}
      />
      <span>
        {scored.toLocaleString('en')} of {total.toLocaleString('en')} scored
        {Object.entries({ pending, failed, unscored }).map(
          ([state, n]) =>
            n > 0 && (
              <span key={state}>
                , {n.toLocaleString('en')} <Term of={state as TermName} />
              </span>
            ),
        )}
      </span>
      {may.write && sumOf(automatic, 'pending') > 0 && (
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel scoring
        </Button>
      )}
      {may.write && sumOf(automatic, 'failed') + sumOf(automatic, 'unscored') > 0 && (
        <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
          Retry failed scores
        </Button>
      )}
      {fromClients.length > 0 && (
        <p className="basis-full text-sm break-words text-soft">
          A client must send the scores of {fromClients.map(({ metricName }) => metricName).join(', ')}, for
          example <code>dokima score {id}</code>.
        </p>
      )}
      {progress.reason && (
        <p role="alert" className="basis-full text-sm text-warn">
          {progress.reason}
        </p>
      )}
      {problems.length > 0 && <Problems projectId={projectId} metrics={problems} />}
    </div>
  );
};
