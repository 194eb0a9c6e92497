import type { Client, Metric, MetricGroup } from '../../client/src/main.ts';
import type { Option, Values } from './command.ts';
import { CliError } from './errors.ts';

/** The options that name the metrics of a run. */
export const metricOptions: Record<string, Option> = {
  metric: { type: 'string', short: 'm', multiple: true, value: 'ID', about: 'Metric. Can be repeated.' },
  'metric-group': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    about: 'Metric group, by name or id: adds its metrics. Can be repeated.',
  },
};

const groupNamed = (groups: MetricGroup[], nameOrId: string, projectId: string): MetricGroup => {
  const named = groups.filter(({ name }) => name === nameOrId);
  if (named.length > 1)
    throw new CliError(
      `${named.length} metric groups have the name '${nameOrId}'.`,
      `Use the id of one of them: ${named.map(({ id }) => id).join(', ')}`,
    );
  const found = named[0] ?? groups.find(({ id }) => id === nameOrId);
  if (found) return found;
  const names = groups.map(({ name }) => `'${name}'`).join(', ');
  throw new CliError(
    `Project ${projectId} has no metric group '${nameOrId}'.`,
    names ? `It has ${names}.` : 'Create a group on the page of the metrics, or name metrics with --metric.',
  );
};

/** Returns the id of a metric that is named by its id or, if only one has it, by its name. */
export const metricIdOf = async (client: Client, projectId: string, nameOrId: string): Promise<string> => {
  const there: Metric[] = [];
  for await (const metric of client.listMetrics(projectId)) there.push(metric);
  const named = there.filter(({ name }) => name === nameOrId);
  if (named.length > 1)
    throw new CliError(
      `${named.length} metrics have the name '${nameOrId}'.`,
      `Use the id of one of them: ${named.map(({ id }) => id).join(', ')}`,
    );
  if (named[0]) return named[0].id;
  if (/^\d+$/.test(nameOrId)) return nameOrId;
  const names = there.map(({ name }) => `'${name}'`).join(', ');
  throw new CliError(
    `There is no metric '${nameOrId}'.`,
    names ? `There are: ${names}` : 'No metric is there.',
  );
};

/** Returns the metrics of `metricOptions`, then those of the groups, each once. Throws if a group is unknown or its name is not unique. */
export const metricsOf = async (client: Client, projectId: string, values: Values): Promise<string[]> => {
  const [metricIds, groupNames] = [values.all('metric'), values.all('metric-group')];
  if (groupNames.length === 0) return metricIds;
  const groups: MetricGroup[] = [];
  for await (const group of client.listMetricGroups(projectId)) groups.push(group);
  const ofGroups = groupNames.flatMap((name) => groupNamed(groups, name, projectId).metricIds);
  return [...new Set([...metricIds, ...ofGroups])];
};
