import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { aboutText, type CaveatLine, caveatLines } from '../../../../client/src/caveats.ts';
import { paths } from '../../paths.ts';
import { Shield } from '../../resources/judges/grade.tsx';
import { NextSteps } from '../../resources/runs/next-steps.tsx';
import { slicesQuery } from '../../resources/runs/queries.ts';
import { WeightChoice, WeightNote } from '../../resources/runs/weights.tsx';
import { useMay } from '../../resources/session/me.ts';
import type { RunDetail, RunSummary } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import { Focal } from '../../ui/focal.tsx';
import { percentOf } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, TableSkeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';
import { toggled } from '../../ui/toggled.ts';
import type { MetricSummary } from './metric-details.tsx';
import { MetricRow } from './metric-row.tsx';

/** A reader would misread a rate without these. */
const decisive: ReadonlySet<string> = new Set([
  'mixedScorers',
  'notSampled',
  'repeatedInputs',
  'invalidScores',
]);

const isKnown = ({ passRate }: MetricSummary): boolean => passRate.estimate !== null;

/** Warnings above the table: those that all metrics share, once, and those without which a reader would misread a rate. */
const warningsAbove = (metrics: readonly MetricSummary[]): readonly CaveatLine[] => {
  // A metric without a rate has no caveat of one.
  const names = new Set(metrics.filter(isKnown).map(({ metricName }) => metricName));
  return caveatLines(
    metrics.map(({ metricName, passRate }) => ({ of: metricName, caveats: passRate.caveats })),
  ).filter(({ code, of }) => decisive.has(code) || (names.size > 1 && of.length >= names.size));
};

/** With fewer metrics the order does not matter. */
const sortedFrom = 5;
type Order = 'started' | 'worst';

const inOrder = (metrics: readonly MetricSummary[], order: Order): readonly MetricSummary[] =>
  order === 'started'
    ? metrics
    : metrics.toSorted((a, b) => (a.passRate.estimate ?? 2) - (b.passRate.estimate ?? 2));

/** Names of the columns: a weighted number says so in its column. */
const headOf = ({ level, weightedBy }: Pick<RunSummary, 'level' | 'weightedBy'>): ReactNode[] => {
  const weighted = weightedBy ? ', weighted' : '';
  return [
    'Metric',
    <span key="rate">
      Pass rate{weighted}, <Term of="interval">{percentOf(level)} % interval</Term>
    </span>,
    `Mean${weighted}`,
    'Scores',
    'Records',
  ];
};

const NoMetrics = () => {
  const may = useMay();
  return (
    <p className="text-soft">
      The run has no metrics, so its records get no scores.{may.write && ' Score adds a metric.'}
    </p>
  );
};

/** The rates that the head of the page shows. */
const mostLarge = 3;

type AnswerProps = { projectId: string; runId: string; metrics: readonly MetricSummary[] };

/** The answer of the run in large: its rates, the lowest first, and what to do now. */
const Answer = ({ projectId, runId, metrics }: AnswerProps) => {
  const known = inOrder(metrics, 'worst').filter(isKnown);
  return (
    <Focal
      label="Result"
      answers={known.slice(0, mostLarge).map(({ metricConfigId, metricName, passRate, judge }) => ({
        key: metricConfigId,
        value: percentText(passRate.estimate),
        says: (
          <span title={metricName}>
            pass <bdi>{metricName}</bdi> <Shield judge={judge} />
          </span>
        ),
      }))}
    >
      <NextSteps projectId={projectId} runId={runId} metrics={metrics} />
    </Focal>
  );
};

type RunMetricsProps = { run: RunDetail; projectId: string; by: string; weights: string | undefined };

/** The results of the run, metric by metric. A row opens to show the distribution and the basis of its numbers. */
export const RunMetrics = ({ run, projectId, by, weights }: RunMetricsProps) => {
  const { data, error } = useQuery(slicesQuery(run, by, weights));
  const navigate = useNavigate();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [order, setOrder] = useState<Order>('started');
  const metrics = data?.metrics ?? [];
  const above = warningsAbove(metrics);
  const said = above.map(({ sentence }) => sentence);
  return (
    <Section
      title="Metrics"
      actions={
        <>
          {(run.testset || weights) && (
            <WeightChoice
              run={run}
              weights={weights}
              onChange={(next) => void navigate({ ...paths.run(projectId, run.id, by, next), replace: true })}
            />
          )}
          {run.metricIds.length >= sortedFrom && (
            <div className="w-40">
              <Select
                label="Order of the metrics"
                hideLabel
                value={order}
                onChange={setOrder}
                options={[
                  { value: 'started', label: 'Original order' },
                  { value: 'worst', label: 'Lowest first' },
                ]}
              />
            </div>
          )}
        </>
      }
    >
      {error && <ErrorNote error={error} />}
      <WeightNote of={data?.weightedBy} />
      {run.numScores > 0 && <Answer projectId={projectId} runId={run.id} metrics={metrics} />}
      {!data && !error && <TableSkeleton rows={run.metricIds.length} />}
      {data && metrics.length === 0 && <NoMetrics />}
      {above.map(({ sentence, of }) => (
        <p key={sentence} className="mb-2 flex items-center gap-1.5 text-soft">
          <TriangleAlert size={12} className="shrink-0 text-warn" aria-hidden />
          <span className="first-letter:uppercase">
            {aboutText(of, metrics.filter(isKnown).length)}: {sentence}.
          </span>
        </p>
      ))}
      {data && metrics.length > 0 && (
        <Table label="Metrics of the run" head={headOf(data)}>
          {inOrder(metrics, order).map((metric) => (
            <MetricRow
              key={metric.metricConfigId}
              metric={metric}
              runId={run.id}
              projectId={projectId}
              said={said}
              isOpen={opened.has(metric.metricConfigId)}
              onToggle={() => setOpened(toggled(opened, metric.metricConfigId))}
            />
          ))}
        </Table>
      )}
    </Section>
  );
};
