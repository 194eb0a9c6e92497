import { caveatLines, foldSentences, namesText } from '../../../client/src/caveats.ts';
import { judgeLines } from '../../../client/src/judge-lines.ts';
import type { Series, SeriesChange } from '../../../client/src/main.ts';
import {
  bucketLimits,
  changeLimits,
  changeName,
  partsOf,
  startText,
  testedText,
} from '../../../client/src/series-words.ts';
import { type Command, projectOption, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { intervalText, levelText, percent, pValue } from '../figures.ts';
import { table } from '../output.ts';

type Point = Series['groups'][number]['total'];

const shareText = ({ estimate, interval, n }: Point['errors']): string =>
  n === 0 ? '–' : `${percent(estimate)} (${intervalText(interval, percent)}, n = ${n})`;

const secondsText = ({ estimate }: Point['errors']): string =>
  estimate === null ? '–' : `${(estimate / 1_000).toFixed(2)} s`;

/** The buckets of one group, and their pass rates by metric. */
const groupTable = ({ label, total, points }: Series['groups'][number], series: Series): string => {
  const { metrics, bucket } = series;
  const rowOf = (name: string, { numRecords, errors, latency, cost, scores }: Point) => [
    name,
    numRecords,
    shareText(errors),
    secondsText(latency.p50),
    `$${cost.sum.toFixed(4)}`,
    ...metrics.map(({ metricConfigId }) => {
      const found = scores.find((each) => each.metricConfigId === metricConfigId);
      return found ? shareText(found.passRate) : '–';
    }),
  ];
  const head = [bucket, 'records', 'failed span', 'median latency', 'cost'];
  const names = metrics.map(
    ({ metricName, current, unit }) =>
      `${metricName}${current ? '' : ', earlier version'}${unit === 'span' ? ' (spans)' : ''}`,
  );
  const rows = points.map((point) => rowOf(startText(point.start, bucket), point));
  const rates = `${label}\n${table([...head, ...names], [...rows, rowOf('all', total)])}`;
  return [rates, ...labelTables({ total, points }, series)].join('\n\n');
};

/** The share of each label of each category. The intervals of a row hold for all its labels at once. */
const labelTables = (
  { total, points }: Pick<Series['groups'][number], 'total' | 'points'>,
  { metrics, bucket }: Series,
): string[] =>
  metrics.flatMap(({ metricConfigId, metricName, current }) => {
    const labelsOf = ({ scores }: Point) =>
      scores.find((each) => each.metricConfigId === metricConfigId)?.labels ?? [];
    const labels = labelsOf(total).map(({ label }) => label);
    if (labels.length === 0) return [];
    const rowOf = (name: string, point: Point) => [
      name,
      ...labels.map((label) => {
        const found = labelsOf(point).find((each) => each.label === label);
        return found ? shareText(found.share) : '–';
      }),
    ];
    const rows = points.map((point) => rowOf(startText(point.start, bucket), point));
    const name = `${metricName}${current ? '' : ', earlier version'}: intervals of all labels at once`;
    return [`${name}\n${table([bucket, ...labels], [...rows, rowOf('all', total)])}`];
  });

/** What limits the figures of the whole range, and then those of its buckets, which have less data. */
const limitsText = ({ groups, metrics, bucket }: Series): string[] => {
  const figures = groups.flatMap(({ label, total: { errors, latency, scores } }) => {
    const of = (name: string) => (groups.length > 1 ? `${name}, ${label}` : name);
    return [
      { of: of('failed span'), caveats: errors.caveats },
      { of: of('median latency'), caveats: latency.p50.caveats },
      ...scores.map(({ metricConfigId, passRate }) => ({
        of: of(metrics.find((each) => each.metricConfigId === metricConfigId)?.metricName ?? metricConfigId),
        caveats: passRate.caveats,
      })),
    ];
  });
  const inBuckets = groups.flatMap(({ label, points, total }) =>
    total.scores.flatMap(({ metricConfigId, passRate }) => {
      const name =
        metrics.find((each) => each.metricConfigId === metricConfigId)?.metricName ?? metricConfigId;
      const rates = points.map(
        ({ scores }) => scores.find((each) => each.metricConfigId === metricConfigId)?.passRate,
      );
      const of = groups.length > 1 ? `${name}, ${label}` : name;
      return bucketLimits(rates, passRate, bucket).map((sentence) => ({ of, sentence }));
    }),
  );
  const lines = [...caveatLines(figures), ...foldSentences(inBuckets)].map(
    ({ of, sentence }) => `${namesText(of)}: ${sentence}`,
  );
  return lines.length > 0 ? [lines.join('\n')] : [];
};

const changesText = (changes: readonly SeriesChange[], series: Series): string => {
  const rows = changes.map((change) => {
    const { before, after, difference, simultaneousInterval, adjustedP, numBefore, numAfter, verdict } =
      change;
    return [
      changeName(change, series),
      ...partsOf(change, series.bucket),
      `${percent(before)} (n = ${numBefore})`,
      `${percent(after)} (n = ${numAfter})`,
      percent(difference),
      intervalText(simultaneousInterval, percent),
      pValue(adjustedP),
      verdict,
    ];
  });
  const interval = `interval (${levelText(changes[0]?.simultaneousLevel ?? series.level)})`;
  const head = ['metric', 'from', 'to', 'before', 'after', 'difference', interval, 'p (Holm)', 'verdict'];
  const said = changes
    .filter(({ verdict }) => verdict !== 'cannot tell')
    .map((change) => {
      const [from, to] = partsOf(change, series.bucket);
      return `${changeName(change, series)}, ${from} to ${to}: ${change.sentence}`;
    });
  const limits = changeLimits(changes, series).map(({ of, sentence }) => `${namesText(of)}: ${sentence}`);
  return [
    ...(changes.length > 0 ? [table(head, rows)] : []),
    [testedText(changes, series.level), ...said, ...limits].join('\n'),
  ].join('\n\n');
};

const chosen = <Word extends string>(values: Values, name: string, words: readonly Word[]) => {
  const given = values.text(name);
  const word = words.find((each) => each === given);
  if (given !== undefined && word === undefined)
    throw new CliError(`--${name} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`);
  return word;
};

export const series: Command = {
  name: 'series',
  summary: "Show a project's records over time, and say whether pass rates changed.",
  about:
    'With --compare, pass rates are tested with users as units, and all tests that are shown hold together (Holm). A test is for one look: to be warned as soon as a rate falls, use an alert.',
  options: {
    ...projectOption,
    after: {
      type: 'string',
      value: 'TIME',
      about: 'Start, such as 2026-11-01T00:00:00Z. Default a week before the end.',
    },
    before: { type: 'string', value: 'TIME', about: 'End. Default now.' },
    bucket: { type: 'string', value: 'LENGTH', about: 'hour, day or week, in UTC. Default by the range.' },
    by: { type: 'string', value: 'WHAT', about: 'Split by model, version or tag.' },
    source: { type: 'string', value: 'WHICH', about: 'Only records of traces, or only of runs.' },
    monitor: { type: 'string', value: 'ID', about: 'Only records that this monitor drew. Not with --by.' },
    compare: {
      type: 'string',
      value: 'WHAT',
      about: 'buckets: each with the one before it. groups: each group of --by with the first one.',
    },
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
  },
  examples: [
    'dokima series --source traces',
    'dokima series --bucket week --after 2026-11-09T00:00:00Z --compare buckets',
    'dokima series --by version --compare groups',
  ],
  run: async ({ out, client }, args, values) => {
    takeArguments('series', args);
    const level = values.text('level');
    const found = await (await client()).getSeries(values.required('project'), {
      createdAfter: values.text('after'),
      createdBefore: values.text('before'),
      bucket: chosen(values, 'bucket', ['hour', 'day', 'week']),
      by: chosen(values, 'by', ['model', 'version', 'tag']),
      source: chosen(values, 'source', ['traces', 'runs']),
      monitorId: values.text('monitor'),
      compare: chosen(values, 'compare', ['buckets', 'groups']),
      ...(level !== undefined && { level: Number(level) }),
    });
    const left = found.numOtherGroups > 0 ? [`${found.numOtherGroups} smaller groups are left out.`] : [];
    const uncounted =
      found.numUncountedHours > 0 ? [`${found.numUncountedHours} hours are not counted yet.`] : [];
    const parts = [
      found.groups.length > 0
        ? `${levelText(found.level)} intervals; times are UTC.`
        : 'No records in this range.',
      ...found.groups.map((group) => groupTable(group, found)),
      ...limitsText(found),
      ...(await judgeLines(await client(), found.metrics)),
      ...left,
      ...uncounted,
      ...(found.changes ? [changesText(found.changes, found)] : []),
    ];
    out.result(parts.join('\n\n'), found);
    return exit.pass;
  },
};
