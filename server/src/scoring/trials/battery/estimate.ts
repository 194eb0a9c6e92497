import type { Static } from 'typebox';
import { detectableWith, recordsToClear } from '../../../engine/statistics/bias-battery.ts';
import { countInWords } from '../../../engine/statistics/count-in-words.ts';
import { fewestOfSide } from '../../../engine/statistics/self-preference.ts';
import { biases as allBiases } from '../../../engine/statistics/trial-schema.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { measureVerdicts } from '../../budgets/queries.ts';
import type { BatteryCreate, TrialEstimate } from '../schema.ts';
import { listPinnedParts, planEdits, whyNot } from './plan.ts';
import { defaultMargin, findTested, requireTested } from './start-battery.ts';
import { listWriters } from './writers.ts';

/** What a battery would ask for and cost. Throws 404 for an unknown configuration, 400 unless a model judges records with it. */
export const estimateBattery = async (
  db: Database,
  scope: Scope,
  metricId: bigint,
  body: BatteryCreate,
): Promise<Static<typeof TrialEstimate.schema>> => {
  const { edits = [...allBiases], margin = defaultMargin } = body;
  const found = await db.read(scope, (sql) => findTested(sql, scope, metricId, body));
  const { configId } = requireTested(found, body);
  const records = await db.read(scope, (sql) => listPinnedParts(sql, scope, metricId));
  const planned = planEdits(edits, records);
  const writers = edits.includes('selfPreference')
    ? await db.read(scope, (sql) => listWriters(sql, scope, metricId))
    : [];
  const [measured] = await db.read(scope, (sql) => measureVerdicts(sql, scope, metricId, configId));
  const numVerdicts = 2 * records.length + planned.reduce((sum, { copies }) => sum + copies.length, 0);
  const costEach = measured && measured.count > 0 ? measured.costUsd : null;
  const costUsd = costEach === null ? null : costEach * numVerdicts;
  const numToClear = recordsToClear(margin);
  const biases = edits.map((bias) => {
    if (bias === 'selfPreference') {
      const numRecords = writers.length;
      const few = numRecords < 2 * fewestOfSide;
      return {
        bias,
        numRecords,
        reason: few
          ? `the model of ${countInWords(numRecords, 'pinned record')} is known, by a trace or the version of a system: it needs ${fewestOfSide} of the judge's own model and ${fewestOfSide} of others`
          : null,
      };
    }
    const numRecords = planned.find(({ edit }) => edit === bias)?.copies.length ?? 0;
    return { bias, numRecords, reason: numRecords === 0 ? whyNot[bias] : null };
  });
  const cost =
    costUsd === null
      ? 'its cost is unknown: no verdict of this configuration has a known cost'
      : `about $${costUsd < 0.01 ? costUsd.toPrecision(2) : costUsd.toFixed(2)}`;
  const few =
    records.length < numToClear
      ? `; ${numToClear} pinned records are needed to show that an edit which changes nothing is clear`
      : '';
  const least = detectableWith(
    records.length,
    Math.max(1, biases.filter(({ reason }) => reason === null).length),
  );
  const finds =
    least === null
      ? '; so few records find no bias'
      : `; 8 of 10 such batteries find a bias of ${(100 * least).toFixed(1)} points, or more if the judge's verdicts vary`;
  const sentence =
    records.length === 0
      ? `no labelled record is pinned: choose “Watch for drift on these labels” on the page of the judge, with ${numToClear} labels or more`
      : `${countInWords(numVerdicts, 'verdict')} on ${countInWords(records.length, 'pinned record')}, ${cost}${finds}${few}`;
  return {
    numRecords: records.length,
    numVerdicts,
    costUsd,
    basis: costUsd === null ? 'unknown' : 'earlierScores',
    numToClear,
    biases,
    saved: null,
    numChecks: null,
    sentence,
  };
};
