import { insertRecords, takeRecordNumbers } from '../../evaluation/records/insert.ts';
import { Overtaken, type Sql } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Readable } from '../conventions/understand.ts';
import {
  deleteLeftRecords,
  findSessionRecords,
  findTraceRun,
  insertTraceRun,
  insertTraceTags,
  lockSession,
  lockTraceRun,
  sendAhead,
  setRecordSession,
  type TraceRow,
  updateTraces,
} from './queries.ts';
import { contentOf, type Side } from './record-content.ts';
import { refreshContents } from './refresh-contents.ts';
import { type Move, moveTags } from './trace-tags.ts';

/** What a batch says of one of its traces. */
export type TraceNews = {
  trace: TraceRow;
  linked: boolean;
  sessionId: string | null;
  tags: Set<string>;
  inputOrder: string | null;
  outputOrder: string | null;
  /** The spans that these orders speak of. */
  inputSpan: Readable | null;
  outputSpan: Readable | null;
  /** UTC day of its first span in this batch. */
  day: string;
};

type RecordKey = { runId: bigint; n: number };
const recordName = ({ runId, n }: RecordKey) => `${runId}-${n}`;

const smaller = (a: string | null, b: string | null): string | null =>
  a === null ? b : b === null || a < b ? a : b;

const sessionName = (projectId: bigint, sessionId: string) => `${projectId} ${sessionId}`;

/** What the batch makes of a trace, its record aside. A trace with several sessions has the smallest, whichever came first. */
export const combined = ({ trace, ...news }: TraceNews): TraceRow => ({
  ...trace,
  linked: trace.linked || news.linked,
  sessionId: smaller(trace.sessionId, news.sessionId),
  inputOrder: smaller(trace.inputOrder, news.inputOrder),
  outputOrder: smaller(trace.outputOrder, news.outputOrder),
});

/** The records of the sessions whose traces don't have their record yet, locked so that each gets one. */
const recordsOfSessions = async (
  tx: Sql,
  scope: Scope,
  traces: TraceRow[],
): Promise<Map<string, RecordKey>> => {
  const sessions = new Map(
    traces.map(({ projectId, sessionId }) => [
      sessionName(projectId, sessionId!),
      { projectId, sessionId: sessionId! },
    ]),
  );
  if (sessions.size === 0) return new Map();
  for (const [, { projectId, sessionId }] of [...sessions].sort(([a], [b]) => (a < b ? -1 : 1)))
    await lockSession(tx, projectId, sessionId);
  const found = await findSessionRecords(tx, scope, [...sessions.values()]);
  return new Map(
    found.map((row) => [sessionName(row.projectId, row.sessionId), { runId: row.runId, n: row.n }]),
  );
};

const traceRunOf = async (tx: Sql, scope: Scope, projectId: bigint, day: string): Promise<bigint> => {
  const [found] = await findTraceRun(tx, scope, projectId, day);
  if (found) return found.id;
  await lockTraceRun(tx, projectId, day);
  const [meanwhile] = await findTraceRun(tx, scope, projectId, day);
  return (meanwhile ?? (await insertTraceRun(tx, scope, projectId, day))[0]!).id;
};

type NewRecord = { projectId: bigint; sessionId: string | null; day: string; traces: Assigned[] };
/** A trace as it was and as it is to be, with what the batch says of it. */
type Assigned = { news: TraceNews; trace: TraceRow };

/** A new record's inputs or outputs, from what its traces bring along: the best of them, as refreshContents would choose. */
const broughtContent = (traces: Assigned[], side: Side): string => {
  const [best] = traces
    .filter(({ news }) => news[`${side}Order`] !== null)
    .sort((a, b) => (a.news[`${side}Order`]! < b.news[`${side}Order`]! ? -1 : 1));
  const span = best?.news[`${side}Span`];
  return span ? contentOf(span, side) : '{}';
};

/**
 * Makes the records, in the run of their day, and gives each of their traces its record. Returns what is on its way to the
 * database: others wait for the run until the commit, so what follows is sent at once.
 */
const createRecords = async (tx: Sql, scope: Scope, records: NewRecord[]): Promise<Promise<unknown>[]> => {
  const writes: Promise<unknown>[] = [];
  const byRun = Map.groupBy(records, ({ projectId, day }) => `${projectId} ${day}`);
  // In one order everywhere: taking numbers locks the run until the commit.
  for (const [, group] of [...byRun].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { projectId, day } = group[0]!;
    const runId = await traceRunOf(tx, scope, projectId, day);
    const [taken] = await takeRecordNumbers(tx, scope, runId, group.length);
    if (!taken) throw new Overtaken('the run was deleted');
    const rows = group.map((record, i) => {
      const n = taken.last - group.length + 1 + i;
      for (const { trace } of record.traces) Object.assign(trace, { runId, n });
      return {
        n: i + 1 - group.length,
        testsetId: null,
        testcaseN: null,
        testcaseRevision: null,
        inputs: broughtContent(record.traces, 'input'),
        expected: '{}',
        outputs: broughtContent(record.traces, 'output'),
        otelLinkId: null,
        sessionId: record.sessionId,
      };
    });
    writes.push(sendAhead(insertRecords(tx, scope, runId, rows)));
  }
  return writes;
};

const isSame = (a: TraceRow, b: TraceRow): boolean =>
  a.linked === b.linked &&
  a.sessionId === b.sessionId &&
  a.runId === b.runId &&
  a.n === b.n &&
  a.inputOrder === b.inputOrder &&
  a.outputOrder === b.outputOrder;

/**
 * Decides for each trace which record it belongs to: none of its own when it is linked; its session's; else one for itself.
 * A trace whose link or session comes later moves then, so that the order of arrival makes no difference. Returns the names
 * of the records that were made with their contents.
 */
const assign = async (
  tx: Sql,
  scope: Scope,
  news: TraceNews[],
  after: Map<TraceNews, TraceRow>,
): Promise<{ made: Set<string>; writes: Promise<unknown>[] }> => {
  const needy = news.filter((item) => {
    const trace = after.get(item)!;
    return !trace.linked && (trace.runId === null || trace.sessionId !== item.trace.sessionId);
  });
  const sessions = await recordsOfSessions(
    tx,
    scope,
    needy.map((item) => after.get(item)!).filter(({ sessionId }) => sessionId !== null),
  );
  const made = new Map<string, NewRecord>();
  for (const item of needy) {
    const trace = after.get(item)!;
    const { projectId, sessionId } = trace;
    const name = sessionId === null ? `trace ${trace.id}` : sessionName(projectId, sessionId);
    const record = sessions.get(name);
    if (record) {
      Object.assign(trace, record);
    } else if (
      sessionId !== null &&
      trace.runId !== null &&
      item.trace.sessionId === null &&
      !made.has(name)
    ) {
      // The trace has a record, the session has none: it takes this one.
      sessions.set(name, { runId: trace.runId, n: trace.n! });
      await setRecordSession(tx, scope, trace.runId, trace.n!, sessionId);
    } else {
      const wanted = made.get(name) ?? { projectId, sessionId, day: item.day, traces: [] };
      wanted.traces.push({ news: item, trace });
      if (item.day < wanted.day) wanted.day = item.day;
      made.set(name, wanted);
    }
  }
  const records = [...made.values()];
  const writes = await createRecords(tx, scope, records);
  const isWhole = ({ news, trace }: Assigned) =>
    trace.inputOrder === news.inputOrder && trace.outputOrder === news.outputOrder;
  const whole = records.filter(({ traces }) => traces.every(isWhole)).flatMap(({ traces }) => traces);
  return {
    made: new Set(whole.map(({ trace }) => recordName({ runId: trace.runId!, n: trace.n! }))),
    writes,
  };
};

const writeTags = async (tx: Sql, scope: Scope, news: TraceNews[], after: Map<TraceNews, TraceRow>) => {
  const tags = news.flatMap((item) => {
    const { runId, n } = after.get(item)!;
    if (runId === null || n === null) return [];
    return [...item.tags].map((text) => ({ id: newUuid(), runId, n, text }));
  });
  if (tags.length > 0) await insertTraceTags(tx, scope, tags);
};

/** Brings the records of these traces, which must be locked, up to date with what a batch says of them. */
export const groupTraces = async (tx: Sql, scope: Scope, news: TraceNews[]): Promise<void> => {
  const after = new Map(news.map((item) => [item, combined(item)]));
  for (const trace of after.values()) if (trace.linked) Object.assign(trace, { runId: null, n: null });
  const { made, writes } = await assign(tx, scope, news, after);
  const changed = news.filter((item) => !isSame(item.trace, after.get(item)!));
  if (changed.length > 0) {
    const rows = changed.map((item) => after.get(item)!);
    writes.push(sendAhead(updateTraces(tx, scope, rows)));
  }
  await Promise.all(writes);

  const left = new Map<string, RecordKey>();
  const moves: Move[] = [];
  const stale = new Map<string, RecordKey & { projectId: bigint }>();
  for (const item of changed) {
    const before = item.trace;
    const { projectId, runId, n } = after.get(item)!;
    if (before.runId !== null && (before.runId !== runId || before.n !== n)) {
      const record = { runId: before.runId, n: before.n! };
      left.set(recordName(record), record);
      const to = runId === null || n === null ? null : { runId, n };
      moves.push({ traceId: before.id, from: record, to });
      stale.set(recordName(record), { ...record, projectId });
    }
    if (runId !== null && n !== null && !made.has(recordName({ runId, n })))
      stale.set(recordName({ runId, n }), { runId, n, projectId });
  }
  if (left.size > 0) {
    await moveTags(tx, scope, [...left.values()], moves);
    await deleteLeftRecords(tx, scope, [...left.values()]);
  }
  if (stale.size > 0) await refreshContents(tx, scope, [...stale.values()]);
  await writeTags(tx, scope, news, after);
};
