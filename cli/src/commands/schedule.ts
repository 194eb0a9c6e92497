import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert, Client, Schedule, UpdateScheduleBody } from '../../../client/src/main.ts';
import {
  type Command,
  type Context,
  projectOption,
  serviceGoesOn,
  takeArguments,
  type Values,
} from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { metricOptions, metricsOf } from '../metrics-of.ts';
import { table } from '../output.ts';
import { followDrift } from './drift.ts';
import { snapshotNumber } from './testset-history.ts';
import { watch } from './watch.ts';

type Task = Schedule['task'];

const taskText = (task: Task): string => {
  if (task.kind === 'drift') return `drift trial of metric ${task.metricId}`;
  const { simulation, testsetId, split, snapshot } = task;
  const part = [split && `split ${split}`, snapshot && `snapshot ${snapshot}`].filter(Boolean).join(', ');
  return `${simulation ? 'simulation' : 'run'} of testset ${testsetId}${part && ` (${part})`}`;
};

/** A time in UTC, to the minute. */
const minuteOf = (at: string | null): string =>
  at === null ? '–' : `${at.slice(0, 16).replace('T', ' ')} UTC`;

const nextText = ({ paused, nextAt }: Schedule): string => (paused ? 'paused' : minuteOf(nextAt));

const lastText = ({ lastAt, lastRunId, lastError }: Schedule): string =>
  lastAt === null ? '–' : `${minuteOf(lastAt)}: ${lastError ?? (lastRunId ? `run ${lastRunId}` : 'started')}`;

export const scheduleList: Command = {
  name: 'schedule list',
  summary: 'List the schedules of a project, each with its next time and its last result.',
  options: projectOption,
  run: async ({ out, client }, args, values) => {
    takeArguments('schedule list', args);
    const { data } = await (await client()).listSchedules(values.required('project'));
    const rows = data.map((schedule) => [
      schedule.id,
      schedule.name,
      `${schedule.cron} ${schedule.timeZone}`,
      taskText(schedule.task),
      nextText(schedule),
      lastText(schedule),
    ]);
    const text =
      data.length > 0
        ? table(['id', 'name', 'when', 'starts', 'next', 'last'], rows)
        : 'The project has no schedule. Create one: dokima schedule create --help';
    out.result(text, { data });
    return exit.pass;
  },
};

const systemNamed = async (client: Client, projectId: string, nameOrId: string): Promise<string> => {
  const names: string[] = [];
  for await (const { id, name } of client.listSystems(projectId)) {
    if (name === nameOrId || id === nameOrId) return id;
    names.push(`'${name}'`);
  }
  throw new CliError(
    `Project ${projectId} has no system '${nameOrId}'.`,
    names.length > 0 ? `It has ${names.join(', ')}.` : 'Create a system on the page Prompts, or in the API.',
  );
};

const usdOf = (text: string | undefined): number | undefined => {
  const usd = Number(text);
  if (text === undefined || (text.trim() !== '' && usd >= 0)) return text === undefined ? undefined : usd;
  throw new CliError(`--judge-budget must be an amount in US dollars, not '${text}'.`);
};

const taskOf = async (client: Client, projectId: string, values: Values): Promise<Task> => {
  const metricId = values.text('drift');
  if (metricId !== undefined) {
    const unfitting = [
      'testset',
      'split',
      'snapshot',
      'system',
      'metric',
      'metric-group',
      'trials',
      'judge-budget',
      'user-version',
      'max-turns',
    ];
    const given = unfitting.find((name) => values.has(name));
    if (given) throw new CliError(`--${given} cannot be combined with --drift.`, 'Leave out one of them.');
    return { kind: 'drift', metricId };
  }
  const judgeBudgetUsd = usdOf(values.text('judge-budget'));
  const trials = values.count('trials', 1);
  const userVersionId = values.text('user-version');
  const maxTurns = values.count('max-turns', 10);
  if (values.has('max-turns') && userVersionId === undefined)
    throw new CliError('--max-turns needs --user-version.', 'Name the version that plays the user.');
  const metricIds = await metricsOf(client, projectId, values);
  if (metricIds.length === 0)
    throw new CliError(
      '--metric is missing.',
      'Name each metric by --metric ID, or a group by --metric-group.',
    );
  return {
    kind: 'run',
    testsetId: values.required('testset'),
    ...(values.has('split') && { split: values.required('split') }),
    ...(values.has('snapshot') && { snapshot: snapshotNumber(values.text('snapshot')) }),
    systemId: await systemNamed(client, projectId, values.required('system')),
    metricIds,
    ...(trials > 1 && { trials }),
    ...(userVersionId !== undefined && { simulation: { userVersionId, maxTurns } }),
    ...(judgeBudgetUsd !== undefined && { judgeBudgetUsd }),
  };
};

/** Returns an alert that mails the results of the task: an existing one, or a new one. */
const mailing = async (
  client: Client,
  projectId: string,
  { kind }: Task,
  recipients: string[],
): Promise<Alert> => {
  const event = kind === 'run' ? 'run.completed' : 'drift.found';
  const { data } = await client.listAlerts(projectId);
  const target = recipients.join(', ');
  const found = data.find(
    (each) => each.kind === 'email' && each.target === target && each.events.includes(event),
  );
  if (found) return found;
  return client.createAlert(projectId, {
    name: `Mail to ${target}`.slice(0, 256),
    kind: 'email',
    recipients,
    events: [event],
  });
};

/** Names the addresses that get no mails yet. */
const waitingText = ({ addresses }: Alert): string => {
  const waiting = addresses.filter(({ state }) => state === 'waiting' || state === 'stopped');
  return waiting.length === 0
    ? ''
    : ` (nothing goes to ${waiting.map(({ address }) => address).join(', ')} until its owner has confirmed the address)`;
};

export const scheduleCreate: Command = {
  name: 'schedule create',
  takes: 'NAME',
  summary: 'Start a run of a testset, or a drift trial, at set times: each night unless you name others.',
  about: `A run calls the production version of a system that the service can call. --mail sends the pass rates with their intervals when a
run of the project is complete, and for --drift a message when a judge of the project has drifted. docs/schedules.md says more.`,
  options: {
    ...projectOption,
    testset: { type: 'string', short: 't', value: 'ID', about: 'Testset of the run.' },
    split: { type: 'string', value: 'NAME', about: 'Only the testcases of this split of the testset.' },
    snapshot: {
      type: 'string',
      value: 'N',
      about: 'Snapshot of the testset. Default: the testset as it is then.',
    },
    system: { type: 'string', short: 's', value: 'NAME', about: 'System that is called, by name or id.' },
    ...metricOptions,
    trials: { type: 'string', value: 'N', about: 'Number of trials of each testcase. Default 1.' },
    'judge-budget': {
      type: 'string',
      value: 'USD',
      about: 'Budget of the judges of each run. Default: no limit.',
    },
    'user-version': {
      type: 'string',
      value: 'ID',
      about: 'Each run is a simulation; this system version, a prompt, plays the user.',
    },
    'max-turns': {
      type: 'string',
      value: 'N',
      about: 'With --user-version: maximum number of replies of the system in a conversation. Default 10.',
    },
    drift: {
      type: 'string',
      value: 'METRIC',
      about: 'In place of a run: a drift trial of a metric with pinned records.',
    },
    cron: {
      type: 'string',
      value: 'EXPRESSION',
      about: 'Minute, hour, day, month, day of the week. Default "0 2 * * *", each night at 2.',
    },
    'time-zone': { type: 'string', value: 'ZONE', about: "Default: this computer's, such as Europe/Athens." },
    mail: {
      type: 'string',
      multiple: true,
      value: 'ADDRESS',
      about: 'Who gets the report. Can be repeated.',
    },
  },
  examples: [
    'dokima schedule create Nightly -t 7 -s Bot -m 11 --judge-budget 2 --mail team@example.com',
    "dokima schedule create 'Is the judge steady?' --drift 7 --cron '0 6 * * 1'",
  ],
  run: async (context, args, values) => {
    const [name] = takeArguments('schedule create', args, 'The name') as [string];
    const projectId = values.required('project');
    const client = await context.client();
    const task = await taskOf(client, projectId, values);
    const recipients = values.all('mail');
    // First, because a second try finds it, and a schedule without its report would run unseen.
    const alert = recipients.length > 0 ? await mailing(client, projectId, task, recipients) : null;
    const schedule = await client.createSchedule(projectId, {
      name,
      task,
      cron: values.text('cron') ?? '0 2 * * *',
      timeZone: values.text('time-zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    const mail = alert ? `, and alert '${alert.name}' mails the result${waitingText(alert)}` : '';
    context.out.result(
      `Schedule ${schedule.id}: ${taskText(task)}, next at ${minuteOf(schedule.nextAt)}${mail}.\nTry it now: dokima schedule run ${schedule.id}`,
      { schedule, alert },
    );
    return exit.pass;
  },
};

/** A command that changes one schedule. */
const changing = (
  verb: string,
  summary: string,
  change: UpdateScheduleBody,
  saying: (schedule: Schedule) => string,
): Command => ({
  name: `schedule ${verb}`,
  takes: 'SCHEDULE',
  summary,
  run: async ({ out, client }: Context, args) => {
    const [id] = takeArguments(`schedule ${verb}`, args, 'The id of the schedule') as [string];
    const schedule = await (await client()).updateSchedule(id, change);
    out.result(saying(schedule), schedule);
    return exit.pass;
  },
});

const runNow = changing(
  'run',
  'Start the run of a schedule within seconds. Its next times stay the same.',
  { runNow: true },
  ({ name, projectId, merged }) =>
    `'${name}' ${merged ? 'was due already. Both start one run.' : 'starts within seconds.'} See the result: dokima schedule list -p ${projectId}`,
);

const lookEveryMs = 1_000;

/** Waits until a schedule has started again, and returns it. */
const startedAfter = async (
  client: Client,
  { id, projectId, lastAt }: Schedule,
  signal: AbortSignal,
): Promise<Schedule> => {
  for (;;) {
    const { data } = await client.listSchedules(projectId);
    const schedule = data.find((one) => one.id === id);
    if (!schedule) throw new CliError(`Schedule ${id} was deleted.`);
    if (schedule.lastAt !== lastAt) return schedule;
    await sleep(lookEveryMs, undefined, { signal });
  }
};

export const scheduleRun: Command = {
  ...runNow,
  waits: serviceGoesOn,
  about:
    'With --wait, the exit codes are those of dokima watch, and for a drift trial those of dokima drift.',
  options: { wait: { type: 'boolean', about: 'Follow the run until all its scores are there.' } },
  examples: ['dokima schedule run 4 --wait --timeout 600'],
  run: async (context, args, values) => {
    if (!values.flag('wait')) return runNow.run(context, args, values);
    const [id] = takeArguments('schedule run', args, 'The id of the schedule') as [string];
    const client = await context.client();
    // The answer has the time of the start before.
    const due = await client.updateSchedule(id, { runNow: true });
    const { name, task, lastRunId, lastError } = await startedAfter(client, due, context.signal);
    if (lastError !== null) throw new CliError(`'${name}' did not start. ${lastError}`);
    // The run of a drift trial is complete also if the judge has drifted.
    if (task.kind === 'drift') return followDrift(context, client, task.metricId);
    if (lastRunId !== null) return watch.run(context, [lastRunId], values);
    throw new CliError(`'${name}' has started nothing that can be followed.`);
  },
};

export const schedulePause = changing(
  'pause',
  'Start nothing until the schedule is resumed.',
  { paused: true },
  ({ name, id }) => `'${name}' is paused. Resume it: dokima schedule resume ${id}`,
);

export const scheduleResume = changing(
  'resume',
  'Resume a paused schedule. Times that passed are skipped.',
  { paused: false },
  (schedule) => `'${schedule.name}' is next at ${nextText(schedule)}.`,
);

export const scheduleDelete: Command = {
  name: 'schedule delete',
  takes: 'SCHEDULE',
  summary: 'Delete a schedule. The runs that it started stay.',
  run: async ({ out, client }, args) => {
    const [id] = takeArguments('schedule delete', args, 'The id of the schedule') as [string];
    await (await client()).deleteSchedule(id);
    out.result(`Schedule ${id} is deleted.`, { id });
    return exit.pass;
  },
};
