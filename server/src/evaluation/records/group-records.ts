import type { Static } from 'typebox';
import { spanEstimate } from '../../engine/statistics/clusters.ts';
import type { Estimate } from '../../engine/statistics/estimate-schema.ts';
import { defaultLevel, meanEstimate, rateEstimate } from '../../engine/statistics/intervals.ts';
import type { Database, Sql, Statement } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { Problem } from '../../platform/search/read-terms.ts';
import { mostNewest } from '../../platform/search/value-groups.ts';
import type { ValueGroups } from '../groups/schema.ts';
import type { Config } from './condition.ts';
import type { RecordFilter } from './filter.ts';
import { countGroups, countRecords, type GroupRow, sumUnits } from './group-queries.ts';
import { type Grouping, readGrouping } from './grouping.ts';
import { listSearchNames, type SearchNames } from './names.ts';
import { findSliceEnd, newestRecord, type Slice } from './queries.ts';
import { configsOf } from './read-search.ts';
import type { RecordGroupsQuery } from './schema.ts';
import { locate } from './search-records.ts';

export type GroupOptions = {
  /** Maximum number of groups in the answer: the largest. */
  most: number;
  /** Configurations of the metric whose pass rate each group gets. */
  rateOf: readonly Config[] | undefined;
  /** Aborted when no client waits for the counts any more. */
  signal: AbortSignal;
  /** Number of records that one statement reads; other requests run in between. */
  sliceSize?: number;
  /** Maximum number of records that are read. Older ones are left out, and the answer says so. */
  mostRead?: number;
};

/** The records that the filter may find, in slices, newest first, as far as they are read; `partial` when some are left out. */
const slicesOf = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  { sliceSize = 10_000, mostRead = mostNewest }: Pick<GroupOptions, 'sliceSize' | 'mostRead'>,
): Promise<{ slices: Slice[]; partial: boolean }> => {
  const slices: Slice[] = [];
  let before = newestRecord;
  while (filter.among === undefined) {
    const left = mostRead - slices.length * sliceSize;
    if (left <= 0) {
      const rest = await db.read(scope, (sql) => findSliceEnd(sql, scope, projectId, filter, before, 1));
      return { slices, partial: rest.length > 0 };
    }
    const [end] = await db.read(scope, (sql) =>
      findSliceEnd(sql, scope, projectId, filter, before, Math.min(left, sliceSize)),
    );
    if (!end) break;
    slices.push({ before, to: end.place });
    before = end.place;
  }
  return { slices: [...slices, { before, to: undefined }], partial: false };
};

/** Adds the groups of a slice to those of others. */
const addTo = (groups: Map<string | null, GroupRow>, rows: readonly GroupRow[]): void => {
  for (const row of rows) {
    const known = groups.get(row.key);
    if (known) {
      known.n += row.n;
      known.isCut ||= row.isCut;
    } else groups.set(row.key, row);
  }
};

type Read = <Row extends object>(
  statement: (sql: Sql, slice: Slice) => Statement<Row>,
) => AsyncGenerator<Row[]>;

/** Reads slice by slice, so that other requests run in between, until no client waits any more. */
const readerOf = (db: Database, scope: Scope, slices: readonly Slice[], signal: AbortSignal): Read =>
  async function* (statement) {
    for (const slice of slices) {
      if (signal.aborted) return;
      yield await db.read(scope, (sql) => statement(sql, slice));
    }
  };

type Units = Map<string, { scored: number; passed: number }>;

/** The pass rate of a group over the spans of its records: spans of records with the same inputs depend on each other. */
const rateOfSpans = (units: Units) => ({
  ...spanEstimate(
    Array.from(units.values(), ({ scored, passed }) => ({ size: scored, sum: passed, squares: passed })),
    Array.from(units.keys(), (_, i) => i),
    defaultLevel,
    { low: 0, high: 1 },
  ),
  assumption:
    'spans of records with the same inputs may depend on each other in any way, and those of other inputs are independent; errors of a judge are not corrected',
});

/** The pass rate of a group. Records with the same inputs are one unit: their verdicts are averaged first. */
const rateOfUnits = (units: Units, configs: readonly Config[]) => {
  if (configs.some(({ ofSpans }) => ofSpans)) return rateOfSpans(units);
  const means = Float64Array.from(units.values(), ({ scored, passed }) => passed / scored);
  const isWhole = means.every((mean) => mean === 0 || mean === 1);
  const estimate = isWhole
    ? rateEstimate(
        means.reduce((a, b) => a + b, 0),
        means.length,
      )
    : meanEstimate(means, defaultLevel, { low: 0, high: 1 });
  return {
    ...estimate,
    reason: means.length === 0 ? 'no record has a score' : estimate.reason,
    assumption:
      'records with the same inputs are one unit, and units are independent; errors of a judge are not corrected',
  };
};

const readRates = async (
  read: Read,
  statement: (sql: Sql, slice: Slice) => ReturnType<typeof sumUnits>,
): Promise<Map<string | null, Units>> => {
  const found = new Map<string | null, Units>();
  for await (const rows of read(statement)) {
    for (const { key, units: written } of rows) {
      const units: Units = found.get(key) ?? new Map();
      for (const each of written.split(',')) {
        const [unit = '', scored, passed] = each.split(' ');
        const known = units.get(unit) ?? { scored: 0, passed: 0 };
        units.set(unit, { scored: known.scored + Number(scored), passed: known.passed + Number(passed) });
      }
      found.set(key, units);
    }
  }
  return found;
};

/**
 * Counts a project's records that fit the filter by their value of a field, the largest groups first. Values that differ only in case are
 * one group, since the search finds them together.
 */
export const groupRecords = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  grouping: Grouping,
  options: GroupOptions,
): Promise<ValueGroups> => {
  const { most, rateOf, signal } = options;
  const located = await locate(db, scope, projectId, filter);
  const { slices, partial } = await slicesOf(db, scope, projectId, located, options);
  const read = readerOf(db, scope, slices, signal);
  const groups = new Map<string | null, GroupRow>();
  let [numEntries, manyValues] = [0, false];
  for await (const rows of read((sql, slice) =>
    countGroups(sql, scope, projectId, located, slice, grouping),
  )) {
    addTo(groups, rows);
    numEntries += rows[0]?.entries ?? 0;
    manyValues ||= (rows[0]?.values ?? 0) > rows.length;
  }
  let numRecords = grouping.isSeveral ? 0 : numEntries;
  if (grouping.isSeveral)
    for await (const [row] of read((sql, slice) => countRecords(sql, scope, projectId, located, slice)))
      numRecords += row!.n;
  const largest = [...groups.values()]
    .sort((a, b) => b.n - a.n || (String(a.key) < String(b.key) ? -1 : 1))
    .slice(0, most);
  const keys = largest.map(({ key }) => key);
  const units =
    rateOf &&
    (await readRates(read, (sql, slice) =>
      sumUnits(sql, scope, projectId, located, slice, grouping, keys, rateOf),
    ));
  return {
    by: grouping.by,
    n: numRecords,
    partial,
    numOthers: numEntries - largest.reduce((sum, { n }) => sum + n, 0),
    manyValues,
    groups: largest.map(({ key, value, isCut, n }) => ({
      value,
      words: isCut ? null : grouping.wordsOf(value),
      n,
      passRate: units && rateOf ? rateOfUnits(units.get(key) ?? new Map(), rateOf) : null,
    })),
  };
};

/** The configurations of a metric that a request names by id or name. Throws 400 for an unknown one. */
const rateConfigs = (names: SearchNames, rateOf: string | undefined): readonly Config[] | undefined => {
  if (rateOf === undefined) return undefined;
  try {
    return configsOf(names, rateOf);
  } catch (error) {
    throw error instanceof Problem ? invalid('/rateOf', error.message) : error;
  }
};

/** Pass rates of groups by what is not a field of records, such as the tags of their runs. */
export type GroupRates = (
  /** Joins each value of record `r` as `entry (value)`, once. */
  entries: Grouping['entries'],
  keys: readonly (string | null)[],
  isExact: boolean,
) => Promise<(key: string | null) => Estimate>;

/** Reads rates of groups over the newest records of a project; undefined without a metric. Throws 400 for an unknown one. */
export const readGroupRates = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  {
    rateOf,
    newest,
    ofTraces = false,
  }: { rateOf?: string | undefined; newest?: number | undefined; ofTraces?: boolean },
  signal: AbortSignal,
): Promise<GroupRates | undefined> => {
  if (rateOf === undefined) return undefined;
  const configs = rateConfigs(await listSearchNames(db, scope, projectId, { members: false }), rateOf)!;
  return async (entries, keys, isExact) => {
    const filter = { conditions: [] };
    const { slices, partial } = await slicesOf(db, scope, projectId, filter, {
      ...(newest !== undefined && { mostRead: newest }),
    });
    const units = await readRates(readerOf(db, scope, slices, signal), (sql, slice) =>
      sumUnits(sql, scope, projectId, filter, slice, { entries, isExact, ofTraces }, keys, configs),
    );
    return (key) => {
      const rate = rateOfUnits(units.get(key) ?? new Map(), configs);
      return partial ? { ...rate, assumption: `${rate.assumption}; older records are left out` } : rate;
    };
  };
};

/** The same as a request asks for it. Throws 400 for an unknown field or metric. */
export const groupByQuery = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  { by, rateOf, most = 20, newest = mostNewest }: Static<typeof RecordGroupsQuery>,
  signal: AbortSignal,
): Promise<ValueGroups> => {
  const names = await listSearchNames(db, scope, projectId, { members: false });
  return groupRecords(db, scope, projectId, filter, readGrouping(by, names), {
    most,
    rateOf: rateConfigs(names, rateOf),
    signal,
    mostRead: newest,
  });
};
