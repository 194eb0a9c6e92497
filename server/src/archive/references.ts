import type { EvalType, OutputType } from '../evaluation/metrics/schema.ts';
import type { Sql } from '../platform/db/database.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { numericId, type RecordKey, recordKey, testcaseKey, uuidId } from '../platform/http/ids.ts';
import type { Scope } from '../platform/http/scope.ts';
import type { KindName } from './columns.ts';
import { lockProjectRecords } from './traces/transfer-queries.ts';

/** Whose rows are imported: those of a run, a metric, a monitor or a project, in this project. */
export type Owner = { projectId: bigint; runId: bigint | undefined };

/** The ids that rows name, by what they are of. */
export type Named = Partial<Record<KindName, string[]>>;

/** The people, each once. Throws notFound for those who are no members. */
const requireThere = async (tx: Sql, scope: Scope, named: string[]): Promise<Set<string>> => {
  const ids = new Set(named.map((id) => uuidId('user', id)));
  if (ids.size === 0) return ids;
  const found = new Set((await lockMembers(tx, scope, [...ids])).map(({ id }) => id));
  for (const id of ids) if (!found.has(id)) throw notFound('user', id);
  return ids;
};

/**
 * Throws notFound for people who are no members, forbidden for others than the caller unless that is an admin: whoever may
 * fill a project can't put words into a colleague's mouth.
 */
export const requireMembers = async (tx: Sql, scope: Scope, named: string[]): Promise<void> => {
  const ids = await requireThere(tx, scope, named);
  ids.delete(scope.memberId);
  if (ids.size > 0 && scope.role !== 'admin')
    throw forbidden('Only an admin may import what others have said or done under their names.');
};

/** Of these those that are members, kept from deletion until the commit. */
const lockMembers = (tx: Sql, scope: Scope, ids: string[]) => tx<{ id: string }[]>`
  select id from member where organization_id = ${scope.organizationId} and id = any(${ids}::uuid[]) order by id for key share`;

/** A configuration with its metric, and what its scores are. */
export type ProjectConfig = { id: string; metricId: string; evalType: EvalType; outputType: OutputType };

/** Of these configurations those of the project's metrics, deleted ones too, with what their scores are. */
export const findProjectConfigs = (tx: Sql, scope: Scope, projectId: bigint, ids: string[]) => tx<
  ProjectConfig[]
>`
  select config.id, config.metric_id::text as "metricId", config.eval_type as "evalType", config.output_type as "outputType"
  from metric_config config
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
  where config.organization_id = ${scope.organizationId} and metric.project_id = ${projectId}
    and config.id = any(${ids}::uuid[])
  for key share of config`;

/** What of a project or of a run rows may name, and where that is. */
const tables = {
  metric: { table: 'metric', of: 'project_id' },
  run: { table: 'run', of: 'project_id' },
  testset: { table: 'testset', of: 'project_id' },
  system: { table: 'system', of: 'project_id' },
  monitor: { table: 'monitor', of: 'project_id' },
  annotation: { table: 'annotation', of: 'run_id' },
  rescoring: { table: 'rescoring', of: 'run_id' },
  sample: { table: 'review_sample', of: 'run_id' },
} as const;
const nouns = Object.keys(tables) as (keyof typeof tables)[];
const numbered: ReadonlySet<KindName> = new Set(['metric', 'run', 'testset']);

/** Of these ids those that are there, kept from deletion until the commit. */
const findNamed = (
  tx: Sql,
  scope: Scope,
  noun: keyof typeof tables,
  { projectId, runId }: Owner,
  ids: string[],
) => {
  const { table, of } = tables[noun];
  const keys = numbered.has(noun)
    ? tx`${ids.map((id) => String(numericId(noun, id)))}::bigint[]`
    : tx`${ids.map((id) => uuidId(noun, id))}::uuid[]`;
  return tx<{ id: string }[]>`
    select id::text from ${tx(table)}
    where organization_id = ${scope.organizationId} and ${tx(of)} = ${of === 'run_id' ? runId! : projectId} and id = any(${keys})
    for key share`;
};

const requireRecords = async (
  tx: Sql,
  scope: Scope,
  { projectId, runId }: Owner,
  ids: string[],
): Promise<void> => {
  const keys = ids.map(recordKey);
  const found = new Set(
    (await lockProjectRecords(tx, scope, projectId, keys)).map((key) => `${key.runId}-${key.n}`),
  );
  const isThere = (key: RecordKey) =>
    found.has(`${key.runId}-${key.n}`) && (runId === undefined || key.runId === runId);
  const missing = keys.findIndex((key) => !isThere(key));
  if (missing >= 0) throw notFound('record', ids[missing]!);
};

/** Throws notFound for a testcase of another testset than the run's. One of its testset may have been deleted. */
const requireTestcases = async (tx: Sql, scope: Scope, { runId }: Owner, ids: string[]): Promise<void> => {
  const [run] = await tx<{ testsetId: bigint | null }[]>`
    select testset_id as "testsetId" from run where organization_id = ${scope.organizationId} and id = ${runId!}`;
  const missing = ids.find((id) => testcaseKey(id).testsetId !== run?.testsetId);
  if (missing !== undefined) throw notFound('testcase', missing);
};

const requireAll = (noun: string, ids: string[], found: Iterable<string>): void => {
  const there = new Set(found);
  const missing = ids.find((id) => !there.has(id.toLowerCase()));
  if (missing !== undefined) throw notFound(noun, missing);
};

/**
 * Throws notFound for what rows name and is not there, or not of the same project. Returns the
 * configurations.
 */
export const requireNamed = async (
  tx: Sql,
  scope: Scope,
  owner: Owner,
  named: Named,
): Promise<Map<string, ProjectConfig>> => {
  const idsOf = (...names: KindName[]) => [...new Set(names.flatMap((kind) => named[kind] ?? []))];
  const { projectId } = owner;
  const records = idsOf('record', 'records');
  if (records.length > 0) await requireRecords(tx, scope, owner, records);
  const testcases = idsOf('testcase');
  if (testcases.length > 0) await requireTestcases(tx, scope, owner, testcases);
  for (const noun of nouns) {
    const ids = idsOf(noun);
    if (ids.length === 0) continue;
    const found = await findNamed(tx, scope, noun, owner, ids);
    requireAll(
      noun,
      ids,
      found.map(({ id }) => id),
    );
  }
  await requireMembers(tx, scope, idsOf('member'));
  await requireThere(tx, scope, idsOf('assignee'));
  const configIds = idsOf('config');
  const configs = configIds.length > 0 ? await findProjectConfigs(tx, scope, projectId, configIds) : [];
  requireAll(
    'metric configuration',
    configIds,
    configs.map(({ id }) => id),
  );
  return new Map(configs.map((config) => [config.id, config]));
};
