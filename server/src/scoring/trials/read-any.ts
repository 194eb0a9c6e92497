import { notFound } from '../../platform/errors.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type FoundTrial, findTrial, type TrialKey } from './queries.ts';
import { type Read, readPinnedTrials } from './read-trials.ts';
import type { Scorers } from './rescoring/estimate-rest.ts';
import { readRescorings } from './rescoring/read-rescorings.ts';

/** What the description of a trial needs: the level of its intervals, and the scorers of estimates. */
export type Describing = { level?: number | undefined; scorers: Scorers };

/** Reads trials of any kind as JSON text, in the order of `found`. Those of a metric are read together, and rescorings of a run. */
export const readFound = async (
  read: Read,
  scope: Scope,
  found: readonly FoundTrial[],
  { level, scorers }: Describing,
): Promise<PageRow[]> => {
  const bodies = new Map<string, string>();
  const ofRuns = Map.groupBy(found, ({ runId }) => runId);
  const pinned = Map.groupBy(ofRuns.get(null) ?? [], ({ metricId }) => metricId);
  for (const [metricId, trials] of pinned) {
    const ids = new Map(trials.map(({ n, id }) => [n, id]));
    for (const trial of await readPinnedTrials(read, scope, metricId, [...ids.values()], level))
      bodies.set(ids.get(trial.number)!, JSON.stringify(trial));
  }
  for (const [runId, trials] of ofRuns) {
    if (runId === null) continue;
    const ids = trials.map(({ id }) => id);
    for (const { id, body } of await readRescorings(read, scope, runId, ids, scorers)) bodies.set(id, body);
  }
  // A trial that was deleted since has no body.
  return found.flatMap(({ id }) => (bodies.has(id) ? [{ key: id, body: bodies.get(id)! }] : []));
};

/** Reads one trial of any kind as JSON text. Throws 404 if there is none. */
export const readTrial = async (
  read: Read,
  scope: Scope,
  key: TrialKey,
  describing: Describing,
): Promise<string> => {
  const found = await read(scope, (sql) => findTrial(sql, scope, key));
  const [trial] = await readFound(read, scope, found, describing);
  if (!trial) throw notFound('trial', String(key.n));
  return trial.body;
};
