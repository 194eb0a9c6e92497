import { hasMean } from '../../../../client/src/score-value.ts';

export type Measure = 'pass' | 'score';

/** Formats a metric's numbers: shares in percent and points, without a decimal for a single testcase, scores as they are. */
export const wordsFor = (outputType: string, measure: Measure, n: number) => {
  const isShare = measure === 'pass' || !hasMean(outputType);
  const digits = (value: number) => (isShare ? (100 * value).toFixed(n === 1 ? 0 : 1) : value.toFixed(2));
  return {
    isShare,
    value: (value: number | null) => (value === null ? 'N/A' : `${digits(value)}${isShare ? ' %' : ''}`),
    difference: (value: number) => `${value > 0 ? '+' : ''}${digits(value)}`.replace('-', '−'),
    /** A label of an axis: at most the decimals that it needs. */
    axis: (value: number) =>
      `${value > 0 ? '+' : ''}${Number((isShare ? 100 * value : value).toPrecision(3))}`.replace('-', '−'),
    unit: isShare ? ' points' : '',
  };
};
