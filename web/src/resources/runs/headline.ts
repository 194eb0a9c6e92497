import { countOf } from '../../ui/format.ts';

type Verdict = 'better' | 'worse' | 'cannot tell';

/** Returns how a run stands against another in one short sentence: on how many metrics it is better and worse. */
export const headlineOf = (
  { after, before }: { after: string; before: string },
  /** The verdicts on the metrics by which both have scores. */
  verdicts: readonly Verdict[],
): string => {
  if (verdicts.length === 0) return `Run ${after} and run ${before} have no score in common.`;
  const count = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length;
  const [better, worse] = [count('better'), count('worse')];
  const all = countOf(verdicts.length, 'metric');
  if (better + worse === 0)
    return verdicts.length === 1
      ? `No difference can be shown between run ${after} and run ${before}.`
      : `No difference can be shown on any of ${all}.`;
  if (verdicts.length === 1) return `Run ${after} is ${better > 0 ? 'better' : 'worse'} than run ${before}.`;
  const of = (n: number, which: string) => `${which} on ${n === 0 ? 'none' : `${n} of ${all}`}`;
  const parts =
    better > 0 ? [of(better, 'better'), of(worse, 'worse')] : [of(worse, 'worse'), of(better, 'better')];
  return `Run ${after} is ${parts.join(', ')}.`;
};
