import type { Operations } from '../generated.ts';
import type { Baseline } from './baselines.ts';
import { costChecks } from './budgets.ts';
import type { Check } from './check.ts';
import { checkOf, claim } from './claims.ts';
import { gradedSentence } from './grade.ts';
import type { MustPass, Policy } from './policy.ts';
import { findMetric, type Source, type SummarizedMetric } from './source.ts';
import { countOf, inThousands } from './words.ts';

const dayMs = 86_400_000;
const two = (value: number): string => value.toFixed(2);

/** Checks that few scores are missing. Those that are pending come later to a run that grows by plan. */
const completeness = (
  { metricName, states, passRate }: SummarizedMetric,
  { mayLack, grows }: { mayLack: number; grows: boolean },
): Check[] => {
  const pending = grows ? 0 : states.pending;
  const lacking = pending + states.unscored + states.failed;
  if (lacking <= mayLack) return [];
  const why = [
    [pending, 'pending'],
    [states.unscored, 'unscored or not fitting the metric'],
    [states.failed, 'failed'],
  ].flatMap(([n, word]) => (n ? [`${n} ${word}`] : []));
  const misfits = passRate.caveats.find(({ code }) => code === 'invalidScores');
  const said = [
    `${countOf(lacking, 'record')} without a score (${why.join(', ')})`,
    ...(misfits ? [misfits.sentence] : []),
    `at most ${mayLack} may lack one`,
  ].join('; ');
  const rule = `${metricName}: complete`;
  return [{ rule, outcome: 'incomplete', sentence: `${metricName} is not complete`, said }];
};

/** The least grade of a judge: rules on rates that are corrected for its errors need less of it. */
const floorOf = (atLeast: number | undefined, isCorrected: boolean): string => {
  if (atLeast === undefined) return isCorrected ? 'use with correction' : 'may gate alone';
  return atLeast > 1 ? `sensitivity + specificity at least ${atLeast}` : 'shown to be better than chance';
};

/**
 * Checks that people's labels show the judge to be calibrated, and are not too old. Without `atLeast` its grade decides: a judge of the grade
 * `useWithCorrection` is enough where each rule of its metric is on the corrected rate.
 */
const calibrated = (
  { metricName, judge }: SummarizedMetric,
  wanted: NonNullable<Policy['requireCalibrated']>,
  { now, isCorrected }: { now: number; isCorrected: boolean },
): Check => {
  const { atLeast, maxAgeDays } = wanted;
  const age = maxAgeDays === undefined ? '' : `, labelled within ${countOf(maxAgeDays, 'day')}`;
  const floor = floorOf(atLeast, isCorrected);
  const wantedOf = `(${floor}${age})`;
  const checked = (passes: boolean, said: string): Check => ({
    rule: `${metricName}: judge is calibrated ${wantedOf}`,
    outcome: passes ? 'pass' : 'incomplete',
    sentence: `${metricName}: its judge is ${passes ? '' : 'not '}calibrated ${wantedOf}`,
    said,
  });
  const models = judge?.labelsBy.models ?? 0;
  const leftOut = models === 0 ? '' : `; ${countOf(models, 'label')} that models made left out`;
  if (!judge?.youden || judge.state === 'notCalibrated' || judge.state === 'tooFewLabels')
    return checked(false, judge ? gradedSentence(judge) : 'the calibration of this judge is unknown');
  const { estimate, interval } = judge.youden;
  const sum = `sensitivity + specificity ${two(1 + estimate)} (${two(1 + interval.low)} … ${two(1 + interval.high)}), ${countOf(judge.numLabels, 'label')}${leftOut}`;
  const days = judge.labelledAt === null ? null : (now - Date.parse(judge.labelledAt)) / dayMs;
  if (maxAgeDays !== undefined && (days === null || days > maxAgeDays)) {
    const old = days === null ? 'of unknown age' : `${countOf(Math.floor(days), 'day')} old`;
    return checked(false, `the newest label is ${old}; ${sum}`);
  }
  if (atLeast !== undefined) return checked(judge.state === 'calibrated' && 1 + interval.low >= atLeast, sum);
  const passes = judge.grade === 'mayGateAlone' || (isCorrected && judge.grade === 'useWithCorrection');
  const next =
    !passes && judge.grade === 'useWithCorrection' ? '; write of: corrected in its rules, or label more' : '';
  return checked(passes, `${gradedSentence(judge)}${next}`);
};

/** Checks that a bias battery has cleared the judge. */
const unbiased = async (
  source: Source,
  { metricName, metricId, judge }: SummarizedMetric,
): Promise<Check> => {
  const reason = judge
    ? await source.battery(metricId, judge.metricConfigId)
    : 'the configuration of this judge is unknown';
  return {
    rule: `${metricName}: judge is clear of biases`,
    outcome: reason === null ? 'pass' : 'incomplete',
    sentence: `${metricName}: its judge is ${reason === null ? '' : 'not '}clear of biases`,
    said: reason ?? 'a battery of all biases is clear',
  };
};

const shareText = (share: number): string =>
  share === 1 ? 'all' : `${Number((100 * share).toPrecision(6))} % of`;

const coverCheck = (testcases: string, covers: boolean, said: string): Check => ({
  rule: `covers ${testcases}`,
  outcome: covers ? 'pass' : 'incomplete',
  sentence: `the run ${covers ? 'covers' : 'does not cover'} ${testcases}`,
  said,
});

/** Checks that the run has the testcases of a baseline, in the same revision. */
const coverageOf = async (
  source: Source,
  { id, anchor }: Baseline,
  { covers, unpaired }: Policy,
  level: number,
): Promise<Check[]> => {
  // An anchor is old: it is compared on what it shares with the run.
  if (id === undefined || anchor || covers === 0) return [];
  const compared = (await source.comparison(id, 'pass', level)).pairs[0]!.metrics;
  if (compared.length === 0 || (unpaired && compared.every(({ paired }) => !paired))) return [];
  const shares = compared.map(({ paired, n, dropped: { onlyBefore, revised, unscored } }) => {
    const there = (paired ? n : 0) + unscored.numTestcases;
    return {
      there,
      of: there + onlyBefore.numTestcases + revised.numTestcases,
      revised: revised.numTestcases,
    };
  });
  const least = shares.reduce((a, b) => (b.there * a.of < a.there * b.of ? b : a));
  const changed = least.revised > 0 ? `; ${countOf(least.revised, 'testcase')} changed since` : '';
  const said = `has ${inThousands(least.there)} of ${countOf(least.of, 'testcase')}${changed}`;
  return [coverCheck(`${shareText(covers)} testcases of run ${id}`, least.there >= covers * least.of, said)];
};

/** Without a baseline, the testset says how many records there should be. */
const expectedRecords = async (source: Source, { covers }: Policy): Promise<Check[]> => {
  const { numRecords, numExpectedRecords } = await source.run();
  if (numExpectedRecords === null || numExpectedRecords === 0 || numRecords >= covers * numExpectedRecords)
    return [];
  const said = `has ${inThousands(numRecords)} of ${countOf(numExpectedRecords, 'expected record')}`;
  return [coverCheck(`${shareText(covers)} its testset`, false, said)];
};

/** Checks the testcases that must pass, trial by trial. */
export const mustPassChecks = async (
  client: Operations,
  rules: readonly MustPass[],
  projectId: string,
  runId: string,
): Promise<Check[]> => {
  if (rules.length === 0) return [];
  const trials = rules.map(() => ({ passed: 0, failed: 0, lacking: 0 }));
  for await (const record of client.listProjectRecords(projectId, { runId })) {
    for (const [i, { testcase, metric }] of rules.entries()) {
      if (record.testcaseId !== testcase) continue;
      const state = record.scoreStates.find((one) => one.metricId === metric || one.metricName === metric);
      if (state?.passed === true) trials[i]!.passed++;
      else if (state?.passed === false) trials[i]!.failed++;
      else trials[i]!.lacking++;
    }
  }
  return rules.map((rule, i) => mustPassCheck(rule, trials[i]!));
};

export const mustPassCheck = (
  { testcase, metric, passes, of }: MustPass,
  { passed, failed, lacking }: { passed: number; failed: number; lacking: number },
): Check => {
  const claimed = claim(testcase, {
    must: `must pass ${metric} in ${passes} of ${of}`,
    pass: `passes ${metric} in at least ${passes} of ${of}`,
    worse: `passes ${metric} in fewer than ${passes} of ${of}`,
    open: `passes ${metric} in ${passes} of ${of}`,
  });
  const said = `passed ${passed} of ${passed + failed}${lacking > 0 ? `, ${lacking} without a score` : ''}`;
  if (passed + failed < of) return checkOf(claimed, 'incomplete', said);
  // With more trials than the rule names, the same share must pass: 4 of 10 is not 4 of 5.
  return checkOf(claimed, passed * of >= passes * (passed + failed) ? 'pass' : 'worse', said);
};

/** Checks the rules that need no test: that no scores and testcases are missing, that judges are calibrated, and what the run cost. */
export const factsOf = async (
  source: Source,
  policy: Policy,
  { baselines, level, now }: { baselines: readonly Baseline[]; level: number; now: number },
): Promise<Check[]> => {
  const summary = await source.summary(level);
  const grows = await source.grows();
  const checks: Check[] = [];
  const metrics = new Set(policy.metrics.map(({ metric }) => findMetric(summary, metric)));
  for (const metric of metrics) {
    checks.push(...completeness(metric, { mayLack: policy.mayLack, grows }));
    if (policy.requireCalibrated && metric.evalType === 'ai')
      checks.push(
        calibrated(metric, policy.requireCalibrated, {
          now,
          isCorrected: policy.metrics
            .filter((rules) => findMetric(summary, rules.metric) === metric)
            .every(({ of }) => of === 'corrected'),
        }),
      );
    if (policy.requireCalibrated?.battery && metric.evalType === 'ai')
      checks.push(await unbiased(source, metric));
  }
  if (metrics.size > 0 && !grows) {
    for (const baseline of baselines) checks.push(...(await coverageOf(source, baseline, policy, level)));
    if (!baselines.some(({ id }) => id !== undefined))
      checks.push(...(await expectedRecords(source, policy)));
  }
  return [...checks, ...(await costChecks(source, policy.cost, summary))];
};
