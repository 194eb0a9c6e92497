import type { EditedCopy } from '../../../evaluation/records/copy.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import { requireOne } from '../../../platform/http/http.ts';
import { uuidId } from '../../../platform/http/ids.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { findJudgeConfig } from '../../labels/queries.ts';
import { pinnedRecords } from '../pinned-queries.ts';
import { edits as allEdits, type BatteryCreate } from '../schema.ts';
import { type Candidate, lockPinned, startTrial } from '../start-trial.ts';
import { perturb } from './perturb.ts';

const defaultMargin = 0.05;

/** The pinned records as JSON text, by the numbers of their copies. */
const listPinnedParts = (tx: Sql, scope: Scope, metricId: bigint) => tx<EditedCopy[]>`
  select pinned.place as n, r.inputs::text, r.expected::text, r.outputs::text
  from (${pinnedRecords(tx, scope, metricId, null)}) pinned
  join record r on r.run_id = pinned.run_id and r.n = pinned.n and r.organization_id = ${scope.organizationId}
  order by pinned.place`;

/**
 * Starts a bias battery: the judge decides the pinned records as they are, again as they are, and with each edit that applies to one of them.
 * Throws 404 when nothing is pinned or the configuration is not one of the metric, and 400 unless a model judges records with it.
 */
export const startBattery = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { edits = [...allEdits], margin = defaultMargin, metricConfigId }: BatteryCreate,
): Promise<string> => {
  const pinned = await lockPinned(tx, scope, metricId);
  const asked = metricConfigId === undefined ? null : uuidId('metric configuration', metricConfigId);
  const { configId, evalType } = requireOne(
    await findJudgeConfig(tx, scope, metricId, asked, null),
    'metric configuration',
    metricConfigId ?? '',
  );
  if (evalType !== 'ai') throw invalid('', 'must name a metric that a model scores');
  const records = await listPinnedParts(tx, scope, metricId);
  const candidate = { configId, dueModels: [] };
  const edited = edits.flatMap((edit): Candidate[] => {
    const copies = records.flatMap((record) => {
      const parts = perturb(edit, record, { place: record.n });
      return parts ? [{ ...parts, n: record.n }] : [];
    });
    return copies.length > 0
      ? [{ ...candidate, how: edit, label: `a bias battery, edit ${edit}`, edited: copies }]
      : [];
  });
  if (edited.length === 0) throw invalid('/edits', 'do not apply to any pinned record');
  const asIs = (['reference', 'placebo'] as const).map(
    (how): Candidate => ({
      ...candidate,
      how,
      label: `a bias battery, ${how}`,
    }),
  );
  const trial = { kind: 'battery' as const, margin, seed: null, edits };
  return startTrial(tx, scope, metricId, { ...pinned, pinnedConfigId: configId }, trial, [
    ...asIs,
    ...edited,
  ]);
};
