import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { tenantTables } from '../../../test/rows.ts';
import { system } from './database.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('shows the rows of a table of organizations to their own organization only, also to the owner of the table', async () => {
  const walled = await app.db.read(
    system,
    (sql) => sql<{ name: string }[]>`
      select relname as name from pg_class join pg_policies on tablename = relname and schemaname = 'public'
      where relrowsecurity and relforcerowsecurity and policyname = 'own_organization' and cmd = 'ALL'
        and qual ~ '^\\(?in_scope\\((organization_)?id\\)' and coalesce(with_check, 'in_scope(organization_id)') ~ '^in_scope'
      order by 1`,
  );
  const tables = await app.db.read(system, tenantTables);
  expect(walled.map(({ name }) => name)).toEqual(
    ['organization', ...tables.map(({ name }) => name)].toSorted(),
  );
});

it('says what each table, function and procedure is for', async () => {
  const silent = await app.db.read(
    system,
    (sql) => sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'migration'
        and obj_description(oid, 'pg_class') is null
      union all
      select proname from pg_proc
      where pronamespace = 'public'::regnamespace and obj_description(oid, 'pg_proc') is null
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
  );
  expect(silent).toEqual([]);
});

it('is drawn in ARCHITECTURE.md with each of its tables', async () => {
  const page = await readFile(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const drawing = /^## The tables$.*?^```\n(.*?)^```$/ms.exec(page)![1]!;
  const tables = await app.db.read(
    system,
    (sql) => sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'migration'`,
  );
  const drawn = new Set(drawing.match(/[a-z_]+/g));
  expect(tables.map(({ name }) => name).filter((name) => !drawn.has(name))).toEqual([]);
});

it('has no trigger that ARCHITECTURE.md does not explain, by its function or the beginning of its name', async () => {
  const page = await readFile(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const table = /^\| a write to \|.*?\n\n/ms.exec(page)![0];
  const explained = [...table.matchAll(/\(`([a-z_]+)(…?)`/g)].map(([, name, more]) => ({
    name: name!,
    more,
  }));
  const triggers = await app.db.read(
    system,
    (sql) => sql<{ name: string }[]>`
      select distinct proname as name from pg_trigger join pg_proc on pg_proc.oid = tgfoid where not tgisinternal`,
  );
  const isExplained = (of: string) =>
    explained.some(({ name, more }) => (more ? of.startsWith(name) : of === name));
  expect(triggers.length).toBeGreaterThan(10);
  expect(triggers.map(({ name }) => name).filter((name) => !isExplained(name))).toEqual([]);
});
