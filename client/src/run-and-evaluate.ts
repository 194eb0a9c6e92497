import { mapConcurrently } from './concurrency.ts';
import type { Operations, Rescoring, Run, Testcase } from './generated.ts';
import { sleep } from './retry.ts';
import type { JsonObject } from './types.ts';

/** One question put to the system: a testcase, and which of its trials this is. */
export type Attempt = {
  testcase: Testcase;
  /** From 1. */
  trial: number;
  /** Put it on the trace of this call, and the trace belongs to the record. */
  otelLinkId: string;
  signal: AbortSignal | undefined;
};

export type Evaluation = {
  projectId: string;
  testsetId: string;
  metricIds: string[];
  systemVersionId?: string | undefined;
  /** The system under test. */
  system: (inputs: JsonObject, attempt: Attempt) => Promise<JsonObject>;
  /**
   * What the system's throwing does. `stop`, the default: ends the evaluation with that error. `skip`: leaves this one without a
   * record, for a later evaluation with `runId` to try again.
   */
  onSystemError?: 'stop' | 'skip' | undefined;
  /** How many calls of the system are under way at a time. Default 4. */
  concurrency?: number | undefined;
  /** How often each testcase is put to the system. Default 1. */
  trials?: number | undefined;
  /** Goes on with this run: what has a record already is not asked again. */
  runId?: string | undefined;
  /** Hears of the run before the system is first called, and after each record. */
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
};

export type Progress = { runId: string; done: number; total: number };

/** A run and how far its scores are, metric by metric. */
export type Watched = { run: Run; progress: Awaited<ReturnType<Operations['getRunProgress']>> };

export type Evaluated = {
  run: Run;
  /** In the order of the testcases, trial after trial, without those that failed. */
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
    const progress = await api.getRunProgress(runId, { signal });
    const text = JSON.stringify([run, progress]);
    if (text !== last) yield { run, progress };
    last = text;
    if (run.status === 'completed' || run.status === 'awaiting_human_scoring') return;
    // Until somebody raises the judge budget.
    if (progress.stoppedBy !== null && !progress.working) return;
    await sleep(everyMs, signal);
  }
}

const asked = (runId: string, testcaseId: string, trial: number): string =>
  `run-${runId}/${testcaseId}/${trial}`;

/** Records of a run by their link, which says what was asked. */
const recordedBefore = async (
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

/** The calls that carry out a whole evaluation. */
export const evaluationCalls = (api: Operations) => ({
  /**
   * Puts every testcase of a testset to a system and records what it answers, in a new run or in `runId`. Each record is
   * stored as soon as it is there, under a link that says which testcase and trial it is: an evaluation that was broken off
   * can be gone on with, and nothing is recorded twice.
   */
  runAndEvaluate: async (evaluation: Evaluation): Promise<Evaluated> => {
    const { projectId, testsetId, metricIds, systemVersionId, system, signal, onProgress } = evaluation;
    const { concurrency = 4, trials = 1, runId, onSystemError = 'stop' } = evaluation;
    const failures: Evaluated['failures'] = [];
    if (!Number.isInteger(trials) || trials < 1) throw new RangeError('trials must be a whole number from 1');
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new RangeError('concurrency must be a whole number from 1');

    const testcases: Testcase[] = [];
    for await (const testcase of api.listTestcases(testsetId, {}, { signal })) testcases.push(testcase);
    const run =
      runId === undefined
        ? await api.createRun(projectId, { testsetId, metricIds, systemVersionId }, { signal })
        : await api.getRun(runId, { signal });
    const before = await recordedBefore(api, run, projectId, signal);

    const attempts = testcases.flatMap((testcase) =>
      Array.from({ length: trials }, (_, i) => ({
        testcase,
        trial: i + 1,
        otelLinkId: asked(run.id, testcase.id, i + 1),
        signal,
      })),
    );
    const total = attempts.length;
    let done = attempts.filter(({ otelLinkId }) => before.has(otelLinkId)).length;
    onProgress?.({ runId: run.id, done, total });

    const made = await mapConcurrently(attempts, concurrency, async (attempt) => {
      const { testcase, otelLinkId } = attempt;
      const recorded = before.get(otelLinkId);
      if (recorded !== undefined) return recorded;
      signal?.throwIfAborted();
      const { inputs, expected } = testcase;
      let outputs: JsonObject;
      try {
        outputs = await system(inputs, attempt);
      } catch (error) {
        if (onSystemError === 'stop' || signal?.aborted) throw error;
        failures.push({ attempt, error });
        return undefined;
      }
      const content = { testcaseId: testcase.id, inputs, expected, outputs, otelLinkId };
      // Not given the signal: an answer that has been paid for is kept. The link keeps a repeated attempt from making a second
      // record, and without a key the service writes records that come together in one commit.
      const record = await api.createRecord(run.id, content, { idempotencyKey: null });
      onProgress?.({ runId: run.id, done: ++done, total });
      return record.id;
    });
    const recordIds = made.filter((id) => id !== undefined);
    return { run: await api.getRun(run.id, { signal }), recordIds, failures };
  },

  /** The run each time its counts or its status have changed, until nothing more will come without a person. */
  watchRun: async function* (runId: string, options?: WatchOptions): AsyncGenerator<Run> {
    let last = '';
    for await (const { run } of watchRunProgress(api, runId, options)) {
      const text = JSON.stringify(run);
      if (text !== last) yield run;
      last = text;
    }
  },

  /** The same with how far its scores are, and what keeps them from being made, each time that changes. */
  watchRunProgress: (runId: string, options?: WatchOptions): AsyncGenerator<Watched> =>
    watchRunProgress(api, runId, options),

  /** The rescoring each time it has changed, until its proposals are there or its run's judge budget is used up. */
  watchRescoring: async function* (
    runId: string,
    rescoringId: string,
    { signal, everyMs = 1_000 }: WatchOptions = {},
  ): AsyncGenerator<Rescoring> {
    let last = '';
    for (;;) {
      const rescoring = await api.getRescoring(runId, rescoringId, { signal });
      const text = JSON.stringify(rescoring);
      if (text !== last) yield rescoring;
      last = text;
      if (rescoring.status !== 'running' || rescoring.stoppedBy !== null) return;
      await sleep(everyMs, signal);
    }
  },
});
