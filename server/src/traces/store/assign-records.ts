import { claimAttachments } from '../../evaluation/attachments/queries.ts';
import { insertRecords } from '../../evaluation/records/insert.ts';
import { takeNumbersAtOnce } from '../../evaluation/records/take-numbers.ts';
import { ParentDeleted, type Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { newUuid, type RecordKey, recordIdOf } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { linkTestcases } from './link-testcases.ts';
import { moveResults } from './move-results.ts';
import {
  deleteUnusedRecords,
  findSessionRecords,
  insertTraceTags,
  lockSessions,
  setRecordSession,
  type TraceRow,
  type TraceRun,
  updateTraces,
} from './queries.ts';
import { contentOf, type Side, sides } from './record-content.ts';
import { refreshContents } from './refresh-contents.ts';
import type { Suite } from './span-row.ts';
import { earlierStart, happenedAt } from './span-times.ts';
import { nameTestcases } from './suite-testcases.ts';
import { createTestRecords } from './test-records.ts';
import { traceRunOf } from './trace-run.ts';
import { copyTags, dropTags, type Move } from './trace-tags.ts';
import { suiteOfBoth, type TraceUpdate, updatedTrace } from './trace-update.ts';

/** A trace before a batch, in its update, and after it. */
type Change = { update: TraceUpdate; after: TraceRow };

/** A record to be made, for one trace or for the traces of a session. */
type NewRecord = {
  projectId: bigint;
  sessionId: string | null;
  day: string;
  /** The test suite that its spans name. */
  suite: Suite | null;
  changes: Change[];
};

const sessionName = (projectId: bigint, sessionId: string) => `${projectId} ${sessionId}`;
const recordOf = ({ runId, n }: TraceRow): RecordKey | null =>
  runId === null || n === null ? null : { runId, n };

const compareNames = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

/** Finds the records of the traces' sessions, by the session's name. Holds the sessions until the commit: each gets one record. */
const lockSessionRecords = async (
  tx: Sql,
  scope: Scope,
  traces: TraceRow[],
): Promise<Map<string, RecordKey>> => {
  const sessions = new Map(
    traces.flatMap(({ projectId, sessionId }) =>
      sessionId === null ? [] : [[sessionName(projectId, sessionId), { projectId, sessionId }]],
    ),
  );
  if (sessions.size === 0) return new Map();
  // In one order everywhere, so that requests wait for each other in turn.
  const inOrder = [...sessions].sort(compareNames).map(([, session]) => session);
  await lockSessions(tx, inOrder);
  const found = await findSessionRecords(tx, scope, inOrder);
  return new Map(found.map(({ projectId, sessionId, ...key }) => [sessionName(projectId, sessionId), key]));
};

/**
 * Gives traces the record of their session if it has one: traces without a record, and those whose session is new or has changed.
 * A session without a record takes over the record of such a trace. Returns the records that have to be made for the others.
 */
const assignExistingRecords = async (tx: Sql, scope: Scope, changes: Change[]): Promise<NewRecord[]> => {
  const waiting = changes.filter(
    ({ update, after }) =>
      !after.linked &&
      !(update.isSetUp && after.runId === null) &&
      (after.runId === null || after.sessionId !== update.before.sessionId),
  );
  const sessions = await lockSessionRecords(
    tx,
    scope,
    waiting.map(({ after }) => after),
  );
  const newRecords = new Map<string, NewRecord>();
  for (const change of waiting) {
    const { update, after } = change;
    const { projectId, sessionId } = after;
    const own = recordOf(after);
    const name = sessionId === null ? `trace ${after.id}` : sessionName(projectId, sessionId);
    const ofSession = sessions.get(name);
    const newRecord = newRecords.get(name);
    if (ofSession) {
      Object.assign(after, ofSession);
    } else if (newRecord) {
      newRecord.changes.push(change);
      if (update.day < newRecord.day) newRecord.day = update.day;
      newRecord.suite = suiteOfBoth(newRecord.suite, update.suite);
    } else if (own && sessionId !== null && update.before.sessionId === null) {
      sessions.set(name, own);
      await setRecordSession(tx, scope, own, sessionId);
    } else {
      const { day, suite } = update;
      newRecords.set(name, { projectId, sessionId, day, suite, changes: [change] });
    }
  }
  return [...newRecords.values()];
};

/** Whether the batch holds the spans that the record's inputs and outputs are taken from: not those of a trace that moves. */
const isComplete = ({ changes }: NewRecord): boolean =>
  changes.every(
    ({ update: { best }, after }) =>
      after.inputOrder === (best.input?.order ?? null) && after.outputOrder === (best.output?.order ?? null),
  );

/** The inputs or outputs of a complete record, as refreshContents would choose them. */
const contentOfNew = ({ changes }: NewRecord, side: Side): string => {
  const [best] = changes
    .flatMap(({ update }) => update.best[side] ?? [])
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  return best ? contentOf(best.span, side) : '{}';
};

const rowOf = (record: NewRecord, n: number) => ({
  n,
  testsetId: null,
  testcaseN: null,
  testcaseRevision: null,
  inputs: isComplete(record) ? contentOfNew(record, 'input') : '{}',
  expected: '{}',
  outputs: isComplete(record) ? contentOfNew(record, 'output') : '{}',
  otelLinkId: null,
  sessionId: record.sessionId,
  happenedAt: happenedAt(
    record.changes.reduce<bigint | null>((first, { update }) => earlierStart(first, update.start), null),
  ),
});

/** Makes records in the runs of their days and gives them to their traces. Those that are not complete stay empty. */
const createRecords = async (tx: Sql, scope: Scope, records: NewRecord[]): Promise<void> => {
  const runOf = ({ projectId, day, suite }: NewRecord): TraceRun => ({
    projectId,
    day,
    suite: suite?.name ?? '',
    execution: suite?.execution ?? '',
  });
  const byRun = Map.groupBy(records, (record) => {
    const { projectId, day, suite, execution } = runOf(record);
    return JSON.stringify([String(projectId), execution === '' ? day : '', suite, execution]);
  });
  // In one order everywhere: taking numbers locks some of the run's until the commit.
  for (const [, group] of [...byRun].sort(compareNames)) {
    const runId = await traceRunOf(tx, scope, runOf(group[0]!));
    const last = await takeNumbersAtOnce(tx, scope, runId, group.length);
    if (last === undefined) throw new ParentDeleted('the run was deleted');
    const numbered = group.map((record, i) => ({ record, n: last - group.length + 1 + i }));
    const rows = numbered.map(({ record, n }) => rowOf(record, n));
    await insertRecords(tx, scope, runId, rows, { hasNumbers: true });
    for (const { record, n } of numbered)
      for (const { after } of record.changes) Object.assign(after, { runId, n });
  }
};

const hasChanged = ({ update: { before }, after }: Change): boolean =>
  (Object.keys(after) as (keyof TraceRow)[]).some((key) => before[key] !== after[key]);

/** Gives the files that the sender declared for the new sessions of traces to the projects of the traces. */
const claimFiles = async (tx: Sql, scope: Scope, changes: Change[]): Promise<void> => {
  const sessions = changes.flatMap(({ update, after: { projectId, sessionId } }) =>
    sessionId === null || sessionId === update.before.sessionId ? [] : [{ projectId, sessionId }],
  );
  if (sessions.length === 0) return;
  const columns = { project_id: 'bigint', session_id: 'text' } as const;
  await claimAttachments(tx, scope, tx`select * from ${rowsOf(tx, sessions, columns)}`);
};

/** Whether the batch has a new version of a span that gave the record's inputs or outputs. */
const retells = ({ before, best }: TraceUpdate): boolean =>
  sides.some((side) => best[side] !== null && best[side].order === before[`${side}Order`]);

/** Whether the trace says something else to its record than before, and not only took longer. */
const tellsNew = ({ update, update: { before }, after }: Change): boolean =>
  retells(update) ||
  before.linked !== after.linked ||
  before.sessionId !== after.sessionId ||
  before.runId !== after.runId ||
  before.n !== after.n ||
  before.testcaseId !== after.testcaseId ||
  before.start !== after.start ||
  before.inputOrder !== after.inputOrder ||
  before.outputOrder !== after.outputOrder;

/** A trace that has moved, with its id of OpenTelemetry. */
type Moved = Move & { otelId: string };

/** Returns which traces have moved to another record, or away from any. */
const movesOf = (changes: Change[]): Moved[] =>
  changes.flatMap(({ update: { before }, after }) => {
    const from = recordOf(before);
    const to = recordOf(after);
    const hasMoved = from && (!to || recordIdOf(from) !== recordIdOf(to));
    const { id: traceId, projectId, otelId } = before;
    return hasMoved ? [{ traceId, projectId, otelId, from, to }] : [];
  });

/** Moves tags and results of moved traces along, and deletes the records that no one needs any more. */
const leaveRecords = async (tx: Sql, scope: Scope, moves: Moved[]): Promise<void> => {
  if (moves.length === 0) return;
  const byRecord = new Map(
    moves.map(({ from, projectId, otelId }) => [
      recordIdOf(from),
      { ...from, projectId, otelId, spanId: null },
    ]),
  );
  const left = [...byRecord.values()];
  await copyTags(tx, scope, moves);
  await moveResults(tx, scope, left);
  await deleteUnusedRecords(tx, scope, left);
  await dropTags(tx, scope, left);
};

/** Deletes tags that spans carried before they were sent again. */
const dropReplacedTags = async (tx: Sql, scope: Scope, changes: Change[]): Promise<void> => {
  const records = changes.flatMap(({ update, after }) => {
    const record = recordOf(after);
    return record && update.base !== update.before ? [record] : [];
  });
  await dropTags(tx, scope, records);
};

const addTags = async (tx: Sql, scope: Scope, changes: Change[]): Promise<void> => {
  const tags = changes.flatMap(({ update, after }) => {
    const record = recordOf(after);
    return record ? [...update.tags].map((text) => ({ id: newUuid(), ...record, text })) : [];
  });
  if (tags.length > 0) await insertTraceTags(tx, scope, tags);
};

/**
 * Decides which record each trace of a batch belongs to, and brings traces and records up to date. A linked trace has no record
 * itself; the traces of a session share one; every other trace has one. A trace whose link or session comes later moves
 * then, so that the order of arrival makes no difference. The traces must be locked and their spans stored.
 */
export const assignRecords = async (tx: Sql, scope: Scope, updates: TraceUpdate[]): Promise<void> => {
  const all = updates.map((update) => ({ update, after: updatedTrace(update) }));
  await nameTestcases(tx, scope, all);
  const newRecords = await assignExistingRecords(tx, scope, all);
  await createRecords(tx, scope, newRecords);
  await createTestRecords(tx, scope, updates);

  const changed = all.filter(hasChanged).map(({ after }) => after);
  if (changed.length > 0) await updateTraces(tx, scope, changed);
  await claimFiles(tx, scope, all);
  const changes = all.filter(tellsNew);
  const moves = movesOf(changes);
  await leaveRecords(tx, scope, moves);

  const complete = new Set(newRecords.filter(isComplete).flatMap((record) => record.changes));
  const outdated = [
    ...moves.map(({ projectId, from }) => ({ projectId, ...from })),
    ...changes.flatMap((change) => {
      const record = complete.has(change) ? null : recordOf(change.after);
      return record ? [{ projectId: change.after.projectId, ...record }] : [];
    }),
  ];
  await refreshContents(tx, scope, outdated);
  await linkTestcases(
    tx,
    scope,
    changes.flatMap(({ after }) => {
      const record = recordOf(after);
      return record && after.testcaseId !== null ? [{ ...record, testcaseId: after.testcaseId }] : [];
    }),
  );
  await addTags(tx, scope, all);
  await dropReplacedTags(tx, scope, all);
};
