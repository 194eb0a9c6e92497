import { Type } from 'typebox';
import { JudgeErrors } from '../../engine/statistics/calibration-schema.ts';
import { CorrectedDifference, comparison, verdicts } from '../../engine/statistics/comparison-schema.ts';
import {
  count,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { SplitChange } from '../../engine/statistics/switch-schema.ts';
import { RecordDetail } from '../../evaluation/records/schema.ts';
import { TestsetOfRun } from '../../evaluation/testsets/schema.ts';
import { SnapshotOfRun } from '../../evaluation/testsets/snapshot-schema.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { changeOrders, changes } from './changes.ts';
import { JudgeOfRun } from './judge-schema.ts';
import { by, criteriaOf, metricConfig, numCriteriaLeftOut } from './schema.ts';
import { SliceLosses } from './slices-schema.ts';
import { UsageRises } from './usage-schema.ts';
import { WeightedBy, weightParameters } from './weights-schema.ts';
import { Winner } from './winners-schema.ts';

/** Most runs that are compared at once: 28 pairs. */
const maxRuns = 8;

const runs = (maxItems: number) =>
  Type.Array(Type.String(), {
    minItems: 2,
    maxItems,
    description: `Ids of ${maxItems > 2 ? `2 to ${maxItems}` : 'two'} runs, the baseline first. Repeat the parameter or separate ids with commas.`,
  });

export const measure = Type.Optional(
  Type.Union([Type.Literal('score'), Type.Literal('pass')], {
    default: 'score',
    description: 'What is compared for int and float metrics: `score`, or `pass` (whether the score passes).',
  }),
);

/** Seed of the random signs. */
export const seed = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 1, description: 'Seed of random draws.' }),
);
/** Power of the minimum detectable difference. */
export const power = Type.Optional(
  Type.Number({
    minimum: 0.5,
    maximum: 0.999,
    default: 0.8,
    description: 'Power of the minimum detectable difference.',
  }),
);

const test = Type.Optional(
  Type.Union([Type.Literal('fixed'), Type.Literal('sequential'), Type.Literal('planned')], {
    default: 'fixed',
    description:
      'Test of paired runs. `fixed` holds for one look at finished runs. `sequential` may be looked at again and again while runs grow, and needs more testcases. `planned` decides only at the `looks` that you planned, and needs hardly more than `fixed`. With `sequential`, groups, and runs without common testcases, are compared by `fixed`; then `watched` is null and a caveat (`notSequential`) says so.',
  }),
);

/** Most looks of a plan. */
const maxLooks = 10;

export const CompareQuery = Type.Object({
  runs: runs(maxRuns),
  level,
  criteriaOf,
  power,
  seed,
  measure,
  test,
  looks: Type.Optional(
    Type.Array(Type.Integer({ minimum: 2 }), {
      minItems: 1,
      maxItems: maxLooks,
      description:
        'Only with `test=planned`, which needs it. Numbers of testcases at which you look at the growing run, ascending, such as 125,250,375,500; chosen before the first look. A run that has all its records and scores takes the last look, also with fewer testcases. The end of a cancelled run is no look. Repeat the parameter or separate numbers with commas.',
    }),
  ),
  by: by(
    'With `value`, compares one slice: the records with this tag (`tag`), or with this value of `metadata.<field>` (a field of the testcase) or `inputs.<field>`.',
  ),
  value: Type.Optional(Type.String({ description: 'Tag, or value of the field, of the slice.' })),
  pairs: Type.Optional(
    oneOf(['all', 'first'], {
      default: 'all',
      description:
        'all: each run with each later one. first: the first run with each other. Holm covers the pairs of the answer, so with eight runs `first` pays for 7 pairs and not for 28.',
    }),
  ),
  pooled: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 9,
      description:
        'Ids of more runs of the baseline, such as earlier runs of main. Their scores count as further trials of the first run, testcase by testcase, so the baseline has less noise. Repeat the parameter or separate ids with commas.',
    }),
  ),
  usage: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether each pair says how latency, tokens and cost changed. Not with `by`.',
    }),
  ),
  slices: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether each metric says which slices lost more than the rest, in the pairs of the first run. Looks at every field of inputs and metadata with 2 to 50 values; one test covers all of them. Not with `by`.',
    }),
  ),
  ...weightParameters,
  worst: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description:
        'Number of testcases that each metric lists of those that lost most, in the pairs of the first run. Not with `by`.',
    }),
  ),
});

export const ChangesQuery = Type.Object({
  ...pageQuery,
  runs: runs(2),
  metricId: Type.String({ description: 'Metric whose scores are compared.' }),
  measure,
  change: Type.Optional(
    Type.Array(oneOf(changes), {
      description:
        'Changes to list; default those that are better or worse. Repeat the parameter or separate values with commas.',
    }),
  ),
  order: Type.Optional(
    oneOf(changeOrders, {
      default: 'testcase',
      description:
        'testcase: by id. worst: the largest losses first. best: the largest gains first. Testcases without a difference come last.',
    }),
  ),
  labelBefore: Type.Optional(
    Type.String({
      description:
        'Only testcases with this label of a category in a trial of the first run. Lists better, worse and same by default.',
    }),
  ),
  labelAfter: Type.Optional(Type.String({ description: 'The same for the second run.' })),
  records: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether each testcase comes with its records.' }),
  ),
});

const side = nullable(
  Type.Object({
    mean: nullableNumber('Mean over its trials; null without a score.'),
    trials: count('Number of scores.'),
    missing: count('Number of records without a score.'),
    revision: nullableNumber('Revision of the testcase.'),
    recordIds: texts('Ids of its records, at most 20.'),
  }),
  'Result in this run; null if the run does not have the testcase.',
);

export const ChangedTestcase = named(
  'ChangedTestcase',
  Type.Object(
    {
      id: text('Id of the testcase, or `record <id>` for a record without one.'),
      testcaseId: nullableText('Id of the testcase; null for a record without one.'),
      change: oneOf(changes, 'How its score changed in the second run.'),
      before: side,
      after: side,
      records: Type.Optional(
        Type.Object(
          {
            before: nullable(ref(RecordDetail), 'The first record of the first run; null without one.'),
            after: nullable(ref(RecordDetail), 'The first record of the second run; null without one.'),
          },
          { description: 'One record of the testcase from each run; absent without `records`.' },
        ),
      ),
    },
    { description: 'A testcase in two runs.' },
  ),
);

const dropped = (description: string) =>
  Type.Object(
    {
      numTestcases: count('Number of testcases.'),
      testcases: texts('The first 20; `listChangedTestcases` lists all.'),
    },
    { description },
  );

const Comparison = Type.Object({
  metricId: metricConfig.metricId,
  metricName: metricConfig.metricName,
  evalType: metricConfig.evalType,
  outputType: metricConfig.outputType,
  passingThreshold: metricConfig.passingThreshold,
  metricConfigIds: Type.Object(
    { before: text('Configuration in the first run.'), after: text('Configuration in the second run.') },
    { description: 'Configurations that gave the scores.' },
  ),
  ...comparison,
  labels: Type.Optional(
    Type.Object(
      {
        n: count('Number of testcases with a label in both runs.'),
        test: oneOf(
          ['stuart-maxwell', 'sign flips'],
          'Test of whether the labels are distributed differently. sign flips: of labels with an order, whether testcases moved up or down.',
        ),
        statistic: nullableNumber('Its statistic; null without one.'),
        df: nullableNumber('Its degrees of freedom; null without a statistic.'),
        p: nullableNumber(
          'Two-sided p, not adjusted for other metrics; null if no testcase changed its label. The verdict is about the pass rate.',
        ),
        netBetter: nullableNumber(
          'Of labels with an order: share of testcases with a better label minus that with a worse one; else null.',
        ),
        shares: Type.Array(
          Type.Object({
            label: text('The label.'),
            passes: Type.Boolean({ description: 'Whether it passes, in the second run.' }),
            before: number('Its share in the first run.'),
            after: number('Its share in the second run.'),
          }),
          { description: 'Shares over the testcases with a label in both runs.' },
        ),
        moves: Type.Array(
          Type.Object({
            from: text('The label in the first run.'),
            to: text('The label in the second run; the same if it stayed.'),
            numTestcases: count(
              'Number of testcases with a trial of `from` before and one of `to` after. `listChangedTestcases` lists them.',
            ),
          }),
          { description: 'Which labels became which, the 200 with the most testcases first.' },
        ),
        numMovesLeftOut: count('Number of further pairs of labels with testcases.'),
      },
      {
        description:
          'Only for a category: its labels in both runs. Trials are averaged, and testcases of a group count as one unit.',
      },
    ),
  ),
  judge: nullable(
    Type.Object({
      before: ref(JudgeOfRun, 'Judge of the first run.'),
      after: ref(JudgeOfRun, 'Judge of the second run.'),
      errorInInterval: Type.Boolean({
        description:
          "Whether `interval` includes the judge's errors. Always false: the interval of `corrected` includes them.",
      }),
      errors: nullable(
        JudgeErrors,
        'Whether the judge has the same error rates on both runs; null without labels in both.',
      ),
    }),
    'How well the judges of both runs are calibrated; null unless a model judges.',
  ),
  corrected: nullable(
    CorrectedDifference,
    "The difference as people would judge it; null unless a model judges, or if people's scores are of another kind.",
  ),
  conclusion: Type.Object(
    {
      basis: oneOf(
        ['scores', 'people'],
        'people: `corrected`, because people scored a random sample of both runs; only with `test=fixed`. scores: the scores as they are.',
      ),
      difference: nullableNumber('Difference, the second run minus the first.'),
      interval: nullableInterval(
        'Its confidence interval at the level at which the verdict is decided, among all tests of this answer.',
      ),
      level: number('Confidence level of the interval.'),
      verdict: oneOf(verdicts, 'Verdict on the second run.'),
      sentence: text('The verdict in words.'),
    },
    { description: 'The verdict to act on: what people would say, where that is known.' },
  ),
  split: nullable(
    ref(SplitChange),
    'The difference, split into the part of the system and that of the judge; null unless a trial leads from the judge of one run to that of the other, and pass rates are compared.',
  ),
  dropped: Type.Object(
    {
      onlyBefore: dropped('Testcases in the first run only.'),
      onlyAfter: dropped('Testcases in the second run only.'),
      revised: dropped('Testcases that changed between the runs.'),
      unscored: dropped('Testcases without a score in one of the runs.'),
    },
    {
      description: 'Testcases that were not compared, by reason.',
    },
  ),
  slices: Type.Optional(
    ref(
      SliceLosses,
      'Only with `slices`, in the pairs of the first run. The slices that lost more than the rest.',
    ),
  ),
  worst: Type.Optional(
    Type.Array(ref(ChangedTestcase), {
      description:
        'Only with `worst`, in the pairs of the first run. The testcases that lost most, with their records: those of the first 4 MB in the answer.',
    }),
  ),
});

export const RunComparison = named(
  'RunComparison',
  Type.Object(
    {
      runs: Type.Array(
        Type.Object({
          runId: text('Id of the run.'),
          testset: TestsetOfRun,
          snapshot: SnapshotOfRun,
          split: nullableText('Split of the testset that the run is about; null for all of it.'),
          systemId: nullableText('System under test.'),
          systemVersionId: nullableText('Version of the system under test.'),
          numRecords: count('Number of records of the run; with `by`, of the slice.'),
          groupedBy: nullableText('Grouping field of the testset, if any. The test then compares groups.'),
        }),
        { description: 'The runs in the order of the request.' },
      ),
      level: number('Confidence level.'),
      power: number('Power of the minimum detectable differences.'),
      seed: number('Seed of random draws.'),
      measure: text('What is compared for int and float metrics.'),
      test: text('Test of paired runs: `fixed`, `sequential` or `planned`.'),
      looks: Type.Optional(
        Type.Array(Type.Integer(), {
          description: 'Only with `test=planned`. Numbers of testcases of the looks.',
        }),
      ),
      slice: nullable(
        Type.Object({ by: text('Criterion of the slice.'), value: text('Its tag, or value of the field.') }),
        'Slice that is compared; null for all records. The adjustment does not cover tests of other slices.',
      ),
      pooled: Type.Optional(
        texts('Only with `pooled`. Runs whose scores count as further trials of the first run.'),
      ),
      weightedBy: Type.Optional(ref(WeightedBy, 'Only with `weightBy` or `shares`.')),
      numCriteriaLeftOut,
      tests: count("Number of tests that Holm's adjustment covers."),
      winners: Type.Optional(
        Type.Array(ref(Winner), {
          description:
            'Only with three runs or more, and without weights. The best run of each metric, corrected for the choice.',
        }),
      ),
      pairs: Type.Array(
        Type.Object({
          before: text('Id of the baseline run.'),
          after: text('Id of the run compared with it.'),
          testcases: nullable(
            Type.Object({
              same: Type.Boolean({ description: 'Whether both runs are about the same testcases.' }),
              numAdded: count('Testcases that only the snapshot of the second run has.'),
              numChanged: count('Testcases that both have, with different texts.'),
              numRemoved: count('Testcases that only the snapshot of the first run has.'),
              sentence: text('The same in words.'),
            }),
            'What differs between the testcases with which the runs started; null unless both have a snapshot of one testset. Only testcases that both runs have unchanged are compared.',
          ),
          metrics: Type.Array(Comparison, { description: 'Results of the metrics that both runs have.' }),
          notCompared: Type.Array(
            Type.Object({
              metricId: text('Id of the metric.'),
              metricName: text('Name of the metric.'),
              reason: text('Reason.'),
            }),
            { description: 'Metrics that were not compared.' },
          ),
          usage: Type.Optional(ref(UsageRises, 'Only with `usage`.')),
        }),
        {
          description:
            'Each run paired with each later run of the list, or only the first run with each other.',
        },
      ),
    },
    {
      description: 'Comparison of runs on the testcases that both have in the same revision.',
    },
  ),
);
