import type { Static } from 'typebox';
import { caveatsOf } from '../../engine/statistics/caveats.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import type { Caveat, Interval } from '../../engine/statistics/estimate-schema.ts';
import { benjaminiHochberg } from '../../engine/statistics/holm.ts';
import { defaultPower, fisherExact } from '../../engine/statistics/paired-proportions.ts';
import { type Summary, summarizeTestcases } from '../../engine/statistics/summary.ts';
import {
  clustersOf,
  isBinary,
  meansOf,
  scoredIndexes,
  type TestcaseColumns,
} from '../../engine/statistics/testcases.ts';
import { compareUnpaired, meanOfSample, type Sample } from '../../engine/statistics/unpaired.ts';
import { weigh, weightedError } from '../../engine/statistics/weighted.ts';
import { possibleScores } from '../../evaluation/scores/possible.ts';
import { describeJudge, type JudgeLabels } from './correct-comparison.ts';
import { crossLabels } from './cross.ts';
import { drawnTestcasesOf, fillDraw } from './drawn-scores.ts';
import { shareLabels } from './label-shares.ts';
import { type Measure, testcasesOf } from './measure-scores.ts';
import { plainEstimate } from './plain-estimate.ts';
import {
  alignRuns,
  nameOf,
  type RunColumns,
  type RunScores,
  type Scores,
  takeRecords,
} from './run-scores.ts';
import type { RunSummary } from './schema.ts';
import { largestGroups, type RecordLabels } from './slices.ts';
import { caveatsOfWeights, describeTraffic, type Traffic, weighRuns } from './weights.ts';

/** Most flaky testcases that are listed. */
const maxNamed = 100;

const binsOfFloat = 20;

/** Counts the spans of the records that have a score. */
const numSpansOf = ({ values }: Scores, { places }: NonNullable<Scores['spans']>): number =>
  places.reduce((count, place) => (values[place]! >= 0 ? count + 1 : count), 0);

/** Counts how often each value was given; a category has `labels` in its place. Floats are counted in bins of equal width; the last bin includes both its ends. */
const distributionOf = ({ outputType, values: ofRecords, spans }: Scores) => {
  const values = spans ? spans.values.filter((_, i) => ofRecords[spans.places[i]!]! >= 0) : ofRecords;
  if (outputType === 'category') return [];
  const { low, high } = possibleScores[outputType];
  const float = outputType === 'float';
  const counts = new Array<number>(float ? binsOfFloat : high - low + 1).fill(0);
  for (let place = 0; place < values.length; place++) {
    const value = values[place]!;
    if (!(value >= 0)) continue;
    counts[float ? Math.min(binsOfFloat - 1, Math.floor(value * binsOfFloat)) : value - low]!++;
  }
  return counts.map((count, i) =>
    float
      ? { low: i / binsOfFloat, high: (i + 1) / binsOfFloat, numScores: count }
      : { low: low + i, high: low + i, numScores: count },
  );
};

const estimateOf = ({ units }: RunScores, summary: Summary<number>) => {
  const { flaky, records: _, ...estimate } = summary;
  return {
    ...estimate,
    flaky: {
      numTestcases: flaky.length,
      testcases: flaky
        .slice(0, maxNamed)
        .map(({ testcase, ...trials }) => ({ testcaseId: nameOf(units, testcase), ...trials })),
    },
  };
};

/** Returns the key of a configuration. */
export const configOf = ({
  metricId,
  metricName,
  configId,
  evalType,
  outputType,
  passingThreshold,
  pinned,
}: Scores) => ({
  metricId,
  metricName,
  metricConfigId: configId,
  evalType,
  outputType,
  passingThreshold,
  pinned,
});

const judgeCost = ({ evalType, costUsd, inputTokens, outputTokens, priced }: Scores) =>
  evalType === 'ai' ? { costUsd, inputTokens, outputTokens, priced: priced ?? 0 } : null;

/** Whether passes and failures are analysed instead of scores. */
export const isBoolean = ({ outputType }: Pick<Scores, 'outputType'>, measure: Measure): boolean =>
  measure === 'pass' || outputType === 'boolean' || outputType === 'category';

/** The smallest and largest value that is analysed. */
export const boundsOf = (scores: Pick<Scores, 'outputType'>, measure: Measure): Interval =>
  possibleScores[isBoolean(scores, measure) ? 'boolean' : scores.outputType];

/** People correct the verdicts that they find wrong, so a rate that mixes their scores with the judge's describes neither. */
const caveatOfReplaced = ({ numReplaced }: Scores): Caveat | null =>
  numReplaced === 0
    ? null
    : {
        code: 'mixedScorers',
        sentence: `${replacedText(numReplaced)}: the rate is neither the judge's nor people's, and comparisons use the judge's own verdicts`,
      };

const replacedText = (numReplaced: number): string =>
  `${countInWords(numReplaced, 'score')} ${numReplaced === 1 ? 'is' : 'are'} a person's in the judge's place`;

/** A comparison takes the judge's own verdicts, so its rates are not those that the page of a run shows. */
export const caveatOfOwn = (scores: readonly Scores[]): Caveat | null => {
  const numReplaced = scores.reduce((sum, one) => sum + one.numReplaced, 0);
  if (numReplaced === 0) return null;
  const sentence = `${replacedText(numReplaced)}: this comparison uses the judge's own verdicts, so the rates of the runs' pages are others`;
  return { code: 'mixedScorers', sentence };
};

/** A comparison, and a weighted rate, count each record once. */
export const caveatOfSpanMeans = (scores: readonly Scores[]): Caveat | null =>
  scores.some(({ spans }) => spans !== null)
    ? {
        code: 'spanMeans',
        sentence:
          'each record counts once, by the mean over its spans: a rate over all spans, as on the page of a run, may differ',
      }
    : null;

/** The mean if each record of the sample without a score had the worst, and the best. */
const rangeOfDraw = (run: RunScores, scores: Scores, measure: Measure): Interval | null => {
  const { low, high } = boundsOf(scores, measure);
  const [atWorst, atBest] = [low, high].map((fill) => {
    const weighed = fillDraw(run, scores, measure, fill);
    return weighed && weightedError(weighed, null, false).mean;
  });
  return atWorst == null || atBest == null ? null : { low: atWorst, high: atBest };
};

/** A score that does not fit its metric has no value, so it is missing from every number. */
const caveatOfMisfits = ({ misfits }: Scores): Caveat | null =>
  misfits === null ? null : { code: 'invalidScores', sentence: misfits };

const summaryOf = (run: RunScores, scores: Scores, measure: Measure, level: number) => {
  const { testcases, caveats } = drawnTestcasesOf(run, scores, measure);
  const summary = summarizeTestcases(testcases, {
    boolean: isBoolean(scores, measure),
    bounds: boundsOf(scores, measure),
    level,
  });
  const { pending, unscored, failed } = summary.records;
  return {
    ...summary,
    ...(testcases.drawn && {
      records: testcasesOf(run, scores, measure).records,
      range: pending + unscored + failed > 0 ? rangeOfDraw(run, scores, measure) : null,
    }),
    ...caveatsOf(
      run.repeats,
      run.near,
      ...caveatsOfWeights(run, scores),
      testcases.drawn || testcases.weighting ? caveatOfSpanMeans([scores]) : null,
      caveatOfReplaced(scores),
      ...caveats,
      caveatOfMisfits(scores),
      ...summary.caveats,
    ),
  };
};

const summarizeScores = (run: RunScores, scores: Scores, level: number) => {
  const passRate = summaryOf(run, scores, 'pass', level);
  return {
    ...configOf(scores),
    states: passRate.records,
    passRate: estimateOf(run, passRate),
    mean: isBoolean(scores, 'score') ? null : estimateOf(run, summaryOf(run, scores, 'score', level)),
    distribution: distributionOf(scores),
    ...(scores.labels && { labels: shareLabels(run, scores, level) }),
    ...(scores.spans && { numSpans: numSpansOf(scores, scores.spans) }),
    ...(scores.criterion && { criterion: scores.criterion }),
  };
};

/** Compares the pass rate of a group of records with that of the other records. */
const compareWithRest = (
  run: RunScores,
  scores: Scores,
  group: { run: RunScores; scores: Scores; places: Set<number> },
  level: number,
) => {
  const inside = new Uint8Array(run.numbers.length);
  for (const place of group.places) inside[place] = 1;
  const sampleOf = ({ testcases: columns }: { testcases: TestcaseColumns }): Sample => {
    if (columns.drawn) return { values: columns.drawn.values, groups: null, weighed: columns.drawn };
    const indexes = scoredIndexes(columns);
    return {
      values: meansOf(columns, indexes),
      groups: run.groups ? clustersOf(columns.groups, indexes) : null,
      weighed: weigh(columns, indexes),
    };
  };
  const rest = sampleOf(drawnTestcasesOf(run, scores, 'pass', inside));
  const own = sampleOf(drawnTestcasesOf(group.run, group.scores, 'pass'));
  const settings = {
    boolean: true,
    bounds: possibleScores.boolean,
    level,
    power: defaultPower,
    seed: 1,
  } as const;
  if (own.values.length === 0 || rest.values.length === 0)
    return { difference: null, interval: null, p: null };
  const { p, interval } = compareUnpaired(rest, own, { ...settings, test: 'fixed' });
  const passes = ({ values }: Sample) => values.reduce((x, y) => x + y, 0);
  const [rateOfOwn, rateOfRest] = [meanOfSample(own), meanOfSample(rest)];
  const difference = rateOfOwn === null || rateOfRest === null ? null : rateOfOwn - rateOfRest;
  // Many small groups lie near 100 %, where the score test of the comparison finds too many differences.
  const isExact =
    !own.weighed && !rest.weighed && !run.groups && isBinary(own.values) && isBinary(rest.values);
  const exact = () => fisherExact(passes(own), own.values.length, passes(rest), rest.values.length);
  return { difference, interval, p: isExact ? exact() : p };
};

const breakDown = (run: RunScores, labels: RecordLabels, level: number) => {
  const { largest, leftOut } = largestGroups(run, labels);
  const groups = largest.map(([value, places]) => {
    const group = takeRecords(run, Int32Array.from(places).sort());
    return {
      value,
      numRecords: places.size,
      metrics: group.scores.map((scores, i) => ({
        ...summarizeScores(group, scores, level),
        versusRest: compareWithRest(run, run.scores[i]!, { run: group, scores, places }, level),
      })),
    };
  });
  // With many groups some differ by chance: the adjustment holds over all groups and metrics.
  const tests = groups.flatMap(({ metrics }) => metrics.map(({ versusRest }) => versusRest));
  const adjusted = benjaminiHochberg(tests.map(({ p }) => p));
  const adjustedOf = new Map(tests.map((test, i) => [test, adjusted[i]!]));
  return {
    groups: groups.map(({ metrics, ...group }) => ({
      ...group,
      metrics: metrics.map(({ versusRest, ...metric }) => ({
        ...metric,
        versusRest: { ...versusRest, adjustedP: adjustedOf.get(versusRest)! },
      })),
    })),
    numGroupsLeftOut: leftOut,
  };
};

const judgeOf = (run: RunScores, scores: Scores, judges: SummaryJob['judges'], level: number) => {
  const labels = judges[scores.configId];
  return labels ? describeJudge({ run, scores, labels }, level) : null;
};

type PointsJob = Pick<SummaryJob, 'run' | 'level'> & {
  /** People's labels of the run's judges; null leaves the judges out. */
  judges: SummaryJob['judges'] | null;
  /** What the testcases stand for; null if each counts the same. */
  traffic: Traffic | null;
};

/** Returns the point of a run in the trend of each of its metrics. */
export const trendPoints = ({ run: columns, level, judges, traffic }: PointsJob) => {
  const run = weighRuns(alignRuns([columns]), traffic)[0]!;
  return run.scores.map((scores) => {
    const passRate = summaryOf(run, scores, 'pass', level);
    const { metricId, metricName, configId: metricConfigId, outputType } = scores;
    return {
      metricId,
      metricName,
      metricConfigId,
      outputType,
      states: passRate.records,
      groupedBy: run.groupedBy,
      passRate: plainEstimate(passRate),
      mean: isBoolean(scores, 'score') ? null : plainEstimate(summaryOf(run, scores, 'score', level)),
      ...(scores.labels && { labels: shareLabels(run, scores, level) }),
      cost: judgeCost(scores),
      ...(judges && { judge: judgeOf(run, scores, judges, level) }),
    };
  });
};

export type SummaryJob = {
  run: RunColumns;
  /** People's labels for the run's judges, by configuration. */
  judges: Record<string, JudgeLabels>;
  createdAt: string;
  level: number;
  by: { name: string; labels: RecordLabels } | null;
  /** What the testcases stand for; null if each counts the same. */
  traffic: Traffic | null;
  /** A second criterion, which makes a table with the first. */
  across: { name: string; labels: RecordLabels } | null;
};

/** Summarizes a run by metric, and by metric within each group of records when a breakdown is asked for. */
export const summarize = ({
  run: columns,
  judges,
  createdAt,
  level,
  by,
  across,
  traffic,
}: SummaryJob): Static<typeof RunSummary.schema> => {
  const run = weighRuns(alignRuns([columns]), traffic)[0]!;
  const crossed = by &&
    across && {
      by: across.name,
      ...breakDown(run, across.labels, level),
      ...crossLabels(run, by.labels, across.labels, level),
    };
  const breakdown = by && { by: by.name, ...breakDown(run, by.labels, level), crossed };
  return {
    runId: run.runId,
    createdAt,
    level,
    numRecords: run.numbers.length,
    groupedBy: run.groupedBy,
    ...(traffic && { weightedBy: describeTraffic([run], traffic) }),
    metrics: run.scores.map((scores) => ({
      ...summarizeScores(run, scores, level),
      cost: judgeCost(scores),
      judge: judgeOf(run, scores, judges, level),
    })),
    breakdown,
  };
};
