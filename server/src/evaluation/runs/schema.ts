import { type Static, type TSchemaOptions, type TString, Type } from 'typebox';
import { named } from '../../platform/http/openapi.ts';

const nullable = (type: TString, options: TSchemaOptions) => Type.Union([type, Type.Null()], options);

const statuses = [
  'pending',
  'awaiting_execution',
  'running_execution',
  'awaiting_scoring',
  'running_scoring',
  'awaiting_human_scoring',
  'completed',
] as const;

export const Run = named(
  'Run',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the run.' }),
      testsetId: nullable(Type.String(), {
        default: null,
        description: 'Testset that the run puts to the system.',
      }),
      systemId: nullable(Type.String({ format: 'uuid' }), { description: 'System under test.' }),
      systemVersionId: nullable(Type.String({ format: 'uuid' }), {
        description: 'Version of the system under test.',
      }),
      metricIds: Type.Array(Type.String(), { description: 'Metrics of the run.' }),
      metricVersionIds: Type.Array(Type.String({ format: 'uuid' }), {
        description: 'Configuration of each metric, pinned when the run was made; same order as metricIds.',
      }),
      numRecords: Type.Number({ description: 'Records that are there.' }),
      numExpectedRecords: Type.Union([Type.Number(), Type.Null()], {
        description: 'Testcases of the testset when the run was made, times trials; null without a testset.',
      }),
      numScores: Type.Number({ description: 'Scores that are there.' }),
      status: Type.Union(
        statuses.map((status) => Type.Literal(status)),
        { description: 'How far the run has come, derived from its records and scores.' },
      ),
    },
    { description: 'One evaluation: records of a system, scored by metrics.' },
  ),
);

export const RunCreate = Type.Object({
  testsetId: Type.Optional(
    nullable(Type.String(), { default: null, description: 'Testset to put to the system.' }),
  ),
  systemVersionId: Type.Optional(
    nullable(Type.String({ format: 'uuid' }), { description: 'Version of the system under test.' }),
  ),
  metricIds: Type.Array(Type.String(), { description: 'Metrics that score each record, each once.' }),
  execute: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'The service itself calls the system version with each testcase and makes the records; see docs/executing-runs.md.',
    }),
  ),
  judgeBudgetUsd: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'What the judges of the run may cost; see docs/judges.md. Without it there is no limit.',
    }),
  ),
  trials: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 1,
      description: 'How often each testcase is put to the system, with execute.',
    }),
  ),
});
export type RunCreate = Static<typeof RunCreate>;

export const RunMetricsAdd = Type.Object(
  {
    metricIds: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Metrics of the project, each once. Those that the run has already stay as they are.',
    }),
  },
  { additionalProperties: false },
);

export const RunCancelled = Type.Object({
  executions: Type.Integer({ description: "Calls of the run's system that will not be made." }),
  scores: Type.Integer({ description: 'Scores that machines will not give.' }),
  proposals: Type.Integer({ description: 'Proposals of rescorings that will not be made.' }),
});

export const RunNotes = named(
  'RunNotes',
  Type.Object(
    {
      runId: Type.String({ description: 'Id of the run.' }),
      notes: Type.String({ description: 'What people wrote about the run; empty at first.' }),
    },
    { description: 'Notes on a run, in Markdown or plain text.' },
  ),
);

export const RunNotesUpdate = Type.Object(
  { notes: Type.String({ maxLength: 100_000, description: 'The new notes; they replace those before.' }) },
  { additionalProperties: false },
);

const count = (description: string) => Type.Integer({ description });
export const RunProgress = Type.Object({
  runId: Type.String({ description: 'Id of the run.' }),
  numRecords: count('Records that are there.'),
  numExpectedRecords: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Testcases of the testset when the run began; null without one.',
  }),
  working: Type.Boolean({
    description:
      'Whether records are expected, or scores are to be made that wait for no person and no larger budget.',
  }),
  stoppedBy: Type.Union([Type.Literal('judgeBudget'), Type.Null()], {
    description:
      'Why scores that are pending are not being made: the judge budget is used up. Raise it to go on.',
  }),
  metrics: Type.Array(
    Type.Object({
      metricId: Type.String({ description: 'Id of the metric.' }),
      metricConfigId: Type.String({ description: 'Its configuration that scores.' }),
      pending: count('Scores that are still to be given.'),
      scored: count('Scores that are there.'),
      unscored: count('Scores that could not be given, by no fault of the service.'),
      failed: count('Scores that went wrong.'),
      problem: Type.Union([Type.String(), Type.Null()], {
        description:
          'What keeps scores from being made, and what to do about it: why one is tried again later, else why one failed.',
      }),
    }),
    { description: 'Each configuration that has scores in the run.' },
  ),
});
