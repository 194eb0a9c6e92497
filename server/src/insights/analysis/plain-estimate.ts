import type { Summary } from '../../engine/statistics/summary.ts';

/** An estimate without the facts of its run. */
export const plainEstimate = ({
  method,
  n,
  effectiveN,
  level,
  estimate,
  standardError,
  interval,
  reason,
  assumption,
  caveats,
  warnings,
}: Summary<number>) => ({
  method,
  n,
  effectiveN,
  level,
  estimate,
  standardError,
  interval,
  reason,
  assumption,
  caveats,
  warnings,
});
