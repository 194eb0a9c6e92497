import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { type CodeInput, type CodeLanguage, openSandbox } from './sandbox.ts';

/** What never ends need not be waited for; what is only large must be given its time on a busy machine. */
const impatient = openSandbox({ processes: 1, wallClockMs: 1_500 });
const patient = openSandbox({ processes: 1, wallClockMs: 30_000 });
// Pyodide's first start takes seconds, on a busy machine many: that is not what the tests are about.
beforeAll(
  () =>
    Promise.all([
      impatient.check('python', 'score = len', asker),
      patient.check('python', 'score = len', asker),
    ]),
  240_000,
);
afterAll(() => Promise.all([impatient.close(), patient.close()]));

const record = (attack: boolean): CodeInput => ({
  inputs: JSON.stringify({ attack }),
  outputs: '{}',
  expected: '{}',
});
const neighbours = [record(false), record(true), record(false)];

type Attack = [what: string, attack: string, error: RegExp];
/** The attack on the record in the middle: its error. Those beside it must be scored. */
const errorOf = async (language: CodeLanguage, attack: string, wanted: RegExp): Promise<string> => {
  const sandbox = wanted.test('timed out after 1.5 s') ? impatient : patient;
  const code =
    language === 'javascript'
      ? `function score(inputs) { if (inputs.attack) { ${attack} }\nreturn true }`
      : `def score(inputs, outputs, expected):\n    if inputs["attack"]:\n${attack.replace(/^/gm, '        ')}\n    return True`;
  const [before, attacked, after] = await sandbox.run(language, code, neighbours, asker);
  expect([before, after], 'the neighbours').toEqual([
    { ok: true, score: true },
    { ok: true, score: true },
  ]);
  return attacked!.ok ? `scored ${JSON.stringify(attacked)}` : attacked!.error;
};

const timedOut = /^timed out after 1.5 s$/;
const tooMuch = /^used more than 256 MB$/;
/** Either limit may be met first, depending on how fast the machine is. */
const limited = /^(timed out after 1.5 s|used more than 256 MB)$/;

const inJavaScript: Attack[] = [
  ['an endless loop', 'for (;;);', timedOut],
  ['an endless promise chain', 'const f = () => Promise.resolve().then(f); f(); for (;;);', timedOut],
  ['a regex that explodes', 'return /^(a+)+$/.test("a".repeat(60) + "b")', timedOut],
  ['recursion', 'const f = () => f() + 1; return f()', /^InternalError: stack overflow \(line 1\)$/],
  [
    'recursion through JSON',
    'let a = []; for (let n = 0; n < 1e5; n++) a = [a]; return JSON.stringify(a)',
    /stack overflow/,
  ],
  ['recursion in the compiler', 'return eval("(".repeat(1e6))', /stack overflow|SyntaxError/],
  ['an allocation bomb', 'const a = []; for (;;) a.push(new Uint8Array(1e7))', tooMuch],
  ['one large buffer', 'return new ArrayBuffer(1e9)', tooMuch],
  [
    'a growing string',
    'let s = "x"; for (;;) s += s',
    /^(used more than 256 MB|InternalError: string too long.*)$/,
  ],
  ['a large sparse array', 'const a = []; a.length = 4e9; return a.fill(0)', limited],
  [
    'memory taken and the error caught',
    'const a = []; for (;;) { try { for (;;) a.push("x".repeat(1e6) + a.length) } catch {} }',
    limited,
  ],
  [
    '100 MB of reasoning',
    'return { score: true, reasoning: "x".repeat(1e8) }',
    /^reasoning is longer than 100,000 characters$/,
  ],
  [
    '100 MB as a score',
    'return { score: "x".repeat(1e8) }',
    /^score must be a boolean, a finite number or a label, not "x{199,200}"?$/,
  ],
  ['100 MB thrown', 'throw new Error("x".repeat(1e8))', /^Error: x{1900,2000}/],
  ['nothing', 'return', /^returned nothing$/],
  ['null', 'return null', /^returned nothing$/],
  ['NaN', 'return NaN', /^score must be a boolean, a finite number or a label, not NaN$/],
  ['Infinity', 'return { score: -Infinity }', /not -Infinity$/],
  ['a BigInt', 'return { score: 5n }', /not 5n$/],
  ['a symbol', 'return { score: Symbol("x") }', /not Symbol\(x\)$/],
  ['no score', 'return { scores: 1 }', /not undefined$/],
  ['a circular value', 'const a = {}; a.score = a; return a', /not an object$/],
  ['a promise', 'return Promise.resolve(true)', /^returned a Promise: score must not be async$/],
  [
    'reasoning that is not text',
    'return { score: true, reasoning: 5 }',
    /^reasoning must be a string, not 5$/,
  ],
  [
    'a getter that throws',
    'return { get score() { throw new RangeError("trap") } }',
    /^RangeError: trap \(line 1\)$/,
  ],
  ['a getter that never ends', 'return { get score() { for (;;); } }', timedOut],
  ['a proxy', 'return new Proxy({}, { get() { throw new Error("trap") } })', /^Error: trap/],
  [
    'a revoked proxy',
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy',
    /^TypeError: revoked proxy/,
  ],
  ['toJSON', 'return { toJSON() { return { score: true } } }', /not undefined$/],
  [
    'a score with toJSON',
    'Number.prototype.toJSON = Boolean.prototype.toJSON = () => { throw 1 }; return { score: {} }',
    /not an object$/,
  ],
  ['a text thrown', 'throw "no reason"', /^threw "no reason"$/],
  ['undefined thrown', 'throw undefined', /^threw undefined$/],
  [
    'an error that throws when read',
    'const e = new Error(); Object.defineProperty(e, "name", { get() { throw e } }); throw e',
    /^threw something that throws when it is read$/,
  ],
  [
    'an error with a proxy as prototype',
    'throw Object.setPrototypeOf({}, new Proxy({}, { getPrototypeOf() { throw 1 } }))',
    /^threw/,
  ],
  ['the host process', 'return process.exit()', /^ReferenceError: 'process' is not defined/],
  ['require', 'return require("fs")', /^ReferenceError: 'require' is not defined/],
  ['fetch', 'return fetch("http://127.0.0.1")', /^ReferenceError: 'fetch' is not defined/],
  ['timers', 'return setTimeout(() => {}, 1)', /^ReferenceError: 'setTimeout' is not defined/],
  ['import()', 'return import("node:fs")', /^returned a Promise/],
  [
    'the global through Function',
    'return Function("return this")().process.exit()',
    /^TypeError: cannot read property 'exit' of undefined/,
  ],
  [
    'the global through a constructor',
    'return console.log.constructor("return process")()',
    /^ReferenceError: 'process' is not defined/,
  ],
  [
    'WebAssembly',
    'return new WebAssembly.Memory({ initial: 1 })',
    /^ReferenceError: 'WebAssembly' is not defined/,
  ],
  [
    'the std and os modules of QuickJS',
    'return std.loadFile("/etc/passwd") + os.exec(["ls"])',
    /^ReferenceError: 'std' is not defined/,
  ],
];

const inPython: Attack[] = [
  ['an endless loop', 'while True: pass', timedOut],
  [
    'an endless loop that catches everything',
    'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
    timedOut,
  ],
  ['a sleep', 'import time\ntime.sleep(100)', /^(timed out after 1.5 s|reached for the host.*)$/],
  ['a regex that explodes', 'import re\nreturn bool(re.match("(a+)+$", "a" * 60 + "b"))', timedOut],
  ['a large power', 'return len(str(9 ** 9 ** 9))', limited],
  ['recursion', 'def f(): return f()\nreturn f()', /^RecursionError/],
  [
    'recursion with the limit raised',
    'import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): return f()\nreturn f()',
    /RecursionError|used more than 256 MB|crashed/,
  ],
  ['recursion in C', 'a = []\nfor n in range(10 ** 5): a = [a]\nreturn repr(a)', /^RecursionError/],
  [
    'recursion in the compiler',
    'return eval("(" * 10 ** 6)',
    /SyntaxError|MemoryError|RecursionError|used more/,
  ],
  ['an allocation bomb', 'a = []\nwhile True: a.append("x" * 10 ** 6 + str(len(a)))', tooMuch],
  ['one large buffer', 'return bytearray(10 ** 9)', tooMuch],
  [
    'memory taken and the error caught',
    'a = []\nwhile True:\n    try:\n        while True: a.append("x" * 10 ** 6)\n    except BaseException: pass',
    limited,
  ],
  [
    '100 MB of reasoning',
    'return {"score": True, "reasoning": "x" * 10 ** 8}',
    /^reasoning is longer than 100,000 characters$/,
  ],
  [
    '100 MB as a score',
    'return {"score": "x" * 10 ** 8}',
    /^(score must be a boolean, a finite number or a label, not .{199,200}|used more than 256 MB)$/,
  ],
  ['100 MB raised', 'raise Exception("x" * 10 ** 8)', /^Exception: x{1800,2000}/],
  ['nothing', 'pass\nreturn', /^returned nothing$/],
  ['nan', 'return float("nan")', /not nan$/],
  ['inf', 'return {"score": float("inf")}', /not inf$/],
  [
    'a number beyond all floats',
    'return 10 ** 1000',
    /^score must be a boolean, a finite number or a label, not /,
  ],
  ['a number of more digits than Python prints', 'return 10 ** 5000', /^(ValueError|score must be)/],
  ['a complex number', 'return 1j', /not a complex$/],
  ['no score', 'return {}', /not a NoneType$/],
  ['a circular value', 'a = {}\na["score"] = a\nreturn a', /not a dict$/],
  [
    'reasoning that is not text',
    'return {"score": True, "reasoning": 5}',
    /^reasoning must be a string, not 5$/,
  ],
  [
    'a dict that raises',
    'class D(dict):\n    def get(self, key): raise KeyError("trap")\nreturn D()',
    /^KeyError: 'trap'/,
  ],
  [
    'a number that compares as it likes',
    'class N(float):\n    def __lt__(self, other): return True\n    __gt__ = __lt__\nreturn N("nan")',
    /not nan$/,
  ],
  ['an exit', 'raise SystemExit(0)', /^SystemExit: 0/],
  [
    'a hard exit',
    'import os\nos._exit(0)',
    /^(reached for the host, which is closed to it|the interpreter crashed|PermissionError)/,
  ],
  [
    'an abort',
    'import os\nos.abort()',
    /^(reached for the host, which is closed to it|the interpreter crashed)$/,
  ],
  [
    'an error that raises when read',
    'class E(Exception):\n    def __str__(self): raise self\nraise E()',
    /^raised something that raises when it is read$/,
  ],
  ['a file of the host', 'return open("/etc/passwd").read()', /^PermissionError/],
  ['a file of the interpreter', 'return open("/lib/python314.zip", "rb").read()', /^PermissionError/],
  ['writing a file', 'open("/tmp/left", "w").write("x")', /^PermissionError/],
  ['an inherited descriptor', 'import os\nreturn os.write(1, b"{}\\n")', /^PermissionError|^OSError/],
  ['a listing', 'import os\nreturn os.listdir("/")', /^PermissionError/],
  ['the shell', 'import os\nreturn os.system("id")', /^reached for the host, which is closed to it$/],
  [
    'a fork',
    'import os\nreturn os.fork()',
    /^(OSError|AttributeError|BlockingIOError|PermissionError|reached for the host)/,
  ],
  ['subprocess', 'import subprocess', /^ModuleNotFoundError: No module named 'subprocess'/],
  ['socket', 'import socket', /^ModuleNotFoundError: No module named 'socket'/],
  [
    'the C socket module',
    'import _socket\nreturn _socket.socket().connect(("127.0.0.1", 80))',
    /^(ModuleNotFoundError|PermissionError|OSError|reached for the host)/,
  ],
  ['ctypes', 'import ctypes', /^ModuleNotFoundError: No module named 'ctypes'/],
  ['js', 'import js', /^ModuleNotFoundError: No module named 'js'/],
  ['pyodide_js', 'import pyodide_js', /^ModuleNotFoundError: No module named 'pyodide_js'/],
  ['pyodide.code', 'from pyodide.code import run_js', /^ModuleNotFoundError: No module named 'pyodide'/],
  ['_pyodide_core', 'import _pyodide_core', /^(ModuleNotFoundError|ImportError)/],
  ['micropip', 'import micropip', /^ModuleNotFoundError: No module named 'micropip'/],
  [
    'run_js, found in memory',
    `import gc
for thing in gc.get_objects():
    if isinstance(thing, dict) and "run_js" in thing: return thing["run_js"]("process.exit()")`,
    /^(ModuleNotFoundError: No module named 'js'|reached for the host, which is closed to it$)/,
  ],
  [
    'to_js, found in memory',
    `import gc
for thing in gc.get_objects():
    if isinstance(thing, dict) and "to_js" in thing: thing["to_js"]({"a": [1]})`,
    /^reached for the host, which is closed to it$/,
  ],
  [
    'the bridge to JavaScript, by the importer of built-in modules',
    'import sys\nreturn sys.__spec__.loader.load_module("_pyodide_core").create_proxy(print)',
    /^reached for the host, which is closed to it$/,
  ],
  [
    'a socket, by the importer of built-in modules',
    'import sys\nreturn sys.__spec__.loader.load_module("_socket").socket().connect(("127.0.0.1", 80))',
    /^PermissionError/,
  ],
  [
    'os, found among the subclasses',
    `for kind in ().__class__.__base__.__subclasses__():
    names = getattr(getattr(kind, "__init__", None), "__globals__", {})
    if "sys" in names and "os" in names["sys"].modules: return names["sys"].modules["os"].popen("id").read()`,
    /^(ModuleNotFoundError|PermissionError|OSError|reached for the host|returned nothing)/,
  ],
  [
    'threads',
    'import _thread\n_thread.start_new_thread(print, ())',
    /^(RuntimeError|ModuleNotFoundError|reached for the host)/,
  ],
];

describe('JavaScript', () => {
  it.each(inJavaScript)('%s: a clear reason, the neighbours are scored', async (_, attack, error) => {
    expect(await errorOf('javascript', attack, error)).toMatch(error);
  });
});

describe('Python', () => {
  it.each(inPython)('%s: a clear reason, the neighbours are scored', async (_, attack, error) => {
    expect(await errorOf('python', attack, error)).toMatch(error);
  });

  it('sees nothing of the host: no environment, none of the modules of JavaScript', async () => {
    const code = `import os, sys
def score(inputs, outputs, expected):
    bridges = [name for name in sys.modules if name.partition(".")[0] in ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "ctypes", "socket", "subprocess")]
    return {"score": len(bridges), "reasoning": " ".join(sorted(os.environ))}`;
    const [result] = await patient.run('python', code, [record(false)], asker);
    expect(result).toEqual({ ok: true, score: 0, reasoning: '' });
  });
});
