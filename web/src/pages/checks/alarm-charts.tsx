import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type api, apiData } from '../../api.ts';
import type { Alert, WatchedFigure } from '../../types.ts';
import { Chart, Dot, Line } from '../../ui/chart.tsx';
import { countText, durationText, usdText } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { useRested } from '../../ui/rested.ts';
import { Loaded } from '../../ui/states.tsx';
import { timeText } from '../../ui/time.tsx';

type Limits = NonNullable<Parameters<typeof api.listAlarms>[1]>;

const formats: Record<WatchedFigure['measure'], (value: number) => string> = {
  errors: percentText,
  latency: durationText,
  cost: usdText,
  passRate: percentText,
  labelShare: percentText,
};
const dayMs = 24 * 3_600_000;
const numDays = 30;
const lengths = { hour: dayMs / 24, day: dayMs };
const dayLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Labels of the axis that are nearer than this, in percent of its height, would lie on each other. */
const leastApart = 20;

const timesText = (n: number): string => (n === 0 ? 'never' : n === 1 ? 'once' : `${n} times`);

type Drawn = { at: number; value: number };

/** The windows in pieces, each of neighbours. */
const piecesOf = (drawn: readonly Drawn[], windowMs: number): Drawn[][] => {
  const pieces: Drawn[][] = [];
  for (const point of drawn) {
    const last = pieces.at(-1)?.at(-1);
    if (last && point.at - last.at <= windowMs) pieces.at(-1)!.push(point);
    else pieces.push([point]);
  }
  return pieces;
};

/** The windows with the limit as a dashed line, and a red dot at each alarm. */
const Drawing = ({
  of: { measure, window, limit, points, alarms },
  label,
}: {
  of: WatchedFigure;
  label: string;
}) => {
  const format = formats[measure];
  const now = Date.now();
  const x = (time: number) => 100 * (1 - (now - time) / (numDays * dayMs));
  const top = 1.1 * Math.max(limit, ...points.map(({ value }) => value));
  const y = (value: number) => 100 * (1 - value / top);
  const placed = ({ at, value }: Drawn) => ({ x: x(at), y: y(value) });
  const drawn = points.map(({ start, value }) => ({ at: Date.parse(start), value }));
  const pieces = piecesOf(drawn, lengths[window]);
  const ends = [
    { at: now - numDays * dayMs, value: limit },
    { at: now, value: limit },
  ];
  return (
    <Chart
      label={label}
      area="mt-2 mr-2 mb-5 ml-14 h-20"
      x={[29, 19, 9].map((days) => ({
        at: x(now - days * dayMs),
        text: dayLabel.format(now - days * dayMs),
      }))}
      y={[
        { at: 100, text: format(0) },
        { at: y(limit), text: format(limit) },
        { at: 0, text: format(top) },
      ].filter(({ at }) => at === y(limit) || Math.abs(at - y(limit)) > leastApart)}
      marks={
        <>
          <Line points={ends.map(placed)} color="var(--ink)" dash="4 3" />
          {pieces.map((piece) => (
            <Line key={piece[0]!.at} points={piece.map(placed)} />
          ))}
        </>
      }
    >
      {pieces.map(([point, second]) => !second && <Dot key={point!.at} {...placed(point!)} size="size-1" />)}
      {alarms.map((alarm) => (
        <Dot
          key={alarm}
          {...placed(
            drawn.findLast(({ at }) => at < Date.parse(alarm)) ?? { at: Date.parse(alarm), value: limit },
          )}
          size="size-2.5"
          color="var(--fail)"
          title={`Alarm ${timeText(alarm, 'minute')}`}
        />
      ))}
    </Chart>
  );
};

/** One figure of the last 30 days, and how often the alert would have fired. */
const AlarmChart = ({ of: figure }: { of: WatchedFigure }) => {
  const { name, judge, measure, limit, points, alarms } = figure;
  const says = `${name}, limit ${formats[measure](limit)}: would have fired ${timesText(alarms.length)} in 30 days`;
  const times = alarms.map((at) => timeText(at, 'minute')).join(', ');
  return (
    <li>
      <p className="font-medium">{says}</p>
      {points.length === 0 ? (
        <p className="text-sm text-soft">No traffic of the last 30 days tells.</p>
      ) : (
        <div className="text-sm text-soft">
          <Drawing of={figure} label={times ? `${says}: ${times}` : says} />
          <p>
            {countText(points.reduce((sum, { n }) => sum + n, 0))} records. Dashes: the limit. Red dots:
            alarms, at most one a day.{judge !== null && ` Judge: ${judge}.`}
          </p>
        </div>
      )}
    </li>
  );
};

/** The limits of an alert, or of its form: those of events that it tells. */
export const limitsOf = ({
  events,
  minPassRate,
  labelMetricId,
  label,
  maxLabelShare,
  falseAlarmsPerYear,
  trafficWindow,
  ...traffic
}: Pick<
  Alert,
  | 'events'
  | 'minPassRate'
  | 'labelMetricId'
  | 'label'
  | 'maxLabelShare'
  | 'falseAlarmsPerYear'
  | 'trafficWindow'
  | 'maxErrorRate'
  | 'maxLatencyMs'
  | 'maxCostUsd'
>): Limits | undefined => {
  const isTraffic = events.includes('traffic.worse');
  const isMonitors = events.includes('monitor.worse') && minPassRate !== null;
  const ofLabel =
    events.includes('monitor.worse') && labelMetricId !== null && label !== null && maxLabelShare !== null
      ? { labelMetricId, label, maxLabelShare }
      : undefined;
  if (!isTraffic && !isMonitors && !ofLabel) return undefined;
  const { maxErrorRate, maxLatencyMs, maxCostUsd } = traffic;
  return {
    falseAlarmsPerYear,
    ...(isMonitors && { minPassRate }),
    ...ofLabel,
    ...(isTraffic && {
      trafficWindow,
      ...(maxErrorRate !== null && { maxErrorRate }),
      ...(maxLatencyMs !== null && { maxLatencyMs }),
      ...(maxCostUsd !== null && { maxCostUsd }),
    }),
  };
};

type AlarmChartsProps = { projectId: string; limits: Limits };

/** Where an alert with these limits would have fired in the last 30 days. */
export const AlarmCharts = ({ projectId, limits }: AlarmChartsProps) => {
  const alarms = useQuery({
    ...apiData('listAlarms', projectId, useRested(limits)),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label="The last 30 days" className="rounded-md border p-3">
      <Loaded query={alarms} lines={5}>
        {(figures) => (
          <ul className="flex flex-col gap-3">
            {figures.length === 0 && (
              <li className="text-sm text-soft">
                Set a limit to see where it would have fired in the last 30 days.
              </li>
            )}
            {figures.map((figure) => (
              <AlarmChart key={`${figure.measure} ${figure.name}`} of={figure} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
};
