import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedRate } from '../../resources/judges/corrected-rate.tsx';
import type { TrendPoint } from '../../resources/judges/queries.ts';
import { countOf, countText, usdText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Plot, type PlotMark, shareTicks } from '../../ui/plot.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const apart = (a: TrendPoint['passRate'], b: TrendPoint['passRate']): boolean =>
  a.interval !== null &&
  b.interval !== null &&
  (a.interval.high < b.interval.low || b.interval.high < a.interval.low);

/** Where something behind the rate changed, or the rate moved further than chance explains. Points are oldest first. */
export const changePoints = (points: readonly TrendPoint[]): PlotMark[] =>
  points.flatMap((point, i) => {
    const before = points[i - 1];
    if (!before) return [];
    const changes = [
      point.metricConfigId !== before.metricConfigId && 'another configuration of the judge',
      point.testsetId !== before.testsetId && 'another testset',
      point.systemVersionId !== before.systemVersionId && 'another system version',
      apart(point.passRate, before.passRate) &&
        `the rate moved: its interval does not overlap that of run ${before.runId}`,
    ].filter(Boolean);
    return changes.length > 0 ? [{ after: i, label: `Run ${point.runId}: ${changes.join('; ')}` }] : [];
  });

const costOf = (points: readonly TrendPoint[]): string => {
  const priced = points.reduce((sum, { cost }) => sum + (cost?.priced ?? 0), 0);
  const scored = points.reduce((sum, { states }) => sum + states.scored, 0);
  if (priced === 0) return 'Its cost is not known.';
  const usd = points.reduce((sum, { cost }) => sum + (cost?.costUsd ?? 0), 0);
  const each = `${usdText(usd / priced)} a score`;
  return `${usdText(usd)} for ${countOf(priced, 'score')}, ${each}${priced < scored ? `; ${countText(scored - priced)} scores have no known cost` : ''}.`;
};

type Props = { projectId: string; metricId: string; points: readonly TrendPoint[]; isAi: boolean };

/** Which runs the metric scored: its pass rate over them with change points, and what each cost. */
export const JudgedRuns = ({ projectId, metricId, points, isAi }: Props) => {
  if (points.length === 0)
    return (
      <Section title="Runs that it scored">
        <p className="text-soft">It has scored no run yet.</p>
      </Section>
    );
  const newest = [...new Set(points.map(({ runId }) => runId))].slice(-2);
  return (
    <Section
      title={`Runs that it scored (the newest ${points.length})`}
      actions={
        newest.length === 2 && (
          <TextLink {...paths.compare(projectId, newest)}>Compare runs {newest.join(' and ')}</TextLink>
        )
      }
    >
      {isAi && <p className="mb-1 text-soft">{costOf(points)}</p>}
      <Plot
        label="Pass rate over runs"
        points={points.map(({ runId, metricConfigId, passRate }) => ({
          ...passRate,
          id: `${runId} ${metricConfigId}`,
          label: `Run ${runId}`,
        }))}
        low={0}
        high={1}
        ticks={shareTicks}
        format={(share) => `${share * 100} %`}
        marks={changePoints(points)}
      />
      <Table
        label="Runs that it scored"
        head={[
          'Run',
          'Started',
          'Configuration',
          'Pass rate, 95 % interval',
          ...(isAi ? ['As people judge', 'Cost'] : []),
        ]}
      >
        {points.toReversed().map(({ runId, createdAt, metricConfigId, passRate, cost, judge }) => (
          <Row key={`${runId} ${metricConfigId}`}>
            <Cell>
              <TextLink {...paths.run(projectId, runId)}>Run {runId}</TextLink>
            </Cell>
            <Cell>
              <Time at={createdAt} />
            </Cell>
            <Cell className="font-mono text-sm">{metricConfigId.slice(-8)}</Cell>
            <Cell>
              <Interval of={passRate} />
            </Cell>
            {isAi && (
              <>
                <Cell>
                  <CorrectedRate projectId={projectId} metricId={metricId} judge={judge} />
                </Cell>
                <Cell>{cost ? usdText(cost.costUsd) : ''}</Cell>
              </>
            )}
          </Row>
        ))}
      </Table>
    </Section>
  );
};
