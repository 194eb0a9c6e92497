import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linesOf, ndjson } from '../archive-lines.ts';
import { archiveRows } from '../archive-rows.ts';
import { forPrograms } from '../programs.ts';
import { callService, endServices, startService } from '../service.ts';

/**
 * Writes what the upgrade test of a release starts from: `VERSION.backup`, a database with a row of each part of an archive, and
 * `VERSION.ndjson`, the archive of its project. Usage: `node server/test/upgrades/make.ts VERSION`, once, in the commit of the
 * release; until 0.1.0 is released, again after each change of its schema.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
/** The key of the service in each of these backups. */
export const upgradeKey = 'ak_of_the_services_that_are_upgraded';

const make = async (version: string): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'dokima-upgrade-'));
  const settings = {
    DOKIMA_DATA_DIR: directory,
    DOKIMA_WORKERS: '0',
    DOKIMA_BOOTSTRAP_API_KEY: upgradeKey,
    DOKIMA_SECRET: 'the secret of the services that are upgraded',
  };
  try {
    const service = { ...(await startService(settings)), key: upgradeKey };
    const project = await callService(service, 'POST', '/projects', {
      name: `Made by ${version}`,
      description: '',
    });
    const { user } = (await callService(service, 'GET', '/me')).body;
    const path = `${service.url}/api/v2/projects/${project.body.id}/archive`;
    const headers = { authorization: `Bearer ${upgradeKey}` };
    const body = linesOf(archiveRows(user.id));
    const imported = await fetch(path, { method: 'PUT', headers: { ...headers, ...ndjson }, body });
    if (!imported.ok) throw new Error(await imported.text());
    await writeFile(join(here, `${version}.ndjson`), await (await fetch(path, { headers })).text());
    const program = fileURLToPath(new URL('../../src/operate/backup.ts', import.meta.url));
    const backup = spawn(process.execPath, [program, join(here, `${version}.backup`)], {
      env: { ...forPrograms(), ...settings },
      stdio: 'inherit',
    });
    const code = await new Promise((resolve) => backup.once('close', resolve));
    if (code !== 0) throw new Error(`The backup ended with ${code}.`);
  } finally {
    await endServices();
    await rm(directory, { recursive: true, force: true });
  }
};

if (import.meta.main) await make(process.argv[2]!);
