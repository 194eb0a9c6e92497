import { caveatLines, namesText } from '../../../client/src/caveats.ts';
import type { Trends } from '../../../client/src/main.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { intervalText, levelText, percent, rounded } from '../figures.ts';
import { table } from '../output.ts';
import { weightOptions, weightsOf } from '../weights.ts';

const head = ['run', 'started', 'pass rate', 'interval', 'n', 'mean', 'interval'];

const trendTable = ({ metricName, points }: Trends['metrics'][number]): string => {
  const isJudged = points.some(({ judge }) => judge);
  const rows = points.map(({ runId, createdAt, passRate, mean, judge }) => [
    runId,
    createdAt.slice(0, 16),
    percent(passRate.estimate),
    intervalText(passRate.interval, percent),
    passRate.n,
    mean ? rounded(mean.estimate) : '',
    mean ? intervalText(mean.interval, rounded) : '',
    ...(isJudged ? [judge?.trust ?? ''] : []),
  ]);
  return [`${metricName}\n${table(isJudged ? [...head, 'judge'] : head, rows)}`, ...labelTable(points)].join(
    '\n',
  );
};

/** The share of each label of a category, by run. The intervals of a run hold for all its labels at once. */
const labelTable = (points: Trends['metrics'][number]['points']): string[] => {
  const labels = [
    ...new Set(points.flatMap((point) => point.labels?.shares.map(({ label }) => label) ?? [])),
  ];
  if (labels.length === 0) return [];
  const rows = points.map(({ runId, labels: given }) => [
    runId,
    ...labels.map((label) => {
      const found = given?.shares.find((each) => each.label === label)?.share;
      return found ? `${percent(found.estimate)} (${intervalText(found.interval, percent)})` : '–';
    }),
  ]);
  return [`labels, intervals of all of a run at once\n${table(['run', ...labels], rows)}`];
};

const limitsOf = ({ metrics }: Trends): string[] =>
  caveatLines(
    metrics.flatMap(({ metricName, points }) =>
      points.map(({ runId, passRate, mean }) => ({
        of: `${metricName} in run ${runId}`,
        caveats: [...passRate.caveats, ...(mean?.caveats ?? [])],
      })),
    ),
  ).map(({ of, sentence }) => `${namesText(of)}: ${sentence}`);

export const trends: Command = {
  name: 'trends',
  summary: 'Show each metric over the latest runs with its intervals.',
  about: 'Overlapping intervals do not compare runs: use dokima compare for that.',
  options: {
    ...projectOption,
    metric: { type: 'string', short: 'm', value: 'ID', about: 'Only this metric and runs that have it.' },
    limit: { type: 'string', value: 'N', about: 'Maximum number of runs, newest first. Default 20.' },
    ...weightOptions,
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
  },
  examples: ['dokima trends', 'dokima trends --metric 3 --shares metadata.intent:refund=0.7,order=0.3'],
  run: async ({ out, client }, args, values) => {
    takeArguments('trends', args);
    const level = values.text('level');
    const weights = weightsOf(values);
    // People's labels speak of the rate of all records, which is not weighted.
    const isWeighted = Object.keys(weights).length > 0;
    const found = await (await client()).listTrends(values.required('project'), {
      metricId: values.text('metric'),
      limit: values.count('limit', 20),
      scored: true,
      ...(isWeighted ? weights : { judges: true }),
      ...(level !== undefined && { level: Number(level) }),
    });
    const { metrics, numUnweighted = 0 } = found;
    const left =
      numUnweighted > 0
        ? [`${numUnweighted} runs are left out: their testcases do not have what the weights need.`]
        : [];
    const parts = [
      metrics.length > 0 ? `${levelText(found.level)} intervals` : 'No run has scores.',
      ...metrics.map(trendTable),
      ...limitsOf(found),
      ...left,
    ];
    out.result(parts.join('\n\n'), found);
    return exit.pass;
  },
};
