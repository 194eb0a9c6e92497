import type { LinkProps } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { quote } from '../../resources/search/search.ts';
import type { Alert, Monitor, Schedule } from '../../types.ts';
import { countOf } from '../../ui/format.ts';

/** What one looks at in a check. `urgent`: something is wrong, and not only worth reading. */
export type Todo = { text: string; to?: LinkProps; urgent?: true };

type Rated = Monitor['results']['metrics'][number];

const failuresOf = ({ passRate: { estimate, n } }: Rated): number => Math.round(n * (1 - (estimate ?? 1)));

const ofMetric = (
  { projectId, id }: Monitor,
  metric: Rated,
  lowest: number | undefined,
): Todo | undefined => {
  const { metricId, metricName, states, passRate } = metric;
  const q = (result: string) => `monitor:${quote(id)} metric:${metricId} result:${result}`;
  if (states.failed > 0)
    return {
      text: `See why ${countOf(states.failed, 'score')} by ${metricName} failed`,
      to: paths.records(projectId, { q: q('failed') }),
      urgent: true,
    };
  const failures = failuresOf(metric);
  if (failures === 0) return undefined;
  const to = paths.records(projectId, { q: q('fail') });
  const isBelow = lowest !== undefined && passRate.interval && passRate.interval.high < lowest;
  return {
    text: `Read ${countOf(failures, 'failure')} of ${metricName}`,
    to,
    ...(isBelow && { urgent: true }),
  };
};

/** The highest of the pass rates that the alerts on monitors accept; undefined without such an alert. */
const lowestAccepted = (alerts: readonly Alert[]): number | undefined => {
  const accepted = alerts.flatMap(({ events, minPassRate, paused }) =>
    !paused && events.includes('monitor.worse') && minPassRate !== null ? [minPassRate] : [],
  );
  return accepted.length > 0 ? Math.max(...accepted) : undefined;
};

export const todosOfMonitor = (monitor: Monitor, alerts: readonly Alert[]): Todo[] => {
  const { projectId, paused, results } = monitor;
  if (paused) return [{ text: 'Resume it, or delete it', urgent: true }];
  if (results.numRecords === 0)
    return [{ text: 'Wait for a trace that it looks at', to: paths.traces(projectId) }];
  const lowest = lowestAccepted(alerts);
  const todos = results.metrics.flatMap((metric) => ofMetric(monitor, metric, lowest) ?? []);
  if (!alerts.some(({ events, paused }) => !paused && events.includes('monitor.worse')))
    todos.push({
      text: 'Create an alert: no one gets a message yet',
      to: paths.checks(projectId, 'new-alert'),
    });
  return todos;
};

export const todosOfSchedule = ({
  projectId,
  paused,
  lastAt,
  lastRunId,
  lastError,
  nextAt,
}: Schedule): Todo[] => {
  if (paused) return [{ text: 'Resume it, or delete it', urgent: true }];
  if (lastError !== null) return [{ text: 'Mend what it starts: nothing ran', urgent: true }];
  if (nextAt === null) return [{ text: 'Change its times: it has no next one', urgent: true }];
  if (lastAt === null) return [];
  return lastRunId === null ? [] : [{ text: `Read run ${lastRunId}`, to: paths.run(projectId, lastRunId) }];
};

export const todosOfAlert = ({ paused, addresses, lastDelivery }: Alert): Todo[] => {
  if (paused) return [{ text: 'Resume it: it sends nothing', urgent: true }];
  const silent = addresses.filter(({ state }) => state === 'waiting' || state === 'stopped').length;
  if (lastDelivery?.state === 'failed') return [{ text: 'Open its log: nothing arrived', urgent: true }];
  if (silent > 0) return [{ text: `Ask ${countOf(silent, 'owner')} of an address again`, urgent: true }];
  return lastDelivery ? [] : [{ text: 'Open its log and send a test' }];
};

type Checks = {
  monitors: readonly Monitor[];
  schedules: readonly Schedule[];
  alerts: readonly Alert[];
};

/** The state of all checks in one sentence. */
export const headlineOf = ({ monitors, schedules, alerts }: Checks): string => {
  const all = monitors.length + schedules.length;
  if (all === 0) return 'Nothing watches this project yet.';
  const isUrgent = (todos: readonly Todo[]) => todos.some(({ urgent }) => urgent);
  const urgent = [
    ...monitors.map((monitor) => todosOfMonitor(monitor, alerts)),
    ...schedules.map(todosOfSchedule),
    ...alerts.map(todosOfAlert),
  ].filter(isUrgent).length;
  const watched = `${countOf(all, 'check')} ${all === 1 ? 'watches' : 'watch'} this project`;
  if (urgent === 0) return `${watched}, and none needs a look.`;
  return `${watched}. ${urgent === 1 ? 'One thing needs' : `${urgent} things need`} a look.`;
};
