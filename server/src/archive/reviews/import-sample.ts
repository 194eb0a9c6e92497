import { lockMetric } from '../../evaluation/metrics/queries.ts';
import { requireImportOf } from '../../evaluation/projects/queries.ts';
import { lockRecords } from '../../evaluation/scores/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type Issue, invalid, invalidAll, notFound } from '../../platform/errors.ts';
import { bodyOf, one } from '../../platform/http/http.ts';
import { newUuid, numericId, recordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readStrata } from '../../reviews/samples/fill-queue.ts';
import {
  findMetricOf,
  findSample,
  findSampleOf,
  insertSample,
} from '../../reviews/samples/sample-queries.ts';
import { findProjectConfigs } from '../references.ts';
import { type FramedRecord, type ImportedStratum, insertFramed, insertStrata } from './transfer-queries.ts';
import type { ReviewSampleImport } from './transfer-schema.ts';

type Framed = FramedRecord & { runId: bigint; path: string };

/** The records of all strata. Throws 400 where a record or a place comes twice, or there are more than the stratum had. */
const readFrame = ({ strata }: ReviewSampleImport): Framed[] => {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const framed = strata.flatMap(({ numRecords, numDrawn, records }, i) => {
    const path = `/strata/${i}`;
    if (numDrawn > numRecords)
      issues.push({ path: `${path}/numDrawn`, message: `must be at most ${numRecords}, its numRecords` });
    const places = new Set<number>();
    return records.map(({ recordId, place }, j): Framed => {
      const at = `${path}/records/${j}`;
      if (place > numRecords || places.has(place))
        issues.push({ path: `${at}/place`, message: `must be one of 1 to ${numRecords} that no other has` });
      if (seen.has(recordId)) issues.push({ path: `${at}/recordId`, message: 'must not come again' });
      places.add(place);
      seen.add(recordId);
      const { runId, n } = recordKey(recordId);
      return { runId, n, stratum: i + 1, place, path: at };
    });
  });
  if (issues.length > 0) throw invalidAll(issues.slice(0, 100));
  return framed;
};

/** Throws notFound for a record that is not the run's. */
const requireRecords = async (tx: Sql, scope: Scope, runId: bigint, framed: Framed[]): Promise<void> => {
  const rows = await lockRecords(
    tx,
    scope,
    runId,
    framed.map(({ n }) => n),
  );
  const found = new Set(rows.map(({ n }) => n));
  for (const record of framed)
    if (record.runId !== runId || !found.has(record.n))
      throw notFound('record', `${record.runId}-${record.n}`);
};

/** A configuration of the metric. Throws notFound for another's. */
const configOf = async (
  tx: Sql,
  scope: Scope,
  { projectId, metricId, configId }: { projectId: bigint; metricId: string; configId: string },
) => {
  const found = await findProjectConfigs(tx, scope, projectId, [configId]);
  const own = found.filter((config) => config.metricId === metricId);
  const { id, evalType } = one(own, 'metric configuration', configId);
  return { configId: id, evalType };
};

/**
 * Stores a random sample as it was drawn elsewhere, while the run's project is being imported: each record keeps its place in the
 * order of the draw, and with it the chance that it had. The scores of what was drawn are imported as scores. A sample that the
 * run has already for the metric stays. Returns the sample. Throws notFound for a run, metric or record that is not there,
 * conflict for a project that is imported.
 */
export const importSample = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  body: ReviewSampleImport,
): Promise<string> => {
  const metricId = numericId('metric', body.metricId);
  const strataOf = readStrata(body.stratifyBy);
  const framed = readFrame(body);
  const projectId = await requireImportOf(tx, scope, runId);
  one(await findMetricOf(tx, scope, projectId, metricId), 'metric', body.metricId);
  if (strataOf.source === 'metricId')
    one(await findMetricOf(tx, scope, projectId, BigInt(strataOf.name!)), 'metric', strataOf.name!);
  const current = one(await lockMetric(tx, scope, metricId), 'metric', body.metricId);
  const { configId, evalType } =
    body.metricConfigId === undefined
      ? current
      : await configOf(tx, scope, { projectId, metricId: body.metricId, configId: body.metricConfigId });
  if (evalType !== 'human') throw invalid('/metricId', 'must be a human metric: others are not reviewed');
  await requireRecords(tx, scope, runId, framed);
  const [before] = await findSampleOf(tx, scope, runId, configId);
  const id = before?.id ?? newUuid();
  if (!before) {
    const { seed, allocation } = body;
    const strata = body.strata.map(
      ({ value, wave, numRecords, numDrawn }, i): ImportedStratum => ({
        position: i + 1,
        value,
        wave,
        numRecords,
        numDrawn,
      }),
    );
    await insertSample(tx, scope, runId, { metricId, configId }, { id, seed, allocation, ...strataOf });
    await insertStrata(tx, scope, id, strata);
    await insertFramed(tx, scope, runId, id, framed);
  }
  return bodyOf(await findSample(tx, scope, id), 'review sample', id);
};
