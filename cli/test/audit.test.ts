import { afterAll, beforeAll, expect, it } from 'vitest';
import { chainEvents } from '../../server/src/accounts/audit/chain.ts';
import { system } from '../../server/src/platform/db/database.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it('audit verify ends with 0 for a whole chain and 1 for a broken one, and compares with a noted end', async () => {
  const { db } = terminal.app;
  for (const name of ['A', 'B', 'C']) await terminal.client.createProject({ name, description: '' });
  while ((await db.transaction(system, (tx) => chainEvents(tx))) > 0);
  const whole = await terminal.dokima(['audit', 'verify']);
  expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('The chain is intact: 3 entries.')]);
  const [, noted] = /--noted (\S+)/.exec(whole.out)!;
  expect((await terminal.dokima(['audit', 'verify', '--noted', noted!])).code).toBe(0);
  const other = `3:${'0'.repeat(64)}`;
  expect(await terminal.dokima(['audit', 'verify', '--noted', other])).toMatchObject({
    code: 1,
    out: expect.stringContaining('place 3: replaced'),
  });
  expect((await terminal.dokima(['audit', 'verify', '--noted', '3'])).code).toBe(4);
  await db.transaction(system, (tx) => tx`delete from audit_event where place = 2`);
  expect(await terminal.dokima(['audit', 'verify'])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/place 3 \(.*\): missing/),
  });
});
