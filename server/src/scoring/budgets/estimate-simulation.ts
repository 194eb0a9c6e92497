import { type ProviderConfig, resolveModel } from '../../engine/models/provider.ts';
import { findProjectVersion } from '../../evaluation/runs/queries.ts';
import type { SimulationCreate } from '../../evaluation/runs/schema.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { checkSimulation, defaultTurns, userOf } from '../executions/simulation/check-simulation.ts';
import { rules } from '../executions/simulation/user.ts';
import { messagesOf, type PromptSystem, readSystemConfig } from '../executions/system-config.ts';
import type { Judge } from '../judges/judge.ts';
import type { RunEstimateRequest } from './schema.ts';

/** Assumed length of a message of a conversation: two or three sentences. */
const tokensPerMessage = 100;
const bytesPerToken = 4;

type Asked = RunEstimateRequest & { simulation: SimulationCreate };

export const bytesOf = (prompt: PromptSystem): number =>
  messagesOf(prompt).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);

/** Returns who plays the user: a stored version, a prompt that is not stored yet, or the messages of an earlier simulation. */
const playerOf = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  { simulation, userConfig, testsetId, trials }: Asked,
) => {
  if (userConfig === undefined) {
    const run = { execute: true, testsetId: testsetId ?? null, ...(trials !== undefined && { trials }) };
    return db.transaction(scope, (sql) => checkSimulation(sql, scope, projectId, simulation, run));
  }
  const { userVersionId, replayOf, maxTurns = defaultTurns } = simulation;
  if (userVersionId !== undefined || replayOf !== undefined)
    throw invalid('/userConfig', 'must be left out with userVersionId or replayOf');
  return { user: userOf(JSON.stringify(userConfig), '/userConfig'), maxTurns, replayed: 0 };
};

/** Returns the configuration of the system: of the stored version, or of one that is not stored yet. */
export const systemConfigOf = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  { systemVersionId, systemConfig }: RunEstimateRequest,
): Promise<RawJson> => {
  if ((systemVersionId === undefined) === (systemConfig === undefined))
    throw invalid('/systemVersionId', 'or systemConfig is required, and not both');
  if (systemVersionId === undefined) return JSON.stringify(systemConfig);
  const id = uuidId('system version', systemVersionId);
  const versions = await db.read(scope, (sql) => findProjectVersion(sql, scope, projectId, id));
  return requireOne(versions, 'system version', systemVersionId).config;
};

/**
 * Estimates the highest cost of conversations: each goes on to maxTurns, and every call reads all earlier messages. Throws as the
 * start of the run would.
 */
export const estimateSimulation = async (
  db: Database,
  scope: Scope,
  { judge, providers }: { judge: Judge; providers: ProviderConfig[] },
  projectId: bigint,
  asked: Asked,
  { numRecords, recordBytes }: { numRecords: number; recordBytes: number },
) => {
  const { user, maxTurns, replayed } = await playerOf(db, scope, projectId, asked);
  const system = readSystemConfig(await systemConfigOf(db, scope, projectId, asked));
  const conversations = user ? numRecords : replayed;
  const calls = conversations * maxTurns;

  /** The cost of all calls of a prompt, which reads `before` messages in its first call and two more in each further one. */
  const costOf = (prompt: PromptSystem, before: number, promptBytes: number): number | null => {
    const resolved = resolveModel(prompt.modelName, providers);
    if ('error' in resolved) return null;
    const read =
      maxTurns * (promptBytes / bytesPerToken) + tokensPerMessage * maxTurns * (maxTurns - 1 + before);
    const tokens = { inputTokens: Math.ceil(read), outputTokens: maxTurns * tokensPerMessage };
    const each = judge.costOf(resolved, tokens);
    return each === null ? null : each * conversations;
  };
  const userBytes = user ? bytesOf(user) + Buffer.byteLength(rules) + recordBytes : 0;
  return {
    conversations,
    /** Length of the record's outputs: all messages. */
    outputBytes: 2 * maxTurns * tokensPerMessage * bytesPerToken,
    estimate: {
      numConversations: conversations,
      maxUserCalls: user ? calls : 0,
      maxSystemCalls: calls,
      userCostUsd: user ? costOf(user, 0, userBytes) : 0,
      systemCostUsd:
        'problem' in system || system.kind === 'endpoint' ? null : costOf(system, 1, bytesOf(system)),
    },
  };
};
