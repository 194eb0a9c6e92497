import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { type CodeInput, openSandbox } from './sandbox.ts';

const sandbox = openSandbox({ processes: 2, wallClockMs: 20_000 });
// Pyodide's first start takes seconds, on a busy machine many: that is not what the tests are about.
beforeAll(() => Promise.all([sandbox.check('python', 'score = len', asker)]), 240_000);
afterAll(() => sandbox.close());

const empty: CodeInput = { inputs: '{}', outputs: '{}', expected: '{}' };
const always = 'function score() { return true }';
const never = 'function score() { for (;;); }';
const good = [{ ok: true, score: true }];

/** The sandbox processes that a process, this one unless told otherwise, has started and that still run. */
const sandboxProcesses = async (owner = process.pid): Promise<{ id: number; seconds: number }[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,cputimes=,args=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, , ...args]) =>
        parent === String(owner) && args.join(' ').includes('sandbox/javascript/process.ts'),
    )
    .map(([id, , seconds]) => ({ id: Number(id), seconds: Number(seconds) }));
};

describe('a run', () => {
  it('of no records is empty', async () => {
    expect(await sandbox.run('javascript', always, [], asker)).toEqual([]);
  });

  it('of code that cannot be loaded fails every record with the reason', async () => {
    const results = await sandbox.run('javascript', 'const score = 5', [empty, empty], asker);
    const error = 'the code defines no function score(inputs, outputs, expected)';
    expect(results).toEqual([
      { ok: false, error },
      { ok: false, error },
    ]);
  });

  it('takes records of a megabyte, and text of any kind', async () => {
    const text = `${'x'.repeat(1_000_000)}\n\u0000\u2028\ud800"'\\😀`;
    const record = {
      ...empty,
      inputs: JSON.stringify({ text }),
      outputs: JSON.stringify({ size: text.length }),
    };
    const code =
      'function score(i, o) { return { score: i.text.length === o.size, reasoning: i.text.slice(1e6) } }';
    expect(await sandbox.run('javascript', code, [record, record], asker)).toEqual(
      Array(2).fill({ ok: true, score: true, reasoning: text.slice(1_000_000) }),
    );
  });

  it('gives each of many records its own result, however large some are', async () => {
    const code =
      'function score(inputs) { return { score: inputs.n, reasoning: String(inputs.text.length) } }';
    const sizes = Array.from({ length: 500 }, (_, n) => (n % 50 === 7 ? 600_000 : n % 9));
    const records = sizes.map((size, n) => ({
      ...empty,
      inputs: JSON.stringify({ n, text: 'x'.repeat(size) }),
    }));
    expect(await sandbox.run('javascript', code, records, asker)).toEqual(
      sizes.map((size, n) => ({ ok: true, score: n, reasoning: String(size) })),
    );
  });

  it('is stopped by its signal, also while it waits for a process; others go on', async () => {
    const busy = new AbortController();
    const reason = new Error('the run was deleted');
    const blocked = [1, 2].map(() =>
      sandbox.run('javascript', never, [empty], { ...asker, signal: busy.signal }),
    );
    const waiting = new AbortController();
    const queued = sandbox.run('javascript', always, [empty], { ...asker, signal: waiting.signal });
    const patient = sandbox.run('javascript', always, [empty], asker);
    waiting.abort(reason);
    await expect(queued).rejects.toBe(reason);
    busy.abort(reason);
    for (const run of blocked) await expect(run).rejects.toBe(reason);
    expect(await patient).toEqual(good);
    await expect(
      sandbox.run('javascript', always, [empty], { ...asker, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });

  it('survives the death of its process: the record under way is tried again, then failed', async () => {
    const others = await sandboxProcesses();
    const own = openSandbox({ processes: 1, wallClockMs: 60_000 });
    const code = 'function score(inputs) { while (inputs.loop); return true }';
    const run = own.run('javascript', code, [empty, { ...empty, inputs: '{"loop":true}' }, empty], asker);
    for (let kills = 0; kills < 2; kills++) {
      // Starting takes a quarter of a second of processor time; what has used more is looping.
      const looping = await vi.waitUntil(
        async () =>
          (await sandboxProcesses()).find(
            ({ id, seconds }) => seconds >= 1 && !others.some((other) => other.id === id),
          ),
        { timeout: 60_000, interval: 50 },
      );
      process.kill(looping.id, 'SIGKILL');
      await expect.poll(async () => (await sandboxProcesses()).map(({ id }) => id)).not.toContain(looping.id);
    }
    const lost = { ok: false, error: 'the sandbox process ended: SIGKILL' };
    expect(await run).toEqual([...good, lost, ...good]);
    await own.close();
  }, 120_000);
});

describe('check', () => {
  it.each([
    ['javascript', always],
    ['javascript', 'export default (inputs: { a: number }): boolean => inputs.a > 1'],
    ['javascript', 'export function score<T>(inputs: T) { return inputs !== undefined }'],
    ['python', 'def score(inputs, outputs, expected):\n    return True'],
    ['python', 'score = lambda inputs, outputs, expected: True'],
  ] as const)('accepts %s: %s', async (language, code) => {
    expect(await sandbox.check(language, code, asker)).toBeNull();
  });

  it.each([
    ['javascript', 'function score(a) {\n  return a +;\n}', /^SyntaxError: .* \(line 2, column 13\)$/],
    [
      'javascript',
      'enum A { B }\nfunction score() {}',
      /^SyntaxError: TypeScript enum is not supported .*\(line 1, column 1\)$/,
    ],
    [
      'javascript',
      'const limit = unknown;\nfunction score() {}',
      /^ReferenceError: 'unknown' is not defined \(line 1\)$/,
    ],
    ['javascript', 'import fs from "node:fs";\nfunction score() {}', /node:fs/],
    ['javascript', 'const scores = 1', /^the code defines no function score/],
    ['javascript', `function score() { return ${'('.repeat(100_000)}1 }`, /^the code is nested too deeply/],
    [
      'python',
      'def score(inputs):\n    return inputs +',
      /^SyntaxError: invalid syntax \(line 2, column 20\)$/,
    ],
    ['python', 'def score(inputs):\nreturn 1', /^IndentationError: .* \(line 2, column 1\)$/],
    ['python', 'limit = unknown\ndef score(inputs):\n    return 1', /^NameError: .* \(line 1\)$/],
    ['python', 'score = 5', /^the code defines no function score/],
    [
      'python',
      'def score(question, answer):\n    return True',
      /^score takes \(question, answer\): write def score\(inputs, outputs, expected\)$/,
    ],
    ['python', 'def score(a, b, c, d, e):\n    return True', /^score takes \(a, b, c, d, e\)/],
  ] as const)('refuses %s: %s', async (language, code, message) => {
    expect(await sandbox.check(language, code, asker)).toMatch(message);
    const sound = language === 'python' ? 'def score(i, o, e):\n    return True' : always;
    expect(await sandbox.run(language, sound, [empty], asker)).toEqual(good);
  });

  it('gives up on code that never finishes loading', async () => {
    const impatient = openSandbox({ processes: 1, wallClockMs: 300 });
    expect(await impatient.check('javascript', 'for (;;);', asker)).toBe(
      'timed out after 0.3 s while the code was loaded',
    );
    await impatient.close();
  });
});

it('close ends what is under way and leaves no process', async () => {
  const ids = async () => (await sandboxProcesses()).map(({ id }) => id).sort();
  const before = await ids();
  const own = openSandbox({ processes: 2 });
  const run = own.run('javascript', never, [empty], asker);
  const rejected = expect(run).rejects.toThrow('closed');
  await own.close();
  await rejected;
  await expect(own.run('javascript', always, [empty], asker)).rejects.toThrow('the sandbox is closed');
  expect(await ids()).toEqual(before);
});

it('a process that is killed leaves no sandbox process behind, not even one that loops', async () => {
  const script = `import { openSandbox } from ${JSON.stringify(new URL('./sandbox.ts', import.meta.url).href)};
    openSandbox({ processes: 1, wallClockMs: 600_000 }).run('javascript', ${JSON.stringify(never)}, [${JSON.stringify(empty)}], { owner: 'a' });`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const looping = await vi.waitUntil(
    async () => (await sandboxProcesses(owner.pid)).find(({ seconds }) => seconds >= 1),
    { timeout: 60_000, interval: 50 },
  );
  owner.kill('SIGKILL');
  const isGone = () => {
    try {
      return !process.kill(looping.id, 0);
    } catch {
      return true;
    }
  };
  await vi.waitUntil(isGone, { timeout: 30_000, interval: 20 });
}, 120_000);
