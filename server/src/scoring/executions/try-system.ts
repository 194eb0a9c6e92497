import type { Readable } from 'node:stream';
import type { AttachedReader } from '../../evaluation/attachments/read-attached.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { countTestcases, findProjectVersion } from '../../evaluation/runs/queries.ts';
import { findTestcase } from '../../evaluation/testsets/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { testcaseKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { tellEvents } from '../../platform/http/tell-events.ts';
import { pick, type RawJson } from '../../platform/json/json.ts';
import type { Systems } from './open-systems.ts';
import { readSystemConfig } from './system-config.ts';

/** A system to try, which is a version or an unsaved configuration, with a testcase or inputs. */
export type Tried = ({ systemVersionId: string } | { config: RawJson }) &
  ({ testcaseId: string } | { inputs: RawJson });

export type TryDeps = { db: Database; systems: Pick<Systems, 'answer'>; readAttached: AttachedReader };

/** Calls the system, and returns its answer or its error as JSON. */
export type Call = (signal: AbortSignal, onText?: (delta: string) => void) => Promise<string>;

/**
 * Finds the system and the testcase, and returns the call. Writes nothing. Throws 404 for a version or a testcase of another project, and
 * 400 when the configuration does not say how to call the system.
 */
export const prepareTry = async (
  { db, systems, readAttached }: TryDeps,
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
      ? { inputs: tried.inputs, testcaseId: null }
      : { inputs: await findInputs(db, scope, projectId, tried.testcaseId), testcaseId: tried.testcaseId };
  const attached = await readAttached(scope, { projectId }, [asked.inputs]);
  const question = { ...asked, runId: null, trial: 1, attached };
  return async (signal, onText) => {
    const wish = { signal, onText };
    const { outcome, latencyMs } = await systems.answer(scope.organizationId, system, question, wish);
    if (outcome.state === 'failed') {
      const { because, spent = { inputTokens: null, outputTokens: null, costUsd: null } } = outcome;
      const error =
        because === undefined
          ? outcome.error
          : `no call is made for a while, because earlier ones failed: ${because}`;
      return JSON.stringify({ state: 'failed', outputs: null, error, latencyMs, ...spent });
    }
    const { outputs, inputTokens, outputTokens, costUsd } = outcome;
    const usage = JSON.stringify({ error: null, latencyMs, inputTokens, outputTokens, costUsd });
    return `{"state":"answered","outputs":${outputs},${usage.slice(1)}`;
  };
};

/** Makes the call, and sends it as server-sent events: `text` for each part that a model writes, then `result`. */
export const tryEvents = (call: Call, signal: AbortSignal): Readable =>
  tellEvents((tell) => call(signal, (text) => tell('text', text)));

const findInputs = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  testcaseId: string,
): Promise<RawJson> => {
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
  return pick(testcase.jsonData, testcase.inputFields);
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
