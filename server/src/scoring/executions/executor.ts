import type { FastifyBaseLogger } from 'fastify';
import type { Called } from '../../engine/models/ask.ts';
import type { AttachedReader } from '../../evaluation/attachments/read-attached.ts';
import { maskPart, maskRecord } from '../../evaluation/masking/mask-data.ts';
import type { Masking, ProjectMasker } from '../../evaluation/masking/masking.ts';
import { insertRecords, takeRecordNumbers } from '../../evaluation/records/insert.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { asJson, asText } from '../../platform/db/text.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { keepLease, settleAll } from '../../platform/jobs/keep.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { doubling, retryOf } from '../../platform/jobs/retry.ts';
import { pick } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { PromptDeps } from './ask-prompt.ts';
import type { Systems } from './open-systems.ts';
import {
  type ClaimedExecution,
  claimExecutions,
  failExecution,
  findDueRun,
  findHeld,
  findRunSystem,
  findTestcaseData,
  finishExecution,
  type Kept,
  keepAttempt,
  type RunSystem,
  releaseAll,
  renewLeases,
  type TestcaseData,
} from './queries.ts';
import type { Answer, BrokenOff } from './question.ts';
import { converse } from './simulation/converse.ts';
import { readSystemConfig } from './system-config.ts';

export type ExecutorDeps = {
  masking: Masking;
  db: Database;
  log: FastifyBaseLogger;
  systems: Systems;
  /** What simulated users are asked with. */
  prompts: PromptDeps;
  readAttached: AttachedReader;
  /** Called when a record has been made: it has scores to make. */
  onRecord: () => void;
  pollMs?: number;
};

/** How long after a process died others take its executions; renewed however long a system takes to answer. */
const leaseMs = 60_000;
/** Four calls that reach the system. */
const backOff = doubling(4);
/** Executions claimed at once, and batches at the same time: their product is the number of concurrent calls. */
const batchSize = 8;
const batches = 4;

type Job = { runId: bigint; claim: ClaimedExecution; run: RunSystem; testcase: TestcaseData | undefined };

/** Rolls back a transaction whose execution is no longer this worker's. */
class LeaseLost extends Error {}

const longestError = 2_000;

const call = async (
  deps: Pick<ExecutorDeps, 'db' | 'systems' | 'prompts' | 'readAttached'>,
  job: Job,
  signal: AbortSignal,
): Promise<Called<Answer>> => {
  const { db, systems, readAttached } = deps;
  const { runId, claim, run, testcase } = job;
  const never = (error: string): Called<Answer> => ({
    outcome: { state: 'failed', error, retryable: false, unasked: true },
    latencyMs: 0,
  });
  if (!testcase || !run.inputFields) return never('the testcase was deleted');
  const target = readSystemConfig(run.config);
  if ('problem' in target) return never(target.problem);
  const inputs = pick(testcase.jsonData, run.inputFields);
  const question = {
    inputs,
    attached: await readAttached(claim, { runId }, [inputs]),
    testcaseId: `${run.testsetId}-${claim.testcaseN}`,
    runId: String(runId),
    trial: claim.trial,
  };
  // The turn may come long after the claim. The execution may be cancelled by then, and a call may cost money.
  const isWanted = async () => (await db.read(system, (sql) => findHeld(sql, runId, claim))).length > 0;
  if (run.maxTurns !== null)
    return converse(deps, { ...job, run, testcase, target, question }, { signal, isWanted });
  return systems.answer(claim.organizationId, target, question, { signal, isWanted });
};

/** What was said in a conversation that made no record. */
const brokenOffOf = (outcome: Answer, { run }: Job): BrokenOff | undefined => {
  if (outcome.state === 'failed') return outcome.brokenOff;
  if (run.maxTurns === null || outcome.evidence === null) return undefined;
  const { inputTokens, outputTokens, costUsd, userCostUsd = null } = outcome;
  const { messages } = parseJson(outcome.outputs) as Pick<BrokenOff, 'messages'>;
  const evidence = parseJson(outcome.evidence) as object;
  return { messages, evidence, inputTokens, outputTokens, costUsd, userCostUsd };
};

/**
 * What is kept of a call that made no record: its cost, and of a conversation its messages, masked as the outputs of a record. Undefined
 * if it cost nothing.
 */
const keptOf = (outcome: Answer, job: Job, masker: ProjectMasker | undefined): Kept | undefined => {
  const brokenOff = brokenOffOf(outcome, job);
  if (!brokenOff) {
    const usage = outcome.state === 'failed' ? outcome.spent : outcome;
    if (!usage) return undefined;
    const { inputTokens, outputTokens, costUsd } = usage;
    return { evidence: null, spent: { inputTokens, outputTokens, costUsd, userCostUsd: null } };
  }
  const { messages, evidence, ...spent } = brokenOff;
  const said = masker ? parseJson(maskPart(masker, 'outputs', asJson({ messages }))) : { messages };
  return { spent, evidence: asJson({ ...evidence, ...(said as object) }) };
};

/** Calls the systems of runs and makes a record of each answer: one for each execution, even if worker processes die. */
export const startExecutor = (deps: ExecutorDeps): Worker => {
  const { db, log, masking, onRecord, pollMs } = deps;
  let lastRun = 0n;
  // An embedded database has this one process, so all leases that it finds are of an earlier one.
  let released = db.engine === 'server';

  /** Looks outside of a transaction: most looks of an idle service find nothing. */
  const findNext = async (): Promise<bigint | undefined> => {
    if (!released) await db.transaction(system, releaseAll);
    released = true;
    const find = (after: bigint) => db.read(system, (sql) => findDueRun(sql, after));
    const [due] = await find(lastRun);
    const [next] = due || lastRun === 0n ? [due] : await find(0n);
    lastRun = next?.runId ?? 0n;
    return next?.runId;
  };

  const claim = async () => {
    const runId = await findNext();
    if (runId === undefined) return undefined;
    return db.transaction(system, async (tx) => {
      const claimed = await claimExecutions(tx, runId, batchSize, leaseMs);
      const [run] = await findRunSystem(tx, runId);
      if (!run) return { runId, jobs: [] };
      const numbers = claimed.map(({ testcaseN }) => testcaseN);
      const testcases = new Map(
        (await findTestcaseData(tx, run.testsetId, numbers)).map((one) => [one.n, one]),
      );
      const jobs = claimed.map(
        (claim): Job => ({ runId, claim, run, testcase: testcases.get(claim.testcaseN) }),
      );
      return { runId, jobs };
    });
  };

  const commitAnswer = async (
    { runId, claim, run, testcase }: Job,
    answer: Extract<Answer, { state: 'answered' }>,
    latencyMs: number,
  ): Promise<boolean> => {
    const { organizationId, testcaseN } = claim;
    return db
      .transaction({ organizationId }, async (tx) => {
        // Locks the run's row first, as every statement that makes records does: this waits for a run that is being deleted.
        const [taken] = await takeRecordNumbers(tx, { organizationId }, runId, 1);
        if (!taken) throw new LeaseLost();
        const record = {
          n: 0,
          testsetId: run.testsetId,
          testcaseN,
          testcaseRevision: testcase!.revision,
          inputs: pick(testcase!.jsonData, run.inputFields!),
          expected: pick(testcase!.jsonData, run.expectedFields!),
          outputs: answer.outputs,
          otelLinkId: null,
          sessionId: null,
        };
        const masker = await masking.of({ organizationId }, { runId }, tx);
        await insertRecords(tx, { organizationId }, runId, [maskRecord(masker, record)]);
        // After the record, which a trigger then measures.
        const finished = await finishExecution(tx, runId, claim, answer, taken.last, latencyMs);
        if (finished.count === 0) throw new LeaseLost();
        return true;
      })
      .catch((error) => {
        if (!(error instanceof LeaseLost)) throw error;
        return false;
      });
  };

  /** Writes what a call cost that made no record, such as one that was cancelled while it was under way. */
  const keep = async (job: Job, outcome: Answer): Promise<void> => {
    const { runId, claim } = job;
    const { organizationId } = claim;
    const kept = keptOf(outcome, job, await masking.of({ organizationId }, { runId }));
    if (kept) await db.transaction({ organizationId }, (tx) => keepAttempt(tx, runId, claim, kept));
  };

  const execute = async (job: Job, signal: AbortSignal): Promise<void> => {
    const { outcome, latencyMs } = await call(deps, job, signal);
    if (signal.aborted) return keep(job, outcome);
    if (outcome.state === 'answered') {
      if (!(await commitAnswer(job, outcome, latencyMs))) await keep(job, outcome);
      return onRecord();
    }
    const { organizationId } = job.claim;
    const masker = await masking.of({ organizationId }, { runId: job.runId });
    const kept = keptOf(outcome, job, masker);
    const text = (outcome.because ?? outcome.error).slice(0, longestError);
    const error = asText(masker ? masker.text(text) : text);
    const failure = retryOf({ ...outcome, error }, job.claim.attempts, backOff, Math.random);
    await db.transaction({ organizationId }, async (tx) => {
      await failExecution(tx, job.runId, job.claim, failure);
      if (kept) await keepAttempt(tx, job.runId, job.claim, kept);
    });
  };

  const executeNext = async (stopping: AbortSignal, more: () => void): Promise<boolean> => {
    const work = await claim();
    if (!work || work.jobs.length === 0) return work !== undefined;
    more();
    const { runId, jobs } = work;
    const open = new Set(jobs);
    const renew = (inMs: number) => {
      const claims = [...open].map(({ claim }) => claim);
      return db.transaction(system, (tx) => renewLeases(tx, runId, claims, inMs));
    };
    const lease = {
      ...{ leaseMs, stopping },
      renew: async () => (await renew(leaseMs)).count > 0 || open.size === 0,
      failed: (error: unknown) => log.warn({ err: error }, 'leases of executions were not renewed'),
    };
    try {
      await keepLease(lease, (signal) =>
        settleAll(jobs, async (job) => {
          await execute(job, signal);
          if (!signal.aborted) open.delete(job);
        }),
      );
    } finally {
      if (open.size > 0) await renew(0);
    }
    return true;
  };

  return startLoops({
    count: batches,
    next: executeNext,
    pollMs,
    longestPollMs: longestPollMs(db),
    failed: (error) => log.error({ err: error }, 'finished executions were not stored; they will be retried'),
  });
};
