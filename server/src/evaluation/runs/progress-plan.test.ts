import { expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findRunProgress } from './progress.ts';

const { app, own } = await openApp({});

type Plan = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};
/** Rows of scores that a plan has read, those included that it did not want. */
const scoresRead = (plan: Plan): number =>
  (plan['Relation Name'] === 'score'
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + scoresRead(inner), 0);

it('the progress of a run says why a score failed without reading those that did not', async () => {
  const { id: projectId } = await createProject(own.api);
  const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(own.api, projectId, [metric.id]);
  const items = Array.from({ length: 1_000 }, () => ({ inputs: {}, expected: {}, outputs: {} }));
  for (let i = 0; i < 4; i++)
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  await app.db.transaction(
    system,
    (tx) => tx`
      update score set state = 'failed', reason = 'out of order'
      where run_id = ${run.id} and n = (select max(n) from score where run_id = ${run.id})`,
  );
  await app.db.transaction(system, (tx) => tx`analyze score`);
  const [explained] = await app.db.read(
    own,
    (sql) => sql<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
      explain (analyze, format json) ${findRunProgress(sql, own as unknown as Scope, BigInt(run.id))}`,
  );
  expect(scoresRead(explained!['QUERY PLAN'][0].Plan)).toBeLessThan(10);
  const { metrics } = await ok(own.api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress);
  expect(metrics).toMatchObject([{ failed: 1, pending: 3_999, reason: 'out of order' }]);
});
