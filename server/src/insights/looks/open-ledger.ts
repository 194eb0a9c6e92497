import { hash } from 'node:crypto';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Verdict } from '../../engine/statistics/comparison-schema.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { noteLook } from './note-look.ts';
import { storeVerdicts } from './queries.ts';
import { type Kind, kinds } from './schema.ts';

/** Answers that were noted, so that a page that reads them again writes nothing. */
const maxKnown = 5_000;
/** Looks that wait to be noted. Beyond it the database does not keep up. */
const maxWaiting = 1_000;

/** By this header a client says what it asks for (`looksAs` of client/src/http.ts). */
const lookHeader = 'dokima-look';

/** What a request asks for, as its client says. */
export const kindOf = ({ headers }: Pick<FastifyRequest, 'headers'>, otherwise: Kind): Kind =>
  kinds.find((kind) => kind === headers[lookHeader]) ?? otherwise;

type Pair = {
  before: string;
  after: string;
  metrics: {
    metricConfigIds: { before: string; after: string };
    conclusion: { verdict: Verdict };
  }[];
};
type Compared = { runs: { runId: string }[]; pairs: Pair[] };

const opposite: Record<Verdict, Verdict> = { better: 'worse', worse: 'better', 'cannot tell': 'cannot tell' };

/** The verdicts of a pair, on its newer run. */
const pairOf = ({ before, after, metrics }: Pair) => {
  const isTurned = BigInt(before) > BigInt(after);
  return {
    runId: BigInt(isTurned ? before : after),
    baselineRunId: BigInt(isTurned ? after : before),
    verdicts: metrics.map(({ metricConfigIds, conclusion: { verdict } }) => ({
      configId: isTurned ? metricConfigIds.before : metricConfigIds.after,
      verdict: isTurned ? opposite[verdict] : verdict,
    })),
  };
};

/**
 * Notes the looks of answers that only read, beside the answer and after it, as the last use of a key is noted (docs/decisions/0244). An
 * answer neither waits for that nor fails by it.
 */
export const openLedger = (db: Database, log: FastifyBaseLogger) => {
  const known = new Set<string>();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  const enqueue = (scope: Scope, answer: string, work: () => Promise<unknown>): void => {
    const key = `${scope.organizationId} ${hash('sha256', answer)}`;
    if (known.has(key)) return;
    if (waiting >= maxWaiting) {
      log.warn('too many looks wait: one was not noted');
      return;
    }
    if (known.size >= maxKnown) known.clear();
    known.add(key);
    waiting++;
    last = last
      .then(work)
      .catch((error) => {
        known.delete(key);
        log.warn({ err: error }, 'a look was not noted');
      })
      .then(() => {
        waiting--;
      });
  };

  return {
    /** Notes the summary of a run. */
    noteSummary: (scope: Scope, kind: Kind, runId: bigint, text: string): void =>
      enqueue(scope, text, () =>
        db.transaction(scope, (tx) => noteLook(tx, scope, { kind, runId, baselineRunIds: [] })),
      ),
    /** Notes a comparison: a look at each later run against the first. `hasVerdicts`: whether it is of whole runs, by their metrics. */
    noteComparison: (scope: Scope, kind: Kind, text: string, hasVerdicts: boolean): void =>
      enqueue(scope, text, async () => {
        const { runs, pairs } = JSON.parse(text) as Compared;
        for (const pair of pairs.filter(({ before }) => before === runs[0]!.runId)) {
          const { runId, baselineRunId, verdicts } = pairOf(pair);
          await db.transaction(scope, async (tx) => {
            const noted = await noteLook(tx, scope, { kind, runId, baselineRunIds: [baselineRunId] });
            if (noted && hasVerdicts && verdicts.length > 0)
              await storeVerdicts(tx, scope, { runId, baselineRunId }, verdicts);
          });
        }
      }),
    /** Resolves when this process has noted what it answered until now. */
    settled: (): Promise<void> => last,
  };
};

export type Ledger = ReturnType<typeof openLedger>;
