import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { dokima } from '../../cli/src/dokima.ts';
import { type Api, inBatches } from './api.ts';
import type { Result } from './evaluate.ts';
import type { Problem } from './problems.ts';

type Created = { id: string };
type Interval = { low: number; high: number } | null;

/** One pair of systems, as the service compares them. */
export type Pair = {
  before: string;
  after: string;
  n: number;
  difference: number;
  interval: Interval;
  wins: number;
  losses: number;
  mcnemar: { exact: number; midP: number };
  adjustedP: number;
  sentence: string;
};

type Comparison = { pairs: { before: string; after: string; metrics: Omit<Pair, 'before' | 'after'>[] }[] };

/** Compares the runs of all systems, each with each: six pairs of four. */
export const compareSystems = async (api: Api, results: Result[]): Promise<Pair[]> => {
  const system = new Map(results.map((result) => [result.runId, result.system]));
  const { pairs } = await api<Comparison>('GET', `/runs/compare?runs=${[...system.keys()]}`);
  return pairs.map(({ before, after, metrics }) => ({
    ...metrics[0]!,
    before: system.get(before)!,
    after: system.get(after)!,
  }));
};

/** Puts a run to the gate, as CI would by `dokima gate RUN --baseline RUN`: what it says, and the exit code that decides. */
export const gate = async (
  url: string,
  key: string,
  baselineId: string,
  runId: string,
): Promise<{ report: string; exitCode: number }> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const exitCode = await dokima(['gate', runId, '--baseline', baselineId], {
    stdin: Readable.from([]),
    stdout,
    stderr,
    environment: { DOKIMA_URL: url, DOKIMA_API_KEY: key },
    directory: fileURLToPath(new URL('.', import.meta.url)),
    signal: new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  return { report: (await text(stdout)) + (await text(stderr)), exitCode };
};

/** A number from 0 to 1 that looks drawn and is the same each time. */
const drawn = (seed: string, i: number): number =>
  createHash('sha256').update(`${seed}:${i}`).digest().readUInt32BE(0) / 2 ** 32;

type Estimate = { estimate: number; interval: Interval };
export type Calibration = {
  n: number;
  sensitivity: Estimate;
  specificity: Estimate;
  kappa: Estimate;
  corrected: {
    roganGladen: Estimate & { uncorrected: number };
    predictionPowered: Estimate & { labelled: number };
  };
};

/** How the judge is made from the authors' labels, and how many of these people are said to have given. */
export const noise = { sensitivity: 0.9, specificity: 0.8, labelled: 0.3 };

/**
 * Has a judge that errs at a known rate score a run, and people some of its records; returns what the service says of the
 * judge, and of the true pass rate.
 */
export const calibrateJudge = async (
  api: Api,
  projectId: string,
  { runId, system }: Result,
  problems: Problem[],
  seed = 'gsm8k',
): Promise<Calibration> => {
  const createMetric = async (name: string, evalType: string) => {
    const body = { name, evalType, outputType: 'boolean' };
    const { id } = await api<Created>('POST', `/projects/${projectId}/metrics`, body);
    const { data } = await api<{ data: Created[] }>('GET', `/metrics/${id}/versions`);
    return { id, configId: data[0]!.id };
  };
  const [judge, people] = [
    await createMetric('Noisy judge', 'heuristic'),
    await createMetric('People', 'human'),
  ];
  const score = (i: number, metricConfigId: string, binaryScore: boolean) => ({
    recordId: `${runId}-${i + 1}`,
    metricConfigId,
    score: { binaryScore },
  });
  const scores = problems.flatMap((problem, i) => {
    const truth = problem[system].is_correct;
    const errs = drawn(`${seed} judge`, i) >= (truth ? noise.sensitivity : noise.specificity);
    const isLabelled = drawn(`${seed} people`, i) < noise.labelled;
    return [
      score(i, judge.configId, truth !== errs),
      ...(isLabelled ? [score(i, people.configId, truth)] : []),
    ];
  });
  for (const items of inBatches(scores, 1000))
    await api('POST', `/runs/${runId}/scores/bulk-upsert`, { items });
  return api<Calibration>('GET', `/metrics/${judge.id}/calibration?against=${people.id}&runId=${runId}`);
};
