import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from './sandbox-process.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Returns the directory of a package that the program may read. */
export const packageDirectory = (name: string): string => dirname(findPackageJSON(name, import.meta.url)!);

/** Memory that programs need to parse JSON. */
export const jsonParser = ['../../platform/json/parse-json.ts', '../../platform/json/scan-json.ts'].map(
  (file) => fileURLToPath(new URL(file, import.meta.url)),
);

/** Reasoning has at most 100,000 characters, six bytes each in the worst case. */
const longestAnswer = 1_000_000;

export const javascript = (memoryBytes: number): Program => ({
  script: new URL('./javascript/process.ts', import.meta.url),
  readable: [
    here,
    ...[
      'quickjs-emscripten-core',
      '@jitl/quickjs-ffi-types',
      '@jitl/quickjs-wasmfile-release-sync',
      '@cfworker/json-schema',
    ].map(packageDirectory),
  ],
  memoryBytes,
  heapMb: 64,
  longestAnswer,
});

export const python = (memoryBytes: number): Program => ({
  script: new URL('./python/process.ts', import.meta.url),
  imageScript: new URL('./python/image-process.ts', import.meta.url),
  readable: [here, packageDirectory('pyodide')],
  memoryBytes,
  heapMb: 256,
  longestAnswer,
});
