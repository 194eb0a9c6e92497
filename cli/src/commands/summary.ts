import { aboutText, caveatLines, foldSentences } from '../../../client/src/caveats.ts';
import { gradedSentence } from '../../../client/src/gate/grade.ts';
import type { RunSummary } from '../../../client/src/main.ts';
import { endingNotes } from '../../../client/src/model-endings.ts';
import { wearLine } from '../../../client/src/wear.ts';
import { type Command, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, intervalText, levelText, percent, pValue, rounded } from '../figures.ts';
import { withFiles } from '../files/run-files.ts';
import { table } from '../output.ts';
import { missingNotes } from '../run-status.ts';
import { weightOptions, weightsOf } from '../weights.ts';

type Metric =
  | RunSummary['metrics'][number]
  | NonNullable<RunSummary['breakdown']>['groups'][number]['metrics'][number];

const headers = ['metric', 'pass rate', 'interval', 'n', 'mean', 'interval', 'scored', 'missing'];

const rowOf = ({ metricName, passRate, mean, states }: Metric) => [
  metricName,
  percent(passRate.estimate),
  intervalText(passRate.interval, percent),
  passRate.n,
  mean ? rounded(mean.estimate) : '',
  mean ? intervalText(mean.interval, rounded) : '',
  states.scored,
  missingText(states),
];

/** The share of each label of a category. The intervals hold for all labels at once. */
const labelTables = (metrics: readonly Metric[]): string[] =>
  metrics.flatMap(({ metricName, labels }) =>
    labels
      ? [
          `${metricName}: ${labels.ordered ? 'from worst to best; ' : ''}intervals of all labels at once\n${table(
            ['label', 'share', 'interval', 'scores', 'passes'],
            labels.shares.map(({ label, passes, numScores, share }) => [
              label,
              percent(share.estimate),
              intervalText(share.interval, percent),
              numScores,
              passes ? 'yes' : '',
            ]),
          )}`,
        ]
      : [],
  );

type Breakdown = NonNullable<RunSummary['breakdown']>;

/** Says which groups are shown to differ from all other records; the adjustment is for all groups and metrics. */
const differencesOf = ({ by, groups, numGroupsLeftOut }: Breakdown): string[] => {
  const found = groups.flatMap(({ value, metrics }) =>
    metrics.flatMap(({ metricName, versusRest: { difference, adjustedP } }) =>
      adjustedP === null || adjustedP > 0.05
        ? []
        : [
            `${by} = ${value}: ${metricName} differs from the rest by ${percent(difference)} (adjusted p ${pValue(adjustedP)})`,
          ],
    ),
  );
  return [
    ...(found.length > 0 ? found : [`no value of ${by} is shown to differ from the rest`]),
    ...(numGroupsLeftOut > 0 ? [`${numGroupsLeftOut} smaller groups are left out`] : []),
  ];
};

/** Writes the missing scores by state: a failed judge does not count as a no. */
const missingText = ({ pending, unscored, failed }: Metric['states']): string =>
  Object.entries({ pending, unscored, failed })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');

type Corrected = NonNullable<NonNullable<RunSummary['metrics'][number]['judge']>['correctedRate']>;

/** The rate as people would judge it, with what it assumes and what limits it. */
const correctedLines = ({ estimate, interval, caveats, reason, n, assumption }: Corrected): string[] =>
  estimate === null
    ? [`as people would judge it: ${reason}`]
    : [
        `as people would judge it: ${percent(estimate)} (${intervalText(interval, percent)}, n = ${n}), if ${assumption}`,
        ...caveats.map(({ sentence }) => `as people would judge it: ${sentence}`),
      ];

/** What limits the figures, each sentence once with the metrics that it is about. */
const remarks = ({ metrics }: RunSummary): string[] => {
  const said = metrics.flatMap(({ metricName, passRate, mean, judge }) => {
    const { range, flaky, reason } = passRate;
    const caveats = [...passRate.caveats, ...(mean?.caveats ?? [])];
    const warnings = caveatLines([{ of: metricName, caveats }]).map(({ sentence }) => sentence);
    const lines = reason === null ? warnings : [reason, ...warnings];
    if (judge) lines.push(`judge: ${gradedSentence(judge)}; the intervals leave its errors out`);
    if (judge?.correctedRate) lines.push(...correctedLines(judge.correctedRate));
    if (range)
      lines.push(`pass rate if all missing scores failed, or all passed: ${intervalText(range, percent)}`);
    if (flaky.numTestcases > 0)
      lines.push(`${countOf(flaky.numTestcases, 'testcase')} passed in one trial and failed in another`);
    return lines.map((sentence) => ({ of: metricName, sentence }));
  });
  return foldSentences(said).map(({ of, sentence }) => `${aboutText(of, metrics.length)}: ${sentence}`);
};

export const summary: Command = withFiles(
  {
    name: 'summary',
    takes: 'RUN',
    summary: "Show each metric's pass rate and mean with their intervals.",
    options: {
      by: {
        type: 'string',
        value: 'FIELD',
        about: 'Break the numbers down by tag, metadata.FIELD or inputs.FIELD.',
      },
      criteria: {
        type: 'string',
        value: 'METRIC',
        about: 'Show the criteria of this metric, each like a metric.',
      },
      ...weightOptions,
      level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
    },
    examples: [
      'dokima summary 17',
      'dokima summary 17 --by metadata.topic',
      'dokima summary 17 --criteria 3',
      'dokima summary results.json',
      'dokima summary 17 --shares metadata.intent:refund=0.7,order=0.3',
    ],
    run: async ({ out, client, isTemporary }, args, values) => {
      const [runId] = takeArguments('summary', args, 'The id of the run') as [string];
      const level = values.text('level');
      const asked = await client();
      const found = await asked.summarizeRun(runId, {
        by: values.text('by'),
        criteriaOf: values.text('criteria'),
        ...weightsOf(values),
        ...(level !== undefined && { level: Number(level) }),
      });
      const parts = [
        `Run ${found.runId}: ${countOf(found.numRecords, 'record')}; ${levelText(found.level)} intervals.`,
        ...(found.weightedBy ? [`All rates and means are ${found.weightedBy.sentence}.`] : []),
        table(headers, found.metrics.map(rowOf)),
        ...(found.numCriteriaLeftOut
          ? [`${countOf(found.numCriteriaLeftOut, 'criterion', 'criteria')} with fewer verdicts not shown`]
          : []),
        ...labelTables(found.metrics),
      ];
      for (const { value, numRecords, metrics } of found.breakdown?.groups ?? []) {
        parts.push(
          `${found.breakdown?.by} = ${value}: ${countOf(numRecords, 'record')}\n${table(headers, metrics.map(rowOf))}`,
        );
      }
      if (found.breakdown && found.breakdown.groups.length > 0)
        parts.push(differencesOf(found.breakdown).join('\n'));
      const details = await asked.getRunDetails(runId);
      const { testset, split } = details;
      const wear = isTemporary ? [] : (await wearLine(asked, { testsetId: testset?.id, split })).lines;
      const said = [...remarks(found), ...missingNotes(details), ...endingNotes(details), ...wear];
      if (said.length > 0) parts.push(said.join('\n'));
      out.result(parts.join('\n\n'), found);
      return exit.pass;
    },
  },
  {},
);
