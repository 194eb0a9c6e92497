import pino from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import type { Organization } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { createDrift, createTrial } from '../../../test/trials.ts';
import { type Database, system, type Tenant } from '../../platform/db/database.ts';
import type { Worker } from '../../platform/jobs/loops.ts';
import { listAutomaticSets } from './pinned-queries.ts';
import { storeDrifts } from './store-drift.ts';
import { startDriftWatch } from './watch-drift.ts';

const { app, own } = await openApp();

/** A judge that an organization tried for drift. All verdicts are there. */
const createTried = async ({ api }: Organization) => {
  const { metricId } = await createTrial(api, (await createProject(api)).id);
  return { metricId, ...(await createDrift(api, metricId)) };
};
/** Whether the service stored what the drift trial of the metric found. */
const isStored = async ({ metricId }: { metricId: string }): Promise<boolean> => {
  const found = await app.db.read(
    system,
    (sql) => sql`select from trial_candidate where metric_id = ${metricId} and drift is not null`,
  );
  return found.length > 0;
};
/** The database, where `read` may fail. */
const withRead = (read: (tenant: Tenant, statement: unknown) => Promise<void>): Database => ({
  ...app.db,
  read: async (tenant, statement) => {
    await read(tenant, statement);
    return app.db.read(tenant, statement);
  },
});

describe('what drift trials found', () => {
  it('is stored though a trial of another organization cannot be read, and that one at the next call', async () => {
    const other = await app.organization();
    const [unreadable, readable] = [await createTried(other), await createTried(own)];
    const broken = withRead(async ({ organizationId }) => {
      if (String(organizationId) === String(other.organizationId)) throw new Error('unreadable');
    });
    await expect(storeDrifts(broken)).rejects.toThrow('unreadable');
    expect([await isStored(unreadable), await isStored(readable)]).toEqual([false, true]);
    await storeDrifts(app.db);
    expect(await isStored(unreadable)).toBe(true);
  });

  it('is nothing if the trial is deleted while it is read', async () => {
    const [deleted, kept] = [await createTried(own), await createTried(own)];
    const deleting = withRead(async ({ organizationId }) => {
      if (organizationId !== '*') await own.api('DELETE', `/metrics/${deleted.metricId}/pinned-set`);
    });
    await storeDrifts(deleting);
    expect((await own.api('GET', deleted.path)).status).toBe(404);
    expect(await isStored(kept)).toBe(true);
  });
});

describe('the drift watch', () => {
  let watch: Worker | undefined;
  afterAll(() => watch?.stop());

  it('starts trials that are due though it cannot store what others found', async () => {
    const { metricId } = await createTried(own);
    const path = `/metrics/${metricId}`;
    const fields = { evalType: 'ai', outputType: 'boolean', guidelines: 'Be kind.' };
    await ok(own.api('PATCH', path, fields));
    await app.db.transaction(
      system,
      (tx) => tx`update pinned_set set automatic = true where metric_id = ${metricId}`,
    );
    const lines: string[] = [];
    let started = 0;
    watch = startDriftWatch({
      db: withRead(async (tenant, statement) => {
        if (tenant === system && statement !== listAutomaticSets) throw new Error('no changes');
      }),
      log: pino({}, { write: (line) => void lines.push(line) }),
      onStart: () => void started++,
    });
    await expect.poll(() => started, { timeout: 10_000 }).toBe(1);
    expect((await ok(own.api('GET', `/trials?metricId=${metricId}&kinds=drift`))).data).toHaveLength(2);
    await expect.poll(() => lines.join('')).toContain('what a drift trial found was not stored');
  });
});
