import type { Baseline } from './baselines.ts';
import type { Check } from './check.ts';
import { claim, passesUncompared } from './claims.ts';
import type { Evidence, Test } from './decide.ts';
import { atEnd } from './looks.ts';
import type { Policy } from './policy.ts';
import { decimals, measureOf } from './rules.ts';
import { findMetric, type SliceLosses, type Source } from './source.ts';
import { weightField } from './weights.ts';
import { countOf } from './words.ts';

/** The slice that is the least likely to be chance. */
const worstOf = ({ worst }: SliceLosses) => worst.reduce((a, b) => (b.p < a.p ? b : a));

const evidenceOf = (slices: SliceLosses): Evidence => {
  const { field, value, n, before, after, difference, shrunk, shrunkInterval, p } = worstOf(slices);
  const figure = `${field} ${value}: ${decimals(before)} → ${decimals(after)}, difference ${decimals(difference)}`;
  const said = `${figure} (shrunken ${decimals(shrunk)}, n = ${n}), p = ${p.toPrecision(2)}, worst of ${countOf(slices.numSlices, 'slice')}`;
  return { n, value: difference, interval: shrunkInterval, p, said };
};

/** Finds the slice losses that the service reports for each metric with rules, against each baseline that moves. */
const sliceLosses = async (source: Source, policy: Policy, baselines: readonly Baseline[], level: number) => {
  const summary = await source.summary(level);
  const found: { metricName: string; id: string; slices: SliceLosses | undefined }[] = [];
  const seen = new Set<string>();
  for (const rules of policy.metrics) {
    const { metricId, metricName } = findMetric(summary, rules.metric);
    if (seen.has(metricId)) continue;
    seen.add(metricId);
    for (const { id, anchor } of baselines) {
      if (id === undefined || anchor) continue;
      const { pairs } = await source.slices(id, measureOf(rules.of), level);
      const { slices } = pairs[0]!.metrics.find((one) => one.metricId === metricId) ?? {};
      found.push({ metricName, id, slices });
    }
  }
  return found;
};

/** Tests, for `slices: auto`, whether a slice lost more than the rest. Each metric and baseline is one test. */
export const sliceLossTests = async (
  source: Source,
  policy: Policy,
  baselines: readonly Baseline[],
  level: number,
): Promise<{ tests: Test[]; facts: Check[] }> => {
  const [tests, facts]: [Test[], Check[]] = [[], []];
  if (policy.slices !== 'auto') return { tests, facts };
  for (const { metricName, id, slices } of await sliceLosses(source, policy, baselines, level)) {
    const claimed = claim(metricName, {
      must: `no slice must have lost more than the rest since run ${id}`,
      pass: `has no slice that is shown to have lost more than the rest since run ${id}`,
      worse: `has a slice that lost more than the rest since run ${id}`,
    });
    const grows = await source.grows();
    if (!grows && (!slices || slices.p === null)) {
      const said = slices?.sentence ?? `run ${id} has no score by it: there is nothing to compare`;
      facts.push(passesUncompared(claimed, said));
    } else {
      const evidence = grows ? atEnd : evidenceOf(slices!);
      tests.push({
        ...claimed,
        side: 'atLeast',
        line: 0,
        difference: true,
        mustShow: false,
        decidedByP: true,
        write: decimals,
        at: async () => evidence,
      });
    }
  }
  return { tests, facts };
};

/** Names the slices that lost more than the rest, if no rule does. */
export const sliceNotes = async (
  source: Source,
  policy: Policy,
  baselines: readonly Baseline[],
  level: number,
): Promise<string[]> => {
  // Slices are tested without weights.
  if (policy.slices !== undefined || weightField(policy.weights) !== undefined || (await source.grows()))
    return [];
  const found = await sliceLosses(source, policy, baselines, level);
  return found.flatMap(({ metricName, id, slices }) =>
    slices?.worst.some(({ named }) => named) ? [`${metricName}: against run ${id}: ${slices.sentence}`] : [],
  );
};
