import { batches, bulkCalls } from '../../../../client/src/bulk.ts';
import { etagOf } from '../../../../client/src/etags.ts';
import type { Table as FoundTable } from '../../../../client/src/tables/table.ts';
import { allOf, api } from '../../api.ts';
import type { CreateMetricBody, JsonObject, Testset } from '../../types.ts';
import { errorText } from '../../ui/error-text.ts';
import {
  type ColumnMapping,
  fieldMappingOf,
  holdsAnswers,
  type Mapped,
  mapRow,
  schemaOf,
} from './mapping.ts';

const batch = 100;

export type Problem = { line: number; message: string };

/** Turns rows into testcases. A row that cannot become one is reported with its line. */
export const mapRows = ({ rows, lines, isText }: FoundTable, mapping: readonly ColumnMapping[]) => {
  const mapped: Mapped[] = [];
  const problems: Problem[] = [];
  rows.forEach((row, i) => {
    const line = lines[i]!;
    try {
      mapped.push(mapRow(row, line, mapping, isText));
    } catch (error) {
      problems.push({ line, message: errorText(error as Error) });
    }
  });
  return { mapped, problems };
};

/** Writes the row over the testcase of its id. A row of answers alone has nothing to write, and gets the testcase's data. */
const replace = async (row: Mapped): Promise<void> => {
  const { id, jsonData } = row;
  if (Object.keys(jsonData).length > 0) await api.updateTestcase(id!, { jsonData });
  else row.jsonData = (await api.getTestcase(id!)).jsonData;
};

/** Keys that make an import repeatable for a day: what an attempt that failed has written is not written twice. */
export type Attempt = { rows: string; run: string };

type RowsOfTestset = { testset: Testset; mapped: readonly Mapped[]; attempt: Attempt | undefined };

/** Writes the rows into the testset: a row with an id replaces that testcase, the others are added. */
const writeRows = async ({ testset, mapped, attempt }: RowsOfTestset, onProgress: (n: number) => void) => {
  const problems: Problem[] = [];
  const testcaseIds = new Map<Mapped, string>();
  let written = 0;
  for (const row of mapped.filter(({ id }) => id)) {
    try {
      await replace(row);
      testcaseIds.set(row, row.id!);
      written++;
    } catch (error) {
      problems.push({ line: row.line, message: errorText(error as Error) });
    }
    onProgress(written);
  }
  const added = mapped.filter(({ id }) => !id);
  for (const [i, part] of batches(added, batch).entries()) {
    const { items } = await api.createTestcases(
      testset.id,
      { items: part.map(({ jsonData }) => ({ jsonData })) },
      { idempotencyKey: attempt && `${attempt.rows}-${i}` },
    );
    items.forEach(({ id, validationErrors }, j) => {
      testcaseIds.set(part[j]!, id);
      for (const { path, message } of validationErrors ?? [])
        problems.push({ line: part[j]!.line, message: `${path} ${message} (stored anyway)` });
    });
    written += part.length;
    onProgress(written);
  }
  return { written, problems, testcaseIds };
};

const pick = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

/** Returns the metrics of the columns of scores, by name. Uses those of the project that clients score, else creates them. */
const scoredMetrics = async (projectId: string, mapping: readonly ColumnMapping[]) => {
  const ids = new Map<string, string>();
  const columns = mapping.filter(({ role }) => role === 'scores');
  if (columns.length === 0) return ids;
  const there = await allOf(api.listMetrics(projectId));
  for (const { field: name, scale } of columns) {
    if (!scale) throw new Error(`Choose what kind of score ${name} is.`);
    const known = there.find(
      (metric) =>
        metric.name === name &&
        metric.evalType === 'heuristic' &&
        metric.outputType === scale &&
        metric.guidelines === '',
    );
    const body = { name, evalType: 'heuristic', outputType: scale, guidelines: '' };
    const description = 'Scores that came with answers.';
    ids.set(
      name,
      (known ?? (await api.createMetric(projectId, { ...body, description } as CreateMetricBody))).id,
    );
  }
  return ids;
};

/** Who made imported scores. */
export type ScoreMaker = 'person' | 'client' | 'model';

type Answers = {
  projectId: string;
  testset: Testset;
  name: string;
  mapping: readonly ColumnMapping[];
  /** The metrics that score the answers, beside those whose scores the table holds. */
  metricIds: readonly string[];
  madeBy: ScoreMaker;
  testcaseIds: ReadonlyMap<Mapped, string>;
  attempt: Attempt | undefined;
};

/** Starts a run of the answers that the rows hold. Returns its id. */
const writeAnswers = async (answers: Answers) => {
  const { projectId, testset, name, mapping, metricIds, madeBy, testcaseIds, attempt } = answers;
  const scored = await scoredMetrics(projectId, mapping);
  const ids = [...new Set([...scored.values(), ...metricIds])];
  // Other metrics make another run.
  const idempotencyKey = attempt && `${attempt.run}-${testset.id}-${ids.join('.')}`.slice(0, 200);
  const run = await api.createRun(
    projectId,
    { testsetId: testset.id, metricIds: ids, name: name.slice(0, 200) },
    { idempotencyKey },
  );
  const configIdOf = (metric: string) => run.metricVersionIds[run.metricIds.indexOf(scored.get(metric)!)]!;
  const { inputs, expected } = testset.fieldMapping;
  await bulkCalls(api).createAllRecords(
    run.id,
    [...testcaseIds].map(([{ jsonData, outputs, scores }, testcaseId]) => ({
      testcaseId,
      inputs: pick(jsonData, inputs),
      expected: pick(jsonData, expected),
      outputs,
      scores: Object.entries(scores).map(([metric, score]) => ({
        metricConfigId: configIdOf(metric),
        score,
        madeBy,
      })),
    })),
    { idempotencyKey },
  );
  return run.id;
};

export type RowsToImport = {
  projectId: string;
  /** The testset that gets the rows; a new one when undefined. */
  testset: Testset | undefined;
  name: string;
  found: FoundTable;
  mapping: readonly ColumnMapping[];
  /** Metrics that score the answers of the table. */
  metricIds?: readonly string[];
  /** Who made the scores of the table. That a person imports them does not say it. */
  madeBy?: ScoreMaker;
  attempt?: Attempt | undefined;
};

/** Writes the rows of a table as testcases, and as a run if they hold answers or scores. */
export const importRows = async (
  { projectId, testset, name, found, mapping, metricIds = [], madeBy = 'client', attempt }: RowsToImport,
  onProgress: (n: number) => void,
) => {
  const { mapped, problems } = mapRows(found, mapping);
  // As it is now: others may have given fields a use since the dialog was opened.
  const now = testset && (await api.getTestset(testset.id));
  const fieldMapping = fieldMappingOf(mapping, now?.fieldMapping);
  const target = now
    ? await api.updateTestset(now.id, { fieldMapping }, { ifMatch: etagOf(now) })
    : await api.createTestset(
        projectId,
        { name, description: '', jsonSchema: schemaOf(mapping), fieldMapping },
        { idempotencyKey: attempt && `${attempt.rows}-testset` },
      );
  const { testcaseIds, ...outcome } = await writeRows({ testset: target, mapped, attempt }, onProgress);
  const runId =
    holdsAnswers(mapping) && testcaseIds.size > 0
      ? await writeAnswers({
          projectId,
          testset: target,
          name,
          mapping,
          metricIds,
          madeBy,
          testcaseIds,
          attempt,
        })
      : undefined;
  const all = [...problems, ...outcome.problems].toSorted((a, b) => a.line - b.line);
  return { testset: target, runId, written: outcome.written, problems: all };
};

export type Imported = Awaited<ReturnType<typeof importRows>>;
