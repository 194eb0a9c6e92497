import type { Client, Rescoring, Run, TrialChange } from '../../../client/src/main.ts';
import { openPrompt, type Prompt } from '../ask.ts';
import { type Command, type Context, serviceGoesOn, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { bar, table } from '../output.ts';
import { changesText, costText } from '../rescoring-text.ts';
import { asRescoring } from '../trials.ts';

/** The rescoring of one metric, as `--json` prints it. */
type Result = Rescoring & { metricName: string; flips: TrialChange[] };

type Work = { context: Context; client: Client; run: Run; values: Values; prompt: Prompt | undefined };

const metricIdsOf = (run: Run, values: Values): string[] => {
  const named = values.all('metric');
  if (named.length === 0 && run.metricIds.length === 1) return run.metricIds;
  const unknown = named.find((id) => !run.metricIds.includes(id));
  if (unknown !== undefined)
    throw new CliError(
      `Run ${run.id} is not scored by metric ${unknown}.`,
      `Its metrics: ${run.metricIds.join(', ') || 'none'}`,
    );
  if (named.length > 0) return [...new Set(named)];
  if (run.metricIds.length === 0)
    throw new CliError(`Run ${run.id} has no metrics.`, 'Add metrics to the run, or name another run.');
  throw new CliError(
    `Run ${run.id} has several metrics.`,
    `Name those to re-score: ${run.metricIds.map((id) => `--metric ${id}`).join(' ')}`,
  );
};

const optionsOf = (values: Values) => {
  if (values.flag('adopt') && values.flag('discard'))
    throw new CliError('Give --adopt or --discard, not both.');
  if (values.text('config') !== undefined && values.all('metric').length > 1)
    throw new CliError('--config works with one metric. Give only one --metric.');
  const size = values.text('sample') === undefined ? undefined : values.count('sample', 1);
  return {
    metricConfigId: values.text('config'),
    sample: size === undefined ? undefined : { size, seed: values.count('seed', 1, 0) },
  };
};

const newestConfig = async ({ client }: Work, metricId: string): Promise<string | undefined> => {
  for await (const { id } of client.listMetricVersions(metricId, { limit: 1 })) return id;
  return undefined;
};

/**
 * Returns the open rescoring of this metric, or starts one. Throws if the open one does not use the requested configuration: that of
 * --config or, with --adopt, the current one, because --adopt decides without showing the difference.
 */
const openRescoring = async (work: Work, metricId: string): Promise<Rescoring> => {
  const { context, client, run, values } = work;
  for await (const trial of client.listTrials({ metricId, runId: run.id })) {
    if (trial.endedAt !== null) continue;
    const rescoring = asRescoring(trial);
    const { proposedConfigId } = rescoring;
    const requested = values.text('config') ?? (values.flag('adopt') && (await newestConfig(work, metricId)));
    if (requested && requested !== proposedConfigId)
      throw new CliError(
        `Metric ${metricId}: the open rescoring uses configuration ${proposedConfigId}, not ${requested}.`,
        `Adopt it with --config ${proposedConfigId} --adopt, or discard it with --discard. Then run this command again.`,
      );
    context.out.note(`Metric ${metricId}: continuing the open rescoring.`);
    return rescoring;
  }
  const body = { kind: 'rescoring' as const, runId: run.id, ...optionsOf(values) };
  return asRescoring(await client.createTrial(metricId, body));
};

/** Waits until the proposals are there, or the judge budget is used up. */
const waitForProposals = async (
  { context, client }: Work,
  { metricId, number }: Rescoring,
  name: string,
): Promise<Rescoring> => {
  const { out, signal } = context;
  let last: Rescoring | undefined;
  for await (const trial of client.watchTrial(metricId, number, { signal })) {
    const rescoring = asRescoring(trial);
    const { numProposals, changes } = rescoring;
    out.progress(`${name} ${bar(numProposals - changes.pending, numProposals)}`);
    last = rescoring;
  }
  out.progress(undefined);
  return last!;
};

const flipsOf = async ({ client, values }: Work, { metricId, number }: Rescoring): Promise<TrialChange[]> => {
  const most = values.count('flips', 10, 0);
  const flips: TrialChange[] = [];
  for (const change of ['passToFail', 'failToPass'] as const) {
    if (flips.length >= most) break;
    for await (const flip of client.listTrialChanges(metricId, String(number), { change })) {
      if (flips.length >= most) break;
      flips.push(flip);
    }
  }
  return flips;
};

const showChanges = ({ context }: Work, name: string, rescoring: Rescoring, flips: TrialChange[]): void => {
  const lines = [`${name}: ${changesText(rescoring)}`];
  if (flips.length > 0) {
    const rows = flips.map(({ recordId, change, before, after }) => [
      recordId,
      change === 'passToFail' ? 'pass → fail' : 'fail → pass',
      JSON.stringify(before?.score),
      JSON.stringify(after.score),
    ]);
    lines.push(table(['record', 'verdict', 'score now', 'proposed'], rows));
  }
  context.out.note(lines.join('\n'));
};

/** Extends a sample to all records, if an option or the person says so. */
const extendSample = async (work: Work, name: string, sampled: Rescoring): Promise<Rescoring> => {
  const { client, values, prompt } = work;
  const rest = sampled.estimate?.numRecords ?? 0;
  const extend =
    values.flag('extend') ||
    (await prompt?.choose(`Score the other ${countOf(rest, 'record')} too?`, ['yes', 'no'])) === 'yes';
  if (!extend) return sampled;
  const extended = await client.extendTrial(sampled.metricId, String(sampled.number));
  return waitForProposals(work, asRescoring(extended), name);
};

const decide = async ({ client, values, prompt }: Work, rescoring: Rescoring): Promise<Rescoring> => {
  const { metricId, number, state } = rescoring;
  const choices =
    state === 'ready' ? (['adopt', 'discard', 'leave'] as const) : (['discard', 'leave'] as const);
  let decision: 'adopt' | 'discard' | 'leave' | undefined;
  if (values.flag('discard')) decision = 'discard';
  else if (values.flag('adopt')) decision = state === 'ready' ? 'adopt' : 'leave';
  else decision = await prompt?.choose('What do you want to do with the new scores?', choices);
  if (decision === undefined || decision === 'leave') return rescoring;
  const body = { decision: decision === 'adopt' ? ('adopted' as const) : ('discarded' as const) };
  return asRescoring(await client.decideTrial(metricId, String(number), body));
};

const rescoreMetric = async (work: Work, begun: Rescoring): Promise<Result> => {
  const { context, client, run, values } = work;
  const { metricId, number } = begun;
  const { name } = await client.getMetric(metricId);
  if (values.flag('retry')) await client.retryRun(run.id, { of: 'proposals', metricId, trialNumber: number });
  let rescoring = await waitForProposals(work, begun, name);
  if (rescoring.state === 'sampled') {
    showChanges(work, name, rescoring, await flipsOf(work, rescoring));
    context.out.note(costText(rescoring));
    rescoring = await extendSample(work, name, rescoring);
  }
  const flips = await flipsOf(work, rescoring);
  if (rescoring.state === 'ready') showChanges(work, name, rescoring, flips);
  if (rescoring.stoppedBy)
    context.out.note(
      `${name}: the judge budget of run ${run.id} is used up. Raise it, then run this command again.`,
    );
  return { ...(await decide(work, rescoring)), metricName: name, flips };
};

const endingOf = ({ state, stoppedBy, changes }: Result): string => {
  if (state === 'adopted' || state === 'discarded') return state;
  if (stoppedBy) return `open: the judge budget is used up, ${countOf(changes.pending, 'proposal')} pending`;
  return state === 'sampled' ? 'open: only the sample is scored' : 'open: neither adopted nor discarded';
};

const isDone = ({ state, changes }: Result): boolean =>
  state === 'discarded' || (state === 'adopted' && changes.failed + changes.unscored === 0);

export const rescore: Command = {
  name: 'rescore',
  waits: serviceGoesOn,
  takes: 'RUN',
  summary: 'Re-score a run, look at the difference, and adopt or discard the new scores.',
  about: `The new scores have no effect until you adopt them. Exit code: 0 adopted or discarded; 3 the rescoring stays open (only a sample, no
decision, or the judge budget is used up), or proposals are missing. Run the same command later to go on with an open rescoring.`,
  options: {
    metric: {
      type: 'string',
      multiple: true,
      short: 'm',
      value: 'ID',
      about: 'Metric. Can be repeated. Needed if the run has several.',
    },
    config: {
      type: 'string',
      value: 'ID',
      about: 'Configuration of the metric to use. Default: the current one.',
    },
    sample: {
      type: 'string',
      value: 'N',
      about: 'Score a random sample of N records first, and estimate the cost of the rest.',
    },
    seed: { type: 'string', value: 'N', about: 'Seed that selects the sample. Default 1.' },
    extend: { type: 'boolean', about: 'Go on from the sample to all records without asking.' },
    retry: { type: 'boolean', about: 'Repeat proposals that failed or could not be scored.' },
    adopt: { type: 'boolean', about: 'Adopt the proposals without asking.' },
    discard: { type: 'boolean', about: 'Show the proposals, then discard them without asking.' },
    flips: {
      type: 'string',
      value: 'N',
      about: 'Number of flipped records to list for each metric. Default 10.',
    },
  },
  examples: [
    'dokima rescore 17 -m 3 --sample 50',
    'dokima rescore 17 -m 3 --extend --adopt    # asks nothing',
    'dokima rescore 17 -m 3 --sample 200 --discard --json',
  ],
  run: async (context, args, values) => {
    const [runId] = takeArguments('rescore', args, 'The id of the run') as [string];
    optionsOf(values);
    const client = await context.client();
    const run = await client.getRun(runId);
    const metricIds = metricIdsOf(run, values);
    const prompt = openPrompt(context);
    const work: Work = { context, client, run, values, prompt };
    try {
      // Starts all before it waits for one, so that they are scored at the same time.
      const begun: Rescoring[] = [];
      for (const metricId of metricIds) begun.push(await openRescoring(work, metricId));
      const results: Result[] = [];
      for (const rescoring of begun) results.push(await rescoreMetric(work, rescoring));
      const lines = results.map((result) => `${result.metricName}: ${endingOf(result)}`);
      context.out.result(lines.join('\n'), { runId, rescorings: results });
      return results.every(isDone) ? exit.pass : exit.incomplete;
    } finally {
      prompt?.close();
    }
  },
};
