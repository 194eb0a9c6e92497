import { longestLabel } from '../../../../client/src/labels.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Asker } from '../../platform/turns.ts';
import { ProcessPool } from './process-pool.ts';
import { javascript, python } from './programs.ts';
import { ProcessEnded, type SandboxProcess, TimedOut } from './sandbox-process.ts';
import type { Request } from './serve.ts';

export type CodeLanguage = 'javascript' | 'python';
/** Free-form parts of one record as JSON text; `record`, if given, is the fourth argument of the code. */
export type CodeInput = { inputs: string; outputs: string; expected: string; record?: string };
/**
 * The value that the code returned, a boolean, a finite number or a label, or why there is none, in words for the metric's author. `isMissing` is
 * set if the record lacks a field that the code needs: then the error is `missing_field:` and its name.
 */
export type CodeResult =
  | { ok: true; score: unknown; reasoning?: string }
  | { ok: false; error: string; isMissing?: true };
export type Sandbox = {
  /**
   * Runs one code over many records, results in order. Never throws for an error of user code; rejects with the signal's reason
   * when aborted, and when no process can be started.
   */
  run(language: CodeLanguage, code: string, records: CodeInput[], asker: Asker): Promise<CodeResult[]>;
  /** Why the code can't be used: it does not compile (with line and column) or defines no `score`. Null when it is fine. */
  check(language: CodeLanguage, code: string, asker: Asker): Promise<string | null>;
  close(): Promise<void>;
};
export type SandboxOptions = {
  /** Processes of each language. */
  processes: number;
  /** For one record, and for loading the code. */
  wallClockMs?: number;
  memoryBytes?: number;
};

/** Records sent at once; fewer of large ones. */
const window = { records: 256, characters: 1_000_000 };
/** If the process ends by itself under a record, the record is tried once more. */
const attempts = 2;

const failed = (error: string): CodeResult => ({ ok: false, error });

/** Reads an interpreter's answer. User code may have changed the function that writes it, so nothing in it is trusted. */
const readFields = (line: string): Record<string, unknown> => {
  try {
    return Object(parseJson(line)) as Record<string, unknown>;
  } catch {
    return { ok: false, error: 'the interpreter gave no readable answer' };
  }
};

const readResult = (line: string, outOfMemory: string): CodeResult => {
  const { ok, score, reasoning, error, isMissing } = readFields(line);
  if (isMissing === true) return { ok: false, error: String(error).slice(0, 2_000), isMissing };
  if (ok === false) return failed(error === 'out of memory' ? outOfMemory : String(error).slice(0, 2_000));
  const isLabel = typeof score === 'string' && score.length <= longestLabel;
  if (typeof score !== 'boolean' && typeof score !== 'number' && !isLabel) return failed('returned no score');
  return typeof reasoning === 'string' ? { ok: true, score, reasoning } : { ok: true, score };
};

const nextWindow = (records: CodeInput[], from: number): Request[] => {
  const requests: Request[] = [];
  let characters = 0;
  for (const { inputs, outputs, expected, record } of records.slice(from, from + window.records)) {
    const request = [inputs, outputs, expected, ...(record === undefined ? [] : [record])];
    for (const text of request) characters += text.length;
    if (requests.length > 0 && characters > window.characters) break;
    requests.push(request);
  }
  return requests;
};

/** The limits of one run of code, and the errors for exceeding them. */
type Limits = { wallClockMs: number; tookTooLong: string; outOfMemory: string };

/** Returns null when the code is loaded, else why not. */
const load = async (
  process: SandboxProcess,
  code: string,
  { wallClockMs, tookTooLong, outOfMemory }: Limits,
): Promise<string | null> => {
  let error: unknown;
  let isSpent = false;
  try {
    await process.ask([[code]], wallClockMs, (line) => {
      const answer = readFields(line);
      error = answer.error;
      isSpent = answer.isSpent === true;
    });
  } catch (reason) {
    if (reason instanceof TimedOut) return `${tookTooLong} while the code was loaded`;
    throw reason;
  }
  if (isSpent) process.kill('spent');
  if (error === null) return null;
  return error === 'out of memory' ? outOfMemory : String(error).slice(0, 2_000);
};

/** Scores the records from `results.length` on, until the end or until this process ends. */
const score = async (
  process: SandboxProcess,
  records: CodeInput[],
  results: CodeResult[],
  { wallClockMs, tookTooLong, outOfMemory }: Limits,
): Promise<void> => {
  try {
    while (results.length < records.length) {
      const requests = nextWindow(records, results.length);
      await process.ask(requests, wallClockMs, (line) => results.push(readResult(line, outOfMemory)));
    }
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    results.push(failed(tookTooLong));
  }
};

/** Runs user code in separate processes; docs/code-metrics.md describes their globals. */
export const openSandbox = ({
  processes,
  wallClockMs = 5_000,
  memoryBytes = 256 * 1024 * 1024,
}: SandboxOptions): Sandbox => {
  const pools: Record<CodeLanguage, ProcessPool> = {
    javascript: new ProcessPool(javascript(memoryBytes), processes),
    python: new ProcessPool(python(memoryBytes), processes),
  };
  const limits: Limits = {
    wallClockMs,
    tookTooLong: `timed out after ${wallClockMs / 1000} s`,
    outOfMemory: `used more than ${Math.round(memoryBytes / 1024 / 1024)} MB`,
  };

  const run: Sandbox['run'] = async (language, code, records, asker) => {
    const results: CodeResult[] = [];
    let failures = 0;
    while (results.length < records.length) {
      const before = results.length;
      try {
        const error = await pools[language].use(asker, async (process) => {
          const refusal = await load(process, code, limits);
          if (refusal === null) await score(process, records, results, limits);
          return refusal;
        });
        if (error !== null) while (results.length < records.length) results.push(failed(error));
      } catch (error) {
        asker.signal?.throwIfAborted();
        if (!(error instanceof ProcessEnded)) throw error;
        failures = results.length === before ? failures + 1 : 1;
        if (failures >= attempts) {
          results.push(failed(error.message));
          failures = 0;
        }
      }
    }
    return results;
  };

  return {
    run,
    check: async (language, code, asker) => {
      const once = () => pools[language].use(asker, (process) => load(process, code, limits));
      return once().catch((error: Error) => {
        asker.signal?.throwIfAborted();
        if (error instanceof ProcessEnded) return once();
        throw error;
      });
    },
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
};
