import type { Static } from 'typebox';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { type ExaminedRun, list } from '../../engine/statistics/examined-cases.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { compute } from '../analysis/compute.ts';
import { findNewestRuns, type RunHead } from '../analysis/queries.ts';
import { requireRuns } from '../analysis/read-run.ts';
import {
  findExaminedCases,
  findExaminedLabels,
  findExaminedMetric,
  findExaminedRecords,
  findExaminedTestset,
  findExaminedVersions,
  findPrompts,
  longestCase,
} from './queries.ts';
import type { ExaminationQuery } from './schema.ts';

type Query = Static<typeof ExaminationQuery>;

/** What is read at most: testcases, prompts, and records, which are about 100 MB. */
export const most = { cases: 50_000, prompts: 200, records: 300_000 };

/** The runs that are read: the pair that is asked for, then the newest. Throws 400 for a run that has no record of the testset. */
const readHeads = async (
  db: Database,
  scope: Scope,
  testset: { id: bigint; projectId: bigint },
  metricId: bigint | null,
  { maxRuns = 30, before, after }: Query,
): Promise<RunHead[]> => {
  if ((before === undefined) !== (after === undefined))
    throw invalid('/before', 'needs after, and after needs before');
  const asked = before === undefined ? [] : await requireRuns(db, scope, [before, after!]);
  for (const [i, { projectId, testsetId }] of asked.entries()) {
    if (projectId !== testset.projectId) throw notFound('run', [before, after][i]!);
    if (testsetId !== testset.id)
      throw invalid(i === 0 ? '/before' : '/after', 'must be a run of this testset');
  }
  const choice = {
    kind: 'evaluation' as const,
    testsetId: testset.id,
    scored: true,
    ...(metricId !== null && { metricId }),
  };
  const newest = await db.read(scope, (sql) =>
    findNewestRuns(sql, scope, testset.projectId, choice, maxRuns),
  );
  const known = new Set(asked.map(({ id }) => id));
  return [...asked, ...newest.filter(({ id }) => !known.has(id))].sort((a, b) => (a.id < b.id ? 1 : -1));
};

/** Reads the verdicts of runs, newest first, as far as they fit into memory. */
const readVerdicts = async (
  db: Database,
  scope: Scope,
  { testsetId, metricId }: { testsetId: bigint; metricId: bigint },
  heads: readonly RunHead[],
  keepAll: ReadonlySet<string>,
  mostRecords: number,
) => {
  const ids = [...new Set(heads.flatMap(({ systemVersionId }) => systemVersionId ?? []))];
  const versions = await db.read(scope, (sql) => findExaminedVersions(sql, scope, ids));
  const named = new Map(versions.map((version) => [version.id, version]));
  const runs: ExaminedRun[] = [];
  let numRecords = 0;
  let numSkipped = 0;
  for (const { id, systemVersionId } of heads) {
    if (numRecords >= mostRecords && !keepAll.has(String(id))) {
      numSkipped++;
      continue;
    }
    const wanted = { runId: id, testsetId, metricId };
    const [found] = await db.read(scope, (sql) => findExaminedRecords(sql, scope, wanted));
    const count = found!.records === '[]' ? 0 : found!.records.split(',').length;
    if (count === 0 && !keepAll.has(String(id))) continue;
    numRecords += count;
    const version = systemVersionId === null ? undefined : named.get(systemVersionId);
    runs.push({
      runId: String(id),
      voter: systemVersionId ?? `run ${id}`,
      version: version?.name ?? null,
      ...found!,
    });
  }
  return { runs, models: versions.flatMap(({ model }) => model ?? []), numSkipped };
};

type Read = {
  numTestcases: number;
  /** Testcases whose texts are too long. */
  numLong: number;
  numSkipped: number;
  numPrompts: number;
};

/** Says what was not read. A reader would take it for examined. */
const leftOutOf = (
  { numTestcases, numLong, numSkipped, numPrompts }: Read,
  limits: typeof most,
): string[] => [
  ...(numTestcases > limits.cases
    ? [
        `only the first ${countInWords(limits.cases, 'testcase')} of ${numTestcases.toLocaleString('en')} were read`,
      ]
    : []),
  ...(numLong > 0
    ? [
        `${countInWords(numLong, 'testcase')} with more than ${longestCase.toLocaleString('en')} characters: their texts were not compared with keys, prompts and other testcases`,
      ]
    : []),
  ...(numSkipped > 0
    ? [
        `${countInWords(numSkipped, 'older run')}: the newer ones have ${limits.records.toLocaleString('en')} records or more`,
      ]
    : []),
  ...(numPrompts >= limits.prompts
    ? [`only the newest ${limits.prompts} versions of prompts were searched for leaks`]
    : []),
];

/** Examines a testset by the stored runs, as JSON text. Throws 404 for an unknown testset, metric or run. Nothing is written. */
export const examineTestset = async (
  db: Database,
  scope: Scope,
  { key: testsetId, id }: { key: bigint; id: string },
  query: Query,
  limits: typeof most = most,
): Promise<string> => {
  const { level = defaultLevel, limit = 100, before, after } = query;
  const testset = requireOne(
    await db.read(scope, (sql) => findExaminedTestset(sql, scope, testsetId)),
    'testset',
    id,
  );
  const { projectId } = testset;
  const asked =
    query.metricId === undefined ? null : (await requireMetric(db, scope, query.metricId, projectId)).id;
  const against =
    query.against === undefined ? null : (await requireMetric(db, scope, query.against, projectId)).id;
  const heads = await readHeads(db, scope, { id: testsetId, projectId }, asked, query);
  const chosen = { runId: heads[0]?.id ?? null, metricId: asked };
  const [metric] = await db.read(scope, (sql) => findExaminedMetric(sql, scope, chosen));
  const pair = before === undefined ? null : { before, after: after! };
  const keepAll = new Set(pair ? [pair.before, pair.after] : []);
  const wanted = metric && { testsetId, metricId: metric.id };
  const { runs, models, numSkipped } = wanted
    ? await readVerdicts(db, scope, wanted, heads, keepAll, limits.records)
    : { runs: [], models: [], numSkipped: 0 };
  const [cases] = await db.read(scope, (sql) => findExaminedCases(sql, scope, testsetId, limits.cases));
  const prompts = await db.read(scope, (sql) => findPrompts(sql, scope, projectId, limits.prompts));
  const [labels] =
    wanted && runs.length > 0
      ? await db.read(scope, (sql) =>
          findExaminedLabels(sql, scope, {
            ...wanted,
            runIds: runs.map(({ runId }) => BigInt(runId)),
            peopleMetricId: against ?? metric.peopleMetricId,
          }),
        )
      : [];
  return compute('examine', {
    testset: { id, inputs: testset.inputs, expected: testset.expected, groupingField: testset.groupingField },
    cases: cases!,
    metric: metric ? { id: String(metric.id), name: metric.name } : null,
    runs,
    models,
    labels: labels ?? null,
    prompts: [...prompts],
    pair,
    leftOut: leftOutOf(
      {
        numTestcases: testset.numTestcases,
        numLong: list<string | null>(cases!.data).filter((data) => data === null).length,
        numSkipped,
        numPrompts: prompts.length,
      },
      limits,
    ),
    level,
    limit,
  });
};
