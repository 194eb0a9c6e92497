import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '../../test/harness.ts';
import { forPrograms } from '../../test/programs.ts';
import { createStorage, endServices, startService } from '../../test/service.ts';
import { knownMigrations } from '../platform/db/migrate.ts';

const program = fileURLToPath(new URL('./doctor.ts', import.meta.url));

const pricesUrl = 'https://prices.example/list.json';

describe.runIf(engine === 'server')('dokima doctor for the service', () => {
  let storage: Awaited<ReturnType<typeof createStorage>>;
  beforeAll(async () => {
    storage = await createStorage('empty');
  });
  afterAll(async () => {
    await endServices();
    await storage.remove();
  });

  const examine = async () => {
    const proxies = { HTTPS_PROXY: 'http://user:word@proxy.example:3128', NO_PROXY: '.intern.example' };
    const env = {
      ...forPrograms(),
      PORT: '1',
      DOKIMA_PRICES_URL: pricesUrl,
      ...proxies,
      ...storage.settings,
    };
    return promisify(execFile)(process.execPath, [program], { env }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stdout }) => ({ code: code as number, said: stdout as string }),
    );
  };

  it('says what is there, what is missing, and what to do', async () => {
    expect(await examine()).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^NO {2}schema: none\n +Start the service once/m),
    });
    const service = await startService({ ...storage.settings, DOKIMA_WORKERS: '1' });
    await service.end('SIGTERM');
    const migrations = await knownMigrations();
    const well = await examine();
    expect(well.said).not.toMatch(/^NO/m);
    expect(well.code).toBe(0);
    for (const said of [
      `up to date (${migrations.at(-1)})`,
      '0 at work',
      'ms ',
      'MB free',
      'largest tables: ',
      'list of prices: not read yet\n',
      'outgoing calls: https:// through http://proxy.example:3128, except .intern.example\n',
    ])
      expect(well.said).toContain(said);

    const admin = postgres(storage.settings.DATABASE_URL!, { max: 1, onnotice: () => {} });
    await admin.unsafe(`update migration set hash = 'other'`);
    expect((await examine()).said).toContain('NO  schema: was made by another text of 0001_schema.sql\n');
    await admin.unsafe(`drop policy own_organization on score; delete from migration;
      insert into worker (id, description, seen_at) values (gen_random_uuid(), 'host, process 7', now() - interval '1 hour');
      insert into provider (id, organization_id, name, kind, base_url, options, max_concurrency, prices, max_output_tokens, timeout_ms)
        select gen_random_uuid(), id, 'own', 'openai-compatible', 'http://127.0.0.1:1/v1', '{}', 1, '{}', 100, 1000 from organization;
      insert into price_list (address, error, due_at) values ('${pricesUrl}', 'it answered with status 503', now())`);
    await admin.end();
    const { code, said } = await examine();
    expect(said).toMatch(
      /^NO {2}list of prices: not read yet; the newest list was not used: it answered with status 503\n +The prices before/m,
    );
    expect(code).toBe(1);
    expect(said).toContain('NO  provider: http://127.0.0.1:1 is refused: 127.0.0.1 is a private');
    expect(said).toContain('can allow it with DOKIMA_ALLOW_PRIVATE_ADDRESSES=127.0.0.1:1\n');
    expect(said).not.toContain('Open the network');
    expect(said).toMatch(/^NO {2}row-level security: missing on score\n +Restore/m);
    expect(said).toContain(`NO  schema: lacks ${migrations.join(', ')}\n`);
    expect(said).toContain('Start the service: it brings the schema up to date.');
    expect(said).toMatch(/ended without a word: host, process 7, silent since \d{4}-/);
    await rm(storage.settings.DOKIMA_DATA_DIR, { recursive: true });
    expect((await examine()).said).toMatch(/^NO {2}disk: /m);
  });
});
