import { Type } from 'typebox';
import {
  count,
  Estimate,
  estimate,
  level,
  nullable,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../evaluation/scores/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';

const labelQuery = {
  labels: Type.Optional(
    Type.Union([Type.Literal('metric'), Type.Literal('overrides'), Type.Literal('thumbs')], {
      description:
        'What people said: `metric`, the scores of the metric `against`; `overrides`, their own scores in place of this metric’s; `thumbs`, annotations of the record, the majority of them. Default `metric` with `against`, else `overrides`.',
    }),
  ),
  against: Type.Optional(Type.String({ description: 'Metric by which people scored the same records.' })),
  metricConfigId: Type.Optional(
    Type.String({
      description:
        'Configuration of the judge; by default that of the run, else the current one. Another configuration is another judge.',
    }),
  ),
  split: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('dev'), Type.Literal('test')], {
      default: 'all',
      description: 'Which labels count. Each is `dev` or `test` for ever, by a hash of its testcase.',
    }),
  ),
};

export const CalibrationQuery = Type.Object({
  ...labelQuery,
  level,
  runId: Type.Optional(
    Type.String({ description: 'Run whose pass rate is corrected for the errors of the judge.' }),
  ),
});
export const DisagreementsQuery = Type.Object({ ...pageQuery, ...labelQuery });

const ConfusionMatrix = Type.Object(
  {
    truePositives: count('Both pass.'),
    falsePositives: count('The judge passes, people do not.'),
    falseNegatives: count('People pass, the judge does not.'),
    trueNegatives: count('Neither passes.'),
  },
  { description: 'Labelled records by what the judge and people said.' },
);

const rate = (description: string) => Type.Unsafe({ ...ref(Estimate), description });

const calibration = {
  method: text('How this was found.'),
  n: count('Labelled records.'),
  level: number('Confidence level.'),
  matrix: ConfusionMatrix,
  sensitivity: rate('Of the records that people pass, the share that the judge passes.'),
  specificity: rate('Of the records that people fail, the share that the judge fails.'),
  agreement: rate('Share of records on which both agree.'),
  baseRate: rate('Share of records that people pass.'),
  kappa: rate('Cohen’s κ.'),
  ac1: rate('Gwet’s AC1.'),
  disagreements: count('Records on which they differ; `listJudgeDisagreements` has them.'),
  warnings: texts('What to bear in mind.'),
};

const ThresholdPoint = Type.Object({
  threshold: number('The judge passes from this score on.'),
  matrix: ConfusionMatrix,
  sensitivity: nullableNumber('Null without a record that people pass.'),
  specificity: nullableNumber('Null without a record that people fail.'),
  agreement: number('Share of records on which both agree.'),
});

const ThresholdSweep = Type.Object({
  method: text('How the best was chosen.'),
  n: count('Labels of the dev split.'),
  points: Type.Array(ThresholdPoint, {
    description: 'Lines from the strictest to the most lenient, at most 100.',
  }),
  best: nullable(ThresholdPoint, 'The best line on the dev labels; null without labels of both kinds.'),
  onTest: nullable(Type.Object(calibration), 'The same line on the test labels.'),
  reason: nullableText('Why there is no best one.'),
  warnings: texts('What to bear in mind.'),
});

const Corrected = Type.Object({
  runId: text('Id of the run.'),
  roganGladen: Type.Object(
    { ...estimate, uncorrected: nullableNumber('Pass rate as the judge gave it.') },
    { description: 'From the judge’s errors on all labels. Trials of a testcase count apart.' },
  ),
  predictionPowered: Type.Object(
    {
      ...estimate,
      uncorrected: nullableNumber('Pass rate as the judge gave it.'),
      labelled: count('Labels in this run.'),
      sampled: Type.Boolean({
        description: 'Whether the labels are a random sample drawn by the service, whose chances weigh them.',
      }),
      lambda: nullableNumber('How much the judge is used: 0 not at all, 1 fully.'),
    },
    { description: 'From labels of this run alone, which must have been chosen at random.' },
  ),
});

export const JudgeCalibration = named(
  'JudgeCalibration',
  Type.Object(
    {
      metricConfigId: text('Configuration of the judge.'),
      passingThreshold: nullableNumber('Its passing line; null for a boolean.'),
      source: text('Where the labels come from: `metric`, `overrides` or `thumbs`.'),
      split: text('Which labels count.'),
      labels: Type.Object(
        {
          dev: count('For tuning the judge.'),
          test: count('For testing it.'),
          unjudged: count('Labelled records on which the judge gave no verdict: left out.'),
        },
        {
          description: 'Labelled records, of the 100 newest runs that were started with this configuration.',
        },
      ),
      ...calibration,
      assumption: text('What all of this takes for granted.'),
      weightedKappa: nullable(ref(Estimate), 'κ with quadratic weights, where both score from 1 to 5.'),
      threshold: nullable(ThresholdSweep, 'Where the passing line should be; null for a boolean.'),
      corrected: nullable(Corrected, 'The run’s true pass rate; null unless `runId` asks for it.'),
    },
    { description: 'A judge held against people who decided the same records.' },
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
      judge: verdict('What the judge said.'),
      human: verdict('What people said.'),
    },
    { description: 'A record that the judge and people decided differently.' },
  ),
);
