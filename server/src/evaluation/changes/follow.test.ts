import { expect, it } from 'vitest';
import { createProject, createRun } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import { type ChangeReader, followChanges } from './follow.ts';

const { app, own } = await openApp({});

/** Reads the runs that changed in a project, and notes them when it writes. */
const readerOf = (projectId: string) => {
  const written: string[][] = [];
  const reader: ChangeReader = {
    name: `test ${projectId}`,
    holds: false,
    concerns: (sql, unread) =>
      sql`select from change where project_id = ${projectId} and run_id is not null and ${unread(sql)}`,
    read: async (unread) => {
      const runs = await app.db.read(
        system,
        (sql) => sql<{ runId: string }[]>`
          select distinct run_id::text as "runId" from change
          where project_id = ${projectId} and run_id is not null and ${unread(sql)} order by 1`,
      );
      return async () => written.push(runs.map(({ runId }) => runId));
    },
  };
  return { reader, written };
};

it('each change is read once, also by two processes at the same time', async () => {
  const { id: projectId } = await createProject(own.api);
  const { reader, written } = readerOf(projectId);
  expect(await followChanges(app.db, reader)).toBe(false);
  const first = await createRun(own.api, projectId, []);
  await Promise.all([followChanges(app.db, reader), followChanges(app.db, reader)]);
  expect(written).toEqual([[first.id]]);
  expect(await followChanges(app.db, reader)).toBe(false);
  const second = await createRun(own.api, projectId, []);
  expect(await followChanges(app.db, reader)).toBe(true);
  expect(written).toEqual([[first.id], [second.id]]);
});

it('changes that were not written are read again', async () => {
  const { id: projectId } = await createProject(own.api);
  const { reader, written } = readerOf(projectId);
  const run = await createRun(own.api, projectId, []);
  const failing: ChangeReader = {
    ...reader,
    read: async () => async () => Promise.reject(new Error('full disk')),
  };
  await expect(followChanges(app.db, failing)).rejects.toThrow('full disk');
  expect(await followChanges(app.db, reader)).toBe(true);
  expect(written).toEqual([[run.id]]);
});
