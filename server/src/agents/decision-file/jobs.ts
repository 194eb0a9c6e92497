import { calibrate } from '../../insights/analysis/calibrate.ts';
import { compare } from '../../insights/analysis/compare.ts';
import type { Jobs } from '../../insights/analysis/compute-worker.ts';
import type { RunColumns } from '../../insights/analysis/run-scores.ts';
import { summarize } from '../../insights/analysis/summarize.ts';

/** The jobs of the statistics that a gate asks for. */
const jobs = { summarize, compare, calibrate };
export type JobName = keyof typeof jobs;
type Job<Name extends JobName> = Parameters<Jobs[Name]>[0];

/** In place of a run in a job: the file has each run once. */
type RunPlace = { run: string; near: boolean; metricIds: string[] | null };

const isPlace = (value: object): value is RunPlace => 'near' in value && 'metricIds' in value;
const isRun = (value: object): value is RunColumns =>
  'runId' in value && 'records' in value && 'scores' in value;

/** Copies a job without its runs, which `keep` takes. JSON has no big integers. */
export const packJob = (job: unknown, keep: (run: RunColumns) => void): unknown => {
  const pack = (value: unknown): unknown => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(pack);
    if (isRun(value)) {
      keep(value);
      const metricIds = value.scores.map(({ metricId }) => metricId);
      return { run: value.runId, near: value.nearDuplicates !== undefined, metricIds };
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, pack(item)]));
  };
  return pack(job);
};

/** The job that was packed, with the runs of a file. Throws for a run that the file does not have. */
const unpackJob = (job: unknown, runOf: (id: string) => RunColumns): unknown => {
  const unpack = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(unpack);
    if (isPlace(value)) {
      const { nearDuplicates, ...run } = runOf(value.run);
      const scores = run.scores.filter(({ metricId }) => value.metricIds?.includes(metricId) ?? true);
      return { ...run, scores, ...(value.near && nearDuplicates && { nearDuplicates }) };
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unpack(item)]));
  };
  return unpack(job);
};

/** Does a packed job again, at a level. Returns the answer as JSON has it. */
export const redo = (
  name: JobName,
  job: unknown,
  level: number,
  runOf: (id: string) => RunColumns,
): unknown => {
  const again = { ...(unpackJob(job, runOf) as object), level };
  return JSON.parse(JSON.stringify((jobs[name] as (job: unknown) => unknown)(again as Job<JobName>)));
};
