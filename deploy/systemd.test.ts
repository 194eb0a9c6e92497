import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callService, endServices, startService } from '../server/test/service.ts';

// Machines of tests have no running systemd. These tests hold what needs none: systemd can read the units, and their command
// starts and scores as an unprivileged user on a read-only system. docs/install.md names what is left.

const repository = fileURLToPath(new URL('..', import.meta.url));
// The folder of the tests is closed to other users.
const directory = mkdtempSync('/tmp/dokima-systemd-');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The unit with the paths of this machine in place of those of an installation. */
const unitOf = (name: string): string =>
  readFileSync(`${repository}deploy/systemd/${name}.service`, 'utf8')
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll(/\/opt\/dokima\/node_modules\/dokima\//g, repository)
    .replaceAll('/var/lib/dokima', join(directory, 'state'))
    .replaceAll('/var/cache/dokima', join(directory, 'cache'));
const settingOf = (unit: string, name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;

const has = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;

it.skipIf(!has('systemd-analyze', '--version'))(
  'systemd finds no fault in the units (skipped without systemd-analyze)',
  () => {
    const paths = ['dokima', 'dokima-worker'].map((name) => {
      const path = join(directory, `${name}.service`);
      writeFileSync(path, unitOf(name));
      return path;
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths]);
    expect([status, String(stderr)]).toEqual([0, '']);
  },
);

/** A user id that no one has, as DynamicUser takes one. */
const user = 64_321;
const canRestrict = process.getuid?.() === 0 && has('unshare', '--mount', 'setpriv', '--version');

describe.skipIf(!canRestrict)(
  'the command of dokima.service (skipped without root, unshare and setpriv)',
  () => {
    const unit = unitOf('dokima');
    const [state, cache] = [join(directory, 'state'), join(directory, 'cache')];
    /** The restrictions of the unit that the tools of a plain Debian can set. */
    const restricted = (command: string) => [
      'unshare',
      '--mount',
      'sh',
      '-c',
      // ProtectSystem=strict: the whole system is read-only, but for the directories of the unit.
      `mount --bind ${directory} ${directory}
     for place in $(findmnt -rno TARGET | grep -Ev '^(/proc|/sys|/dev$|/dev/(pts|mqueue)|${directory})'); do
       mount -o remount,bind,ro "$place" || exit 70
     done
     umask ${settingOf(unit, 'UMask')} && cd ${state} && exec setpriv --reuid=${user} --regid=${user} --clear-groups \
       --no-new-privs --bounding-set=-all --inh-caps=-all ${command}`,
    ];
    const environment = Object.fromEntries(
      settingOf(unit, 'Environment')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    );

    beforeAll(() => {
      execFileSync('chmod', ['755', directory]);
      for (const place of [state, cache]) {
        mkdirSync(place);
        execFileSync('chown', [`${user}:${user}`, place]);
      }
    });
    afterAll(endServices);

    it('starts and scores, and writes to the directories of its state and cache alone', async () => {
      const outside = join(repository, 'node_modules/.cache/forbidden');
      const [probe, ...words] = restricted(`sh -c 'touch ${outside} || echo refused'`);
      expect(execFileSync(probe!, words, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()).toBe(
        'refused\n',
      );

      const settings = { ...environment, TMPDIR: state, DOKIMA_WORKERS: '1' };
      const service = await startService(settings, restricted(settingOf(unit, 'ExecStart')));
      const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
        const answer = await callService(service, method, path, body);
        expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
        return answer.body;
      };
      const { id } = await call('POST', '/projects', { name: 'Units', description: '' });
      const metric = await call('POST', `/projects/${id}/metrics`, {
        name: 'Is there',
        evalType: 'heuristic',
        outputType: 'boolean',
        guidelines: 'function score(inputs, outputs) { return outputs.answer !== undefined; }',
      });
      const run = await call('POST', `/projects/${id}/runs`, { metricIds: [metric.id] });
      await call('POST', `/runs/${run.id}/records`, { inputs: {}, expected: {}, outputs: { answer: 1 } });
      const scored = async () => (await call('GET', `/runs/${run.id}/records`)).data[0].scores[0].score;
      await expect.poll(scored).toMatchObject({ binaryScore: true });
      expect(await service.end('SIGTERM')).toBe(0);
    });
  },
);
