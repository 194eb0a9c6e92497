import type {
  CreateRecordsBody,
  CreateTestcasesBody,
  Operations,
  Testcase,
  UpsertScoresBody,
} from './generated.ts';
import type { CallOptions } from './types.ts';

/** Well below the service's limit of 15 MB, because escapes and the JSON around the items need room too. */
const maxBatchBytes = 8 * 1024 * 1024;
const maxRecords = 1_000;
const maxScores = 1_000;
const maxTestcases = 100;

/** Splits the items, in order, into batches of at most `maxItems` and about `maxBytes` of JSON. */
export const batches = <Item>(
  items: readonly Item[],
  maxItems: number,
  maxBytes = maxBatchBytes,
): Item[][] => {
  const result: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    // A UTF-16 unit takes at most 3 bytes of UTF-8. An exact count would need a copy.
    const size = JSON.stringify(item).length * 3;
    const last = result.at(-1);
    if (!last || last.length >= maxItems || bytes + size > maxBytes) {
      result.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return result;
};

type BulkOptions = Omit<CallOptions, 'idempotencyKey'> & {
  /** Makes the whole call repeatable with the same items: each of its requests has this key with its number. */
  idempotencyKey?: string | undefined;
};

const optionsOf = (options: BulkOptions | undefined, i: number): CallOptions | undefined => {
  const key = options?.idempotencyKey;
  return key === undefined ? options : { ...options, idempotencyKey: `${key}-${i}` };
};

/** Calls that take any number of items and send them in several requests, one after the other. */
export const bulkCalls = (api: Operations) => ({
  /** Creates testcases and returns them in the given order. Each request is all or nothing, but the whole call is not. */
  createAllTestcases: async (
    testsetId: string,
    items: CreateTestcasesBody['items'],
    options?: BulkOptions,
  ): Promise<Testcase[]> => {
    const made: Testcase[] = [];
    for (const [i, batch] of batches(items, maxTestcases).entries()) {
      made.push(...(await api.createTestcases(testsetId, { items: batch }, optionsOf(options, i))).items);
    }
    return made;
  },

  /** Creates records and returns their ids in the given order. Each request is all or nothing, but the whole call is not. */
  createAllRecords: async (
    runId: string,
    items: CreateRecordsBody['items'],
    options?: BulkOptions,
  ): Promise<string[]> => {
    const ids: string[] = [];
    for (const [i, batch] of batches(items, maxRecords).entries()) {
      ids.push(...(await api.createRecords(runId, { items: batch }, optionsOf(options, i))).ids);
    }
    return ids;
  },

  /** Stores scores of a run's records and returns them in the given order, invalid ones with their validation errors. */
  upsertAllScores: async (runId: string, items: UpsertScoresBody['items'], options?: BulkOptions) => {
    const stored: Awaited<ReturnType<Operations['upsertScores']>>['items'] = [];
    for (const [i, batch] of batches(items, maxScores).entries()) {
      stored.push(...(await api.upsertScores(runId, { items: batch }, optionsOf(options, i))).items);
    }
    return stored;
  },
});
