import type { FastifyBaseLogger } from 'fastify';
import { draw } from '../../evaluation/samples/draw.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { waitForPeople } from '../spans/people-wait.ts';
import {
  addToRuns,
  claimDue,
  type Decision,
  type DueRecord,
  deleteRecords,
  findDue,
  queueDrawn,
  requeueDrawn,
  wanted,
  writeDecisions,
} from './due-queries.ts';

/** Records decided in one transaction. */
const batchSize = 200;

const hasChanged = ({ before, spans, ends }: DueRecord): boolean =>
  before?.spans !== spans || before.ends !== ends;

/**
 * A decision is final: a drawn record stays drawn, with the inclusion probability that it had then. The draw depends on the id of the
 * session or trace alone, so that repetitions and other monitors draw alike, and a higher rate draws all that a lower one does.
 */
const decide = (record: DueRecord): Decision => {
  const { before, key, samplingRate, spans, ends } = record;
  const drawn = before ? before.drawn : draw(null, key) < samplingRate;
  return {
    ...record,
    drawn,
    inclusionProbability: before?.inclusionProbability ?? samplingRate,
    spans,
    ends,
  };
};

/**
 * Decides about the records that are due: whether they match the filters, and whether they are drawn. Drawn records are queued for their
 * metrics; those that were drawn before and have new spans are re-scored. All in the transaction `tx`, so that a process that
 * dies leaves them due. Returns how many records were due.
 */
export const scoreArrivals = async (tx: Sql): Promise<number> => {
  const due = await claimDue(tx, batchSize);
  if (due.length === 0) return 0;
  const isKept = ({ active, fits, before }: DueRecord) => before !== null || (active && fits);
  const kept = due.filter(isKept);
  await deleteRecords(
    tx,
    due.filter((record) => !isKept(record)),
  );
  const decisions = kept.map(decide);
  await writeDecisions(tx, decisions);
  const drawn = decisions.filter((record) => record.active && record.drawn);
  const again = drawn.filter((record) => record.before && hasChanged(record));
  if (drawn.length > 0) {
    await addToRuns(tx, drawn);
    if (again.length > 0) await requeueDrawn(tx, again);
    await queueDrawn(
      tx,
      drawn.filter((record) => !record.before || hasChanged(record)),
    );
    await waitForPeople(tx, wanted(tx, drawn));
  }
  return due.length;
};

/** Looks for due records in a loop. Calls `onScores` when there may be scores to make. */
export const startMonitors = (
  { db, log }: { db: Database; log: FastifyBaseLogger },
  onScores: () => void,
): Worker =>
  startLoops({
    count: 1,
    next: async () => {
      if ((await db.read(system, findDue)).length === 0) return false;
      const looked = await db.transaction(system, (tx) => scoreArrivals(tx));
      if (looked > 0) onScores();
      return looked === batchSize;
    },
    longestPollMs: longestPollMs(db),
    failed: (error) => log.error({ err: error }, 'records could not be checked for monitors; they stay due'),
  });
