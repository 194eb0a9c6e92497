import type { Static } from 'typebox';
import type { ProviderConfig } from '../../../engine/models/provider.ts';
import { agreementWithPeople } from '../../../engine/statistics/calibration.ts';
import { countInWords } from '../../../engine/statistics/count-in-words.ts';
import { findMetricId } from '../../../evaluation/metrics/queries.ts';
import type { Database } from '../../../platform/db/database.ts';
import { requireOne } from '../../../platform/http/http.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { bytesPerToken, estimateJudged } from '../../budgets/estimate-run.ts';
import { type EstimatedMetric, findEstimatedMetrics, measureVerdicts } from '../../budgets/queries.ts';
import type { Judge } from '../../judges/judge.ts';
import type { TrialLabel } from '../queries.ts';
import type { TrialEstimate } from '../schema.ts';
import { countChecks, measurePinned } from './queries.ts';
import { readSides } from './sides.ts';
import { defaultSide, noLabels, type WrittenCreate } from './start-written.ts';

export type Estimator = { judge: Judge; providers: ProviderConfig[] };

type Fields = WrittenCreate['candidates'][number];

const lengthOf = ({ promptTemplate, guidelines }: EstimatedMetric): number =>
  Buffer.byteLength(promptTemplate ?? '') + Buffer.byteLength(guidelines);

/** How often people agree with the verdicts of the saved prompt. */
const agreementOf = (labels: readonly TrialLabel[]) =>
  agreementWithPeople(
    labels.map(({ id, before, human, group }) => ({ id, judge: before, human, unit: group })),
  );

const money = (usd: number): string => `about $${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}`;

/** Measured verdicts of the saved prompt, with the tokens that an edit adds; nothing for another model or other repeats. */
const measuredFor = (
  saved: EstimatedMetric,
  edited: EstimatedMetric,
  measured: Awaited<ReturnType<typeof measureVerdicts>>[number] | undefined,
) => {
  if (!measured || measured.count === 0 || edited.evalModelName !== saved.evalModelName) return undefined;
  const ratio = edited.judgeRepeats / saved.judgeRepeats;
  const added = (lengthOf(edited) - lengthOf(saved)) / bytesPerToken;
  const isSame = added === 0 && ratio === 1;
  return {
    ...measured,
    inputTokens: Math.max(0, (measured.inputTokens ?? 0) * ratio + added * edited.judgeRepeats),
    outputTokens: (measured.outputTokens ?? 0) * ratio,
    costUsd: isSame ? measured.costUsd : null,
  };
};

/** The verdicts that an alignment of written prompts would ask for, and their cost. Throws 404 for an unknown metric. */
const estimateCost = async (
  db: Database,
  scope: Scope,
  { judge, providers }: Estimator,
  saved: EstimatedMetric,
  asked: readonly { fields: Fields; numRecords: number }[],
  recordBytes: number,
) => {
  const { metricId, configId } = saved;
  const [measured] = await db.read(scope, (sql) => measureVerdicts(sql, scope, metricId, configId));
  const numModels = saved.judgeRepeats;
  const parts = asked.map(({ fields, numRecords }) => {
    const edited = { ...saved, ...fields, judgeRepeats: fields.judgeRepeats ?? numModels };
    const size = { numRecords, recordBytes, outputBytes: 0, haveFiles: false, numCriteria: 0 };
    return estimateJudged(judge, providers, edited, measuredFor(saved, edited, measured), size);
  });
  const costs = parts.map(({ costUsd }) => costUsd);
  return {
    costUsd: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + cost!, 0),
    basis: parts.every(({ basis }) => basis === 'earlierScores')
      ? ('earlierScores' as const)
      : ('template' as const),
  };
};

/** What a trial of written prompts would ask for and cost, and how far people agree with the saved prompt. */
export const estimateWritten = async (
  db: Database,
  scope: Scope,
  estimator: Estimator,
  metricId: bigint,
  { candidates, split = defaultSide }: WrittenCreate,
): Promise<Static<typeof TrialEstimate.schema>> => {
  const { projectId } = requireOne(
    await db.read(scope, (sql) => findMetricId(sql, scope, metricId)),
    'metric',
    String(metricId),
  );
  const saved = requireOne(
    await db.read(scope, (sql) => findEstimatedMetrics(sql, scope, projectId, [metricId])),
    'metric',
    String(metricId),
  );
  const sideOf = await readSides(db.read, scope, metricId, saved.configId);
  const { all, missing } = sideOf(split);
  const [measured] = await db.read(scope, (sql) => measurePinned(sql, scope, metricId, split));
  const asked = [
    ...(missing.length > 0 ? [{ fields: {}, numRecords: missing.length }] : []),
    ...candidates.map((fields) => ({ fields, numRecords: all.length })),
  ];
  const numVerdicts = asked.reduce((sum, { numRecords }) => sum + numRecords, 0);
  const { costUsd, basis } = await estimateCost(db, scope, estimator, saved, asked, measured?.bytes ?? 0);
  const [checks] = await db.read(scope, (sql) => countChecks(sql, scope, metricId));
  const cost = costUsd === null ? 'its cost is unknown: the model has no price' : money(costUsd);
  const again = missing.length > 0 ? `, ${missing.length} of them by the saved prompt` : '';
  const labels = `${countInWords(all.length, 'pinned label')} for ${split === 'dev' ? 'tuning' : 'testing'}`;
  return {
    numRecords: all.length,
    numVerdicts,
    costUsd,
    basis: costUsd === null ? 'unknown' : basis,
    numToClear: null,
    biases: [],
    saved: { dev: agreementOf(sideOf('dev').judged), test: agreementOf(sideOf('test').judged) },
    numChecks: checks!.count,
    sentence:
      all.length === 0
        ? noLabels(split)
        : `${countInWords(numVerdicts, 'verdict')} on ${labels}${again}, ${cost}`,
  };
};
