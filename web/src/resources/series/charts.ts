import { hasMean } from '../../../../client/src/score-value.ts';
import type { Series, SeriesPoint } from '../../types.ts';
import { countText, durationText, usdText } from '../../ui/format.ts';
import { type Estimate, percentText } from '../../ui/interval.tsx';

/** A chart that a dashboard can have. */
export type Chart = {
  id: string;
  title: string;
  look: 'bars' | 'lines';
  format: (value: number) => string;
  /** The upper end of the axis, for shares. */
  high?: number;
  valueOf: (point: SeriesPoint) => Estimate | undefined;
  /** The search that finds the records of a point, apart from their time. */
  search?: string;
  /** The configuration whose pass rate it shows. */
  passRateOf?: { metricId: string; metricConfigId: string };
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

/** Every chart of these series: the basic ones, and the pass rate and mean of each configuration that gave scores. */
export const chartsOf = ({ metrics }: Pick<Series, 'metrics'>): Chart[] => [
  ...basic,
  ...metrics.flatMap(({ metricId, metricName, metricConfigId, outputType, current }): Chart[] => {
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
    return hasMean(outputType) ? [rate, mean] : [rate];
  }),
];

/** The charts that are shown: the chosen ones, or the defaults with the pass rate of each current configuration. */
export const shownCharts = (charts: readonly Chart[], chosen: readonly string[] | undefined): Chart[] =>
  charts.filter(({ id }) =>
    chosen
      ? chosen.includes(id)
      : defaultCharts.includes(id) || (id.startsWith('pass:') && /^pass:\d+$/.test(id)),
  );
