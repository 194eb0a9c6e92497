import type { Static } from 'typebox';
import { cohenKappa } from '../../engine/statistics/agreement.ts';
import { calibrate as calibrateLabels, sweepThresholds } from '../../engine/statistics/calibration.ts';
import type { CorrectedRate, ThresholdPoint } from '../../engine/statistics/calibration-schema.ts';
import { caveatsOf } from '../../engine/statistics/caveats.ts';
import { type Sums, spanEstimate } from '../../engine/statistics/clusters.ts';
import { roganGladen } from '../../engine/statistics/correction.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { rateEstimate } from '../../engine/statistics/intervals.ts';
import { errorsOf, judgeStatus } from '../../engine/statistics/judge-status.ts';
import {
  agreementOf,
  effectiveLabels,
  influenceOf,
  strataOfLabels,
  weightsOf,
} from '../../engine/statistics/label-strata.ts';
import { dependenceOf, shrinkageOf } from '../../engine/statistics/label-units.ts';
import { labelsInWords, predictionPowered } from '../../engine/statistics/prediction-powered.ts';
import {
  caveatOfReviewers,
  correctForReviewers,
  estimateReviewerError,
  labelErrors,
  type ReviewedLabel,
  type ReviewerError,
  reviewersInWords,
  shareOfGood,
} from '../../engine/statistics/reviewer-errors.ts';
import type { JudgedScore, LabelledScore } from '../../engine/statistics/strata.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import type { OutputType } from '../../evaluation/metrics/schema.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import {
  type JudgeConfig,
  type LabelledColumns,
  type LabelSource,
  unnamedPeople,
} from '../../scoring/labels/queries.ts';
import type { Split } from '../../scoring/labels/split.ts';
import type { JudgeCalibration } from './calibration-schema.ts';
import { confuse } from './confusion.ts';
import { withDoubts } from './doubts.ts';
import type { Doubt } from './judge-schema.ts';
import { passes } from './measure-scores.ts';
import {
  caveatOfModels,
  caveatOfNotDrawn,
  caveatOfSpans,
  type Label,
  type Labels,
  readLabels,
  withMakers,
} from './people-labels.ts';
import { alignRuns, numbersOf, type RunColumns, type RunScores, type Scores } from './run-scores.ts';
import type { SampleColumns } from './sample-queries.ts';

export type CalibrationJob = {
  judge: JudgeConfig;
  labels: LabelledColumns;
  /** What keeps the judge from being trusted as its grade says. */
  doubts: readonly Doubt[];
  split: Split;
  level: number;
  /** Metric by which people scored; null for other labels. */
  peopleMetricId: string | null;
  source: LabelSource['of'];
  /** Numbers of any records that the judge decided; their pass rate is corrected too. */
  judged: { passes: number; n: number } | null;
  /** Further ones, such as the points of a chart. */
  rates: { passes: number; n: number }[];
  /** Output type of the people's scores; null for thumbs. */
  humanOutputType: OutputType | null;
  /** The run whose pass rate is corrected for the judge's errors, with only the judge's scores. */
  run: RunColumns | null;
  /** The random sample of that run that people were to score; null when there is none. */
  sample: SampleColumns | null;
};

/** Whether the judge and people gave different verdicts, or different labels. */
const differs = ({ judge, human, said }: Label): boolean =>
  judge !== human || (said !== null && said.judge !== said.human);

const inSplit = (labels: Label[], split: Split): Label[] =>
  split === 'all' ? labels : labels.filter((label) => label.split === split);

const withoutList = ({ disagreements, ...calibration }: ReturnType<typeof calibrateLabels>) => ({
  ...calibration,
  numDisagreements: disagreements.length,
});

/** Maximum number of listed points of a sweep. */
const maxPoints = 100;

const thin = (points: ThresholdPoint[]): ThresholdPoint[] =>
  points.length <= maxPoints
    ? points
    : Array.from(
        { length: maxPoints },
        (_, i) => points[Math.round((i * (points.length - 1)) / (maxPoints - 1))]!,
      );

/** Finds the best passing threshold on the dev labels, and measures it on the test labels. */
const sweep = (labels: Label[], level: number) => {
  const dev = inSplit(labels, 'dev');
  const weights = weightsOf(dev);
  const { points, best, ...rest } = sweepThresholds(
    dev.map((label, i) => ({ ...label, weight: weights[i]! })),
  );
  const test = inSplit(labels, 'test');
  const confirmed = best && test.map((label) => ({ ...label, judge: label.judgeScore >= best.threshold }));
  return {
    ...rest,
    points: thin(points),
    best,
    onTest: confirmed && withoutList(calibrateLabels(confirmed, level)),
  };
};

/** Returns κ with quadratic weights, for a judge and people who both score from 1 to 5. */
const weightedKappa = (labels: Label[], level: number) => {
  const table = Array.from({ length: 5 }, () => new Array<number>(5).fill(0));
  const weights = weightsOf(labels);
  const strata = strataOfLabels(labels);
  const dependence = dependenceOf(labels, influenceOf(strata, agreementOf));
  const worth = effectiveLabels(strata) / labels.length / shrinkageOf(dependence, level);
  for (const [i, { judgeScore, humanScore }] of labels.entries())
    table[judgeScore - 1]![humanScore - 1]! += weights[i]! * worth;
  return { ...cohenKappa(table, 'quadratic', level), n: labels.length };
};

/** A judge that leaves out hard records looks better than it is. */
const describeAbstained = (
  { unjudged, unjudgedPassed: passedByPeople, labels: { length: labels }, numUnits }: Labels,
  level: number,
) => {
  const of = unjudged + labels;
  // Spans of one record count as one: how much alike they are is unknown where the judge says nothing.
  const worth = numUnits === null || of === 0 ? 1 : numUnits / of;
  const share = { ...rateEstimate(unjudged * worth, of * worth, level), n: of };
  const caveat: Caveat | null =
    unjudged === 0
      ? null
      : {
          code: 'abstained',
          sentence: `the judge gave no verdict on ${unjudged} of ${countInWords(of, 'labelled record')} (people passed ${passedByPeople} of them): its errors are those on the rest`,
        };
  const assumption = 'the labelled records are a random sample of those that the judge decides';
  const reason = of === 0 ? 'no record is labelled' : null;
  return {
    abstained: {
      numRecords: unjudged,
      numLabels: of,
      numPassedByPeople: passedByPeople,
      share: { ...share, ...caveatsOf(), assumption, reason },
    },
    caveat,
  };
};

type Judged = { id: string; n: number; passed: boolean };

export const caveatOfWaiting = (waiting: number): Caveat | null =>
  waiting === 0
    ? null
    : {
        code: 'sampleIncomplete',
        sentence: `${countInWords(waiting, 'record')} of the sample, most of them without a label yet, count by the judge: this holds if they are like the rest`,
      };

export const caveatOfOutside = (outside: number): Caveat | null =>
  outside === 0
    ? null
    : {
        code: 'sampleIncomplete',
        sentence: `without ${countInWords(outside, 'record')} that could not be drawn: draw from them too`,
      };

/**
 * Splits records by whether they have a label, for prediction-powered inference. With a random sample, records with the same inclusion
 * probability form a stratum: labels of records outside the sample do not count, and records that could not be drawn are left
 * out. A drawn record that still waits for its label stays in its stratum without one.
 */
const splitByLabel = (judged: Judged[], labels: Label[], columns: SampleColumns | null) => {
  const human = new Map(labels.map((label) => [label.id, label.human]));
  const numbers = numbersOf(columns?.numbers ?? null);
  if (!columns || numbers.length === 0) {
    return {
      labelled: judged
        .filter(({ id }) => human.has(id))
        .map(({ id, passed }) => ({ judge: Number(passed), human: Number(human.get(id)) })),
      unlabelled: judged.filter(({ id }) => !human.has(id)).map(({ passed }) => ({ judge: Number(passed) })),
      ...caveatsOf(),
    };
  }
  const [chances, drawn] = [numbersOf(columns.chances), numbersOf(columns.drawn)];
  const places = new Map(numbers.map((n, i) => [n, i]));
  const [labelled, unlabelled]: [LabelledScore[], JudgedScore[]] = [[], []];
  let [waiting, outside] = [0, 0];
  for (const { id, n, passed } of judged) {
    const place = places.get(n);
    if (place === undefined || chances[place] === 0) outside++;
    else {
      const score = { judge: Number(passed), inclusionProbability: chances[place]! };
      if (drawn[place] !== 0 && human.has(id)) labelled.push({ ...score, human: Number(human.get(id)) });
      else unlabelled.push(score);
      if (drawn[place] !== 0 && !human.has(id)) waiting++;
    }
  }
  return { labelled, unlabelled, ...caveatsOf(caveatOfWaiting(waiting), caveatOfOutside(outside)) };
};

type RunOfJudge = {
  run: RunScores;
  /** The judge's scores; undefined when it scored nothing in the run. */
  scores: Scores | undefined;
  judge: JudgeConfig;
  /** The random sample of the run that people were to score, if there is one. */
  sample: SampleColumns | null;
};

/** Corrects a rate by labels for the errors of the people who gave them, if these are known. */
const correctPeople = (
  { estimate, standardError, interval, assumption, caveats }: ReturnType<typeof predictionPowered>,
  labels: readonly ReviewedLabel[],
  found: ReviewerError | null,
) => {
  if (!found || estimate === null || !interval) return { people: null };
  const uncorrected = { estimate, interval };
  const corrected = correctForReviewers({ ...uncorrected, standardError: standardError ?? 0 }, labels, found);
  const moved = corrected.estimate - estimate;
  const points = `${moved < 0 ? '−' : '+'}${(100 * Math.abs(moved)).toFixed(1)} points`;
  const { standardError: _, ...people } = found;
  return {
    ...corrected,
    people: { ...people, uncorrected },
    assumption: assumption.replace('people are right', reviewersInWords(found)),
    ...caveatsOf(...caveats, caveatOfReviewers(found, moved, `the rate is corrected for that, by ${points}`)),
  };
};

/** Corrects the pass rate of a run for the errors of its judge: by all labels, and by the labels of the run alone. */
const correct = ({ run, scores, judge, sample }: RunOfJudge, labels: Label[], level: number) => {
  const judged = (scores ? run.numbers : [])
    .map((n, place) => ({ id: `${run.runId}-${n}`, n, value: scores!.own[place]! }))
    .filter(({ value }) => value >= 0)
    .map(({ id, n, value }) => ({ id, n, passed: passes(value, judge) }));
  const { labelled, unlabelled, caveats } = splitByLabel(judged, labels, sample);
  const found = estimateReviewerError(
    labels.map(({ reviewed }) => reviewed),
    level,
  );
  const ids = new Set(judged.map(({ id }) => id));
  const own = labels.filter(({ id }) => ids.has(id)).map(({ reviewed }) => reviewed);
  const plain = predictionPowered(labelled, unlabelled, level);
  const powered = { ...plain, ...correctPeople(plain, own, found) };
  return {
    runId: run.runId,
    roganGladen: withPeople(
      roganGladen(
        { passes: judged.filter(({ passed }) => passed).length, n: judged.length },
        errorsOf(labels, level),
        level,
      ),
      labels,
      found,
    ),
    predictionPowered: {
      ...powered,
      sampled: sample?.numbers != null,
      moreLabels: labelsInWords(powered.numLabelsToHalve, powered.interval !== null),
      ...caveatsOf(...caveats, ...powered.caveats),
    },
  };
};

/** Says by how much people's errors may bias a rate by the judge's error rates. */
const withPeople = (
  rate: CorrectedRate,
  labels: readonly Label[],
  found: ReviewerError | null,
): CorrectedRate => {
  if (!found || rate.estimate === null) return rate;
  const errors = labelErrors(
    labels.map(({ reviewed }) => reviewed),
    found.error,
  );
  const moves = Math.min(1, Math.max(0, shareOfGood(rate.estimate, errors))) - rate.estimate;
  const said = `without these errors the rate may be ${(100 * Math.abs(moves)).toFixed(1)} points ${moves < 0 ? 'lower' : 'higher'}; this rate is not corrected for them`;
  const { standardError: _, ...people } = found;
  return {
    ...rate,
    people: { ...people, uncorrected: null },
    ...caveatsOf(...rate.caveats, caveatOfReviewers(found, moves, said)),
  };
};

/** Returns the pass rate of a run as people would judge it: by the labels of the run if they suffice, else by the judge's error rates. */
export const correctedRateOf = (ofRun: RunOfJudge, labels: Label[], level: number): CorrectedRate => {
  const { roganGladen, predictionPowered } = correct(ofRun, labels, level);
  if (!predictionPowered.interval) return roganGladen;
  const {
    numLabels: labelled,
    numDisagreements: disagreements,
    numLabelsToHalve: labelsToHalve,
    moreLabels,
    sampled,
    lambda,
    ...rate
  } = predictionPowered;
  return rate;
};

const unknownRecords =
  'counts of spans do not say which are of one record, and these depend on each other: ask with runId, which reads them';

/** A rate of spans that comes as counts is not corrected, and says why. */
const refuseSpans = ({ passes: passed, n }: { passes: number; n: number }, level: number): CorrectedRate => ({
  ...roganGladen(
    { passes: 0, n: 0 },
    { humanPasses: 0, judgePassed: 0, humanFails: 0, judgeFailed: 0 },
    level,
  ),
  n,
  uncorrected: n === 0 ? null : passed / n,
  reason: unknownRecords,
});

/**
 * Corrects the rate over the spans of a run, whose records are the units of its error. The correction by the labels of the run alone is
 * refused: a record may have a label for some of its spans only.
 */
const correctSpans = ({ run, scores, judge }: RunOfJudge, labels: Label[], level: number) => {
  const units = new Map<number, Sums>();
  const { places, values } = scores?.spans ?? { places: new Int32Array(), values: new Float64Array() };
  for (const [i, place] of places.entries()) {
    if (!(scores!.values[place]! >= 0)) continue;
    const passed = Number(passes(values[i]!, judge));
    const unit = units.get(run.unitOf[place]!) ?? { size: 0, sum: 0, squares: 0 };
    units.set(run.unitOf[place]!, {
      size: unit.size + 1,
      sum: unit.sum + passed,
      squares: unit.squares + passed,
    });
  }
  const rate = spanEstimate([...units.values()], [...units.keys()], level, { low: 0, high: 1 });
  const n = [...units.values()].reduce((sum, { size }) => sum + size, 0);
  // As Wilson's interval on the effective n.
  const judged = { passes: (rate.estimate ?? 0) * rate.effectiveN, n: rate.effectiveN };
  const found = estimateReviewerError(
    labels.map(({ reviewed }) => reviewed),
    level,
  );
  return {
    runId: run.runId,
    roganGladen: { ...withPeople(roganGladen(judged, errorsOf(labels, level), level), labels, found), n },
    predictionPowered: {
      ...predictionPowered([], [], level),
      people: null,
      sampled: false,
      moreLabels: null,
      reason: 'only some spans of a record have a label: the rate by the judge’s errors holds',
    },
  };
};

/** Corrects rates that come as counts. */
const correctCounts = (
  { judge, judged, rates, level }: CalibrationJob,
  labels: Label[],
  found: ReviewerError | null,
) => {
  const errors = errorsOf(labels, level);
  const corrected = (rate: { passes: number; n: number }) =>
    judge.ofSpans ? refuseSpans(rate, level) : roganGladen(rate, errors, level);
  return {
    correctedRate: judged && withPeople(corrected(judged), labels, found),
    correctedRates: rates.map((rate) => {
      const { n, estimate, interval } = corrected(rate);
      return { n, estimate, interval };
    }),
  };
};

const runOf = (columns: RunColumns, { judge, sample }: CalibrationJob): RunOfJudge => {
  const run = alignRuns([columns])[0]!;
  return { run, scores: run.scores.find(({ configId }) => configId === judge.configId), judge, sample };
};

/** Compares a judge with people: its errors, its best passing threshold, and a run's pass rate corrected for its errors. */
export const calibrate = (
  job: CalibrationJob,
): Omit<Static<typeof JudgeCalibration.schema>, 'source' | 'hasPinnedSet' | 'assumption'> => {
  const { judge, level, split, humanOutputType } = job;
  const read = readLabels(job.labels, judge);
  const { labels, outside, unjudged } = read;
  const chosen = inSplit(labels, split);
  const { numDisagreements, ...calibration } = withoutList(calibrateLabels(chosen, level));
  const left = inSplit(outside, split);
  const { abstained, caveat } = describeAbstained(read, level);
  const found = estimateReviewerError(
    chosen.map(({ reviewed }) => reviewed),
    level,
  );
  const bothInt = judge.outputType === 'int' && humanOutputType === 'int';
  return {
    metricConfigId: judge.configId,
    passingThreshold: judge.passingThreshold,
    split,
    labels: {
      dev: inSplit(labels, 'dev').length,
      test: inSplit(labels, 'test').length,
      unjudged,
    },
    abstained,
    labelledAt: job.labels.labelledAt,
    judge: {
      metricConfigId: judge.configId,
      ...withDoubts(
        withMakers(
          {
            ...judgeStatus(chosen, unjudged, level),
            ...(job.source === 'none' && { sentence: unnamedPeople }),
          },
          job.labels,
        ),
        job.doubts,
      ),
      peopleMetricId: job.peopleMetricId,
      labelledAt: job.labels.labelledAt,
    },
    ...correctCounts(job, chosen, found),
    ...calibration,
    numDisagreements:
      numDisagreements +
      left.filter(differs).length +
      chosen.filter((label) => differs(label) && label.judge === label.human).length,
    ...caveatsOf(
      ...calibration.caveats,
      caveat,
      caveatOfModels(job.labels),
      caveatOfSpans(read),
      judge.ofSpans && job.rates.length > 0 ? { code: 'spanLabels', sentence: unknownRecords } : null,
      caveatOfNotDrawn(left.length),
      caveatOfReviewers(found, found?.error ?? 0, "these errors count as the judge's"),
    ),
    weightedKappa: bothInt ? weightedKappa(chosen, level) : null,
    threshold:
      judge.outputType === 'boolean' || judge.outputType === 'category' ? null : sweep(labels, level),
    confusion:
      judge.labels === null || judge.ofSpans ? null : confuse(chosen, storedLabels(judge.labels)!, level),
    corrected:
      job.run && job.source !== 'none'
        ? (judge.ofSpans ? correctSpans : correct)(runOf(job.run, job), chosen, level)
        : null,
  };
};

export type DisagreementsJob = {
  judge: JudgeConfig;
  labels: LabelledColumns;
  split: Split;
  afterKey: string;
  count: number;
};

/** Returns one page of the records on which the judge and people differ, oldest first. */
export const listJudgeDisagreements = ({
  judge,
  labels,
  split,
  afterKey,
  count,
}: DisagreementsJob): PageRow[] => {
  const keyOf = (id: string) =>
    id
      .split('-')
      .map((part) => part.padStart(19, '0'))
      .join(' ');
  const { labels: counted, outside } = readLabels(labels, judge);
  return inSplit([...counted, ...outside], split)
    .filter((label) => differs(label) && keyOf(label.id) > afterKey)
    .sort((a, b) => (keyOf(a.id) < keyOf(b.id) ? -1 : 1))
    .slice(0, count)
    .map((label) => ({
      key: keyOf(label.id),
      body: JSON.stringify({
        id: label.id,
        recordId: label.id,
        ...label.span,
        testcaseId: label.testcaseId,
        split: label.split,
        judge: { value: label.said?.judge ?? label.judgeScore, passed: label.judge },
        human: { value: label.said?.human ?? label.humanScore, passed: label.human },
      }),
    }));
};
