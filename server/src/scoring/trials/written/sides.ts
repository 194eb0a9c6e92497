import type { Owner } from '../../../platform/http/scope.ts';
import type { Side } from '../../labels/split.ts';
import { findFirstVerdicts, findSavedVerdicts, findTestedHash, listTrialLabels } from '../queries.ts';
import type { Read } from '../read-trials.ts';
import { withSaved } from './saved-verdicts.ts';

/** The pinned labels of each split: all of them, and those with a verdict of the saved prompt to compare with. */
export const readSides = async (read: Read, scope: Owner, metricId: bigint, configId: string) => {
  const labels = await read(scope, (sql) => listTrialLabels(sql, scope, metricId, null));
  const [tested] = await read(scope, (sql) => findTestedHash(sql, scope, metricId, configId));
  const [saved = null] = await read(scope, (sql) =>
    findSavedVerdicts(sql, scope, metricId, tested?.hash ?? ''),
  );
  const [first = null] = await read(scope, (sql) => findFirstVerdicts(sql, scope, metricId));
  return (side: Side) => {
    const all = labels.filter(({ split }) => split === side);
    const judged = withSaved(all, saved, first);
    const known = new Set(saved?.places ?? all.map(({ place }) => place));
    return { all, judged, missing: all.flatMap(({ place }) => (known.has(place) ? [] : [place])) };
  };
};
