import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { readWindows } from '../../insights/series/read-windows.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { serviceScope } from '../../platform/http/scope.ts';
import { alarmsOf, type Held, type HeldFigure, holdTraffic } from './hold-traffic.ts';
import type { Message } from './message.ts';
import { insertEventOf, listTrafficAlerts, type TrafficAlert } from './queries.ts';

const hourMs = 3_600_000;
const lengths = { hour: hourMs, day: 24 * hourMs };
/** Spans arrive after their time, and the counts of a busy hour are some minutes late. */
const settleMs = 5 * 60_000;

const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;
const seconds = (ms: number): string => `${Number((ms / 1000).toPrecision(3))} s`;
const usd = (sum: number): string => `$${Number(sum.toPrecision(3))}`;

/** The words for a figure, and the search that finds its records. */
const words = {
  errors: {
    has: (value: number) => `${percent(value)} of the records have a failed span`,
    than: percent,
    search: () => ' error:yes',
  },
  latency: {
    has: (value: number) => `the 95th percentile of the latency is ${seconds(value)}`,
    than: seconds,
    search: (limit: number) => ` latency:>${limit}ms`,
  },
  cost: { has: (value: number) => `the records cost ${usd(value)}`, than: usd, search: () => '' },
};

const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

const messageOf = (
  { projectId, projectName, trafficWindow, falseAlarmsPerYear }: TrafficAlert,
  { measure, limit }: HeldFigure,
  { start, n, value }: Held,
): Message => {
  const end = start.getTime() + lengths[trafficWindow];
  const { has, than, search } = words[measure];
  const q = `after:${iso(start.getTime())} before:${iso(end)} source:traces${search(limit)}`;
  return {
    title: `${projectName ?? 'Traffic'}: ${has(value)}, above ${than(limit)}`,
    lines: [
      `The ${trafficWindow} from ${iso(start.getTime())}, ${countInWords(n, 'record')}.`,
      ...(measure === 'cost'
        ? []
        : [
            `While the true figure is at most ${than(limit)} and records fail independently of each other, this alert is wrong at most ${falseAlarmsPerYear} times a year on average.`,
          ]),
    ],
    path: `/projects/${projectId}/records?q=${encodeURIComponent(q)}`,
    facts: {
      project: { id: String(projectId), name: projectName },
      measure,
      limit,
      value,
      n,
      window: trafficWindow,
      start: start.toISOString(),
      end: new Date(end).toISOString(),
    },
  };
};

/**
 * Raises the alarms of complete windows of the last day. A window is looked at again until it is a day old, because spans arrive late;
 * an alarm is noted once.
 */
const watch = async (db: Database, alert: TrafficAlert, now: Date): Promise<void> => {
  const { organizationId, alertId, projectId, trafficWindow: bucket, sinceOf } = alert;
  const length = lengths[bucket];
  const to = new Date(Math.floor((now.getTime() - settleMs) / length) * length);
  const from = new Date(to.getTime() - lengths.day);
  const windows = await readWindows(db, serviceScope(organizationId), { projectId, from, to, bucket });
  const owner = { organizationId };
  for (const figure of holdTraffic(windows, alert)) {
    const { measure } = figure;
    const fresh = figure.windows.filter(({ start }) => start >= new Date(sinceOf[measure]));
    for (const alarm of alarmsOf(fresh))
      await db.transaction(owner, (tx) =>
        insertEventOf(tx, owner, alertId, {
          event: 'traffic.worse',
          about: `traffic.worse ${measure} ${bucket} ${alarm.start.toISOString()}`,
          message: messageOf(alert, figure, alarm),
        }),
      );
  }
};

/** Raises the alarms of all alerts on traffic. Processes that look at the same time note an alarm once. */
export const watchTraffic = async (db: Database, now: Date): Promise<void> => {
  for (const alert of await db.read(system, (sql) => listTrafficAlerts(sql))) await watch(db, alert, now);
};
