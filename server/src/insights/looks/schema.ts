import { type Static, Type } from 'typebox';
import { verdicts } from '../../engine/statistics/comparison-schema.ts';
import {
  count,
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
});

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
    },
    { description: 'How often a testset was looked at. Who looks often enough finds a difference by luck.' },
  ),
);
