import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  Client,
  CreateMetricBody,
  JsonObject,
  Metric,
  RecordDetail,
  Run,
} from '../../../client/src/main.ts';
import { megabytes } from '../../../client/src/tables/bounds.ts';
import { upsertVersion } from '../../../client/src/versions.ts';
import { CliError } from '../errors.ts';
import { countOf } from '../figures.ts';
import type { MadeBy } from '../made-by.ts';
import { type Comparison, compareVerdicts, notesOf } from './compare-verdicts.ts';
import { type ImportedMetric, makerOf, metricsOf, reasonsOf, type Scale, scoresOf } from './metrics.ts';
import type { Import, MetricDefinition, Row } from './rows.ts';
import { testsetOf } from './testset-of.ts';
import { writeTestset } from './write-testset.ts';
import { writeTraces } from './write-traces.ts';

/** Counts of what an import has added or changed. All are zero if everything was there already. */
export type Written = {
  projectId: string;
  testsetId: string;
  runIds: string[];
  testcases: number;
  metrics: number;
  runs: number;
  records: number;
  scores: number;
  unscored: number;
  tags: number;
};

type Target = { client: Client; projectId: string; written: Written };

const hasLogic = (metric: Metric, definition: MetricDefinition): boolean =>
  definition.evalType === 'ai'
    ? 'promptTemplate' in metric && metric.promptTemplate === definition.promptTemplate
    : metric.guidelines === definition.guidelines;

/** Whether a category has all these labels, and lets the same ones pass. Undefined for other metrics. */
const hasLabels = (metric: Metric, definition: MetricDefinition | undefined): boolean | undefined => {
  const wanted = definition?.labels;
  if (!wanted || definition.evalType === 'ai') return undefined;
  if (!('labels' in metric)) return false;
  const { items, passing, ordered } = metric.labels;
  const places = wanted.items.map((label) => items.indexOf(label));
  return (
    places.every((place, i) => place >= 0 && (!wanted.ordered || i === 0 || place > places[i - 1]!)) &&
    wanted.items.every((label) => passing.includes(label) === wanted.passing.includes(label)) &&
    ordered === wanted.ordered
  );
};

/**
 * Returns the ids of the metrics by name. Uses a metric of the project with the same name, the same output type and the same kind
 * of scorer, else creates one.
 */
const writeMetrics = async (
  { client, projectId, written }: Target,
  metrics: ReadonlyMap<string, ImportedMetric>,
  { tool, id }: Import,
): Promise<Map<string, string>> => {
  const there: Metric[] = [];
  for await (const metric of client.listMetrics(projectId)) there.push(metric);
  const ids = new Map<string, string>();
  for (const { name, kind, threshold, definition } of metrics.values()) {
    const { outputType } = kind;
    const evalType = definition?.evalType ?? 'heuristic';
    const { kind: origin, isCode: _, ...logic } = definition ?? { kind: undefined };
    const description = definition ? `Imported from ${tool} (${origin}): ${id}` : `Imported from ${tool}.`;
    const found = there.find(
      (metric) =>
        metric.name === name &&
        metric.evalType === evalType &&
        metric.outputType === outputType &&
        // Another evaluation may give the name to something else.
        (hasLabels(metric, definition) ??
          (!definition || metric.description === description || hasLogic(metric, definition))),
    );
    if (found) {
      ids.set(name, found.id);
      continue;
    }
    const fits = threshold !== undefined && outputType === 'float' && threshold >= 0 && threshold <= 1;
    const body = {
      name,
      ...logic,
      evalType,
      outputType,
      description,
      ...(fits && { passingThreshold: threshold }),
    } as CreateMetricBody;
    ids.set(name, (await client.createMetric(projectId, body)).id);
    written.metrics++;
  }
  return ids;
};

type NewRun = {
  origin: string;
  testsetId: string;
  metricIds: string[];
  systemVersionId: string;
  judgeBudgetUsd?: number;
};

/** Returns the run of an earlier import, found by its origin, else creates it. */
const writeRun = async (
  { client, projectId, written }: Target,
  body: NewRun,
): Promise<{ run: Run; isNew: boolean }> => {
  const { origin, testsetId, systemVersionId } = body;
  for await (const run of client.listRuns(projectId, { origin, testsetId }))
    if (run.systemVersionId === systemVersionId) return { run, isNew: false };
  written.runs++;
  return { run: await client.createRun(projectId, body), isNew: true };
};

/** Returns the link for a tool's own id. An id that is too long for a link is replaced by its digest. */
const linkOf = (id: string): string =>
  id.length <= 256 ? id : createHash('sha256').update(id).digest('hex');

/** The testset that gets the cases, and who made the scores where the file does not say it. */
export type ImportOptions = { testset?: string | undefined; madeBy?: MadeBy | undefined };

type GivenScore = { metricConfigId: string; score: JsonObject; madeBy?: MadeBy };

/** The scores of a row in the form of the API, each with its maker if that is known. */
const givenScores = (
  row: Row,
  metrics: ReadonlyMap<string, ImportedMetric>,
  configIdOf: (name: string) => string | undefined,
  madeBy: MadeBy | undefined,
): GivenScore[] =>
  [...scoresOf(row, metrics)].flatMap(([name, score]) => {
    const metricConfigId = configIdOf(name);
    if (metricConfigId === undefined) return [];
    const maker = makerOf(row, metrics.get(name)!) ?? madeBy;
    return [{ metricConfigId, score, ...(maker && { madeBy: maker }) }];
  });

/** What an import compares of a record that is there. */
type Stored = Pick<RecordDetail, 'id' | 'scoreStates' | 'tags'> & {
  scores: { metricConfigId: string; score: unknown }[];
};

/** Returns the records of a run by their links. */
const recordsOf = async ({ client, projectId }: Target, runId: string): Promise<Map<string, Stored>> => {
  const records = new Map<string, Stored>();
  for await (const record of client.listProjectRecords(projectId, { runId })) {
    if (record.otelLinkId !== null) records.set(record.otelLinkId, record);
  }
  return records;
};

/** Writes the records that a run lacks, and returns all by their links. Those of a new run are not read: it has none. */
const writeRecords = async (
  target: Target,
  { run, isNew }: { run: Run; isNew: boolean },
  rows: Row[],
  testcaseIds: ReadonlyMap<string, string>,
  scoresFor: (row: Row) => GivenScore[],
  reasonsFor: (row: Row) => unknown[],
): Promise<Map<string, Stored>> => {
  const there = isNew ? new Map<string, Stored>() : await recordsOf(target, run.id);
  const missing = rows.filter(({ id }) => !there.has(linkOf(id)));
  if (missing.length === 0) return there;
  const items = missing.map((row) => ({
    inputs: row.inputs,
    expected: row.expected,
    outputs: row.outputs,
    otelLinkId: linkOf(row.id),
    testcaseId: testcaseIds.get(row.caseId),
    // Scores that come with their record are never asked for again, neither from code nor from a judge.
    scores: scoresFor(row),
  }));
  const ids = await target.client.createAllRecords(run.id, items);
  target.written.records += items.length;
  target.written.scores += items.reduce((sum, { scores }) => sum + scores.length, 0);
  // Code of the service may have scored some by now, which only a record with a reason asks for.
  if (missing.some((row) => reasonsFor(row).length > 0)) return recordsOf(target, run.id);
  items.forEach(({ otelLinkId, scores }, i) => {
    there.set(otelLinkId, { id: ids[i]!, scores, scoreStates: [], tags: [] });
  });
  return there;
};

/** Whether a record has this score. The service adds the value to a score by criteria, and keeps it apart if one has no verdict. */
const isStored = ({ scores, scoreStates }: Stored, metricConfigId: string, score: JsonObject): boolean => {
  const before = scores.find((one) => one.metricConfigId === metricConfigId)?.score;
  if (score.criteria === undefined) return isDeepStrictEqual(before, score);
  const state = scoreStates.find((one) => one.metricConfigId === metricConfigId);
  if (before === undefined) return state?.reason?.startsWith('criterion_unscored') === true;
  const { criteria, reasoning } = before as JsonObject;
  return isDeepStrictEqual({ criteria, reasoning }, { criteria: score.criteria, reasoning: score.reasoning });
};

/** Writes the scores of records that an earlier import wrote, if they are missing or differ. */
const writeScores = async (
  { client, written }: Target,
  run: Run,
  rows: Row[],
  records: ReadonlyMap<string, Stored>,
  scoresFor: (row: Row) => GivenScore[],
): Promise<void> => {
  const items = rows.flatMap((row) => {
    const record = records.get(linkOf(row.id))!;
    return scoresFor(row).flatMap((given) => {
      return isStored(record, given.metricConfigId, given.score) ? [] : [{ recordId: record.id, ...given }];
    });
  });
  await client.upsertAllScores(run.id, items);
  written.scores += items.length;
};

/**
 * Marks as unscored what no one will score, with the reasons, so that the run ends. A score that someone gave after an earlier import
 * stays. Code may have scored an answer that failed before its reason came.
 */
const writeReasons = async (
  { client, written }: Target,
  run: Run,
  rows: Row[],
  records: ReadonlyMap<string, Stored>,
  reasonsFor: (row: Row) => { metricConfigId: string; reason: string }[],
): Promise<void> => {
  const items = rows.flatMap((row) => {
    const { id, scoreStates } = records.get(linkOf(row.id))!;
    return reasonsFor(row).flatMap(({ metricConfigId, reason }) => {
      const before = scoreStates.find((one) => one.metricConfigId === metricConfigId);
      const byCode = before?.state === 'scored' && before.scoredByUserId === null && row.error !== undefined;
      return !before || before.state === 'pending' || byCode
        ? [{ recordId: id, metricConfigId, reason }]
        : [];
    });
  });
  await client.upsertAllScores(run.id, items);
  written.unscored += items.length;
};

const writeTags = async ({ client, written }: Target, rows: Row[], records: ReadonlyMap<string, Stored>) => {
  for (const { id, tags = [] } of rows) {
    const record = records.get(linkOf(id))!;
    // A tag has 1 to 256 characters and no comma.
    for (const tag of new Set(tags.map((text) => text.replaceAll(',', ' ').trim().slice(0, 256)))) {
      if (tag === '' || record.tags.includes(tag)) continue;
      await client.createRecordTag(record.id, { text: tag });
      written.tags++;
    }
  }
};

/** Bytes of one answer with its testcase, below what the service takes in a request. */
const mostOfRow = 14 * 2 ** 20;

const bytesIn = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, part) => sum + bytesIn(part), 0)
    : 8;
};

/** Throws for a row that no request can hold, before anything is written. */
const requireModestRows = (rows: readonly Row[]): void => {
  for (const { id, inputs, expected, outputs, metadata } of rows) {
    const bytes = bytesIn([inputs, expected, outputs, metadata]);
    if (bytes > mostOfRow)
      throw new CliError(
        `The answer '${id}' holds ${megabytes(bytes)}. The service takes at most ${megabytes(mostOfRow)} of each.`,
        'Shorten its texts, or leave it out of the file.',
      );
  }
};

/**
 * Writes an import into a project: a testset, metrics that clients score, and a run for each run of the file. What an
 * earlier import wrote is found and stays as it is. So importing the same file again changes nothing, and completes an import
 * that was interrupted. `into` is the id or the name of a testset that gets the cases.
 */
export const writeImport = async (
  client: Client,
  projectId: string,
  imported: Import,
  scales: ReadonlyMap<string, Scale>,
  progress: (text: string) => void,
  { testset: into, madeBy }: ImportOptions = {},
): Promise<Written> => {
  const written: Written = {
    projectId,
    testsetId: '',
    runIds: [],
    testcases: 0,
    metrics: 0,
    runs: 0,
    records: 0,
    scores: 0,
    unscored: 0,
    tags: 0,
  };
  requireModestRows(imported.rows);
  const target = { client, projectId, written };
  const testset = testsetOf(imported);
  const metrics = metricsOf(imported, scales);
  progress(countOf(testset.cases.size, 'testcase'));
  const { testsetId, testcaseIds } = await writeTestset(target, testset, into);
  written.testsetId = testsetId;
  const metricIds = await writeMetrics(target, metrics, imported);
  // An import never costs money: what the tool's judge left out stays pending until someone raises the budget.
  const hasJudge = [...metrics.values()].some(({ definition }) => definition?.evalType === 'ai');
  const comparison: Comparison = new Map();
  for (const [key, system] of imported.systems) {
    progress(`run of ${system.name}`);
    const version = await upsertVersion(client, target.projectId, system.name, system.config);
    const { run, isNew } = await writeRun(target, {
      origin: `${imported.tool}: ${imported.id}${key && `, ${key}`}`.slice(0, 500),
      testsetId: written.testsetId,
      metricIds: [...metricIds.values()],
      systemVersionId: version.id,
      ...(hasJudge && { judgeBudgetUsd: 0 }),
    });
    written.runIds.push(run.id);
    const rows = imported.rows.filter((row) => row.run === key);
    const configIdOf = (name: string) => run.metricVersionIds[run.metricIds.indexOf(metricIds.get(name)!)];
    const scoresFor = (row: Row) => givenScores(row, metrics, configIdOf, madeBy);
    const reasonsFor = (row: Row) =>
      [...reasonsOf(row, metrics)].flatMap(([name, reason]) => {
        const metricConfigId = configIdOf(name);
        return metricConfigId === undefined ? [] : [{ metricConfigId, reason }];
      });
    const before = written.records;
    const records = await writeRecords(target, { run, isNew }, rows, testcaseIds, scoresFor, reasonsFor);
    await writeScores(target, run, rows, records, scoresFor);
    await writeReasons(target, run, rows, records, reasonsFor);
    await writeTags(target, rows, records);
    await writeTraces(client, projectId, rows, linkOf, progress);
    if (written.records > before) {
      const given = rows.map((row) => ({
        recordId: records.get(linkOf(row.id))!.id,
        scores: scoresOf(row, metrics),
      }));
      await compareVerdicts(client, projectId, metrics.values(), given, comparison, progress);
    }
  }
  imported.notes.push(...notesOf(comparison));
  return written;
};
