import type { RunComparison, RunSummary } from './generated.ts';

/** What the labels of a category say, in words: the command line, the tools of agents and the pages write it alike. */

type Shares = NonNullable<RunSummary['metrics'][number]['labels']>;
export type ComparedLabels = NonNullable<RunComparison['pairs'][number]['metrics'][number]['labels']>;

const share = (value: number | null): string => (value === null ? '–' : `${(100 * value).toFixed(1)} %`);
const points = (value: number): string =>
  `${value < 0 ? '−' : '+'}${(100 * Math.abs(value)).toFixed(1)} points`;

/** Returns the share of each label with its interval: `Wrong 25.0 % (14.2 % … 40.2 %), Right …`. `name` writes a label. */
export const sharesText = ({ shares }: Shares, name: (label: string) => string = String): string =>
  shares
    .map(({ label, share: { estimate, interval } }) => {
      const about = interval ? ` (${share(interval.low)} … ${share(interval.high)})` : '';
      return `${name(label)} ${share(estimate)}${about}`;
    })
    .join(', ');

/** Returns the share of each label before and after: `Wrong 33.3 % → 25.0 %, Right …`. */
export const movesText = ({ shares }: ComparedLabels, name: (label: string) => string = String): string =>
  shares.map(({ label, before, after }) => `${name(label)} ${share(before)} → ${share(after)}`).join(', ');

/** Says whether the labels are distributed differently. The verdict of a comparison is about the pass rate. */
export const shiftText = ({ test, p, netBetter, n }: ComparedLabels): string => {
  if (p === null) return `no testcase changed its label, n = ${n}`;
  const what = test === 'sign flips' ? 'sign test of the order' : 'Stuart–Maxwell test';
  const moved = netBetter === null ? '' : `; better minus worse: ${points(netBetter)}`;
  return `${what}: p ${p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`}, n = ${n}${moved}`;
};
