import { mapConcurrently } from './concurrency.ts';
import { DokimaError } from './errors.ts';
import type { Operations, Run, RunDetail, Testcase, Trial } from './generated.ts';
import { sleep } from './retry.ts';
import type { JsonObject } from './types.ts';

/** One call of the system: a testcase and the number of the trial. */
export type Attempt = {
  testcase: Testcase;
  /** Counts from 1. */
  trial: number;
  /** Links a trace to the record: set it on the trace of this call. */
  otelLinkId: string;
  signal: AbortSignal | undefined;
};

export type Evaluation = {
  projectId: string;
  testsetId: string;
  /** Only the testcases of this split. */
  split?: string | undefined;
  /** Number of fresh testcases that a new run takes. */
  fresh?: number | undefined;
  metricIds: string[];
  systemVersionId?: string | undefined;
  /** Tags of the new run. */
  tags?: string[] | undefined;
  /** The system under test. */
  system: (inputs: JsonObject, attempt: Attempt) => Promise<JsonObject>;
  /**
   * Behaviour when the system throws or gives an answer that cannot be stored, such as one that is too large. `stop`, the default, ends the
   * evaluation with that error. `skip` stores no record for this call; a later evaluation with `runId` repeats it.
   */
  onSystemError?: 'stop' | 'skip' | undefined;
  /** Number of calls of the system at the same time. Default 4. */
  concurrency?: number | undefined;
  /** Number of calls for each testcase. Default 1. */
  trials?: number | undefined;
  /** Continues this run. Calls that already have a record are not repeated. */
  runId?: string | undefined;
  /** Called before the first call of the system, and after each record. */
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
};

export type Progress = { runId: string; done: number; total: number };

/** A run and the progress of its scores by metric. */
export type Watched = { run: Run; progress: RunDetail['progress'] };

export type Evaluated = {
  run: Run;
  /** In the order of the testcases and their trials, without failed calls. */
  recordIds: string[];
  failures: { attempt: Attempt; error: unknown }[];
};

type WatchOptions = { signal?: AbortSignal | undefined; everyMs?: number | undefined };

async function* watchRunProgress(
  api: Operations,
  runId: string,
  { signal, everyMs = 1_000 }: WatchOptions = {},
): AsyncGenerator<Watched> {
  let last = '';
  for (;;) {
    const run = await api.getRun(runId, { signal });
    const progress = (await api.getRunDetails(runId, { signal })).progress;
    const text = JSON.stringify([run, progress]);
    if (text !== last) yield { run, progress };
    last = text;
    if (run.status === 'completed' || run.status === 'awaiting_human_scoring') return;
    // Nothing more comes until someone raises the judge budget.
    if (progress.stoppedBy !== null && !progress.working) return;
    await sleep(everyMs, signal);
  }
}

/** Whether the service refuses this record: another answer may be stored. */
const isRefused = (error: unknown): error is DokimaError =>
  error instanceof DokimaError && [400, 413].includes(error.status ?? 0);

const linkOf = (runId: string, testcaseId: string, trial: number): string =>
  `run-${runId}/${testcaseId}/${trial}`;

/** Returns the ids of a run's records by link. The link names the testcase and the trial. */
const recordsByLink = async (
  api: Operations,
  run: Run,
  projectId: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> => {
  const links = new Map<string, string>();
  if (run.numRecords === 0) return links;
  for await (const record of api.listProjectRecords(projectId, { runId: run.id }, { signal })) {
    if (record.otelLinkId !== null) links.set(record.otelLinkId, record.id);
  }
  return links;
};

const requireCount = (name: string, count: number): void => {
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`${name} must be a whole number from 1`);
};

/** Calls the system once and stores its answer. Returns an error that the evaluation goes on after, and throws one that ends it. */
const recordAttempt = async (
  api: Operations,
  runId: string,
  attempt: Attempt,
  { system, onSystemError = 'stop' }: Pick<Evaluation, 'system' | 'onSystemError'>,
): Promise<{ recordId: string } | { error: unknown }> => {
  const { testcase, otelLinkId, signal } = attempt;
  const { inputs, expected } = testcase;
  let outputs: JsonObject;
  try {
    outputs = await system(inputs, attempt);
  } catch (error) {
    if (onSystemError === 'stop' || signal?.aborted) throw error;
    return { error };
  }
  const content = { testcaseId: testcase.id, inputs, expected, outputs, otelLinkId };
  // Without the signal, so that an answer that was paid for is stored. Without a key, because the service then writes records
  // that arrive together in one commit; the link already prevents a second record.
  try {
    return { recordId: (await api.createRecord(runId, content, { idempotencyKey: null })).id };
  } catch (error) {
    if (onSystemError === 'stop' || !isRefused(error)) throw error;
    return { error: new Error(`The answer was not stored: ${error.message}`, { cause: error }) };
  }
};

const openRun = (
  api: Operations,
  { projectId, testsetId, split, fresh, metricIds, systemVersionId, tags, runId, signal }: Evaluation,
): Promise<Run> =>
  runId === undefined
    ? api.createRun(
        projectId,
        {
          testsetId,
          metricIds,
          systemVersionId,
          ...(split && { split }),
          ...(fresh && { fresh }),
          ...(tags && { tags }),
        },
        { signal },
      )
    : api.getRun(runId, { signal });

const runAndEvaluate = async (api: Operations, evaluation: Evaluation): Promise<Evaluated> => {
  const { projectId, testsetId, split, signal, onProgress, concurrency = 4, trials = 1 } = evaluation;
  requireCount('trials', trials);
  requireCount('concurrency', concurrency);

  // Before the testcases are listed: it may take fresh ones.
  const run = await openRun(api, evaluation);
  const testcases: Testcase[] = [];
  const wanted = split ? { q: `split:${JSON.stringify(split)}` } : {};
  for await (const testcase of api.listTestcases(testsetId, wanted, { signal })) testcases.push(testcase);
  const before = await recordsByLink(api, run, projectId, signal);

  const attempts = testcases.flatMap((testcase) =>
    Array.from({ length: trials }, (_, i) => ({
      testcase,
      trial: i + 1,
      otelLinkId: linkOf(run.id, testcase.id, i + 1),
      signal,
    })),
  );
  const total = attempts.length;
  let done = attempts.filter(({ otelLinkId }) => before.has(otelLinkId)).length;
  onProgress?.({ runId: run.id, done, total });

  const failures: Evaluated['failures'] = [];
  const made = await mapConcurrently(attempts, concurrency, async (attempt) => {
    const recorded = before.get(attempt.otelLinkId);
    if (recorded !== undefined) return recorded;
    signal?.throwIfAborted();
    const outcome = await recordAttempt(api, run.id, attempt, evaluation);
    if ('error' in outcome) {
      failures.push({ attempt, error: outcome.error });
      return undefined;
    }
    onProgress?.({ runId: run.id, done: ++done, total });
    return outcome.recordId;
  });
  const recordIds = made.filter((id) => id !== undefined);
  return { run: await api.getRun(run.id, { signal }), recordIds, failures };
};

/** Calls that run a whole evaluation. */
export const evaluationCalls = (api: Operations) => ({
  /**
   * Calls a system with every testcase of a testset and stores its answers as records, in a new run or in `runId`. Each record is
   * stored as soon as it arrives. Its link names the testcase and the trial, so that an interrupted evaluation can be continued
   * and nothing is recorded twice.
   */
  runAndEvaluate: (evaluation: Evaluation): Promise<Evaluated> => runAndEvaluate(api, evaluation),

  /** Yields the run each time its counts or its status change, until only a person can continue it. */
  watchRun: async function* (runId: string, options?: WatchOptions): AsyncGenerator<Run> {
    let last = '';
    for await (const { run } of watchRunProgress(api, runId, options)) {
      const text = JSON.stringify(run);
      if (text !== last) yield run;
      last = text;
    }
  },

  /** As `watchRun`, and also yields the progress of the scores and what blocks them, each time that changes. */
  watchRunProgress: (runId: string, options?: WatchOptions): AsyncGenerator<Watched> =>
    watchRunProgress(api, runId, options),

  /** Yields the trial each time it changes, until its verdicts are there or the judge budget of its run is used up. */
  watchTrial: async function* (
    metricId: string,
    trialNumber: string | number,
    { signal, everyMs = 1_000 }: WatchOptions = {},
  ): AsyncGenerator<Trial> {
    let last = '';
    for (;;) {
      const trial = await api.getTrial(metricId, String(trialNumber), {}, { signal });
      const text = JSON.stringify(trial);
      if (text !== last) yield trial;
      last = text;
      const stopped = trial.kind === 'rescoring' ? trial.stoppedBy !== null : trial.stopped;
      if (trial.state !== 'running' || stopped) return;
      await sleep(everyMs, signal);
    }
  },
});
