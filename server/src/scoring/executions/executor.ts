import type { FastifyBaseLogger } from 'fastify';
import type { Called } from '../../engine/models/ask.ts';
import type { AttachedReader } from '../../evaluation/attachments/read-attached.ts';
import { maskPart, maskRecord } from '../../evaluation/masking/mask-data.ts';
import type { Masking, ProjectMasker } from '../../evaluation/masking/masking.ts';
import { insertRecords } from '../../evaluation/records/insert.ts';
import { takeRecordNumbers } from '../../evaluation/records/take-numbers.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { asJson, asText } from '../../platform/db/text.ts';
import { CommitUnknown, commitSurely } from '../../platform/jobs/commit-surely.ts';
import type { Worker } from '../../platform/jobs/loops.ts';
import { doubling, retryOf } from '../../platform/jobs/retry.ts';
import { startJobs } from '../../platform/jobs/work.ts';
import { pick } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { PromptDeps } from './ask-prompt.ts';
import type { Systems } from './open-systems.ts';
import {
  type ClaimedExecution,
  claimExecutions,
  executions,
  failExecution,
  findHeld,
  findRunSystem,
  findTestcaseData,
  finishExecution,
  type Kept,
  keepAttempt,
  type RunSystem,
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
  /** Dependencies of calls of simulated users. */
  prompts: PromptDeps;
  readAttached: AttachedReader;
  /** Called when a record has been made: it has scores to make. */
  onRecord: () => void;
  pollMs?: number;
};

/** How long after a process died others take its executions; renewed however long a system takes to answer. */
const leaseMs = 60_000;
/** Number of calls that reach the system: four. */
const backOff = doubling(4);
/** Executions claimed at once, and batches at the same time: their product is the number of concurrent calls. */
const batchSize = 8;
const batches = 4;

type Job = ClaimedExecution & { run: RunSystem; testcase: TestcaseData | undefined };

/** Rolls back a transaction whose execution is no longer this worker's. */
class LeaseLost extends Error {}

const longestError = 2_000;

const call = async (
  deps: Pick<ExecutorDeps, 'db' | 'systems' | 'prompts' | 'readAttached'>,
  job: Job,
  signal: AbortSignal,
): Promise<Called<Answer>> => {
  const { db, systems, readAttached } = deps;
  const { runId, run, testcase, organizationId } = job;
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
    attached: await readAttached(job, { runId }, [inputs]),
    testcaseId: `${run.testsetId}-${job.testcaseN}`,
    runId: String(runId),
    trial: job.trial,
  };
  // Checked in the turn, which may come long after the claim: the execution may be cancelled by then, and a call may cost money.
  const isWanted = async () => (await db.read(system, (sql) => findHeld(sql, job))).length > 0;
  if (run.maxTurns !== null)
    return converse(deps, { claim: job, run, testcase, target, question }, { signal, isWanted });
  return systems.answer(organizationId, target, question, { signal, isWanted });
};

/** The messages of a conversation that made no record. */
const brokenOffOf = (outcome: Answer, { run }: Job): BrokenOff | undefined => {
  if (outcome.state === 'failed') return outcome.brokenOff;
  if (run.maxTurns === null || outcome.evidence === null) return undefined;
  const { inputTokens, outputTokens, costUsd, userCostUsd = null } = outcome;
  const { messages } = parseJson(outcome.outputs) as Pick<BrokenOff, 'messages'>;
  const evidence = parseJson(outcome.evidence) as object;
  return { messages, evidence, inputTokens, outputTokens, costUsd, userCostUsd };
};

/**
 * The stored data of a call that made no record: its cost, and for a conversation its messages, masked like the outputs of a record.
 * Undefined if it cost nothing.
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

/** Takes executions of a run, with everything that a call of its system needs. */
const claim = (db: Database, runId: bigint): Promise<Job[]> =>
  db.transaction(system, async (tx) => {
    const claimed = await claimExecutions(tx, runId, { limit: batchSize, leaseMs });
    const [run] = await findRunSystem(tx, runId);
    const [first] = claimed;
    if (!run || !first) return [];
    const numbers = claimed.map(({ testcaseN }) => testcaseN);
    const found = await findTestcaseData(tx, first, run, numbers);
    const testcases = new Map(found.map((testcase) => [testcase.n, testcase]));
    return claimed.map((one) => ({ ...one, run, testcase: testcases.get(one.testcaseN) }));
  });

/** Makes the record of an answer, and ends its execution in the same transaction. Returns false if the lease was lost. */
const commitAnswer = (
  { db, masking }: ExecutorDeps,
  job: Job,
  answer: Extract<Answer, { state: 'answered' }>,
  latencyMs: number,
  signal: AbortSignal,
): Promise<boolean> => {
  const { runId, organizationId, testcaseN, run, testcase } = job;
  return commitSurely(db, { organizationId }, signal, async (tx) => {
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
    const finished = await finishExecution(tx, job, answer, taken.last, latencyMs);
    if (finished.count === 0) throw new LeaseLost();
    return true;
  }).catch((error) => {
    if (!(error instanceof LeaseLost)) throw error;
    return false;
  });
};

/** Writes the cost of a call that made no record, such as a call that was cancelled while it was under way. */
const keep = async (
  { db, masking }: ExecutorDeps,
  job: Job,
  outcome: Answer,
  signal: AbortSignal,
): Promise<void> => {
  const { runId, organizationId } = job;
  const kept = keptOf(outcome, job, await masking.of({ organizationId }, { runId }));
  if (kept) await commitSurely(db, { organizationId }, signal, (tx) => keepAttempt(tx, job, kept));
};

/** Writes the outcome of a call. */
const settle = async (
  deps: ExecutorDeps,
  job: Job,
  { outcome, latencyMs }: Called<Answer>,
  signal: AbortSignal,
): Promise<void> => {
  const { db, masking, onRecord } = deps;
  const { runId, organizationId } = job;
  if (signal.aborted) return keep(deps, job, outcome, signal);
  if (outcome.state === 'answered') {
    const isMade = await commitAnswer(deps, job, outcome, latencyMs, signal);
    if (!isMade) await keep(deps, job, outcome, signal);
    return onRecord();
  }
  const masker = await masking.of({ organizationId }, { runId });
  const text = (outcome.because ?? outcome.error).slice(0, longestError);
  const error = asText(masker ? masker.text(text) : text);
  const failure = retryOf({ ...outcome, error }, job.attempts, backOff, Math.random);
  const kept = keptOf(outcome, job, masker);
  await commitSurely(db, { organizationId }, signal, async (tx) => {
    await failExecution(tx, job, failure);
    if (kept) await keepAttempt(tx, job, kept);
  });
};

const execute = async (deps: ExecutorDeps, job: Job, signal: AbortSignal): Promise<void> => {
  const called = await call(deps, job, signal);
  try {
    await settle(deps, job, called, signal);
  } catch (error) {
    // The job is done again, and its cost counts. Where that is not known to be open, it is rather lost than counted twice.
    if (!(error instanceof CommitUnknown)) await keep(deps, job, called.outcome, signal);
    throw error;
  }
};

/** Calls the systems of runs and makes a record of each answer: one for each execution, even if worker processes die. */
export const startExecutor = (deps: ExecutorDeps): Worker =>
  startJobs(deps, {
    of: executions,
    leaseMs,
    batches,
    claim: (runId: bigint) => claim(deps.db, runId),
    work: (job, signal) => execute(deps, job, signal),
  });
