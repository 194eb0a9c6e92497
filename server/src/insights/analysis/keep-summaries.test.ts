import { expect, it } from 'vitest';
import { createScoredRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { keepSummaries, type Summary } from './keep-summaries.ts';

const { app, own } = await openApp();

/** Summaries that only count how often one was made. */
const openCounting = async (run: { id: string; projectId: string }, clock: () => number) => {
  const [found] = await app.db.read(
    system,
    (sql) => sql<{ organizationId: bigint }[]>`
      select organization_id as "organizationId" from run where id = ${run.id}::text::bigint`,
  );
  const summary = {
    runId: BigInt(run.id),
    projectId: BigInt(run.projectId),
    ofOtherRuns: false,
    isPassing: false,
  };
  const kept = keepSummaries(app.db, clock);
  let made = 0;
  return async (changes: Partial<Summary> = {}) => {
    const make = async () => ({ body: String(++made), ...summary, ...changes });
    await kept(found as unknown as Scope, 'run', make);
    return made;
  };
};

it('keeps a summary until its run is written to or a resource of its project is, and 100 s after it was last asked for', async () => {
  let now = 0;
  const { project, run, metric, configId, recordIds } = await createScoredRun(own.api, 3);
  const count = await openCounting({ id: run.id, projectId: project.id }, () => now);
  expect([await count(), await count(), await count()]).toEqual([1, 1, 1]);

  const variant = { evalType: metric.evalType, outputType: metric.outputType };
  const score = { score: { binaryScore: false } };
  const writes = [
    () => ok(own.api('PUT', `/records/${recordIds[0]}/scores/${configId}`, score)),
    () => ok(own.api('PATCH', `/metrics/${metric.id}`, { ...variant, name: 'Another name' })),
    () => ok(own.api('DELETE', `/records/${recordIds[1]}`)),
  ];
  let made = 1;
  for (const write of writes) {
    await write();
    made++;
    expect([await count(), await count()]).toEqual([made, made]);
  }

  const other = await ok(own.api('POST', `/projects/${project.id}/runs`, { metricIds: [metric.id] }), 201);
  expect(await count()).toBe(made);
  now += 99_000;
  expect(await count()).toBe(made);
  now += 99_000;
  expect(await count()).toBe(made);
  now += 100_000;
  made++;
  expect(await count({ ofOtherRuns: true })).toBe(made);
  await ok(own.api('DELETE', `/runs/${other.id}`));
  made++;
  expect(await count({ isPassing: true })).toBe(made);
  expect(await count()).toBe(made + 1);
});
