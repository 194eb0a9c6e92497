import { requireImport } from '../evaluation/projects/queries.ts';
import { fitOf } from '../evaluation/scores/validate-score.ts';
import type { Fragment, Sql } from '../platform/db/database.ts';
import { type Issue, invalidAll, notFound } from '../platform/errors.ts';
import { one } from '../platform/http/http.ts';
import type { Scope } from '../platform/http/scope.ts';
import { elements, freeForm, members, type RawJson } from '../platform/json/json.ts';
import { type Column, kinds } from './columns.ts';
import { commaed, ownerColumn } from './export-rows.ts';
import type { Part } from './part.ts';
import { type Named, type Owner, type ProjectConfig, requireNamed } from './references.ts';

type Item = Record<string, unknown>;

/** The project of what rows are imported into, being imported. Throws notFound, conflict when it is not. */
const requireOwner = async (
  tx: Sql,
  scope: Scope,
  { noun }: Pick<Part, 'noun'>,
  ownerId: string,
): Promise<Owner> => {
  if (noun === 'project') {
    const projectId = BigInt(ownerId);
    await requireImport(tx, scope, projectId);
    return { projectId, runId: undefined };
  }
  const key = noun === 'monitor' ? tx`${ownerId}::uuid` : tx`${ownerId}::bigint`;
  const rows = await tx<{ projectId: bigint }[]>`
    select project_id as "projectId" from ${tx(noun)}
    where organization_id = ${scope.organizationId} and id = ${key}`;
  const { projectId } = one(rows, noun, ownerId);
  await requireImport(tx, scope, projectId);
  return { projectId, runId: noun === 'run' ? BigInt(ownerId) : undefined };
};

/** Labels and checks hang on their metric's set. */
const requireSet = async (tx: Sql, scope: Scope, metricId: string): Promise<void> => {
  const found = await tx`
    select from pinned_set where organization_id = ${scope.organizationId} and metric_id = ${metricId}::bigint for key share`;
  if (found.count === 0) throw notFound('pinned set', metricId);
};

const namedBy = (columns: [string, Column][], items: Item[]): Named => {
  const named: Named = {};
  for (const [name, { kind }] of columns) {
    const values = items.flatMap((item) => (item[name] ?? []) as string | string[]);
    named[kind] = [...(named[kind] ?? []), ...values];
  }
  return named;
};

/** The texts of a column, one a row, null where there is nothing. */
const textsOf = (name: string, { kind }: Column, items: Item[], raw: RawJson[]): (string | null)[] =>
  items.map((item, i) => {
    const value = item[name];
    const path = `/items/${i}`;
    if (value === null) return null;
    if (kind === 'json') return freeForm(raw[i]!, [name], path)[name]!;
    return kinds[kind].text(value as never, `${path}/${name}`);
  });

/** The number that each score comes to. Throws 400 where there is a score without the state, or the other way round. */
const valuesOf = (items: Item[], configs: Map<string, ProjectConfig>): (string | null)[] => {
  const issues: Issue[] = [];
  const values = items.map((item, i) => {
    if ((item.state === 'scored') !== (item.score !== null))
      issues.push({
        path: `/items/${i}/score`,
        message: 'must be there when the state is scored, and else be null',
      });
    if (item.score === null) return null;
    const { outputType } = configs.get(String(item.metricConfigId).toLowerCase())!;
    const { value } = fitOf(outputType, item.score as Record<string, unknown>);
    return value === null ? null : String(value);
  });
  if (issues.length > 0) throw invalidAll(issues);
  return values;
};

/** Throws notFound for a configuration of another metric than the row's. */
const requireOwnConfigs = (
  items: Item[],
  owner: string | undefined,
  configs: Map<string, ProjectConfig>,
): void => {
  for (const { metricId = owner, metricConfigId } of items) {
    if (metricId === undefined || typeof metricConfigId !== 'string') continue;
    if (configs.get(metricConfigId.toLowerCase())?.metricId !== metricId)
      throw notFound('metric configuration', metricConfigId);
  }
};

/**
 * Stores rows of a part of an archive as they were elsewhere, while their project is being imported; those that are there
 * stay. Returns the ids that they have here, in their order, where they have one. Throws notFound for what they name and is
 * not there, conflict for a project that is imported.
 */
export const importRows = async (
  tx: Sql,
  scope: Scope,
  part: Part,
  ownerId: string,
  { items }: { items: Item[] },
  rawBody: RawJson,
): Promise<string> => {
  const owner = await requireOwner(tx, scope, part, ownerId);
  if (part.table === 'pinned_label' || part.table === 'drift_check') await requireSet(tx, scope, ownerId);
  const columns = Object.entries(part.columns);
  const configs = await requireNamed(tx, scope, owner, namedBy(columns, items));
  requireOwnConfigs(items, part.noun === 'metric' ? ownerId : undefined, configs);
  const raw = elements(members(rawBody).get('items')!);
  const given = columns.map(([name, column]) => {
    const texts = textsOf(name, column, items, raw);
    return { column: column.column, texts, cast: kinds[column.kind].cast };
  });
  if (part.value) given.push({ column: part.value, texts: valuesOf(items, configs), cast: kinds.float.cast });
  // A record of another run than the owner's: its run is of its id as well.
  const recordIds = items.map((item) => String(item.recordId));
  if (part.noun !== 'run' && 'recordId' in part.columns)
    given.push({
      column: 'run_id',
      texts: recordIds.map((recordId) => recordId.slice(0, recordId.indexOf('-'))),
      cast: kinds.bigint.cast,
    });
  const store = part.made ? updateRows : insertRows;
  await store(tx, scope, part, ownerId, given);
  const ids = given.find(({ column }) => column === 'id')?.texts ?? [];
  return JSON.stringify({ imported: items.length, ids });
};

type Given = {
  column: string;
  texts: (string | null)[];
  cast: (sql: Sql, text: Fragment) => Fragment;
};

const insertRows = async (
  tx: Sql,
  scope: Scope,
  { table, noun, derived = {}, replaces }: Part,
  ownerId: string,
  given: Given[],
): Promise<void> => {
  const names = given.map(({ column }) => tx`${tx(column)}`);
  const others = Object.entries(derived);
  const owner = noun === 'monitor' ? tx`${ownerId}::uuid` : tx`${ownerId}::bigint`;
  const into = [...names, ...others.map(([column]) => tx`${tx(column)}`)];
  const values = [
    ...given.map(({ column, cast }) => cast(tx, tx`item.${tx(column)}`)),
    ...others.map(([, value]) => value(tx)),
  ];
  const texts = given.map((one) => tx`${one.texts}::text[]`);
  await tx`
    insert into ${tx(table)} (organization_id, ${tx(ownerColumn[noun])}, ${commaed(tx, into)})
    select ${scope.organizationId}, ${owner}, ${commaed(tx, values)}
    from unnest(${commaed(tx, texts)}) with ordinality as item (${commaed(tx, names)}, given_place)
    order by item.given_place
    on conflict ${
      replaces
        ? tx`(${tx(replaces)}) do update set ${commaed(
            tx,
            names.map((name) => tx`${name} = excluded.${name}`),
          )}`
        : tx`do nothing`
    }`;
};

/** Gives rows that were made anew what they had. */
const updateRows = async (
  tx: Sql,
  scope: Scope,
  { table, noun, made }: Part,
  ownerId: string,
  given: Given[],
): Promise<void> => {
  const names = given.map(({ column }) => tx`${tx(column)}`);
  const texts = given.map((one) => tx`${one.texts}::text[]`);
  const key = given.find(({ column }) => column === made)!;
  const changes = given
    .filter((one) => one !== key)
    .map(({ column, cast }) => tx`${tx(column)} = ${cast(tx, tx`item.${tx(column)}`)}`);
  await tx`
    update ${tx(table)} t set ${commaed(tx, changes)}
    from unnest(${commaed(tx, texts)}) as item (${commaed(tx, names)})
    where t.organization_id = ${scope.organizationId} and t.${tx(ownerColumn[noun])} = ${ownerId}::bigint
      and t.${tx(made!)} = ${key.cast(tx, tx`item.${tx(key.column)}`)}`;
};
