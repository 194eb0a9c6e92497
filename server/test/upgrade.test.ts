import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Row, rowsOfPart } from './archive-lines.ts';
import { forPrograms } from './programs.ts';
import { callService, createStorage, endServices, startService } from './service.ts';
import { upgradeKey } from './upgrades/make.ts';

const upgrades = fileURLToPath(new URL('upgrades/', import.meta.url));
const versions = readdirSync(upgrades)
  .filter((name) => name.endsWith('.backup'))
  .map((name) => name.replace('.backup', ''));

/** The rows of an archive without its first and last line, which name version and counts. */
const rowsOf = (archive: string): Row[] => rowsOfPart(archive).slice(1, -1);

afterEach(endServices);

describe.each(versions)('a database of version %s', (version) => {
  it('is brought up to date by the start, with every row as it was', async () => {
    const storage = await createStorage('empty');
    onTestFinished(storage.remove);
    const settings = { ...storage.settings, DOKIMA_SECRET: 'the secret of the services that are upgraded' };
    const program = fileURLToPath(new URL('../src/operate/restore.ts', import.meta.url));
    const restore = spawn(process.execPath, [program, `${upgrades}${version}.backup`], {
      env: { ...forPrograms(), ...settings },
    });
    let said = '';
    restore.stderr.on('data', (text) => {
      said += text;
    });
    const [code] = await once(restore, 'close');
    // Until the release: node server/test/upgrades/make.ts writes the file again, after a change of the schema.
    expect(code, said).toBe(0);
    const service = { ...(await startService({ ...settings, DOKIMA_WORKERS: '0' })), key: upgradeKey };
    const { data } = (await callService(service, 'GET', '/projects')).body;
    expect(data).toMatchObject([{ name: `Made by ${version}` }]);
    const headers = { authorization: `Bearer ${upgradeKey}` };
    const archive = await fetch(`${service.url}/api/v2/projects/${data[0].id}/archive`, { headers });
    // A later version may add columns; none may change or lose what is there.
    expect(rowsOf(await archive.text())).toMatchObject(
      rowsOf(await readFile(`${upgrades}${version}.ndjson`, 'utf8')),
    );
    const created = await callService(service, 'POST', `/projects/${data[0].id}/runs`, { metricIds: [] });
    expect(created.status).toBe(201);
  }, 60_000);
});
