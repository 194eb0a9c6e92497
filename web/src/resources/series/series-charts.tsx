import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { foldSentences } from '../../../../client/src/caveats.ts';
import { bucketLimits } from '../../../../client/src/series-words.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { Series, SeriesPoint } from '../../types.ts';
import { ChartLegend } from '../../ui/chart-legend.tsx';
import { countOf, sentenceOf } from '../../ui/format.ts';
import { timeText } from '../../ui/time.tsx';
import { TimeChart, valueText } from '../../ui/time-chart.tsx';
import { CorrectedShare, correctedText, useCorrectedRates } from '../judges/corrected-rate.tsx';
import { metricsQuery } from '../metrics/queries.ts';
import { formatFilter } from '../search/search.ts';
import type { Chart } from './charts.ts';

const lengths = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };
// Days and weeks are those of UTC; an hour is shown in the reader's time zone.
const dayLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const hourLabel = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const startsOf = ({ start, end: until, bucket }: Series): number[] => {
  const [first, end] = [Date.parse(start), Date.parse(until)];
  return Array.from(
    { length: Math.max(0, Math.ceil((end - first) / lengths[bucket])) },
    (_, i) => first + i * lengths[bucket],
  );
};

const bucketOf = (start: number, bucket: Series['bucket']) => {
  const at = new Date(start);
  if (bucket === 'hour') return { label: hourLabel.format(at), words: timeText(at, 'minute') };
  const label = dayLabel.format(at);
  return { label, words: bucket === 'day' ? `${label} (UTC)` : `Week of ${label} (UTC)` };
};

/** The part of a search that finds the records of a group. */
const groupFilter = (by: string | undefined, value: string | null): string => {
  if (!by || by === 'monitor') return '';
  return value === null ? `-${by}:*` : formatFilter(by, value);
};

/** The search for the records between two times that pass the filters. */
const searchOf = (start: number, end: number, filters: readonly string[]): string => {
  const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
  return [`after:${iso(start)}`, `before:${iso(end)}`, ...filters].filter(Boolean).join(' ');
};

type ChartOfProps = ComponentProps<typeof TimeChart> & {
  projectId: string;
  /** The judge whose pass rate the chart shows. */
  judged: { metricId: string; metricConfigId: string } | undefined;
};

const ChartOf = ({ projectId, judged, ...chart }: ChartOfProps) =>
  judged ? <JudgedChart projectId={projectId} judged={judged} {...chart} /> : <TimeChart {...chart} />;

/** A chart of a judge's pass rate, with the rate as people would judge it beside that of the group that is looked at. */
const JudgedChart = ({
  projectId,
  judged: { metricId, metricConfigId },
  ...chart
}: ChartOfProps & { judged: { metricId: string; metricConfigId: string } }) => {
  const [looked, setLooked] = useState<string>();
  const group = chart.series.length === 1 ? chart.series[0] : chart.series.find(({ id }) => id === looked);
  const values = useCorrectedRates({ projectId, metricId, configId: metricConfigId }, group?.values ?? []);
  return (
    <TimeChart
      {...chart}
      onLook={setLooked}
      beside={{
        values,
        legend: 'Line: the judge. Dashes: as people would judge, by their labels.',
        textOf: correctedText,
      }}
    />
  );
};

type ChartTotalProps = {
  projectId: string;
  chart: Chart;
  /** The sums of the range. Several groups have none in common. */
  total: SeriesPoint | undefined;
  judged: Chart['passRateOf'];
};

/** The value of the whole range, above the chart. */
const ChartTotal = ({ projectId, chart, total: point, judged }: ChartTotalProps) => {
  const total = point && chart.valueOf(point);
  const isSum = chart.look === 'bars';
  return (
    <p className="flex h-5 gap-2 text-sm text-soft">
      <span className="truncate">
        {total &&
          (isSum
            ? `${chart.format(total.estimate!)} in all`
            : valueText({ ...total, caveats: [] }, chart.format))}
      </span>
      {total && judged && (
        <CorrectedShare
          projectId={projectId}
          metricId={judged.metricId}
          configId={judged.metricConfigId}
          of={total}
        />
      )}
    </p>
  );
};

/** What limits the values of a chart, each sentence once. It wraps: a cut warning warns of nothing. */
const ChartLimits = ({ chart, series }: { chart: Chart; series: Series }) =>
  foldSentences(
    series.groups.flatMap(({ total, points }) => {
      const whole = chart.valueOf(total);
      return [
        ...(whole?.caveats ?? []).map(({ sentence }) => sentence),
        ...bucketLimits(points.map(chart.valueOf), whole, series.bucket),
      ].map((sentence) => ({ of: chart.id, sentence }));
    }),
  ).map(({ sentence }) => (
    <p key={sentence} className="mt-1 flex items-start gap-1.5 text-sm text-soft">
      <TriangleAlert size={12} className="mt-1 shrink-0 text-warn" aria-hidden />
      <span>{sentenceOf(sentence)}</span>
    </p>
  ));

type GroupsProps = { labels: readonly string[]; numOther: number };

/** The legend of all charts. */
const Groups = ({ labels, numOther }: GroupsProps) => (
  <div className="mb-3">
    <ChartLegend labels={labels} />
    {numOther > 0 && (
      <p className="mt-1 text-sm text-soft">
        The {labels.length} with most records; {numOther} more are left out.
      </p>
    )}
  </div>
);

/** Whether a chart would draw anything: axes alone say nothing. */
const hasValues = (chart: Chart, { groups }: Series): boolean =>
  groups.some(({ points }) =>
    points.some((point) => {
      const estimate = chart.valueOf(point)?.estimate ?? null;
      return estimate !== null && (chart.look !== 'bars' || estimate > 0);
    }),
  );

/** The charts that have nothing to draw, in one sentence with the next step. */
const EmptyCharts = ({ charts }: { charts: readonly Chart[] }) =>
  charts.length > 0 && (
    <p className="mt-4 text-soft">
      No values in this range: {charts.map(({ title }) => title).join(', ')}. Choose a longer range, or see{' '}
      <TextLink {...paths.guide('dashboards')}>what each chart counts</TextLink>.
    </p>
  );

const countsSpans = (
  <p className="text-sm text-soft">Counts spans. Those of one record are one unit of the interval.</p>
);

type StackedProps = {
  chart: Chart;
  parts: NonNullable<Chart['parts']>;
  /** The group, if there are several. */
  of: string | undefined;
  buckets: ComponentProps<typeof TimeChart>['buckets'];
  points: readonly (SeriesPoint | undefined)[];
  /** Opens the records of a part of a bucket by their search. */
  onOpen: (bucket: number, search: string) => void;
};

/** The labels of a category over time, with their legend. */
const Stacked = ({ chart, parts, of, buckets, points, onOpen }: StackedProps) => {
  const title = of === undefined ? chart.title : `${chart.title}, ${of}`;
  const n = points.reduce((sum, point) => sum + ((point && chart.valueOf(point)?.n) ?? 0), 0);
  return (
    <li className="min-w-0 rounded-md border p-3">
      <h2 className="truncate font-medium" title={title}>
        {title}
      </h2>
      <p className="h-5 truncate text-sm text-soft">
        {countOf(n, 'score')}
        {chart.ordered && ', worst at the bottom'}
      </p>
      <TimeChart
        label={title}
        look="stack"
        buckets={buckets}
        series={parts.map((part) => ({
          id: part.id,
          label: part.title,
          values: points.map((point) => point && part.valueOf(point)),
        }))}
        format={chart.format}
        high={1}
        onOpen={(bucket, id) => onOpen(bucket, parts.find((part) => part.id === id)?.search ?? '')}
      />
      <ChartLegend look="stack" labels={parts.map((part) => part.title)} />
    </li>
  );
};

type DrawnProps = {
  projectId: string;
  chart: Chart;
  series: Series;
  judged: Chart['passRateOf'];
  ofSpans: boolean;
  groups: readonly { id: string; label: string; total: SeriesPoint; at: ReadonlyMap<number, SeriesPoint> }[];
  starts: readonly number[];
  buckets: ComponentProps<typeof TimeChart>['buckets'];
  onOpen: (bucket: number, group: string) => void;
};

/** A chart with the value of the whole range above it and what limits it below. */
const Drawn = ({
  projectId,
  chart,
  series,
  judged,
  ofSpans,
  groups,
  starts,
  buckets,
  onOpen,
}: DrawnProps) => (
  <li className="min-w-0 rounded-md border p-3">
    <h2 className="truncate font-medium" title={chart.title}>
      {chart.title}
    </h2>
    {ofSpans && countsSpans}
    <ChartTotal
      projectId={projectId}
      chart={chart}
      total={groups.length === 1 ? groups[0]!.total : undefined}
      judged={judged}
    />
    <ChartOf
      projectId={projectId}
      judged={judged}
      label={chart.title}
      look={chart.look}
      buckets={buckets}
      series={groups.map(({ id, label, at }) => ({
        id,
        label,
        values: starts.map((start) => {
          const point = at.get(start);
          return point && chart.valueOf(point);
        }),
      }))}
      format={chart.format}
      {...(chart.high !== undefined && { high: chart.high })}
      onOpen={onOpen}
    />
    <ChartLimits chart={chart} series={series} />
  </li>
);

type SeriesChartsProps = {
  projectId: string;
  series: Series;
  by: string | undefined;
  /** The filter of all series, as a search of records. */
  filter: string;
  charts: readonly Chart[];
};

/** The charts of a project or a monitor. Each point opens the records that it is about. */
export const SeriesCharts = ({ projectId, series, by, filter, charts }: SeriesChartsProps) => {
  const navigate = useNavigate();
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const judges = new Set(metrics.filter(({ evalType }) => evalType === 'ai').map(({ id }) => id));
  const starts = startsOf(series);
  const buckets = starts.map((start) => bucketOf(start, series.bucket));
  const groups = series.groups.map((group) => ({
    ...group,
    id: group.value ?? '',
    at: new Map(group.points.map((point) => [Date.parse(point.start), point])),
  }));
  const openRecords = (bucket: number, filters: readonly string[]) => {
    const start = starts[bucket]!;
    const q = searchOf(start, start + lengths[series.bucket], [
      filters[0] ?? '',
      filter,
      ...filters.slice(1),
    ]);
    void navigate(paths.records(projectId, { q }));
  };
  const open = (chart: Chart) => (bucket: number, id: string) => {
    const group = groups.find((each) => each.id === id);
    openRecords(bucket, [group ? groupFilter(by, group.value) : '', chart.search ?? '']);
  };
  const drawn = charts.filter((chart) => hasValues(chart, series));
  return (
    <>
      {groups.length > 1 && (
        <Groups labels={groups.map(({ label }) => label)} numOther={series.numOtherGroups} />
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,420px),1fr))] gap-3">
        {drawn.map((chart) => {
          const { passRateOf, parts } = chart;
          if (parts)
            return groups.map((group) => (
              <Stacked
                key={`${chart.id} ${group.id}`}
                chart={chart}
                parts={parts}
                of={groups.length > 1 ? group.label : undefined}
                buckets={buckets}
                points={starts.map((start) => group.at.get(start))}
                onOpen={(bucket, search) => openRecords(bucket, [groupFilter(by, group.value), search])}
              />
            ));
          return (
            <Drawn
              key={chart.id}
              chart={chart}
              judged={passRateOf && judges.has(passRateOf.metricId) ? passRateOf : undefined}
              ofSpans={metrics.some(({ id, spans }) => spans && id === chart.metricId)}
              {...{ projectId, series, groups, starts, buckets }}
              onOpen={open(chart)}
            />
          );
        })}
      </ul>
      <EmptyCharts charts={charts.filter((chart) => !drawn.includes(chart))} />
    </>
  );
};
