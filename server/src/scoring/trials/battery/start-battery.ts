import { biases } from '../../../engine/statistics/trial-schema.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import { requireOne } from '../../../platform/http/http.ts';
import { uuidId } from '../../../platform/http/ids.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { setJudgeBudget } from '../../budgets/queries.ts';
import { findJudgeConfig, type JudgeConfig } from '../../labels/queries.ts';
import type { BatteryCreate } from '../schema.ts';
import { type Candidate, lockPinned, startTrial } from '../start-trial.ts';
import { isEdit, listPinnedParts, planEdits } from './plan.ts';

export const defaultMargin = 0.05;

/** Finds the configuration that a battery tests: the one that is named, else the current one. */
export const findTested = (
  sql: Sql,
  scope: Scope,
  metricId: bigint,
  { metricConfigId }: Pick<BatteryCreate, 'metricConfigId'>,
) => {
  const asked = metricConfigId === undefined ? null : uuidId('metric configuration', metricConfigId);
  return findJudgeConfig(sql, scope, metricId, asked, null);
};

/** Throws 404 without a configuration, and 400 unless a model judges records with it. */
export const requireTested = (
  found: readonly JudgeConfig[],
  { metricConfigId = '' }: Pick<BatteryCreate, 'metricConfigId'>,
): JudgeConfig => {
  const config = requireOne(found, 'metric configuration', metricConfigId);
  if (config.evalType !== 'ai') throw invalid('', 'must name a metric that a model scores');
  if (config.ofSpans) throw invalid('', 'must name a metric that scores records: this one scores spans');
  return config;
};

/**
 * Starts a bias battery: the judge decides the pinned records as they are, again as they are, and with each edit that applies to one of them.
 * Its budget is divided among its runs by their verdicts. Throws 404 when nothing is pinned or the configuration is not one of the metric,
 * and 400 unless a model judges records with it, or if nothing that was asked for applies.
 */
export const startBattery = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  body: BatteryCreate,
): Promise<string> => {
  const { edits = [...biases], margin = defaultMargin, budgetUsd } = body;
  const pinned = await lockPinned(tx, scope, metricId);
  const { configId } = requireTested(await findTested(tx, scope, metricId, body), body);
  const records = await listPinnedParts(tx, scope, metricId);
  const candidate = { configId, dueModels: [] };
  const edited = planEdits(edits, records).flatMap(({ edit, copies }): Candidate[] =>
    copies.length > 0
      ? [{ ...candidate, how: edit, label: `a bias battery, edit ${edit}`, edited: copies }]
      : [],
  );
  if (edited.length === 0 && edits.every(isEdit))
    throw invalid('/edits', 'do not apply to any pinned record');
  const asIs = (['reference', 'placebo'] as const).map(
    (how): Candidate => ({ ...candidate, how, label: `a bias battery, ${how}` }),
  );
  const candidates = [...asIs, ...edited];
  const trial = { kind: 'battery' as const, margin, seed: null, edits };
  const sizes = candidates.map((each) => each.edited?.length ?? records.length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return startTrial(tx, scope, metricId, { ...pinned, pinnedConfigId: configId }, trial, candidates, [], {
    beforeScores: async (runId, i) => {
      if (budgetUsd !== undefined) await setJudgeBudget(tx, scope, runId, (budgetUsd * sizes[i]!) / all);
    },
  });
};
