import { type Static, type TSchemaOptions, type TString, Type } from 'typebox';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { groupsQuery } from '../../platform/search/value-groups.ts';
import { SnapshotOfRun } from '../testsets/snapshot-schema.ts';
import { factFilters, Marks, Origin, runFacts } from './facts-schema.ts';

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

const name = Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
  description: 'Name of the run; null or empty for none. `title` then says what the run is.',
});
const tags = Type.Array(
  Type.String({
    pattern: '^[^\\s,][^,\\n]*$',
    maxLength: 100,
    expects: '1 to 100 characters without a comma, not starting with a space',
  }),
  { maxItems: 20, uniqueItems: true, description: 'Tags of the run.' },
);

/** Purpose of a run: a system over testcases or records, the traces of a day, or the trial of a judge. */
const kinds = ['evaluation', 'traces', 'trial'] as const;
export type RunKind = (typeof kinds)[number];

const runFields = {
  id: Type.String({ description: 'Id of the run.' }),
  testsetId: nullable(Type.String(), {
    default: null,
    description: 'Testset of the run.',
  }),
  systemId: nullable(Type.String({ format: 'uuid' }), { description: 'System under test.' }),
  systemVersionId: nullable(Type.String({ format: 'uuid' }), {
    description: 'Version of the system under test.',
  }),
  metricIds: Type.Array(Type.String(), { description: 'Metrics of the run.' }),
  metricVersionIds: Type.Array(Type.String({ format: 'uuid' }), {
    description: 'Configuration of each metric, fixed when the run was created, in the order of metricIds.',
  }),
  numRecords: Type.Number({ description: 'Number of records.' }),
  numExpectedRecords: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Number of testcases of the testset when the run was created, times trials; null without a testset.',
  }),
  numScores: Type.Number({ description: 'Number of scores that have been given.' }),
  status: oneOf(statuses, 'Status of the run, derived from its records and scores.'),
};

export const Run = named(
  'Run',
  Type.Object(runFields, { description: 'An evaluation: records of a system, scored by metrics.' }),
);

const simulation = {
  userVersionId: nullable(Type.String({ format: 'uuid' }), {
    description: 'System version that plays the user; null when messages are replayed.',
  }),
  maxTurns: Type.Integer({ description: 'Maximum number of replies of the system in one conversation.' }),
  replayOf: nullable(Type.String(), {
    description:
      'Run whose user messages are sent again; null when a model plays the user, or after the run was deleted.',
  }),
};

/** Fields of a run in the list of details. */
export const listedRunFields = {
  ...runFields,
  projectId: Type.String({ description: 'Project of the run.' }),
  name,
  title: Type.String({
    description: 'Name of the run, or a title made of its number, its system with version and its testset.',
  }),
  tags: Type.Array(Type.String(), { description: 'Tags of the run.' }),
  ...runFacts,
  notesStart: Type.String({ description: 'First 200 characters of the notes.' }),
  snapshot: SnapshotOfRun,
  split: nullable(Type.String(), {
    description: 'Split of the testset that the run is about; null for all of it.',
  }),
  kind: oneOf(
    kinds,
    'evaluation: records that clients sent or the service made. traces: the traces of a day. trial: copies of records on which a judge is tried.',
  ),
  createdAt: Type.String({ description: 'When the run was started.' }),
  simulation: Type.Union([Type.Object(simulation), Type.Null()], {
    description: 'Who plays the user, if each record is a conversation; null otherwise.',
  }),
};

export const ListedRun = named(
  'ListedRun',
  Type.Object(listedRunFields, { description: 'A run with its name, tags and facts, and what it is for.' }),
);

const filters = {
  ...factFilters,
  q: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'A search such as `testset:Mails tag:nightly prompt`: filters, and words that title, notes, tags, marks or origin contain.',
    }),
  ),
  tag: Type.Optional(Type.String({ maxLength: 100, description: 'Only runs with this tag.' })),
  testsetId: Type.Optional(Type.String({ description: 'Only runs of this testset.' })),
  systemId: Type.Optional(Type.String({ format: 'uuid', description: 'Only runs of this system.' })),
  metricId: Type.Optional(Type.String({ description: 'Only runs with this metric.' })),
  status: Type.Optional(oneOf(statuses, 'Only runs with this status.')),
  kind: Type.Optional(oneOf(kinds, 'Only runs of this kind.')),
  scored: Type.Optional(Type.Boolean({ description: 'true: only runs that have scores.' })),
};

export const RunListQuery = Type.Object({ ...pageQuery, ...filters });
export type RunListQuery = Static<typeof RunListQuery>;

export const RunGroupsQuery = Type.Object({
  by: Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'What to group by: testset, system, version, metric, tag, mark, gate, outcome, status, kind or origin.',
  }),
  ...groupsQuery,
  ...filters,
});

/** No one reads a page of more than fifty replies, and the request of each reply has all earlier ones. */
export const mostTurns = 50;

export const SimulationCreate = Type.Object(
  {
    userVersionId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'System version that plays the user: a prompt. Required without replayOf.',
      }),
    ),
    maxTurns: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostTurns,
        default: 10,
        description: 'Maximum number of replies of the system in one conversation.',
      }),
    ),
    replayOf: Type.Optional(
      Type.String({
        description:
          'Simulation of the same testset whose user messages are sent again, word for word. No model plays the user. Required without userVersionId.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'With execute, each record is a conversation with a simulated user (docs/simulating.md).',
  },
);
export type SimulationCreate = Static<typeof SimulationCreate>;

/** The testcases of a testset that a run is about. */
export const wantedTestcases = {
  snapshot: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Number of the snapshot of the testset that the run is about; default the testset as it is now, which then gets a snapshot. An older one needs execute.',
    }),
  ),
  split: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Split of the testset that the run is about; default all testcases.',
    }),
  ),
};

export const RunCreate = Type.Object({
  testsetId: Type.Optional(nullable(Type.String(), { default: null, description: 'Testset of the run.' })),
  ...wantedTestcases,
  fresh: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 500,
      default: 0,
      description:
        'Fresh testcases that the run takes: they join the testset before its snapshot, and are fresh for this run alone. Fewer if fewer wait.',
    }),
  ),
  systemVersionId: Type.Optional(
    nullable(Type.String({ format: 'uuid' }), { description: 'Version of the system under test.' }),
  ),
  metricIds: Type.Array(Type.String(), {
    description: 'Metrics that score each record, without duplicates.',
  }),
  execute: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the service calls the system version with each testcase and creates the records (docs/executing-runs.md).',
    }),
  ),
  judgeBudgetUsd: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'Budget for the judges of the run in US dollars; default no limit (docs/judges.md).',
    }),
  ),
  trials: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 1,
      description: 'Number of trials of each testcase, with execute.',
    }),
  ),
  simulation: Type.Optional(SimulationCreate),
  name: Type.Optional(name),
  tags: Type.Optional(tags),
  origin: Type.Optional(Origin),
});
export type RunCreate = Static<typeof RunCreate>;

export const RunUpdate = Type.Object(
  {
    name: Type.Optional(name),
    tags: Type.Optional(tags),
    marks: Type.Optional(Marks),
    notes: Type.Optional(Type.String({ maxLength: 100_000, description: 'Notes on the run.' })),
    judgeBudgetUsd: Type.Optional(
      Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
        description:
          'Budget in US dollars for all verdicts since the start of the run; null removes the limit. Scores that wait for a higher budget continue.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RunUpdate = Static<typeof RunUpdate>;

export const RunMetricsAdd = Type.Object(
  {
    metricIds: Type.Array(Type.String(), {
      minItems: 1,
      description:
        'Metrics of the project, without duplicates. Metrics that the run already has stay as they are.',
    }),
  },
  { additionalProperties: false },
);

const count = (description: string) => Type.Integer({ description });
export const RunProgress = Type.Object(
  {
    numRecords: count('Number of records.'),
    numExpectedRecords: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of testcases of the testset when the run started; null without a testset.',
    }),
    working: Type.Boolean({
      description:
        'Whether the service still has work to do: records are expected, or scores are pending that wait neither for people nor for a higher budget.',
    }),
    stoppedBy: Type.Union([Type.Literal('judgeBudget'), Type.Null()], {
      description:
        'Why pending scores wait: judgeBudget means that the judge budget is used up. Raise it to continue.',
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description:
        'Why nothing progresses although scores or calls are pending: no process does the work. Null otherwise.',
    }),
    numFailedCalls: count('Number of calls of the system that failed for good: they made no record.'),
    numRetriedCalls: count(
      'Number of calls of the system that failed and wait for another attempt. `executions.errors` has their errors.',
    ),
    numErrors: count(
      'Number of errors: failed calls, failed scores, and scores that do not fit their metric. A completed run can have errors.',
    ),
    metrics: Type.Array(
      Type.Object({
        metricId: Type.String({ description: 'Id of the metric.' }),
        metricName: Type.String({ description: 'Name of the metric.' }),
        evalType: oneOf(['ai', 'heuristic', 'human'], 'Who scores: a model, code or people.'),
        automatic: Type.Boolean({
          description:
            'Whether the service makes the scores, with code or a judge. Only such scores can be cancelled and retried.',
        }),
        metricConfigId: Type.String({ description: 'Configuration that scores.' }),
        pending: count('Number of pending scores.'),
        scored: count('Number of scores that have been given.'),
        unscored: count('Number of scores that could not be given, through no fault of the service.'),
        failed: count('Number of scores that failed.'),
        invalid: count(
          'Number of the given scores that do not fit the metric: they have no value and count nowhere.',
        ),
        reason: Type.Union([Type.String(), Type.Null()], {
          description:
            'Why scores are retried later, failed or do not fit the metric, or the one reason for which every score of the run is unscored.',
        }),
      }),
      { description: 'One entry for each configuration with scores in the run.' },
    ),
  },
  { description: 'Progress of the scores of a run, metric by metric.' },
);
