import { isDeepStrictEqual } from 'node:util';
import { noModel } from '../../engine/models/provider.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { bodyOf } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireProject } from '../projects/queries.ts';
import { readCriteriaBody, requireCriteriaFit } from './criteria.ts';
import { readLabelsBody } from './labels.ts';
import {
  findDefaultModel,
  findMetric,
  insertMetric,
  insertMetricConfig,
  type LockedMetric,
  lockMetric,
  type MetricChanges,
  type MetricConfig,
  nameDefaultModel,
  updateMetricRow,
} from './queries.ts';
import { type Judging, type MetricBody, type MetricCreate, type OutputType, outputs } from './schema.ts';
import { readSpanSearch } from './span-search.ts';

/** Tells whether the judge's votes could tie. */
const canTie = (outputType: OutputType, judgeRepeats: number) =>
  outputType === 'boolean' && judgeRepeats % 2 === 0;

/** The model of metrics that name none: the organization's, else the service's, else a name that waits for a default (decision 0146). */
export const defaultModelName = (
  own: { model: string | null } | undefined,
  judgeModel: string | undefined,
): string => own?.model ?? judgeModel ?? noModel;

/** Returns what gives the default model, when it changes, to the metrics that wait for one. */
export const defaultNamer =
  (judgeModel: string | undefined) =>
  async (tx: Sql, scope: Scope, own: string | null): Promise<void> => {
    const model = own ?? judgeModel;
    if (model !== undefined) await nameDefaultModel(tx, scope, model);
  };

/**
 * Returns the configuration that a body asks for. Missing fields come from the previous configuration, then from the variant's
 * defaults. Throws 400 for an `ai` metric without a prompt.
 */
const configure = async (
  tx: Sql,
  scope: Scope,
  body: MetricBody,
  judgeModel: string | undefined,
  before?: MetricConfig,
): Promise<MetricConfig> => {
  const { evalType, outputType } = body;
  const isAi = evalType === 'ai';
  const promptTemplate = isAi ? (body.promptTemplate ?? before?.promptTemplate ?? null) : null;
  if (isAi && promptTemplate === null) throw invalid('/promptTemplate', 'is required');
  if (body.spans) readSpanSearch(body.spans);
  const keptThreshold = before?.outputType === outputType ? before.passingThreshold : null;
  const isSameKind = before?.outputType === outputType && evalType !== 'heuristic';
  const keptCriteria = isSameKind ? before.criteria : null;
  const isCategory = outputType === 'category';
  const labels = isCategory ? (body.labels ? readLabelsBody(body.labels) : (before?.labels ?? null)) : null;
  if (isCategory && labels === null)
    throw invalid('/labels', 'is required: the labels of the category, and which of them pass');
  const config: MetricConfig = {
    evalType,
    outputType,
    guidelines: body.guidelines ?? before?.guidelines ?? '',
    promptTemplate,
    evalModelName: isAi
      ? (body.evalModelName ??
        before?.evalModelName ??
        defaultModelName((await findDefaultModel(tx, scope))[0], judgeModel))
      : null,
    temperature: isAi ? (body.temperature ?? before?.temperature ?? 0) : null,
    passingThreshold:
      outputs[outputType].defaultThreshold === null
        ? null
        : (body.passingThreshold ?? keptThreshold ?? outputs[outputType].defaultThreshold),
    juryModelNames: isAi && before?.outputType === outputType ? before.juryModelNames : [],
    judgeRepeats: isAi && before && !canTie(outputType, before.judgeRepeats) ? before.judgeRepeats : 1,
    spans: isCategory ? null : body.spans === undefined ? (before?.spans ?? null) : body.spans,
    criteria: body.criteria === undefined ? keptCriteria : body.criteria && readCriteriaBody(body.criteria),
    labels,
  };
  requireCriteriaFit(config);
  return config;
};

const sameConfig = (a: MetricConfig, b: MetricConfig) =>
  (Object.keys(a) as (keyof MetricConfig)[]).every((field) => isDeepStrictEqual(a[field], b[field]));

/** Creates a metric with its first configuration. Throws 404 when there is no such project. */
export const createMetric = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  body: MetricCreate,
  judgeModel: string | undefined,
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  const config = await configure(tx, scope, body, judgeModel);
  const configId = newUuid();
  const { name, description = null } = body;
  const [metric] = await insertMetric(tx, scope, projectId, { name, description, configId });
  await insertMetricConfig(tx, scope, metric!.id, configId, config);
  return bodyOf(await findMetric(tx, scope, metric!.id), 'metric', '');
};

/** Throws 400 for a category metric that would lose its labels: a client of the contract does not know that it has any. */
const requireCategoryKept = (before: MetricConfig, { outputType }: MetricBody): void => {
  if (before.outputType === 'category' && outputType !== 'category')
    throw invalid(
      '/outputType',
      `must stay category: this metric gives labels, which ${outputType} has no place for. Create another metric`,
    );
};

/** Throws 400 when a locked metric must not change in this way. */
export type RequireChangeable = (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  before: MetricConfig,
  after: MetricConfig,
) => Promise<void>;

/**
 * Changes a metric. Makes a new configuration if a field changes that affects scoring; scores and runs keep the old one. Throws
 * 400 when `requireChangeable` does.
 */
export const updateMetric = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  body: MetricBody,
  judgeModel: string | undefined,
  requireChangeable: RequireChangeable,
): Promise<string> => {
  const [before] = await lockMetric(tx, scope, metricId);
  if (!before) throw notFound('metric', String(metricId));
  const { configId: currentId, ...current } = before;
  requireCategoryKept(current, body);
  const config = await configure(tx, scope, body, judgeModel, current);
  const changes: MetricChanges = {};
  if (body.name !== undefined) changes.name = body.name;
  if (body.description !== undefined) changes.description = body.description;
  if (!sameConfig(config, current)) {
    await requireChangeable(tx, scope, metricId, current, config);
    changes.current_config_id = newUuid();
    await insertMetricConfig(tx, scope, metricId, changes.current_config_id, config);
  }
  if (Object.keys(changes).length > 0) await updateMetricRow(tx, scope, metricId, changes);
  return bodyOf(await findMetric(tx, scope, metricId), 'metric', String(metricId));
};

/** Throws 400 for a jury that has the metric's own model, and for one whose votes, true or false, could tie. */
export const requireSoundJury = (
  { outputType, evalModelName }: { outputType: OutputType; evalModelName: string | null },
  juryModelNames: readonly string[],
): void => {
  if (outputType === 'boolean' && juryModelNames.length % 2 === 1)
    throw invalid(
      '/juryModelNames',
      'must be an even number of models for a boolean metric: with its own model they could tie',
    );
  if (evalModelName !== null && juryModelNames.includes(evalModelName))
    throw invalid(
      '/juryModelNames',
      'must not have the model of the metric: ask it several times with judgeRepeats',
    );
};

/**
 * Sets how often the judge of a locked metric is asked, and which models judge beside it. A change makes a new configuration. Throws 400
 * for more than one vote without a judge, for a model named twice, and for an even number of votes that are true or false: they could tie.
 */
export const setJudging = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { configId: _, ...current }: LockedMetric,
  changes: Partial<Judging>,
): Promise<void> => {
  const changed = { ...current, ...changes };
  if (sameConfig(changed, current)) return;
  const { evalType, outputType, judgeRepeats, juryModelNames } = changed;
  if (evalType !== 'ai')
    throw judgeRepeats === current.judgeRepeats
      ? invalid('/juryModelNames', 'must be empty for a metric without a judge')
      : invalid('/judgeRepeats', 'must be 1 for a metric without a judge');
  if (canTie(outputType, judgeRepeats)) throw invalid('/judgeRepeats', 'must be odd for a boolean metric');
  requireSoundJury(current, juryModelNames);
  const id = newUuid();
  await insertMetricConfig(tx, scope, metricId, id, changed);
  await updateMetricRow(tx, scope, metricId, { current_config_id: id });
};
