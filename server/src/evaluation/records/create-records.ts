import { type Database, isDeadlock, type Sql } from '../../platform/db/database.ts';
import { retry } from '../../platform/db/retry.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { type TestcaseKey, testcaseKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { freeForm } from '../../platform/json/json.ts';
import { type BroughtScore, storeBroughtScores } from '../scores/upsert-scores.ts';
import {
  findLinkedRecords,
  findTestcaseRevisions,
  insertNumberedRecords,
  insertRecords,
  type RecordRow,
  takeRecordNumbers,
} from './insert.ts';
import type { RecordCreate } from './schema.ts';

/** A record that a client asks for: its free-form parts as text. */
export type NewRecord = {
  testcase: TestcaseKey | null;
  inputs: RawJson;
  expected: RawJson;
  outputs: RawJson;
  otelLinkId: string | null;
  sessionId: string | null;
  /** Scores that it brings along. */
  scores?: BroughtScore[];
};

/** What became of one item: the record (made now, or before under the same otelLinkId), or why there is none. */
type Outcome = { n: number; body: string } | ApiError;

/** Reads one record of a body from its text. Throws 404 for an ill-formed testcaseId, 400 for JSON that nests too deep. */
export const readRecord = (body: RecordCreate, raw: RawJson, path = ''): NewRecord => {
  const { inputs, expected, outputs } = freeForm(raw, ['inputs', 'expected', 'outputs'], path);
  return {
    testcase: body.testcaseId === undefined ? null : testcaseKey(body.testcaseId),
    inputs: inputs!,
    expected: expected!,
    outputs: outputs!,
    // A link without a word is none, as in traces: else all who have nothing to say would be given one and the same record.
    otelLinkId: body.otelLinkId?.trim() ? body.otelLinkId : null,
    sessionId: body.sessionId ?? null,
  };
};

const testcaseId = ({ testsetId, n }: TestcaseKey) => `${testsetId}-${n}`;

const recordText = (runId: bigint, n: number, { testcase, inputs, expected, outputs }: NewRecord) =>
  `{"id":"${runId}-${n}","runId":"${runId}"${testcase ? `,"testcaseId":"${testcaseId(testcase)}"` : ''}` +
  `,"inputs":${inputs},"expected":${expected},"outputs":${outputs}}`;

const revisionsOf = async (tx: Sql, scope: Scope, runId: bigint, items: NewRecord[]) => {
  const testcases = items.flatMap((item) => item.testcase ?? []);
  const found = testcases.length > 0 ? await findTestcaseRevisions(tx, scope, runId, testcases) : [];
  return new Map(found.map((testcase) => [testcaseId(testcase), testcase.revision]));
};

const linkedOf = async (tx: Sql, scope: Scope, runId: bigint, items: NewRecord[]) => {
  const links = items.flatMap((item) => item.otelLinkId ?? []);
  const found = links.length > 0 ? await findLinkedRecords(tx, scope, runId, links) : [];
  return new Map<string, Outcome>(found.map((record) => [record.otelLinkId, record]));
};

/** Adds records to a run; one that can't be made does not keep the others from it. Throws 404 when there is no such run. */
const addRecords = async (tx: Sql, scope: Scope, runId: bigint, items: NewRecord[]): Promise<Outcome[]> => {
  // Sent together, the numbers first: they hold the run until the commit, so no other create adds a link that is not found.
  // A query goes when it is awaited, and what Promise.all awaits goes in no order that one should rely on; this one goes now.
  const numbers = takeRecordNumbers(tx, scope, runId, items.length).execute();
  const [[taken], revisions, linked] = await Promise.all([
    numbers,
    revisionsOf(tx, scope, runId, items),
    linkedOf(tx, scope, runId, items),
  ]);
  if (!taken) throw notFound('run', String(runId));
  const rows: RecordRow[] = [];
  const outcomes = items.map((item, i): Outcome => {
    const { testcase, otelLinkId } = item;
    const revision = testcase && (revisions.get(testcaseId(testcase)) ?? null);
    if (testcase && revision === null) return notFound('testcase', testcaseId(testcase));
    const before = otelLinkId === null ? undefined : linked.get(otelLinkId);
    if (before) return before;
    const n = taken.last - items.length + 1 + i;
    rows.push({
      ...item,
      n,
      testsetId: testcase?.testsetId ?? null,
      testcaseN: testcase?.n ?? null,
      testcaseRevision: revision,
    });
    const made = { n, body: recordText(runId, n, item) };
    if (otelLinkId !== null) linked.set(otelLinkId, made);
    return made;
  });
  if (rows.length > 0) await insertRecords(tx, scope, runId, rows);
  return outcomes;
};

/** Whether it can be made without asking for anything first. */
const isPlain = ({ testcase, otelLinkId }: NewRecord): boolean => testcase === null && otelLinkId === null;

/** Adds such records to a run, all or none, in one round trip. Throws 404 when there is no such run. */
const addPlainRecords = async (
  db: Database,
  scope: Scope,
  runId: bigint,
  items: NewRecord[],
): Promise<Outcome[]> => {
  const rows = items.map((item) => ({ ...item, testsetId: null, testcaseN: null, testcaseRevision: null }));
  const [taken] = await db.batch(scope, (tx) => [
    takeRecordNumbers(tx, scope, runId, items.length),
    insertNumberedRecords(tx, scope, runId, rows),
  ]);
  if (!taken) throw notFound('run', String(runId));
  return items.map((item, i) => {
    const n = taken.last - items.length + 1 + i;
    return { n, body: recordText(runId, n, item) };
  });
};

/** Creates many records with the scores that they bring along, all or none, and returns their ids in the order given. */
export const createRecords = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  items: NewRecord[],
): Promise<string> => {
  const numbers = (await addRecords(tx, scope, runId, items)).map((outcome) => {
    if (outcome instanceof ApiError) throw outcome;
    return outcome.n;
  });
  const brought = items.flatMap(({ scores = [] }, i) =>
    scores.map((score) => ({ key: { runId, n: numbers[i]! }, ...score })),
  );
  await storeBroughtScores(tx, scope, runId, brought);
  const ids = numbers.map((n) => `"${runId}-${n}"`);
  return `{"ids":[${ids.join(',')}]}`;
};

/** Creates one record and returns it. */
export const createRecord = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  item: NewRecord,
): Promise<string> => {
  const [outcome] = await addRecords(tx, scope, runId, [item]);
  if (outcome instanceof ApiError) throw outcome;
  return outcome!.body;
};

type Waiting = {
  item: NewRecord;
  resolve: (body: string) => void;
  reject: (error: unknown) => void;
};

/** Largest group that is written at once: more would make the first of them wait too long. */
const maxGroup = 250;
/** Longest wait, as a part of the time that writing took, for those who were answered to ask again. */
const gatherShare = 0.5;
/** And at all: a write takes long when another holds its run, and those who come then wait for nobody. */
const longestGatherMs = 50;

/** Single creates into one run that wait for being written. */
type Queue = {
  waiting: Waiting[];
  /** How many waiters the next write waits for, and what to do when they have come. */
  wanted: number;
  gathered: () => void;
  /** How many were answered last, and when; how many have come since, and how long the last as many took to come. */
  answered: number;
  answeredAt: number;
  returned: number;
  returnMs: number;
};

/** Resolves when so many wait, or after `maxMs`. */
const gather = async (queue: Queue, wanted: number, maxMs: number): Promise<void> => {
  if (queue.waiting.length >= wanted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  Object.assign(queue, { wanted, gathered: resolve });
  await promise;
  clearTimeout(timer);
};

/**
 * Group commit: single creates that arrive while their run is being written wait and are then written together, with one
 * statement and one commit. Each still hears of its own outcome, and only after that commit. After a group the next write
 * waits a little for those who have just been answered: else every second commit would be for the first of them alone. It waits
 * for half of them where the others will have come by the time that these are written: then the database works while the
 * service does, a fifth more creates a second from 32 clients. Where a write takes longer than that, fewer are better.
 */
export const recordGrouper = (db: Database, now: () => number = () => performance.now()) => {
  const queues = new Map<string, Queue>();

  const writeTogether = async (scope: Scope, runId: bigint, group: Waiting[]): Promise<void> => {
    try {
      const items = group.map(({ item }) => item);
      const outcomes = await retry(isDeadlock, () =>
        items.every(isPlain)
          ? addPlainRecords(db, scope, runId, items)
          : db.transaction(scope, (tx) => addRecords(tx, scope, runId, items)),
      );
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i]!;
        if (outcome instanceof ApiError) reject(outcome);
        else resolve(outcome.body);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const drain = async (name: string, queue: Queue, scope: Scope, runId: bigint): Promise<void> => {
    while (queue.waiting.length > 0) {
      const group = queue.waiting.splice(0, maxGroup);
      const startedAt = now();
      await writeTogether(scope, runId, group);
      const answeredAt = now();
      const writeMs = answeredAt - startedAt;
      const wanted = writeMs < 2 * queue.returnMs ? Math.ceil(group.length / 2) : group.length;
      Object.assign(queue, { answered: group.length, answeredAt, returned: 0 });
      if (group.length > 1) await gather(queue, wanted, Math.min(longestGatherMs, writeMs * gatherShare));
    }
    queues.delete(name);
  };

  const join = (queue: Queue, waiter: Waiting): void => {
    queue.waiting.push(waiter);
    if (++queue.returned === queue.answered) queue.returnMs = now() - queue.answeredAt;
    if (queue.waiting.length === queue.wanted) queue.gathered();
  };

  return (scope: Scope, runId: bigint, item: NewRecord): Promise<string> =>
    new Promise((resolve, reject) => {
      const name = `${scope.organizationId} ${runId}`;
      const waiter = { item, resolve, reject };
      const queue = queues.get(name);
      if (queue) return join(queue, waiter);
      const made: Queue = {
        waiting: [waiter],
        wanted: 0,
        gathered: () => {},
        answered: 0,
        answeredAt: 0,
        returned: 0,
        returnMs: 0,
      };
      queues.set(name, made);
      void drain(name, made, scope, runId);
    });
};
