import { readSpanSearch, type SpanTest } from '../../evaluation/metrics/span-search.ts';
import type { Database } from '../../platform/db/database.ts';
import { settleAll } from '../../platform/jobs/keep.ts';
import {
  chooseSpans,
  listSpanContents,
  type ScoredSpan,
  scoredSpan,
} from '../../traces/read/scored-spans.ts';
import { spanName } from '../../traces/store/record-content.ts';
import { outcomeOfAttempt } from '../queue/outcome.ts';
import type { Outcome } from '../queue/queries.ts';
import { type Batch, type Job, type LaneOptions, spendingOf } from '../queue/worker.ts';
import { deleteUnchosen, findProjectOfRun, listSpanOutcomes, writeSpanOutcome } from './queries.ts';
import { rollUp, type SpanScale } from './roll-up.ts';

/** Spans whose contents are read, and scored, at a time. */
const atOnce = 20;

const searches = new Map<string, SpanTest>();
const testOf = (search: string): SpanTest => {
  const known = searches.get(search);
  if (known) return known;
  if (searches.size >= 1_000) searches.clear();
  const test = readSpanSearch(search);
  searches.set(search, test);
  return test;
};

type Score = LaneOptions['score'];
type Chosen = { traceId: string; spanId: string; name: string };
/** Scores of a record's spans that are under way. */
type Making = { batch: Batch; job: Job; search: string };

/** What the outcomes of this turn cost, in all. */
const sumOf = (outcomes: Outcome[]): Outcome['usage'] => {
  const usages = outcomes.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return null;
  const sum = (of: (usage: (typeof usages)[number]) => number | null) =>
    usages.some((usage) => of(usage) === null)
      ? null
      : usages.reduce((total, usage) => total + of(usage)!, 0);
  return {
    costUsd: sum(({ costUsd }) => costUsd),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
  };
};

/** Commits the verdict of a span with its cost, and the cost alone of one that needs another attempt. */
const writeSpan = ({ batch: { lease, payments }, job }: Making, span: ScoredSpan, outcome: Outcome) => {
  payments.add(spendingOf([outcome]));
  return payments.write((tx) =>
    outcome.state === 'pending' ? [] : [writeSpanOutcome(tx, lease, job.claim, { ...span, ...outcome })],
  );
};

/** Returns the chosen spans that need a verdict. One stands while its span is the same, and a person's always. */
const readNeeded = async (db: Database, { batch, job }: Making, chosen: Chosen[]) => {
  const { runId } = batch.lease;
  const key = { runId, n: job.claim.n, configId: job.claim.configId };
  const [before, [run]] = await Promise.all([
    db.read(job.claim, (sql) => listSpanOutcomes(sql, job.claim, key)),
    db.read(job.claim, (sql) => findProjectOfRun(sql, job.claim, runId)),
  ]);
  const byName = new Map(before.map((one) => [spanName(one), one]));
  const open = chosen.filter((span) => !byName.get(spanName(span))?.isGiven);
  const stands = ({ traceId, spanId, hash }: ScoredSpan) => {
    const one = byName.get(spanName({ traceId, spanId }));
    return one?.state === 'scored' && one.hash === hash;
  };
  return { open, stands, projectId: run?.projectId };
};

/** Makes the missing scores of a record's spans, a few at a time. Returns their outcomes. */
const scoreMissing = async (
  db: Database,
  making: Making,
  rows: Awaited<ReturnType<typeof chooseSpans>>['spans'],
  score: Score,
): Promise<Outcome[]> => {
  const { batch, job } = making;
  const { open, stands, projectId } = await readNeeded(db, making, rows);
  const made: Outcome[] = [];
  if (projectId === undefined) return made;
  const byName = new Map(rows.map((row) => [spanName(row), row]));
  for (let at = 0; at < open.length && !batch.signal.aborted; at += atOnce) {
    const part = open.slice(at, at + atOnce);
    const contents = await listSpanContents(db, job.claim, projectId, part);
    const spans = contents.map((row) => scoredSpan(byName.get(spanName(row))!, row.content));
    await settleAll(
      spans.filter((span) => !stands(span)),
      (span) =>
        score({
          ...batch,
          jobs: [{ ...job, span }],
          commit: async (outcomes) => {
            for (const outcome of outcomes) {
              await writeSpan(making, span, outcome);
              made.push(outcome);
            }
          },
        }),
    );
  }
  return made;
};

/** Scores the spans of one record, and then the record by the lowest of them. */
const scoreRecord = async (db: Database, making: Making, score: Score): Promise<void> => {
  const { batch, job, search } = making;
  const { claim, config } = job;
  const key = { runId: batch.lease.runId, n: claim.n, configId: claim.configId };
  const { spans, numSpans, problem } = await db.transaction(claim, (tx) =>
    chooseSpans(tx, claim, key, testOf(search)),
  );
  const settle = (result: Parameters<typeof outcomeOfAttempt>[1]) =>
    batch.commit([outcomeOfAttempt(making.job.claim, result)]);
  if (problem) return settle({ state: 'failed', reason: problem });
  const made = await scoreMissing(db, making, spans, score);
  if (batch.signal.aborted) return;
  const usage = sumOf(made);
  const delayed = made.filter(({ state }) => state === 'pending');
  if (delayed.length > 0) {
    const { reason, attempts } = delayed[0]!;
    const retryInMs = Math.max(...delayed.map((outcome) => outcome.retryInMs ?? 0));
    return settle({ state: 'pending', reason, attempts, retryInMs, usage, isSpent: true });
  }
  // Spans of a record whose traces are deleted or purged keep their scores.
  if (numSpans > 0) await db.transaction(claim, (tx) => deleteUnchosen(tx, claim, key, spans));
  const given = await db.read(claim, (sql) => listSpanOutcomes(sql, claim, key));
  const scored = numSpans > 0 ? spans : given.map((one) => ({ ...one, name: 'deleted' }));
  const known = new Set(given.map(spanName));
  // A span without an outcome goes back to the queue with its record: its provider was busy, or the budget is used up.
  if (scored.some((span) => !known.has(spanName(span)))) return;
  const rolled = rollUp(config.outputType as SpanScale, scored, given);
  const evidence = JSON.stringify({ spans: { search, numSpans, numChosen: scored.length } });
  await settle({ ...rolled, evidence, usage, isSpent: true });
};

/**
 * Returns a way of making scores that scores the spans of records whose metric has a search of spans. Every other score is made as before.
 * Records are scored in turn: the contents of their spans take memory.
 */
export const spanScorer =
  (db: Database, score: Score): Score =>
  async (batch) => {
    const ofRecords = batch.jobs.filter(({ config }) => config.spans === null);
    const ofSpans = batch.jobs.filter(({ config }) => config.spans !== null);
    const scoreSpans = async () => {
      for (const job of ofSpans) {
        if (batch.signal.aborted) return;
        await scoreRecord(db, { batch, job, search: job.config.spans! }, score);
      }
    };
    await Promise.all([ofRecords.length > 0 && score({ ...batch, jobs: ofRecords }), scoreSpans()]);
  };
