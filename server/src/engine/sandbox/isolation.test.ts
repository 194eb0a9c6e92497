import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { type CodeInput, type CodeLanguage, openSandbox } from './sandbox.ts';

const sandbox = openSandbox({ processes: 1, wallClockMs: 30_000 });
// Pyodide's first start takes seconds, on a busy machine many: that is not what the tests are about.
beforeAll(() => Promise.all([sandbox.check('python', 'score = len', asker)]), 240_000);
afterAll(() => sandbox.close());

const empty: CodeInput = { inputs: '{}', outputs: '{}', expected: '{}' };
const records = (count: number): CodeInput[] =>
  Array.from({ length: count }, (_, n) => ({ ...empty, inputs: JSON.stringify({ n }) }));

/** Code that tells whether the record before it left something behind: it scores what it finds, then leaves something. */
const traces: Record<CodeLanguage, [what: string, code: string][]> = {
  javascript: [
    ['a module-level variable', 'let calls = 0; function score() { return calls++ }'],
    ['a global', 'function score() { const left = globalThis.left ?? 0; globalThis.left = 1; return left }'],
    [
      'a prototype',
      'function score() { const left = ({}).left ?? 0; Object.prototype.left = 1; return left }',
    ],
    [
      'a built-in function',
      'function score() { const left = JSON.parse("0"); JSON.parse = () => 1; JSON.stringify = () => 1; return left }',
    ],
    ['a helper', 'function score() { const left = exact(1, 2); globalThis.exact = () => true; return left }'],
    [
      'a regular expression',
      'const text = /a/g; function score() { text.test("aa"); return text.lastIndex - 1 }',
    ],
    [
      'a pending promise',
      'let left = 0; function score() { const now = left; Promise.resolve().then(() => { left = 1 }); return now }',
    ],
    [
      'a frozen prototype',
      'function score() { const left = Object.isFrozen(Array.prototype); Object.freeze(Array.prototype); return left }',
    ],
    ['the random generator', 'const first = 0; function score() { Math.random(); return Math.random() > 2 }'],
  ],
  python: [
    [
      'a module-level variable',
      'calls = [0]\ndef score(i, o, e):\n    calls[0] += 1\n    return calls[0] - 1',
    ],
    ['a global', 'left = 0\ndef score(i, o, e):\n    global left\n    left += 1\n    return left - 1'],
    ['a default argument', 'def score(i, o, e, seen=[]):\n    seen.append(1)\n    return len(seen) - 1'],
    [
      'a module',
      'import math\ndef score(i, o, e):\n    left = getattr(math, "left", 0)\n    math.left = 1\n    return left',
    ],
    [
      'a built-in function',
      'import builtins\ndef score(i, o, e):\n    left = len([])\n    builtins.len = lambda x: 1\n    return left',
    ],
    [
      'a built-in, through a frame',
      'def score(i, o, e):\n    left = len([])\n    (x for x in []).gi_frame.f_builtins["len"] = lambda x: 1\n    return left',
    ],
    [
      'a class of the library',
      'import collections\ndef score(i, o, e):\n    left = getattr(collections.Counter, "left", 0)\n    collections.Counter.left = 1\n    return left',
    ],
    [
      'a table of the library',
      'from json import decoder\ndef score(i, o, e):\n    left = decoder.BACKSLASH.get("q", 0)\n    decoder.BACKSLASH["q"] = 1\n    return left',
    ],
    [
      'a helper',
      'def score(i, o, e):\n    left = exact(1, 2)\n    exact.__globals__["is_number"] = lambda x: False\n    globals()["exact"] = None\n    return left',
    ],
    [
      'an attribute of a helper',
      'def score(i, o, e):\n    left = getattr(exact, "left", 0)\n    exact.left = 1\n    return left',
    ],
    [
      'the scorer itself',
      'import __main__\ndef score(i, o, e):\n    left = getattr(__main__, "left", 0)\n    __main__.left = 1\n    __main__.answer = None\n    return left',
    ],
    [
      'sys.modules',
      'import sys\ndef score(i, o, e):\n    left = "left" in sys.modules\n    sys.modules["left"] = sys\n    return left',
    ],
  ],
};

describe.each(['javascript', 'python'] as const)('%s', (language) => {
  it.each(traces[language])(
    'nothing stays in %s: every record finds what the first one found',
    async (_, code) => {
      const results = await sandbox.run(language, code, records(3), asker);
      expect(results.slice(1)).toEqual([results[0], results[0]]);
      // What edits the scorer may fail its own record; it must not fool anyone.
      if (results[0]!.ok) expect(Number(results[0]!.score)).toBe(0);
    },
  );

  it('nothing stays for other code either', async () => {
    for (const [what, code] of traces[language]) {
      const [alone] = await sandbox.run(language, code, records(1), asker);
      await sandbox.run(language, `${code}\n\n`, records(2), asker);
      expect(await sandbox.run(language, code, records(1), asker), what).toEqual([alone]);
    }
  });

  it('the same answer every time: the clock stands still, chance is seeded', async () => {
    const code = {
      javascript:
        'function score() { return { score: Math.random(), reasoning: [Date.now(), new Date(), Math.random()].join() } }',
      python: `import datetime, os, random, time
def score(i, o, e):
    parts = [time.time(), time.monotonic(), datetime.datetime.now(), os.urandom(4).hex(), hash("a"), id(object()), list({"b", "a", "c"})]
    return {"score": random.random(), "reasoning": repr(parts)}`,
    }[language];
    const first = await sandbox.run(language, code, records(3), asker);
    expect(first[0]).toMatchObject({ ok: true, reasoning: expect.stringMatching(/946684800|2000/) });
    expect(first.slice(1)).toEqual([first[0], first[0]]);
    const other = openSandbox({ processes: 1 });
    expect(await other.run(language, code, records(1), asker)).toEqual([first[0]]);
    await other.close();
  });
});

it('code that runs a second time finds the state in which it was loaded, whatever ran in between', async () => {
  const code = `let calls = 0;
    const drawn = Math.random();
    const table = new Uint8Array(1_000_000);
    function score() {
      const left = [calls++, drawn, table.some(Boolean), globalThis.left, exact(1, 2)];
      table.fill(1);
      globalThis.left = globalThis.exact = () => true;
      return { score: true, reasoning: JSON.stringify(left) };
    }`;
  const other = (n: number) => `function score() { globalThis.left = ${n}; return exact(1, 2) }`;
  const growing = `function score() { return new Uint8Array(50_000_000).fill(1).length > 0 }`;
  const first = await sandbox.run('javascript', code, records(2), asker);
  expect(first).toEqual([first[0], first[0]]);
  expect(first[0]).toMatchObject({
    ok: true,
    reasoning: expect.stringMatching(/^\[0,.*false,null,false\]$/),
  });
  // The process keeps the last few codes; the last of these has pushed this one out, and the one that grows all of them.
  for (const between of [[other(1)], [1, 2, 3, 4, 5, 6, 7, 8, 9].map(other), [growing]]) {
    for (const one of between) {
      expect(await sandbox.run('javascript', one, records(1), asker)).toMatchObject([{ ok: true }]);
    }
    expect(await sandbox.run('javascript', code, records(2), asker)).toEqual(first);
  }
});

it('plain Python has its chance seeded for every record as well', async () => {
  const code = 'import random\ndef score(i, o, e):\n    return random.random()';
  const [first, ...rest] = await sandbox.run('python', code, records(3), asker);
  expect(first).toMatchObject({ ok: true });
  expect(rest).toEqual([first, first]);
});

it('integers beyond 2^53 stay whole in Python and are rounded in JavaScript', async () => {
  const record = { ...empty, outputs: '{"n":12345678901234567891}' };
  expect(
    await sandbox.run(
      'python',
      'def score(i, o, e):\n    return o["n"] == 12345678901234567891',
      [record],
      asker,
    ),
  ).toEqual([{ ok: true, score: true }]);
  expect(
    await sandbox.run('javascript', 'const score = (i, o) => o.n === 12345678901234567000', [record], asker),
  ).toEqual([{ ok: true, score: true }]);
});
