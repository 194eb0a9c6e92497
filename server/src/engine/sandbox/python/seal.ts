/**
 * Python can do to its process exactly what its WebAssembly module imports, and no more. Pyodide imports more than a
 * thousand functions: JavaScript objects, files, sockets, a `fetch`. They are needed while it starts. The seal leaves these few, which only
 * compute; a system call is refused with "permission denied", and anything else ends the record.
 */
const harmless = new Set([
  'clock_time_get',
  'clock_res_get',
  'emscripten_get_now',
  'emscripten_date_now',
  '_gmtime_js',
  '_localtime_js',
  '_mktime_js',
  '_timegm_js',
  '_tzset_js',
  '_emscripten_get_now_is_monotonic',
  '_PyEM_TrampolineCall_JS',
  '_Py_CheckEmscriptenSignals_Helper',
]);
const permissionDenied = 2;

/** Thrown through the interpreter; its memory must be restored afterwards. */
export class Sealed extends Error {}

type Import = (...args: (number | bigint)[]) => unknown;
type Imports = Record<string, Record<string, unknown>>;
type Memory = { buffer: ArrayBuffer };

/** Puts itself between Pyodide and the module it is about to instantiate. */
export const sealable = (memoryBytes: number) => {
  let isSealed = false;
  let entropy = 0;
  let memory: () => Memory = () => {
    throw new Error('no WebAssembly module was instantiated');
  };

  const refuse = (name: string) => (): never => {
    throw new Sealed(name);
  };

  /** The same random bytes for every record, from a linear congruential generator. */
  const randomBytes = (at: number, size: number): number => {
    const bytes = new Uint8Array(memory().buffer, at, size);
    for (let n = 0; n < size; n++) {
      entropy = (Math.imul(entropy, 1_103_515_245) + 12_345) >>> 0;
      bytes[n] = entropy >>> 16;
    }
    return 0;
  };

  const guarded = (name: string, value: unknown): Import => {
    // WebAssembly waits for a promise by means of an object; no function here ever waits.
    const original = typeof value === 'function' ? (value as Import) : refuse(name);
    if (name === 'random_get' || name === 'getentropy')
      return (at, size) => randomBytes(Number(at), Number(size));
    if (name === 'emscripten_resize_heap') {
      return (size) => (Number(size) >>> 0 > memoryBytes ? 0 : original(size!));
    }
    if (harmless.has(name)) return original;
    if (name.startsWith('__syscall_')) return (...args) => (isSealed ? -permissionDenied : original(...args));
    if (name.startsWith('fd_')) return (...args) => (isSealed ? permissionDenied : original(...args));
    return (...args) => {
      if (isSealed) throw new Sealed(name);
      return original(...args);
    };
  };

  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (source: Uint8Array | WebAssembly.Module, imports: Imports = {}) => {
    if (!(source instanceof Uint8Array) || !('env' in imports)) return instantiate(source, imports);
    const module = new WebAssembly.Module(source);
    const own: Imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      const value = imports[from]![name];
      own[from] ??= {};
      own[from]![name] = kind === 'function' ? guarded(name, value) : value;
    }
    const instance = new WebAssembly.Instance(module, own);
    memory = () => instance.exports.memory as Memory;
    return { module, instance };
  };

  return {
    seal: () => {
      isSealed = true;
    },
    /** Before every record. */
    resetEntropy: () => {
      entropy = 0;
    },
  };
};
