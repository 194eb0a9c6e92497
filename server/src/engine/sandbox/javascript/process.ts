import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { QuickJSSyncVariant } from '@jitl/quickjs-ffi-types';
import releaseVariant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import { type LoadAnswer, serve } from '../serve.ts';
import { pageSize, snapshotOf } from './snapshot.ts';
import { CompilerBroken, withoutTypes } from './without-types.ts';

// The clock stands still. That fixes Math.random too: QuickJS seeds it with the time.
const now = Date.UTC(2000, 0, 1);
Date.now = () => now;
performance.now = () => 0;

// The package's types describe its CommonJS side.
const variant = releaseVariant as unknown as QuickJSSyncVariant;
const memoryBytes = Number(process.argv[2]);
const initialPages = 256;
/** Deep recursion must end in QuickJS's own error: it takes about four times as much of V8's stack, which is 1 MB. */
const stackBytes = 256 * 1024;
const wasmModule = new WebAssembly.Module(
  readFileSync(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))),
);
const source = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const [fields, helpers, conforms, harness] = ['fields.js', 'helpers.js', 'conforms.js', 'harness.js'].map(
  source,
);
const schemaLibrary = new URL('.', import.meta.resolve('@cfworker/json-schema'));

/** The modules that conforms.js imports: files of the library; one file needs a URL class. */
const loadModule = (name: string): string => {
  if (name === 'uri.js') return source(name);
  const code = readFileSync(new URL(name, schemaLibrary), 'utf8');
  return name === 'dereference.js' ? `import { URL } from './uri.js';\n${code}` : code;
};

/** A QuickJS whose memory can't outgrow the limit: an allocation beyond it fails, and QuickJS throws "out of memory". */
const startQuickJs = async () => {
  const memory = new WebAssembly.Memory({
    initial: initialPages,
    maximum: Math.max(initialPages, Math.floor(memoryBytes / pageSize)),
  });
  const quickJs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule, wasmMemory: memory }),
  );
  const vm = quickJs.newContext();
  vm.runtime.setMaxStackSize(stackBytes);
  vm.evalCode(fields!, 'fields', { type: 'global' }).unwrap();
  vm.evalCode(helpers!, 'helpers', { type: 'global' }).unwrap();
  vm.runtime.setModuleLoader(loadModule);
  vm.evalCode(conforms!, 'conforms.js', { type: 'module' }).unwrap();
  vm.runtime.removeModuleLoader();
  const own = vm.evalCode(harness!, 'harness', { type: 'global' }).unwrap();
  const describe = vm.getProp(own, 'describe');
  const scoreRecord = vm.getProp(own, 'scoreRecord');
  return {
    vm,
    describe,
    scoreRecord,
    clean: snapshotOf(memory),
    snapshot: () => snapshotOf(memory),
    hasGrown: () => memory.buffer.byteLength > initialPages * pageSize,
  };
};
type Snapshot = ReturnType<typeof snapshotOf>;

/** The user's function, or the reason why there is none. */
const findScore = (
  vm: QuickJSContext,
  describe: QuickJSHandle,
  code: string,
): { score: QuickJSHandle } | { error: string } => {
  const read = (call: ReturnType<QuickJSContext['callFunction']>) =>
    call.error ? 'the code cannot be loaded' : vm.getString(call.value);
  // Only exports of a module can be reached: `score` is tried first, then the default export.
  const named = vm.evalCode(`${code}\nexport { score as metricScore };`, 'metric', { type: 'module' });
  const module =
    named.error && /'score'/.test(String(vm.dump(vm.getProp(named.error, 'message'))))
      ? vm.evalCode(code, 'metric', { type: 'module' })
      : named;
  if (module.error) return { error: read(vm.callFunction(describe, vm.undefined, module.error)) };
  for (const name of ['metricScore', 'default']) {
    const score = vm.getProp(module.value, name);
    if (vm.typeof(score) === 'function') return { score };
  }
  return { error: 'the code defines no function score(inputs, outputs, expected)' };
};

const failed = (error: string): string => JSON.stringify({ ok: false, error });
const answerLoad = (error: string | null, isSpent = false): string =>
  JSON.stringify({ error, isSpent } satisfies LoadAnswer);

type Loaded = { code: string; score: QuickJSHandle; snapshot: Snapshot };

let quickJs = await startQuickJs();
let loaded: Loaded | undefined;

const restart = async (): Promise<void> => {
  const code = loaded?.code;
  loaded = undefined;
  quickJs = await startQuickJs();
  if (code !== undefined) load(code);
};

const load = (source: string): string => {
  if (loaded?.code === source) return answerLoad(null);
  loaded = undefined;
  quickJs.clean.wipe();
  try {
    const found = findScore(quickJs.vm, quickJs.describe, withoutTypes(source));
    if ('error' in found) return answerLoad(found.error);
    loaded = { code: source, score: found.score, snapshot: quickJs.snapshot() };
    return answerLoad(null);
  } catch (error) {
    if (error instanceof SyntaxError) return answerLoad(error.message);
    if (error instanceof CompilerBroken) return answerLoad(error.message, true);
    return answerLoad('the code cannot be loaded', true);
  }
};

const score = (...given: string[]): string | Promise<string> => {
  if (!loaded) return failed('no code is loaded');
  const { vm, scoreRecord } = quickJs;
  let answer: string;
  try {
    const texts = given.map((text) => vm.newString(text));
    const result = vm.callFunction(scoreRecord, vm.undefined, loaded.score, ...texts);
    answer = result.error ? failed('out of memory') : vm.getString(result.value);
  } catch (error) {
    // V8's own stack ran out, below QuickJS's: deep nesting in its parser or in JSON.
    const reason = error instanceof RangeError ? 'InternalError: stack overflow' : 'the interpreter crashed';
    return restart().then(() => failed(reason));
  }
  if (quickJs.hasGrown()) return restart().then(() => answer);
  loaded.snapshot.restore();
  return answer;
};

await serve({ load, score });
