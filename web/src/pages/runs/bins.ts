import type { RunSummary } from '../../types.ts';

/** The distribution of a metric's scores as bars. */
export const binsOf = ({ distribution }: Pick<RunSummary['metrics'][number], 'distribution'>) =>
  distribution.map(({ numScores, ...bin }) => ({ ...bin, count: numScores }));
