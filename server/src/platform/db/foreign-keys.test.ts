import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { system } from './database.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Of few rows, looked through whole when a configuration or a version of a system is deleted. */
const small = [
  'metric_current_config_id_fkey',
  'run_metric_metric_config_id_fkey',
  'system_production_version_id_fkey',
];

it('every foreign key has an index to find its rows by, so that deleting a project reads none of others', async () => {
  const unindexed = await app.db.read(
    system,
    (sql) => sql<{ name: string }[]>`
      select key.conname as name from pg_constraint key
      where key.contype = 'f' and key.connamespace = 'public'::regnamespace and not exists (
        select from pg_index index
        where index.indrelid = key.conrelid
          and (index.indpred is null or pg_get_expr(index.indpred, index.indrelid) like '%IS NOT NULL%')
          and (select array_agg(part order by part) from unnest((index.indkey::int2[])[0:cardinality(key.conkey) - 1]) part)
            = (select array_agg(part order by part) from unnest(key.conkey) part))
      order by 1`,
  );
  expect(unindexed.map(({ name }) => name)).toEqual(small);
});
