import { type ProviderConfig, resolveModel } from '../../engine/models/provider.ts';
import { scaleFor } from '../../evaluation/metrics/scale.ts';
import { presentEdition } from '../../evaluation/testsets/snapshot-queries.ts';
import { countWanted, requireNoTestcases } from '../../evaluation/testsets/wanted-testcases.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Judge } from '../judges/judge.ts';
import { type JudgeConfig, judgeConfigOf, systemMessage } from '../judges/judge-prompt.ts';
import { codeSeconds, secondsAt } from './durations.ts';
import { estimateCalls } from './estimate-calls.ts';
import { estimateSimulation } from './estimate-simulation.ts';
import {
  type EstimatedMetric,
  findEstimatedMetrics,
  type MeasuredVerdicts,
  measureCode,
  measureTestcases,
  measureVerdicts,
} from './queries.ts';
import type { RunEstimateRequest } from './schema.ts';

/** Assumed length of an output before the system answers: a page of text. */
const outputBytes = 1_000;

type Size = {
  numRecords: number;
  recordBytes: number;
  outputBytes: number;
  haveFiles: boolean;
  /** Mean number of criteria that a testcase brings. */
  numCriteria: number;
};

/** English takes about four bytes a token; other scripts take more bytes and about as many tokens. */
export const bytesPerToken = 4;
/** Tokens of a verdict with its reasoning, generously. */
export const tokensPerVerdict = 200;

/** Tokens of the verdict on one of several criteria, with its reason and quote; and bytes around the text of each. */
const [tokensPerCriterion, bytesAroundCriterion] = [100, 40];

/** How a judge asks about the criteria of a record: in how many calls, and about how many in each. */
const callsOf = ({ criteria }: JudgeConfig, { numCriteria }: Size): { calls: number; inEach: number } => {
  if (!criteria) return { calls: 1, inEach: 0 };
  const all = Math.max(1, criteria.items.length + (criteria.fromExpected ? numCriteria : 0));
  return criteria.isolate ? { calls: all, inEach: 1 } : { calls: 1, inEach: all };
};

/** Tokens of one verdict by the length of the prompt, as if the template named the whole record. */
const byTemplate = (config: JudgeConfig, size: Size) => {
  const { calls, inEach } = callsOf(config, size);
  const texts = [systemMessage(scaleFor(config)), config.promptTemplate, config.guidelines];
  const bytes = texts.reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    size.recordBytes + size.outputBytes,
  );
  // The criteria of testcases are a part of the record.
  const own = config.criteria?.items.map(({ text }) => Buffer.byteLength(text) + bytesAroundCriterion) ?? [];
  const ofCriteria = own.reduce((sum, length) => sum + length, 0);
  const each = tokensPerVerdict + tokensPerCriterion * Math.max(0, inEach - 1);
  return {
    inputTokens: Math.ceil((calls * bytes + ofCriteria) / bytesPerToken) * config.judgeRepeats,
    outputTokens: Math.ceil(calls * each) * config.judgeRepeats,
  };
};

/** Code and people cost nothing. The time of people is not known. */
const free = { basis: 'free', inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Estimates the verdicts of a judge: from those that were measured, else from the length of its prompt. */
export const estimateJudged = (
  judge: Judge,
  providers: ProviderConfig[],
  metric: EstimatedMetric,
  measured: MeasuredVerdicts | undefined,
  size: Size,
) => {
  const { numRecords } = size;
  const metricId = String(metric.metricId);
  const config = judgeConfigOf(metric);
  const known = measured !== undefined && measured.count > 0 ? measured : undefined;
  const each = known
    ? { inputTokens: known.inputTokens ?? 0, outputTokens: known.outputTokens ?? 0 }
    : byTemplate(config, size);
  const resolved = resolveModel(config.evalModelName, providers);
  const model = 'error' in resolved ? undefined : resolved;
  const costEach = known?.costUsd ?? (model ? judge.costOf(model, each) : null);
  const latencyMs = known?.latencyMs ?? null;
  const requests = numRecords * config.judgeRepeats * callsOf(config, size).calls;
  return {
    metricId,
    basis: known ? 'earlierScores' : 'template',
    numMeasured: known?.count ?? 0,
    inputTokens: Math.round(each.inputTokens * numRecords),
    outputTokens: Math.round(each.outputTokens * numRecords),
    costUsd: costEach === null ? null : costEach * numRecords,
    seconds:
      latencyMs === null || !model
        ? null
        : secondsAt(model.provider, { judgements: numRecords, requests, latencyMs }),
  };
};

const sizeOf = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  { testsetId, snapshot, split, testcases, trials = 1, numRecords }: RunEstimateRequest,
): Promise<Size> => {
  if (testsetId === undefined) requireNoTestcases({ snapshot, split });
  if (testcases !== undefined) {
    if (testsetId !== undefined) throw invalid('/testcases', 'must be left out with testsetId');
    const bytes = Buffer.byteLength(JSON.stringify(testcases)) / testcases.length;
    return {
      numRecords: testcases.length * trials,
      recordBytes: bytes,
      outputBytes,
      haveFiles: false,
      numCriteria:
        testcases.reduce((sum, { criteria }) => sum + (Array.isArray(criteria) ? criteria.length : 0), 0) /
        testcases.length,
    };
  }
  if (testsetId === undefined) {
    if (numRecords === undefined) throw invalid('', 'must have testsetId, testcases or numRecords');
    return { numRecords, recordBytes: 0, outputBytes, haveFiles: false, numCriteria: 0 };
  }
  const id = numericId('testset', testsetId);
  const edition =
    snapshot === undefined && split === undefined
      ? presentEdition
      : (await countWanted((one) => db.read(scope, one), scope, id, { snapshot, split })).edition;
  const rows = await db.read(scope, (sql) => measureTestcases(sql, scope, projectId, id, { edition, split }));
  const { count, bytes, haveFiles, numCriteria } = requireOne(rows, 'testset', testsetId);
  return {
    numRecords: numRecords ?? count * trials,
    recordBytes: bytes,
    outputBytes,
    haveFiles,
    numCriteria,
  };
};

type Estimator = { judge: Judge; providers: ProviderConfig[]; codeProcesses: number };

const estimateMetric = async (
  db: Database,
  scope: Scope,
  { judge, providers, codeProcesses }: Estimator,
  metric: EstimatedMetric,
  size: Size,
) => {
  const { metricId, configId, evalModelName } = metric;
  if (evalModelName !== null) {
    const [measured] = await db.read(scope, (sql) => measureVerdicts(sql, scope, metricId, configId));
    return estimateJudged(judge, providers, metric, measured, size);
  }
  const [timed] = await db.read(scope, (sql) => measureCode(sql, scope, metricId, configId));
  const { count: numMeasured, latencyMs } = timed!;
  const seconds = latencyMs === null ? null : codeSeconds(size.numRecords, latencyMs, codeProcesses);
  return { metricId: String(metricId), ...free, numMeasured, seconds };
};

/** Estimates what the metrics of a run will cost, as JSON. Throws 404 for a metric or testset of another project. */
export const estimateRun = async (
  db: Database,
  scope: Scope,
  estimator: Estimator,
  projectId: bigint,
  body: RunEstimateRequest,
): Promise<string> => {
  const ids = body.metricIds.map((id) => numericId('metric', id));
  if (new Set(ids).size < ids.length) throw invalid('/metricIds', 'must name each metric once');
  const found = new Map(
    (await db.read(scope, (sql) => findEstimatedMetrics(sql, scope, projectId, ids))).map((metric) => [
      metric.metricId,
      metric,
    ]),
  );
  const plain = await sizeOf(db, scope, projectId, body);
  const simulation = body.simulation
    ? await estimateSimulation(
        db,
        scope,
        estimator,
        projectId,
        { ...body, simulation: body.simulation },
        plain,
      )
    : null;
  const size = simulation
    ? { ...plain, numRecords: simulation.conversations, outputBytes: simulation.outputBytes }
    : plain;
  const metrics = await Promise.all(
    ids.map(async (id) => {
      const metric = found.get(id);
      if (!metric) throw notFound('metric', String(id));
      return estimateMetric(db, scope, estimator, metric, size);
    }),
  );
  const systemCostUsd = await estimateCalls(db, scope, estimator, projectId, body, plain);
  const costs = metrics.map(({ costUsd }) => costUsd);
  const costUsd = costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  // The tokens of earlier verdicts include those of files.
  const leavesOutFiles = size.haveFiles && metrics.some(({ basis }) => basis === 'template');
  const { numRecords } = size;
  return JSON.stringify({
    numRecords,
    costUsd,
    leavesOutFiles,
    metrics,
    systemCostUsd,
    simulation: simulation?.estimate ?? null,
  });
};
