import { type Static, Type } from 'typebox';
import { SimulationCreate, wantedTestcases } from '../../evaluation/runs/schema.ts';
import { named } from '../../platform/named-schema.ts';

const optional = Type.Optional;
const nullable = <T extends ReturnType<typeof Type.String>>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });

const name = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Name of the schedule, and of its runs.',
});
const cron = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Cron expression of five fields: minute, hour, day of the month, month, day of the week. `0 2 * * 1-5` is 02:00 from Monday to Friday. Two times must be at least 5 minutes apart.',
});
const timeZone = Type.String({
  maxLength: 64,
  description: 'Time zone of the expression, by its IANA name such as Europe/Athens.',
});

const RunTask = Type.Object(
  {
    kind: Type.Literal('run', { description: 'Starts a run that the service executes.' }),
    testsetId: Type.String({ description: 'Testset of the run.' }),
    snapshot: optional({
      ...wantedTestcases.snapshot,
      description: 'Number of the snapshot that each run is about; default the testset as it is then.',
    }),
    split: wantedTestcases.split,
    systemId: Type.String({
      format: 'uuid',
      description: 'System that is called, with the version that is then its production version.',
    }),
    metricIds: Type.Array(Type.String(), { minItems: 1, description: 'Metrics that score each record.' }),
    trials: optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Number of trials of each testcase; default 1.',
      }),
    ),
    simulation: optional(
      Type.Object(
        {
          userVersionId: Type.String({
            format: 'uuid',
            description:
              'System version that plays the user. It stays the same, so that results of different nights compare.',
          }),
          maxTurns: SimulationCreate.properties.maxTurns,
        },
        {
          additionalProperties: false,
          description: 'Makes each record a conversation with a simulated user (docs/simulating.md).',
        },
      ),
    ),
    judgeBudgetUsd: optional(
      Type.Number({
        minimum: 0,
        description: 'Budget of the judges of each run in US dollars; default no limit.',
      }),
    ),
  },
  { additionalProperties: false },
);

const DriftTask = Type.Object(
  {
    kind: Type.Literal('drift', { description: 'Starts a drift trial of a judge.' }),
    metricId: Type.String({ description: 'Metric with pinned records.' }),
  },
  { additionalProperties: false },
);

const task = Type.Union([RunTask, DriftTask], { description: 'What the service starts.' });
export type ScheduleTask = Static<typeof task>;

const paused = Type.Boolean({ default: false, description: 'Whether nothing is started.' });

export const Schedule = named(
  'Schedule',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the schedule.' }),
      projectId: Type.String({ description: 'Id of its project.' }),
      name,
      cron,
      timeZone,
      task,
      paused,
      nextAt: nullable(Type.String(), 'Next time; null while it is paused or if there is none.'),
      lastAt: nullable(Type.String(), 'When it was last due.'),
      lastRunId: nullable(Type.String(), 'Run that it then started.'),
      lastError: nullable(Type.String(), 'Why nothing was started at the last time.'),
      merged: optional(
        Type.Boolean({
          description:
            'Only after runNow. true: it was due already and had not started yet, so both start one run.',
        }),
      ),
      createdAt: Type.String({ description: 'When it was created.' }),
      updatedAt: Type.String({ description: 'When it last changed.' }),
    },
    { description: 'A run or a drift trial that the service starts at set times.' },
  ),
);

export const ScheduleCreate = Type.Object(
  {
    name,
    cron,
    timeZone: optional(Type.String({ ...timeZone, default: 'UTC' })),
    task,
    paused: optional(paused),
  },
  { additionalProperties: false },
);
export type ScheduleCreate = Static<typeof ScheduleCreate>;

export const ScheduleUpdate = Type.Object(
  {
    name: optional(name),
    cron: optional(cron),
    timeZone: optional(timeZone),
    task: optional(task),
    paused: optional(Type.Boolean({ description: 'true: nothing is started until it is false again.' })),
    runNow: optional(
      Type.Literal(true, { description: 'Makes it due at once. Its later times do not change.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ScheduleUpdate = Static<typeof ScheduleUpdate>;
