import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { engine } from '../../../test/harness.ts';
import {
  createCodeMetric,
  createMonitor,
  decide,
  monitoredRecords,
  root,
  sendSpans,
  tracedScores,
} from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId } from '../../../test/otlp.ts';
import { type Sql, system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { deleteMonitor, updateMonitor } from './define-monitor.ts';

/** A monitor that is changed, paused or deleted while traces settle, or while they are just being decided. */

const { app, own } = await openApp({});
let projectId: string;
let metric: { id: string };
let other: { id: string };

beforeEach(async () => {
  await decide(app);
  projectId = (await createProject(own.api)).id;
  metric = await createCodeMetric(own.api, projectId);
  other = await createCodeMetric(own.api, projectId);
});

const send = (traceId = newTraceId()) => sendSpans(app, own.key, projectId, [root(traceId)]);
const monitor = (fields: Record<string, unknown> = {}) =>
  createMonitor(own.api, projectId, [metric.id], fields);
/** Metrics that scores are queued for. */
const queued = async () => {
  const rows = await app.db.read(
    system,
    (sql) => sql<{ id: string }[]>`
      select config.metric_id::text as id from score
      join metric_config config on config.id = score.metric_config_id
      join run on run.id = score.run_id
      where run.project_id = ${projectId} and score.state = 'pending' order by config.metric_id`,
  );
  return rows.map(({ id }) => id);
};
const scope = (): Scope => ({
  organizationId: own.organizationId,
  memberId: own.memberId,
  role: 'admin',
  access: 'full',
  keyId: null,
  signInId: null,
});
/** Lets the traces settle at once. */
const settle = () =>
  app.db.transaction(
    system,
    (tx) => tx`update monitor_record set due_at = now() where due_at is not null and due_at > now()`,
  );

type Change = (tx: Sql, scope: Scope, id: string) => Promise<unknown>;
const changes: [string, Change, () => { queued: string[]; chances: number[] }][] = [
  ['is deleted', deleteMonitor, () => ({ queued: [], chances: [] })],
  [
    'is paused',
    (tx, scope, id) => updateMonitor(tx, scope, id, { paused: true }),
    () => ({ queued: [], chances: [] }),
  ],
  [
    'gets another rate and metric',
    (tx, scope, id) => updateMonitor(tx, scope, id, { samplingRate: 0.999999, metricIds: [other.id] }),
    () => ({ queued: [other.id], chances: [0.999999] }),
  ],
  [
    'gets a filter that the trace does not fit',
    (tx, scope, id) => updateMonitor(tx, scope, id, { filter: { error: true } }),
    () => ({ queued: [], chances: [] }),
  ],
];

const state = async (id: string) => ({
  queued: await queued(),
  chances: (await monitoredRecords(app, id)).map(({ chance }) => chance),
});

describe('a monitor that', () => {
  it.each(changes)('%s while a trace settles decides as it is afterwards', async (_, change, expected) => {
    const { id } = await monitor({ settleSeconds: 3600 });
    await send();
    expect(await decide(app)).toBe(0);
    await app.db.transaction(own, (tx) => change(tx, scope(), id));
    await settle();
    await decide(app);
    expect(await state(id)).toEqual(expected());
  });

  it.runIf(engine === 'server').each(changes)(
    '%s is left alone until that is done, and decides as it is then',
    async (_, change, expected) => {
      const { id } = await monitor();
      const beside = await createMonitor(own.api, projectId, [metric.id]);
      await app.db.transaction(own, async (tx) => {
        await change(tx, scope(), id);
        // A trace that the change could not see is due at once.
        await send();
        expect(await decide(app)).toBe(1);
        expect(await monitoredRecords(app, beside.id)).toMatchObject([{ due: false }]);
      });
      await decide(app);
      await ok(own.api('DELETE', `/monitors/${beside.id}`));
      expect(await state(id)).toEqual(expected());
    },
  );

  it('is deleted after it drew traces leaves the scores that are given, and no others', async () => {
    const { id } = await monitor();
    await send();
    await decide(app);
    const [{ id: recordId }] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
    const { metricConfigId } = (await ok(own.api('GET', `/monitors/${id}`))).results.metrics[0];
    const path = `/records/${recordId}/scores/${metricConfigId}`;
    await ok(own.api('PUT', path, { score: { binaryScore: true } }));
    await send();
    await decide(app);
    expect((await tracedScores(app, projectId)).map((score) => score.state).sort()).toEqual([
      'pending',
      'scored',
    ]);
    await ok(own.api('DELETE', `/monitors/${id}`));
    expect((await tracedScores(app, projectId)).map((score) => score.state)).toEqual(['scored']);
  });

  it('is changed counts all that was decided until then no more, and all that is decided after it', async () => {
    const { id } = await monitor();
    await send();
    await decide(app);
    await ok(own.api('PATCH', `/monitors/${id}`, { samplingRate: 0.999999 }));
    const results = async () => (await ok(own.api('GET', `/monitors/${id}`))).results.numRecords;
    expect(await results()).toBe(0);
    await send();
    await decide(app);
    expect(await results()).toBe(1);
  });
});
