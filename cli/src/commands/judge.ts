import type { Client, PinnedTrial } from '../../../client/src/main.ts';
import { type Command, type Context, serviceGoesOn, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { table } from '../output.ts';
import { asPinned } from '../trials.ts';

const headers = ['bias', 'verdict', 'flips', 'without the edit', 'n', 'interval of the difference', ''];

const pendingOf = ({ candidates }: PinnedTrial): number =>
  candidates.reduce((sum, { numPending }) => sum + numPending, 0);

const textOf = (trial: PinnedTrial): string => {
  const { number, evalModelName, battery, sentence } = trial;
  const title = `Battery ${number} of ${evalModelName}`;
  if (!battery) return `${title}: ${sentence}. ${countOf(pendingOf(trial), 'verdict')} pending.`;
  const rows = battery.biases.map(({ bias, verdict, numFlips, numPlaceboFlips, n, interval, sentence }) => [
    bias,
    verdict,
    numFlips,
    numPlaceboFlips,
    n,
    intervalText(interval, percent),
    verdict === 'not applicable' ? sentence.replace('not applicable: ', '') : '',
  ]);
  return [
    `${title}, ${battery.decidedAt.slice(0, 10)}, ${countOf(battery.numRecords, 'pinned record')}, margin ${percent(battery.margin)}`,
    table(headers, rows),
    battery.sentence,
  ].join('\n\n');
};

const codeOf = ({ battery }: PinnedTrial): number => {
  if (!battery) return exit.incomplete;
  return { clear: exit.pass, biased: exit.worse, 'cannot tell': exit.inconclusive }[battery.verdict];
};

/** Starts a battery within its budget and waits for it. */
const start = async (
  { out, signal }: Context,
  client: Client,
  metricId: string,
  values: Values,
): Promise<void> => {
  const estimate = await client.estimateTrial(metricId, { kind: 'battery' });
  out.note(`It asks for ${estimate.sentence}.`);
  if (estimate.numRecords === 0)
    throw new CliError('The battery cannot start: no labelled record is pinned.');
  const budget = values.text('budget');
  const budgetUsd = budget === undefined ? undefined : Number(budget);
  if (budgetUsd !== undefined && !(budgetUsd >= 0))
    throw new CliError(`--budget must be a number of US dollars, not '${budget}'.`);
  const made = await client.createTrial(metricId, {
    kind: 'battery',
    ...(budgetUsd !== undefined && { budgetUsd }),
  });
  for await (const trial of client.watchTrial(metricId, made.number, { signal }))
    out.progress(`${countOf(pendingOf(asPinned(trial)), 'verdict')} of ${estimate.numVerdicts} pending`);
  out.progress(undefined);
};

export const judgeBattery: Command = {
  name: 'judge battery',
  waits: serviceGoesOn,
  takes: 'METRIC',
  summary: 'Say whether edits that keep the truth change the verdicts of a judge, and test it.',
  about: `Without an option it shows the newest battery. Exit code: 0 clear; 1 biased; 2 cannot tell; 3 no battery yet, or verdicts are
pending. docs/judges.md says what each bias is.`,
  options: {
    estimate: { type: 'boolean', about: 'Say what a battery would ask for and cost. Nothing is started.' },
    start: { type: 'boolean', about: 'Start a battery, after its cost was said, and wait for it.' },
    budget: {
      type: 'string',
      value: 'USD',
      about: 'With --start: budget of its verdicts. What it does not reach stays pending.',
    },
    cancel: { type: 'boolean', about: 'Cancel the pending verdicts of the newest battery.' },
  },
  examples: ['dokima judge battery 3 --estimate', 'dokima judge battery 3 --start --budget 2'],
  run: async (context, args, values) => {
    const { out, client: open } = context;
    const [metricId] = takeArguments('judge battery', args, 'The id of the metric') as [string];
    const client = await open();
    if (values.flag('estimate')) {
      const estimate = await client.estimateTrial(metricId, { kind: 'battery' });
      const left = estimate.biases.flatMap(({ bias, reason }) =>
        reason === null ? [] : [`  ${bias}: ${reason}`],
      );
      const text = [
        `A battery asks for ${estimate.sentence}.`,
        ...(left.length > 0 ? ['Not applicable:', ...left] : []),
      ];
      out.result(text.join('\n'), estimate);
      return exit.pass;
    }
    if (values.flag('start')) await start(context, client, metricId, values);
    const { data } = await client.listTrials({ metricId, kinds: ['battery'], limit: 1 });
    let [trial] = data;
    if (trial && values.flag('cancel'))
      trial = await client.decideTrial(metricId, String(trial.number), { decision: 'discarded' });
    if (!trial) {
      out.result(`There is no battery yet. Start one: dokima judge battery ${metricId} --start`, {
        data: [],
      });
      return exit.incomplete;
    }
    const shown = asPinned(trial);
    out.result(textOf(shown), shown);
    return codeOf(shown);
  },
};
