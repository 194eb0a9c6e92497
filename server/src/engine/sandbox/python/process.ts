import { readFileSync } from 'node:fs';
import { type LoadAnswer, serve } from '../serve.ts';
import { startInterpreter } from './interpreter.ts';
import { Sealed, sealable } from './seal.ts';

/** The part of Emscripten's module that is used: CPython's own C interface. */
type Python = {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  _malloc(size: number): number;
  _free(at: number): void;
  stringToNewUTF8(text: string): number;
  stackSave(): number;
  stackRestore(at: number): void;
  _PyImport_AddModule(name: number): number;
  _PyObject_GetAttrString(object: number, name: number): number;
  _PyUnicode_FromStringAndSize(at: number, size: number): number;
  _PyObject_CallOneArg(callable: number, argument: number): number;
  _PyUnicode_AsUTF8AndSize(text: number, size: number): number;
  _Py_DecRef(object: number): void;
  _PyErr_Clear(): void;
};

const memoryBytes = Number(process.argv[2]);
const { seal, resetEntropy } = sealable(memoryBytes);
// The parent passes the image on a separate pipe.
const pyodide = await startInterpreter(readFileSync(3));
const python = (pyodide as unknown as { _module: Python })._module;

const main = python._PyImport_AddModule(python.stringToNewUTF8('__main__'));
const member = (name: string) => python._PyObject_GetAttrString(main, python.stringToNewUTF8(name));
const functions = { load: member('load'), score: member('score_record') };
const sizeAt = python._malloc(4);
const longestAnswer = 800_000;

type Snapshot = { bytes: Uint8Array; stack: number };
const takeSnapshot = (): Snapshot => {
  const memory = Buffer.from(python.HEAPU8.buffer);
  let top = memory.length;
  const block = 65_536;
  const zeros = Buffer.alloc(block);
  while (memory.subarray(top - block, top).equals(zeros)) top -= block;
  return { bytes: python.HEAPU8.slice(0, top), stack: python.stackSave() };
};
const restore = ({ bytes, stack }: Snapshot): void => {
  python.HEAPU8.set(bytes);
  python.stackRestore(stack);
};
/** Restores the memory, and zeroes everything beyond it. */
const wipe = (snapshot: Snapshot): void => {
  restore(snapshot);
  python.HEAPU8.fill(0, snapshot.bytes.length);
};

const failed = (error: string): string => JSON.stringify({ ok: false, error });

/** Calls a Python function that takes and returns text. Undefined when Python is out of memory or the answer is too long. */
const call = (callable: number, text: string): string | undefined => {
  const bytes = Buffer.from(text);
  const at = python._malloc(bytes.length + 1);
  if (at === 0) return undefined;
  python.HEAPU8.set(bytes, at);
  const argument = python._PyUnicode_FromStringAndSize(at, bytes.length);
  python._free(at);
  const result = argument && python._PyObject_CallOneArg(callable, argument);
  const answerAt = result && python._PyUnicode_AsUTF8AndSize(result, sizeAt);
  if (!answerAt) {
    python._PyErr_Clear();
    return undefined;
  }
  const size = python.HEAPU32[sizeAt >> 2]!;
  if (size > longestAnswer) return undefined;
  const answer = Buffer.from(python.HEAPU8.buffer, answerAt, size).toString();
  python._Py_DecRef(result);
  python._Py_DecRef(argument);
  return answer;
};

let loaded: { code: string; isPlain: boolean; snapshot: Snapshot } | undefined;

const load = (code: string): string => {
  if (loaded?.code === code) {
    restore(loaded.snapshot);
    return JSON.stringify({ error: null } satisfies LoadAnswer);
  }
  loaded = undefined;
  wipe(clean);
  resetEntropy();
  try {
    const answer = call(functions.load, code) ?? JSON.stringify({ error: 'out of memory' });
    const { error, isPlain } = JSON.parse(answer) as LoadAnswer & { isPlain?: boolean };
    if (error === null) loaded = { code, isPlain: isPlain === true, snapshot: takeSnapshot() };
    return JSON.stringify({ error } satisfies LoadAnswer);
  } catch (error) {
    return JSON.stringify({ error: crash(error) } satisfies LoadAnswer);
  }
};

const crash = (error: unknown): string => {
  if (error instanceof Sealed) return 'reached for the host, which is closed to it';
  if (error instanceof RangeError) return 'RecursionError: the stack is exhausted';
  return 'the interpreter crashed';
};

const score = (...given: string[]): string => {
  if (!loaded) return failed('no code is loaded');
  resetEntropy();
  try {
    const answer = call(functions.score, JSON.stringify(given));
    if (!loaded.isPlain || answer === undefined) restore(loaded.snapshot);
    return answer ?? failed('out of memory');
  } catch (error) {
    restore(loaded.snapshot);
    return failed(crash(error));
  }
};

seal();
const clean = takeSnapshot();
await serve({ load, score });
