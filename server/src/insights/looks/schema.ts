import { type Static, Type } from 'typebox';
import { verdicts } from '../../engine/statistics/comparison-schema.ts';
import {
  count,
  Interval,
  nullable,
  nullableNumber,
  nullableText,
  text,
} from '../../engine/statistics/estimate-schema.ts';
import { periods } from '../../engine/statistics/ledger.ts';
import { type Outcome, VerdictOutcome } from '../../evaluation/runs/facts-schema.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

export const kinds = ['gate', 'compare', 'summary', 'report', 'mcp', 'ask', 'evaluate'] as const;
export type Kind = (typeof kinds)[number];

export const Look = named(
  'Look',
  Type.Object(
    {
      number: count('Number of the look within its testset, from 1.'),
      kind: oneOf(
        kinds,
        'What asked first. summary: the rates of a new version. report: a shared report or a file. mcp: an agent. evaluate: code.',
      ),
      runId: text('The newer run.'),
      baselineRunIds: Type.Array(Type.String(), {
        description: 'Runs that it was compared with; none for a summary.',
      }),
      systemVersionId: nullableText(
        'Version of the system that answered; null if it is not known, or the run was deleted.',
      ),
      hash: nullableText('Hash of the snapshot with which the run began; null without one.'),
      split: nullableText('Split that the run is about; null for all of the testset.'),
      metrics: Type.Array(
        Type.Object({
          metricId: nullableText('Id of the metric; null if it was deleted.'),
          metricName: nullableText('Name of the metric; null if it was deleted.'),
          metricConfigId: text('Its configuration.'),
          baselineRunId: nullableText('The run that was compared; null for a summary.'),
          verdict: nullable(
            oneOf(verdicts, 'Newest verdict on the newer run.'),
            'Newest verdict on the newer run; null for a summary.',
          ),
        }),
        { description: 'The metrics whose numbers were seen.' },
      ),
      outcome: nullable(VerdictOutcome, 'Outcome of a gate with a ledger; null for other looks.'),
      level: nullableNumber(
        'The part of its level at which a gate with a ledger tested; null for other looks.',
      ),
      userId: nullableText('Member who asked first; null for a reader of a shared report.'),
      at: text('When it was asked for first.'),
    },
    {
      description:
        'A verdict about a testset that left the service. Asking again about the same answers is no further look.',
    },
  ),
);

export type GateOutcome = Outcome;

const alpha = Type.Number({
  minimum: 0.001,
  maximum: 0.5,
  description: 'Chance that any look of a period errs, at most.',
});
const per = oneOf(
  periods,
  'The period whose looks share it: a month, a quarter or a year of the calendar, in UTC.',
);

export const LookCreate = Type.Object(
  {
    baselineRunIds: Type.Array(Type.String(), {
      maxItems: 10,
      uniqueItems: true,
      description: 'Runs that the run is compared with.',
    }),
    alpha,
    per,
    outcome: Type.Optional(VerdictOutcome),
  },
  { additionalProperties: false },
);
export type LookCreate = Static<typeof LookCreate>;

export const LedgerLook = named(
  'LedgerLook',
  Type.Object(
    {
      testsetId: nullableText('Testset that was looked at; null for a run without one.'),
      look: nullableNumber('Number of the look within its testset; null before the run has scores.'),
      number: nullableNumber(
        'Its number among the looks of its period at these testcases; null before that.',
      ),
      per,
      alpha,
      level: nullableNumber('The part of `alpha` at which this look is tested; null before that.'),
    },
    {
      description:
        'A look that a gate registers before it tests. The same answers have the same number again.',
    },
  ),
);

export const WearQuery = Type.Object({
  per: Type.Optional({ ...per, default: 'year' }),
  alpha: Type.Optional({ ...alpha, default: 0.05 }),
  split: Type.Optional(Type.String({ description: 'Only looks at testcases of this split.' })),
  runId: Type.Optional(
    Type.String({ description: 'A run of the testset, whose fresh testcases are counted.' }),
  ),
  level: Type.Optional(
    Type.Number({
      minimum: 0.5,
      maximum: 0.999,
      default: 0.95,
      description: 'Confidence level of the optimism.',
    }),
  ),
});
export type WearQuery = Static<typeof WearQuery>;

const rate = (description: string) => Type.Number({ description });
export const MetricWear = Type.Object(
  {
    metricId: text('Id of the metric.'),
    metricName: text('Name of the metric.'),
    numRuns: count('Runs whose fresh testcases have scores, the newest 200 at most.'),
    numFresh: count('Fresh testcases in them.'),
    optimism: Type.Object(
      {
        old: rate('Pass rate of the old testcases, on average over the runs.'),
        fresh: rate('Pass rate of the fresh testcases.'),
        difference: rate('Old − fresh: how much better versions look here than elsewhere.'),
        interval: Interval.schema,
      },
      {
        description:
          'By testcase across runs for the old part, because their luck is the same in each run; by testcase for the fresh part. It includes the luck of the old testcases.',
      },
    ),
    bet: Type.Object(
      {
        evidence: rate(
          'What a player has, from 1 at the start, who bets on each fresh testcase that it fails.',
        ),
        needed: rate('At this much wear is announced.'),
        announcedBy: nullableText('First run after which the evidence reached it; null without.'),
      },
      {
        description:
          'Without wear it is ever announced for any metric with a chance of `alpha` at most, however often one looks. The odds are those of a lower bound of the old rate, so that a lucky testset is not accused.',
      },
    ),
    sentence: text('The same in words.'),
  },
  { description: 'Whether fresh testcases pass a metric as often as old ones.' },
);
export type MetricWear = Static<typeof MetricWear>;

export const Wear = named(
  'Wear',
  Type.Object(
    {
      testsetId: text('Id of the testset.'),
      split: nullableText('Split whose looks are counted; null for all.'),
      per,
      since: text('Start of the present period.'),
      numLooks: count('Looks in this period.'),
      numVersions: count(
        'Versions that were looked at in this period; a run without a version is one of its own.',
      ),
      numLooksEver: count('Looks at all.'),
      alpha,
      next: Type.Number({
        description: 'The part of `alpha` at which a gate with a ledger tests the next look.',
      }),
      left: Type.Number({ description: 'The part of `alpha` that the looks of this period have left.' }),
      sentence: text('The same in words.'),
      numWaiting: count('Fresh testcases that wait for a run.'),
      numMisfits: count('Fresh testcases that wait and break the schema: no run takes them.'),
      numTaken: count('Fresh testcases that runs took.'),
      numOfRun: nullableNumber('Fresh testcases that `runId` took; null without that parameter.'),
      metrics: Type.Array(MetricWear, {
        description:
          'Fresh testcases against old ones, by metric; empty before a run with fresh testcases has scores.',
      }),
    },
    { description: 'How often a testset was looked at. Who looks often enough finds a difference by luck.' },
  ),
);
