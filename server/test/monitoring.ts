import { afterAll } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { createProject, ok } from './fixtures.ts';
import { startApp } from './harness.ts';
import {
  createCodeMetric,
  createMonitor,
  decide,
  monitoredRecords,
  sendSpans,
  tracedScores,
} from './monitors.ts';
import type { TestSpan } from './otlp.ts';

/** Starts a service whose monitors decide only when a test says so, for all tests of a file. `begin` makes the project of one test. */
export const openMonitoring = async () => {
  const app = await startApp({});
  afterAll(() => app.close());
  const own = await app.organization();
  let projectId = '';
  let metric: { id: string };
  return {
    app,
    own,
    begin: async () => {
      // Every organization's records are decided together: what another test has left is not this one's.
      await decide(app);
      projectId = (await createProject(own.api)).id;
      metric = await createCodeMetric(own.api, projectId);
      return { projectId, metric };
    },
    send: (spans: TestSpan[]) => sendSpans(app, own.key, projectId, spans),
    /** Creates a monitor of the test's metric. */
    monitor: (fields: Record<string, unknown> = {}) => createMonitor(own.api, projectId, [metric.id], fields),
    reread: (id: string) => ok(own.api('GET', `/monitors/${id}`)),
    rowsOf: (monitorId: string) => monitoredRecords(app, monitorId),
    scores: () => tracedScores(app, projectId),
    run: (statement: string) => app.db.transaction(system, (tx) => tx.unsafe(statement)),
  };
};
