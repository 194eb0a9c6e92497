import type { RunComparison } from '../../types.ts';

/** Two runs compared, metric by metric. */
export type Pair = RunComparison['pairs'][number];
