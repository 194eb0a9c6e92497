import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { listWriters, type Writers } from './battery/writers.ts';
import { type DescribedTrial, describeTrial } from './describe-trial.ts';
import {
  findFirstVerdicts,
  findGateBaselines,
  findPinnedTrials,
  findReferenceCost,
  findSavedVerdicts,
  findTrial,
  listCandidates,
  listRunVerdicts,
  listTrialLabels,
  type Spent,
  type TrialKey,
  type TrialRow,
} from './queries.ts';
import type { Trial } from './trial.ts';

/** Runs one statement: in a transaction, or on its own. */
export type Read = Database['read'];

/** Reads in a transaction, so that it sees the writes of that transaction. */
export const within =
  (tx: Sql): Read =>
  async (_tenant, statement) =>
    statement(tx);

/** Reads how both judges decided the stored runs of a trial. */
const readRuns = async (
  read: Read,
  scope: Owner,
  { trial, lastPlace }: { trial: TrialRow; lastPlace: number },
): Promise<Pick<Trial, 'runVerdicts' | 'baselines'>> => {
  const runIds = trial.runIds.map(BigInt);
  if (runIds.length === 0) return { runVerdicts: [], baselines: new Map() };
  const runVerdicts = await read(scope, (sql) => listRunVerdicts(sql, scope, { trial, lastPlace }));
  const baselines = await read(scope, (sql) => findGateBaselines(sql, scope, runIds));
  return { runVerdicts, baselines: new Map(baselines.map(({ runId, baseline }) => [runId, baseline])) };
};

/** Reads trials on the pinned records of a metric by their ids, each with its results so far. */
export const readPinnedTrials = async (
  read: Read,
  scope: Owner,
  metricId: bigint,
  ids: string[],
  level = defaultLevel,
): Promise<DescribedTrial[]> => {
  const rows = await read(scope, (sql) => findPinnedTrials(sql, scope, metricId, ids));
  const candidates = await read(scope, (sql) => listCandidates(sql, scope, ids));
  // Only alignments split the labels, and all of a metric by one seed.
  const seed = rows.find((row) => row.seed !== null)?.seed ?? null;
  const labels = await read(scope, (sql) => listTrialLabels(sql, scope, metricId, seed));
  const lastPlace = labels.at(-1)?.place ?? 0;
  const [firstVerdicts = null] = await read(scope, (sql) => findFirstVerdicts(sql, scope, metricId));
  const costs = new Map<string, Spent>();
  for (const configId of new Set(rows.map((row) => row.configId))) {
    const [cost] = await read(scope, (sql) => findReferenceCost(sql, scope, metricId, configId));
    costs.set(configId, cost!);
  }
  let written: Writers[] | undefined;
  const writers = async () => (written ??= await read(scope, (sql) => listWriters(sql, scope, metricId)));
  const savedBy = async (hash: string) => {
    const [found = null] = await read(scope, (sql) => findSavedVerdicts(sql, scope, metricId, hash));
    return found;
  };
  const described: DescribedTrial[] = [];
  for (const row of rows) {
    const own = candidates.filter(({ trialId }) => trialId === row.id);
    const trial = {
      row,
      // A trial without candidates belonged to an earlier pinned set.
      labels: own.length > 0 ? labels : [],
      candidates: own,
      reference: costs.get(row.configId)!,
      firstVerdicts,
      writers: row.kind === 'battery' ? await writers() : [],
      saved: row.split === null ? null : await savedBy(row.metricHash),
      ...(await readRuns(read, scope, { trial: row, lastPlace })),
    };
    described.push(describeTrial(metricId, trial, level));
  }
  return described;
};

/** Reads one trial on the pinned records. Throws 404 if there is none. */
export const readPinnedTrial = async (
  read: Read,
  scope: Owner,
  key: TrialKey,
  level = defaultLevel,
): Promise<DescribedTrial> => {
  const [found] = await read(scope, (sql) => findTrial(sql, scope, key));
  const [trial] = found ? await readPinnedTrials(read, scope, key.metricId, [found.id], level) : [];
  if (!trial) throw notFound('trial', String(key.n));
  return trial;
};
