import type { Client, Rescoring, RescoringChange, Run } from '../../../client/src/main.ts';
import { openPrompt, type Prompt } from '../ask.ts';
import { type Command, type Context, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { bar, table } from '../output.ts';
import { changesText, costText } from '../rescoring-text.ts';

/** What became of one metric's rescoring, as `--json` prints it. */
type Result = Rescoring & { metricName: string; flips: RescoringChange[] };

type Work = { context: Context; client: Client; run: Run; values: Values; prompt: Prompt | undefined };

const metricIdsOf = (run: Run, values: Values): string[] => {
  const named = values.all('metric');
  if (named.length === 0 && run.metricIds.length === 1) return run.metricIds;
  const strange = named.find((id) => !run.metricIds.includes(id));
  if (strange !== undefined) throw new CliError(`Run ${run.id} is not scored by metric ${strange}.`);
  if (named.length > 0) return [...new Set(named)];
  if (run.metricIds.length === 0) throw new CliError(`Run ${run.id} has no metrics.`);
  throw new CliError(
    `Run ${run.id} has several metrics.`,
    `Name those to score anew: ${run.metricIds.map((id) => `--metric ${id}`).join(' ')}`,
  );
};

const optionsOf = (values: Values) => {
  if (values.flag('keep') && values.flag('discard'))
    throw new CliError('--keep and --discard exclude each other.');
  if (values.text('config') !== undefined && values.all('metric').length > 1)
    throw new CliError('--config belongs to one metric; name that one alone.');
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
 * The rescoring of this metric that is open, or a new one. Throws when what is open proposes by another configuration than is
 * asked for: that of --config, and for --keep, which asks nobody, else the metric's of now.
 */
const openRescoring = async (work: Work, metricId: string): Promise<Rescoring> => {
  const { context, client, run, values } = work;
  for await (const rescoring of client.listRescorings(run.id)) {
    if (rescoring.metricId !== metricId || rescoring.endedAt !== null) continue;
    const { metricConfigId } = rescoring;
    const asked = values.text('config') ?? (values.flag('keep') && (await newestConfig(work, metricId)));
    if (asked && asked !== metricConfigId)
      throw new CliError(
        `Metric ${metricId}: the rescoring that is open is by configuration ${metricConfigId}, not ${asked}.`,
        `Keep it with --config ${metricConfigId} --keep, or discard it with --discard; then run this again.`,
      );
    context.out.note(`Metric ${metricId}: going on with the rescoring that is open.`);
    return rescoring;
  }
  return client.createRescoring(run.id, { metricId, ...optionsOf(values) });
};

/** Waits until the proposals are there, or the judge budget is used up. */
const settled = async (
  { context, client, run }: Work,
  { id }: Rescoring,
  name: string,
): Promise<Rescoring> => {
  const { out, signal } = context;
  let last: Rescoring | undefined;
  for await (const rescoring of client.watchRescoring(run.id, id, { signal })) {
    const { numProposals, changes } = rescoring;
    out.progress(`${name} ${bar(numProposals - changes.pending, numProposals)}`);
    last = rescoring;
  }
  out.progress(undefined);
  return last!;
};

const flipsOf = async ({ client, run, values }: Work, { id }: Rescoring): Promise<RescoringChange[]> => {
  const most = values.count('flips', 10, 0);
  const flips: RescoringChange[] = [];
  for (const change of ['passToFail', 'failToPass'] as const) {
    if (flips.length >= most) break;
    for await (const flip of client.listRescoringChanges(run.id, id, { change })) {
      if (flips.length >= most) break;
      flips.push(flip);
    }
  }
  return flips;
};

const show = ({ context }: Work, name: string, rescoring: Rescoring, flips: RescoringChange[]): void => {
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

/** Goes on from a sample, when an option or the person says so. */
const extended = async (work: Work, name: string, sampled: Rescoring): Promise<Rescoring> => {
  const { client, run, values, prompt } = work;
  const rest = sampled.estimate?.numRecords ?? 0;
  const goesOn =
    values.flag('extend') ||
    (await prompt?.choose(`Score the other ${countOf(rest, 'record')} too?`, ['yes', 'no'])) === 'yes';
  if (!goesOn) return sampled;
  return settled(work, await client.extendRescoring(run.id, sampled.id), name);
};

const decided = async ({ client, run, values, prompt }: Work, rescoring: Rescoring): Promise<Rescoring> => {
  const { id, status } = rescoring;
  const choices =
    status === 'ready' ? (['keep', 'discard', 'leave'] as const) : (['discard', 'leave'] as const);
  let decision: 'keep' | 'discard' | 'leave' | undefined;
  if (values.flag('discard')) decision = 'discard';
  else if (values.flag('keep')) decision = status === 'ready' ? 'keep' : 'leave';
  else decision = await prompt?.choose('What becomes of the new scores?', choices);
  if (decision === 'keep') return client.keepRescoring(run.id, id);
  if (decision === 'discard') return client.discardRescoring(run.id, id);
  return rescoring;
};

const rescoreMetric = async (work: Work, begun: Rescoring): Promise<Result> => {
  const { context, client, run, values } = work;
  const { name } = await client.getMetric(begun.metricId);
  const retried = values.flag('retry') ? await client.retryRescoring(run.id, begun.id) : begun;
  let rescoring = await settled(work, retried, name);
  if (rescoring.status === 'sampled') {
    show(work, name, rescoring, await flipsOf(work, rescoring));
    context.out.note(costText(rescoring));
    rescoring = await extended(work, name, rescoring);
  }
  const flips = await flipsOf(work, rescoring);
  if (rescoring.status === 'ready') show(work, name, rescoring, flips);
  if (rescoring.stoppedBy)
    context.out.note(`${name}: the judge budget of run ${run.id} is used up. Raise it, and run this again.`);
  return { ...(await decided(work, rescoring)), metricName: name, flips };
};

const endingOf = ({ status, stoppedBy, changes }: Result): string => {
  if (status === 'kept' || status === 'discarded') return status;
  if (stoppedBy) return `open: the judge budget is used up, ${countOf(changes.pending, 'proposal')} pending`;
  return status === 'sampled' ? 'open: only the sample is scored' : 'open: neither kept nor discarded';
};

const isDone = ({ status, changes }: Result): boolean =>
  status === 'discarded' || (status === 'kept' && changes.failed + changes.unscored === 0);

export const rescore: Command = {
  name: 'rescore',
  takes: 'RUN',
  summary: 'Score a run anew, look at the difference, and keep or discard it.',
  about: `Nothing counts until it is kept. Exit code: 0 kept or discarded; 3 it stays open (a sample alone, no decision, a judge budget that
is used up), or proposals are missing. The same line goes on with what is open.`,
  options: {
    metric: {
      type: 'string',
      multiple: true,
      short: 'm',
      value: 'ID',
      about: 'A metric; again for more. Needed when the run has several.',
    },
    config: {
      type: 'string',
      value: 'ID',
      about: 'Another configuration of the metric than the current one.',
    },
    sample: {
      type: 'string',
      value: 'N',
      about: 'Scores so many records first, and says what all will take.',
    },
    seed: { type: 'string', value: 'N', about: 'Which sample. Default 1.' },
    extend: { type: 'boolean', about: 'Goes on from the sample without asking.' },
    retry: { type: 'boolean', about: 'Makes proposals again that failed or could not be scored.' },
    keep: { type: 'boolean', about: 'Makes the proposals the scores, without asking.' },
    discard: { type: 'boolean', about: 'Drops them after they are shown, without asking.' },
    flips: { type: 'string', value: 'N', about: 'How many flipped records to list. Default 10.' },
  },
  examples: [
    'dokima rescore 17 -m 3 --sample 50',
    'dokima rescore 17 -m 3 --extend --keep    # asks nothing',
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
      // All are begun before one is waited for: they are scored at the same time.
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
