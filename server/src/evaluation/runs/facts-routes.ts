import { Type } from 'typebox';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { type Resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { run } from '../resources.ts';
import { addMarks, findSibling, upsertVerdict } from './facts-queries.ts';
import { RunVerdict, RunVerdictUpsert } from './facts-schema.ts';

const params = Type.Object({
  ...run.params.properties,
  gate: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the gate, such as the file with its rules.',
  }),
});
type GateKey = { runId: bigint; gate: string };
const gateOfRun: Resource<typeof params, GateKey> = {
  name: 'run',
  params,
  keyOf: ({ runId, gate }) => ({ runId: numericId('run', runId), gate }),
  idOf: ({ runId }) => runId,
};

/** Stores the verdict of a gate, and the mark that the run gets with it. Throws 404 for a baseline of another project. */
const storeVerdict = async (
  tx: Sql,
  scope: Scope,
  { runId, gate }: GateKey,
  { baselineRunId = null, against = null, reason = null, mark, outcome }: RunVerdictUpsert,
): Promise<string> => {
  if (mark !== undefined && outcome !== 'pass')
    throw invalid('/mark', 'must come with the outcome pass, or be left out');
  const baseline = baselineRunId === null ? null : numericId('run', baselineRunId);
  if (baseline !== null) requireOne(await findSibling(tx, scope, runId, baseline), 'run', baselineRunId!);
  const verdict = { gate, outcome, baselineRunId: baseline, against, reason };
  const body = bodyOf(await upsertVerdict(tx, scope, runId, verdict), 'run', String(runId));
  if (mark !== undefined) await addMarks(tx, scope, runId, [mark]);
  return body;
};

export const runFactRoutes = (app: App, deps: RouteDeps): void => {
  writeRoute(app, deps, 'PUT', '/runs/:runId/verdicts/:gate', {
    operationId: 'upsertRunVerdict',
    summary: 'Store what a gate decided about a run, in place of its earlier verdict.',
    tags: ['Runs'],
    of: gateOfRun,
    body: RunVerdictUpsert,
    response: ref(RunVerdict),
    work: storeVerdict,
  });
};
