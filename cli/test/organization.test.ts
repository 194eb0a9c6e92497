import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

const operatorKey = 'operator-key-of-tests-0123456789-abc';

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal({ DOKIMA_OPERATOR_KEY: operatorKey });
});
afterAll(() => terminal.close());

it('the operator creates an organization, finds it in the list, and makes a link for its admin', async () => {
  const create = ['organization', 'create', 'Search', '--admin', 'ada@example.com'];
  const without = await terminal.dokima(create);
  expect([without.code === 0, without.err]).toEqual([
    false,
    expect.stringContaining('DOKIMA_OPERATOR_KEY is missing'),
  ]);
  terminal.environment.DOKIMA_OPERATOR_KEY = operatorKey;
  const { code, out } = await terminal.dokima(create);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Organization \d+, Search\. .*\nhttp.*\/welcome#[\w-]{43}\n$/),
  ]);
  const listed = (await terminal.dokima(['organization', 'list', '--json'])).json();
  const { id } = listed.find(({ name }: { name: string }) => name === 'Search');
  const link = await terminal.dokima(['organization', 'link', id, 'Ada@example.com']);
  expect([link.code, link.out]).toEqual([0, expect.stringContaining('/welcome#')]);
  const unknown = await terminal.dokima(['organization', 'link', id, 'eve@example.com']);
  expect(unknown.code).not.toBe(0);
});
