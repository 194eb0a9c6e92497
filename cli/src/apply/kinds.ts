import type {
  Client,
  CreateAlertBody,
  CreateMetricBody,
  CreateMonitorBody,
  CreateRunBody,
  CreateScheduleBody,
  CreateTestsetBody,
  JsonObject,
  UpdateMetricBody,
} from '../../../client/src/main.ts';

/** A resource as a file has it: the fields of the API, with names in the place of ids. */
export type Entry = JsonObject & { name: string; id?: string; testcases?: JsonObject[] };

/** The resources that are known, by kind and name. */
export type Ids = {
  all: (kind: string) => Entry[];
  add: (kind: string, name: string, id: string, entry?: Entry) => void;
  /** Returns the id. Throws if nothing has the name. */
  of: (kind: string, name: string) => string;
  nameOf: (kind: string, id: string) => string;
};

/** A kind of resource. */
export type Kind = {
  plural: string;
  singular: string;
  /** Fields that the service does not show again, so that they are not compared. */
  secret?: string[];
  list: (client: Client, projectId: string, ids: Ids) => Promise<Entry[]>;
  /** Fields of an existing resource that the list lacks. */
  more?: (client: Client, id: string, entry: Entry) => Promise<JsonObject>;
  /** The fields as the API takes them. Throws for a name that nothing has. */
  body: (entry: Entry, ids: Ids) => JsonObject;
  create: (client: Client, projectId: string, entry: Entry, ids: Ids) => Promise<string>;
  update: (client: Client, id: string, entry: Entry, ids: Ids) => Promise<unknown>;
};

const collect = async <Item>(
  items: AsyncIterable<Item>,
  entryOf: (item: Item) => Entry,
): Promise<Entry[]> => {
  const all: Entry[] = [];
  for await (const item of items) all.push(entryOf(item));
  return all;
};

const without = (entry: Entry, ...keys: string[]): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));

const idsOf = (names: unknown, ids: Ids): string[] =>
  ((names ?? []) as string[]).map((name) => ids.of('metric', name));
const namesOf = (metricIds: readonly string[], ids: Ids): string[] =>
  metricIds.map((id) => ids.nameOf('metric', id));

const settingsFields = ['groupingField', 'splitRules'];
const updateSettings = async (client: Client, id: string, entry: Entry): Promise<void> => {
  const settings = Object.entries(entry).filter(([key]) => settingsFields.includes(key));
  if (settings.length > 0) await client.updateTestsetSettings(id, Object.fromEntries(settings));
};

const testsets: Kind = {
  plural: 'testsets',
  singular: 'testset',
  body: (entry) => entry,
  // Only for a testset whose entry has them: each costs a request.
  more: async (client, id, entry) =>
    settingsFields.some((field) => field in entry) ? { ...(await client.getTestsetSettings(id)) } : {},
  list: (client, projectId) => collect(client.listTestsets(projectId), (one) => ({ ...one })),
  create: async (client, projectId, entry) => {
    const fieldMapping = { inputs: [], expected: [], metadata: [] };
    const own = without(entry, ...settingsFields);
    const body = { description: '', jsonSchema: { type: 'object' }, fieldMapping, ...own, name: entry.name };
    const { id } = await client.createTestset(projectId, body as CreateTestsetBody);
    await updateSettings(client, id, entry);
    return id;
  },
  update: async (client, id, entry) => {
    await client.updateTestset(id, without(entry, ...settingsFields));
    await updateSettings(client, id, entry);
  },
};

const metrics: Kind = {
  plural: 'metrics',
  singular: 'metric',
  body: (entry) => entry,
  list: (client, projectId) => collect(client.listMetrics(projectId), (one) => ({ ...one })),
  create: async (client, projectId, entry) =>
    (await client.createMetric(projectId, entry as unknown as CreateMetricBody)).id,
  update: (client, id, entry) => client.updateMetric(id, entry as unknown as UpdateMetricBody),
};

const monitorBody = (entry: Entry, ids: Ids): JsonObject => ({
  ...without(entry, 'metrics'),
  ...(entry.metrics !== undefined && { metricIds: idsOf(entry.metrics, ids) }),
});
const monitors: Kind = {
  plural: 'monitors',
  singular: 'monitor',
  body: monitorBody,
  list: (client, projectId, ids) =>
    collect(client.listMonitors(projectId), (one) => ({ ...one, metrics: namesOf(one.metricIds, ids) })),
  create: async (client, projectId, entry, ids) =>
    (await client.createMonitor(projectId, monitorBody(entry, ids) as CreateMonitorBody)).id,
  update: (client, id, entry, ids) => client.updateMonitor(id, monitorBody(entry, ids)),
};

type Task = CreateScheduleBody['task'];

/** The task with names, as a file has it. */
const taskInFile = (task: Task, ids: Ids): JsonObject => {
  if (task.kind === 'drift') return { kind: 'drift', metric: ids.nameOf('metric', task.metricId) };
  const { testsetId, systemId, metricIds, ...rest } = task;
  return {
    ...rest,
    testset: ids.nameOf('testset', testsetId),
    system: ids.nameOf('system', systemId),
    metrics: namesOf(metricIds, ids),
  };
};
const taskOf = (given: JsonObject, ids: Ids): Task => {
  const { testset, system, metrics: names, metric, ...rest } = given;
  if (rest.kind === 'drift') return { kind: 'drift', metricId: ids.of('metric', String(metric)) };
  return {
    ...rest,
    kind: 'run',
    testsetId: ids.of('testset', String(testset)),
    systemId: ids.of('system', String(system)),
    metricIds: idsOf(names, ids),
  };
};
const scheduleBody = (entry: Entry, ids: Ids): JsonObject => ({
  ...without(entry, 'task'),
  ...(entry.task !== undefined && { task: taskOf(entry.task as JsonObject, ids) }),
});
const schedules: Kind = {
  plural: 'schedules',
  singular: 'schedule',
  body: scheduleBody,
  list: async (client, projectId, ids) =>
    (await client.listSchedules(projectId)).data.map((one) => ({ ...one, task: taskInFile(one.task, ids) })),
  create: async (client, projectId, entry, ids) =>
    (await client.createSchedule(projectId, scheduleBody(entry, ids) as unknown as CreateScheduleBody)).id,
  update: (client, id, entry, ids) => client.updateSchedule(id, scheduleBody(entry, ids)),
};

const alerts: Kind = {
  plural: 'alerts',
  singular: 'alert',
  secret: ['url', 'headers'],
  body: (entry) => entry,
  list: async (client, projectId) =>
    (await client.listAlerts(projectId)).data.map((one) => ({
      ...one,
      recipients: one.addresses.map(({ address }) => address),
    })),
  create: async (client, projectId, entry) =>
    (await client.createAlert(projectId, entry as unknown as CreateAlertBody)).id,
  update: (client, id, entry) => client.updateAlert(id, without(entry, 'kind')),
};

/** A system is only made, by `dokima new`: a change of one is a new version. */
export const systems: Pick<Kind, 'singular' | 'create'> = {
  singular: 'system',
  create: async (client, projectId, { name, description, ...rest }) => {
    const config = (rest.config ?? {}) as JsonObject;
    const body = { name, config, ...(typeof description === 'string' && { description }) };
    return (await client.upsertSystem(projectId, body)).id;
  },
};

const runBody = ({ metrics: names, testset, ...rest }: Entry, ids: Ids): JsonObject => ({
  ...rest,
  metricIds: idsOf(names, ids),
  ...(testset !== undefined && { testsetId: ids.of('testset', String(testset)) }),
});
/** An empty run, to which a client sends records. */
export const runs: Pick<Kind, 'singular' | 'create'> = {
  singular: 'run',
  create: async (client, projectId, entry, ids) =>
    (await client.createRun(projectId, runBody(entry, ids) as unknown as CreateRunBody)).id,
};

/** In the order in which they refer to each other. */
export const kinds: readonly Kind[] = [testsets, metrics, monitors, schedules, alerts];
