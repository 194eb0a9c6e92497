import { readFile } from 'node:fs/promises';
import type { Client, CreateTrialBody, PinnedTrial } from '../../../client/src/main.ts';
import { type Command, type Context, serviceGoesOn, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { table } from '../output.ts';
import { asPinned } from '../trials.ts';

type Alignment = Extract<CreateTrialBody, { kind: 'alignment' }>;
type Asked = Alignment & { candidates: NonNullable<Alignment['candidates']> };

const sides = { dev: 'for tuning', test: 'kept for the check' } as const;

const share = (value: number | null, interval: { low: number; high: number } | null): string =>
  `${percent(value)} (${intervalText(interval, percent) || 'no interval'})`;

const pendingOf = ({ candidates }: PinnedTrial): number =>
  candidates.reduce((sum, { numPending }) => sum + numPending, 0);

/** Reads the edited prompt, with the labels that it is tried on. Throws without an edit. */
const readAsked = async ({ inputPath }: Context, values: Values): Promise<Asked> => {
  const textOf = async (option: 'prompt' | 'guidelines') => {
    const file = values.text(option);
    return file === undefined ? undefined : await readFile(await inputPath(file), 'utf8');
  };
  const [promptTemplate, guidelines] = [await textOf('prompt'), await textOf('guidelines')];
  const evalModelName = values.text('model');
  const fields = {
    ...(promptTemplate !== undefined && { promptTemplate }),
    ...(guidelines !== undefined && { guidelines }),
    ...(evalModelName !== undefined && { evalModelName }),
  };
  if (Object.keys(fields).length === 0)
    throw new CliError('Name what you changed: --prompt FILE, --guidelines FILE or --model MODEL.');
  return { kind: 'alignment', candidates: [fields], split: values.flag('check') ? 'test' : 'dev' };
};

const budgetOf = (values: Values): { budgetUsd?: number } => {
  const text = values.text('budget');
  if (text === undefined) return {};
  if (!(Number(text) >= 0)) throw new CliError(`--budget must be a number of US dollars, not '${text}'.`);
  return { budgetUsd: Number(text) };
};

const textOf = (trial: PinnedTrial): string => {
  const { number, split, candidates, sentence } = trial;
  const title = `Trial ${number} of an edited prompt, on labels ${split ? sides[split] : ''}`;
  const pending = pendingOf(trial);
  if (pending > 0 || trial.state === 'discarded')
    return `${title}: ${trial.state}. ${countOf(pending, 'verdict')} pending. ${sentence}`;
  const rows = candidates.flatMap(({ metricConfigId, agreement }) =>
    agreement
      ? [
          [
            metricConfigId,
            share(agreement.before, agreement.beforeInterval),
            share(agreement.now, agreement.nowInterval),
            intervalText(agreement.interval, percent),
            agreement.n,
            agreement.verdict,
          ],
        ]
      : [],
  );
  return [
    title,
    table(['candidate', 'as saved', 'as edited', 'interval of the difference', 'n', ''], rows),
    sentence,
  ].join('\n\n');
};

const codeOf = (trial: PinnedTrial): number => {
  const found = trial.candidates.flatMap(({ agreement }) => agreement?.verdict ?? []);
  if (pendingOf(trial) > 0 || trial.state === 'discarded' || found.length === 0) return exit.incomplete;
  if (found.includes('better')) return exit.pass;
  return found.includes('worse') ? exit.worse : exit.inconclusive;
};

/** The records for tuning on which people disagree with the edited prompt. */
const disagreementsOf = async (client: Client, metricId: string, trial: PinnedTrial): Promise<string[]> => {
  if (trial.split !== 'dev' || pendingOf(trial) > 0 || trial.state === 'discarded') return [];
  const query = { disagreements: true, limit: 20 };
  const { data } = await client.listTrialChanges(metricId, String(trial.number), query);
  const says = (passed: boolean | null | undefined) =>
    passed == null ? 'no verdict' : passed ? 'pass' : 'fail';
  const rows = data.map(({ recordId, people, before, after }) => [
    recordId,
    says(people),
    says(before?.passed),
    says(after.passed),
    String(after.score?.reasoning ?? after.reason ?? '').slice(0, 80),
  ]);
  const head = ['record', 'people', 'as saved', 'as edited', 'reason of the edited prompt'];
  return data.length > 0 ? [table(head, rows)] : [];
};

/** Starts the trial within its budget and waits for it. */
const start = async (
  { out, signal }: Context,
  client: Client,
  metricId: string,
  asked: Asked,
): Promise<void> => {
  const made = await client.createTrial(metricId, asked);
  for await (const trial of client.watchTrial(metricId, made.number, { signal }))
    out.progress(`${countOf(pendingOf(asPinned(trial)), 'verdict')} pending`);
  out.progress(undefined);
};

const newestOf = async (client: Client, metricId: string): Promise<PinnedTrial | undefined> => {
  const { data } = await client.listTrials({ metricId, kinds: ['alignment'], limit: 20 });
  return data.map(asPinned).find(({ split }) => split !== null);
};

export const judgeTry: Command = {
  name: 'judge try',
  waits: serviceGoesOn,
  takes: 'METRIC',
  summary: 'Say how often people agree with an edited prompt of a judge, before you save it.',
  about: `With an edit and without --start it says what measuring it asks for and costs, and how often people agree with the saved prompt; no model is
asked. Without an edit it shows the newest trial. Exit code: 0 better, or an estimate; 1 worse; 2 cannot tell; 3 no trial yet, or verdicts are
pending. docs/succession.md says which labels are for tuning and which are kept.`,
  options: {
    prompt: { type: 'string', value: 'FILE', about: 'The edited prompt.' },
    guidelines: { type: 'string', value: 'FILE', about: 'The edited guidelines.' },
    model: { type: 'string', value: 'MODEL', about: 'Another model.' },
    check: { type: 'boolean', about: 'Use the labels that are kept for the check, not those for tuning.' },
    start: { type: 'boolean', about: 'Ask the judge, after the cost was said, and wait.' },
    budget: {
      type: 'string',
      value: 'USD',
      about: 'With --start: budget of its verdicts. What it does not reach stays pending.',
    },
    cancel: { type: 'boolean', about: 'Cancel the pending verdicts of the newest trial.' },
  },
  examples: [
    'dokima judge try 3 --prompt judge.jinja',
    'dokima judge try 3 --prompt judge.jinja --start --budget 2',
    'dokima judge try 3 --prompt judge.jinja --check --start',
  ],
  run: async (context, args, values) => {
    const { out, client: open } = context;
    const [metricId] = takeArguments('judge try', args, 'The id of the metric') as [string];
    const client = await open();
    const isEdit = ['prompt', 'guidelines', 'model'].some((option) => values.text(option) !== undefined);
    if (isEdit || values.flag('start')) {
      const asked = await readAsked(context, values);
      const estimate = await client.estimateTrial(metricId, asked);
      const saved = (['dev', 'test'] as const).map((side) => {
        const { estimate: value, interval, n } = estimate.saved![side];
        return `  labels ${sides[side]}: ${share(value, interval)}, n = ${n}`;
      });
      const text = [
        `It asks for ${estimate.sentence}.`,
        'People agree with the saved prompt on:',
        ...saved,
        ...(values.flag('check') ? [`Checks on the kept labels so far: ${estimate.numChecks}.`] : []),
      ];
      if (!values.flag('start')) {
        out.result(text.join('\n'), estimate);
        return exit.pass;
      }
      out.note(text[0]!);
      await start(context, client, metricId, { ...asked, ...budgetOf(values) });
    }
    let trial = await newestOf(client, metricId);
    if (trial && values.flag('cancel'))
      trial = asPinned(await client.decideTrial(metricId, String(trial.number), { decision: 'discarded' }));
    if (!trial) {
      out.result(`There is no trial yet. Start one: dokima judge try ${metricId} --prompt FILE --start`, {
        data: [],
      });
      return exit.incomplete;
    }
    out.result([textOf(trial), ...(await disagreementsOf(client, metricId, trial))].join('\n\n'), trial);
    return codeOf(trial);
  },
};
