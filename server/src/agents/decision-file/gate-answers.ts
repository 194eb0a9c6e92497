import type { Predicate } from '../../../../client/src/decision-file/file.ts';
import type {
  Client,
  Execution,
  LedgerLook,
  RecordDetail,
  Run,
  RunDetail,
} from '../../../../client/src/main.ts';
import { canonicalJson } from '../../../../client/src/passport/passport.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { type Compute, compute } from '../../insights/analysis/compute.ts';
import { readCalibration } from '../../insights/analysis/read-calibration.ts';
import { readComparison } from '../../insights/analysis/read-comparison.ts';
import { requireRunOf } from '../../insights/analysis/read-run.ts';
import { readSummary } from '../../insights/analysis/read-summary.ts';
import type { RunColumns } from '../../insights/analysis/run-scores.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readSource, requireJudge, requireMetric } from '../../scoring/labels/read-judge.ts';
import { type JobName, packJob, redo } from './jobs.ts';

type Question = Predicate['questions'][number];
type Fact = Predicate['facts'][number];

/** What a gate reads of a fact: the rest of an answer stays out of the file. */
const picks = {
  getRun: ({ id, status, numRecords, numExpectedRecords, testsetId }: Run) => ({
    id,
    status,
    numRecords,
    numExpectedRecords,
    testsetId,
  }),
  getRunDetails: ({ modelEndings }: RunDetail) => ({ modelEndings }),
  listRuns: ({ id }: Run) => ({ id }),
  listExecutions: ({ latencyMs, costUsd }: Execution) => ({ latencyMs, costUsd }),
  listProjectRecords: ({ testcaseId, scoreStates }: RecordDetail) => ({
    testcaseId,
    scoreStates: scoreStates.map(({ metricId, metricName, passed }) => ({ metricId, metricName, passed })),
  }),
  getJudgePassport: ({ payload }: { payload: { batteryReason: string | null } }) => ({
    payload: { batteryReason: payload.batteryReason },
  }),
  estimateTrial: ({ sentence }: { sentence: string }) => ({ sentence }),
  createLook: (look: LedgerLook) => look,
};
const facts = ['getRun', 'getRunDetails', 'getJudgePassport', 'estimateTrial', 'createLook'] as const;
const lists = ['listRuns', 'listExecutions', 'listProjectRecords'] as const;
const statistics = {
  summarizeRun: 'summarize',
  compareRuns: 'compare',
  calibrateMetric: 'calibrate',
} as const;

type Query = { level?: number; [field: string]: unknown };

/** A question without its level: the same job answers it at each level. */
const withoutLevel = (args: readonly unknown[]) => {
  const query = args.at(-1) as Query;
  const { level = defaultLevel, ...rest } = query;
  return { level, args: [...args.slice(0, -1), rest] };
};

const keyOf = (ask: string, args: readonly unknown[]): string => canonicalJson([ask, args]);

/** A look has the same number and level before and after its outcome is known. */
const withoutOutcome = (args: readonly unknown[]): unknown[] =>
  args.map((arg) => {
    if (typeof arg !== 'object' || arg === null || !('outcome' in arg)) return arg;
    const { outcome: _, ...rest } = arg;
    return rest;
  });

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** The answers that a gate asks for, by operation. */
type Answers = Record<string, (...args: unknown[]) => unknown>;

type Asked = (ask: keyof typeof statistics, args: unknown[]) => Compute;

/** The answers of the statistics, each computed by what `asked` gives. */
const statisticsOf = ({ db, scope }: { db: Database; scope: Scope }, asked: Asked): Answers => {
  const parsed = async (text: Promise<string>): Promise<unknown> => JSON.parse(await text);
  return {
    summarizeRun: (runId, query) =>
      parsed(
        readSummary(db, scope, runId as string, query as object, asked('summarizeRun', [runId, query])).then(
          ({ body }) => body,
        ),
      ),
    compareRuns: (query) =>
      parsed(
        readComparison(db, scope, query as { runs: string[] }, asked('compareRuns', [query])).then(
          ({ text }) => text,
        ),
      ),
    calibrateMetric: async (metricId, query) => {
      const { level = defaultLevel, runId, against } = query as Query & { runId: string; against: string };
      const metric = await requireMetric(db, scope, metricId as string);
      const source = await readSource(db, scope, metric, { against });
      const run = await requireRunOf(db, scope, metric, runId);
      const judge = await requireJudge(db, scope, metric.id, undefined, run!.id);
      const of = { metricId: metric.id, judge, source, runId: run!.id, split: 'all' as const, level };
      return parsed(
        readCalibration(
          db,
          scope,
          { ...of, rates: [], judged: null },
          asked('calibrateMetric', [metricId, query]),
        ),
      );
    },
  };
};

/**
 * Lets a gate ask the service, and takes what its verdict rests on: the jobs of the statistics with their runs, and the facts. The jobs are
 * those that answered, so that the same engine gives the same answers from them anywhere.
 */
export const takeAnswers = (client: Client, { db, scope }: { db: Database; scope: Scope }) => {
  const questions = new Map<string, Question>();
  const known = new Map<string, Fact>();
  const runs = new Map<string, RunColumns>();
  const keep = (run: RunColumns): void => {
    const before = runs.get(run.runId);
    const isLarger = !before || run.scores.length > before.scores.length;
    const nearDuplicates = run.nearDuplicates ?? before?.nearDuplicates;
    runs.set(run.runId, { ...(isLarger ? run : before), ...(nearDuplicates && { nearDuplicates }) });
  };
  const computing =
    (ask: string, args: readonly unknown[]): Compute =>
    (name, job) => {
      questions.set(keyOf(ask, args), { ask, args: [...args], job: packJob(job, keep) });
      return compute(name, job);
    };
  const answers = statisticsOf({ db, scope }, (ask, args) => computing(ask, withoutLevel(args).args));
  const operations = client as unknown as Answers;
  const noted = async (ask: keyof typeof picks, args: unknown[], answer: unknown): Promise<unknown> => {
    known.set(keyOf(ask, args), { ask, args, answer });
    return answer;
  };
  for (const ask of facts)
    answers[ask] = async (...args) => {
      const pick = picks[ask] as (answer: unknown) => unknown;
      return noted(ask, withoutOutcome(args), pick(await operations[ask]!(...args)));
    };
  for (const ask of lists)
    answers[ask] = async function* (...args: unknown[]) {
      const pick = picks[ask] as (item: unknown) => unknown;
      const items: unknown[] = [];
      for await (const item of operations[ask]!(...args) as AsyncIterable<unknown>) items.push(pick(item));
      yield* (await noted(ask, args, items)) as unknown[];
    };
  return {
    client: answers as unknown as Client,
    runs,
    taken: () => ({ questions: [...questions.values()], facts: [...known.values()] }),
  };
};

/** A file does not have what its rules ask for. */
export class MissingAnswer extends Error {}

/** Answers a gate from what a file has, by the same statistics and without a service. */
export const answersOf = (
  { questions, facts: given }: Pick<Predicate, 'questions' | 'facts'>,
  runOf: (id: string) => RunColumns,
): Client => {
  const jobs = new Map(questions.map(({ ask, args, job }) => [keyOf(ask, args), job]));
  const known = new Map(given.map(({ ask, args, answer }) => [keyOf(ask, args), answer]));
  const lacking = (ask: string, args: readonly unknown[]): never => {
    throw new MissingAnswer(`the file has no answer to ${ask} ${canonicalJson(args)}`);
  };
  const answers: Answers = {};
  for (const [ask, name] of Object.entries(statistics) as [string, JobName][])
    answers[ask] = async (...given) => {
      const { level, args } = withoutLevel(given);
      const key = keyOf(ask, args);
      return jobs.has(key) ? redo(name, jobs.get(key), level, runOf) : lacking(ask, args);
    };
  for (const ask of facts)
    answers[ask] = async (...args) => {
      const key = keyOf(ask, withoutOutcome(args));
      return known.has(key) ? known.get(key) : lacking(ask, args);
    };
  for (const ask of lists)
    answers[ask] = (...args) => {
      const key = keyOf(ask, args);
      return known.has(key) ? each(known.get(key) as unknown[]) : lacking(ask, args);
    };
  return answers as unknown as Client;
};
