import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld } from './decision-world.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it('a decision leaves as one file, from which anyone gets the same numbers and verdict', async () => {
  const world = await openWorld(terminal, (i) => i % 10 < 7);
  const id = await world.register();
  const run = await world.makeRun(2, (i) => i % 10 < 9);
  const { code, sentences } = await world.verified(id, run, 'decision.json', '--commit', 'ab'.repeat(20));
  expect([code, sentences]).toEqual([
    0,
    [
      expect.stringMatching(/^The file is whole: signed with key [0-9a-f]{16}\.$/),
      'The key is the one in the file. Compare it with the key of the service: --key FILE.',
      expect.stringMatching(
        /^It is about commit \(abababababab\) and version [0-9a-f-]{36} \([0-9a-f]{12}\)\.$/,
      ),
      expect.stringMatching(/^It was registered at \S+Z, before the run was created at \S+Z\.$/),
      'The run answers 60 of the 60 registered testcases, unchanged; 60 were planned.',
      'The rules are those that were registered.',
      '1 run of the testset had scores since the registration.',
      expect.stringMatching(/^\d+ numbers follow from the data, to 1e-9\.$/),
      'The verdict is the same: pass.',
    ],
  ]);
  const text = await terminal.read('decision.json');
  expect(text).not.toContain('Question 1');
  await terminal.write('changed.json', text.replace('"value":1', '"value":0'));
  const changed = await terminal.dokima(['verify', 'changed.json']);
  expect([changed.code, changed.out]).toEqual([2, expect.stringContaining('The signature does not fit')]);

  const { publicKeyPem } = await terminal.client.getPassportKey();
  await terminal.write('service.pem', publicKeyPem);
  const known = await terminal.dokima(['verify', 'decision.json', '--key', 'service.pem']);
  expect([known.code, known.out]).toEqual([0, expect.not.stringContaining('The key is the one in the file')]);
});
