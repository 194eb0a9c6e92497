import { type Condition, type Config, hasText, inRange } from '../../evaluation/records/condition.ts';
import { listSearchNames, type SearchNames } from '../../evaluation/records/names.ts';
import { readCandidates, readText } from '../../evaluation/records/read-index.ts';
import {
  conditionOf,
  needsMembers,
  needsNames,
  noNames,
  plainTerms,
  rangeIn,
  sortOf,
} from '../../evaluation/records/read-search.ts';
import { hasTrigram } from '../../evaluation/records/search-text.ts';
import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import {
  countUnits,
  moneyUnits,
  parseSearch,
  type Term,
  timeUnits,
  unknownKey,
} from '../../platform/search/parse-search.ts';
import { oneOf, Problem, readEach, timeOf } from '../../platform/search/read-terms.ts';
import { microseconds } from './read-queries.ts';
import { isTraceKey, traceKeys } from './trace-keys.ts';
import { scoresOfTrace } from './trace-scores.ts';

/** The condition of a filter on a row of `trace`. */
export type TraceCondition = (sql: Sql, scope: Owner) => Fragment;

const columns = ['started', 'latency', 'cost', 'tokens'] as const;
export type TraceSort = { by: (typeof columns)[number] | { configs: Config[] }; descending: boolean };
export type TraceSearch = { conditions: TraceCondition[]; sort: TraceSort };

/** Some record of the row of `trace` fits: the one that was made for it, else one with its link. */
const someRecord =
  ({ holds }: Condition): TraceCondition =>
  (sql, { organizationId }) =>
    sql`(exists (
        select from record r
        where r.run_id = trace.run_id and r.n = trace.n and r.organization_id = ${organizationId}
          and ${holds(sql, { organizationId }, (of) => scoresOfTrace(of, { organizationId }))} offset 0)
      or trace.linked and exists (
        select from trace_link link
        join record r on r.project_id = link.project_id and r.otel_link_id = link.link and r.organization_id = ${organizationId}
        where link.trace_id = trace.id and link.organization_id = ${organizationId}
          and ${holds(sql, { organizationId }, (of) => scoresOfTrace(of, { organizationId }))} offset 0))`;

/** Most records that are taken from an index. */
const maxFound = 10_000;

/** The traces of these records. Reads trace_record and record_project_link. */
const isOfRecords = async (db: Database, scope: Scope, records: RecordKey[]): Promise<TraceCondition> => {
  const { organizationId } = scope;
  const ids = await db.read(
    scope,
    (sql) => sql<{ id: string }[]>`
    with key as materialized (
      select * from ${rowsOf(sql, records, { run_id: 'bigint', n: 'integer' })})
    select matched.id::text as id from key
    cross join lateral (
      select trace.id from trace
      where trace.run_id = key.run_id and trace.n = key.n and trace.organization_id = ${organizationId} offset 0) matched
    union
    select matched.id::text from key
    cross join lateral (
      select link.trace_id as id from record r
      join trace_link link on link.project_id = r.project_id and link.link = r.otel_link_id
        and link.organization_id = ${organizationId}
      where r.run_id = key.run_id and r.n = key.n and r.organization_id = ${organizationId} and r.otel_link_id is not null
      offset 0) matched`,
  );
  const found = ids.map(({ id }) => id);
  return (sql) => sql`trace.id = any(${found}::bigint[])`;
};

/** The same for all records that an index finds, unless they are too many. */
const ofSomeRecord = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  condition: Condition,
): Promise<TraceCondition> => {
  const { ofSpans } = condition;
  if (ofSpans && !ofSpans.found) return someRecord(condition);
  const records = await readCandidates(db, scope, projectId, condition, maxFound + 1);
  if (!records || records.length > maxFound) return someRecord(condition);
  const ofRecords = await isOfRecords(db, scope, records);
  if (!ofSpans) return ofRecords;
  // Another turn of the session may be the one that failed.
  const ofTrace = someRecord(condition);
  return (sql, owner) => sql`(${ofRecords(sql, owner)} and ${ofTrace(sql, owner)})`;
};

const isNot =
  (condition: TraceCondition): TraceCondition =>
  (sql, scope) =>
    sql`(${condition(sql, scope)}) is not true`;

const textTest = ({ op, value }: Term, column: (sql: Sql) => Fragment): TraceCondition => {
  if (op === 'has') return (sql) => sql`${column(sql)} is not null`;
  if (op === '~') return (sql) => sql`position(lower(${value}) in lower(${column(sql)})) > 0`;
  return (sql) => sql`${column(sql)} = ${value}`;
};

/** Returns the condition of a term on a trace, or on its record. Throws a Problem that says what is wrong with the term. */
const readTerm = (term: Term, names: SearchNames, scope: Scope): TraceCondition | Condition => {
  const { key, value, op } = term;
  if (!isTraceKey(key)) throw new Problem(unknownKey(term, Object.keys(traceKeys)));
  if (value === '' && op === '=') throw new Problem(`needs a value after ${term.text}`);
  switch (key) {
    case 'latency': {
      const range = rangeIn(term, timeUnits, 'latency:>2s');
      return (sql) => sql`(${inRange(sql, sql`trace.duration_ms`, range)})`;
    }
    case 'cost': {
      const range = rangeIn(term, moneyUnits, 'cost:>0.01');
      return (sql) => sql`(${inRange(sql, sql`trace.cost_usd`, range)})`;
    }
    case 'tokens': {
      const range = rangeIn(term, countUnits, 'tokens:>10k');
      return (sql) => sql`(${inRange(sql, sql`trace.tokens`, range)})`;
    }
    case 'error': {
      const wanted = op === 'has' || oneOf(term, ['yes', 'no']) === 'yes';
      return (sql) => (wanted ? sql`trace.num_errors > 0` : sql`trace.num_errors = 0`);
    }
    case 'model':
      return textTest(term, (sql) => sql`trace.model`);
    case 'service':
      return textTest(term, (sql) => sql`trace.service`);
    case 'name':
      return textTest(term, (sql) => sql`trace.name`);
    case 'session':
      return textTest(term, (sql) => sql`trace.session_id`);
    case 'user':
      return textTest(term, (sql) => sql`trace.user_id`);
    case 'trace':
      if (!/^[0-9a-f]{32}$/i.test(value))
        throw new Problem(`has ${term.text}, which is not the id of a trace: 32 hexadecimal digits`);
      return (sql) => sql`trace.otel_id = ${`\\x${value.toLowerCase()}`}::text::bytea`;
    case 'after': {
      const time = timeOf(term);
      return (sql) => sql`trace.start_us >= ${microseconds(sql, time)}`;
    }
    case 'before': {
      const time = timeOf(term);
      return (sql) => sql`trace.start_us < ${microseconds(sql, time)}`;
    }
    default:
      return conditionOf(term, names, scope);
  }
};

/** The text is in the name, the input or the output of the trace, or in its record. Reads record_text_trigrams when it can. */
const textCondition = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  text: string,
): Promise<TraceCondition> => {
  const found: RecordKey[] | undefined = hasTrigram(text)
    ? await readText(db, scope, projectId, text, maxFound + 1)
    : undefined;
  const isInTrace = (sql: Sql) =>
    sql`position(lower(${text}) in lower(concat_ws(E'\n', trace.name, trace.input, trace.output))) > 0`;
  const inRecord = someRecord(hasText(text));
  if (found === undefined || found.length > maxFound)
    return (sql, owner) => sql`(${isInTrace(sql)} or ${inRecord(sql, owner)})`;
  const ofRecords = await isOfRecords(db, scope, found);
  return (sql, owner) => sql`(${isInTrace(sql)} or ${ofRecords(sql, owner)})`;
};

/** Reads a search of a project's traces. Throws 400 with each of its problems. */
export const readTraceSearch = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  q: string,
  order?: string,
): Promise<TraceSearch> => {
  const { terms, text, without } = parseSearch(q, ['error']);
  const all = plainTerms(terms);
  const names =
    order !== undefined || all.some(({ key }) => needsNames.has(key))
      ? await listSearchNames(db, scope, projectId, { members: needsMembers(all) })
      : noNames;
  const conditions: TraceCondition[] = [];
  const ofRecord: Condition[] = [];
  const hints: string[] = [];
  let sort: TraceSort = { by: 'started', descending: true };
  readEach(all, (term) => {
    if (term.key === 'sort') {
      sort = sortOf(term, names, columns);
      return;
    }
    const read = readTerm(term, names, scope);
    if (typeof read === 'object' && !term.negated) {
      ofRecord.push(read);
      if (read.text && hasTrigram(read.text.of)) hints.push(read.text.of);
    } else {
      const condition = typeof read === 'object' ? someRecord(read) : read;
      conditions.push(term.negated ? isNot(condition) : condition);
    }
  });
  if (order !== undefined)
    readEach(parseSearch(`sort:${order}`).terms, (term) => {
      sort = sortOf(term, names, columns);
    });
  for (const condition of ofRecord) conditions.push(await ofSomeRecord(db, scope, projectId, condition));
  for (const hint of hints) {
    const found = await readText(db, scope, projectId, hint, maxFound + 1);
    if (found.length <= maxFound) conditions.push(await isOfRecords(db, scope, found));
  }
  if (text) conditions.push(await textCondition(db, scope, projectId, text));
  for (const word of without) conditions.push(isNot(await textCondition(db, scope, projectId, word)));
  return { conditions, sort };
};
