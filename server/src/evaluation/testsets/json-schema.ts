import { fileURLToPath } from 'node:url';
import { ProcessPool } from '../../engine/sandbox/process-pool.ts';
import { jsonParser, packageDirectory } from '../../engine/sandbox/programs.ts';
import type { Program } from '../../engine/sandbox/sandbox-process.ts';
import { type Issue, invalid } from '../../platform/errors.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { Asker } from '../../platform/turns.ts';
import type { Verdict } from './json-schema-process.ts';

/** Longest check. A batch of 100 testcases takes some milliseconds; only an endless schema takes this long. */
const wallClockMs = 2_000;
const tooMuch = `could not be checked: the schema took longer than ${wallClockMs / 1000} s, or too much memory`;

const program: Program = {
  script: new URL('./json-schema-process.ts', import.meta.url),
  readable: [
    ...['.', '../../engine/sandbox/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url))),
    ...jsonParser,
    ...['ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'].map(packageDirectory),
  ],
  memoryBytes: 0,
  // 15 MB of JSON become up to 300 MB of objects.
  heapMb: 512,
  // Room for a hundred errors in each of a hundred documents.
  longestAnswer: 20_000_000,
  neverWaits: true,
};

/** The schema of most clients and of all imports. It is checked here: a process for it would take 0.3 s of the first testset. */
const anyObject = /^\s*\{\s*"type"\s*:\s*"object"\s*\}\s*$/;
const isObject = (document: RawJson): boolean => /^\s*\{/.test(document);

/** Validates data against users' JSON Schemas. */
export type SchemaChecker = {
  /** Throws 400 when the text is not a JSON Schema. */
  requireSchema: (schema: RawJson, asker: Asker) => Promise<void>;
  /** Returns the errors of each document; an empty list for a valid one. */
  schemaErrors: (schema: RawJson, documents: RawJson[], asker: Asker) => Promise<Issue[][]>;
  close: () => Promise<void>;
};

/** Opens a checker with this many processes. An endless schema keeps one of them busy for two seconds. */
export const openSchemaChecker = (processes: number): SchemaChecker => {
  const pool = new ProcessPool(program, processes);

  /** Returns undefined when the check took too much time or memory. */
  const judge = async (schema: RawJson, documents: RawJson[], asker: Asker): Promise<Verdict | undefined> => {
    const answered = await pool.ask([schema, ...documents], wallClockMs, asker);
    return 'answer' in answered ? (JSON.parse(answered.answer) as Verdict) : undefined;
  };

  return {
    requireSchema: async (schema, asker) => {
      if (anyObject.test(schema)) return;
      const verdict = await judge(schema, [], asker);
      if (!verdict) throw invalid('/jsonSchema', tooMuch);
      if ('schemaError' in verdict)
        throw invalid('/jsonSchema', `must be a JSON Schema: ${verdict.schemaError}`);
    },
    schemaErrors: async (schema, documents, asker) => {
      if (anyObject.test(schema) && documents.every(isObject)) return documents.map(() => []);
      const verdict = await judge(schema, documents, asker);
      const forAll = (message: string) => documents.map(() => [{ path: '', message }]);
      if (!verdict) return forAll(tooMuch);
      if ('schemaError' in verdict) return forAll(`could not be checked: ${verdict.schemaError}`);
      return verdict.errors;
    },
    close: () => pool.close(),
  };
};
