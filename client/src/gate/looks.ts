/** Rules at planned looks: what a look says, and which rules wait for the end of the run. */
import type { Evidence, Test } from './decide.ts';
import type { ComparedMetric, Source } from './source.ts';

/** Evidence that a later look will give. */
export const waitFor = (reason: string): Evidence => ({
  n: 0,
  value: null,
  interval: null,
  waits: true,
  reason,
});

export const atEnd: Evidence = waitFor('this rule has one look, at the end of the run');

const nextText = (next: number | null): string =>
  next === null ? 'no other look follows' : `next look at ${next}`;

/** Says which look this is, how far the difference must be from the line of a rule, and what comes next. */
const lookText = ({ look, numLooks, next, boundaryAlone }: NonNullable<ComparedMetric['look']>, n: number) =>
  `look ${look} of ${numLooks} at ${n} testcases, boundary ${boundaryAlone!.toFixed(2)} standard errors; ${nextText(next)}`;

/**
 * Adds the planned look to the evidence of a difference. Its p becomes comparable with 1 − level. Before the last look, testcases whose
 * order was not drawn decide nothing: the first part of a testset differs from the rest.
 */
export const lookEvidence = (
  { look, level, caveats }: Pick<ComparedMetric, 'look' | 'level' | 'caveats'>,
  evidence: Evidence,
): Evidence => {
  if (!look) return evidence;
  const waits = look.next !== null;
  if (look.nominalAlone === null) return { ...evidence, waits };
  const notDrawn = caveats.find(({ code }) => code === 'orderNotDrawn');
  if (waits && notDrawn)
    return waitFor(`${notDrawn.sentence}; only the last look, at ${look.numPlanned}, decides`);
  const p = evidence.p && Math.min(1, (evidence.p * (1 - level)) / look.nominalAlone);
  return { ...evidence, p, waits, look: lookText(look, evidence.n) };
};

/** Lets tests that hold for one look wait for the end of a run that grows. */
export const waitForEnd = async (source: Source, tests: readonly Test[]): Promise<Test[]> =>
  (await source.grows()) ? tests.map((test) => ({ ...test, at: async () => atEnd })) : [...tests];
