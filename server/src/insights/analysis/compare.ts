import type { Static } from 'typebox';
import { caveatsOf } from '../../engine/statistics/caveats.ts';
import type { AdjustedComparison, MetricRuns } from '../../engine/statistics/compare-metrics.ts';
import { compareMetrics } from '../../engine/statistics/compare-metrics.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { caveatOfErrors, compareErrors } from '../../engine/statistics/judge-errors.ts';
import { caveatOfJudge } from '../../engine/statistics/judge-status.ts';
import type { Growth, LookPlan } from '../../engine/statistics/planned-looks.ts';
import { poolTrials, type TestcaseColumns } from '../../engine/statistics/testcases.ts';
import { alignCompared, type Further } from './align-compared.ts';
import { compareLabels } from './compare-labels.ts';
import type { RunComparison } from './compare-schema.ts';
import { describeSlices } from './compare-slices.ts';
import { compareUsage } from './compare-usage.ts';
import {
  type Correction,
  concludeComparisons,
  correctComparison,
  describeJudge,
  type JudgedRun,
  type JudgeLabels,
  labelsIn,
} from './correct-comparison.ts';
import { drawnTestcasesOf, isSample } from './drawn-scores.ts';
import { findWinners, type Tries } from './find-winners.ts';
import { type Measure, testcasesOf } from './measure-scores.ts';
import type { TestcaseLabels } from './queries.ts';
import { nameOf, type RunColumns, type RunScores, type Scores, scoresOf } from './run-scores.ts';
import { boundsOf, caveatOfOwn, caveatOfSpanMeans, configOf, isBoolean } from './summarize.ts';
import { type Switch, splitBetween } from './switches.ts';
import type { UsageColumns } from './usage-queries.ts';
import { caveatsOfWeights, describeTraffic } from './weights.ts';

/** Maximum number of listed testcases for each reason of dropping; listChanges has all. */
const maxNamed = 20;

export type CompareOptions = {
  level: number;
  power: number;
  seed: number;
  measure: Measure;
  test: 'fixed' | 'sequential' | 'planned';
};
export type RunHeadShown = Static<typeof RunComparison.schema>['runs'][number];

export type CompareJob = CompareOptions &
  Further & {
    runs: RunColumns[];
    /** Whether each run is compared with each later one, or only the first with each other. */
    pairsOf: 'all' | 'first';
    /** Systems and testset of the runs, in their order. */
    heads: Pick<RunHeadShown, 'testset' | 'snapshot' | 'split' | 'systemId' | 'systemVersionId'>[];
    /** What differs between the testcases of two runs, by their ids with a space between. */
    testcases: Record<string, Static<typeof RunComparison.schema>['pairs'][number]['testcases']>;
    /** Runs whose testcases came in an order that the service drew. */
    drawnRunIds: string[];
    /** People's labels for the judges of the runs, by configuration. */
    judges: Record<string, JudgeLabels>;
    /** The successions of the judges of the runs. */
    switches: Switch[];
    /** Latency, tokens and cost of the records of each run; null if they are not asked for. */
    usage: UsageColumns[] | null;
    /** The looks of `planned`; null for the other tests. */
    plan: LookPlan | null;
    /** How far the later runs of a sequential test are, by their ids. */
    growths: Record<string, Growth>;
    /** Labels of the testcases whose slices are tested, one entry for each testset and field; null tests none. */
    sliceFields: TestcaseLabels[] | null;
  };

type Pair = { before: RunScores; after: RunScores };
type Candidate = Pair & { scoresBefore: Scores; scoresAfter: Scores };
type NotCompared = { metricId: string; metricName: string; reason: string };

const metricsOf = ({ before, after }: Pair): { candidates: Candidate[]; notCompared: NotCompared[] } => {
  const candidates: Candidate[] = [];
  const notCompared: NotCompared[] = [];
  const metricIds = new Set([...before.scores, ...after.scores].map(({ metricId }) => metricId));
  for (const metricId of metricIds) {
    const [scoresBefore, scoresAfter] = [scoresOf(before, metricId), scoresOf(after, metricId)];
    const { metricName } = (scoresBefore ?? scoresAfter)!;
    const refuse = (reason: string) => notCompared.push({ metricId, metricName, reason });
    if (!scoresBefore) refuse(`run ${before.runId} has no score by it`);
    else if (!scoresAfter) refuse(`run ${after.runId} has no score by it`);
    else if (scoresBefore.outputType !== scoresAfter.outputType)
      refuse(`its output type changed from ${scoresBefore.outputType} to ${scoresAfter.outputType}`);
    else candidates.push({ before, after, scoresBefore, scoresAfter });
  }
  return { candidates, notCompared };
};

const named = ({ units }: RunScores, testcases: number[]) => ({
  numTestcases: testcases.length,
  testcases: testcases.slice(0, maxNamed).map((testcase) => nameOf(units, testcase)),
});

type DescribeJudge = (ofRun: JudgedRun) => ReturnType<typeof describeJudge>;

/** Describes the judges of both runs, and the difference as people would judge it before its verdict. Null unless a model judged. */
const describeJudges = (
  { before, after, scoresBefore, scoresAfter }: Candidate,
  { judges, measure, level }: Pick<CompareJob, 'judges' | 'measure' | 'level'>,
  describeOnce: DescribeJudge,
) => {
  const [labelsBefore, labelsAfter] = [judges[scoresBefore.configId], judges[scoresAfter.configId]];
  if (!labelsBefore || !labelsAfter) return { judge: null, correction: null };
  const judgedBefore: JudgedRun = { run: before, scores: scoresBefore, labels: labelsBefore };
  const judgedAfter: JudgedRun = { run: after, scores: scoresAfter, labels: labelsAfter };
  const status = { before: describeOnce(judgedBefore), after: describeOnce(judgedAfter) };
  const boolean = isBoolean(scoresBefore, measure);
  // Labels correct the records as they are, not what they stand for.
  const correction = before.weighting
    ? null
    : correctComparison(judgedBefore, judgedAfter, { measure, level, boolean });
  const errors = compareErrors(labelsIn(judgedBefore), labelsIn(judgedAfter), level);
  return { judge: { ...status, errorInInterval: false, errors }, correction };
};

type Judges = Pick<ReturnType<typeof describeJudges>, 'judge'> & {
  corrected: ReturnType<typeof concludeComparisons>[number] | null;
};

/** Describes the judges of all candidates. The corrected differences are adjusted together, like the others. */
const describeAllJudges = (
  candidates: readonly Candidate[],
  { judges, measure, level }: Pick<CompareJob, 'judges' | 'measure' | 'level'>,
): Map<Candidate, Judges> => {
  // A run is in several pairs.
  const described = new Map<Scores, ReturnType<typeof describeJudge>>();
  const describeOnce: DescribeJudge = (ofRun) => {
    const known = described.get(ofRun.scores) ?? describeJudge(ofRun, level);
    described.set(ofRun.scores, known);
    return known;
  };
  const found = candidates.map((candidate) =>
    describeJudges(candidate, { judges, measure, level }, describeOnce),
  );
  const corrections = found.flatMap(({ correction }) => correction ?? []);
  const concluded = new Map<Correction | null, Judges['corrected']>(
    concludeComparisons(corrections).map((corrected, i) => [corrections[i]!, corrected]),
  );
  return new Map(
    candidates.map((candidate, i) => {
      const { judge, correction } = found[i]!;
      return [candidate, { judge, corrected: concluded.get(correction) ?? null }];
    }),
  );
};

/** Splits a difference of pass rates across a switch of judges. */
const splitRates = (
  switches: readonly Switch[],
  [from, to]: [string, string],
  { before, after, n, standardError }: Pick<AdjustedComparison, 'before' | 'after' | 'n' | 'standardError'>,
  level: number,
) => {
  if (before === null || after === null) return null;
  const rateOf = (estimate: number) => ({
    estimate,
    standardError: Math.sqrt((estimate * (1 - estimate)) / n),
  });
  return splitBetween(
    switches,
    { configId: from, rate: rateOf(before) },
    { configId: to, rate: rateOf(after) },
    { level, ofDifference: standardError },
  );
};

/**
 * Chooses the verdict to act on. A judge that errs differently on the two runs reports a difference where there is none. So if people
 * scored a random sample of both runs, their verdict decides. That test is for one look: a run that still grows is judged by its scores.
 */
const concludeBy = (
  comparison: Pick<
    AdjustedComparison,
    'difference' | 'verdictInterval' | 'verdictLevel' | 'verdict' | 'sentence'
  >,
  corrected: Judges['corrected'],
) => {
  const isKnown = corrected?.sampled && corrected.interval !== null;
  const { difference, verdictInterval, verdictLevel, verdict, sentence } = isKnown ? corrected : comparison;
  return {
    basis: isKnown ? ('people' as const) : ('scores' as const),
    difference,
    interval: verdictInterval,
    level: verdictLevel,
    verdict,
    sentence,
  };
};

/** Testsets are often sorted by topic or difficulty, so the first testcases differ from the rest. */
const metricChanged: Caveat = {
  code: 'metricChanged',
  sentence: 'the metric was changed between the runs: the difference may be the metric’s, not the system’s',
};

/** Quotes the beginning of a text. */
const quoted = (text: string): string =>
  `“${text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text}”`;

/** Says that a criterion asks something else in the later run: under the same id these are two questions. */
const caveatOfCriterion = ({ criterion: before }: Scores, { criterion: after }: Scores): Caveat | null =>
  before?.text && after?.text && before.text !== after.text
    ? {
        code: 'metricChanged',
        sentence: `the text of the criterion was changed between the runs, from ${quoted(before.text)} to ${quoted(after.text)}: these are two questions, and the difference says nothing about the system`,
      }
    : null;

const caveatOfOrder: Caveat = {
  code: 'orderNotDrawn',
  sentence:
    'the service did not draw the order of these testcases: a look at a part of them holds for all only if their order is random',
};

/** Only a category has labels. */
const labelled = (labels: ReturnType<typeof compareLabels>) => (labels ? { labels } : {});

const describe = (
  { before, after, scoresBefore, scoresAfter }: Candidate,
  { dropped, open: _, ...comparison }: AdjustedComparison,
  { judge, corrected }: Judges,
  {
    switches,
    measure,
    level,
    test,
    drawnRunIds,
  }: Pick<CompareJob, 'switches' | 'measure' | 'level' | 'test' | 'drawnRunIds'>,
) => {
  const changed = scoresBefore.configId !== scoresAfter.configId;
  const split =
    isBoolean(scoresBefore, measure) && !after.weighting
      ? splitRates(switches, [scoresBefore.configId, scoresAfter.configId], comparison, level)
      : null;
  const { metricConfigId, pinned: __, ...metric } = configOf(scoresAfter);
  return {
    ...metric,
    metricConfigIds: { before: scoresBefore.configId, after: metricConfigId },
    ...comparison,
    ...labelled(compareLabels({ run: before, scores: scoresBefore }, { run: after, scores: scoresAfter }, 1)),
    judge,
    corrected,
    conclusion: concludeBy(comparison, test === 'fixed' ? corrected : null),
    split,
    ...caveatsOf(
      caveatOfCriterion(scoresBefore, scoresAfter) ?? (changed && !split ? metricChanged : null),
      judge && caveatOfJudge(judge.before),
      judge && caveatOfJudge(judge.after),
      judge && caveatOfErrors(judge.errors),
      after.repeats,
      after.near,
      ...caveatsOfWeights(after, scoresAfter),
      caveatOfOwn([scoresBefore, scoresAfter]),
      caveatOfSpanMeans([scoresBefore, scoresAfter]),
      ...drawnTestcasesOf(before, scoresBefore, measure).caveats,
      ...drawnTestcasesOf(after, scoresAfter, measure).caveats,
      (comparison.watched || comparison.look) && !drawnRunIds.includes(after.runId) ? caveatOfOrder : null,
      ...comparison.caveats,
    ),
    dropped: {
      onlyBefore: named(before, dropped.onlyBefore),
      onlyAfter: named(before, dropped.onlyAfter),
      revised: named(before, dropped.revised),
      unscored: named(before, dropped.unscored),
    },
  };
};

/** Returns the metrics with the testcases of each run that has them. */
const triesOf = (runs: readonly RunScores[], others: readonly RunScores[], measure: Measure): Tries[] => {
  const metricIds = new Set(runs.flatMap(({ scores }) => scores.map(({ metricId }) => metricId)));
  return [...metricIds].map((metricId) => {
    const { metricName, outputType } = runs.flatMap((run) => scoresOf(run, metricId) ?? [])[0]!;
    const triedBy = (some: readonly RunScores[]) =>
      some.flatMap((run) => {
        const scores = scoresOf(run, metricId);
        // The best run is found among equal testcases, and people scored other records of each run.
        if (scores?.outputType !== outputType || isSample(scores)) return [];
        return { runId: run.runId, columns: testcasesOf(run, scores, measure) };
      });
    return {
      metricId,
      metricName,
      isRate: isBoolean({ outputType }, measure),
      bounds: boundsOf({ outputType }, measure),
      runs: triedBy(runs),
      others: triedBy(others),
    };
  });
};

/** Returns the trials of a further run of a baseline, if it has scores by the same configuration. */
const trialsOf = (run: RunScores, { configId }: Scores, measure: Measure): TestcaseColumns[] => {
  const scores = run.scores.find((one) => one.configId === configId);
  return scores ? [testcasesOf(run, scores, measure)] : [];
};

const pairUp = (runs: readonly RunScores[], pairsOf: CompareJob['pairsOf']): Pair[] => {
  const firsts = pairsOf === 'first' ? runs.slice(0, 1) : runs;
  return firsts.flatMap((before, i) => runs.slice(i + 1).map((after) => ({ before, after })));
};

type Plan = Pair & ReturnType<typeof metricsOf>;

/** Returns the tests of all pairs by the number of the pair and the metric. Further runs of the baseline count as trials of its testcases. */
const testsOf = (
  plans: readonly Plan[],
  { baseline, pooled }: { baseline: RunScores | undefined; pooled: readonly RunScores[] },
  { measure, growths, ...options }: CompareOptions & Pick<CompareJob, 'growths'> & { plan?: LookPlan },
): Record<string, MetricRuns> =>
  Object.fromEntries(
    plans.flatMap(({ before, after, candidates }, i) =>
      candidates.map(({ scoresBefore, scoresAfter }) => [
        `${i} ${scoresBefore.metricId}`,
        {
          ...options,
          ...(growths[String(after.runId)] && { growth: growths[String(after.runId)]! }),
          boolean: isBoolean(scoresBefore, measure),
          bounds: boundsOf(scoresBefore, measure),
          before: poolTrials(
            drawnTestcasesOf(before, scoresBefore, measure).testcases,
            before === baseline ? pooled.flatMap((run) => trialsOf(run, scoresBefore, measure)) : [],
          ),
          after: drawnTestcasesOf(after, scoresAfter, measure).testcases,
        },
      ]),
    ),
  );

/** Finds the slices that lost the most, for each test against the first run, which is the baseline of a report. */
const slicesOf = (
  tests: Record<string, MetricRuns>,
  plans: readonly Plan[],
  { baseline, sliceFields }: { baseline: RunScores | undefined; sliceFields: TestcaseLabels[] | null },
  options: Pick<CompareOptions, 'level' | 'seed'>,
): Map<string, ReturnType<typeof describeSlices>[number]> => {
  if (!baseline || !sliceFields) return new Map();
  const sliced = Object.entries(tests).filter(
    ([key, { before, after }]) =>
      plans[Number(key.split(' ')[0])]!.before === baseline && !before.drawn && !after.drawn,
  );
  const metrics = sliced.map(([, test]) => ({ ...test, units: baseline.units }));
  return new Map(describeSlices(metrics, sliceFields, options).map((found, i) => [sliced[i]![0], found]));
};

const headOf = (
  { run: { runId, groupedBy }, numRecords }: { run: RunScores; numRecords: number },
  head: CompareJob['heads'][number],
) => ({ runId, ...head, numRecords, groupedBy });

/**
 * Compares each run with each later one, metric by metric. All tests of an answer are adjusted together: 6 pairs × 5 metrics
 * are 30 tests.
 */
export const compare = ({
  runs: columns,
  pooled,
  tries,
  pairsOf,
  heads,
  testcases,
  measure,
  judges,
  switches,
  slice,
  sliceFields,
  usage,
  drawnRunIds,
  plan,
  growths,
  traffic,
  ...options
}: CompareJob): Static<typeof RunComparison.schema> => {
  const compared = { pooled, tries, slice, traffic, ...options };
  const { aligned, more, others, parts, runs } = alignCompared(columns, compared);
  const plans = pairUp(runs, pairsOf).map((pair) => ({ ...pair, ...metricsOf(pair) }));
  const settings = { measure, growths, ...options, ...(plan && { plan }) };
  const tests = testsOf(plans, { baseline: runs[0], pooled: more }, settings);
  // A metric of the baseline that the growing run has no scores of yet will be a test too.
  const leastTests = plan ? new Set(runs[0]!.scores.map(({ metricId }) => metricId)).size : 0;
  const results = compareMetrics(tests, leastTests);
  const ofSlices = slicesOf(tests, plans, { baseline: runs[0], sliceFields }, options);
  const candidates = plans.flatMap(({ candidates }) => candidates);
  const ofJudges = describeAllJudges(candidates, { judges, measure, level: options.level });
  return {
    runs: parts.map((part, i) => headOf(part, heads[i]!)),
    ...options,
    ...(plan && { looks: [...plan.looks] }),
    measure,
    ...(pooled.length > 0 && { pooled: pooled.map(({ runId }) => runId) }),
    ...(traffic && { weightedBy: describeTraffic(aligned, traffic) }),
    ...(runs.length > 2 &&
      !traffic && { winners: findWinners(triesOf(runs, others, measure), options.level) }),
    slice: slice && { by: slice.by, value: slice.value },
    tests: Math.max(leastTests, Object.values(results).filter(({ p }) => p !== null).length),
    pairs: plans.map(({ before, after, candidates, notCompared }, i) => ({
      before: before.runId,
      after: after.runId,
      testcases: testcases[`${before.runId} ${after.runId}`] ?? null,
      metrics: candidates.map((candidate) => {
        const { metricId } = candidate.scoresBefore;
        const key = `${i} ${metricId}`;
        const slices = ofSlices.get(key);
        const described = describe(candidate, results[key]!, ofJudges.get(candidate)!, {
          switches: switches.filter((one) => one.metricId === metricId),
          measure,
          level: options.level,
          test: options.test,
          drawnRunIds,
        });
        return { ...described, ...(slices && { slices }) };
      }),
      notCompared,
      ...(usage && {
        usage: compareUsage(
          { run: before, usage: usage[runs.indexOf(before)]! },
          { run: after, usage: usage[runs.indexOf(after)]! },
          options,
        ),
      }),
    })),
  };
};
