import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client, CreateMetricBody, Metric, UpdateMetricBody } from '../../../client/src/main.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { documentText, editDocument, type Place, readDocument, writeDocument } from '../document.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';

/** A metric in a file. Without an id it is found by its name, else created. */
type MetricEntry = CreateMetricBody & { id?: string };

const listAll = async (client: Client, projectId: string): Promise<Metric[]> => {
  const metrics: Metric[] = [];
  for await (const metric of client.listMetrics(projectId)) metrics.push(metric);
  return metrics.reverse();
};

export const metricPull: Command = {
  name: 'metric pull',
  takes: '[FILE]',
  summary: "Write a project's metrics as YAML or JSON to a file, or to stdout.",
  options: projectOption,
  examples: ['dokima metric pull -p 12 metrics.yaml'],
  run: async ({ out, client, directory }, args, values) => {
    const [file] = args;
    if (args.length > 1) takeArguments('metric pull', args, 'The file');
    const metrics = await listAll(await client(), values.required('project'));
    if (!file) {
      out.raw(documentText(out.json ? '.json' : '.yaml', { metrics }));
      return exit.pass;
    }
    await writeDocument(resolve(directory, file), { metrics });
    out.result(`${file}: ${countOf(metrics.length, 'metric')}.`, { file, metrics });
    return exit.pass;
  },
};

/**
 * Finds the metric of an entry on the service by its id, else by its name. Throws if the id is unknown or several metrics have
 * the name.
 */
const counterpart = (entry: MetricEntry, metrics: Metric[]): Metric | undefined => {
  if (entry.id !== undefined) {
    const metric = metrics.find(({ id }) => id === entry.id);
    if (metric) return metric;
    throw new CliError(
      `The project has no metric ${entry.id} ('${entry.name}').`,
      'Remove the id from the file to create a new metric.',
    );
  }
  const named = metrics.filter(({ name }) => name === entry.name);
  if (named.length < 2) return named[0];
  throw new CliError(
    `${named.length} metrics have the name '${entry.name}'.`,
    'Add the id of one of them to the file.',
  );
};

const readEntries = async (path: string, name: string): Promise<MetricEntry[]> => {
  const { metrics } = ((await readDocument(path)) ?? {}) as { metrics?: MetricEntry[] };
  if (Array.isArray(metrics) && metrics.every((metric) => typeof metric?.name === 'string')) return metrics;
  throw new CliError(
    `${name} has no list of metrics with names.`,
    'For the format, see the output of dokima metric pull',
  );
};

export const metricPush: Command = {
  name: 'metric push',
  takes: 'FILE',
  summary: 'Make the metrics of a project match a file.',
  about: `A metric is found by its id, else by its name, else it is created. A change that affects scoring creates a new configuration;
existing scores keep theirs. Metrics that are missing from the file stay as they are.`,
  options: {
    ...projectOption,
    'dry-run': { type: 'boolean', about: 'Print the changes without making them.' },
  },
  run: async (context, args, values) => {
    const [name] = takeArguments('metric push', args, 'The file');
    const path = await context.inputPath(name!);
    const entries = await readEntries(path, name!);
    const projectId = values.required('project');
    const client = await context.client();
    const metrics = await listAll(client, projectId);
    const pairs = entries.map((entry) => ({ entry, before: counterpart(entry, metrics) }));
    const differs = ({ entry, before }: (typeof pairs)[number]) =>
      before !== undefined &&
      !Object.entries(entry).every(([key, value]) =>
        isDeepStrictEqual(value, (before as Record<string, unknown>)[key]),
      );
    const added = pairs.filter(({ before }) => before === undefined);
    const changed = pairs.filter(differs);
    const dry = values.flag('dry-run');
    if (!dry) {
      for (const { entry, before } of changed)
        await client.updateMetric(before!.id, withoutId(entry) as UpdateMetricBody);
      const ids: [Place, string][] = [];
      const unjudged: string[] = [];
      for (const { entry } of added) {
        const made = await client.createMetric(projectId, withoutId(entry));
        ids.push([['metrics', entries.indexOf(entry), 'id'], made.id]);
        if ('evalModelName' in made && made.evalModelName === 'default') unjudged.push(entry.name);
      }
      await editDocument(path, ids);
      if (unjudged.length > 0)
        context.out.note(
          `No judge model is set, so ${unjudged.join(', ')} can't score: choose a default in Settings → Providers.`,
        );
    }
    const text = `${dry ? 'Dry run: ' : ''}${added.length} added, ${changed.length} changed.`;
    const names = (list: typeof pairs) => list.map(({ entry }) => entry.name);
    context.out.result(text, { dryRun: dry, added: names(added), changed: names(changed) });
    return exit.pass;
  },
};

export const metricPeople: Command = {
  name: 'metric people',
  takes: 'METRIC [PEOPLE]',
  summary: 'Show, or choose, the human metric that a judge is held against.',
  about:
    'The scores of the human metric are the truth about the judge: it is calibrated, and its rates are corrected, by them.',
  options: {},
  examples: ['dokima metric people 31', 'dokima metric people 31 32'],
  run: async ({ out, client: open }, args) => {
    const [metricId, peopleMetricId] = args;
    if (metricId === undefined || args.length > 2)
      takeArguments('metric people', args, 'The id of the metric');
    const client = await open();
    const settings =
      peopleMetricId === undefined
        ? await client.getMetricSettings(metricId!)
        : await client.updateMetricSettings(metricId!, { peopleMetricId });
    const { peopleMetricId: chosen } = settings;
    const text =
      chosen === null
        ? `Metric ${metricId} is held against no human metric. Choose one: dokima metric people ${metricId} PEOPLE`
        : `Metric ${metricId} is held against metric ${chosen}.`;
    out.result(text, { metricId, peopleMetricId: chosen });
    return exit.pass;
  },
};

const withoutId = ({ id: _, ...metric }: MetricEntry): CreateMetricBody => metric as CreateMetricBody;
