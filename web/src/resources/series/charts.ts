import { hasMean } from '../../../../client/src/score-value.ts';
import type { Series, SeriesPoint } from '../../types.ts';
import { countText, durationText, usdText } from '../../ui/format.ts';
import { type Estimate, percentText } from '../../ui/interval.tsx';
import { formatFilter, quote } from '../search/search.ts';

/** A chart that a dashboard can have. */
export type Chart = {
  id: string;
  title: string;
  /** stack: the labels of a category, one upon the other, for each group. */
  look: 'bars' | 'lines' | 'stack';
  format: (value: number) => string;
  /** The upper end of the axis, for shares. */
  high?: number;
  valueOf: (point: SeriesPoint) => Estimate | undefined;
  /** The search that finds the records of a point, apart from their time. */
  search?: string;
  /** The configuration whose pass rate it shows. */
  passRateOf?: { metricId: string; metricConfigId: string };
  /** The labels of a stack, from the bottom, each with its value and its search. */
  parts?: readonly Pick<Chart, 'id' | 'title' | 'valueOf' | 'search'>[];
  /** Whether the parts go from worst to best. */
  ordered?: boolean;
  /** The metric whose scores it shows. */
  metricId?: string;
};

/** A sum is not an estimate, so it has no interval. */
const sum = (estimate: number, n: number): Estimate | undefined =>
  n === 0 ? undefined : { estimate, interval: null, n };
const some = (value: Estimate): Estimate | undefined => (value.n === 0 ? undefined : value);

const basic: readonly Chart[] = [
  {
    id: 'records',
    title: 'Records',
    look: 'bars',
    format: countText,
    valueOf: ({ numRecords }) => sum(numRecords, numRecords),
  },
  {
    id: 'errors',
    title: 'Records with a failed span',
    look: 'lines',
    format: percentText,
    valueOf: ({ errors }) => some(errors),
    search: 'error:yes',
  },
  ...([50, 95, 99] as const).map(
    (p): Chart => ({
      id: `p${p}`,
      title: p === 50 ? 'Latency, median' : `Latency, ${p}th percentile`,
      look: 'lines',
      format: durationText,
      valueOf: ({ latency }) => some(latency[`p${p}`]),
    }),
  ),
  {
    id: 'tokens',
    title: 'Tokens',
    look: 'bars',
    format: countText,
    valueOf: ({ tokens: { input, output, mean } }) => sum(input + output, mean.n),
  },
  {
    id: 'tokensOfRecord',
    title: 'Tokens of a record, mean',
    look: 'lines',
    format: countText,
    valueOf: ({ tokens }) => some(tokens.mean),
  },
  {
    id: 'cost',
    title: 'Cost',
    look: 'bars',
    format: usdText,
    valueOf: ({ cost }) => sum(cost.sum, cost.mean.n),
  },
  {
    id: 'costOfRecord',
    title: 'Cost of a record, mean',
    look: 'lines',
    format: usdText,
    valueOf: ({ cost }) => some(cost.mean),
  },
];

/** The charts of a new dashboard, before those of scores. */
export const defaultCharts = ['records', 'errors', 'p50', 'p95', 'tokens', 'cost'];

type Scores = SeriesPoint['scores'][number];
type Labelled = {
  metric: Series['metrics'][number];
  groups: Series['groups'];
  name: string;
  id: string;
  scoresOf: (point: SeriesPoint) => Scores | undefined;
};

/** More parts would have colours that are used twice. */
const mostParts = 8;

/** The labels of a category: all of them upon each other, and the share of each as a line with its interval. */
const chartsOfLabels = ({ metric, groups, name, id, scoresOf }: Labelled): Chart[] => {
  const { metricId, metricName } = metric;
  const given = new Map<string, number>();
  for (const { total } of groups)
    for (const { label, numScores } of scoresOf(total)?.labels ?? [])
      given.set(label, (given.get(label) ?? 0) + numScores);
  const labels = [...given.keys()];
  const partOf = (label: string) => ({
    id: `label:${id}:${label}`,
    title: label,
    search: formatFilter(`score.${quote(metricName)}`, label),
    valueOf: (point: SeriesPoint) => {
      const share = scoresOf(point)?.labels?.find((each) => each.label === label)?.share;
      return share && some(share);
    },
  });
  const byNumber = labels.toSorted((a, b) => given.get(b)! - given.get(a)!);
  const named = labels.length > mostParts ? byNumber.slice(0, mostParts - 1) : labels;
  const parts = labels.filter((label) => named.includes(label)).map(partOf);
  const others = {
    id: `others:${id}`,
    title: 'Other labels',
    search: `metric:${metricId}`,
    valueOf: (point: SeriesPoint) => {
      const whole = scoresOf(point)?.passRate;
      const n = whole?.n ?? 0;
      const sumOfNamed = parts.reduce((sum, part) => sum + (part.valueOf(point)?.estimate ?? 0), 0);
      return n === 0 ? undefined : { estimate: Math.max(0, 1 - sumOfNamed), interval: null, n };
    },
  };
  const look = { metricId, format: percentText, high: 1 };
  return [
    {
      ...look,
      id: `labels:${id}`,
      title: `${name}: labels`,
      look: 'stack',
      valueOf: (point) => some(scoresOf(point)?.passRate ?? { estimate: null, interval: null, n: 0 }),
      parts: labels.length > mostParts ? [...parts, others] : parts,
      ordered: metric.labels?.ordered === true && labels.length <= mostParts,
    },
    ...labels.map(
      (label): Chart => ({ ...look, ...partOf(label), title: `${name}: share of ${label}`, look: 'lines' }),
    ),
  ];
};

/** Every chart of these series: the basic ones, and the pass rate, mean and labels of each configuration that gave scores. */
export const chartsOf = ({ metrics, groups }: Pick<Series, 'metrics' | 'groups'>): Chart[] => [
  ...basic,
  ...metrics.flatMap((metric): Chart[] => {
    const { metricId, metricName, metricConfigId, outputType, current } = metric;
    const name = current ? metricName : `${metricName}, earlier version`;
    const scoresOf = ({ scores }: SeriesPoint) =>
      scores.find((scored) => scored.metricConfigId === metricConfigId);
    const id = current ? metricId : metricConfigId;
    const search = `metric:${metricId}`;
    const rate: Chart = {
      id: `pass:${id}`,
      title: `${name}: pass rate`,
      look: 'lines',
      format: percentText,
      high: 1,
      search,
      metricId,
      passRateOf: { metricId, metricConfigId },
      valueOf: (point) => {
        const rate = scoresOf(point)?.passRate;
        return rate && some(rate);
      },
    };
    const mean: Chart = {
      id: `mean:${id}`,
      title: `${name}: mean`,
      look: 'lines',
      format: countText,
      search,
      metricId,
      high: outputType === 'int' ? 5 : 1,
      valueOf: (point) => {
        const mean = scoresOf(point)?.mean;
        return mean ? some(mean) : undefined;
      },
    };
    if (outputType === 'category') return [rate, ...chartsOfLabels({ metric, groups, name, id, scoresOf })];
    return hasMean(outputType) ? [rate, mean] : [rate];
  }),
];

/** The charts that are shown: the chosen ones, or the defaults with the pass rate and the labels of each current configuration. */
export const shownCharts = (charts: readonly Chart[], chosen: readonly string[] | undefined): Chart[] =>
  charts.filter(({ id }) =>
    chosen ? chosen.includes(id) : defaultCharts.includes(id) || /^(pass|labels):\d+$/.test(id),
  );
