import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { tenantTables } from '../../../test/rows.ts';
import { type Sql, system } from './database.ts';

let app: TestApp;
let shown: string;

beforeAll(async () => {
  app = await startApp();
  shown = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
});
afterAll(() => app.close());

const names = async (statement: (sql: Sql) => ReturnType<typeof tenantTables>) =>
  (await app.db.read(system, statement)).map(({ name }) => name);
const occurrences = (pattern: RegExp) => [...shown.matchAll(pattern)].map(([, name]) => name!);

describe('schema.sql', () => {
  it('shows each trigger of the database, and no other', async () => {
    const triggers = await names(
      (sql) => sql`
        select tgname || ' on ' || tgrelid::regclass::text as name from pg_trigger where not tgisinternal order by 1`,
    );
    const found = [...shown.matchAll(/^create trigger (\w+) .*? on public\.(\w+)/gim)];
    expect(found.map(([, name, table]) => `${name} on ${table}`).toSorted()).toEqual(triggers.toSorted());
    expect(triggers.length).toBeGreaterThan(0);
  });

  it('shows row-level security, forced and with a policy, for each table of an organization', async () => {
    const tables = await names(tenantTables);
    expect(occurrences(/^alter table (\w+) enable row level security;$/gm)).toEqual(
      expect.arrayContaining(tables),
    );
    expect(occurrences(/^alter table (\w+) force row level security;$/gm)).toEqual(
      expect.arrayContaining(tables),
    );
    expect(occurrences(/^create policy own_organization on (\w+) .*in_scope\(organization_id\)/gm)).toEqual(
      expect.arrayContaining(tables),
    );
  });

  it('shows the default of each column that has one, and of no other', async () => {
    const defaults = await names(
      (sql) => sql`
        select attrelid::regclass::text || '.' || attname as name from pg_attrdef
        join pg_attribute on attrelid = adrelid and attnum = adnum where attgenerated = ''
          and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))`,
    );
    const shownDefaults = [...shown.matchAll(/^create table (\w+) \(\n(.*?)\n\);/gms)].flatMap(
      ([, table, body]) =>
        [...body!.matchAll(/^ {2}(\w+) .*? default /gm)].map(([, column]) => `${table}.${column}`),
    );
    expect(shownDefaults.toSorted()).toEqual(defaults.toSorted());
  });

  it('says what each table is for', async () => {
    const tables = occurrences(/^create table (\w+) \($/gm).filter((name) => name !== 'migration');
    expect(occurrences(/^comment on table (\w+) is /gm)).toEqual(tables);
  });

  it('shows the extensions and what the app role may do', async () => {
    const extensions = await names((sql) => sql`select extname as name from pg_extension order by 1`);
    expect(['plpgsql', ...occurrences(/^create extension (\w+);$/gm)].toSorted()).toEqual(extensions);
    expect(shown).toMatch(/^grant select, insert, update, delete on all tables .* to dokima_app;$/m);
  });
});
