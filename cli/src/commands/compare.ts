import { aboutText, caveatLines, caveatsOfBoth } from '../../../client/src/caveats.ts';
import { trustOfBoth } from '../../../client/src/gate/grade.ts';
import { shiftText } from '../../../client/src/label-words.ts';
import type { ChangedTestcase, Client, RecordDetail, RunComparison } from '../../../client/src/main.ts';
import { hasMean, valueOfScore } from '../../../client/src/score-value.ts';
import { wearLine } from '../../../client/src/wear.ts';
import type { Command, Context, Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, intervalText, levelText, percent, pValue, rounded } from '../figures.ts';
import { withFiles } from '../files/run-files.ts';
import { table } from '../output.ts';
import { weightOptions, weightsOf } from '../weights.ts';

type Pair = RunComparison['pairs'][number];
type Compared = Pair['metrics'][number];

const headersAt = (level: number): string[] => {
  const interval = `interval (${levelText(level)})`;
  return ['metric', 'before', 'after', 'difference', interval, 'p (Holm)', 'effect', 'n', '+', '−', '='];
};

const effectText = ({
  cohensH,
  cohensHInterval,
  cohensD,
  cohensDInterval,
}: Compared['effectSizes']): string => {
  const size = cohensH ?? cohensD;
  if (size === null) return '–';
  const name = cohensH === null ? 'd' : 'h';
  const interval = cohensH === null ? cohensDInterval : cohensHInterval;
  return `${name} ${rounded(size)}${interval ? ` (${intervalText(interval, rounded)})` : ''}`;
};

const rowOf = (compared: Compared, asRate: boolean) => {
  const { metricName, before, after, difference, simultaneousInterval, adjustedP, n, wins, losses, ties } =
    compared;
  const write = asRate || !hasMean(compared.outputType) ? percent : rounded;
  return [
    metricName,
    write(before),
    write(after),
    write(difference),
    intervalText(simultaneousInterval, write),
    pValue(adjustedP),
    effectText(compared.effectSizes),
    n,
    wins,
    losses,
    ties,
  ];
};

const droppedText = ({ onlyBefore, onlyAfter, revised, unscored }: Compared['dropped']): string =>
  Object.entries({ 'only before': onlyBefore, 'only after': onlyAfter, revised, unscored })
    .filter(([, { numTestcases: count }]) => count > 0)
    .map(([why, { numTestcases: count }]) => `${count} ${why}`)
    .join(', ');

/** The difference by people's labels, if a model judged. */
const correctedText = (compared: Compared, asRate: boolean): string[] => {
  const { corrected } = compared;
  if (!corrected) return [];
  const { sentence, difference, simultaneousInterval, simultaneousLevel, adjustedP } = corrected;
  const write = asRate || !hasMean(compared.outputType) ? percent : rounded;
  const together =
    difference !== null && simultaneousInterval
      ? ` (${write(difference)}, ${levelText(simultaneousLevel)} interval ${intervalText(simultaneousInterval, write)}, p (Holm) ${pValue(adjustedP)})`
      : '';
  return [`as people would judge it: ${sentence}${together}`];
};

const lookText = ({ look }: Compared): string[] => {
  if (!look || look.boundary === null) return [];
  const { look: number, numLooks, nominal, conditionalPower } = look;
  const end =
    conditionalPower === null ? '' : `; the last look decides with a chance of ${percent(conditionalPower)}`;
  return [`look ${number} of ${numLooks}: decides at p ${pValue(nominal)}${end}`];
};

const watchedText = ({ watched }: Compared): string[] => {
  if (!watched) return [];
  const { eValue, neededEvidence, numUntilDecided } = watched;
  const seen = numUntilDecided === null ? 'not decided' : `decided after ${numUntilDecided} testcases`;
  return [
    `sequential test: evidence ${eValue.toPrecision(2)}, needed ${neededEvidence.toPrecision(2)}; ${seen}`,
  ];
};

/** Most moves that are printed; `--changes` lists the testcases of all. */
const mostMoves = 20;

/** Which labels became which, the most frequent first. */
const movesTable = ({ moves, numMovesLeftOut }: NonNullable<Compared['labels']>): string[] => {
  const changed = moves.filter(({ from, to }) => from !== to);
  const left = Math.max(0, changed.length - mostMoves) + numMovesLeftOut;
  return changed.length === 0
    ? []
    : [
        table(
          ['from', 'to', 'testcases'],
          changed.slice(0, mostMoves).map(({ from, to, numTestcases }) => [from, to, numTestcases]),
        ),
        ...(left > 0 ? [`and ${left} more changes from one label to another`] : []),
      ];
};

/** The share of each label of a category in both runs, and which became which. */
const labelTables = ({ metrics }: Pair): string[] =>
  metrics.flatMap(({ metricName, labels }) =>
    labels
      ? [
          `${metricName}: ${shiftText(labels)}\n${table(
            ['label', 'before', 'after', 'difference', 'passes'],
            labels.shares.map(({ label, passes, before, after }) => [
              label,
              percent(before),
              percent(after),
              percent(after - before),
              passes ? 'yes' : '',
            ]),
          )}`,
          ...movesTable(labels),
        ]
      : [],
  );

const pairText = (pair: Pair, asRate: boolean): string => {
  const rows = pair.metrics.map((compared) => rowOf(compared, asRate));
  const said = pair.metrics.flatMap((compared) => {
    const { metricName, sentence, conclusion, dropped, judge } = compared;
    const left = droppedText(dropped);
    const corrected = correctedText(compared, asRate);
    const lines = [
      ...(conclusion.basis === 'people'
        ? [...corrected, `by the judge alone: ${sentence}`]
        : [sentence, ...corrected]),
      ...watchedText(compared),
      ...lookText(compared),
      ...(left ? [`not compared: ${left}`] : []),
      ...(judge ? [`judge: ${trustOfBoth(judge)}`] : []),
      ...(judge?.errors && judge.errors.verdict !== 'differs' ? [judge.errors.sentence] : []),
    ];
    return lines.map((line) => `${metricName}: ${line}`);
  });
  const limits = caveatLines(
    pair.metrics.flatMap((compared) => caveatsOfBoth(compared, compared.metricName)),
  ).map(({ of, sentence }) => `${aboutText(of, pair.metrics.length)}: ${sentence}`);
  const apart = pair.notCompared.map(({ metricName, reason }) => `${metricName}: not compared: ${reason}`);
  return [
    [
      `Run ${pair.after} against run ${pair.before}`,
      ...(pair.testcases ? [pair.testcases.sentence] : []),
    ].join('\n'),
    table(headersAt(pair.metrics[0]?.simultaneousLevel ?? 0.95), rows),
    ...labelTables(pair),
    [...said, ...limits, ...apart].join('\n'),
  ].join('\n\n');
};

/** Returns the id of a metric of the runs that is named by its id or its name. */
const comparedMetric = async (client: Client, runs: string[], nameOrId: string): Promise<string> => {
  if (/^\d+$/.test(nameOrId)) return nameOrId;
  const { pairs } = await client.compareRuns({ runs });
  const metrics = pairs.flatMap((pair) => pair.metrics);
  const found = metrics.find(({ metricName }) => metricName === nameOrId);
  if (found) return found.metricId;
  const names = metrics.map(({ metricName }) => `'${metricName}'`).join(', ');
  throw new CliError(
    `The runs have no metric '${nameOrId}' in common.`,
    names ? `They have: ${names}` : undefined,
  );
};

type Side = ChangedTestcase['before'];

/** Prints the testcases that changed between two runs. */
const printChanges = async (
  { out }: Context,
  client: Client,
  runs: string[],
  metric: string,
): Promise<number> => {
  if (runs.length !== 2) throw new CliError('--changes needs exactly two runs.', 'See dokima compare --help');
  const changed = [];
  const metricId = await comparedMetric(client, runs, metric);
  const { outputType } = await client.getMetric(metricId);
  const records = outputType === 'category';
  for await (const testcase of client.listChangedTestcases({ runs, metricId, ...(records && { records }) }))
    changed.push(testcase);
  // A label says more than whether it passes; of several trials it is that of the first.
  const valueIn = (side: Side, record: RecordDetail | null | undefined): string => {
    const state = record?.scoreStates.find((one) => one.metricId === metricId);
    const label = valueOfScore(state?.score);
    if (typeof label !== 'string') return rounded(side?.mean ?? null);
    return side && side.trials > 1 ? `${label}, passes ${percent(side.mean)}` : label;
  };
  const rows = changed.map(({ id, change, before, after, records: shown }) => [
    id,
    change,
    valueIn(before, shown?.before),
    valueIn(after, shown?.after),
    after?.recordIds.join(' '),
  ]);
  out.result(table(['testcase', '', 'before', 'after', 'records after'], rows), changed);
  return exit.pass;
};

const options = (values: Values) => {
  const measure = values.text('measure') ?? 'score';
  if (measure !== 'score' && measure !== 'pass') throw new CliError('--measure must be score or pass.');
  const test = values.text('test') ?? 'fixed';
  if (test !== 'fixed' && test !== 'sequential' && test !== 'planned')
    throw new CliError('--test must be fixed, sequential or planned.');
  const looks = values.text('looks');
  const pairs = values.text('pairs') ?? 'first';
  if (pairs !== 'first' && pairs !== 'all') throw new CliError('--pairs must be first or all.');
  const pooled = values.all('pooled');
  const level = values.text('level');
  const criteriaOf = values.text('criteria');
  return {
    measure,
    ...(criteriaOf !== undefined && { criteriaOf }),
    test,
    pairs,
    ...(looks !== undefined && { looks: looks.split(',').map(Number) }),
    ...(pooled.length > 0 && { pooled }),
    ...weightsOf(values),
    ...(level !== undefined && { level: Number(level) }),
  } as const;
};

export const compare: Command = withFiles(
  {
    name: 'compare',
    takes: 'BASELINE RUN…',
    summary: 'Say whether runs really differ on the testcases that they share.',
    about:
      'The p-values are corrected across all metrics and pairs that are shown (Holm), and the intervals hold together.',
    options: {
      measure: {
        type: 'string',
        value: 'WHAT',
        about: 'For int and float metrics: score (the mean, default) or pass (the pass rate).',
      },
      level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
      test: {
        type: 'string',
        value: 'TEST',
        about:
          'fixed (default); sequential: may be looked at again and again while runs grow; planned: only at --looks.',
      },
      looks: {
        type: 'string',
        value: 'SIZES',
        about: 'With --test planned: numbers of testcases at which you look, such as 125,250,375,500.',
      },
      pairs: {
        type: 'string',
        value: 'WHICH',
        about: 'first: each run with the baseline (default). all: each run with each later one.',
      },
      ...weightOptions,
      pooled: {
        type: 'string',
        multiple: true,
        value: 'RUN',
        about: 'One more run of the baseline: its scores count as further trials. Can be repeated.',
      },
      criteria: {
        type: 'string',
        value: 'METRIC',
        about: 'Compare the criteria of this metric: their p-values are corrected for their number.',
      },
      changes: {
        type: 'string',
        value: 'METRIC',
        about: 'List the testcases that changed between two runs by this metric.',
      },
    },
    examples: [
      'dokima compare 12 17',
      'dokima compare 12 17 --pooled 11 --pooled 10',
      'dokima compare 12 17 --changes 3',
      'dokima compare 12 17 --criteria 3',
      'dokima compare before.csv after.csv',
      'dokima compare baseline.eval candidate.eval --changes accuracy',
    ],
    run: async (context, runs, values) => {
      if (runs.length < 2)
        throw new CliError('compare needs at least two runs.', 'See dokima compare --help');
      const client = await context.client();
      const metric = values.text('changes');
      if (metric !== undefined) return printChanges(context, client, runs, metric);
      const { measure, ...more } = options(values);
      const found = await client.compareRuns({ runs, measure, ...more });
      if (found.pairs.every((pair) => pair.metrics.length + pair.notCompared.length === 0))
        throw new CliError(
          'The runs have no metric in common, so there is nothing to compare.',
          'Score them by the same metrics. Columns of a table that are scores are named with --scores.',
        );
      const text = found.pairs.map((pair) => pairText(pair, measure === 'pass')).join('\n\n\n');
      const weighted = found.weightedBy ? [`Differences are ${found.weightedBy.sentence}.`] : [];
      const left = found.numCriteriaLeftOut
        ? [`${countOf(found.numCriteriaLeftOut, 'criterion', 'criteria')} with fewer verdicts not shown`]
        : [];
      const best = (found.winners ?? []).map(({ metricName, sentence }) => `${metricName}: ${sentence}`);
      const worn = found.runs.at(-1)!;
      const wear = context.isTemporary
        ? []
        : (await wearLine(client, { testsetId: worn.testset?.id, split: worn.split })).lines;
      context.out.result(
        [...weighted, text, ...left, ...(best.length > 0 ? [best.join('\n')] : []), ...wear].join('\n\n'),
        found,
      );
      return exit.pass;
    },
  },
  { options: ['pooled'] },
);
