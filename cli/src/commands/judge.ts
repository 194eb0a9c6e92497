import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gradeWords } from '../../../client/src/gate/grade.ts';
import type { Client, PinnedTrial } from '../../../client/src/main.ts';
import {
  keyIdOf,
  type PassportPayload,
  type PassportState,
  verifyPassport,
} from '../../../client/src/passport/passport.ts';
import { type Command, type Context, serviceGoesOn, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { table } from '../output.ts';
import { asPinned } from '../trials.ts';

const headers = [
  'bias',
  'verdict',
  'flips',
  'without the edit',
  'n',
  'interval of the difference',
  '8 of 10 find',
  '',
];

const pendingOf = ({ candidates }: PinnedTrial): number =>
  candidates.reduce((sum, { numPending }) => sum + numPending, 0);

const textOf = (trial: PinnedTrial): string => {
  const { number, evalModelName, battery, sentence, state } = trial;
  const title = `Battery ${number} of ${evalModelName}`;
  if (!battery)
    return `${title}: ${sentence}.${state === 'discarded' ? '' : ` ${countOf(pendingOf(trial), 'verdict')} pending.`}`;
  const rows = battery.biases.map((found) => [
    found.bias,
    found.verdict,
    found.numFlips,
    found.numPlaceboFlips,
    found.n,
    intervalText(found.interval, percent),
    // Verdicts of earlier versions lack it.
    found.minimumDetectable == null ? '' : percent(found.minimumDetectable),
    found.verdict === 'not applicable' ? found.sentence.replace('not applicable: ', '') : '',
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

/** The battery of a configuration; of the current one without `--config`. */
const askedOf = (values: Values) => {
  const metricConfigId = values.text('config');
  return { kind: 'battery' as const, ...(metricConfigId !== undefined && { metricConfigId }) };
};

/** Starts a battery within its budget and waits for it. */
const start = async (
  { out, signal }: Context,
  client: Client,
  metricId: string,
  values: Values,
): Promise<void> => {
  const asked = askedOf(values);
  const estimate = await client.estimateTrial(metricId, asked);
  out.note(`It asks for ${estimate.sentence}.`);
  if (estimate.numRecords === 0)
    throw new CliError('The battery cannot start: no labelled record is pinned.');
  const budget = values.text('budget');
  const budgetUsd = budget === undefined ? undefined : Number(budget);
  if (budgetUsd !== undefined && !(budgetUsd >= 0))
    throw new CliError(`--budget must be a number of US dollars, not '${budget}'.`);
  const made = await client.createTrial(metricId, {
    ...asked,
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
    config: {
      type: 'string',
      value: 'ID',
      about: 'Configuration to test, such as a candidate. Default: the current one.',
    },
    cancel: { type: 'boolean', about: 'Cancel the pending verdicts of the newest battery.' },
  },
  examples: ['dokima judge battery 3 --estimate', 'dokima judge battery 3 --start --budget 2'],
  run: async (context, args, values) => {
    const { out, client: open } = context;
    const [metricId] = takeArguments('judge battery', args, 'The id of the metric') as [string];
    const client = await open();
    if (values.flag('estimate')) {
      const estimate = await client.estimateTrial(metricId, askedOf(values));
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

const passportOptions = {
  config: { type: 'string', value: 'ID', about: 'Configuration of the judge. Default: the current one.' },
  days: { type: 'string', value: 'N', about: 'Days until it expires, 1 to 90. Default 90.' },
} as const;

export const judgePassport: Command = {
  name: 'judge passport',
  takes: 'METRIC [FILE]',
  summary: 'Write the signed passport of a judge to a file, or to stdout.',
  about:
    'It holds the grade, the error rates, the labels by maker, drift, the bias battery, the end of the model, and when it expires. docs/judges.md describes it.',
  options: passportOptions,
  examples: ['dokima judge passport 3 judge.json', 'dokima judge passport 3 --days 30 > judge.json'],
  run: async ({ out, client: open, directory }, args, values) => {
    const [metricId, file] = args;
    if (metricId === undefined || args.length > 2)
      takeArguments('judge passport', args, 'The id of the metric');
    const client = await open();
    const metricConfigId = values.text('config');
    const passport = await client.getJudgePassport(metricId!, {
      ...(metricConfigId !== undefined && { metricConfigId }),
      ...(values.text('days') !== undefined && { days: values.count('days', 90) }),
    });
    const text = `${JSON.stringify(passport, null, 2)}\n`;
    if (file === undefined) {
      out.raw(text);
      return exit.pass;
    }
    await writeFile(resolve(directory, file), text);
    const { grade, expiresAt, expiryReason } = passport.payload;
    out.result(`${file}: ${gradeWords[grade]}, until ${expiresAt.slice(0, 10)} (${expiryReason}).`, passport);
    return exit.pass;
  },
};

export const judgeKey: Command = {
  name: 'judge key',
  summary: 'Print the public key of the service, which checks passports of judges.',
  options: {},
  examples: ['dokima judge key > dokima-key.pem'],
  run: async ({ out, client: open }, args) => {
    if (args.length > 0) throw new CliError('judge key takes no argument.');
    const key = await (await open()).getPassportKey();
    if (out.json) out.result('', key);
    else out.raw(key.publicKeyPem);
    return exit.pass;
  },
};

const codes: Record<PassportState, number> = {
  valid: exit.pass,
  tampered: exit.worse,
  expired: exit.inconclusive,
  'not yet valid': exit.inconclusive,
  'wrong key': exit.incomplete,
  'not a passport': exit.broken,
  'wrong version': exit.wrongVersion,
  'wrong judge': exit.wrongJudge,
  replayed: exit.wrongJudge,
};

const readDate = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new CliError(`--issued-after must be a date, not '${text}'.`);
  return date;
};

export const judgeVerify: Command = {
  name: 'judge verify',
  takes: 'FILE',
  summary: 'Check the passport of a judge with a public key, without a service.',
  about: `Exit code: 0 valid; 1 changed or forged; 2 expired, or not valid yet; 3 another key; 4 no passport; 5 another version; 6 another judge,
or issued too early.`,
  options: {
    key: {
      type: 'string',
      value: 'FILE',
      about: 'Public key (PEM), as dokima judge key prints it. Required.',
    },
    hash: { type: 'string', value: 'SHA256', about: 'metricHash that the judge must have.' },
    'issued-after': { type: 'string', value: 'DATE', about: 'Refuse passports that were issued before.' },
  },
  examples: ['dokima judge verify judge.json --key dokima-key.pem --issued-after 2026-11-01'],
  run: async ({ out, inputPath }, args, values) => {
    const [file] = takeArguments('judge verify', args, 'The file') as [string];
    const publicKeyPem = await readFile(await inputPath(values.required('key')), 'utf8');
    const text = await readFile(await inputPath(file), 'utf8');
    let document: unknown;
    try {
      document = JSON.parse(text);
      keyIdOf(publicKeyPem);
    } catch (error) {
      if (document === undefined) throw new CliError(`${file} is not JSON.`);
      throw new CliError(`The key is not a public key in PEM: ${(error as Error).message}`);
    }
    const { state, sentence } = verifyPassport(document, {
      publicKeyPem,
      now: new Date(),
      metricHash: values.text('hash'),
      issuedAfter: readDate(values.text('issued-after')),
    });
    const { payload } = document as { payload?: PassportPayload };
    const says =
      state === 'valid' && payload
        ? [
            `${payload.metricName} (metric ${payload.metricId}, ${payload.metricHash.slice(0, 16)}…): ${payload.sentence}`,
            `Battery: ${payload.battery?.sentence ?? 'none'}`,
          ]
        : [];
    out.result([sentence, ...says].join('\n'), { state, sentence, ...(state === 'valid' && { payload }) });
    return codes[state];
  },
};
