import { findProjectVersion } from '../../../evaluation/runs/queries.ts';
import type { RunCreate, SimulationCreate } from '../../../evaluation/runs/schema.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import { requireOne } from '../../../platform/http/http.ts';
import { numericId, uuidId } from '../../../platform/http/ids.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import type { RawJson } from '../../../platform/json/json.ts';
import { findSimulation, type RunSimulation } from '../queries.ts';
import { type PromptSystem, readSystemConfig } from '../system-config.ts';

/** The user of a simulation, and the number of conversations that it replays. */
export type CheckedSimulation = RunSimulation & { user: PromptSystem | null; replayed: number };

export const defaultTurns = 10;

const checkReplay = async (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  replayOf: string,
  { testsetId, trials }: Pick<RunCreate, 'testsetId' | 'trials'>,
): Promise<CheckedSimulation> => {
  const replayedRunId = numericId('run', replayOf);
  const found = requireOne(
    await findSimulation(sql, scope, projectId, replayedRunId),
    'simulation of the project',
    replayOf,
  );
  if (String(found.testsetId) !== testsetId)
    throw invalid('/simulation/replayOf', 'must be a simulation of the same testset');
  if (found.conversations === 0)
    throw invalid('/simulation/replayOf', 'must have a conversation, and that run has none');
  if (trials !== undefined) throw invalid('/trials', 'must be left out: a replay has those of its run');
  const { maxTurns, conversations } = found;
  return { userVersionId: null, replayedRunId, maxTurns, user: null, replayed: conversations };
};

/** Returns the prompt that plays the user. Throws 400 with the path and what it must be for a configuration that is no prompt. */
export const userOf = (config: RawJson, path: string, what = 'must be a prompt'): PromptSystem => {
  const user = readSystemConfig(config);
  if (!('problem' in user) && user.kind === 'prompt') return user;
  throw invalid(path, `${what}${'problem' in user ? `: ${user.problem}` : ''}`);
};

/** Throws for a simulation that can't be held, and returns who plays the user. */
export const checkSimulation = async (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { userVersionId, replayOf, maxTurns = defaultTurns }: SimulationCreate,
  run: Pick<RunCreate, 'execute' | 'testsetId' | 'trials'>,
): Promise<CheckedSimulation> => {
  if (!run.execute) throw invalid('/simulation', 'needs execute');
  if ((userVersionId === undefined) === (replayOf === undefined))
    throw invalid('/simulation', 'must have either userVersionId or replayOf');
  if (replayOf !== undefined) return checkReplay(sql, scope, projectId, replayOf, run);
  const id = uuidId('system version', userVersionId!);
  const versions = await findProjectVersion(sql, scope, projectId, id);
  const { config } = requireOne(versions, 'system version', userVersionId!);
  const user = userOf(config, '/simulation/userVersionId', 'must name a version that is a prompt');
  return { userVersionId: id, replayedRunId: null, maxTurns, user, replayed: 0 };
};
