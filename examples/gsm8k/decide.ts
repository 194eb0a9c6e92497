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

/** The service's comparison of two systems. */
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

/** Compares each pair of the systems' runs: six pairs for four systems. */
export const compareSystems = async (api: Api, results: Result[]): Promise<Pair[]> => {
  const system = new Map(results.map((result) => [result.runId, result.system]));
  const { pairs } = await api<Comparison>('GET', `/runs/compare?runs=${[...system.keys()]}`);
  return pairs.map(({ before, after, metrics }) => ({
    ...metrics[0]!,
    before: system.get(before)!,
    after: system.get(after)!,
  }));
};

/** Runs `dokima gate RUN --baseline RUN`, as CI would. Returns its output and its exit code. */
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

/** Returns a pseudo-random number from 0 to 1 that is the same in each run. */
const pseudoRandom = (seed: string, i: number): number =>
  createHash('sha256').update(`${seed}:${i}`).digest().readUInt32BE(0) / 2 ** 32;

type Estimate = { estimate: number; interval: Interval };
export type Calibration = {
  n: number;
  sensitivity: Estimate;
  specificity: Estimate;
  kappa: Estimate;
  corrected: {
    roganGladen: Estimate & { uncorrected: number };
    predictionPowered: Estimate & { numLabels: number };
  };
};

/** The error rates of the simulated judge, and the share of the authors' labels that count as scores by people. */
export const noise = { sensitivity: 0.9, specificity: 0.8, labelled: 0.3 };

/**
 * Scores a run with a simulated judge of known error rates, and some records with scores by people. Returns the service's
 * calibration of the judge and its estimates of the true pass rate.
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
    const errs = pseudoRandom(`${seed} judge`, i) >= (truth ? noise.sensitivity : noise.specificity);
    const isLabelled = pseudoRandom(`${seed} people`, i) < noise.labelled;
    return [
      score(i, judge.configId, truth !== errs),
      ...(isLabelled ? [score(i, people.configId, truth)] : []),
    ];
  });
  for (const items of inBatches(scores, 1000))
    await api('POST', `/runs/${runId}/scores/bulk-upsert`, { items });
  return api<Calibration>('GET', `/metrics/${judge.id}/calibration?against=${people.id}&runId=${runId}`);
};
