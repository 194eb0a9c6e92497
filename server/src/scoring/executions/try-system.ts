import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Called, Usage } from '../../engine/models/ask.ts';
import type { AttachedReader } from '../../evaluation/attachments/read-attached.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { countTestcases, findProjectVersion } from '../../evaluation/runs/queries.ts';
import { findTestcase } from '../../evaluation/testsets/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { testcaseKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Tell, tellEvents } from '../../platform/http/tell-events.ts';
import { members, pick, type RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { PromptDeps } from './ask-prompt.ts';
import type { Systems } from './open-systems.ts';
import type { Answer, Failed, Message, Spent } from './question.ts';
import { hold, inputsOfSystem } from './simulation/converse.ts';
import { nextMessage } from './simulation/next-message.ts';
import { openUser, rules } from './simulation/user.ts';
import { type PromptSystem, readSystemConfig } from './system-config.ts';

/** A system to try, which is a version or an unsaved configuration, with a testcase or inputs. */
export type Tried = ({ systemVersionId: string } | { config: RawJson }) &
  ({ testcaseId: string } | { inputs: RawJson }) & {
    /** Who talks to the system, in place of one call of it. */
    simulation?: { user: PromptSystem; maxTurns: number };
  };

export type TryDeps = {
  db: Database;
  systems: Pick<Systems, 'answer'>;
  /** Dependencies of calls of simulated users. */
  prompts: PromptDeps;
  readAttached: AttachedReader;
};

/** Calls the system, and returns its answer or its error as JSON. */
export type Call = (signal: AbortSignal, tell?: Tell) => Promise<string>;

const unknown: Usage = { inputTokens: null, outputTokens: null, costUsd: null };

/** The usage of the system, at a cost that includes the simulated user's. */
const costOf = ({ inputTokens, outputTokens, costUsd, userCostUsd = 0 }: Usage & Partial<Spent>): Usage => ({
  inputTokens,
  outputTokens,
  costUsd: costUsd === null || userCostUsd === null ? null : costUsd + userCostUsd,
});

/**
 * Finds the system and the testcase, and returns the call. Writes nothing. Throws 404 for a version or a testcase of another project, and
 * 400 when the configuration does not say how to call the system.
 */
export const prepareTry = async (
  { db, systems, prompts, readAttached }: TryDeps,
  scope: Scope,
  projectId: bigint,
  tried: Tried,
): Promise<Call> => {
  await requireReadableProject(db, scope, projectId);
  const config =
    'config' in tried ? tried.config : await findConfig(db, scope, projectId, tried.systemVersionId);
  const system = readSystemConfig(config);
  if ('problem' in system)
    throw invalid('/config', `must be of a system that can be called: ${system.problem}`);
  const asked =
    'inputs' in tried
      ? { fields: { inputs: tried.inputs, expected: '{}' }, testcaseId: null }
      : { fields: await findFields(db, scope, projectId, tried.testcaseId), testcaseId: tried.testcaseId };
  const { inputs } = asked.fields;
  const attached = await readAttached(scope, { projectId }, [inputs]);
  const question = { inputs, testcaseId: asked.testcaseId, runId: null, trial: 1, attached };
  const { simulation } = tried;
  const answer = (signal: AbortSignal, tell?: Tell): Promise<Called<Answer>> => {
    const { organizationId } = scope;
    if (!simulation)
      return systems.answer(organizationId, system, question, {
        signal,
        onText: tell && ((text) => tell('text', text)),
      });
    const described = { organizationId, system: simulation.user, ...asked.fields, rules };
    const { opening } = parseJson(inputs) as { opening?: unknown };
    const user = openUser(simulation.user.modelName, opening, (messages) =>
      nextMessage(prompts, described, messages, { signal }),
    );
    const held = {
      id: `try-${randomUUID()}`,
      organizationId,
      user,
      target: system,
      question: { ...question, inputs: inputsOfSystem(inputs, [...members(inputs).keys()]) },
      maxTurns: simulation.maxTurns,
      onMessage: tell && ((message: Message) => tell('message', message)),
    };
    return hold(systems, held, { signal, isWanted: async () => !signal.aborted });
  };
  return async (signal, tell) => {
    const { outcome, latencyMs } = await answer(signal, tell);
    if (outcome.state === 'failed') {
      const { because, spent: called, brokenOff }: Failed = outcome;
      const spent = called ?? costOf(brokenOff ?? unknown);
      const error =
        because === undefined
          ? outcome.error
          : `no call is made for a while, because earlier ones failed: ${because}`;
      return JSON.stringify({ state: 'failed', outputs: null, error, latencyMs, ...spent });
    }
    const usage = JSON.stringify({ error: null, latencyMs, ...costOf(outcome) });
    return `{"state":"answered","outputs":${outcome.outputs},${usage.slice(1)}`;
  };
};

/** Makes the call, and sends it as server-sent events: `text` for each part that a model writes or `message` for each message, then `result`. */
export const tryEvents = (call: Call, signal: AbortSignal): Readable =>
  tellEvents((tell) => call(signal, tell));

const findFields = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  testcaseId: string,
): Promise<{ inputs: RawJson; expected: RawJson }> => {
  const key = testcaseKey(testcaseId);
  const testcase = requireOne(
    await db.read(scope, (sql) => findTestcase(sql, scope, key)),
    'testcase',
    testcaseId,
  );
  requireOne(
    await db.read(scope, (sql) => countTestcases(sql, scope, projectId, key.testsetId)),
    'testcase',
    testcaseId,
  );
  const { jsonData, inputFields, expectedFields } = testcase;
  return { inputs: pick(jsonData, inputFields), expected: pick(jsonData, expectedFields) };
};

const findConfig = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  versionId: string,
): Promise<RawJson> => {
  const id = uuidId('system version', versionId);
  const rows = await db.read(scope, (sql) => findProjectVersion(sql, scope, projectId, id));
  return requireOne(rows, 'system version', versionId).config;
};
