import type { Static } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findJudgeConfig } from '../../scoring/labels/queries.ts';
import { findLabelSource } from '../../scoring/labels/read-judge.ts';
import type { JudgeCalibration } from './calibration-schema.ts';
import { readCalibration } from './read-calibration.ts';

/**
 * How far the judge of a metric can be trusted, in a few words that stand beside its rates; null unless a model judges. `configId`: null for
 * the current configuration.
 */
export const readTrust = async (
  db: Database,
  scope: Scope,
  metricId: bigint,
  configId: string | null,
): Promise<string | null> => {
  const [judge] = await db.read(scope, (sql) => findJudgeConfig(sql, scope, metricId, configId, null));
  if (judge?.evalType !== 'ai') return null;
  const source = await findLabelSource(db, scope, metricId);
  const asked = { metricId, judge, source, runId: null, judged: null, rates: [] };
  const answer = await readCalibration(db, scope, { ...asked, split: 'all', level: defaultLevel });
  return (JSON.parse(answer) as Pick<Static<typeof JudgeCalibration.schema>, 'judge'>).judge.trust;
};
