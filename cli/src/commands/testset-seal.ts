import type { Seal } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { table } from '../output.ts';

const numberOf = (name: string, given: string | undefined): number | undefined => {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isFinite(value)) return value;
  throw new CliError(`--${name} must be a number, not '${given}'.`);
};

const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

export const testsetSeal: Command = {
  name: 'testset seal',
  takes: 'TESTSET',
  summary: 'Seal testcases: no member and no agent reads them until their looks are spent.',
  about:
    'The testcases leave the testset. gate --sealed asks the service to call a version with them: it answers pass, worse or not enough. When the looks are spent, they return to the testset as a split.',
  options: {
    baseline: {
      type: 'string',
      value: 'VERSION',
      about: 'Version of a system that later ones are compared with.',
    },
    metric: {
      type: 'string',
      short: 'm',
      multiple: true,
      value: 'ID',
      about: 'Metric that decides: a judge or code of the service. Can be repeated.',
    },
    q: { type: 'string', value: 'SEARCH', about: 'Only testcases that fit, as in split:test -tag:easy.' },
    share: { type: 'string', value: 'SHARE', about: 'A drawn share of them, such as 0.3.' },
    unseen: { type: 'boolean', about: 'Only testcases that no record has.' },
    looks: { type: 'string', value: 'N', about: 'Looks until the split opens. Default 20.' },
    alpha: { type: 'string', value: 'ALPHA', about: 'Chance that any look errs, at most. Default 0.05.' },
    margin: {
      type: 'string',
      value: 'SHARE',
      about: 'Loss that a version may have and still pass. Default 0: it must be shown to be better.',
    },
    split: { type: 'string', value: 'NAME', about: 'Split that the testcases get when they open.' },
  },
  examples: [
    'dokima testset seal 2 --share 0.3 --unseen --baseline 0199… --metric 5',
    'dokima testset seal 2 --q split:held-out --baseline 0199… --metric 5 --looks 12 --margin 0.02',
  ],
  run: async ({ out, client }, args, values) => {
    const [testsetId] = takeArguments('testset seal', args, 'The id of the testset');
    const seal = await (await client()).createSeal(
      testsetId!,
      given({
        baselineVersionId: values.required('baseline'),
        metricIds: values.all('metric'),
        q: values.text('q'),
        share: numberOf('share', values.text('share')),
        unseen: values.flag('unseen') || undefined,
        maxLooks: values.has('looks') ? values.count('looks', 20) : undefined,
        alpha: numberOf('alpha', values.text('alpha')),
        margin: numberOf('margin', values.text('margin')),
        split: values.text('split'),
      }),
    );
    out.result(`${seal.sentence}\nLook at a version: dokima gate VERSION --sealed ${seal.id}`, seal);
    return exit.pass;
  },
};

export const testsetSeals: Command = {
  name: 'testset seals',
  takes: 'TESTSET',
  summary: 'List the sealed splits of a testset, with the looks that are left.',
  examples: ['dokima testset seals 2', 'dokima testset seals 2 --json'],
  run: async ({ out, client }, args) => {
    const [testsetId] = takeArguments('testset seals', args, 'The id of the testset');
    const found: Seal[] = [];
    for await (const seal of (await client()).listSeals(testsetId!)) found.push(seal);
    const rows = found.map((seal) => [seal.id, seal.createdAt, seal.sentence]);
    out.result(rows.length === 0 ? 'No sealed splits.' : table(['seal', 'at', 'state'], rows), found);
    return exit.pass;
  },
};

export const testsetOpen: Command = {
  name: 'testset open',
  takes: 'SEAL',
  summary: 'Open a sealed split. Without a look at it, its testcases return as they were.',
  examples: ['dokima testset open 0199…'],
  run: async ({ out, client }, args) => {
    const [sealId] = takeArguments('testset open', args, 'The id of the sealed split');
    const seal = await (await client()).openSeal(sealId!);
    out.result(seal.sentence, seal);
    return exit.pass;
  },
};
