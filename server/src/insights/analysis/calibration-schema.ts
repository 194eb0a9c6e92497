import { Type } from 'typebox';
import {
  calibration,
  correctedRate,
  judgeStatus,
  predictionPowered,
  ThresholdSweep,
} from '../../engine/statistics/calibration-schema.ts';
import {
  count,
  Estimate,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  text,
} from '../../engine/statistics/estimate-schema.ts';
import { RecordDetail } from '../../evaluation/records/schema.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { PinnedSet } from '../../scoring/trials/pinned-schema.ts';
import { JudgeStatus } from './judge-schema.ts';

const labelQuery = {
  labels: Type.Optional(
    Type.Union([Type.Literal('metric'), Type.Literal('overrides'), Type.Literal('thumbs')], {
      description:
        "Source of people's labels. `metric`: scores of the metric `against`, else of the human metric of the judge (`peopleMetricId` of its settings). `overrides`: scores that people gave in place of the judge. `thumbs`: the majority of the record's annotations. Default `metric`.",
    }),
  ),
  against: Type.Optional(
    Type.String({
      description: 'Metric by which people scored the same records. Default the human metric of the judge.',
    }),
  ),
  metricConfigId: Type.Optional(
    Type.String({
      description:
        'Configuration of the judge; default that of the run, else the current one. Each configuration is a separate judge.',
    }),
  ),
  split: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('dev'), Type.Literal('test')], {
      default: 'all',
      description:
        'Which labels count. A hash of its testcase assigns each label to `dev` or `test` permanently.',
    }),
  ),
};

export const CalibrationQuery = Type.Object({
  ...labelQuery,
  level,
  runId: Type.Optional(
    Type.String({ description: 'Run whose pass rate is corrected for the errors of the judge.' }),
  ),
  numPasses: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Number of records, from any set, that the judge passed. Requires `numJudged`.',
    }),
  ),
  numJudged: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Number of records in that set that the judge decided; `correctedRate` is their corrected pass rate.',
    }),
  ),
  configurations: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether the newest 10 configurations of the metric are compared with people too.',
    }),
  ),
  pinnedSet: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether the pinned set of the metric comes with the answer.',
    }),
  ),
  criteria: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether a metric with criteria is compared with people criterion by criterion, on the records on which both gave verdicts on it. The metric of people needs criteria with the same ids.',
    }),
  ),
  jury: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Whether each model of the judge's jury is compared with the jury and with people.",
    }),
  ),
  rates: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,9}/[1-9][0-9]{0,8}(,[0-9]{1,9}/[1-9][0-9]{0,8}){0,749}$',
      expects: 'rates such as 12/40, at most 750, with commas between',
      description:
        'Pass rates to correct, such as the points of a chart, each as passes, a slash and judged. `correctedRates` has the corrected ones.',
    }),
  ),
});
export const DisagreementsQuery = Type.Object({
  ...pageQuery,
  ...labelQuery,
  records: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether each disagreement comes with its record.' }),
  ),
});

const rate = (description: string) => ref(Estimate, description);

const Corrected = Type.Object({
  runId: text('Id of the run.'),
  roganGladen: Type.Object(correctedRate, {
    description: "Corrected with the judge's error rates on all labels. Each trial of a testcase counts.",
  }),
  predictionPowered: Type.Object(predictionPowered, {
    description: 'Corrected with the labels of this run alone, which must be a random sample.',
  }),
});

export const JuryAgreement = named(
  'JuryAgreement',
  Type.Object(
    {
      metricConfigId: text('Configuration of the judge.'),
      source: text(
        'Source of the labels: `metric`, `overrides`, `thumbs`, or `none` if the human metric of the judge is not known.',
      ),
      numRecords: count(
        'Number of records that were read: the newest 2,000, and the newest 2,000 with a label.',
      ),
      juryWithPeople: rate('Share of labelled records on which the jury and people agree.'),
      models: Type.Array(
        Type.Object({
          modelName: text('Name of the model.'),
          numVerdicts: count('Number of these records on which it gave a verdict.'),
          withJury: rate("Share on which it has the jury's verdict, in which its own counts."),
          withPeople: rate('Share of labelled records on which it agrees with people.'),
        }),
        { description: "The models of the jury, the metric's own first." },
      ),
    },
    { description: 'How far each model of a jury agrees with the others and with people.' },
  ),
);

const ofVerdicts = {
  ...calibration,
  unjudged: count('Labels without a verdict of the judge; they are left out of the rates.'),
  state: judgeStatus.state,
  grade: judgeStatus.grade,
};

/** A criterion of a metric, as an answer about its verdicts names it. */
export const criterionFacts = {
  id: text('Id of the criterion.'),
  text: nullableText('Its text; null if only testcases have it.'),
  weight: nullableNumber('Its weight; null if only testcases have it.'),
  mustPass: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the score is 0 without it; null if only testcases have it.',
  }),
};

export const CriteriaCalibration = named(
  'CriteriaCalibration',
  Type.Object(
    {
      criteria: Type.Array(Type.Object({ ...criterionFacts, ...ofVerdicts }), {
        description:
          'Each criterion, compared like a judge: first those of the metric, then those of testcases, which have the most labels first. Each interval is for one criterion.',
      }),
      numCriteriaLeftOut: count('Number of further criteria: at most 200 are listed.'),
      together: Type.Object(ofVerdicts, {
        description:
          'All verdicts on all criteria together. The verdicts on one record depend on each other: the intervals are clustered by record.',
      }),
    },
    { description: 'How far a judge and people agree on each criterion.' },
  ),
);

export const JudgeCalibration = named(
  'JudgeCalibration',
  Type.Object(
    {
      metricConfigId: text('Configuration of the judge.'),
      passingThreshold: nullableNumber('Its passing threshold; null for a boolean.'),
      source: text(
        'Source of the labels: `metric`, `overrides`, `thumbs`, or `none` if the human metric of the judge is not known.',
      ),
      split: text('Which labels count.'),
      labels: Type.Object(
        {
          dev: count('Records for tuning the judge.'),
          test: count('Records for testing the judge.'),
          unjudged: count('Labelled records without a verdict of the judge; they are left out of the rates.'),
        },
        {
          description: 'Numbers of labelled records, from the 100 newest runs with this configuration.',
        },
      ),
      abstained: Type.Object(
        {
          numRecords: count('Labelled records without a verdict of the judge.'),
          numLabels: count('All labelled records.'),
          numPassedByPeople: count('Number of the records without a verdict that people passed.'),
          share: rate('Share of labelled records without a verdict of the judge.'),
        },
        { description: 'Labelled records that the judge left out.' },
      ),
      labelledAt: nullableText('When the newest label was given; null without labels.'),
      hasPinnedSet: Type.Boolean({
        description: 'Whether records of the metric are pinned for checks of drift.',
      }),
      ...calibration,
      assumption: text('Assumption of all numbers here.'),
      weightedKappa: nullable(ref(Estimate), 'κ with quadratic weights, if both score from 1 to 5.'),
      threshold: nullable(
        ThresholdSweep,
        'The best passing threshold; null for a boolean and for a category.',
      ),
      confusion: nullable(
        Type.Object({
          names: Type.Array(Type.String(), {
            description: 'The labels of the judge, then those that only people gave.',
          }),
          ordered: Type.Boolean({
            description: 'Whether they go from worst to best. False if people gave other labels.',
          }),
          table: Type.Array(Type.Array(Type.Integer()), {
            description:
              'Number of records: a row for each label of the judge, a column for each label of people.',
          }),
          agreement: rate('Share of labelled records with the same label.'),
          kappa: ref(Estimate, 'Cohen’s κ of the table; with quadratic weights if the labels are ordered.'),
          alpha: ref(Estimate, 'Krippendorff’s α, ordinal if the labels are ordered, else nominal.'),
        }),
        'Labels of the judge against those of people; null unless the judge gives labels.',
      ),
      judge: JudgeStatus,
      correctedRate: nullable(
        Type.Object(correctedRate),
        "Pass rate of `numPasses` among `numJudged` records, corrected with the judge's error rates; null unless both are given.",
      ),
      correctedRates: Type.Array(
        Type.Object({
          n: count('Number of judged records.'),
          estimate: nullableNumber('The corrected rate; null where it cannot be corrected.'),
          interval: nullableInterval('Its interval.'),
        }),
        { description: 'The `rates`, corrected in the same way, in their order.' },
      ),
      configurations: Type.Optional(
        Type.Array(Type.Object({ judge: JudgeStatus, kappa: ref(Estimate, 'Cohen’s κ.') }), {
          description: 'Only with `configurations`. The newest 10 configurations, each a separate judge.',
        }),
      ),
      pinnedSet: Type.Optional(
        nullable(ref(PinnedSet), 'Only with `pinnedSet`. The pinned set; null without one.'),
      ),
      criteria: Type.Optional(
        nullable(
          ref(CriteriaCalibration),
          'Only with `criteria`. Each criterion compared with people; null for a metric without criteria.',
        ),
      ),
      jury: Type.Optional(
        nullable(ref(JuryAgreement), 'Only with `jury`. The jury, on all labels; null without one.'),
      ),
      corrected: nullable(
        Corrected,
        'Corrected pass rate of the run; null without `runId` and without labels.',
      ),
    },
    { description: 'Comparison of a judge with people who decided the same records.' },
  ),
);

const verdict = (description: string) =>
  Type.Object(
    {
      value: Type.Union([Type.Number(), Type.String()], { description: 'The score; a text is a label.' }),
      passed: Type.Boolean({ description: 'Whether it passes.' }),
    },
    { description },
  );

export const Disagreement = named(
  'CalibrationDisagreement',
  Type.Object(
    {
      id: text('Id of the record, with trace and span for a metric of spans.'),
      recordId: text('Id of the record.'),
      traceId: Type.Optional(text('Trace of the span, for a metric of spans.')),
      spanId: Type.Optional(text('The span, for a metric of spans.')),
      testcaseId: nullableText('Id of its testcase; null without one.'),
      split: text('Whether the label is for tuning (`dev`) or for testing (`test`).'),
      judge: verdict('Score of the judge.'),
      human: verdict('Score of people.'),
      record: Type.Optional(
        nullable(
          ref(RecordDetail),
          'The record; absent without `records`, null if the record was deleted during the request.',
        ),
      ),
    },
    { description: 'A record on which the judge and people disagree.' },
  ),
);
