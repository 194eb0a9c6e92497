import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedBeside } from '../../resources/judges/corrected-rate.tsx';
import { weightsOf } from '../../resources/runs/weights.tsx';
import type { RunComparison } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import { countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Scatter } from '../../ui/scatter.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { type Measure, wordsFor } from './compared-words.ts';
import { frontierOf, groupLetters } from './ranking.ts';
import { type Usage, useUsage } from './usage.ts';
import { type Cost, costNames, costs } from './usage-costs.ts';

type Slice = { by: string; value: string } | undefined;
type Part = { slice: Slice; weights: string | undefined };

/** Each run's estimate of one metric, over the run or the slice of it. Undefined until all are read. */
const useEstimates = (runIds: readonly string[], metricId: string, measure: Measure, part: Part) => {
  const { slice, weights } = part;
  const summaries = useQueries({
    queries: runIds.map((id) => ({
      ...apiQuery('summarizeRun', id, { by: slice?.by, ...weightsOf(weights) }),
      staleTime: 60_000,
    })),
  });
  if (summaries.some(({ isPending }) => isPending)) return undefined;
  return summaries.map(({ data }) => {
    const group = data?.breakdown?.groups.find(({ value }) => value === slice?.value);
    const metrics: { metricId: string; passRate: Estimate; mean?: Estimate | null }[] =
      (slice ? group?.metrics : data?.metrics) ?? [];
    const metric = metrics.find((each) => each.metricId === metricId);
    return (measure === 'score' && metric?.mean) || metric?.passRate;
  });
};
type Estimate = {
  estimate: number | null;
  interval: { low: number; high: number } | null;
  n: number;
  reason?: string | null;
};

type LeaderboardProps = {
  projectId: string;
  runIds: readonly string[];
  data: RunComparison;
  metric: { metricId: string; metricName: string; outputType: string };
  measure: Measure;
  slice: Slice;
  weights: string | undefined;
};

/** The judge that scored a run by this metric; undefined for scores by people or code. */
const judgeOf = ({ pairs }: RunComparison, metricId: string, runId: string) => {
  for (const { before, after, metrics } of pairs) {
    const judge = metrics.find((metric) => metric.metricId === metricId)?.judge;
    if (judge && before === runId) return judge.before;
    if (judge && after === runId) return judge.after;
  }
  return undefined;
};

const bestFirst = <Row extends { estimate: Estimate | undefined }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (b.estimate?.estimate ?? -Infinity) - (a.estimate?.estimate ?? -Infinity));

/** Runs ranked by one metric, with groups whose runs are not shown to differ, and with the latency, tokens and cost of a record. */
export const Leaderboard = ({ projectId, runIds, data, metric, measure, ...part }: LeaderboardProps) => {
  const estimates = useEstimates(runIds, metric.metricId, measure, part);
  const usage = useUsage(runIds);
  const runs = useQueries({ queries: runIds.map((id) => apiQuery('getRunDetails', id)) });
  if (!estimates || !usage) return <Skeleton lines={6} />;
  const rows = runIds.map((id, i) => ({
    id,
    title: runs[i]?.data?.title ?? `Run ${id}`,
    estimate: estimates[i],
    usage: usage[i]!,
  }));
  const ranked = bestFirst(rows);
  const letters = groupLetters(
    ranked.filter(({ estimate }) => typeof estimate?.estimate === 'number').map(({ id }) => id),
    data.pairs,
    metric.metricId,
  );
  const words = wordsFor(metric.outputType, measure, 2);
  const told = costNames.filter((name) => rows.some((row) => row.usage[name] !== null));
  return (
    <Section
      title={
        <>
          Leaderboard by <bdi>{metric.metricName}</bdi>
        </>
      }
    >
      <Table
        label="Leaderboard"
        head={[
          'Run',
          words.isShare ? 'Rate, 95 % interval' : 'Mean, 95 % interval',
          'Group',
          ...told.map((name) => costs[name].label),
        ]}
      >
        {ranked.map(({ id, title, estimate, usage: used }) => (
          <Row key={id}>
            <Cell className="max-w-72 truncate">
              <QuietLink {...paths.run(projectId, id)} className="font-medium">
                <bdi title={title}>{title}</bdi>
              </QuietLink>
            </Cell>
            <Cell>
              {!estimate && <span className="text-soft">N/A</span>}
              {estimate && words.isShare && <Interval of={estimate} />}
              {estimate && !words.isShare && <MeanText of={estimate} />}
              <CorrectedBeside
                projectId={projectId}
                metricId={metric.metricId}
                judge={judgeOf(data, metric.metricId, id)}
                isMean={!words.isShare || part.slice !== undefined}
              />
            </Cell>
            <Cell className="font-mono">{letters.get(id)}</Cell>
            {told.map((name) => (
              <Cell key={name} className={used[name] === null ? 'text-soft' : ''}>
                {costs[name].text(used[name])}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      <FirstPlace data={data} metricId={metric.metricId} />
      <LeaderboardNote isSlice={part.slice !== undefined} hasCosts={told.length > 0} />
      <Pareto rows={ranked} words={words} metricName={metric.metricName} />
    </Section>
  );
};

const MeanText = ({ of: { estimate, interval, n } }: { of: Estimate }) => (
  <span>
    <span className="font-medium">{estimate?.toFixed(2) ?? 'N/A'}</span>{' '}
    <span className="text-sm text-soft">
      {interval && `${interval.low.toFixed(2)}–${interval.high.toFixed(2)}, `}n = {countText(n)}
    </span>
  </span>
);

type ParetoProps = {
  rows: readonly { id: string; estimate: Estimate | undefined; usage: Usage }[];
  words: ReturnType<typeof wordsFor>;
  metricName: string;
};

/** Quality against cost, latency or tokens, for the runs that have both. */
const Pareto = ({ rows, words, metricName }: ParetoProps) => {
  const known = costNames.filter(
    (name) =>
      rows.filter(({ usage, estimate }) => usage[name] !== null && estimate?.estimate != null).length > 1,
  );
  const [chosen, choose] = useState<Cost>('costUsd');
  const cost = known.includes(chosen) ? chosen : known[0];
  if (!cost)
    return (
      <p className="mt-2 text-sm text-soft">
        No plot of quality against cost: fewer than two of these runs have a known cost, latency or tokens.
      </p>
    );
  const points = rows.flatMap(({ id, estimate, usage }) => {
    const spent = usage[cost];
    if (spent === null || estimate?.estimate == null) return [];
    return [{ id, quality: estimate.estimate, cost: spent, interval: estimate.interval }];
  });
  const best = frontierOf(points);
  return (
    <div className="mt-4">
      <div className="mb-2 w-48">
        <Select
          label="Quality against"
          value={cost}
          onChange={choose}
          options={known.map((name) => ({ value: name, label: costs[name].label }))}
        />
      </div>
      <Scatter
        label={`${metricName} against ${costs[cost].label.toLowerCase()}`}
        xName={costs[cost].label}
        yName={metricName.length > 40 ? `${metricName.slice(0, 40)}…` : metricName}
        xText={costs[cost].text}
        yText={words.value}
        points={points.map(({ id, quality, cost: spent, interval }) => ({
          id,
          label: `Run ${id}`,
          x: spent,
          y: quality,
          low: interval?.low ?? null,
          high: interval?.high ?? null,
          isBest: best.has(id),
        }))}
      />
      <p className="mt-1 text-sm text-soft">Line: best trade-offs. No other run beats these in both.</p>
    </div>
  );
};

/** The best run, with its rate corrected for being chosen as the best. */
const FirstPlace = ({ data, metricId }: { data: RunComparison; metricId: string }) => {
  const winner = data.winners?.find((one) => one.metricId === metricId);
  return winner && <p className="mt-2">First place: {winner.sentence}.</p>;
};

const LeaderboardNote = ({ isSlice, hasCosts }: { isSlice: boolean; hasCosts: boolean }) => (
  <p className="mt-2 text-sm text-soft">
    Runs that share a letter are not shown to differ by the tests of this comparison. Each rate is over all
    testcases of its run{isSlice && ' in the slice'}.
    {hasCosts &&
      ' Latency, tokens and cost cover the records whose system Dokima called, and those with a trace.'}
  </p>
);
