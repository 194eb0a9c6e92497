import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
  terminal.environment.TMPDIR = terminal.directory;
});
afterAll(() => terminal.close());

const program = (text: string) =>
  `const { DOKIMA_URL, DOKIMA_API_KEY, DOKIMA_PROJECT, DOKIMA_TEMPORARY = 'null' } = process.env;
const own = JSON.parse(DOKIMA_TEMPORARY);
const { status } = await fetch(\`\${own?.url ?? DOKIMA_URL}/api/v2/projects\`, { headers: { authorization: \`Bearer \${own?.apiKey ?? DOKIMA_API_KEY}\` } });
console.log('${text}', status, own === null, DOKIMA_PROJECT);
`;

it('eval gives a program the service, the key and the project; its end decides the exit code', async () => {
  await terminal.write('good.mjs', program('good'));
  await terminal.write('bad.py', 'import sys; print("bad"); sys.exit(3)\n');
  const good = await terminal.dokima(['eval', 'good.mjs', '-p', '7']);
  expect([good.code, good.out]).toEqual([0, 'good 200 true 7\n']);
  const bad = await terminal.dokima(['eval', 'bad.py']);
  expect([bad.code, bad.out]).toEqual([1, 'bad\n']);
  expect((await terminal.dokima(['eval', 'none.py'])).err).toContain("There is no file 'none.py'.");
  await terminal.write('what.txt', '');
  expect((await terminal.dokima(['eval', 'what.txt'])).err).toContain('--with python3');
});

it('eval --watch runs the program again after a change, with one service of its own if there is no key', async () => {
  await mkdir(join(terminal.directory, 'watched'));
  const save = (text: string) => terminal.write('watched/program.mjs', program(text));
  await save('first');
  const stop = new AbortController();
  const steps = [
    () => save('second'),
    // The same content again is no change.
    () => save('second').then(() => save('third')),
    async () => stop.abort(),
  ];
  const { code, out } = await terminal.dokima(['eval', 'watched/program.mjs', '--watch', '--offline'], {
    signal: stop.signal,
    onErr: (text) => {
      if (text.includes('Waiting for a change')) void steps.shift()?.();
    },
  });
  const lines = ['first', 'second', 'third'].map((text) => `${text} 200 false undefined\n`);
  expect([code, out]).toEqual([130, lines.join('')]);
});
