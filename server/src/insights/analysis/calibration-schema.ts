import { Type } from 'typebox';
import {
  caveats,
  count,
  Estimate,
  estimate,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
  warnings,
} from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { JudgeStatus } from './judge-schema.ts';

const labelQuery = {
  labels: Type.Optional(
    Type.Union(
      [Type.Literal('metric'), Type.Literal('overrides'), Type.Literal('thumbs'), Type.Literal('auto')],
      {
        description:
          "Source of people's labels. `metric`: scores of the metric `against`. `overrides`: scores that people gave in place of the judge. `thumbs`: the majority of the record's annotations. `auto`: the human metric by which people scored most of its records, else `overrides`. Default `metric` with `against`, else `overrides`.",
      },
    ),
  ),
  against: Type.Optional(Type.String({ description: 'Metric by which people scored the same records.' })),
  metricConfigId: Type.Optional(
    Type.String({
      description:
        'Configuration of the judge; default that of the run, else the current one. Each configuration is a judge of its own.',
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
  passes: Type.Optional(
    Type.Integer({ minimum: 0, description: 'With `judged`: number of any records that the judge passed.' }),
  ),
  judged: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Number of any records that the judge decided; `correctedRate` is their corrected pass rate.',
    }),
  ),
  rates: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,9}/[1-9][0-9]{0,8}(,[0-9]{1,9}/[1-9][0-9]{0,8}){0,749}$',
      expects: 'rates such as 12/40, at most 750, with commas between',
      description:
        'Rates of any records, such as the points of a chart: passes, a slash and judged; `correctedRates` corrects each.',
    }),
  ),
});
const { split: _, ...juryLabels } = labelQuery;
export const JuryQuery = Type.Object({ ...juryLabels, level });
export const DisagreementsQuery = Type.Object({ ...pageQuery, ...labelQuery });

const ConfusionMatrix = Type.Object(
  {
    truePositives: count('Judge and people pass the record.'),
    falsePositives: count('Only the judge passes the record.'),
    falseNegatives: count('Only people pass the record.'),
    trueNegatives: count('Neither passes the record.'),
  },
  { description: 'Number of labelled records by the verdicts of judge and people.' },
);

const rate = (description: string) => Type.Unsafe({ ...ref(Estimate), description });

const calibration = {
  method: text('Method.'),
  n: count('Number of labelled records.'),
  level: number('Confidence level.'),
  matrix: ConfusionMatrix,
  sensitivity: rate('Share that the judge passes, among the records that people pass.'),
  specificity: rate('Share that the judge fails, among the records that people fail.'),
  agreement: rate('Share of records on which judge and people agree.'),
  baseRate: rate('Share of records that people pass.'),
  kappa: rate('Cohen’s κ.'),
  ac1: rate('Gwet’s AC1.'),
  disagreements: count('Number of records on which they disagree; `listJudgeDisagreements` lists them.'),
  caveats,
  warnings,
};

const ThresholdPoint = Type.Object({
  threshold: number('Lowest score that passes.'),
  matrix: ConfusionMatrix,
  sensitivity: nullableNumber(
    'Share of the records passed by people that the judge passes; null without any.',
  ),
  specificity: nullableNumber(
    'Share of the records failed by people that the judge fails; null without any.',
  ),
  agreement: number('Share of records on which judge and people agree.'),
});

const ThresholdSweep = Type.Object({
  method: text('How the best threshold was chosen.'),
  n: count('Number of labels of the dev split.'),
  points: Type.Array(ThresholdPoint, {
    description: 'Thresholds from the strictest to the most lenient, at most 100.',
  }),
  best: nullable(ThresholdPoint, 'The best threshold on the dev labels; null without labels of both kinds.'),
  onTest: nullable(Type.Object(calibration), 'The same threshold on the test labels.'),
  reason: nullableText('Why there is no best threshold.'),
  warnings: texts('Warnings for the reader.'),
});

const uncorrected = nullableNumber('Pass rate according to the judge.');

const Corrected = Type.Object({
  runId: text('Id of the run.'),
  roganGladen: Type.Object(
    { ...estimate, uncorrected },
    { description: "Corrected with the judge's error rates on all labels. Each trial of a testcase counts." },
  ),
  predictionPowered: Type.Object(
    {
      ...estimate,
      uncorrected,
      labelled: count('Number of labels in this run.'),
      disagreements: count('Number of these labels on which judge and people differ.'),
      labelsToHalve: nullableNumber(
        'Further labels that halve the interval; null if no number of labels of this run does.',
      ),
      moreLabels: nullableText('What further labels would do, in words.'),
      sampled: Type.Boolean({
        description:
          'Whether the service drew the labelled records at random; their inclusion probabilities then weight them.',
      }),
      lambda: nullableNumber("Weight of the judge's verdicts, from 0 (unused) to 1 (fully used)."),
    },
    { description: 'Corrected with the labels of this run alone, which must be a random sample.' },
  ),
});

export const JudgeCalibration = named(
  'JudgeCalibration',
  Type.Object(
    {
      metricConfigId: text('Configuration of the judge.'),
      passingThreshold: nullableNumber('Its passing threshold; null for a boolean.'),
      source: text('Source of the labels: `metric`, `overrides` or `thumbs`.'),
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
          count: count('Labelled records without a verdict of the judge.'),
          of: count('All labelled records.'),
          passedByPeople: count('How many of the records without a verdict people passed.'),
          share: rate('Share of labelled records without a verdict of the judge.'),
        },
        { description: 'What the judge left out.' },
      ),
      labelledAt: nullableText('When the newest label was given; null without labels.'),
      hasPinnedSet: Type.Boolean({
        description: 'Whether records of the metric are pinned for checks of drift.',
      }),
      ...calibration,
      assumption: text('Assumption of all numbers here.'),
      weightedKappa: nullable(ref(Estimate), 'κ with quadratic weights, if both score from 1 to 5.'),
      threshold: nullable(ThresholdSweep, 'The best passing threshold; null for a boolean.'),
      judge: JudgeStatus,
      correctedRate: nullable(
        Type.Object({ ...estimate, uncorrected }),
        "The pass rate of `passes` among `judged` records, corrected with the judge's error rates; null unless both are given.",
      ),
      correctedRates: Type.Array(
        Type.Object({
          n: count('Number of judged records.'),
          estimate: nullableNumber('The corrected rate; null where it cannot be corrected.'),
          interval: nullableInterval('Its interval.'),
        }),
        { description: 'The `rates`, corrected in the same way, in their order.' },
      ),
      corrected: nullable(Corrected, 'The pass rate of the run, corrected; null unless `runId` asks for it.'),
    },
    { description: 'Comparison of a judge with people who decided the same records.' },
  ),
);

const verdict = (description: string) =>
  Type.Object(
    { value: number('The score.'), passed: Type.Boolean({ description: 'Whether it passes.' }) },
    { description },
  );

export const Disagreement = named(
  'CalibrationDisagreement',
  Type.Object(
    {
      id: text('Id of the record.'),
      recordId: text('Id of the record.'),
      testcaseId: nullableText('Id of its testcase; null without one.'),
      split: text('Whether the label is for tuning (`dev`) or for testing (`test`).'),
      judge: verdict('Score of the judge.'),
      human: verdict('Score of people.'),
    },
    { description: 'A record on which the judge and people disagree.' },
  ),
);

export const JuryAgreement = named(
  'JuryAgreement',
  Type.Object(
    {
      metricConfigId: text('Configuration of the judge.'),
      source: text('Source of the labels: `metric`, `overrides` or `thumbs`.'),
      records: count(
        'Number of records that were read: the newest 2,000, and the newest 2,000 with a label.',
      ),
      juryWithPeople: rate('Share of labelled records on which the jury and people agree.'),
      models: Type.Array(
        Type.Object({
          model: text('Name of the model.'),
          verdicts: count('Number of these records on which it gave a verdict.'),
          withJury: rate("Share on which it has the jury's verdict, in which its own counts."),
          withPeople: rate('Share of labelled records on which it agrees with people.'),
        }),
        { description: "The models of the jury, the metric's own first; none without a jury." },
      ),
    },
    { description: 'How far each model of a jury agrees with the others and with people.' },
  ),
);
