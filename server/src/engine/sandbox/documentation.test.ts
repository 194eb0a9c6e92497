import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { languageOf } from './language-of.ts';
import { openSandbox } from './sandbox.ts';

const sandbox = openSandbox({ processes: 1, wallClockMs: 30_000 });
// Pyodide's first start takes seconds, on a busy machine many: that is not what the tests are about.
beforeAll(() => Promise.all([sandbox.check('python', 'score = len', asker)]), 240_000);
afterAll(() => sandbox.close());

const page = await readFile(new URL('../../../../docs/code-metrics.md', import.meta.url), 'utf8');
/** Each example begins with a comment: a record and what it scores. */
const examples = [...page.matchAll(/```(ts|js|python)\n(?:\/\/|#) (\{.*\}) -> (\S+)\n([\s\S]*?)```/g)].map(
  ([, fence, record, score, code]) => ({ fence, record: record!, score: score!, code: code! }),
);

it('every example of docs/code-metrics.md has its record', () => {
  expect(examples).toHaveLength(page.match(/```(ts|js|python)\n/g)!.length);
  expect(examples.length).toBeGreaterThan(3);
});

it.each(examples)('the $fence example that gives $score gives it', async ({ fence, record, score, code }) => {
  const language = fence === 'python' ? 'python' : 'javascript';
  expect(languageOf(code)).toBe(language);
  expect(await sandbox.check(language, code, asker)).toBeNull();
  const {
    inputs = {},
    outputs = {},
    expected = {},
    ...fourth
  } = JSON.parse(record) as Record<string, object>;
  const [result] = await sandbox.run(
    language,
    code,
    [
      {
        inputs: JSON.stringify(inputs),
        outputs: JSON.stringify(outputs),
        expected: JSON.stringify(expected),
        ...(fourth.record && { record: JSON.stringify(fourth.record) }),
      },
    ],
    asker,
  );
  expect(result).toMatchObject({ ok: true, score: JSON.parse(score) });
});

it('names every helper, and no other', async () => {
  const documented = [...page.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name!);
  const empty = { inputs: '{}', outputs: '{}', expected: '{}' };
  const code = (name: string) => `def score(i, o, e):\n    return callable(${name})`;
  for (const name of documented) {
    expect(await sandbox.run('python', code(name), [empty], asker), name).toEqual([
      { ok: true, score: true },
    ]);
    expect(
      await sandbox.run('javascript', `const score = () => typeof ${name} === 'function'`, [empty], asker),
      name,
    ).toEqual([{ ok: true, score: true }]);
  }
  const all =
    'import builtins\ndef score(i, o, e):\n    return len([n for n in globals() if not n.startswith("__")]) - 2';
  expect(await sandbox.run('python', all, [empty], asker)).toEqual([{ ok: true, score: documented.length }]);
});

it('names every Python module that can be imported', async () => {
  const modules = /<!-- modules -->`([^`]*)`<!-- \/modules -->/.exec(page)![1]!;
  const names = modules.split(' ').filter((name) => name !== '__future__');
  const code = `import ${names.join(', ')}, urllib.parse\ndef score(i, o, e):\n    return True`;
  expect(await sandbox.check('python', code, asker)).toBeNull();
  const refusal = await sandbox.check(
    'python',
    'import nothing\ndef score(i, o, e):\n    return True',
    asker,
  );
  expect(refusal).toContain(`available are ${modules.replaceAll(' ', ', ')} (line 1)`);
});
