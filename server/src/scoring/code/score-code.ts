import { languageOf } from '../../engine/sandbox/language-of.ts';
import type { CodeInput, CodeResult, Sandbox } from '../../engine/sandbox/sandbox.ts';
import { type Scale, scaleOf } from '../../evaluation/metrics/scale.ts';
import { fieldOf, scoreIssues, scoreValue } from '../../evaluation/scores/validate-score.ts';
import type { TraceReader } from '../../traces/read/read-scored-trace.ts';
import type { ScoredSpan } from '../../traces/read/scored-spans.ts';
import {
  type TracePartName,
  type TraceParts,
  withOutputMessages,
  withSpan,
} from '../../traces/read/scored-trace.ts';
import { traceNamesOf } from '../judges/trace-names.ts';
import { outcomeOfAttempt } from '../queue/outcome.ts';
import type { Outcome } from '../queue/queries.ts';
import type { Batch, Job } from '../queue/worker.ts';

/** After this time on one batch, the rest goes back to the queue so that other runs get their turn. */
const turnMs = 10_000;
/** Records given to the sandbox at once: few for slow code, so that a turn can end; many for fast code. */
const slices = { first: 50, most: 1_000, fastMs: 200 };
/** Most records with traces in a slice: traces may be large, and are read before the sandbox begins. */
const mostTraced = 20;

const failed = (reason: string) => ({ state: 'failed' as const, score: null, value: null, reason });

/**
 * Checks the value that the code returned against the metric's output type. A value that does not fit makes the score fail; a record that
 * lacks a field is unscored.
 */
export const readCodeResult = (scale: Scale, result: CodeResult) => {
  if (!result.ok && result.isMissing) return { ...failed(result.error), state: 'unscored' as const };
  if (!result.ok) return failed(result.error);
  const { reasoning } = result;
  const score: Record<string, unknown> = {
    [fieldOf(scale)]: result.score,
    ...(reasoning !== undefined && { reasoning }),
  };
  const [issue] = scoreIssues(scale, score);
  if (issue) {
    return failed(`returned ${JSON.stringify(result.score)}, but ${issue.path.slice(1)} ${issue.message}`);
  }
  return { state: 'scored' as const, score, value: scoreValue(scale, score), reason: null };
};

/**
 * The fourth argument of the code, as JSON: the parts that it names, null if the record has no trace, and the list of cut parts.
 */
export const recordArgument = (
  names: readonly (TracePartName | 'span')[],
  trace: TraceParts | undefined,
): string => {
  const parts = names.map((name) => `"${name}":${trace?.texts[name] ?? 'null'}`);
  return `{${[...parts, `"cut":${JSON.stringify(trace?.evidence.cut ?? [])}`].join(',')}}`;
};

type Slice = { jobs: Job[]; inputs: CodeInput[]; traces: Map<number, TraceParts> };

/** `latencyMs`, the mean over a slice, is stored with one of its records: estimates need no more, and it saves space. */
const outcomeOf = (
  job: Job,
  result: CodeResult,
  trace: TraceParts | undefined,
  latencyMs: number | undefined,
): Outcome => {
  const read = readCodeResult(scaleOf(job.config), result);
  const evidence =
    trace || latencyMs !== undefined ? JSON.stringify({ trace: trace?.evidence, latencyMs }) : null;
  return outcomeOfAttempt(job.claim, { ...read, score: read.score && JSON.stringify(read.score), evidence });
};

const roundedMs = (ms: number) => Math.round(ms * 1_000) / 1_000;

/** A job of a span, whose code gets it as a part of the record. */
const prepareSpan = async (
  reader: TraceReader,
  runId: bigint,
  job: Job,
  span: ScoredSpan,
  names: readonly TracePartName[],
): Promise<Slice> => {
  const { claim, record } = job;
  const read = names.length > 0 ? await reader.read(claim, { runId, n: claim.n }, names) : undefined;
  const trace = withSpan(withOutputMessages(read, names, record.outputs), span)!;
  const inputs = [{ ...record, record: recordArgument(['span', ...names], trace) }];
  return { jobs: [job], inputs, traces: new Map([[claim.n, trace]]) };
};

/** Scores a batch of code metrics in the sandbox, configuration by configuration. */
export const codeScorer = (sandbox: Sandbox, reader: TraceReader) => {
  const sliceSizes = new Map<string, number>();

  /** The first jobs, with the arguments of their code. Traces are read only for code that names a part of them. */
  const prepare = async (runId: bigint, jobs: Job[]): Promise<Slice> => {
    const traces = new Map<number, TraceParts>();
    const [first] = jobs;
    const names = first ? traceNamesOf(first.config) : [];
    if (first?.span) return prepareSpan(reader, runId, first, first.span, names);
    if (!first || names.length === 0) return { jobs, inputs: jobs.map(({ record }) => record), traces };
    const numbers = jobs.map(({ claim }) => claim.n);
    const traced = await reader.traced(first.claim, runId, numbers);
    const most = jobs.filter(({ claim }) => traced.has(claim.n)).at(mostTraced);
    const taken = most ? jobs.slice(0, jobs.indexOf(most)) : jobs;
    for (const { claim, record } of taken) {
      const read = traced.has(claim.n) ? await reader.read(claim, { runId, n: claim.n }, names) : undefined;
      const trace = withOutputMessages(read, names, record.outputs);
      if (trace) traces.set(claim.n, trace);
    }
    const inputs = taken.map(({ claim, record }) => ({
      ...record,
      record: recordArgument(names, traces.get(claim.n)),
    }));
    return { jobs: taken, inputs, traces };
  };

  return async ({ lease, jobs, signal, commit }: Batch): Promise<void> => {
    const byConfig = Map.groupBy(jobs, ({ config }) => config);
    const turnEnds = performance.now() + turnMs;
    const outcomes: Outcome[] = [];
    for (const [config, own] of byConfig) {
      const language = languageOf(config.guidelines);
      if (!language) {
        outcomes.push(
          ...own.map(({ claim }) => outcomeOfAttempt(claim, failed('the guidelines hold no code'))),
        );
        continue;
      }
      let size = sliceSizes.get(config.id) ?? slices.first;
      for (let from = 0; from < own.length && performance.now() < turnEnds; ) {
        const slice = await prepare(lease.runId, own.slice(from, from + size));
        const startedAt = performance.now();
        const results = await sandbox.run(language, config.guidelines, slice.inputs, {
          owner: slice.jobs[0]!.claim.organizationId,
          signal,
        });
        const tookMs = performance.now() - startedAt;
        const latencyMs = roundedMs(tookMs / slice.jobs.length);
        outcomes.push(
          ...slice.jobs.map((job, i) =>
            outcomeOf(job, results[i]!, slice.traces.get(job.claim.n), i === 0 ? latencyMs : undefined),
          ),
        );
        from += slice.jobs.length;
        size = tookMs < slices.fastMs ? Math.min(size * 4, slices.most) : Math.max(1, size >> 2);
        if (tookMs > slices.fastMs) await commit(outcomes.splice(0));
      }
      if (sliceSizes.size > 1_000) sliceSizes.clear();
      sliceSizes.set(config.id, size);
    }
    await commit(outcomes);
  };
};
