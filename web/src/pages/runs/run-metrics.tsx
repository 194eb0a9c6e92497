import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react';
import { Fragment, useState } from 'react';
import { aboutText, type CaveatLine, caveatLines } from '../../../../client/src/caveats.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { slicesQuery } from '../../resources/runs/queries.ts';
import type { Run } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import { countOf, percentOf } from '../../ui/format.ts';
import { Histogram } from '../../ui/histogram.tsx';
import { type Estimate, Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, TableSkeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { toggled } from '../../ui/toggled.ts';
import { binsOf } from './bins.ts';
import { JudgeKnown } from './judge.tsx';
import { MetricDetails, type MetricSummary } from './metric-details.tsx';

/** The records by the state of their score, each a link to them. */
const States = ({
  metric,
  runId,
  projectId,
}: {
  metric: MetricSummary;
  runId: string;
  projectId: string;
}) => {
  const { scored, pending, unscored, failed } = metric.states;
  const { estimate, n } = metric.passRate;
  // With several trials the rate is over testcases and gives no number of records.
  const failures = estimate !== null && n === scored ? Math.round((1 - estimate) * n) : undefined;
  const failuresLabel = failures === undefined ? 'failures' : countOf(failures, 'failure');
  const parts = [
    { result: 'fail', label: failuresLabel, n: estimate === 1 ? 0 : scored },
    { result: 'pending', label: `${pending} pending`, n: pending },
    { result: 'unscored', label: `${unscored} unscored`, n: unscored },
    { result: 'failed', label: `${failed} failed to score`, n: failed },
  ];
  return (
    <span className="flex flex-wrap gap-x-3 leading-4">
      {parts
        .filter(({ n }) => n > 0)
        .map(({ result, label }) => (
          <TextLink
            key={result}
            {...paths.records(projectId, { q: `run:${runId} metric:${metric.metricId} result:${result}` })}
            className="whitespace-nowrap"
          >
            {label}
          </TextLink>
        ))}
    </span>
  );
};

/** A mean score with its interval; nothing for metrics that have none. */
const Mean = ({ mean }: { mean: Estimate | null }) => {
  if (!mean) return null;
  if (mean.estimate === null) return <span className="text-soft">N/A</span>;
  return (
    <span className="whitespace-nowrap">
      <span className="font-medium">{mean.estimate.toFixed(2)}</span>{' '}
      <span className="text-sm text-soft">
        {mean.interval && `${mean.interval.low.toFixed(2)}–${mean.interval.high.toFixed(2)}, `}n = {mean.n}
      </span>
    </span>
  );
};

/** Warnings above the table: those that all metrics share, once, and those without which a reader would misread a rate. */
const warningsAbove = (metrics: readonly MetricSummary[]): readonly CaveatLine[] => {
  const names = new Set(metrics.map(({ metricName }) => metricName));
  return caveatLines(
    metrics.map(({ metricName, passRate }) => ({ of: metricName, caveats: passRate.caveats })),
  ).filter(({ code, of }) => code === 'mixedScorers' || (names.size > 1 && of.length === names.size));
};

/** With fewer metrics the order does not matter. */
const sortedFrom = 5;
type Order = 'started' | 'worst';

const inOrder = (metrics: readonly MetricSummary[], order: Order): readonly MetricSummary[] =>
  order === 'started'
    ? metrics
    : metrics.toSorted((a, b) => (a.passRate.estimate ?? 2) - (b.passRate.estimate ?? 2));

/** The results of the run, metric by metric. A row opens to show the distribution and the basis of its numbers. */
export const RunMetrics = ({ run, projectId, by }: { run: Run; projectId: string; by: string }) => {
  const { data, error } = useQuery(slicesQuery(run, by));
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [order, setOrder] = useState<Order>('started');
  const metrics = data?.metrics ?? [];
  const above = warningsAbove(metrics);
  const said = above.map(({ sentence }) => sentence);
  return (
    <Section
      title="Metrics"
      actions={
        run.metricIds.length >= sortedFrom && (
          <div className="w-40">
            <Select
              label="Order of the metrics"
              hideLabel
              value={order}
              onChange={setOrder}
              options={[
                { value: 'started', label: 'As started' },
                { value: 'worst', label: 'Lowest first' },
              ]}
            />
          </div>
        )
      }
    >
      {error && <ErrorNote error={error} />}
      {!data && !error && <TableSkeleton rows={run.metricIds.length} />}
      {data && metrics.length === 0 && (
        <p className="text-soft">The run has no metrics, so its records get no scores.</p>
      )}
      {above.map(({ sentence, of }) => (
        <p key={sentence} className="mb-2 flex items-center gap-1.5 text-soft">
          <TriangleAlert size={12} className="shrink-0 text-warn" aria-hidden />
          <span>
            {aboutText(of, metrics.length)}: {sentence}.
          </span>
        </p>
      ))}
      {data && metrics.length > 0 && (
        <Table
          label="Metrics of the run"
          head={['Metric', `Pass rate, ${percentOf(data.level)} % interval`, 'Mean', 'Scores', 'Records']}
        >
          {inOrder(metrics, order).map((metric) => {
            const isOpen = opened.has(metric.metricConfigId);
            const warnings = metric.passRate.warnings.filter((warning) => !said.includes(warning));
            return (
              <Fragment key={metric.metricConfigId}>
                <Row>
                  <Cell className="max-w-72">
                    <button
                      type="button"
                      aria-expanded={isOpen}
                      onClick={() => setOpened(toggled(opened, metric.metricConfigId))}
                      className="flex w-full items-center gap-1.5 text-left font-medium"
                    >
                      {isOpen ? (
                        <ChevronDown size={14} className="shrink-0" aria-hidden />
                      ) : (
                        <ChevronRight size={14} className="shrink-0" aria-hidden />
                      )}
                      <bdi className="truncate" title={metric.metricName}>
                        {metric.metricName}
                      </bdi>
                      {warnings.length > 0 && (
                        <span title={warnings.join('\n')} className="shrink-0 text-warn">
                          <TriangleAlert size={12} aria-label={countOf(warnings.length, 'warning')} />
                        </span>
                      )}
                    </button>
                  </Cell>
                  {/* Without padding two lines are as high as one: no row moves the others when it arrives. */}
                  <Cell className={metric.judge ? 'py-0!' : ''}>
                    <Interval of={metric.passRate} />
                    <JudgeKnown metric={metric} projectId={projectId} runId={run.id} />
                  </Cell>
                  <Cell>
                    <Mean mean={metric.mean} />
                  </Cell>
                  <Cell>
                    <Histogram bins={binsOf(metric)} label={`Scores of ${metric.metricName}`} />
                  </Cell>
                  {/* As above: two lines are as high as one. */}
                  <Cell className="py-0!">
                    <States metric={metric} runId={run.id} projectId={projectId} />
                  </Cell>
                </Row>
                {isOpen && (
                  <tr className="border-b bg-page">
                    <td colSpan={5} className="px-5">
                      <MetricDetails metric={metric} projectId={projectId} said={said} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </Table>
      )}
    </Section>
  );
};
