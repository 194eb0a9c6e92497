import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedBeside } from '../../resources/judges/corrected-rate.tsx';
import { levelOf } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { type Measure, wordsFor } from './compared-words.ts';
import type { Pair } from './pair.ts';

type PairRatesProps = {
  /** Undefined where nothing leads into the project. */
  projectId: string | undefined;
  pair: Pair;
  titleOf: (id: string) => string;
  measure: Measure;
};

/** The rates of two runs and their difference, metric by metric. */
export const PairRates = ({ projectId, pair, titleOf, measure }: PairRatesProps) => (
  <div className="mb-3">
    <Table
      label={`${titleOf(pair.after)} against ${titleOf(pair.before)}`}
      head={[
        'Metric',
        'Verdict',
        `Run ${pair.before}`,
        `Run ${pair.after}`,
        'Difference, interval',
        'Testcases',
      ]}
    >
      {pair.metrics.map((metric) => {
        const words = wordsFor(metric.outputType, measure, metric.n);
        const isMean = !words.isShare;
        const { difference, interval, level, verdict, basis } = metric.conclusion;
        return (
          <Row key={metric.metricId}>
            <Cell>
              {projectId === undefined ? (
                <bdi className="break-words">{metric.metricName}</bdi>
              ) : (
                <QuietLink {...paths.compare(projectId, [pair.before, pair.after], metric.metricId)}>
                  <bdi className="break-words">{metric.metricName}</bdi>
                </QuietLink>
              )}
            </Cell>
            <Cell>
              <Verdict verdict={verdict} />
              {basis === 'people' && <span className="block text-sm text-soft">as people judge</span>}
            </Cell>
            <Cell className="whitespace-nowrap">
              {words.value(metric.before)}
              <CorrectedBeside
                projectId={projectId}
                metricId={metric.metricId}
                judge={metric.judge?.before}
                isMean={isMean}
              />
            </Cell>
            <Cell className="whitespace-nowrap">
              {words.value(metric.after)}
              <CorrectedBeside
                projectId={projectId}
                metricId={metric.metricId}
                judge={metric.judge?.after}
                isMean={isMean}
              />
            </Cell>
            <Cell className="whitespace-nowrap">
              {difference === null ? 'N/A' : `${words.difference(difference)}${words.unit}`}
              {interval && (
                <span className="text-soft">
                  , {words.difference(interval.low)} to {words.difference(interval.high)} ({levelOf(level)} %)
                </span>
              )}
            </Cell>
            <Cell>{metric.n.toLocaleString('en')}</Cell>
          </Row>
        );
      })}
    </Table>
  </div>
);
