import { findSystemVersion } from '../../../evaluation/systems/queries.ts';
import { findTestcase } from '../../../evaluation/testsets/queries.ts';
import type { Database } from '../../../platform/db/database.ts';
import { ApiError, invalid } from '../../../platform/errors.ts';
import { bodyOf, requireOne } from '../../../platform/http/http.ts';
import { testcaseKey, uuidId } from '../../../platform/http/ids.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { members, pick } from '../../../platform/json/json.ts';
import type { PromptDeps } from '../ask-prompt.ts';
import { readSystemConfig } from '../system-config.ts';
import { nextMessage } from './next-message.ts';
import type { Simulation } from './schema.ts';

const heard = (messages: Simulation['messages']) =>
  messages.flatMap(({ role, content }) => (content ? [{ role, content }] : []));

/**
 * Returns the next message of a simulated user, as JSON. Throws 404 for a version or testcase that does not exist, 400 if the version is
 * not a prompt or cannot be used, and 503 when it may work later.
 */
export const simulateUser = async (
  { db, prompts }: { db: Database; prompts: PromptDeps },
  scope: Scope,
  versionId: string,
  { testcaseId, messages }: Simulation,
  signal: AbortSignal,
): Promise<string> => {
  const id = uuidId('system version', versionId);
  const key = testcaseKey(testcaseId);
  const version = bodyOf(
    await db.read(scope, (sql) => findSystemVersion(sql, scope, id)),
    'system version',
    versionId,
  );
  const testcase = requireOne(
    await db.read(scope, (sql) => findTestcase(sql, scope, key)),
    'testcase',
    testcaseId,
  );
  const user = readSystemConfig(members(version).get('config')!);
  if ('problem' in user) throw invalid('', `must name a version that can simulate a user: ${user.problem}`);
  if (user.kind !== 'prompt') {
    throw invalid(
      '',
      'must name a version that can simulate a user: its config must have promptTemplate and modelName',
    );
  }
  const described = {
    organizationId: scope.organizationId,
    system: user,
    inputs: pick(testcase.jsonData, testcase.inputFields),
    expected: pick(testcase.jsonData, testcase.expectedFields),
  };
  const outcome = await nextMessage(prompts, described, heard(messages), { signal });
  if (outcome.state === 'answered')
    return JSON.stringify({ messages: [{ role: 'user', content: outcome.text }] });
  const { error, retryable, retryAfterMs = 1_000 } = outcome;
  if (!retryable) throw invalid('', `can't be answered: ${error}`);
  throw new ApiError('UNAVAILABLE', `The simulated user did not answer: ${error}.`, {
    retryAfterSeconds: Math.ceil(retryAfterMs / 1_000),
  });
};
