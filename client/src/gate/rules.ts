import type { Baseline } from './baselines.ts';
import { latencyTests } from './budgets.ts';
import type { Check, Outcome } from './check.ts';
import { type Claim, checkOf, claim, passesUncompared } from './claims.ts';
import type { Evidence, Test } from './decide.ts';
import { atEnd, lookEvidence, waitFor, waitForEnd } from './looks.ts';
import type { CommonRules, MetricPolicy, Policy, SlicePolicy } from './policy.ts';
import { RulesError } from './rules-error.ts';
import {
  type ComparedMetric,
  findMetric,
  type Measure,
  type Slice,
  type Source,
  type SummarizedMetric,
} from './source.ts';

export const decimals = (value: number): string => value.toFixed(3).replace('-', '−');

/** Measure that the service compares for a rule; the corrected rate is a pass rate. */
export const measureOf = (of: MetricPolicy['of']): Measure => (of === 'score' ? 'score' : 'pass');

type Estimate = {
  n: number;
  estimate: number | null;
  interval: Evidence['interval'];
  standardError: number | null;
  reason: string | null;
};

const evidenceOf = ({ n, estimate, interval, standardError, reason }: Estimate): Evidence => ({
  n,
  value: estimate,
  interval,
  standardError,
  reason: reason ?? (n === 0 ? 'there are no scores to decide by' : null),
});

const ofMetric = ({ passRate, mean }: Pick<SummarizedMetric, 'passRate' | 'mean'>, of: MetricPolicy['of']) =>
  evidenceOf(of === 'score' ? (mean ?? passRate) : passRate);

/** The pass rate as people would judge it, by the labels of a random sample of this run. */
const correctedRate = async (
  source: Source,
  { metricId, metricName, judge }: SummarizedMetric,
  level: number,
): Promise<Evidence> => {
  if (!judge) throw new RulesError(`${metricName}: of: corrected needs a metric that a model scores.`);
  if (judge.peopleMetricId === null) return unlabelled;
  const { corrected } = await source.calibration(metricId, judge.peopleMetricId, level);
  const { predictionPowered } = corrected!;
  return predictionPowered.sampled ? evidenceOf(predictionPowered) : { ...unlabelled, reason: notSampled };
};

const unlabelled: Evidence = {
  n: 0,
  value: null,
  interval: null,
  reason: 'no one has labelled what its judge scored',
};
const notSampled =
  'its labels are not a random sample: draw a review sample of the run, and let people score all of it';

/** Tests a figure against the lines of `rules`: one that it must be shown to reach, and one that it must not be shown to miss. */
const linesOf = (name: string, rules: CommonRules, at: Test['at']): Test[] =>
  [
    { line: rules.atLeast, mustShow: true, pass: 'is at least', open: 'is at least' },
    { line: rules.notBelow, mustShow: false, pass: 'is not shown to be below', open: 'is below' },
  ].flatMap(({ line, mustShow, pass, open }): Test[] =>
    line === undefined
      ? []
      : [
          {
            ...claim(name, {
              must: mustShow ? `at least ${line}` : `must not be below ${line}`,
              pass: `${pass} ${line}`,
              worse: `is below ${line}`,
              open: `${open} ${line}`,
            }),
            side: 'atLeast',
            line,
            difference: false,
            mustShow,
            write: decimals,
            at,
          },
        ],
  );

const labelOf = ({ of, weightedBy }: MetricPolicy, name: string): string => {
  const kind = of === 'corrected' ? 'corrected for its judge' : of === 'score' ? 'mean score' : null;
  const said = [kind, weightedBy === undefined ? null : `weighted by ${weightedBy}`].filter(Boolean);
  return said.length > 0 ? `${name} (${said.join(', ')})` : name;
};

/** Returns the slices that a rule names; without a value, every group of the run. */
export const slicesOf = async (
  source: Source,
  { field, value }: SlicePolicy,
  level: number,
): Promise<Slice[]> => {
  if (value !== undefined) return [{ field, value }];
  const { breakdown } = await source.summary(level, field);
  return (breakdown?.groups ?? []).map((group) => ({ field, value: group.value }));
};

export const whereText = (slice: Slice | undefined): string =>
  slice ? ` where ${slice.field} is ${slice.value}` : '';

/** Tests the lines of a slice. */
const sliceLines = (
  source: Source,
  policy: MetricPolicy,
  metric: SummarizedMetric,
  slice: Slice,
  rules: SlicePolicy,
): Test[] => {
  const { field, value } = slice;
  return linesOf(`${labelOf(policy, metric.metricName)}${whereText(slice)}`, rules, async (at) => {
    const groups = (await source.summary(at, field)).breakdown?.groups ?? [];
    const group = groups.find((one) => one.value === value);
    const found = group?.metrics.find((one) => one.metricConfigId === metric.metricConfigId);
    if (found) return ofMetric(found, policy.of);
    return { n: 0, value: null, interval: null, reason: `no record has ${field} = ${value}` };
  });
};

/** Returns the figure that is compared with the lines of a metric. */
export const lineEvidence = async (
  source: Source,
  { of }: MetricPolicy,
  metric: SummarizedMetric,
  level: number,
): Promise<Evidence> =>
  of === 'corrected'
    ? correctedRate(source, metric, level)
    : ofMetric(findMetric(await source.summary(level), metric.metricId), of);

const lineTests = (source: Source, policy: MetricPolicy, metric: SummarizedMetric): Test[] => {
  const tests = linesOf(labelOf(policy, metric.metricName), policy, (at) =>
    lineEvidence(source, policy, metric, at),
  );
  if (policy.passHatK) {
    const { k, ...line } = policy.passHatK;
    tests.push(
      ...linesOf(
        `${labelOf(policy, metric.metricName)}: share that passes ${k} of ${k} trials`,
        line,
        async (at) => {
          const again = findMetric(await source.summary(at), metric.metricId);
          const found = again.passRate.passK.find((one) => one.k === k);
          if (found) return evidenceOf(found.passHatK);
          return { n: 0, value: null, interval: null, reason: `no testcase has ${k} scored trials` };
        },
      ),
    );
  }
  return tests;
};

/** Whether a rule on a difference is decided by what people would say: if it asks for that, or if that is known. */
export const isByPeople = ({ conclusion }: ComparedMetric, of: MetricPolicy['of']): boolean =>
  of === 'corrected' || (of === 'pass' && conclusion.basis === 'people');

export const differenceOf = (compared: ComparedMetric, of: MetricPolicy['of']): Evidence => {
  const isCorrected = isByPeople(compared, of);
  const figure = isCorrected ? compared.corrected : compared;
  if (!figure) return unlabelled;
  if (of === 'corrected' && !compared.corrected!.sampled) return { ...unlabelled, reason: notSampled };
  const { n, difference, interval, standardError, p, reason } = figure;
  const detectable = isCorrected ? null : compared.minimumDetectable;
  // With of: corrected, the name of the metric says it.
  const as = isCorrected && of === 'pass' ? 'as people would judge it' : undefined;
  const evidence = { n, value: difference, interval, standardError, detectable, p, reason, as };
  return lookEvidence(compared, evidence);
};

/** Input of the tests of rules on differences. */
type Against = { baselines: readonly Baseline[]; policy: Policy; level: number };

/** Why a rule on a difference from this run cannot be tested, if it cannot. */
const obstacle = async (
  source: Source,
  { of }: MetricPolicy,
  { metricId }: SummarizedMetric,
  { name, id }: Baseline,
  { policy: { unpaired, test }, level }: Against,
  slice: Slice | undefined,
): Promise<{ outcome: Outcome; said: string } | undefined> => {
  if (id === undefined)
    return { outcome: 'pass', said: `no run is ${name} yet: nothing to compare with, so this rule passes` };
  const { pairs, runs } = await source.comparison(id, measureOf(of), level, slice);
  const { metrics, notCompared } = pairs[0]!;
  const compared = metrics.find((one) => one.metricId === metricId);
  if (await source.grows()) return undefined;
  const reason = notCompared.find((one) => one.metricId === metricId)?.reason;
  if (!compared) return { outcome: 'incomplete', said: reason ?? `run ${id} has no score by it` };
  if (slice && runs[1]!.numRecords === 0)
    return { outcome: 'incomplete', said: `no record has ${slice.field} = ${slice.value}` };
  if (slice && runs[0]!.numRecords === 0)
    return {
      outcome: 'pass',
      said: `run ${id} has no such record: nothing to compare with, so this rule passes`,
    };
  if (compared.n > 0 && !compared.paired && !unpaired) {
    const said = `shares no scored testcase with run ${id}; unpaired: true in the rules compares all testcases of both`;
    return { outcome: 'incomplete', said };
  }
  // A test for one look that is repeated would say WORSE by chance.
  const notSequential = compared.caveats.find(({ code }) => code === 'notSequential');
  if (test === 'sequential' && notSequential) return { outcome: 'incomplete', said: notSequential.sentence };
  return undefined;
};

/** A rule on a difference: the line of the difference, whether it must be shown to lie above, and the rule in words. */
const differenceRules = (rules: CommonRules) => {
  const { noRegression, nonInferiority, superiority } = rules;
  const by = (margin: number) => (margin === 0 ? '' : ` by more than ${margin}`);
  return [
    ...(noRegression
      ? [
          {
            line: 0,
            mustShow: false,
            words: (than: string) => ({
              must: `must not be worse${than}`,
              pass: `is not shown to be worse${than}`,
              worse: `is worse${than}`,
            }),
          },
        ]
      : []),
    ...(nonInferiority
      ? [
          {
            line: -nonInferiority.margin,
            mustShow: true,
            words: (than: string) => ({
              must: `must be shown to be not worse${than}${by(nonInferiority.margin)}`,
              pass: `is shown to be not worse${than}${by(nonInferiority.margin)}`,
              worse: `is worse${than}${by(nonInferiority.margin)}`,
            }),
          },
        ]
      : []),
    ...(superiority
      ? [
          {
            line: superiority.margin,
            mustShow: true,
            words: (than: string) => ({
              must: `must be shown to be better${than}${by(superiority.margin)}`,
              pass: `is better${than}${by(superiority.margin)}`,
              worse:
                superiority.margin === 0
                  ? `is worse${than}`
                  : `is not better${than}${by(superiority.margin)}`,
              open: `is better${than}${by(superiority.margin)}`,
            }),
          },
        ]
      : []),
  ];
};

/** Tests the differences of a metric from each baseline, in the whole run or in one slice of it. */
const differenceTests = async (
  source: Source,
  metric: SummarizedMetric,
  policy: MetricPolicy,
  rules: CommonRules,
  against: Against,
  slice?: Slice,
): Promise<Found> => {
  const [tests, facts]: [Test[], Check[]] = [[], []];
  for (const { line, mustShow, words } of differenceRules(rules)) {
    const subject = `${labelOf(policy, metric.metricName)}${whereText(slice)}`;
    const claimOf = (than: string): Claim => claim(subject, words(than));
    if (against.baselines.length === 0)
      facts.push(
        checkOf(claimOf(' than a baseline'), 'incomplete', 'there is no baseline run to compare with'),
      );
    for (const baseline of against.baselines) {
      const { id, name, anchor } = baseline;
      const claimed = claimOf(` than ${anchor ? 'anchor ' : ''}${id === undefined ? name : `run ${id}`}`);
      const fact = await obstacle(source, policy, metric, baseline, against, slice);
      if (fact)
        facts.push(
          fact.outcome === 'pass'
            ? passesUncompared(claimed, fact.said)
            : checkOf(claimed, fact.outcome, fact.said),
        );
      else
        tests.push({
          ...claimed,
          side: 'atLeast',
          line,
          difference: true,
          mustShow,
          write: decimals,
          at: async (at) => {
            if (slice && (await source.grows())) return atEnd;
            const { pairs } = await source.comparison(id!, measureOf(policy.of), at, slice);
            const compared = pairs[0]!.metrics.find((one) => one.metricId === metric.metricId);
            return compared
              ? differenceOf(compared, policy.of)
              : waitFor(`run ${source.runId} has no score by it yet`);
          },
        });
    }
  }
  return { tests, facts };
};

type Found = { tests: Test[]; facts: Check[] };

/** Tests the rules for slices. Each slice is a separate test, and counts in Holm's procedure. */
const sliceTests = async (
  source: Source,
  metric: SummarizedMetric,
  rules: MetricPolicy,
  against: Against,
): Promise<Found> => {
  const found: Found = { tests: [], facts: [] };
  for (const policy of rules.by ?? []) {
    const { field, value } = policy;
    const left =
      value === undefined ? (await source.summary(against.level, field)).breakdown!.numGroupsLeftOut : 0;
    const everySlice = claim(labelOf(rules, metric.metricName), {
      must: `every ${field}`,
      pass: `is tested for every ${field}`,
      worse: `is not tested for every ${field}`,
      open: `holds for every ${field}`,
    });
    if (left > 0)
      found.facts.push(
        checkOf(
          everySlice,
          'incomplete',
          `${left} smaller groups are not tested; name the values that count`,
        ),
      );
    const slices = await slicesOf(source, policy, against.level);
    if (slices.length === 0)
      found.facts.push(
        checkOf(
          everySlice,
          'incomplete',
          `no record has ${field}: this rule checked nothing. Correct the name, or remove the rule`,
        ),
      );
    for (const slice of slices) {
      found.tests.push(...(await waitForEnd(source, sliceLines(source, rules, metric, slice, policy))));
      const differences = await differenceTests(source, metric, rules, policy, against, slice);
      found.tests.push(...differences.tests);
      found.facts.push(...differences.facts);
    }
  }
  return found;
};

/** Returns the tests of the rules, and those rules that cannot be tested. */
export const testsOf = async (
  source: Source,
  policy: Policy,
  baselines: readonly Baseline[],
  level: number,
): Promise<Found> => {
  const summary = await source.summary(level);
  const against = { baselines, policy, level };
  const tests: Test[] = [];
  const facts: Check[] = [];
  for (const rules of policy.metrics) {
    const metric = findMetric(summary, rules.metric);
    tests.push(...(await waitForEnd(source, lineTests(source, rules, metric))));
    for (const found of [
      await sliceTests(source, metric, rules, against),
      await differenceTests(source, metric, rules, rules, against),
    ]) {
      tests.push(...found.tests);
      facts.push(...found.facts);
    }
  }
  const latency = await latencyTests(source, policy.latency);
  return { tests: [...tests, ...latency.tests], facts: [...facts, ...latency.facts] };
};
