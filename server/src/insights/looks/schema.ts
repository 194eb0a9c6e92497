import { Type } from 'typebox';
import { verdicts } from '../../engine/statistics/comparison-schema.ts';
import {
  count,
  nullable,
  nullableNumber,
  nullableText,
  text,
} from '../../engine/statistics/estimate-schema.ts';
import { VerdictOutcome } from '../../evaluation/runs/facts-schema.ts';
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
