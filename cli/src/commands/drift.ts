import type { Client, PinnedSet, PinnedTrial } from '../../../client/src/main.ts';
import { type Command, type Context, serviceGoesOn, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { table } from '../output.ts';
import { asPinned } from '../trials.ts';

/** Newest trials that are shown. */
const shown = 5;

type Found = { pinnedSet: PinnedSet; trials: PinnedTrial[] };

const find = async (client: Client, metricId: string): Promise<Found> => {
  const pinnedSet = await client.getPinnedSet(metricId);
  const { data } = await client.listTrials({ metricId, kinds: ['drift'], limit: shown });
  return { pinnedSet, trials: data.map(asPinned) };
};

const headers = [
  'trial',
  'run',
  'started',
  'models',
  'agreement before',
  'agreement now',
  'interval of the difference',
  'n',
  '',
];

const rowOf = ({ number, createdAt, sentence, candidates: [candidate] }: PinnedTrial) => [
  number,
  candidate?.runId,
  createdAt.slice(0, 10),
  candidate?.servedModelNames.join(' '),
  percent(candidate?.drift?.agreementBefore ?? null),
  percent(candidate?.drift?.agreementNow ?? null),
  intervalText(candidate?.drift?.interval ?? null, percent),
  candidate?.drift?.n,
  candidate?.drift?.verdict ?? sentence,
];

const textOf = ({ pinnedSet, trials }: Found): string => {
  const drift = trials[0]?.candidates[0]?.drift;
  return [
    `${countOf(pinnedSet.numRecords, 'pinned record')}; reference: ${pinnedSet.servedModelNames.join(' ') || 'no model'}`,
    ...(trials.length > 0 ? [table(headers, trials.map(rowOf))] : ['There is no drift trial yet.']),
    ...(drift ? [[drift.sentence, ...drift.warnings].join('\n')] : []),
    ...(pinnedSet.due ? [`A drift trial is due: ${pinnedSet.due}.`] : []),
  ].join('\n\n');
};

/** Returns the exit code for the newest trial. Without one it is `incomplete`. */
const codeOf = ({ trials: [newest] }: Found): number => {
  const drift = newest?.candidates[0]?.drift;
  if (!drift) return exit.incomplete;
  if (drift.verdict === 'drifted') return exit.worse;
  return drift.unscored.length > 0 ? exit.incomplete : exit.pass;
};

/** Follows a trial until its verdicts are there. */
const follow = async (
  { out, signal }: Context,
  client: Client,
  { candidates }: PinnedTrial,
): Promise<void> => {
  for await (const run of client.watchRun(candidates[0]!.runId!, { signal }))
    out.progress(`drift trial: ${run.numScores} of ${countOf(run.numRecords, 'verdict')}`);
  out.progress(undefined);
};

/** Follows the newest drift trial of a metric, and says what it found. Returns the exit code. */
export const followDrift = async (context: Context, client: Client, metricId: string): Promise<number> => {
  const { trials } = await find(client, metricId);
  if (trials[0]) await follow(context, client, trials[0]);
  const found = await find(client, metricId);
  context.out.result(textOf(found), found);
  return codeOf(found);
};

export const drift: Command = {
  name: 'drift',
  waits: serviceGoesOn,
  takes: 'METRIC',
  summary: 'Say whether a judge still decides its pinned records as it did when they were pinned.',
  about: `Exit code: 0 no drift detected; 1 drifted; 3 no drift trial yet, or verdicts are missing. docs/statistics.md says how to pin
records and how drift is computed.`,
  options: {
    check: { type: 'boolean', about: 'Start a drift trial first and wait for it.' },
    'if-due': {
      type: 'boolean',
      about: "As --check, but only if the metric's configuration or the answering model is new.",
    },
  },
  examples: ['dokima drift 3', 'dokima drift 3 --if-due    # for a nightly job'],
  run: async (context, args, values) => {
    const [metricId] = takeArguments('drift', args, 'The id of the metric') as [string];
    const client = await context.client();
    const { due } = await client.getPinnedSet(metricId);
    if (values.flag('check') || (values.flag('if-due') && due !== null))
      await follow(context, client, asPinned(await client.createTrial(metricId, { kind: 'drift' })));
    const found = await find(client, metricId);
    context.out.result(textOf(found), found);
    return codeOf(found);
  },
};
